"""What all questions to z3 share: a context for each check, and what it answers."""

import operator
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from gnomon.text.errors import Abandoned

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
