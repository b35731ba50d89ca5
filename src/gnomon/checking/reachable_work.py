"""Work on the reachable states of a system, as sets, in a process of its own with limits that hold."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from gnomon.checking.attempts import Wanted, attempts
from gnomon.checking.process.child import Tell
from gnomon.checking.supervise import supervise
from gnomon.engines.algebra import Algebra
from gnomon.model.budget import Budget, LimitReached, TryAnother
from gnomon.model.system import System

T = TypeVar("T")


def on_reachable_states(
    system: System, work: Callable[[Algebra[Any], Budget], T], budget: Budget
) -> T:
    """Explore a system by whichever engine suits it, and return what `work` makes of that.

    `work` goes to another process: it is a function of a module, or a `partial` of one. Raises
    `LimitReached` where a limit is reached before.
    """
    # In terms of the limit that was set: that is the one that messages name.
    job = partial(_explored, system, work, budget.seconds, budget.spent(), budget.megabytes)
    ended = supervise(
        job, Budget(budget.seconds, budget.megabytes, started=budget.started), _nobody
    )
    if ended.reason:
        raise LimitReached(ended.reason)
    found: T = ended.value
    return found


def _nobody(_: object) -> None:
    """Hear nothing: nobody watches."""


def _explored(
    system: System,
    work: Callable[[Algebra[Any], Budget], T],
    seconds: float | None,
    spent: float,
    megabytes: float | None,
    tell: Tell,
) -> T:
    del tell
    budget = Budget(seconds, megabytes)
    budget.started -= spent
    end: LimitReached = TryAnother("no engine can take this model")
    for attempt in attempts(system, (), Wanted()):
        try:
            return work(attempt.explore(budget), budget)
        except TryAnother as reason:
            end = reason
        finally:
            budget.states = None
    raise LimitReached(str(end))
