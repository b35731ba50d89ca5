"""Deciding programs with parameters: for all that is assumed, with the smallest that it takes."""

from gnomon.checking.decider import Decider, Decision, Task
from gnomon.checking.population_runs import evidence
from gnomon.checking.populations import verdict_value
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import NO_START, never_fair
from gnomon.checking.threshold_fragment import as_diagnostic
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.run import reaches
from gnomon.engines.parameterised.thresholds.automaton import OutsideFragment
from gnomon.engines.parameterised.thresholds.decide import ThresholdProgram
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.given import given, query_with_values
from gnomon.model.parameterised.instance import pictured
from gnomon.model.parameterised.query import SOME_RUN, OverTime, Query, Safety
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.diagnostic import InputError


class ThresholdPrograms(Decider):
    """Decides formulae for all parameters at once, by counting how often each rule is taken."""

    name = "thresholds"

    def __init__(self, task: Task, system: OpenSystem, budget: Budget) -> None:
        """Decide formulae about this program."""
        self.found = Findings("parameterised")
        self._source = task.source
        self._options = task.options
        self._system = system
        self._budget = budget
        self._program: ThresholdProgram | None = None
        self._starts: bool | None = None
        self._decisions: dict[int, PopulationDecision] = {}
        self._notes: list[tuple[str, str]] = []

    def prepare(self) -> None:
        """Refuse programs that are not decided; see whether anything can start."""
        try:
            self._program = ThresholdProgram(self._system, self._budget)
        except OutsideFragment as outside:
            raise InputError((as_diagnostic(outside, self._source),)) from None
        self._starts = self._program.starts()
        if self._starts and self._system.fairness and self._is_never_fair():
            odd = never_fair(self._system, self._source)
            self.found = self.found._replace(diagnostics=(odd,))

    def _is_never_fair(self) -> bool:
        """Return whether it is certain that no run satisfies the conditions of `Fairness`."""
        assert self._program is not None
        try:
            return self._program.decide(SOME_RUN).reached is False
        except LimitReached:
            self._budget.check()
            return False

    def sanity(self, check: str) -> Decision:
        """Never asked: options that ask it are refused."""
        raise NotImplementedError(check)

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula for all values of the parameters."""
        assert isinstance(formula, PopulationQuestion)
        assert self._program is not None
        try:
            decision = self._program.decide(formula.query)
        except LimitReached as limit:
            self._budget.check()  # if the time is over, the other formulae need not be tried
            decision = PopulationDecision(None, "", reason=str(limit))
        self._decisions[number] = decision
        if decision.method:
            self._notes.append((f"formula {number}", decision.method))
        value = verdict_value(formula, decision)
        found = Decision(
            value,
            decision.reason,
            numbers=_numbers(self._system, formula, decision),
            vacuous=NO_START if self._starts is False and value is Value.TRUE else "",
        )
        if decision.run is None:
            return found
        here = confirm_run(self._system, formula.query, decision, self._budget)
        if not self._options.evidence:
            return found
        return found._replace(
            evidence=evidence(here, formula, decision),
            system=pictured(here, decision.run.members),
        )

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return a run, or that nothing satisfies the conditions on runs, as the checker accepts it."""
        from gnomon.checking.certify_population import proved

        assert isinstance(formula, PopulationQuestion)
        unknown = PopulationDecision(None, "")
        decision = self._decisions.get(verdict.index, unknown)
        return proved(self._system, formula, verdict, decision, self._budget)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return how each formula was decided."""
        return tuple(self._notes)

    def close(self) -> None:
        """Let go of nothing: there is no other way after this one."""


def confirm_run(
    system: OpenSystem, query: Query, decision: PopulationDecision, budget: Budget
) -> OpenSystem:
    """Replay a run by the reference semantics; return the system with its parameters."""
    assert decision.run is not None
    values = dict(decision.parameters)
    here = given(system, values)
    match query_with_values(query, values):
        case Safety(bad):
            assert reaches(here, decision.run, bad)
        case OverTime() as found:
            from gnomon.checking.population_paths import confirm

            confirm(here, found, decision, budget)
        case _:
            raise AssertionError(query)
    return here


def _numbers(
    system: OpenSystem, formula: PopulationQuestion, decision: PopulationDecision
) -> Thresholds | None:
    """Return which parameters it takes, and how many agents there are then."""
    if decision.reached is None:
        return None
    names = [part.name for part in system.templates]
    return Thresholds(
        "safety" if isinstance(formula.query, Safety) else "time",
        decision.reached,
        tuple(dict(zip(names, each, strict=True)) for each in decision.smallest),
        decision.exact,
        parameters=dict(decision.parameters) or dict.fromkeys(system.parameters),
    )
