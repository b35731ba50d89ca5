"""The clauses of the search: who does what where, and which states the outcomes visit."""

from collections.abc import Iterable, Sequence
from typing import Final

from gnomon.model.budget import Budget

#: So many conflicts are looked into before the limits are asked about.
_STRIDE: Final = 2_000


class Clauses:
    """A growing set of clauses over named variables, and a solver for it.

    The solver is loaded when the first search begins. MiniSat and its like take preferences, remember what
    they learnt from one call to the next, and are at their best where there are many easy calls.
    """

    def __init__(self, budget: Budget) -> None:
        """Start without a clause."""
        from pysat.solvers import Glucose4

        self._solver = Glucose4()
        self._budget = budget
        self._variables = 0
        self.added = 0

    def variable(self) -> int:
        """Return a new variable."""
        self._variables += 1
        return self._variables

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self.added += 1
        self._solver.add_clause(clause)

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these values first."""
        self._solver.set_phases(list(literals))

    def core(self) -> list[int]:
        """Return those of the literals assumed last that cannot hold together."""
        return list(self._solver.get_core() or ())

    def solve(self, assumed: Sequence[int]) -> list[int] | None:
        """Return the value of each variable, by number, in a solution; None where there is none."""
        solver = self._solver
        while True:
            solver.conf_budget(_STRIDE)
            answer = solver.solve_limited(assumptions=list(assumed))
            if answer is None:
                self._budget.check("strategies", self.added)
                continue
            if not answer:
                return None
            return [0, *solver.get_model()]
