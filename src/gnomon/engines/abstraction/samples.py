"""Some reachable states, visited one by one: what surely can be reached, whatever cells it is in."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import State, moves
from gnomon.model.system import System

#: So many moves are made, from so many initial states, while numbers have no more bits than this.
_MOST_MOVES: Final = 1_000
_MOST_INITIAL: Final = 4
_LONGEST: Final = 256


class Samples:
    """Reachable states of one system."""

    def __init__(self, system: System) -> None:
        """Visit none yet."""
        self._system = system
        #: Initial states that others have found.
        self.known: list[State] = []

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Some states that can be reached, nearest first."""
        waiting = list(dict.fromkeys((*self.known, *self._initial())))
        seen, moved = set(waiting), 0
        for state in waiting:
            if _is_long(state):
                continue
            for move in moves(self._system, state):
                moved += 1
                if moved > _MOST_MOVES:
                    return tuple(waiting)
                if move.target is not None and move.target not in seen:
                    seen.add(move.target)
                    waiting.append(move.target)
        return tuple(waiting)

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
