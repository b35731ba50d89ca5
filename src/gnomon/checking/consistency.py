"""What must hold of an engine's sets whatever the model: compared with the reference on a few states.

An engine that is wrong about a single step is wrong in ways that no verdict shows. So after exploring, some
of its states are looked at one by one: what is initial, what follows them, which are deadlocks, where a value
leaves its range, what propositions are worth there. It takes a few milliseconds and is always done.
"""

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from gnomon.checking.verdict import Verdict
from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.domain import show_value
from gnomon.model.step import Move, State, holds, joint_action_count, moves
from gnomon.model.system import System
from gnomon.text.errors import Bug

Set = TypeVar("Set")

#: States with more moves than this are passed over.
_MOST_MOVES: Final = 256
#: So many agents times variables may a state have to be looked at: the reference goes through all of it.
_MOST_WORK: Final = 20_000
_PROPOSITIONS: Final = 4
#: No further state is looked at after so many seconds.
_SECONDS: Final = 0.01


class Opinion(NamedTuple):
    """What one of those says who disagree about a formula, how it proves that, or why it cannot be asked."""

    who: str
    verdict: Verdict
    certificate: dict[str, Any] | None = None
    why: str = ""


class Disagreement(Bug):
    """Two ways of finding something out have different results: one of them is wrong, and it is our bug."""

    def __init__(self, message: str, opinions: tuple[Opinion, ...] = ()) -> None:
        """Say what it is about, and what each of them says where that is known."""
        super().__init__(message)
        self.opinions = opinions


def compare_with_reference(algebra: Algebra[Set]) -> None:
    """Raise `Disagreement` where the sets of an engine are not what the reference semantics says."""
    system = algebra.system
    if len(system.agents) * max(len(system.variables), 1) > _MOST_WORK:
        return
    end = time.monotonic() + _SECONDS
    for state in _samples(algebra):
        _compare(algebra, system, state)
        if time.monotonic() > end:
            return


def _samples(algebra: Algebra[Set]) -> Iterator[State]:
    """Yield states of the sets that are found in ways of their own."""
    first = algebra.initial
    for states in (
        first,
        algebra.difference(algebra.reachable, first),
        algebra.overflows,
        algebra.deadlocks,
        algebra.difference(algebra.reachable, algebra.deadlocks),
    ):
        if not algebra.is_empty(states):
            yield algebra.pick(states)


def _compare(algebra: Algebra[Set], system: System, state: State) -> None:
    here = algebra.only(state)
    starts = holds(system.initial, system, state)
    _require(
        algebra.is_subset(here, algebra.initial) == starts,
        f"it {'starts' if starts else 'does not start'} there",
        system,
        state,
    )
    for name, condition in islice(system.propositions.items(), _PROPOSITIONS):
        true = holds(condition, system, state)
        found = algebra.is_subset(here, algebra.where(condition))
        _require(found == true, f"`{name}` is {str(true).lower()} there", system, state)
    resolved = reference_moves(system, state)
    if resolved is None:
        return
    lost = any(move.target is None for move in resolved)
    targets = {move.target for move in resolved if move.target is not None}
    over = algebra.is_subset(here, algebra.overflows)
    _require(
        over == lost, f"a value {'leaves' if lost else 'keeps'} its range there", system, state
    )
    stuck = algebra.is_subset(here, algebra.deadlocks)
    _require(stuck == (not targets), f"{len(targets)} states follow it", system, state)
    after = algebra.after(here)
    _require(
        algebra.count(after) == len(targets), f"{len(targets)} states follow it", system, state
    )
    for target in targets:
        found = _is_in(algebra, target, after)
        _require(found, f"it leads to ({show_state(system, target)})", system, state)


def _is_in(algebra: Algebra[Set], state: State, states: Set) -> bool:
    try:
        return algebra.is_subset(algebra.only(state), states)
    except KeyError:
        return False  # it is not even reachable


def reference_moves(system: System, state: State) -> list[Move] | None:
    """Return all moves from a state, None where there are too many."""
    if joint_action_count(system, state) > _MOST_MOVES:
        return None
    try:
        # One agent alone may have very many alternatives, all of which are made before the first move.
        found = list(islice(moves(system, state, Budget(_SECONDS)), _MOST_MOVES + 1))
    except LimitReached:
        return None
    return found if len(found) <= _MOST_MOVES else None


def _require(agrees: bool, reference: str, system: System, state: State) -> None:  # noqa: FBT001
    if not agrees:
        msg = (
            f"the engine and the reference semantics disagree about the state ({show_state(system, state)}): "
            f"by the reference, {reference}"
        )
        raise Disagreement(msg)


def show_state(system: System, state: State) -> str:
    """Return a state in one line."""
    pairs = zip(system.variables, state, strict=True)
    return ", ".join(f"{v.agent}.{v.name} = {show_value(value)}" for v, value in pairs)
