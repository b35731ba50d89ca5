"""Deciding without exploring: on all states there might be, where those that are reachable are too many.

What is reachable is then not known, and neither counted nor said. Only formulae are decided whose value in a
state depends on what it leads to; what is odd about the model is looked for backwards, and is told where a
run from an initial state comes to it.
"""

from collections.abc import Iterator
from typing import Any, Final

from gnomon.checking.consistency import compare_with_reference
from gnomon.checking.deadlocks import real_deadlocks
from gnomon.checking.decider import Decision
from gnomon.checking.exploring import Exploring, gets_stuck, leaves_a_range, without_start
from gnomon.checking.options import Options
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import no_initial_state
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.supported import mishap
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.algebra import Algebra
from gnomon.logic.at_start import SatisfactionAtStart, speaks_of_steps
from gnomon.logic.runs import way_back
from gnomon.model.any import AnySpecification
from gnomon.model.budget import TryAnother, TurnOver
from gnomon.model.evidence import Evidence
from gnomon.model.fragment import has_coalition
from gnomon.model.step import State
from gnomon.model.system import Specification
from gnomon.text.diagnostic import Diagnostic

_NOT_KNOWN: Final = "it needs to be known which states are reachable"
_NO_RULE: Final = "its states were not explored, and what was found can only be shown by them"


class DecidingUnexplored(Exploring):
    """Decides what does not need the reachable states to be known; the rest is left to others."""

    def _take(self, algebra: Algebra[Any]) -> None:
        compare_with_reference(algebra)
        self._truth = SatisfactionAtStart(algebra)
        self._nothing = without_start(self._truth)
        self._refused: set[int] = set()
        self._mishaps: dict[str, list[State] | None] = {}
        self.found = self.found._replace(
            initial=algebra.count(algebra.initial),
            diagnostics=(*self.found.diagnostics, *self._oddities()),
        )

    def _oddities(self) -> Iterator[Diagnostic]:
        system, source = self._system, self._source
        if self._nothing:
            yield no_initial_state(system, source)
        for check, say in (("deadlock", gets_stuck), ("overflow", leaves_a_range)):
            run = self._run_to(check)
            if run is not None:
                yield say(system, source, run[-1])

    def _run_to(self, check: str) -> list[State] | None:
        """Return a run to a deadlock that is none to end in, or to an overflow, if one is reached."""
        if check not in self._mishaps:
            algebra = self.truth.algebra
            target = real_deadlocks(algebra) if check == "deadlock" else algebra.overflows
            self._mishaps[check] = way_back(algebra, algebra.initial, target)
        return self._mishaps[check]

    def sanity(self, check: str) -> Decision:
        """Look for a reachable deadlock, or for a value that can leave its range."""
        run = self._run_to(check)
        if run is None:
            return Decision(Value.TRUE)
        return Decision(Value.FALSE, evidence=mishap(self._system, run, check))

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula, or let the others have their turn and then leave it to somebody else."""
        assert isinstance(formula, Specification)
        if _is_decided(formula, self._options):
            return super().decide(number, formula)
        if number in self._refused:
            raise TryAnother(_NOT_KNOWN)
        self._refused.add(number)
        raise TurnOver

    def _decide(self, formula: Specification) -> Decision:
        return self._answer(formula)

    def _evidence(self, formula: Specification) -> Evidence | None:
        try:
            return super()._evidence(formula)
        except TryAnother:
            return None  # the verdict stands: from it, others would only find out the same

    def _vacuous(self, formula: Specification, seconds: float) -> str:
        """Say nothing: what a true formula says is a question about the reachable states."""
        del formula, seconds
        return ""

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return the evidence as a proof, if the checker accepts that."""
        assert isinstance(formula, Specification)
        shown = self._evidence(formula)
        return self._shared.certifier.shown(verdict, formula, shown, _NO_RULE)


def may_stay_unexplored(shared: SharedWork) -> bool:
    """Return whether some formula can be decided without exploring, and nothing else needs the states."""
    system, options = shared.system, shared.task.options
    if system.fairness or system.interleaved or shared.overlapping is not None:
        return False
    asked = [each for _, each in shared.task.asked if isinstance(each, Specification)]
    return any(_is_decided(each, options) for each in asked)


def _is_decided(formula: Specification, options: Options) -> bool:
    """Return whether a formula can be decided without exploring."""
    reading = options.strategies
    if reading == "uniform-model" or (reading != "perfect" and has_coalition(formula.formula)):
        return False
    return speaks_of_steps(formula)
