"""What is told of a formula that is true and says nothing: found in passing, or left unsaid."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gnomon.engines.algebra import Set
from gnomon.logic.vacuity import Vacuity
from gnomon.model.budget import Budget, LimitReached, Unsuited
from gnomon.model.formula import Formula

#: Looking for it may take so many seconds, or as long as the formula took.
_LEAST_SECONDS: Final = 2.0


def told(found: Vacuity[Set], formula: Formula, budget: Budget, seconds: float) -> str:
    """Return what a formula that is true says nothing about; `seconds` is what it took to decide it.

    The verdict stands whatever happens here: where a limit is reached, there is nothing to tell.
    """
    try:
        return told_for_sure(found, formula, budget, seconds)
    except (LimitReached, MemoryError):
        return ""


def told_for_sure(found: Vacuity[Set], formula: Formula, budget: Budget, seconds: float) -> str:
    """Return the same; raises `Unsuited` where what is to be looked at is not for those who look."""
    try:
        with _at_most(budget, max(seconds, _LEAST_SECONDS)):
            return found.sentence(formula)
    except Unsuited:
        raise
    except (LimitReached, MemoryError):
        return ""


@contextmanager
def _at_most(budget: Budget, seconds: float) -> Iterator[None]:
    """Allow so many seconds from now, if as many are left; no turn ends meanwhile: the formula is decided."""
    before, turn = budget.seconds, budget.turn
    if turn is not None:
        seconds = min(seconds, turn.ends - time.monotonic())
    end = budget.spent() + seconds
    budget.seconds = end if before is None else min(before, end)
    budget.turn = None
    try:
        yield
    finally:
        budget.seconds, budget.turn = before, turn
