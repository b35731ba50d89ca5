"""Deciding the formulae of a system, one after the other: what happens in the process that does the work."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gnomon.checking.consistency import compare_with_reference
from gnomon.checking.engines import Attempt, EngineName, Wanted, at_once, attempts, listed
from gnomon.checking.options import Options
from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import Proved
from gnomon.checking.told import Findings, Limits
from gnomon.checking.turns import Overtaken, TakingTurns
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.engines.game import ViewChoices
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model.budget import LimitReached, OutOfReach, TryAnother, Unsuited
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence
from gnomon.model.formula import has_coalition, show_formula
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

if TYPE_CHECKING:
    from gnomon.checking.abstract import Abstractly
    from gnomon.checking.certify import Certifier

_LIMITS = (LimitReached, MemoryError)
_NO_RULE_FOR_CELLS = "there is no rule yet for what was decided on cells of states"


class Task(NamedTuple):
    """What is to be decided: formulae by their numbers, about a system, within limits."""

    system: System
    asked: tuple[tuple[int, Specification], ...]
    options: Options
    limits: Limits
    source: Source


def first_engine(options: Options) -> EngineName:
    """Return the engine that is named before any has begun."""
    match options.engine:
        case "auto" | "parameterised":
            return "explicit"
        case engine:
            return engine


def decide_all(task: Task, tell: Tell) -> None:
    """Decide every formula of a task and tell of it; raise `InputError` where something cannot be asked."""
    Session(task, tell).run()


def unanswered(
    number: int, specification: Specification, options: Options, engine: str, reason: str
) -> Verdict:
    """Return the verdict on a formula that was not decided."""
    return Verdict(
        index=number,
        formula=specification.text,
        parsed=show_formula(specification.formula),
        value=Value.UNKNOWN,
        engine=engine,
        seconds=0.0,
        strategies=_told_reading(specification, options),
        reason=reason,
        line=specification.line,
    )


def _told_reading(specification: Specification, options: Options) -> str | None:
    """Return the reading of coalitions that a verdict is about, None where it makes no difference."""
    reading = options.strategies
    told = reading == "uniform-model" or has_coalition(specification.formula)
    return reading if told else None


class Session:
    """One task under way."""

    def __init__(self, task: Task, tell: Tell) -> None:
        """Prepare for a task; `tell` hears what comes of it."""
        self.system = task.system
        self.asked = task.asked
        self.options = task.options
        self.source = task.source
        self.budget = task.limits.budget(tell)
        self.engine: EngineName = first_engine(task.options)
        self.verdicts: list[Verdict] = []
        self.checks: list[SanityCheck] = []
        self.diagnostics: list[Diagnostic] = []
        self.states: int | None = None
        self.initial: int | None = None
        self.account: list[tuple[str, str]] = []
        #: The evidence for what was decided on cells, be it wanted or not.
        self.shown: dict[int, Evidence | None] = {}
        self.predicates: tuple[tuple[str, str], ...] = ()
        self.certifier = self._certifier(tell) if task.options.certificate else None
        #: Why what is still to be decided stays unknown.
        self.reason = ""
        explore = partial(listed, self.system, budget=self.budget)
        self._turns = TakingTurns(explore) if task.options.engine == "auto" else None
        self._walk = RandomWalk(self.system)
        self._tell = tell
        self._specifications = tuple(each for _, each in task.asked)

    def _certifier(self, tell: Callable[[Proved], None]) -> "Certifier":
        from gnomon.checking.certify import Certifier

        return Certifier(self.system, self.budget, tell)

    def run(self) -> None:
        """Decide everything, and tell what is known of the model at the end."""
        try:
            self._run()
        finally:
            self._tell_findings()

    def _tell_findings(self) -> None:
        self._tell(
            Findings(
                self.engine,
                self.states,
                self.initial,
                tuple(self.checks),
                tuple(self.diagnostics),
                tuple(self.account),
                self.predicates,
            )
        )

    def _run(self) -> None:
        """Try one way after the other until everything is decided or a limit is reached."""
        if self._wants_abstraction() and self._run_abstractly():
            return
        unsuited: set[str] = set()
        try:
            for attempt in self._attempts():
                if attempt.engine in unsuited:
                    continue
                self.engine = attempt.engine
                self._tell_findings()
                started = self.budget.spent()
                try:
                    self._try(attempt)
                except TryAnother as end:
                    if isinstance(end, Unsuited):
                        unsuited.add(attempt.engine)
                    spent = self.budget.spent() - started
                    self._note(("given up", f"{attempt.name} after {spent:.3f} s: {end}"))
                    self.reason = str(end)  # unless the next attempt does better
                    self._start_afresh(end)
                else:
                    return
        except _LIMITS as limit:
            self._stop(limit)
        self._sanity(None)
        self._decide_all(None, final=True)

    # By abstraction

    def _wants_abstraction(self) -> bool:
        """Whether cells of states are to be tried; raises `InputError` where they are all that is allowed."""
        options = self.options
        if options.engine == "parameterised":
            message = "the model has no template: its number of agents is known"
            help_ = "leave --engine out, or use bdd or explicit"
            raise InputError((Diagnostic("G0815", message, self.source, help=help_),))
        if options.engine == "abstraction":
            from gnomon.checking.abstract import refusals

            said = (*refusals(self.system, self._specifications, options.strategies, self.source),)
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

    def _run_abstractly(self) -> bool:
        """Decide what can be decided on cells of states; return whether that is all there is to do."""
        from gnomon.checking.abstract import Abstractly

        alone = self.options.engine == "abstraction"
        if not alone and self._listed_at_once():
            return True
        self.engine = "abstraction"
        options = self.options
        abstractly = Abstractly(
            self.system,
            self._specifications,
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
        self._tell_findings()
        self._decide_all_abstractly(abstractly)
        if not self.reason:
            self._note(*abstractly.account())
            self.predicates = abstractly.predicates()
        return True

    def _listed_at_once(self) -> bool:
        """Decide everything state by state, if there are few states: then all is exact."""
        attempt = at_once(self.system)
        if attempt is None:
            return False
        self.engine = attempt.engine
        try:
            self._try(attempt)
        except LimitReached:
            self._forget_states()
            return False
        return True

    def _forget_states(self) -> None:
        self.budget.states = self.states = self.initial = None
        self.diagnostics.clear()

    def _decide_all_abstractly(self, abstractly: "Abstractly") -> None:
        listed: list[Satisfaction[Any] | None] = []  # the states one by one, once they are needed
        for index, specification in self._left():
            verdict = self._decide_abstractly(index, specification, abstractly)
            if self.options.engine == "auto" and verdict.value is Value.UNDEFINED:
                verdict = self._decide_listed(index, specification, verdict, listed)
            self._tell_verdict(verdict)
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
        return Verdict(
            index=index,
            formula=specification.text,
            parsed=show_formula(specification.formula),
            value=value,
            engine="abstraction",
            seconds=time.monotonic() - started,
            strategies=_told_reading(specification, self.options),
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
            try:
                listed.append(self._list_states() if at_once(self.system) is not None else None)
            except _LIMITS as limit:
                self._stop(limit)
                return replace(undefined, value=Value.UNKNOWN, reason=self.reason)
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

    def _try(self, attempt: Attempt) -> None:
        self.budget.task = self.reason = ""
        try:
            self._go_all_the_way(attempt)
        except Overtaken as end:
            self._note(("overtaken", f"{attempt.name}, by listing states"))
            self.engine = "explicit"
            self.diagnostics.clear()
            self._turns = None
            end.__traceback__ = None  # its frames hold all that the attempt has built
            algebra = end.algebra
            self._go_all_the_way(
                Attempt("explicit", "state by state", lambda _: algebra, final=True)
            )

    def _go_all_the_way(self, attempt: Attempt) -> None:
        with self._taking_turns():
            truth = self._explore(attempt)
        explored = self.budget.spent()
        self._sanity(truth)
        self._tell_findings()
        self._decide_all(truth, final=attempt.final)
        self._note(*truth.algebra.account())
        self._note(("formulae", f"{self.budget.spent() - explored:.3f} s"))
        self._certify(truth)

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        """Let states be listed now and then, where another engine is at work and nobody has asked for it."""
        if self._turns is None or self.engine != "bdd":
            yield
            return
        with self._turns.during():
            yield

    def _note(self, *facts: tuple[str, str]) -> None:
        if self.options.account:
            self.account.extend(facts)

    def _attempts(self) -> Iterator[Attempt]:
        options = self.options
        wanted = Wanted(
            options.engine,
            options.order,
            options.diagrams,
            options.max_states,
            pruning=options.strategies == "uniform-model",
        )
        formulae = [item.formula for item in (*self.system.fairness, *self._specifications)]
        return attempts(self.system, formulae, wanted)

    def _explore(self, attempt: Attempt) -> Satisfaction[Any]:
        algebra = attempt.explore(self.budget)
        compare_with_reference(algebra)
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

    def _left(self) -> Iterator[tuple[int, Specification]]:
        """Go through what is still to be decided, each with its number; the budget hears of it."""
        for place in range(len(self.verdicts), len(self.asked)):
            self.budget.task = f"formula {place + 1} of {len(self.asked)}"
            yield self.asked[place]

    def _decide_all(self, truth: Satisfaction[Any] | None, *, final: bool) -> None:
        """Decide what is still open, one formula after the other."""
        for index, specification in self._left():
            with self._taking_turns():
                verdict = self._decide(index, specification, truth, final=final)
            self._tell_verdict(verdict)

    def _certify(self, truth: Satisfaction[Any]) -> None:
        """Prove what was decided, in the time that is left."""
        if self.certifier is None:
            return
        for place, verdict in enumerate(self.verdicts):
            self.budget.task = f"proof {place + 1} of {len(self.asked)}"
            self.certifier.add(verdict, self._specifications[place], truth, self.states)

    def _tell_verdict(self, verdict: Verdict) -> None:
        if self.options.strategies != "uniform-model":
            self._walk.compare(verdict, self._specifications[len(self.verdicts)])
        self.verdicts.append(verdict)
        self._tell(verdict)

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
                alone = isinstance(end, Unsuited) and self.options.engine != "auto"
                if not final and not alone:
                    raise
                # It was too much for this formula; the next may need less.
                reason = str(end)
            except _LIMITS as limit:
                reason = self._stop(limit)
        return Verdict(
            index=index,
            formula=specification.text,
            parsed=show_formula(specification.formula),
            value=value,
            engine=self.engine,
            seconds=time.monotonic() - started,
            strategies=_told_reading(specification, self.options),
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
