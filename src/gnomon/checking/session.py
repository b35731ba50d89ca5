"""Deciding the formulae of a model, by turns: what happens in the process that does the work."""

import gc
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from gnomon.checking.choose import deciders, first_engine
from gnomon.checking.decider import Decider, Decision, Task
from gnomon.checking.options import Options
from gnomon.checking.orbits import KnownOrbits
from gnomon.checking.policy import accepted, judged
from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import UNFINISHED, Proved, entry_of
from gnomon.checking.rounds import Rounds, Work
from gnomon.checking.told import Findings
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.any import AnySpecification
from gnomon.model.budget import (
    FormulaLimit,
    LimitReached,
    OutOfReach,
    TryAnother,
    Unsuited,
)

_NO_MEMORY = "there was no more memory"
_LIMITS = (LimitReached, MemoryError)
#: Limits that are about one formula alone.
_FOR_ONE = (OutOfReach, FormulaLimit)


@dataclass(eq=False)
class SanityWork(Work):
    """A question about the model itself."""

    name: str = ""


@dataclass(eq=False, kw_only=True)
class FormulaWork(Work):
    """A formula, with its number."""

    number: int
    formula: AnySpecification


@dataclass(eq=False, kw_only=True)
class ProofWork(Work):
    """A verdict on a formula that is to be proved."""

    verdict: Verdict
    formula: AnySpecification


AnyWork: TypeAlias = SanityWork | FormulaWork | ProofWork


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
        cycle=decision.cycle if options.evidence else None,
    )


def _expected(formula: AnySpecification, options: Options) -> Value:
    """Return the value that a formula should have: true where nothing is said."""
    if formula.expected is None or options.expect == "true":
        return Value.TRUE
    return Value(formula.expected)


class Session:
    """One task under way: it owns the budget, says when to give up, tells what was decided, has it proved.

    One decider after the other is used, until everything is decided or a limit is reached. What was told
    stands: the next decider goes on with what is left.
    """

    def __init__(self, task: Task, tell: Tell) -> None:
        """Prepare for a task; `tell` hears what comes of it."""
        self._task = task
        self._options = task.options
        self._tell = tell
        self._budget = task.limits.budget(tell)
        self._found = Findings(first_engine(task.model, task.options))
        self._checks: list[SanityCheck] = []
        self._orbits = KnownOrbits(task)
        self._notes: list[tuple[str, str]] = []
        #: Why what is still to be done stays open.
        self._reason = ""
        #: Why cells of states did not do, where states are listed after them.
        self._cells_failed = ""
        self._left: list[AnyWork] = [SanityWork("", name=name) for name in self._options.checks]
        for place, (number, formula) in enumerate(task.asked, 1):
            called = f"formula {place} of {len(task.asked)}"
            self._left.append(FormulaWork(called, number=number, formula=formula))

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
        """Do all that is still open."""
        self._budget.task = self._reason = ""
        decider.prepare()
        self._accept(decider)
        self._tell_findings(decider)
        rounds = Rounds[AnyWork](self._budget, self._options.formula_timeout)
        try:
            rounds.run(self._left, partial(self._do, decider))
        except TryAnother:
            raise
        except _LIMITS as limit:
            self._stop(limit)
            self._leave_open(decider)
        if self._options.account:
            self._notes.extend(decider.account())
            self._notes.extend(self._orbits.account())
        self._accept(decider)  # it may have found out more
        self._tell_findings(decider)

    def _accept(self, decider: Decider) -> None:
        """Raise `InputError` where something that was found about the model is an error."""
        accepted(decider.found.diagnostics, self._task.policy)

    def _leave_open(self, decider: Decider | None) -> None:
        """Say of all that is left that it is unknown, and why."""
        if decider is not None:
            self._accept(decider)
        engine = self._found.engine if decider is None else decider.found.engine
        unknown = Decision(Value.UNKNOWN, self._reason)
        for work in self._left:
            if isinstance(work, SanityWork):
                self._add_check(work, unknown)
            elif isinstance(work, FormulaWork):
                self._tell(self._verdict(work, unknown, engine))
        self._left.clear()
        self._tell_findings(decider)

    def _give_up(self, decider: Decider, end: TryAnother, seconds: float) -> None:
        """Make room for the next decider."""
        self._reason = str(end)  # unless the next one does better
        if decider.found.engine == "abstraction" and self._reason:
            self._cells_failed = f"; before that, on {decider.name}, {self._reason}"
        if self._options.account and self._reason:
            note = f"{decider.name} after {seconds:.3f} s: {end}"
            self._notes.append(("given up", note))
        self._found = decider.found._replace(diagnostics=(), states=self._states(decider))
        end.__traceback__ = None  # its frames hold all that was built
        decider.close()
        gc.collect()

    def _states(self, decider: Decider) -> int | None:
        """Return how many states there are, as far as any decider has found out."""
        return self._found.states if decider.found.states is None else decider.found.states

    def _tell_findings(self, decider: Decider | None) -> None:
        """Tell what is known of the model."""
        if decider is not None:
            initial, terminal = decider.found.initial, decider.found.terminal
            self._found = decider.found._replace(
                states=self._states(decider),
                initial=self._found.initial if initial is None else initial,
                terminal=self._found.terminal if terminal is None else terminal,
                diagnostics=judged(decider.found.diagnostics, self._task.policy),
            )
        self._tell(self._found._replace(checks=self._checked(), account=tuple(self._notes)))

    def _checked(self) -> tuple[SanityCheck, ...]:
        """Return the questions about the model that are answered, in the order in which they are asked."""
        return tuple(sorted(self._checks, key=lambda each: self._options.checks.index(each.name)))

    # One thing at a time

    def _do(self, decider: Decider, work: AnyWork) -> tuple[AnyWork, ...]:
        """Do one thing and tell of it; return what it leads to."""
        try:
            match work:
                case SanityWork():
                    self._add_check(work, decider.sanity(work.name))
                    self._tell_findings(decider)
                case FormulaWork():
                    return self._decided(decider, work, self._decide(decider, work))
                case ProofWork():
                    self._tell(decider.prove(work.verdict, work.formula))
        except _FOR_ONE as limit:
            unknown = Decision(Value.UNKNOWN, str(limit))
            match work:
                case SanityWork():
                    self._add_check(work, unknown)
                case FormulaWork():
                    return self._decided(decider, work, unknown)
                case ProofWork():
                    self._tell(Proved(entry_of(work.verdict, work.formula.logic, UNFINISHED)))
        return ()

    def _decide(self, decider: Decider, work: FormulaWork) -> Decision:
        """Decide a formula, unless it follows from one that is decided."""
        known = self._orbits.known(work.formula)
        if known is not None:
            return known
        decision = decider.decide(work.number, work.formula)
        self._orbits.learn(work.formula, decision, decider.found.engine)
        return decision

    def _decided(
        self, decider: Decider, work: FormulaWork, decision: Decision
    ) -> tuple[AnyWork, ...]:
        self._accept(decider)  # it may have found out more
        verdict = self._verdict(work, decision, decider.found.engine)
        self._tell(verdict)
        if not self._options.certificate or verdict.value not in {Value.TRUE, Value.FALSE}:
            return ()
        called = work.called.replace("formula", "proof")
        return (ProofWork(called, verdict=verdict, formula=work.formula),)

    def _verdict(self, work: FormulaWork, decision: Decision, engine: str) -> Verdict:
        seconds = self._spent(work)
        return verdict_on(work.number, work.formula, self._options, engine, decision, seconds)

    def _add_check(self, work: SanityWork, decision: Decision) -> None:
        seconds = self._spent(work)
        self._checks.append(
            SanityCheck(work.name, decision.value, seconds, decision.reason, decision.evidence)
        )

    def _spent(self, work: AnyWork) -> float:
        turn = self._budget.turn
        return work.spent if turn is None else turn.spent()

    def _stop(self, limit: BaseException) -> None:
        """Remember why all that is left stays open."""
        why = str(limit) if isinstance(limit, LimitReached) else _NO_MEMORY
        self._reason = why + self._cells_failed
