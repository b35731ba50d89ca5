"""What may follow a state, where members of a crowd that nothing tells apart are counted, not gone through.

Agents choose one after the other, and what is chosen tells members apart: `cells` are those of whom nothing
has told yet. One of a cell is looked at, and it counts how many of it do what.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Any, Final, NamedTuple, TypeAlias

from gnomon.engines.concrete.compile import LocalValues, evolution_function, protocol_function
from gnomon.engines.counting.layout import Block, Cells, Counted, Layout
from gnomon.model.agent import Agent
from gnomon.model.budget import TryAnother, Unsuited
from gnomon.model.domain import Datum
from gnomon.model.expression import Read
from gnomon.model.step import State

_TOO_MUCH: Final = "counting takes more steps than were to be tried"
#: After so many steps it is looked ahead, and again after as many more.
_FIRST_LOOK: Final = 10_000
#: What a joint action takes, beside what is looked at for it.
_FOR_A_MOVE: Final = 8

#: Counts of what follows, in the order in which it was found.
Following: TypeAlias = dict[Counted, None]
#: The action of every agent, as far as they have chosen.
Actions: TypeAlias = list[str]


class Chooser(NamedTuple):
    """Who chooses next: one agent, or an agent of each member."""

    agents: tuple[int, ...]
    crowd: bool


class WorkLeft:
    """So much may be gone through, whatever the machine: a step takes about a microsecond.

    Now and then it is looked ahead: where what is left will not do, there is no use in going on.
    """

    def __init__(self, work: int, most_for_one: int | None = None) -> None:
        """Start with so much, and for each state with no more than so much on the average."""
        self._all = self._left = work
        self._look_at = work - _FIRST_LOOK
        self._most = most_for_one

    def take(self, work: int) -> None:
        """Use some up; raises `TryAnother` where there is not so much left."""
        self._left -= work
        if self._left < 0:
            raise TryAnother(_TOO_MUCH)

    def look_ahead(self, done: int, known: int) -> None:
        """Raise `TryAnother` where so many of those that are known cannot all be gone through."""
        if self._most is None or self._left > self._look_at:
            return
        self._look_at = self._left - _FIRST_LOOK
        spent = self._all - self._left
        if spent * known > self._all * done or spent > self._most * done:
            raise TryAnother(_TOO_MUCH)


class CountedMoves:
    """The moves of a system, up to members of a crowd changing places."""

    def __init__(self, layout: Layout, work: WorkLeft, most: int) -> None:
        """Look at agents as they come up; more than `most` alternatives of one are refused."""
        self.layout = layout
        self.work = work
        self._most = most
        self._system = system = layout.system
        self._starts = [0]
        for agent in system.agents:
            self._starts.append(self._starts[-1] + len(agent.variables))
        self._protocols: dict[int, Callable[[LocalValues, State], tuple[str, ...]]] = {}
        self._evolutions: dict[int, Callable[..., Any]] = {}
        self.choosers = self._choosers()
        self._singles = [each.agents[0] for each in self.choosers if not each.crowd]
        self._kinds = [each.agents for each in self.choosers if each.crowd]
        self._kind_of = {agent: n for n, kind in enumerate(self._kinds) for agent in kind}
        self._looked_at: list[int] = []
        #: What each member has that others change.
        self._outside = [
            [(agent, own) for agent, own in sources if agent not in self._kind_of]
            for sources in layout.sources
        ]
        self._changers = self._outer_variables()
        self._actions = [self._translated(kind) for kind in self._kinds]
        self._about = [
            {action: self._member(agent, action, owner) for action in agent.actions}
            for agent, owner in zip(system.agents, layout.owner, strict=True)
        ]

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
            start, new = self._starts[agent], news[agent]
            if any(new[place] != state[start + place] for place in places):
                return True
        return False

    def _choosers(self) -> tuple[Chooser, ...]:
        kinds: dict[str, list[int]] = {}
        singles = []
        crowd = self.layout.crowd
        for index, agent in enumerate(self._system.agents):
            owner = self.layout.owner[index]
            if owner is None:
                singles.append(Chooser((index,), crowd=False))
                continue
            name = crowd.renamed("agent", agent.name, crowd.members[owner], crowd.members[0])
            kinds.setdefault(name, [-1] * self.layout.size)[owner] = index
        return (*singles, *(Chooser(tuple(kind), crowd=True) for kind in kinds.values()))

    def _member(self, agent: Agent, action: str, owner: int | None) -> int | None:
        """Return the place of the member that an action of nobody's agent is about."""
        crowd = self.layout.crowd
        found = crowd.numbers_in("action", action)
        places = [crowd.members.index(number) for number in found]
        if len(places) > 1 or (owner is not None and places and places != [owner]):
            msg = f"`{agent.name}.{action}` is about others of the crowd"
            raise Unsuited(msg)
        return places[0] if places and owner is None else None

    def _translated(self, kind: tuple[int, ...]) -> tuple[dict[str, str], list[dict[str, str]]]:
        """Return what the first member calls actions of others, by names, and what each calls those."""
        crowd = self.layout.crowd
        first, to_first, from_first = crowd.members[0], {}, []
        for place, index in enumerate(kind):
            number = crowd.members[place]
            own = {
                crowd.renamed("action", action, number, first): action
                for action in self._system.agents[index].actions
            }
            from_first.append(own)
            to_first.update({action: name for name, action in own.items()})
        return to_first, from_first

    def _one_of(self, cell: tuple[int, ...]) -> int:
        """Return the place of a member of a cell, of one that has been looked at if there is one."""
        for place in self._looked_at:
            if place in cell:
                return place
        self._looked_at.append(cell[0])
        return cell[0]

    # One agent

    def enabled(self, index: int, state: State) -> tuple[str, ...]:
        """Return the enabled actions of an agent."""
        protocol = self._protocols.get(index)
        if protocol is None:
            agent = self._system.agents[index]
            protocol = self._protocols[index] = protocol_function(agent, self._places(agent))
        return protocol(self._own(index, state), state)

    def _own(self, index: int, state: State) -> LocalValues:
        return state[self._starts[index] : self._starts[index + 1]]

    def _places(self, agent: Agent) -> dict[Read | str, str]:
        found: dict[Read | str, str] = {
            Read(variable.agent, variable.name): f"s[{position}]"
            for position, variable in enumerate(self._system.variables)
        }
        for place, variable in enumerate(agent.variables):
            found[Read(agent.name, variable.name)] = f"o[{place}]"
        for index, other in enumerate(self._system.agents):
            found[other.name] = f"a[{index}]"
        return found

    def _evolved(
        self, index: int, state: State, actions: Actions
    ) -> tuple[list[LocalValues], bool]:
        """Return the next local states of an agent, and whether some alternative has no result."""
        evolve = self._evolutions.get(index)
        if evolve is None:
            agent = self._system.agents[index]
            evolve = self._evolutions[index] = evolution_function(
                agent, self._system.semantics, self._places(agent), self._most
            )
        outcome = evolve(self._own(index, state), state, actions)
        if outcome is None:
            msg = "there are more alternatives than were to be looked at"
            raise TryAnother(msg)
        new, lost = outcome
        return list(dict.fromkeys(new)), lost

    # All together

    def successors(self, counted: Counted) -> tuple[Following, bool]:
        """Return what may follow, and whether some move has no result."""
        state, cells = self.layout.state(counted), self.layout.cells(counted)
        found: Following = {}
        lost = False
        start = self._forced(state, cells)
        if start is not None:
            actions, left = start
            for chosen, finer in self._chosen(state, cells, actions, left):
                lost |= self._follow(state, finer, chosen, found)
        return found, lost

    def choices(self, counted: Counted, coalition: Sequence[Chooser]) -> list[Following]:
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
            following: Following = {}
            for all_chosen, finest in self._chosen(state, finer, chosen, others):
                self._follow(state, finest, all_chosen, following)
            found.append(following)
        return found

    def _forced(self, state: State, cells: Cells) -> tuple[Actions, list[Chooser]] | None:
        """Return what those do who have no choice, and the others; None where somebody is stuck."""
        actions = [""] * len(self._system.agents)
        left = []
        for chooser in self.choosers:
            places = [self._one_of(cell) for cell in cells] if chooser.crowd else [0]
            options = [self.enabled(chooser.agents[place], state) for place in places]
            if not all(options):
                return None
            if any(len(each) > 1 for each in options):
                left.append(chooser)
            elif not chooser.crowd:
                [[action]] = options
                if self._about[chooser.agents[0]].get(action) is None:
                    actions[chooser.agents[0]] = action
                else:
                    left.append(chooser)
            else:
                self._do_alike(chooser, cells, [each for [each] in options], actions)
        return actions, left

    def _do_alike(
        self, chooser: Chooser, cells: Cells, done: Sequence[str], actions: Actions
    ) -> None:
        """Let all members of each cell do what the first of it does."""
        to_first, from_first = self._actions[self._kind_of[chooser.agents[0]]]
        for cell, action in zip(cells, done, strict=True):
            name = to_first.get(action, action)
            for place in cell:
                actions[chooser.agents[place]] = from_first[place].get(name, name)

    def _chosen(
        self, state: State, cells: Cells, actions: Actions, choosers: Sequence[Chooser]
    ) -> Iterator[tuple[Actions, Cells]]:
        """Yield the joint choices of some, up to members of a cell changing places."""
        if not choosers:
            yield actions, cells
            return
        first, *rest = choosers
        options = self._by_crowd if first.crowd else self._by_one
        for chosen, finer in options(state, cells, actions, first):
            yield from self._chosen(state, finer, chosen, rest)

    def _by_one(
        self, state: State, cells: Cells, actions: Actions, chooser: Chooser
    ) -> Iterator[tuple[Actions, Cells]]:
        """Yield what one agent may do; of what is about members of a cell, what is about its first."""
        [index] = chooser.agents
        enabled = self.enabled(index, state)
        self.work.take(len(enabled))
        about = self._about[index]
        for action in enabled:
            member = about.get(action)
            finer = cells if member is None else _singled_out(cells, member)
            if finer is None:
                continue
            chosen = actions.copy()
            chosen[index] = action
            yield chosen, finer

    def _by_crowd(
        self, state: State, cells: Cells, actions: Actions, chooser: Chooser
    ) -> Iterator[tuple[Actions, Cells]]:
        """Yield what an agent of each member may do: how many of each cell do what."""
        kind = self._kind_of[chooser.agents[0]]
        to_first, from_first = self._actions[kind]
        options = []
        for cell in cells:
            enabled = self.enabled(chooser.agents[self._one_of(cell)], state)
            options.append([to_first.get(action, action) for action in enabled])
        self.work.take(prod(map(_spreads, cells, options)))
        spread = [
            combinations_with_replacement(each, len(cell))
            for cell, each in zip(cells, options, strict=True)
        ]
        for choice in product(*spread):
            chosen = actions.copy()
            finer = []
            for cell, done in zip(cells, choice, strict=True):
                for place, action in zip(cell, done, strict=True):
                    own = from_first[place]
                    chosen[chooser.agents[place]] = own.get(action, action)
                finer += _parted(cell, done)
            yield chosen, tuple(finer)

    def _follow(self, state: State, cells: Cells, actions: Actions, found: Following) -> bool:
        """Add what may follow a joint action; return whether some alternative has no result."""
        singles, lost = [], False
        for index in self._singles:
            new, over = self._evolved(index, state, actions)
            singles.append(new)
            lost |= over
        members: list[list[tuple[LocalValues, ...]]] = []
        for cell in cells:
            of_kinds, one = [], self._one_of(cell)
            for kind in self._kinds:
                new, over = self._evolved(kind[one], state, actions)
                of_kinds.append(new)
                lost |= over
            members.append(list(product(*of_kinds)))
        self.work.take(_FOR_A_MOVE + len(cells) + prod(map(len, singles)))
        news: list[LocalValues] = [()] * len(self._system.agents)
        for together in product(*singles):
            for index, local in zip(self._singles, together, strict=True):
                news[index] = local
            touched = bool(self._changers) and self._is_touched(state, news)
            self._meet(cells, news, members, found, touched=touched)
        return lost

    def _meet(
        self,
        cells: Cells,
        news: list[LocalValues],
        members: list[list[tuple[LocalValues, ...]]],
        found: Following,
        *,
        touched: bool,
    ) -> None:
        """Add what follows where those who are not of the crowd come to this."""
        layout = self.layout
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
        self.work.take(prod(_multisets(size, len(blocks)) for size, blocks in options))
        spread = [combinations_with_replacement(blocks, size) for size, blocks in options]
        for choice in product(*spread):
            counts = {}
            for each in choice:
                for block in each:
                    counts[block] = counts.get(block, 0) + 1
            found[nobody, tuple(sorted(counts.items()))] = None

    def _pointed(self, news: list[LocalValues]) -> list[int | None]:
        """Return the place of whom each variable that points will point at."""
        layout = self.layout
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
        for agent, own in self.layout.sources[place]:
            kind = self._kind_of.get(agent)
            values.append(news[agent][own] if kind is None else locals_[kind][own])
        return (*values, *(at == place for at in pointed))


def _singled_out(cells: Cells, member: int) -> Cells | None:
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


def _spreads(cell: tuple[int, ...], options: Sequence[str]) -> int:
    return _multisets(len(cell), len(options))


def _multisets(size: int, options: int) -> int:
    """Return how many ways there are for so many to do one of some things each, by how many do what."""
    return comb(size + options - 1, size) if options else 0
