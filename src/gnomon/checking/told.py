"""What the process that decides tells the one that asked, and what is made of it there.

Everything that is decided is told at once, in whatever order that is: whenever the work is ended, what was
told stands.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gnomon.checking.process.child import Tell
from gnomon.checking.proofs import Proofs, Proved
from gnomon.checking.supervise import INTERRUPTED, TERMINATED, Ended
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.budget import Budget, Details, Report
from gnomon.text.diagnostic import Diagnostic

#: Progress is told at most ten times a second.
_PAUSE = 0.1
#: After so many seconds without a word, what was said last is said again: somebody may show a clock.
_SILENCE = 0.2


class Progress(NamedTuple):
    """Where the work is."""

    task: str
    phase: str
    amount: int
    details: str


class Findings(NamedTuple):
    """What is known of the model as a whole; each replaces the one before."""

    engine: str
    states: int | None = None
    initial: int | None = None
    terminal: int | None = None
    checks: tuple[SanityCheck, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    account: tuple[tuple[str, str], ...] = ()
    predicates: tuple[tuple[str, str], ...] = ()


Message: TypeAlias = Progress | Findings | Verdict | Proved


class Limits(NamedTuple):
    """The limits of a budget that is kept in another process, and whether to tell of progress there.

    The clock is the machine's: it goes on while the question travels.
    """

    seconds: float | None
    megabytes: float | None
    started: float
    progress: bool

    @staticmethod
    def of(budget: Budget) -> "Limits":
        """Return those of a budget."""
        progress = budget.report is not None
        return Limits(budget.seconds, budget.megabytes, budget.started, progress)

    def budget(self, tell: Tell) -> Budget:
        """Return the budget for the process that works, which tells of its progress if that is wanted."""
        report = _telling(tell) if self.progress else None
        return Budget(self.seconds, self.megabytes, report=report, started=self.started)


def _telling(tell: Tell) -> Report:
    due = time.monotonic() + _PAUSE

    def report(task: str, phase: str, amount: int, details: Details) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + _PAUSE
            tell(Progress(task, phase, amount, details()))

    return report


class Heard:
    """All that was told, in the process that asked."""

    def __init__(
        self,
        findings: Findings,
        report: Report | None,
        on_verdict: Callable[[Verdict], None] | None,
    ) -> None:
        """Start with nothing but the engine that was asked for."""
        self.findings = findings
        self.verdicts: list[Verdict] = []
        self.proofs = Proofs()
        self.interrupted = False
        self.terminated = False
        self._report = report
        self._on_verdict = on_verdict
        self._last = Progress("", "", 0, "")
        self._due = time.monotonic() + _SILENCE

    def hear(self, message: Message) -> None:
        """Take down one message."""
        match message:
            case Progress():
                self._tell_of(message)
            case Findings():
                self.findings = message
            case Proved():
                self.proofs.add(message)
            case Verdict():
                self.verdicts.append(message)
                if self._on_verdict is not None:
                    self._on_verdict(message)

    def wait(self) -> None:
        """Say again where the work is, if nothing was heard of it for a while: it may be in a long call."""
        if time.monotonic() >= self._due:
            self._tell_of(self._last)

    def _tell_of(self, progress: Progress) -> None:
        self._last = progress
        self._due = time.monotonic() + _SILENCE
        if self._report is not None:
            task, phase, amount, details = progress
            self._report(task, phase, amount, lambda: details)

    def close(
        self,
        ended: Ended,
        asked: Mapping[int, Callable[[str], Verdict]],
        checks: Sequence[str],
    ) -> None:
        """Leave open what was not told, where the work was given up, and say why; put all in order.

        `asked` has every formula by its number, with what makes an unknown verdict on it.
        """
        if ended.reason:
            self.interrupted = ended.reason in {INTERRUPTED, TERMINATED}
            self.terminated = ended.reason == TERMINATED
            told = {check.name: check for check in self.findings.checks}
            unknown = (SanityCheck(name, Value.UNKNOWN, 0.0, ended.reason, None) for name in checks)
            found = tuple(told.get(check.name, check) for check in unknown)
            self.findings = self.findings._replace(checks=found)
            decided = {verdict.index for verdict in self.verdicts}
            for number, unanswered in asked.items():
                if number not in decided:
                    self.hear(unanswered(ended.reason))
        places = {number: place for place, number in enumerate(asked)}
        self.verdicts.sort(key=lambda verdict: places[verdict.index])

    def fields(self, diagnostics: tuple[Diagnostic, ...]) -> dict[str, Any]:
        """Return what a `Result` takes over as it is; some diagnostics were there before."""
        return {
            **self.findings._asdict(),
            "verdicts": tuple(self.verdicts),
            "interrupted": self.interrupted,
            "terminated": self.terminated,
            "diagnostics": (*diagnostics, *self.findings.diagnostics),
        }
