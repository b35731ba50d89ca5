"""What a campaign has come to, in a few rows: one for each model, engine and reading."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gnomon.campaign.answer import AnswerStanding, JobAnswer
from gnomon.campaign.contrary import ContraryAnswers, contrary
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.labels import family_label
from gnomon.campaign.plan_jobs import SameQuestion
from gnomon.campaign.store import Store
from gnomon.version import __version__

#: Nobody reads more names in one line.
_FEW: Final = 4


@dataclass
class SummaryRow:
    """What jobs of one model, engine and reading have come to, and what they took."""

    label: str
    standings: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    memory: float = 0.0

    def add(self, answer: JobAnswer) -> None:
        """Count one answer."""
        self.standings[answer.standing] += 1
        self.seconds += answer.provenance.seconds
        self.memory = max(self.memory, answer.provenance.memory)


@dataclass(frozen=True)
class NotExpected:
    """Jobs whose answers are the same, and not as they should be; what that is, in a few words."""

    standing: AnswerStanding
    words: str
    jobs: tuple[CampaignJob, ...]


def _words(answer: JobAnswer) -> str:
    """Return what is wrong: the reason, the first error, or the verdicts that differ."""
    if answer.reason:
        return answer.reason
    errors = [
        item["message"] for item in answer.result["diagnostics"] if item["severity"] == "error"
    ]
    return errors[0] if errors else "; ".join(_differences(answer))


def _differences(answer: JobAnswer) -> Iterator[str]:
    """Yield what differs from what is expected; formulae that do so for the same reason, together."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for each in answer.formulae:
        if not each["as_expected"]:
            expected = "" if each["verdict"] == "unknown" else f", expected {each['expected']}"
            reason = f" ({each['reason']})" if each["reason"] else ""
            name = each["name"] or f"formula {each['index']}"
            alike.setdefault((each["verdict"], expected, reason), []).append(name)
    for (verdict, expected, reason), names in alike.items():
        yield f"{some(names)}: {verdict}{expected}{reason}"
    for name, check in answer.result["checks"].items():
        if check is not None and check["found"] is not False:
            yield f"{name}: {'found' if check['found'] else 'unknown'}"


def some(names: Sequence[str]) -> str:
    """Return a few of the names, and how many more there are."""
    more = len(names) - _FEW
    return ", ".join(names[:_FEW]) + (f" and {more:,} more" if more > 0 else "")


@dataclass(frozen=True)
class CampaignSummary:
    """What a campaign has come to."""

    #: In the order of the jobs.
    rows: list[SummaryRow]
    odd: list[NotExpected]
    contrary: list[ContraryAnswers]
    #: Models that have no row, or a shorter one, since others ask the same.
    same: tuple[SameQuestion, ...] = ()


def summarised(
    jobs: Sequence[CampaignJob], store: Store, same: tuple[SameQuestion, ...] = ()
) -> CampaignSummary:
    """Return what jobs have come to, by what a store has."""
    wanted = {job.key for job in jobs}
    answers = {
        stored.answer.key: stored.answer
        for stored in store.answers(__version__)
        if stored.answer.key in wanted
    }
    rows: dict[str, SummaryRow] = {}
    odd: dict[tuple[AnswerStanding, str], list[CampaignJob]] = {}
    for job in jobs:
        label = family_label(job.question)
        row = rows.setdefault(label, SummaryRow(label))
        answer = answers.get(job.key)
        if answer is None:
            continue
        row.add(answer)
        if answer.standing != "expected":
            odd.setdefault((answer.standing, _words(answer)), []).append(job)
    return CampaignSummary(
        list(rows.values()),
        [NotExpected(*key, tuple(each)) for key, each in odd.items()],
        list(contrary(jobs, answers)),
        same,
    )


def total(rows: Iterable[SummaryRow]) -> SummaryRow:
    """Return all rows as one."""
    whole = SummaryRow("all")
    for row in rows:
        whole.standings += row.standings
        whole.seconds += row.seconds
        whole.memory = max(whole.memory, row.memory)
    return whole
