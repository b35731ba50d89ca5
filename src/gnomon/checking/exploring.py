"""Deciding by exploring: all reachable states, one by one or as decision diagrams."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gnomon.checking.attempts import Attempt
from gnomon.checking.consistency import compare_with_reference
from gnomon.checking.deadlocks import real_deadlocks, terminal_states
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import NO_START, meant, no_initial_state
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.told import Findings
from gnomon.checking.turns import Overtaken, TakingTurns
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.engines.algebra import Algebra
from gnomon.logic.satisfaction import Reading, Satisfaction
from gnomon.model.any import AnySpecification
from gnomon.model.budget import LimitReached, TryAnother, TurnOver, Unsuited
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence
from gnomon.model.observers import is_about_steps
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source


class Exploring(Decider):
    """Decides formulae on the sets of reachable states that an engine has found.

    While diagrams are at work, states may be listed now and then (`turns`); where that comes to its end
    first, the listed states take the place of the diagrams.
    """

    def __init__(
        self,
        shared: SharedWork,
        attempt: Attempt,
        turns: TakingTurns | None,
    ) -> None:
        """Explore a system in this way."""
        self.name = attempt.name
        self.found = Findings(attempt.engine, diagnostics=shared.possible_overlaps())
        self._shared = shared
        self._system = shared.system
        self._options = shared.task.options
        self._source = shared.task.source
        self._budget = shared.budget
        self._attempt = attempt
        self._final = attempt.final
        self._turns = turns if attempt.engine == "bdd" else None
        self._walk = RandomWalk(self._system)
        self._truth: Satisfaction[Any] | None = None
        #: What is known of formulae whose evidence may be interrupted; it needs what the truth remembers.
        self._values: dict[Specification, bool] = {}
        self._notes: list[tuple[str, str]] = []
        self._prepared = 0.0
        #: Why no state counts, where that is so: then every formula is true of nothing.
        self._nothing = ""

    @property
    def truth(self) -> Satisfaction[Any]:
        """Where formulae hold."""
        assert self._truth is not None, "nothing is explored yet"
        return self._truth

    def prepare(self) -> None:
        """Explore the states."""
        try:
            with self._taking_turns():
                self._take(self._attempt.explore(self._budget))
        except Overtaken as end:
            self._take_over(end)
        except (LimitReached, TurnOver):
            self._budget.states = None
            raise
        self._prepared = self._budget.spent()

    @contextmanager
    def _taking_turns(self) -> Iterator[None]:
        if self._turns is None:
            yield
            return
        with self._turns.during():
            yield

    def _take_over(self, end: Overtaken) -> None:
        self._notes.append(("overtaken", f"{self.name}, by listing states"))
        self._turns = None
        self._truth = None
        self._values.clear()
        self._final = True
        self.found = self.found._replace(engine="explicit")
        end.__traceback__ = None  # its frames hold all that was built
        self._take(end.algebra)

    def _take(self, algebra: Algebra[Any]) -> None:
        compare_with_reference(algebra)
        reading = self._options.strategies
        used: Reading = "perfect" if reading == "uniform-model" else reading
        self._truth = Satisfaction(algebra, self._system.fairness, used)
        self._nothing = without_start(self._truth)
        self.found = self.found._replace(
            states=algebra.count(algebra.reachable),
            initial=algebra.count(algebra.initial),
            terminal=terminal_states(algebra),
            diagnostics=(
                *oddities(self._truth, self._system, self._source),
                *self._shared.reachable_overlaps(algebra),
            ),
        )

    def sanity(self, check: str) -> Decision:
        """Look for a reachable deadlock, or for a value that can leave its range."""
        from gnomon.checking.supported import deadlock_check, overflow_check

        look_for = deadlock_check if check == "deadlock" else overflow_check
        evidence = look_for(self.truth.algebra)
        return Decision(Value.TRUE if evidence is None else Value.FALSE, evidence=evidence)

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula; it is unknown where this is the last way and it is too much for it."""
        del number
        assert isinstance(formula, Specification)
        started = self._budget.spent()
        try:
            with self._taking_turns():
                decision = self._decide(formula)
        except Overtaken as end:
            self._take_over(end)
            decision = self._decide(formula)
        if self._nothing:
            return decision._replace(vacuous=self._nothing if decision.value is Value.TRUE else "")
        if self._options.strategies == "uniform-model":
            return decision
        self._walk.compare(decision.value, self.found.engine, formula)
        if decision.value is Value.TRUE:
            seconds = self._budget.spent() - started
            decision = decision._replace(vacuous=self._vacuous(formula, seconds))
        return decision

    def _vacuous(self, formula: Specification, seconds: float) -> str:
        """Return what a formula that is true says nothing about; nobody takes turns meanwhile."""
        from gnomon.checking.vacuous import told
        from gnomon.logic.exact_vacuity import ExactVacuity

        truth = self.truth
        found = ExactVacuity(truth, truth.initial, formula.logic, self._budget.check)
        return told(found, formula.formula, self._budget, seconds)

    def _decide(self, formula: Specification) -> Decision:
        fresh = not self.truth.remembers
        try:
            try:
                return self._answer(formula)
            except TryAnother:
                if fresh:
                    raise
                # Perhaps there is room without what is remembered of the formulae before.
                self.truth.forget()
                self._values.clear()
                return self._answer(formula)
        except TryAnother as end:
            alone = isinstance(end, Unsuited) and self._options.engine != "auto"
            if not self._final and not alone:
                raise
            # It was too much for this formula; the next may need less.
            return Decision(Value.UNKNOWN, str(end))

    def _answer(self, formula: Specification) -> Decision:
        if self._options.strategies == "uniform-model":
            from gnomon.checking.pruned import in_some_pruned_model

            return in_some_pruned_model(self.truth, formula, self._options, self._budget)
        holds = self._values.get(formula)
        if holds is None:
            holds = self._values[formula] = self.truth.holds(formula.formula, formula.logic)
        evidence = self._evidence(formula) if self._options.evidence else None
        return Decision(Value.TRUE if holds else Value.FALSE, evidence=evidence)

    def _evidence(self, formula: Specification) -> Evidence | None:
        from gnomon.checking.supported import supported

        try:
            return supported(self.truth, formula)
        except TryAnother:
            raise
        except LimitReached:
            return None  # the verdict stands; there is just nothing to show for it

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return the shortest proof that the checker accepts, or why there is none."""
        assert isinstance(formula, Specification)
        return self._shared.certifier.proved(verdict, formula, self.truth, self.found.states)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return what the engine did, and how long the formulae took."""
        took = f"{self._budget.spent() - self._prepared:.3f} s"
        return (*self._notes, *self.truth.algebra.account(), ("formulae", took))

    def close(self) -> None:
        """Let go of the states."""
        self._truth = None


def without_start(truth: Satisfaction[Any]) -> str:
    """Return why no initial state counts, or nothing where one does."""
    if truth.algebra.is_empty(truth.algebra.initial):
        return NO_START
    return "no initial state has a fair path" if truth.algebra.is_empty(truth.initial) else ""


def oddities(truth: Satisfaction[Any], system: System, source: Source) -> Iterator[Diagnostic]:
    """Yield what is odd about a model and changes what formulae mean."""
    algebra = truth.algebra

    def said(code: str, message: str, *notes: str, line: int = 0, help: str = "") -> Diagnostic:
        return Diagnostic(code, message, source, source.line_span(line), notes=notes, help=help)

    if algebra.is_empty(algebra.initial):
        yield no_initial_state(system, source)
    if not algebra.is_empty(stuck := real_deadlocks(algebra)):
        yield gets_stuck(system, source, algebra.pick(stuck))
    if not algebra.is_empty(algebra.overflows):
        yield leaves_a_range(system, source, algebra.pick(algebra.overflows))
    unmet: list[str] = []
    for constraint, states in zip(system.fairness, truth.constraints, strict=True):
        if algebra.is_empty(states) and not algebra.is_empty(algebra.reachable):
            steps = is_about_steps(system, constraint)
            nothing = "no step that can be taken meets" if steps else "no reachable state satisfies"
            unmet.append(f"{nothing} `{constraint.text}`")
            yield said("G0805", unmet[-1], line=constraint.line)
    if algebra.is_empty(truth.initial) and not algebra.is_empty(algebra.initial):
        message = "no initial state has a fair path: every formula would be true"
        # Where errors alone are shown, they have to say why.
        why = unmet or ["each constraint can be met, but no run meets all of them again and again"]
        yield said("G0804", message, *why, help=meant("G0804"))


def gets_stuck(system: System, source: Source, state: State) -> Diagnostic:
    """Return that a deadlock is reached that is none to end in."""
    but = ", which is not terminal" if system.terminal is not None else ""
    note = f"a reachable deadlock{but}: {shown_state(system, state)}"
    return Diagnostic(
        "G0801", "the model can get stuck", source, source.line_span(0), notes=(note,)
    )


def leaves_a_range(system: System, source: Source, state: State) -> Diagnostic:
    """Return that a state is reached from which a value leaves its range."""
    note = f"a reachable state: {shown_state(system, state)}"
    message = "a value can leave its range"
    return Diagnostic("G0802", message, source, source.line_span(0), notes=(note,))


def shown_state(system: System, state: State) -> str:
    """Return a state as text, for a note."""
    pairs = zip(system.variables, state, strict=True)
    return ", ".join(f"{v.agent}.{v.name} = {show_value(value)}" for v, value in pairs)
