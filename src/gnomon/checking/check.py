"""From a model and its formulae to verdicts."""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gnomon.checking.engines import (
    Attempt,
    Diagrams,
    Engine,
    EngineName,
    Order,
    Wanted,
    at_once,
    attempts,
)
from gnomon.checking.supervise import supervise
from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.engines.game import ViewChoices
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model.budget import Budget, LimitReached, OutOfReach, Report, TryAnother
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence
from gnomon.model.formula import Formula, has_coalition, show_formula
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.checking.abstract import Abstractly
    from gnomon.checking.certify import Certifier

Strategies: TypeAlias = Literal["perfect", "uniform", "uniform-subjective", "uniform-model"]
_LIMITS = (LimitReached, MemoryError)
_NO_RULE_FOR_CELLS = "there is no rule yet for what was decided on cells of states"


@dataclass(frozen=True)
class Options:
    """How to check: the reading of coalition operators, what else to look for, and the limits.

    Without `max_states` the limit of the explicit engine goes by the kind of model. `order` and `diagrams`
    are for experts: how the symbolic engine orders its variables, and which library it uses. `account` asks
    for what the engine did, `certificate` for what it takes to check the verdicts again.
    """

    engine: Engine = "auto"
    order: Order = "auto"
    diagrams: Diagrams = "auto"
    strategies: Strategies = "perfect"
    uniform_group: str | None = None
    evidence: bool = False
    check_deadlock: bool = False
    check_overflow: bool = False
    timeout: float | None = None
    memory: float | None = None
    max_states: int | None = None
    report: Report | None = None
    account: bool = False
    certificate: bool = False
    #: The most refinements of an abstraction (None: until it is hopeless), and conditions to begin with.
    refine: int | None = None
    predicates: tuple[Formula, ...] = ()


def check(
    system: System,
    specifications: Iterable[Specification] | None = None,
    options: Options | None = None,
    *,
    model: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    source: Source | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
) -> Result:
    """Decide formulae in order, those of the model itself unless others are given."""
    chosen = tuple(system.specifications if specifications is None else specifications)
    session = _Session(system, options or Options(), source or Source(model or system.name, ""))
    session.on_verdict = on_verdict
    reason = supervise(lambda: session.run(chosen), session.budget)
    if reason:
        session.give_up(chosen, reason)
    return Result(
        model=model or system.name,
        kind=system.kind,
        engine=session.engine,
        states=session.states,
        initial=session.initial,
        account=tuple(session.account),
        seconds=time.monotonic() - session.budget.started,
        verdicts=tuple(session.verdicts),
        checks=tuple(session.checks),
        diagnostics=(*diagnostics, *session.diagnostics),
        system=system,
        interrupted=session.interrupted,
        abandoned=bool(reason),
        certificate=session.certificate(chosen),
        predicates=session.predicates,
    )


class _Session:
    """One call of `check` under way."""

    def __init__(self, system: System, options: Options, source: Source) -> None:
        self.system = system
        self.options = options
        self.source = source
        known = options.engine not in ("auto", "parameterised")
        self.engine: EngineName = options.engine if known else "explicit"  # type: ignore[assignment]
        self.budget = Budget(options.timeout, options.memory, report=options.report)
        self.verdicts: list[Verdict] = []
        self.checks: list[SanityCheck] = []
        self.diagnostics: list[Diagnostic] = []
        self.states: int | None = None
        self.initial: int | None = None
        self.account: list[tuple[str, str]] = []
        #: The evidence for what was decided on cells, be it wanted or not.
        self.shown: dict[int, Evidence | None] = {}
        self.predicates: tuple[tuple[str, str], ...] = ()
        self.certifier = self._certifier() if options.certificate else None
        self.interrupted = False
        self.on_verdict: Callable[[Verdict], None] | None = None
        self.given_up = False
        self.speaking = Lock()
        #: Why what is still to be decided stays unknown.
        self.reason = ""

    def certificate(self, specifications: tuple[Specification, ...]) -> dict[str, Any] | None:
        """Return the proofs found, where they were asked for."""
        if self.certifier is None:
            return None
        return self.certifier.document(list(zip(self.verdicts, specifications, strict=False)))

    def _certifier(self) -> "Certifier":
        from gnomon.checking.certify import Certifier

        return Certifier(self.system, self.source, self.budget)

    def run(self, specifications: tuple[Specification, ...]) -> None:
        """Try one way after the other until everything is decided or a limit is reached."""
        if self._wants_abstraction(specifications) and self._run_abstractly(specifications):
            return
        try:
            for attempt in self._attempts(specifications):
                self.engine = attempt.engine
                started = self.budget.spent()
                try:
                    self._try(attempt, specifications)
                except TryAnother as end:
                    if attempt.final:
                        raise
                    spent = self.budget.spent() - started
                    self._note(("given up", f"{attempt.name} after {spent:.3f} s: {end}"))
                    self._start_afresh(end)
                else:
                    return
        except _LIMITS as limit:
            self._stop(limit)
        self._sanity(None)
        self._decide_all(specifications, None, final=True)

    # By abstraction

    def _wants_abstraction(self, specifications: tuple[Specification, ...]) -> bool:
        """Whether cells of states are to be tried; raises `InputError` where they are all that is allowed."""
        options = self.options
        if options.engine == "parameterised":
            message = "the model has no template: its number of agents is known"
            help_ = "leave --engine out, or use bdd or explicit"
            raise InputError((Diagnostic("G0815", message, self.source, help=help_),))
        if options.engine == "abstraction":
            from gnomon.checking.abstract import refusals

            said = (*refusals(self.system, specifications, options.strategies, self.source),)
            if said:
                raise InputError(said)
            return True
        return (
            options.engine == "auto"
            and self.system.kind == "unbounded"
            and not self.system.fairness
            and not self._asked_checks()
            and options.strategies in {"perfect", "uniform"}
        )

    def _run_abstractly(self, specifications: tuple[Specification, ...]) -> bool:
        """Decide what can be decided on cells of states; return whether that is all there is to do."""
        from gnomon.checking.abstract import Abstractly

        alone = self.options.engine == "abstraction"
        if not alone and self._listed_at_once(specifications):
            return True
        self.engine = "abstraction"
        options = self.options
        abstractly = Abstractly(
            self.system,
            specifications,
            self.budget,
            options.refine,
            options.predicates,
            options.strategies,
        )
        try:
            abstractly.refuse_stuck(self.source)
            self.states = abstractly.states
        except InputError:
            if alone:
                raise
            return False
        except _LIMITS as limit:
            self._stop(limit)
        self._check_sanity_abstractly(abstractly)
        self._decide_all_abstractly(specifications, abstractly)
        if not self.reason:
            self._note(*abstractly.account())
            self.predicates = abstractly.predicates()
        return True

    def _listed_at_once(self, specifications: tuple[Specification, ...]) -> bool:
        """Decide everything state by state, if there are few states: then all is exact."""
        attempt = at_once(self.system)
        if attempt is None:
            return False
        self.engine = attempt.engine
        try:
            self._try(attempt, specifications)
        except LimitReached:
            self._forget_states()
            return False
        return True

    def _forget_states(self) -> None:
        self.budget.states = self.states = self.initial = None
        self.diagnostics.clear()

    def _decide_all_abstractly(
        self, specifications: tuple[Specification, ...], abstractly: "Abstractly"
    ) -> None:
        listed: list[Satisfaction[Any] | None] = []  # the states one by one, once they are needed
        for index in range(len(self.verdicts) + 1, len(specifications) + 1):
            self.budget.task = f"formula {index} of {len(specifications)}"
            specification = specifications[index - 1]
            verdict = self._decide_abstractly(index, specification, abstractly)
            if self.options.engine == "auto" and verdict.value is Value.UNDEFINED:
                verdict = self._decide_listed(index, specification, verdict, listed)
            with self.speaking:
                if self.given_up:
                    return
                self._tell(verdict)
            if self.certifier is not None:
                shown = self.shown.get(index)
                self.certifier.add_shown(verdict, specification, shown, _NO_RULE_FOR_CELLS)

    def _decide_abstractly(
        self, index: int, specification: Specification, abstractly: "Abstractly"
    ) -> Verdict:
        from gnomon.checking.abstract import is_in_logic

        started = time.monotonic()
        value, reason, evidence = Value.UNKNOWN, self.reason, None
        if not reason and not is_in_logic(specification):
            value, reason = Value.UNDEFINED, "predicate abstraction knows CTL and ATL only"
        elif not reason:
            try:
                wanted = self.options.evidence or self.certifier is not None
                value, reason, evidence = abstractly.decide(specification, evidence=wanted)
                self.shown[index] = evidence
            except _LIMITS as limit:
                reason = self._stop(limit)
        told = has_coalition(specification.formula)
        return Verdict(
            index=index,
            formula=specification.text,
            parsed=show_formula(specification.formula),
            value=value,
            engine="abstraction",
            seconds=time.monotonic() - started,
            strategies=self.options.strategies if told else None,
            reason=reason,
            evidence=evidence if self.options.evidence else None,
            line=specification.line,
        )

    def _decide_listed(
        self,
        index: int,
        specification: Specification,
        undefined: Verdict,
        listed: list[Satisfaction[Any] | None],
    ) -> Verdict:
        """Decide state by state what cells leave open, if there are not too many states."""
        if not listed:
            listed.append(self._list_states() if at_once(self.system) is not None else None)
        truth = listed[0]
        if truth is None:
            return undefined
        engine, self.engine = self.engine, "explicit"
        verdict = self._decide(index, specification, truth, final=True)
        self.engine = engine
        return undefined if verdict.value is Value.UNKNOWN else verdict

    def _list_states(self) -> Satisfaction[Any] | None:
        try:
            (attempt,) = attempts(
                self.system, (), Wanted("explicit", max_states=self.options.max_states)
            )
            algebra = attempt.explore(self.budget)
        except LimitReached:
            self.budget.check()  # if the time is over, that is the reason
            return None
        finally:
            self.budget.states = None
        return Satisfaction(algebra, (), self._reading())

    def _reading(self) -> Reading:
        reading = self.options.strategies
        return "perfect" if reading == "uniform-model" else reading

    def _check_sanity_abstractly(self, abstractly: "Abstractly") -> None:
        for wanted, name, sure in (
            (self.options.check_deadlock, "deadlock", abstractly.surely_lively),
            (self.options.check_overflow, "overflow", abstractly.surely_within_ranges),
        ):
            if not wanted:
                continue
            started = time.monotonic()
            value, reason = Value.UNKNOWN, self.reason
            if not reason:
                value = Value.TRUE if sure() else Value.UNDEFINED
                reason = "" if value is Value.TRUE else "the abstraction cannot tell"
            self.checks.append(SanityCheck(name, value, time.monotonic() - started, reason))

    # By exploring states

    def _try(self, attempt: Attempt, specifications: tuple[Specification, ...]) -> None:
        self.budget.task = ""
        truth = self._explore(attempt)
        explored = self.budget.spent()
        self._sanity(truth)
        self._decide_all(specifications, truth, final=attempt.final)
        self._note(*truth.algebra.account())
        self._note(("formulae", f"{self.budget.spent() - explored:.3f} s"))
        self._certify(specifications, truth)

    def _note(self, *facts: tuple[str, str]) -> None:
        if self.options.account:
            self.account.extend(facts)

    def _attempts(self, specifications: tuple[Specification, ...]) -> Iterator[Attempt]:
        options = self.options
        wanted = Wanted(
            options.engine,
            options.order,
            options.diagrams,
            options.max_states,
            pruning=options.strategies == "uniform-model",
        )
        formulae = [item.formula for item in (*self.system.fairness, *specifications)]
        return attempts(self.system, formulae, wanted)

    def _explore(self, attempt: Attempt) -> Satisfaction[Any]:
        algebra = attempt.explore(self.budget)
        self.states = algebra.count(algebra.reachable)
        self.initial = algebra.count(algebra.initial)
        truth = Satisfaction(algebra, self.system.fairness, self._reading())
        self._warn(truth)
        return truth

    def _start_afresh(self, end: TryAnother) -> None:
        """Make room for the next attempt, which keeps the verdicts that were told."""
        self.diagnostics.clear()
        if len(self.checks) < self._asked_checks():
            self.checks.clear()
        end.__traceback__ = None  # its frames hold all that the attempt has built
        gc.collect()

    def _decide_all(
        self,
        specifications: tuple[Specification, ...],
        truth: Satisfaction[Any] | None,
        *,
        final: bool,
    ) -> None:
        """Decide what is still open, one formula after the other."""
        for index in range(len(self.verdicts) + 1, len(specifications) + 1):
            self.budget.task = f"formula {index} of {len(specifications)}"
            verdict = self._decide(index, specifications[index - 1], truth, final=final)
            with self.speaking:
                if self.given_up:
                    return
                self._tell(verdict)

    def _certify(self, specifications: tuple[Specification, ...], truth: Satisfaction[Any]) -> None:
        """Prove what was decided, in the time that is left."""
        if self.certifier is None:
            return
        for verdict, specification in zip(self.verdicts, specifications, strict=False):
            self.budget.task = f"proof {verdict.index} of {len(specifications)}"
            self.certifier.add(verdict, specification, truth, self.states)

    def _tell(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        if self.on_verdict is not None:
            self.on_verdict(verdict)

    def give_up(self, specifications: tuple[Specification, ...], reason: str) -> None:
        """Leave open what is not decided; the work, wherever it is, has nothing more to say."""
        with self.speaking:
            # From here on the work is not listened to: no formula gets two verdicts.
            self.given_up = True
        self.reason, self.interrupted = reason, reason == "interrupted"
        if self.states is None or len(self.checks) < self._asked_checks():
            self.checks.clear()
            self._sanity(None)
        for index in range(len(self.verdicts) + 1, len(specifications) + 1):
            self._tell(self._decide(index, specifications[index - 1], None, final=True))

    def _asked_checks(self) -> int:
        return self.options.check_deadlock + self.options.check_overflow

    def _stop(self, limit: BaseException) -> str:
        """Return why a formula is unknown; remember it for the rest where it concerns them, too."""
        match limit:
            case OutOfReach():
                return str(limit)
            case LimitReached():
                self.reason = str(limit)
            case _:
                self.reason = "there was no more memory"
        return self.reason

    def _decide(
        self,
        index: int,
        specification: Specification,
        truth: Satisfaction[Any] | None,
        *,
        final: bool,
    ) -> Verdict:
        started = time.monotonic()
        reason, value, evidence = self.reason, Value.UNKNOWN, None
        if truth is not None and not reason:
            try:
                value, evidence = self._answer_in_little_room(specification, truth)
            except TryAnother as end:
                if not final:
                    raise
                # It was too much for this formula; the next may need less.
                reason = str(end)
            except _LIMITS as limit:
                reason = self._stop(limit)
        reading = self.options.strategies
        told = reading == "uniform-model" or has_coalition(specification.formula)
        return Verdict(
            index=index,
            formula=specification.text,
            parsed=show_formula(specification.formula),
            value=value,
            engine=self.engine,
            seconds=time.monotonic() - started,
            strategies=reading if told else None,
            reason=reason,
            evidence=evidence,
            line=specification.line,
        )

    def _answer_in_little_room(
        self, specification: Specification, truth: Satisfaction[Any]
    ) -> tuple[Value, Evidence | None]:
        """Answer, if need be without what is remembered of the formulae before."""
        try:
            return self._answer(specification, truth)
        except TryAnother:
            truth.forget()
            return self._answer(specification, truth)

    def _answer(
        self, specification: Specification, truth: Satisfaction[Any]
    ) -> tuple[Value, Evidence | None]:
        if self.options.strategies == "uniform-model":
            return self._in_some_pruned_model(specification, truth)
        holds = truth.holds(specification.formula, specification.logic)
        evidence = None
        if self.options.evidence:
            from gnomon.checking.supported import supported

            try:
                evidence = supported(truth, specification)
            except TryAnother:
                raise
            except LimitReached:
                # The verdict stands; there is just nothing to show for it.
                evidence = None
        return Value.TRUE if holds else Value.FALSE, evidence

    def _in_some_pruned_model(
        self, specification: Specification, truth: Satisfaction[Any]
    ) -> tuple[Value, Evidence | None]:
        """Look for a profile of uniform strategies in whose model the formula holds."""
        agents = self._profiled()
        for choices, algebra in truth.algebra.pruned(agents):
            pruned = Satisfaction(algebra, self.system.fairness)
            if pruned.holds(specification.formula, specification.logic):
                return Value.TRUE, self._shown_profile(specification, agents, choices)
        return Value.FALSE, None

    def _shown_profile(
        self, specification: Specification, agents: tuple[str, ...], choices: ViewChoices
    ) -> Evidence | None:
        if not self.options.evidence:
            return None
        from gnomon.checking.supported import profile

        try:
            return profile(self.system, specification, agents, choices, self.budget)
        except LimitReached:
            return None

    def _profiled(self) -> tuple[str, ...]:
        """Return the agents whose choices `uniform-model` fixes."""
        name = self.options.uniform_group
        if name is None:
            return tuple(agent.name for agent in self.system.agents)
        if name in self.system.groups:
            return self.system.groups[name].members
        return (self.system.agent(name).name,)

    def _sanity(self, truth: Satisfaction[Any] | None) -> None:
        """Answer the questions about the model itself, if that is still to be done."""
        if self.checks or not self._asked_checks():
            return
        from gnomon.checking.supported import deadlock_check, overflow_check

        for wanted, name, question in (
            (self.options.check_deadlock, "deadlock", deadlock_check),
            (self.options.check_overflow, "overflow", overflow_check),
        ):
            started = time.monotonic()
            if not wanted:
                continue
            evidence, value = None, Value.UNKNOWN
            if truth is not None:
                evidence = question(truth.algebra)
                value = Value.TRUE if evidence is None else Value.FALSE
            seconds = time.monotonic() - started
            reason = "" if truth is not None else self.reason
            self.checks.append(SanityCheck(name, value, seconds, reason, evidence))

    def _warn(self, truth: Satisfaction[Any]) -> None:
        """Say what is odd about the model and changes what formulae mean."""
        algebra = truth.algebra
        if algebra.is_empty(algebra.initial):
            self._say("G0803", "no state satisfies `InitStates`: every formula is true")
        if not algebra.is_empty(algebra.deadlocks):
            where = self._show(algebra.pick(algebra.deadlocks))
            self._say("G0801", "the model can get stuck", f"a reachable deadlock: {where}")
        if not algebra.is_empty(algebra.overflows):
            where = self._show(algebra.pick(algebra.overflows))
            self._say("G0802", "a value can leave its range", f"a reachable state: {where}")
        for constraint, states in zip(self.system.fairness, truth.constraints, strict=True):
            if algebra.is_empty(states) and not algebra.is_empty(algebra.reachable):
                message = f"no reachable state satisfies `{constraint.text}`"
                self._say("G0805", message, line=constraint.line)
        if algebra.is_empty(truth.initial) and not algebra.is_empty(algebra.initial):
            self._say("G0804", "no initial state has a fair path: every formula is true")

    def _say(self, code: str, message: str, *notes: str, line: int = 0) -> None:
        span = self.source.line_span(line)
        self.diagnostics.append(Diagnostic(code, message, self.source, span, notes=notes))

    def _show(self, state: State) -> str:
        pairs = zip(self.system.variables, state, strict=True)
        return ", ".join(f"{v.agent}.{v.name} = {show_value(value)}" for v, value in pairs)
