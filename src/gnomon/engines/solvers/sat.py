"""Satisfiability of clauses: literals are numbers, negative where a variable is false."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from gnomon.model.budget import Budget

#: So many conflicts are looked into before the limits are asked about.
_STRIDE: Final = 2_000


class SatSolver:
    """A growing set of clauses, and a solver for it.

    MiniSat and its like take preferences, remember what they learnt from one call to the next, and are at
    their best where there are many easy calls.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        doing: str = "strategies",
        kind: Literal["glucose4", "minisat22"] = "glucose4",
    ) -> None:
        """Start without a clause; `doing` is what the budget says it is spent on."""
        from pysat.solvers import Glucose4, Minisat22

        self._solver = Glucose4() if kind == "glucose4" else Minisat22()
        self._budget = budget or Budget()
        self._doing = doing
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

    def model(self) -> list[int]:
        """Return the value of each variable, by number, in the solution that was found last."""
        return [0, *self._solver.get_model()]

    def solve(self, assumed: Sequence[int] = ()) -> list[int] | None:
        """Return the value of each variable, by number, in a solution; None where there is none."""
        while (answer := self.is_satisfiable(assumed, _STRIDE)) is None:
            self._budget.check(self._doing, self.added)
        return self.model() if answer else None

    def is_satisfiable(self, assumed: Sequence[int], conflicts: int) -> bool | None:
        """Return whether there is a solution; None where so many conflicts do not tell."""
        self._solver.conf_budget(conflicts)
        found: bool | None = self._solver.solve_limited(assumptions=list(assumed))
        return found


def drup_lemmas(clauses: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return lemmas, each of which follows by unit propagation, from clauses that have no solution."""
    from pysat.solvers import Glucose4

    with Glucose4(bootstrap_with=[list(clause) for clause in clauses], with_proof=True) as solver:
        solver.solve()
        lines = [line.split() for line in solver.get_proof()]
    lemmas = [tuple(int(word) for word in line[:-1]) for line in lines if line[0] != "d"]
    return [lemma for lemma in lemmas if lemma]
