"""What all questions to z3 share: a context for each check, and what it answers."""

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from threading import Event, Thread
from typing import Any, Final

from gnomon.model.budget import Budget
from gnomon.text.errors import Abandoned, GnomonError

#: The seconds between two looks at the limits.
_OFTEN: Final = 0.05

#: Comparisons, of numbers as of terms.
COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Satisfiable(StrEnum):
    """Whether some conditions can hold together, as far as a solver knows."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class NotExpressible(Abandoned):
    """The solver has no word for something."""


class Context:
    """What the terms and solvers of one check live in, made on first use; no two checks share one."""

    @cached_property
    def of_solver(self) -> Any:
        """The context of the solver."""
        import z3

        return z3.Context()


def check(solver: Any, *assumed: Any) -> Satisfiable:
    """Return whether what a z3 solver was told can hold together with what is assumed."""
    import z3

    try:
        answer = solver.check(*assumed)
    except z3.Z3Exception:  # when its time is over
        return Satisfiable.UNKNOWN
    if answer == z3.sat:
        return Satisfiable.YES
    return Satisfiable.NO if answer == z3.unsat else Satisfiable.UNKNOWN


@contextmanager
def interruptible(context: Any, budget: Budget) -> Iterator[None]:
    """Let a z3 context be interrupted where a limit is passed while it is at work; the caller asks again."""
    import z3

    done = Event()
    limits = list(_quietly(budget))

    def watch() -> None:
        while not done.wait(_OFTEN):
            try:
                for limit in limits:
                    limit.check()
            except GnomonError:
                with suppress(z3.Z3Exception):  # what was interrupted may complain here as well
                    context.interrupt()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _quietly(budget: Budget | None) -> Iterator[Budget]:
    """Yield all limits that there are, none of which tells anybody about progress."""
    while budget is not None:
        yield replace(budget, report=None, within=None)
        budget = budget.within
