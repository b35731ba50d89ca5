"""Deciding the formulae of a model, one after the other: what happens in the process that does the work."""

import gc
import time
from collections.abc import Iterator

from gnomon.checking.choose import deciders, first_engine
from gnomon.checking.decider import Decider, Decision, Task
from gnomon.checking.options import Options
from gnomon.checking.process.child import Tell
from gnomon.checking.told import Findings
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.any import AnySpecification
from gnomon.model.budget import LimitReached, OutOfReach, TryAnother, Unsuited

_LIMITS = (LimitReached, MemoryError)


def decide_all(task: Task, tell: Tell) -> None:
    """Decide every formula of a task and tell of it; raise `InputError` where something cannot be asked."""
    Session(task, tell).run()


def verdict_on(
    number: int,
    formula: AnySpecification,
    options: Options,
    engine: str,
    decision: Decision,
    seconds: float = 0.0,
) -> Verdict:
    """Return the verdict that a decision on a formula is."""
    reading = options.strategies
    told = reading == "uniform-model" or formula.has_coalition
    return Verdict(
        index=number,
        formula=formula.text,
        parsed=formula.parsed,
        value=decision.value,
        engine=decision.engine or engine,
        seconds=seconds,
        strategies=reading if told else None,
        reason=decision.reason,
        evidence=decision.evidence if options.evidence else None,
        line=formula.line,
        numbers=decision.numbers,
        system=decision.system,
        name=formula.name,
        expected=_expected(formula, options),
        vacuous=decision.vacuous,
        strict=options.strict,
    )


def _expected(formula: AnySpecification, options: Options) -> Value:
    """Return the value that a formula should have: true where nothing is said."""
    if formula.expected is None or options.expect == "true":
        return Value.TRUE
    return Value(formula.expected)


class Session:
    """One task under way: it owns the budget, says when to give up, tells what was decided, has it proved.

    One decider after the other is used, until everything is decided or a limit is reached. Verdicts that were
    told stand: the next decider goes on with the next formula.
    """

    def __init__(self, task: Task, tell: Tell) -> None:
        """Prepare for a task; `tell` hears what comes of it."""
        self._task = task
        self._options = task.options
        self._tell = tell
        self._budget = task.limits.budget(tell)
        self._found = Findings(first_engine(task.model, task.options))
        self._verdicts: list[Verdict] = []
        self._checks: list[SanityCheck] = []
        self._notes: list[tuple[str, str]] = []
        #: Why what is still to be decided stays unknown.
        self._reason = ""

    def run(self) -> None:
        """Decide everything, and tell what is known of the model at the end."""
        try:
            self._run()
        finally:
            self._tell_findings(None)

    def _run(self) -> None:
        unsuited: set[str] = set()
        try:
            for decider in deciders(self._task, self._budget):
                if decider.found.engine in unsuited:
                    continue
                self._tell_findings(decider)
                started = self._budget.spent()
                try:
                    self._use(decider)
                except TryAnother as end:
                    if isinstance(end, Unsuited):
                        unsuited.add(decider.found.engine)
                    self._give_up(decider, end, self._budget.spent() - started)
                except _LIMITS as limit:
                    self._stop(limit)
                    self._leave_open(decider)
                    return
                else:
                    return
        except _LIMITS as limit:  # it was reached on the way to a decider
            self._stop(limit)
        self._leave_open(None)

    def _use(self, decider: Decider) -> None:
        """Decide all that is still open, then prove it in the time that is left."""
        self._budget.task = self._reason = ""
        decider.prepare()
        self._check_sanity(decider)
        self._tell_findings(decider)
        self._decide_all(decider)
        if self._options.account:
            self._notes.extend(decider.account())
        self._tell_findings(decider)
        if self._options.certificate:
            self._prove_all(decider)

    def _leave_open(self, decider: Decider | None) -> None:
        self._check_sanity(None)
        self._decide_all(None)
        self._tell_findings(decider)

    def _give_up(self, decider: Decider, end: TryAnother, seconds: float) -> None:
        """Make room for the next decider."""
        self._reason = str(end)  # unless the next one does better
        if self._options.account and self._reason:
            note = f"{decider.name} after {seconds:.3f} s: {end}"
            self._notes.append(("given up", note))
        self._found = decider.found._replace(diagnostics=(), states=self._states(decider))
        if len(self._checks) < len(self._options.checks):
            self._checks.clear()
        end.__traceback__ = None  # its frames hold all that was built
        decider.close()
        gc.collect()

    def _states(self, decider: Decider) -> int | None:
        """Return how many states there are, as far as any decider has found out."""
        return self._found.states if decider.found.states is None else decider.found.states

    def _tell_findings(self, decider: Decider | None) -> None:
        if decider is not None:
            initial = decider.found.initial
            self._found = decider.found._replace(
                states=self._states(decider),
                initial=self._found.initial if initial is None else initial,
            )
        self._tell(self._found._replace(checks=tuple(self._checks), account=tuple(self._notes)))

    def _left(self) -> Iterator[tuple[int, AnySpecification]]:
        """Go through what is still to be decided, each with its number; the budget hears of it."""
        asked = self._task.asked
        for place in range(len(self._verdicts), len(asked)):
            self._budget.task = f"formula {place + 1} of {len(asked)}"
            yield asked[place]

    def _decide_all(self, decider: Decider | None) -> None:
        for number, formula in self._left():
            verdict = self._decide(decider, number, formula)
            self._verdicts.append(verdict)
            self._tell(verdict)

    def _decide(self, decider: Decider | None, number: int, formula: AnySpecification) -> Verdict:
        started = time.monotonic()
        decision = Decision(Value.UNKNOWN, self._reason)
        if decider is not None and not self._reason:
            try:
                decision = decider.decide(number, formula)
            except TryAnother:
                raise
            except _LIMITS as limit:
                decision = Decision(Value.UNKNOWN, self._stop(limit))
        engine = self._found.engine if decider is None else decider.found.engine
        seconds = time.monotonic() - started
        return verdict_on(number, formula, self._options, engine, decision, seconds)

    def _prove_all(self, decider: Decider) -> None:
        formulae = dict(self._task.asked)
        for place, verdict in enumerate(self._verdicts, 1):
            self._budget.task = f"proof {place} of {len(formulae)}"
            self._tell(decider.prove(verdict, formulae[verdict.index]))

    def _check_sanity(self, decider: Decider | None) -> None:
        """Answer the questions about the model itself, if that is still to be done."""
        if self._checks:
            return
        for name in self._options.checks:
            started = time.monotonic()
            decision = Decision(Value.UNKNOWN, self._reason)
            if decider is not None:
                decision = decider.sanity(name)
            seconds = time.monotonic() - started
            self._checks.append(
                SanityCheck(name, decision.value, seconds, decision.reason, decision.evidence)
            )

    def _stop(self, limit: BaseException) -> str:
        """Return why a formula is unknown; remember it for the rest where it concerns them, too."""
        match limit:
            case OutOfReach():
                return str(limit)
            case LimitReached():
                self._reason = str(limit)
            case _:
                self._reason = "there was no more memory"
        return self._reason
