"""What must hold of counted states: compared with the reference on a few of them, as for any engine."""

import time
from itertools import islice
from typing import Final

from gnomon.checking.consistency import Disagreement, reference_moves, show_state
from gnomon.engines.counting.counted_space import CountedSpace
from gnomon.model.step import State, holds
from gnomon.model.system import System

#: No further state is looked at after so many seconds, and none where there is more to go through.
_SECONDS: Final = 0.01
_MOST_WORK: Final = 20_000
_SAMPLES: Final = 5


def compare_counts(system: System, space: CountedSpace) -> None:
    """Raise `Disagreement` where what was counted is not what the reference semantics says."""
    if len(system.agents) * max(len(system.variables), 1) > _MOST_WORK:
        return
    end = time.monotonic() + _SECONDS
    size = len(space.counted)
    for number in islice(dict.fromkeys((0, size // 2, size - 1, *space.overflows[:1])), _SAMPLES):
        if 0 <= number < size:
            _compare(system, space, number)
        if time.monotonic() > end:
            return


def _compare(system: System, space: CountedSpace, number: int) -> None:
    state = space.state(number)
    if holds(system.initial, system, state) != (number < space.initial_count):
        _disagree(system, state, "where it starts")
    moves = reference_moves(system, state)
    if moves is None:
        return
    targets = {space.layout.counted(move.target) for move in moves if move.target is not None}
    if targets != {space.counted[each] for each in space.successors[number]}:
        _disagree(system, state, "what follows")
    if any(move.target is None for move in moves) != (number in space.overflows):
        _disagree(system, state, "whether a value leaves its range")


def _disagree(system: System, state: State, about: str) -> None:
    msg = (
        f"counting and the reference semantics disagree about the state ({show_state(system, state)}): "
        f"{about}"
    )
    raise Disagreement(msg)
