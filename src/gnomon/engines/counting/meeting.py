"""What comes of a joint action: what each agent may become, put together and counted."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import TypeAlias

from gnomon.engines.concrete.compile import LocalValues
from gnomon.engines.counting.agents import CrowdAgents
from gnomon.engines.counting.layout import AlikeCells, Block, Counted
from gnomon.engines.counting.work import WorkLeft
from gnomon.model.domain import Datum
from gnomon.model.step import State

#: Counts of what follows, in the order in which it was found.
FollowingCounts: TypeAlias = dict[Counted, None]
#: For each cell, what a member of it may become: a local state for each kind of agent.
Becoming: TypeAlias = Sequence[Sequence[tuple[LocalValues, ...]]]


class Meeting:
    """Puts together what agents become, and counts members with the same block."""

    def __init__(self, agents: CrowdAgents, work: WorkLeft) -> None:
        """See what each member has that is changed by agents that are nobody's."""
        self._agents = agents
        self._layout = agents.layout
        self._work = work
        self._outside = [
            [(agent, own) for agent, own in sources if agent not in agents.kind_of]
            for sources in agents.layout.sources
        ]
        self._changers = self._outer_variables()

    def _outer_variables(self) -> list[tuple[int, list[int]]]:
        """Return the agents outside the crowd that have something of its members, and which variables."""
        found: dict[int, set[int]] = {}
        for sources in self._outside:
            for agent, own in sources:
                found.setdefault(agent, set()).add(own)
        return [(agent, sorted(places)) for agent, places in found.items()]

    def _is_touched(self, state: State, news: list[LocalValues]) -> bool:
        """Return whether somebody outside the crowd changes what its members have."""
        for agent, places in self._changers:
            old, new = self._agents.own(agent, state), news[agent]
            if any(new[place] != old[place] for place in places):
                return True
        return False

    def add(
        self,
        state: State,
        cells: AlikeCells,
        news: list[LocalValues],
        members: Becoming,
        found: FollowingCounts,
    ) -> None:
        """Add what follows where those who are not of the crowd come to this."""
        layout = self._layout
        touched = bool(self._changers) and self._is_touched(state, news)
        single = [news[agent][place] for agent, place in layout.single_sources]
        pointed = self._pointed(news)
        pointed_at = set(pointed)
        options: list[tuple[int, list[Block]]] = []
        for cell, locals_ in zip(cells, members, strict=True):
            apart = touched or not pointed_at.isdisjoint(cell)
            for part in self._told_apart(cell, news, pointed) if apart else (cell,):
                blocks = [self._block(part[0], news, each, pointed) for each in locals_]
                options.append((len(part), list(dict.fromkeys(blocks))))
        nobody = layout.of_nobody(single)
        if all(len(blocks) == 1 for _, blocks in options):
            counts: dict[Block, int] = {}
            for size, [block] in options:
                counts[block] = counts.get(block, 0) + size
            found[nobody, tuple(sorted(counts.items()))] = None
            return
        self._work.take(prod(multisets(size, len(blocks)) for size, blocks in options))
        spread = [combinations_with_replacement(blocks, size) for size, blocks in options]
        for choice in product(*spread):
            counts = {}
            for each in choice:
                for block in each:
                    counts[block] = counts.get(block, 0) + 1
            found[nobody, tuple(sorted(counts.items()))] = None

    def _pointed(self, news: list[LocalValues]) -> list[int | None]:
        """Return the place of whom each variable that points will point at."""
        layout = self._layout
        found = []
        for pointer in layout.pointers:
            agent, place = layout.single_sources[layout.single.index(pointer.position)]
            found.append(pointer.place_of.get(news[agent][place]))
        return found

    def _told_apart(
        self, cell: tuple[int, ...], news: list[LocalValues], pointed: list[int | None]
    ) -> list[list[int]]:
        """Return a cell in parts, by what those who are not of the crowd do to its members."""
        if len(cell) == 1:
            return [list(cell)]
        parts: dict[object, list[int]] = {}
        for place in cell:
            mark = tuple([news[agent][own] for agent, own in self._outside[place]])
            if place in pointed:
                mark = (*mark, *(at == place for at in pointed))
            parts.setdefault(mark, []).append(place)
        return list(parts.values())

    def _block(
        self,
        place: int,
        news: list[LocalValues],
        locals_: tuple[LocalValues, ...],
        pointed: list[int | None],
    ) -> Block:
        values: list[Datum] = []
        for agent, own in self._layout.sources[place]:
            kind = self._agents.kind_of.get(agent)
            values.append(news[agent][own] if kind is None else locals_[kind][own])
        return (*values, *(at == place for at in pointed))


def multisets(size: int, options: int) -> int:
    """Return how many ways there are for so many to do one of some things each, by how many do what."""
    return comb(size + options - 1, size) if options else 0
