"""One question for somebody who watches: progress while it is decided, and pages that explain what was found.

The pages are made where the evidence is, in the process of the job: what comes back is text.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import packed, unpacked
from gnomon.campaign.worker import answer_with, in_a_process
from gnomon.checking.process.child import Job, Tell
from gnomon.checking.supervise import fork_from_here
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.budget import Details
from gnomon.text.errors import Unable

#: So many seconds pass between two words about how far it is.
_PAUSE: Final = 0.2
#: Nobody reads more pages, and nobody waits longer for them; who wants another one asks about that formula
#: alone.
_MOST_PAGES: Final = 200
_PAGES_SECONDS: Final = 5.0
#: So many seconds one page may take beyond that, before what was decided is lost with its process.
_LAST_PAGE: Final = 30.0


class DecidedFormula(NamedTuple):
    """What was found of a formula, before what explains it is there: its number, value and seconds."""

    number: int
    value: str
    seconds: float


class Underway(NamedTuple):
    """How far a check is: in words, how many of the formulae are decided, and what was found just now."""

    words: str
    decided: int
    found: DecidedFormula | None = None


class VerdictPage(NamedTuple):
    """Why a formula has its value: a title, a story in plain text, and a page of HTML."""

    title: str
    text: str
    html: str


@dataclass(frozen=True)
class ExplainedAnswer:
    """An answer, with pages for the verdicts, or the first of very many, by the numbers of the formulae."""

    answer: JobAnswer
    pages: Mapping[int, VerdictPage]

    @staticmethod
    def read(text: str) -> "ExplainedAnswer":
        """Return what the process of a job has sent."""
        data = unpacked(text)
        pages = {int(number): VerdictPage(*page) for number, page in data["pages"].items()}
        return ExplainedAnswer(JobAnswer.from_data(data["answer"]), pages)


def explained_in_a_process(job: CampaignJob, room: float | None) -> tuple[Job, float | None]:
    """Return what a process does for a job that is watched, and after how many seconds it is ended."""
    _, seconds = in_a_process(job, room)
    data = packed(replace(job, room=job.room or room).to_data())
    # Pages are made when the time for deciding may be used up.
    return partial(explain_here, data), seconds and seconds + _PAGES_SECONDS + _LAST_PAGE


def explain_here(job: str, tell: Tell) -> str:
    """Answer a job in this very process, tell how far it is, and explain what was found."""
    fork_from_here()
    watching = _CheckWatcher(tell)
    answer, result = answer_with(
        CampaignJob.from_data(unpacked(job)), watching.report, watching.on_verdict
    )
    return packed({"answer": answer.to_data(), "pages": _pages(result)})


class _CheckWatcher:
    """Tells somebody else how far a check is, now and then."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.due = 0.0
        self.decided = 0

    def report(self, task: str, phase: str, amount: int, details: Details) -> None:
        """Hear of the work; called very often."""
        now = time.monotonic()
        if now < self.due:
            return
        self.due = now + _PAUSE
        count = f"{phase} {amount:,}" if amount else phase
        words = " · ".join(part for part in (task, count, details()) if part)
        self.tell(Underway(words, self.decided))

    def on_verdict(self, verdict: Verdict) -> None:
        """Hear of a verdict."""
        self.decided += 1
        found = DecidedFormula(verdict.index, str(verdict.value), verdict.seconds)
        self.tell(Underway(f"{verdict.label} is {verdict.value}", self.decided, found))


def _pages(result: Result) -> dict[int, VerdictPage]:
    """Return as many pages as there is time for, those of verdicts that nobody expected first."""
    ends = time.monotonic() + _PAGES_SECONDS
    pages: dict[int, VerdictPage] = {}
    for verdict in sorted(result.verdicts, key=lambda verdict: verdict.as_expected)[:_MOST_PAGES]:
        if time.monotonic() > ends:
            break
        pages[verdict.index] = _page(result, verdict)
    return pages


def _page(result: Result, verdict: Verdict) -> VerdictPage:
    from gnomon.results.formats import VERDICTS
    from gnomon.results.phrases import titled
    from gnomon.results.render.evidence.view import VerdictView
    from gnomon.results.styled import StyledText

    alone = replace(result, verdicts=(verdict,), system=verdict.system or result.system)
    view = VerdictView(alone)
    made = []
    for format_ in ("text", "html"):
        try:
            shown = VERDICTS[format_].explain(view)
        except Unable as reason:
            shown = str(reason)
        made.append(shown.plain() if isinstance(shown, StyledText) else shown)
    return VerdictPage(titled(verdict), *made)
