"""Concrete runs through sets of cells: the moves that the sets rest on, followed from a concrete state.

Nothing has to be searched for, but for a state that looks like another one.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from gnomon.engines.abstraction.attractors import SOME_PATH, AttractorLayer
from gnomon.engines.abstraction.concretise import (
    apply_move,
    cell_of,
    diagram_of,
    pick_cell,
    space_concretiser,
)
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import NotShown
from gnomon.model.step import State, holds, moves, view

_LONGEST: Final = 20_000
#: A run that shows that something goes on for ever is looked for no longer than this.
_ROUND: Final = 300
#: So many states are looked at for one that an agent confuses with another.
_MOST_SEARCHED: Final = 3_000


class CellWalks:
    """Runs from concrete states in three-valued sets."""

    def __init__(self, algebra: CellAlgebra) -> None:
        """Walk through the cells of an algebra."""
        self._algebra = algebra
        self._space = algebra.space
        self._d = algebra.space.diagrams

    def here(self, state: State) -> Diagram:
        """Return the cell of a state."""
        return diagram_of(self._space, cell_of(self._space, state))

    def contains(self, states: ThreeValued, state: State) -> bool | None:
        """Return whether a state is in a set; None where its cell does not tell."""
        here = self.here(state)
        if self._d.both(here, states.true) != self._d.false:
            return True
        return False if self._d.both(here, states.false) != self._d.false else None

    def initial_state(self, fair: ThreeValued | None = None) -> State | None:
        """Return some initial state, one that may be fair where that is asked for, if one is found."""
        space = self._space
        starts = space.initial.may if fair is None else self._d.minus(space.initial.may, fair.false)
        if starts == self._d.false:
            return None
        cell = pick_cell(space, starts)
        return space_concretiser(space).state_in(space.partition, cell, space.system.initial)[1]

    def step(self, state: State, target: ThreeValued) -> State:
        """Return what follows a state by a move that surely leads into the target."""
        return self._into(state, target.true)

    def step_into(self, state: State, targets: Sequence[Diagram]) -> State:
        """Return what follows a state by a move that surely leads into one of some sets of cells."""
        return self._into(state, self._space.cells.disjunction(targets))

    def _into(self, state: State, target: Diagram) -> State:
        return self._move(state, self._space.after(self._d.minus(self._space.reachable, target)))

    def _move(self, state: State, forbidden: Diagram) -> State:
        found = self._space.answer(self.here(state), forbidden, {})
        if found is None:
            raise NotShown
        return apply_move(self._space, state, found)

    def reach(self, state: State, through: ThreeValued, target: ThreeValued) -> list[State]:
        """Return a path into `target` whose earlier states are in `through`: down the layers around it."""
        layers = self._algebra.attraction(SOME_PATH, through.true, target.true).layers
        states = [state]
        while (layer := self.layer(layers, states[-1])) is not layers[0]:
            if len(states) > _LONGEST:
                raise NotShown
            states.append(self._move(states[-1], self._d.opposite(layer.moves)))
        return states

    def layer(self, layers: Sequence[AttractorLayer], state: State) -> AttractorLayer:
        """Return the first layer that a state is in."""
        here = self.here(state)
        for layer in layers:
            if self._d.both(here, layer.cells) != self._d.false:
                return layer
        raise NotShown

    def stay(
        self, state: State, free: ThreeValued, held: ThreeValued
    ) -> tuple[list[State], int | None]:
        """Return a path in `held`: up to where it is `free`, or with the place it goes back to for ever."""
        within = self._algebra.confine(SOME_PATH, free.true, held.true)
        exits = self._d.both(free.true, held.true)
        states, places = [state], {state: 0}
        while self._d.both(self.here(states[-1]), exits) == self._d.false:
            following = self._into(states[-1], within)
            if following in places:
                return states, places[following]
            if len(states) > _ROUND:
                raise NotShown
            places[following] = len(states)
            states.append(following)
        return states, None

    def look_alike(
        self, state: State, agents: Sequence[str], fails: Callable[[State], bool]
    ) -> list[State]:
        """Return a run from an initial state to one that looks the same to agents, where something fails."""
        system = self._space.system
        seen = [system.agent(name) for name in agents]
        views = [view(system, agent, state) for agent in seen]
        parents: dict[State, State | None] = dict.fromkeys(self._starts(state))
        waiting = list(parents)
        for current in waiting:
            self._space.budget.check("looking for a state that looks the same", len(parents))
            same = [view(system, agent, current) for agent in seen] == views
            if same and fails(current):
                return _back(parents, current)
            for move in islice(moves(system, current), _MOST_SEARCHED):
                if move.target is not None and move.target not in parents:
                    parents[move.target] = current
                    waiting.append(move.target)
            if len(parents) > _MOST_SEARCHED:
                break
        raise NotShown

    def _starts(self, state: State) -> list[State]:
        """Return initial states to look from: this one, if it is one, and some other."""
        system, found = self._space.system, self.initial_state()
        here = [state] if holds(system.initial, system, state) else []
        return here if found is None or found in here else [*here, found]


def _back(parents: dict[State, State | None], state: State) -> list[State]:
    """Return the run to a state."""
    path = [state]
    while (before := parents[path[-1]]) is not None:
        path.append(before)
    return path[::-1]
