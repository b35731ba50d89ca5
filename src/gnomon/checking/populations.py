"""Deciding for any number of agents at once: safety and knowledge, with the smallest populations."""

from typing import Final, Literal

from gnomon.checking.decider import Decider, Decision, Task
from gnomon.checking.knowledge_runs import everybody
from gnomon.checking.population_runs import evidence
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import NO_START, never_fair, no_initial_state
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.engines.parameterised.compiled import CompiledPopulation, Overlap
from gnomon.engines.parameterised.decision import PlayedTable, PopulationDecision
from gnomon.engines.parameterised.ground_facts import contradiction
from gnomon.engines.parameterised.knowledge import decide_knowledge
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached, OutOfReach
from gnomon.model.domain import show_value
from gnomon.model.parameterised.instance import pictured
from gnomon.model.parameterised.knowing import Here
from gnomon.model.parameterised.levels import as_formula
from gnomon.model.parameterised.query import (
    SOME_RUN,
    Ability,
    Epistemic,
    Knowledge,
    OverTime,
    Query,
    Safety,
    asks_for_some,
    over_time,
    reaching,
)
from gnomon.model.parameterised.step import Place
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.record import replace

_UNLISTED: Final = "what agents know of each other is not decided where their values are not listed"


#: With more local states of agents a graph that counts them is large.
_MANY_PLACES: Final = 8


class Populations(Decider):
    """Decides formulae of templates, by exploring what is occupied, backwards, or with a solver."""

    name = "any number of agents"

    def __init__(self, task: Task, system: OpenSystem, budget: Budget) -> None:
        """Decide formulae about these templates."""
        self.found = Findings("parameterised")
        self._options = task.options
        self._source = task.source
        self._system = system
        self._budget = budget
        self._asked = bool(task.asked)
        self._program: CompiledPopulation | None = None
        self._decisions: dict[int, PopulationDecision] = {}
        self._notes: list[tuple[str, str]] = []
        #: Whether some population may have an initial configuration.
        self._starts = True

    def prepare(self) -> None:
        """Refuse axioms that nothing satisfies, and list what agents can be, if there is an end to it."""
        if contradiction(self._system):
            raise self._contradiction()
        if not self._asked:
            return
        try:
            self._compile()
        except Overlap as overlap:
            raise self._overlap(overlap) from None
        lost = self._never_starting()
        needed = (part.name for part in self._system.templates if part.low)
        self._starts = not {ENVIRONMENT, *needed} & set(lost)
        odd = tuple(self._odd(name) for name in lost)
        if self._starts and self._system.fairness and self._is_never_fair():
            odd = (*odd, never_fair(self._system, self._source))
        self.found = self.found._replace(diagnostics=odd)

    def _is_never_fair(self) -> bool:
        """Return whether it is certain that no run satisfies the conditions of `Fairness`."""
        from gnomon.checking.population_paths import decide_paths

        try:
            return decide_paths(self._system, SOME_RUN, self._budget).reached is False
        except LimitReached:
            self._budget.check()
            return False

    def sanity(self, check: str) -> Decision:
        """Never asked: where nobody can act, a run stays as it is."""
        raise NotImplementedError(check)

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula for all populations."""
        assert isinstance(formula, PopulationQuestion)
        try:
            decision = self._decision(formula)
        except Overlap as overlap:
            raise self._overlap(overlap) from None
        except LimitReached as limit:
            self._budget.check()  # if the time is over, the other formulae need not be tried
            decision = PopulationDecision(None, "", reason=str(limit))
        self._decisions[number] = decision
        self._note(number, decision)
        value = verdict_value(formula, decision)
        found = Decision(
            value,
            decision.reason,
            numbers=_numbers(self._system, formula, decision, words=self._options.evidence),
            vacuous="" if self._starts or value is not Value.TRUE else NO_START,
        )
        shown = decision.run or decision.table
        if shown is None or not self._options.evidence:
            return found
        return found._replace(
            evidence=evidence(self._system, formula, decision),
            system=pictured(self._system, self._members(decision, shown)),
        )

    def _members(
        self, decision: PopulationDecision, shown: OpenRun | PlayedTable
    ) -> tuple[str, ...]:
        """Return who is there in what is shown."""
        return everybody(self._system, decision) if decision.run else shown.members

    def _decision(self, formula: PopulationQuestion) -> PopulationDecision:
        match formula.query:
            case Epistemic() as query:
                return self._known(query)
            case Knowledge() as query if self._system.fairness:
                return self._known(as_formula(query))
            case OverTime() as query:
                return self._over_time(query)
            case Ability() as query:
                from gnomon.checking.population_games import decide_ability

                return decide_ability(self._system, query, self._budget)
            case Safety() as query:
                return self._reached(query)
            case Knowledge() as query if self._program is None:
                if query.is_chain:
                    return PopulationDecision(None, "", reason=_UNLISTED)
                return self._with_solver(query)
            case Knowledge() as query:
                return self._levels(self._program, query)

    def _known(self, query: Epistemic) -> PopulationDecision:
        """Look at all configurations, or for views; first at what costs less."""
        ways = [self._counted, self._searched]
        if self._program is not None and self._program.places() > _MANY_PLACES:
            ways.reverse()
        found = [ways[0](query)]
        if found[0].reached is None:
            found.append(ways[1](query))
        decided = next((each for each in found if each.reached is not None), None)
        if decided is not None:
            return decided
        reasons = dict.fromkeys(each.reason for each in found if each.reason)
        return replace(found[0], reason="; ".join(reasons))

    def _counted(self, query: Epistemic) -> PopulationDecision:
        from gnomon.checking.population_paths import decide_known

        return decide_known(self._system, query, self._budget)

    def _searched(self, query: Epistemic) -> PopulationDecision:
        if self._program is None or self._system.fairness:
            return PopulationDecision(None, "")
        from gnomon.engines.parameterised.lookalikes.searching import decide_searching

        try:
            return decide_searching(self._program, query, self._budget)
        except OutOfReach as error:
            return PopulationDecision(None, "", reason=str(error))

    def _levels(self, program: CompiledPopulation, query: Knowledge) -> PopulationDecision:
        """Search for views; what guards about everybody leave open, all configurations may decide."""
        try:
            if query.is_chain:
                from gnomon.engines.parameterised.chains import decide_chains

                found = decide_chains(program, query, self._budget)
            else:
                found = decide_knowledge(program, query, self._budget)
        except LimitReached as limit:
            self._budget.check()
            found = PopulationDecision(None, "", reason=str(limit))
        if found.reached is not None:
            return found
        counted = self._known(as_formula(query))
        return found if counted.reached is None else counted

    def _reached(self, query: Safety) -> PopulationDecision:
        """Search for some agents who get there; what guards about everybody leave open, count."""
        try:
            if self._program is None:
                found = self._with_solver(query)
            else:
                found = decide_safety(self._program, query.bad, self._budget)
        except LimitReached as limit:
            self._budget.check()
            found = PopulationDecision(None, "", reason=str(limit))
        if found.reached is not None:
            return found
        from gnomon.checking.population_paths import decide_paths

        counted = decide_paths(self._system, over_time(query), self._budget)
        if counted.reached is False:
            return counted
        known = self._counted(Epistemic(Here(query.bad), reach=True))
        return found if known.reached is None else known

    def _over_time(self, query: OverTime) -> PopulationDecision:
        """Follow runs; where it is only asked what is reached, all configurations may decide."""
        from gnomon.checking.population_paths import decide_paths

        found = decide_paths(self._system, query, self._budget)
        sought = reaching(query)
        if found.reached is not None or sought is None or self._system.fairness:
            return found
        counted = self._counted(Epistemic(Here(sought), reach=True))
        return found if counted.reached is None else replace(counted, arrives=True)

    def _with_solver(self, query: Safety | Knowledge) -> PopulationDecision:
        from gnomon.checking.population_invariants import decide_with_guesses
        from gnomon.engines.parameterised.solver_search import Contradiction, decide_with_solver

        try:
            if isinstance(query, Safety):
                return decide_with_guesses(self._system, query, self._budget)
            return decide_with_solver(self._system, query, self._budget)
        except Contradiction:
            raise self._contradiction() from None

    def _compile(self) -> None:
        """List local states, unless there are too many, or there is no end to them."""
        if not self._system.is_finite:
            return
        try:
            self._program = CompiledPopulation(self._system, self._budget)
        except LimitReached:
            # There are too many values to be listed, as if there were no bounds.
            self._budget.check()

    def _never_starting(self) -> tuple[str, ...]:
        """Return the parts of which nothing can start, as far as that can be told."""
        if self._program is not None:
            return tuple(name for name, states in self._program.initial.items() if not states)
        from gnomon.engines.parameterised.solver_search import Contradiction, never_starting

        try:
            return never_starting(self._system, self._budget)
        except Contradiction:
            raise self._contradiction() from None
        except LimitReached:
            self._budget.check()
            return ()

    def _odd(self, name: str) -> Diagnostic:
        """Say who cannot start."""
        who = "the environment" if name == ENVIRONMENT else f"an agent of `{name}`"
        message = f"no state satisfies what `InitStates` says of {who}: nothing of it can start"
        return no_initial_state(self._system, self._source, message)

    def _contradiction(self) -> InputError:
        message = "nothing satisfies the axioms: every system would be safe"
        return InputError((Diagnostic("G0710", message, self._source),))

    def _overlap(self, overlap: Overlap) -> InputError:
        first, second = overlap.lines
        message = (
            f"lines {first} and {second} of `{overlap.part}` can give `{overlap.variable}` "
            "different values at once"
        )
        span = self._source.line_span(second)
        return InputError((Diagnostic("G0712", message, self._source, span),))

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return a run or an invariant that the checker accepts, or why there is none."""
        from gnomon.checking.certify_population import proved

        assert isinstance(formula, PopulationQuestion)
        unknown = PopulationDecision(None, "")
        decision = self._decisions.get(verdict.index, unknown)
        return proved(self._system, formula, verdict, decision, self._budget)

    def _note(self, number: int, decision: PopulationDecision) -> None:
        if decision.method:
            cases = _cases(decision)
            proof = f", an invariant of {cases:,} cases" if cases is not None else ""
            note = f"{decision.method}, {decision.steps:,} nodes{proof}"
            self._notes.append((f"formula {number}", note))

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return how each formula was decided."""
        return tuple(self._notes)

    def close(self) -> None:
        """Let go of nothing: there is no other way after this one."""


def verdict_value(formula: PopulationQuestion, decision: PopulationDecision) -> Value:
    """Return the value of a formula of which this was decided."""
    if decision.reached is None:
        return Value.UNKNOWN
    asks = asks_for_some(formula.query)
    return Value.TRUE if decision.reached == asks else Value.FALSE


def _numbers(
    system: OpenSystem, formula: PopulationQuestion, decision: PopulationDecision, *, words: bool
) -> Thresholds | None:
    """Return how many agents it takes, and what of the relations."""
    if decision.reached is None:
        return None
    names = [part.name for part in system.templates]
    populations = tuple(dict(zip(names, each, strict=True)) for each in decision.smallest)
    facts = tuple(show_fact(place, value) for place, value in decision.facts)
    about = _about(formula.query)
    invariant: tuple[str, ...] = ()
    if words and decision.invariant is not None:
        from gnomon.checking.invariant_words import sentences  # only where it is shown

        invariant = sentences(system, decision.invariant)
    cases = _cases(decision)
    asks = asks_for_some(formula.query)
    with_ = {
        value: [n for (n,), can in decision.examined if (can == asks) is value]
        for value in (True, False)
    }
    return Thresholds(
        about,
        decision.reached,
        populations,
        decision.exact,
        facts,
        cases,
        invariant,
        true_with=tuple(with_[True]),
        false_with=tuple(with_[False]),
        from_on=decision.from_on,
    )


def _about(query: Query) -> Literal["safety", "knowledge", "time", "ability"]:
    match query:
        case Safety():
            return "safety"
        case Knowledge() | Epistemic():
            return "knowledge"
        case OverTime():
            return "time"
        case Ability(everybody=everybody):
            return "ability" if everybody else "time"


def _cases(decision: PopulationDecision) -> int | None:
    """Return of how many cases the invariant is, if there is one."""
    if decision.invariant is None:
        return None
    found = decision.invariant
    return len(found["cases" if "cases" in found else "cubes"]) + len(found.get("always", ()))


def show_fact(place: Place, value: object) -> str:
    """Return a fact as the program would write it."""
    relation, arguments = place
    text = f"{relation}({', '.join(map(show_value, arguments))})"
    if isinstance(value, bool):
        return text if value else f"!{text}"
    return f"{text} = {value}"
