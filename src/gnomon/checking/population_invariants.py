"""Safety of any number of agents with a solver: a search backwards, and invariants that are guessed.

The search finds runs, and need not end; guesses find invariants, and need not find any. So they take turns:
a few cubes, guesses that take a moment, more cubes, guesses with more time, and the rest of the cubes. A
guess counts once the checker of certificates, which knows nothing of how it was found, has accepted it.
"""

from collections.abc import Iterable
from typing import Final

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.solvers import SOLVERS
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.invariants.guesses import Guess, Guesser, Rung, can_be_guessed
from gnomon.engines.parameterised.invariants.written import without_idle_classes
from gnomon.engines.parameterised.search_invariant import Invariant
from gnomon.engines.parameterised.solver_search import SolverSearch
from gnomon.engines.solvers.smt import NotExpressible
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.errors import Unconvinced

#: So many cubes come first, more where somebody asks for a run, and before the guesses with more time.
_FIRST_CUBES: Final = 2
_FOR_A_RUN: Final = 30
_MORE_CUBES: Final = 15
#: Of so many conditions at most it is tried whether an invariant needs them.
_MOST_TRIED: Final = 10
#: Guesses that take a moment, and those with more time.
_BRIEF: Final = (Rung(1, counting=True, effort=1), Rung(2, counting=False, effort=1))
_LONG: Final = (
    Rung(1, counting=True, effort=5),
    Rung(2, counting=False, effort=8),
    Rung(3, counting=False, effort=8),
)


def decide_with_guesses(system: OpenSystem, query: Safety, budget: Budget) -> PopulationDecision:
    """Return whether any number of agents can reach a bad configuration, as far as that is found out."""
    search = SolverSearch(system, query.bad, budget)
    if not can_be_guessed(system):
        return search.decide() or search.undecided()
    return _Portfolio(system, query, budget, search).decide()


class _Portfolio:
    """The search and the guesses, in turns."""

    def __init__(
        self, system: OpenSystem, query: Safety, budget: Budget, search: SolverSearch
    ) -> None:
        self._system = system
        self._query = query
        self._budget = budget
        self._search = search
        #: Why the search cannot go on.
        self._limit: LimitReached | None = None

    def decide(self) -> PopulationDecision:
        found = self._cubes(_FOR_A_RUN if self._query.reach else _FIRST_CUBES)
        if found is not None:
            return found
        guesser = Guesser(self._system, self._query.bad, self._budget)
        found = (
            self._accepted(guesser.sums())
            or self._accepted(guesser.climb(_BRIEF))
            or self._cubes(_MORE_CUBES)
            or self._accepted(guesser.climb(_LONG))
            or self._cubes(None)
        )
        if found is None and self._limit is not None:
            raise self._limit
        return found or self._search.undecided()

    def _cubes(self, most: int | None) -> PopulationDecision | None:
        """Search on, unless that came to its end before."""
        if self._limit is not None:
            return None
        try:
            return self._search.decide(most)
        except LimitReached as limit:
            self._budget.check()
            self._limit = limit
            return None

    def _accepted(self, guesses: Iterable[Guess]) -> PopulationDecision | None:
        """Return that nothing bad is reached, by the first guess that the checker accepts."""
        try:
            for guess in guesses:
                if self._is_invariant(guess.invariant):
                    invariant = self._shortened(guess.invariant)
                    steps = len(invariant["cubes"])
                    return PopulationDecision(False, guess.method, invariant=invariant, steps=steps)
        except (LimitReached, NotExpressible):
            self._budget.check()
        return None

    def _is_invariant(self, invariant: Invariant) -> bool:
        prover = ObligationProver(self._budget, SOLVERS)
        try:
            check_invariant(self._system, invariant, self._query.bad, prover)
        except Unconvinced:
            return False
        return True

    def _shortened(self, invariant: Invariant) -> Invariant:
        """Return an invariant without what it does not need, unless there is much in it."""
        for key in ("cubes", "always"):
            items = invariant.get(key, [])
            if len(items) > _MOST_TRIED:
                continue
            for item in reversed(items):
                fewer = [other for other in invariant[key] if other is not item]
                shorter = {**invariant, key: fewer}
                if self._is_invariant(shorter):
                    invariant = shorter
        return without_idle_classes(invariant)
