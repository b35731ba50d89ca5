"""Some reachable states, visited one by one: what surely can be reached, whatever cells it is in."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random
from typing import Final

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import Move, State, moves, random_move
from gnomon.model.system import System

#: So many moves are made, from so many initial states, while numbers have no more bits than this.
_MOST_MOVES: Final = 1_000
_MOST_INITIAL: Final = 4
#: Where that does not go far, so many steps are made at random, some of them in a row.
_RANDOM_STEPS: Final = 200
_WALK: Final = 25
_LONGEST: Final = 256


class Samples:
    """Reachable states of one system."""

    def __init__(self, system: System) -> None:
        """Visit none yet."""
        self._system = system
        #: Initial states that others have found.
        self.known: list[State] = []
        #: For those that are not initial: the state that was visited before, and the move from there.
        self.arrivals: dict[State, tuple[State, Move]] = {}

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Some states that can be reached, nearest first."""
        waiting = list(dict.fromkeys((*self.known, *self._initial())))
        starts = tuple(waiting)
        seen, moved = set(waiting), 0
        for state in waiting:
            if _is_long(state):
                continue
            for move in moves(self._system, state):
                moved += 1
                if moved > _MOST_MOVES:
                    return (*waiting, *self._further(starts, seen))
                if move.target is not None and move.target not in seen:
                    seen.add(move.target)
                    self.arrivals[move.target] = state, move
                    waiting.append(move.target)
        return tuple(waiting)

    def _further(self, starts: tuple[State, ...], seen: set[State]) -> Iterator[State]:
        """Yield states that are reached by chance: what is nearest is not much where many act at once."""
        chance = Random(len(seen))
        for walk in range(_RANDOM_STEPS // _WALK):
            state = starts[walk % len(starts)]
            for _ in range(_WALK):
                move = None if _is_long(state) else random_move(self._system, state, chance)
                if move is None or move.target is None:
                    break
                if move.target not in seen:
                    seen.add(move.target)
                    self.arrivals[move.target] = state, move
                    yield move.target
                state = move.target

    def _initial(self) -> Iterable[State]:
        found: list[State] = []
        try:
            for state in assignments_satisfying(
                self._system, self._system.initial, Budget(seconds=1)
            ):
                found.append(state)
                if len(found) >= _MOST_INITIAL:
                    break
        except LimitReached:
            pass  # infinitely many: those that others have found will do
        return found


def _is_long(state: State) -> bool:
    return any(isinstance(value, int) and value.bit_length() > _LONGEST for value in state)
