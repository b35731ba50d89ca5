"""From which cells a strategy has to win, and in which it counts against it that it loses.

Objectively it has to win from a state itself. Where members have to know that it does, the same strategy has
to win from all reachable states that look like this one to some member: from all that may be such states,
for it to win surely; and it surely is not enough where one of these surely is reached and lost.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import cell_of, cell_state, diagram_of, pick_cell
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.step import State, view

#: So many states that look like one, all known to be reached, have to be won from.
_MOST_ALIKE: Final = 8


class OwnStarts:
    """A strategy has to win from a state itself."""

    def __init__(self, space: CellSpace) -> None:
        """Speak of the cells of a space."""
        self._space = space

    def demanded(self, cells: Diagram) -> Diagram:
        """Return the cells that a strategy has to win from for it to win from these."""
        return cells

    def telling(self, cell: Diagram) -> Diagram:
        """Return cells of which each surely says, if it is lost, that one cell is lost."""
        return cell

    def known(self, won: Diagram) -> Diagram:
        """Return from where a strategy that wins from some cells surely is enough."""
        return won

    def lost(self, lost: Diagram) -> Diagram:
        """Return from where no strategy is enough, if from some cells not even those win who see all."""
        return lost

    def alike(self, state: State) -> tuple[State, ...]:
        """Return states that surely have to be won from together with a state, and this one."""
        return (state,)

    def all_alike(self, state: State) -> tuple[State, ...] | None:
        """Return all states that may have to be won from together with a state; None if that is not known."""
        return (state,)


class KnownStarts(OwnStarts):
    """A strategy has to win from all that some member takes for possible."""

    def __init__(self, algebra: CellAlgebra, members: Iterable[str], counting: ThreeValued) -> None:
        """Speak of what these members take for possible: of states that are reached and that count."""
        super().__init__(algebra.space)
        self._algebra = algebra
        self._d = algebra.space.diagrams
        self._members = tuple(dict.fromkeys(members))
        self._counting = counting
        self._may_count = self._d.minus(algebra.space.reachable, counting.false)

    def _alike(self, cells: Diagram) -> Diagram:
        """Return what may look like one of some cells to some member."""
        space = self._space
        return space.cells.disjunction(space.alike((name,), cells) for name in self._members)

    def demanded(self, cells: Diagram) -> Diagram:
        """Return the cells that a strategy has to win from for it to win from these."""
        return self._d.either(cells, self._d.both(self._may_count, self._alike(cells)))

    @cached_property
    def _surely_met(self) -> list[tuple[str, Diagram]]:
        """For each member, the cells that have a reachable state for all that looks like them."""
        must, count = self._algebra.must_reach, self._counting.true
        return [(name, self._d.both(count, must.met_in_all_views(name))) for name in self._members]

    def telling(self, cell: Diagram) -> Diagram:
        """Return cells of which each surely says, if it is lost, that one cell is lost."""
        found = [
            self._d.both(met, self._space.alike((name,), cell)) for name, met in self._surely_met
        ]
        there = self._space.cells.disjunction(found)
        return self._d.either(cell, self._d.both(there, self._space.reachable))

    def known(self, won: Diagram) -> Diagram:
        """Return from where a strategy that wins from some cells surely is enough."""
        return self._d.minus(won, self._alike(self._d.minus(self._may_count, won)))

    def lost(self, lost: Diagram) -> Diagram:
        """Return from where no strategy is enough, if from some cells not even those win who see all.

        What looks like that is lost, and what looks like that again need not be.
        """
        left = self._d.both(lost, self._counting.true)
        open_ = self._d.minus(self._space.reachable, lost)
        must = self._algebra.must_reach
        if self._d.false in (left, open_):
            return lost
        for name in self._members:
            lost = self._d.either(lost, must.confused((name,), left, open_))
        return self._d.both(lost, self._space.reachable)

    def alike(self, state: State) -> tuple[State, ...]:
        """Return states that surely have to be won from together with a state, and this one."""
        system = self._space.system
        agents = [system.agent(name) for name in self._members]
        own = [view(system, agent, state) for agent in agents]
        found = [state]
        for other in self._space.partition.samples.states:
            seen = (view(system, agent, other) for agent in agents)
            if other != state and any(map(_equal, own, seen)) and self._surely_counts(other):
                found.append(other)
                if len(found) >= _MOST_ALIKE:
                    break
        return tuple(found)

    def _surely_counts(self, state: State) -> bool:
        here = diagram_of(self._space, cell_of(self._space, state))
        return bool(self._d.both(here, self._counting.true) != self._d.false)

    def all_alike(self, state: State) -> tuple[State, ...] | None:
        """Return all states that may have to be won from together with a state; None if that is not known."""
        space, found = self._space, list[State]()
        left = self.demanded(diagram_of(space, cell_of(space, state)))
        while left != self._d.false:
            cell = pick_cell(space, left)
            left = self._d.minus(left, diagram_of(space, cell))
            only = cell_state(space, cell)
            if only is None or len(found) >= _MOST_ALIKE:
                return None
            found.append(only)
        return tuple(found)


def _equal(one: Sequence[object], two: Sequence[object]) -> bool:
    return one == two
