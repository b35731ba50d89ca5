"""The reachable states, counted, numbered in breadth-first order, and the steps between them."""

from collections.abc import Collection, Sequence
from typing import Final

from gnomon.engines.counting.agents import CrowdChooser
from gnomon.engines.counting.layout import Counted, Layout, ways
from gnomon.engines.counting.moves import CountedMoves
from gnomon.engines.counting.starts import counted_starts
from gnomon.engines.counting.work import WorkLeft
from gnomon.model.budget import Budget
from gnomon.model.crowd import AlikeCrowd
from gnomon.model.expression import Read
from gnomon.model.step import State

_EVERY: Final = 256


class CountedSpace:
    """The reachable states up to members of a crowd changing places; the initial ones come first."""

    def __init__(self, crowd: AlikeCrowd, budget: Budget, work: WorkLeft, most: int) -> None:
        """Explore breadth first; raises `TryAnother` where this is no way to do it."""
        self.layout = Layout(crowd)
        self.budget = budget
        self.moves = CountedMoves(self.layout, work, most)
        self.counted: list[Counted] = []
        self.index: dict[Counted, int] = {}
        self.successors: list[tuple[int, ...]] = []
        self.overflows: list[int] = []
        self._predecessors: list[list[int]] | None = None
        for start in counted_starts(self.layout, budget, work):
            self._number(start)
        self.initial_count = len(self.counted)
        self._explore(work)
        self.states: list[State] = [self.layout.state(each) for each in self.counted]

    def _number(self, counted: Counted) -> int:
        found = self.index.get(counted)
        if found is None:
            found = self.index[counted] = len(self.counted)
            self.counted.append(counted)
        return found

    def _explore(self, work: WorkLeft) -> None:
        for number, counted in enumerate(self.counted):
            if number % _EVERY == 0:
                self.budget.check("counted states", len(self.counted))
            work.take(self.layout.size)
            work.look_ahead(number or 1, len(self.counted))
            following, lost = self.moves.successors(counted)
            if lost:
                self.overflows.append(number)
            self.successors.append(tuple([self._number(each) for each in following]))

    def numbers(self) -> Collection[int]:
        """Return the numbers of all that was counted."""
        return self.index.values()

    def weight(self, number: int) -> int:
        """Return how many states have these counts."""
        return ways(count for _, count in self.counted[number][1])

    @property
    def predecessors(self) -> list[list[int]]:
        """Return, for each, those it follows."""
        if self._predecessors is None:
            found: list[list[int]] = [[] for _ in self.counted]
            for number, targets in enumerate(self.successors):
                for target in targets:
                    found[target].append(number)
            self._predecessors = found
        return self._predecessors

    def choices(self, number: int, coalition: Sequence[CrowdChooser]) -> dict[int, tuple[int, ...]]:
        """Return, for each joint choice of some agents, what may follow it."""
        found = self.moves.choices(self.counted[number], coalition)
        return {
            place: tuple([self.index[each] for each in following])
            for place, following in enumerate(found)
        }

    def state(self, number: int) -> State:
        """Return one of the states that have these counts."""
        return self.states[number]

    def number(self, state: State) -> int:
        """Return the number of the counts of a reachable state."""
        return self.index[self.layout.counted(state)]


class CountedViews:
    """What is seen of each state by somebody who sees some variables, up to what is not seen anyway.

    Two states may look alike though none of those they are counted with do: what counts is whether members
    can change places such that they do, and they can where what is seen has the same counts.
    """

    def __init__(self, space: CountedSpace, variables: frozenset[Read]) -> None:
        """Look at all that was counted."""
        layout = space.layout
        positions = {layout.system.position[read.agent, read.variable] for read in variables}
        single = [n for n, at in enumerate(layout.single) if at in positions]
        slots = [n for n, places in enumerate(layout.slots) if places[0] in positions]
        slots += [
            len(layout.slots) + n
            for n, each in enumerate(layout.pointers)
            if each.position in positions
        ]
        self.class_of: list[int] = []
        self.members: list[list[int]] = []
        self.weights: list[int] = []
        numbers: dict[object, int] = {}
        for number, (nobody, counts) in enumerate(space.counted):
            if number % _EVERY == 0:
                space.budget.check("views", number)
            seen: dict[object, int] = {}
            for block, count in counts:
                part = tuple([block[slot] for slot in slots])
                seen[part] = seen.get(part, 0) + count
            key = (tuple([nobody[n] for n in single]), frozenset(seen.items()))
            view = numbers.setdefault(key, len(self.members))
            if view == len(self.members):
                self.members.append([])
                self.weights.append(ways(seen.values()))
            self.members[view].append(number)
            self.class_of.append(view)
