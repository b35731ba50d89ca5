"""The way round that cells leave open: what elimination could not exclude, as short as it gets."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from gnomon.engines.abstraction.cell_moves import Resolved
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, diagram_of, pick_cell
from gnomon.engines.abstraction.elimination import NodeSuccessors, Remaining
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.budget import Budget

#: So many cells are looked at one by one, and so many moves and results of each.
_MOST_POINTS: Final = 80
_MOST_MOVES: Final = 24
_MOST_RESULTS: Final = 12
#: So often a way round is made longer, to meet what it has to meet.
_MOST_DETOURS: Final = 8
_PATIENCE: Final = 1.0

#: A cell with the node of an automaton, by number.
CellPoint: TypeAlias = tuple[Cell, int]


class CellStep(NamedTuple):
    """A move from one point to another, with the quantities that surely fall, and those that may grow."""

    source: int
    target: int
    move: Resolved
    falls: frozenset[int]
    grows: frozenset[int]
    #: The move and its cell, over cells, actions and choices.
    moves: Diagram


class WhatIsLeft(Protocol):
    """What elimination has left, by the nodes of an automaton, and what has to be met again and again."""

    @property
    def following(self) -> NodeSuccessors:
        """The nodes that may follow each node."""

    @property
    def remaining(self) -> Remaining:
        """The cells and moves."""

    @property
    def visited(self) -> Sequence[tuple[ThreeValued, ...]]:
        """The sets to be met, in parts."""


class OpenPaths:
    """The points that are left, listed from some cells on, and the steps between them."""

    def __init__(
        self,
        space: CellSpace,
        left: WhatIsLeft,
        rankings: Sequence[Ranking],
        visited: Collection[Cell] = (),
    ) -> None:
        """List what elimination has left; ways through cells that are known to be visited come first."""
        self._visited = visited
        self._space = space
        self._d = space.diagrams
        self._left = left
        self._rankings = rankings
        self._budget = Budget(_PATIENCE)
        self.points: list[CellPoint] = []
        self._numbers: dict[CellPoint, int] = {}
        self._steps: dict[int, list[CellStep]] = {}

    def cycle(self, start: Diagram) -> list[CellStep]:
        """Return a short way round that nothing excludes, to which some cells lead, if one is found."""
        self._list(start)
        everything = self._steps
        real = {n for n, (cell, _) in enumerate(self.points) if cell in self._visited}
        for inside in (real, set(everything)):
            self._steps = {
                number: [step for step in steps if step.target in inside]
                for number, steps in everything.items()
                if number in inside
            }
            for closed in sorted(self._short_cycles(), key=len):
                found = self._completed(closed)
                if found:
                    return found
        return []

    def _list(self, start: Diagram) -> None:
        near = self._reached_from(start)
        for node, cells in enumerate(self._left.remaining.cells):
            for cell in self._cells(self._d.both(cells, near), _MOST_POINTS):
                self._enter((cell, node))
        for number, _ in enumerate(self.points):
            if self._budget.spent() > _PATIENCE:
                return
            self._steps[number] = list(self._steps_from(number))

    def _reached_from(self, start: Diagram) -> Diagram:
        found = start
        while self._budget.spent() < _PATIENCE:
            larger = self._d.either(found, self._space.successors(found, {}))
            if larger == found:
                return found
            found = larger
        return found

    def _enter(self, point: CellPoint) -> None:
        if point not in self._numbers and len(self.points) < _MOST_POINTS:
            self._numbers[point] = len(self.points)
            self.points.append(point)

    def _cells(self, cells: Diagram, most: int) -> Iterator[Cell]:
        left = cells
        for _ in range(most):
            if left == self._d.false:
                return
            found = pick_cell(self._space, left)
            left = self._d.minus(left, diagram_of(self._space, found))
            yield found

    def _steps_from(self, number: int) -> Iterator[CellStep]:
        d, remaining = self._d, self._left.remaining
        cell, node = self.points[number]
        after = self._left.following[node]
        stay = self._space.cells.disjunction(remaining.cells[each] for each in after)
        here = d.both(diagram_of(self._space, cell), remaining.moves[node])
        moves = self._space.moves_into(here, stay)
        for one, move in self._each_move(moves):
            falls, grows = set(), set()
            for place, ranking in enumerate(self._rankings):
                if d.both(one, ranking.less) != d.false:
                    falls.add(place)
                if d.minus(one, ranking.not_more) != d.false:
                    grows.add(place)
            results = d.both(self._space.successors(one, {}), stay)
            for following in self._cells(results, _MOST_RESULTS):
                for each in after:
                    target = self._numbers.get((following, each))
                    if target is not None:
                        yield CellStep(
                            number, target, move, frozenset(falls), frozenset(grows), one
                        )

    def _each_move(self, moves: Diagram) -> Iterator[tuple[Diagram, Resolved]]:
        """Yield single moves: each as a diagram, and with its actions and choices."""
        d, left = self._d, moves
        actions = [level for levels in self._space.layout.actions.values() for level in levels]
        for _ in range(_MOST_MOVES):
            if left == d.false:
                return
            found = d.pick(left)
            one = left
            for level in actions:
                bit = d.variable(level)
                one = d.both(one, bit if found.get(level, False) else d.opposite(bit))
            left = d.minus(left, one)
            yield one, self._space.moves.decoded(found, {})

    def _short_cycles(self) -> Iterator[list[CellStep]]:
        """Yield the shortest way round through each point that has one."""
        for number, _ in enumerate(self.points):
            for step in self._steps.get(number, ()):
                if step.target == number:
                    yield [step]
            way = self._way_to(number, number)
            if len(way) > 1:
                yield way

    def _way(self, start: int, ends: Callable[[CellStep], bool]) -> list[CellStep]:
        """Return the shortest way from a point that ends with some step; empty where there is none."""
        came: dict[int, CellStep] = {}
        waiting = [start]
        for point in waiting:
            for step in self._steps.get(point, ()):
                if ends(step):
                    way = [step]
                    while way[-1].source != start:
                        way.append(came[way[-1].source])
                    return way[::-1]
                if step.target not in came and step.target != start:
                    came[step.target] = step
                    waiting.append(step.target)
        return []

    def _completed(self, cycle: list[CellStep]) -> list[CellStep]:
        """Return a way round with detours by which all is met and every quantity that falls may grow."""
        found = cycle
        for _ in range(_MOST_DETOURS):
            missing = self._missing(found)
            if missing is None:
                return self._shortened(found)
            home = found[0].source
            detour = self._way(home, missing)
            if not detour:
                return []
            back = [] if detour[-1].target == home else self._way_to(detour[-1].target, home)
            if detour[-1].target != home and not back:
                return []
            found = [*found, *detour, *back]
        return []

    def _shortened(self, cycle: list[CellStep]) -> list[CellStep]:
        """Leave out rounds inside a way round that it does not need."""
        for first, step in enumerate(cycle):
            for last in reversed(range(first, len(cycle))):
                shorter = [*cycle[:first], *cycle[last + 1 :]]
                if cycle[last].target == step.source and shorter and not self._missing(shorter):
                    return self._shortened(shorter)
        return cycle

    def _way_to(self, start: int, goal: int) -> list[CellStep]:
        return self._way(start, lambda step: step.target == goal)

    def _missing(self, cycle: Sequence[CellStep]) -> Callable[[CellStep], bool] | None:
        """Return which steps a way round lacks to be possible for ever; None where it lacks none."""
        d = self._d
        falls = frozenset().union(*(step.falls for step in cycle))
        grows = frozenset().union(*(step.grows for step in cycle))
        for place in sorted(falls - grows):
            return lambda step: place in step.grows
        for sets in self._left.visited:

            def meets(step: CellStep, sets: tuple[ThreeValued, ...] = sets) -> bool:
                cell, node = self.points[step.source]
                return bool(d.minus(diagram_of(self._space, cell), sets[node].false) != d.false)

            if not any(map(meets, cycle)):
                return meets
        return None
