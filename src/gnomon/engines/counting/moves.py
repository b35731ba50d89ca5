"""What may follow a state, where members of a crowd that nothing tells apart are counted, not gone through.

Agents choose one after the other, and what is chosen tells members apart: `cells` are those of whom nothing
has told yet. One of a cell is looked at, and it counts how many of it do what.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, groupby, product
from math import prod
from typing import Final

from gnomon.engines.concrete.compile import LocalValues
from gnomon.engines.counting.agents import ActionsSoFar, CrowdAgents, CrowdChooser
from gnomon.engines.counting.layout import AlikeCells, Counted, Layout
from gnomon.engines.counting.meeting import FollowingCounts, Meeting, multisets
from gnomon.engines.counting.work import WorkLeft
from gnomon.model.step import State

#: What a joint action takes, beside what is looked at for it.
_FOR_A_MOVE: Final = 8


class CountedMoves:
    """The moves of a system, up to members of a crowd changing places."""

    def __init__(self, layout: Layout, work: WorkLeft, most: int) -> None:
        """Look at agents as they come up; more than `most` alternatives of one are refused."""
        self.layout = layout
        self.agents = CrowdAgents(layout, most)
        self.work = work
        self._meeting = Meeting(self.agents, work)

    def successors(self, counted: Counted) -> tuple[FollowingCounts, bool]:
        """Return what may follow, and whether some move has no result."""
        state, cells = self.layout.state(counted), self.layout.cells(counted)
        found: FollowingCounts = {}
        lost = False
        start = self._forced(state, cells)
        if start is not None:
            actions, left = start
            for chosen, finer in self._chosen(state, cells, actions, left):
                lost |= self._follow(state, finer, chosen, found)
        return found, lost

    def choices(self, counted: Counted, coalition: Sequence[CrowdChooser]) -> list[FollowingCounts]:
        """Return what may follow each joint choice of some agents, up to members changing places."""
        state, cells = self.layout.state(counted), self.layout.cells(counted)
        start = self._forced(state, cells)
        if start is None:
            return []
        actions, left = start
        members = [each for each in left if each in coalition]
        others = [each for each in left if each not in coalition]
        found = []
        for chosen, finer in self._chosen(state, cells, actions, members):
            following: FollowingCounts = {}
            for all_chosen, finest in self._chosen(state, finer, chosen, others):
                self._follow(state, finest, all_chosen, following)
            found.append(following)
        return found

    def _forced(
        self, state: State, cells: AlikeCells
    ) -> tuple[ActionsSoFar, list[CrowdChooser]] | None:
        """Return what those do who have no choice, and the others; None where somebody is stuck."""
        actions = [""] * len(self.layout.system.agents)
        left = []
        for chooser in self.agents.choosers:
            places = [self.agents.one_of(cell) for cell in cells] if chooser.crowd else [0]
            options = [self.agents.enabled(chooser.agents[place], state) for place in places]
            if not all(options):
                return None
            if any(len(each) > 1 for each in options):
                left.append(chooser)
            elif not chooser.crowd:
                [[action]] = options
                if self.agents.about[chooser.agents[0]].get(action) is None:
                    actions[chooser.agents[0]] = action
                else:
                    left.append(chooser)
            else:
                self._do_alike(chooser, cells, [each for [each] in options], actions)
        return actions, left

    def _do_alike(
        self, chooser: CrowdChooser, cells: AlikeCells, done: Sequence[str], actions: ActionsSoFar
    ) -> None:
        """Let all members of each cell do what one of it does."""
        for cell, action in zip(cells, done, strict=True):
            name = self.agents.first_calls_it(chooser, action)
            for place in cell:
                self.agents.let(chooser, place, name, actions)

    def _chosen(
        self,
        state: State,
        cells: AlikeCells,
        actions: ActionsSoFar,
        choosers: Sequence[CrowdChooser],
    ) -> Iterator[tuple[ActionsSoFar, AlikeCells]]:
        """Yield the joint choices of some, up to members of a cell changing places."""
        if not choosers:
            yield actions, cells
            return
        first, *rest = choosers
        options = self._by_crowd if first.crowd else self._by_one
        for chosen, finer in options(state, cells, actions, first):
            yield from self._chosen(state, finer, chosen, rest)

    def _by_one(
        self, state: State, cells: AlikeCells, actions: ActionsSoFar, chooser: CrowdChooser
    ) -> Iterator[tuple[ActionsSoFar, AlikeCells]]:
        """Yield what one agent may do; of what is about members of a cell, what is about its first."""
        [index] = chooser.agents
        enabled = self.agents.enabled(index, state)
        self.work.take(len(enabled))
        about = self.agents.about[index]
        for action in enabled:
            member = about.get(action)
            finer = cells if member is None else _singled_out(cells, member)
            if finer is None:
                continue
            chosen = actions.copy()
            chosen[index] = action
            yield chosen, finer

    def _by_crowd(
        self, state: State, cells: AlikeCells, actions: ActionsSoFar, chooser: CrowdChooser
    ) -> Iterator[tuple[ActionsSoFar, AlikeCells]]:
        """Yield what an agent of each member may do: how many of each cell do what."""
        agents = self.agents
        options = [
            [
                agents.first_calls_it(chooser, action)
                for action in agents.enabled(chooser.agents[agents.one_of(cell)], state)
            ]
            for cell in cells
        ]
        pairs = list(zip(cells, options, strict=True))
        self.work.take(prod(multisets(len(cell), len(each)) for cell, each in pairs))
        spread = [combinations_with_replacement(each, len(cell)) for cell, each in pairs]
        for choice in product(*spread):
            chosen = actions.copy()
            finer: list[tuple[int, ...]] = []
            for cell, done in zip(cells, choice, strict=True):
                for place, action in zip(cell, done, strict=True):
                    agents.let(chooser, place, action, chosen)
                finer += _parted(cell, done)
            yield chosen, tuple(finer)

    def _follow(
        self, state: State, cells: AlikeCells, actions: ActionsSoFar, found: FollowingCounts
    ) -> bool:
        """Add what may follow a joint action; return whether some alternative has no result."""
        singles, lost = [], False
        for index in self.agents.singles:
            new, over = self.agents.evolved(index, state, actions)
            singles.append(new)
            lost |= over
        members: list[list[tuple[LocalValues, ...]]] = []
        for cell in cells:
            of_kinds, one = [], self.agents.one_of(cell)
            for kind in self.agents.kinds:
                new, over = self.agents.evolved(kind[one], state, actions)
                of_kinds.append(new)
                lost |= over
            members.append(list(product(*of_kinds)))
        self.work.take(_FOR_A_MOVE + len(cells) + prod(map(len, singles)))
        news: list[LocalValues] = [()] * len(self.layout.system.agents)
        for together in product(*singles):
            for index, local in zip(self.agents.singles, together, strict=True):
                news[index] = local
            self._meeting.add(state, cells, news, members, found)
        return lost


def _singled_out(cells: AlikeCells, member: int) -> AlikeCells | None:
    """Return the cells with one member by itself, None where it is not the first of its cell."""
    for number, cell in enumerate(cells):
        if cell[0] == member:
            if len(cell) == 1:
                return cells
            return (*cells[:number], cell[:1], cell[1:], *cells[number + 1 :])
    return None


def _parted(cell: tuple[int, ...], done: Sequence[str]) -> list[tuple[int, ...]]:
    """Return a cell in parts by what its members do, who come in that order."""
    pairs = zip(cell, done, strict=True)
    return [
        tuple(place for place, _ in group) for _, group in groupby(pairs, key=lambda pair: pair[1])
    ]
