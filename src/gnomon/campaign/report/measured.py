"""Rows of a campaign put together: what was asked how, and what came of it over all repetitions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

from gnomon.campaign.rows import VerdictRow
from gnomon.results.styled import squeeze
from gnomon.text.numbers import show_integer

CERTAIN: Final = frozenset({"true", "false"})
#: Verdicts that a campaign is about; others say why there is none.
VERDICTS: Final = frozenset({"true", "false", "undefined", "unknown"})


class CheckSetup(NamedTuple):
    """How something was asked: what the columns of tables and the series of plots are."""

    engine: str
    strategies: str
    order: str = "auto"
    diagrams: str = "auto"

    @property
    def label(self) -> str:
        """What to call it: what is as usual goes without saying, but for the engine."""
        more = (self.strategies, "perfect"), (self.order, "auto"), (self.diagrams, "auto")
        return " ".join([self.engine, *(value for value, usual in more if value != usual)])


class Sized(NamedTuple):
    """A model with what its constants are worth, in the order of their names."""

    model: str
    constants: tuple[tuple[str, int], ...]

    @property
    def label(self) -> str:
        """What to call the constants."""
        return ", ".join(f"{name}={show_integer(value)}" for name, value in self.constants)


class Subject(NamedTuple):
    """What a verdict is about: a formula of a model at a size."""

    sized: Sized
    formula: str
    #: Its name, or else its text.
    label: str


@dataclass(frozen=True)
class MeasuredVerdict:
    """What came of a subject in one configuration, over all repetitions."""

    #: All verdicts that were given, which should be one.
    verdicts: frozenset[str]
    expected: str | None
    as_expected: bool
    reasons: tuple[str, ...]
    seconds: float

    @property
    def verdict(self) -> str:
        """Return the verdict; where repetitions differ, what is certain counts."""
        certain = self.verdicts & CERTAIN
        return min(certain or self.verdicts)

    @property
    def contradicts_itself(self) -> bool:
        """Return whether two repetitions were certain of different things, which is a bug of ours."""
        return self.verdicts >= CERTAIN


@dataclass(frozen=True)
class MeasuredJob:
    """What a model at a size took in one configuration: medians over all repetitions."""

    sized: Sized
    configuration: CheckSetup
    repetitions: int
    seconds: float
    #: The quickest and the slowest repetition.
    least: float
    most: float
    cpu: float
    memory: float
    states: int | None
    #: Whether every formula was decided for certain, in every repetition.
    solved: bool
    limit: float | None


@dataclass(frozen=True)
class Measured:
    """All that a campaign found."""

    verdicts: Mapping[Subject, Mapping[CheckSetup, MeasuredVerdict]]
    jobs: tuple[MeasuredJob, ...]
    rows: tuple[VerdictRow, ...]

    @property
    def configurations(self) -> tuple[CheckSetup, ...]:
        """Return all that occur, in their order."""
        return tuple(sorted({job.configuration for job in self.jobs}))


def measured(rows: Iterable[VerdictRow]) -> Measured:
    """Put rows together."""
    listed = tuple(rows)
    return Measured(_verdicts(listed), _jobs(listed), listed)


def _verdicts(
    rows: Iterable[VerdictRow],
) -> dict[Subject, dict[CheckSetup, MeasuredVerdict]]:
    grouped: defaultdict[tuple[Subject, CheckSetup], list[VerdictRow]] = defaultdict(list)
    for row in rows:
        grouped[subject_of(row), configuration_of(row)].append(row)
    found: defaultdict[Subject, dict[CheckSetup, MeasuredVerdict]] = defaultdict(dict)
    for (subject, configuration), group in sorted(grouped.items(), key=lambda item: item[0]):
        found[subject][configuration] = MeasuredVerdict(
            frozenset(row.verdict for row in group),
            group[0].expected,
            all(row.as_expected for row in group),
            tuple(dict.fromkeys(row.reason for row in group if row.reason)),
            median(row.job_seconds if row.seconds is None else row.seconds for row in group),
        )
    return dict(found)


def _jobs(rows: Iterable[VerdictRow]) -> tuple[MeasuredJob, ...]:
    grouped: defaultdict[tuple[Sized, CheckSetup], list[VerdictRow]] = defaultdict(list)
    for row in rows:
        grouped[sized_of(row), configuration_of(row)].append(row)
    return tuple(_job(key, group) for key, group in sorted(grouped.items()))


def _job(key: tuple[Sized, CheckSetup], rows: list[VerdictRow]) -> MeasuredJob:
    # One job has a row for each of its verdicts; where each formula is a job, all of them are added up.
    jobs = {(row.digest, row.repetition, row.version): row for row in rows}
    repetitions: defaultdict[int, list[VerdictRow]] = defaultdict(list)
    for row in jobs.values():
        repetitions[row.repetition].append(row)
    seconds = [sum(row.job_seconds for row in group) for group in repetitions.values()]
    return MeasuredJob(
        *key,
        len(repetitions),
        median(seconds),
        min(seconds),
        max(seconds),
        median(sum(row.cpu for row in group) for group in repetitions.values()),
        median(max(row.memory for row in group) for group in repetitions.values()),
        next((row.states for row in rows if row.states is not None), None),
        all(row.verdict in CERTAIN for row in rows),
        next((row.timeout for row in rows if row.timeout is not None), None),
    )


def subject_of(row: VerdictRow) -> Subject:
    """Return what a row is about."""
    text = squeeze(row.formula or "")
    return Subject(sized_of(row), text, row.name or text)


def sized_of(row: VerdictRow) -> Sized:
    """Return the model and the size of a row."""
    return Sized(row.model, tuple(sorted(row.constants.items())))


def configuration_of(row: VerdictRow) -> CheckSetup:
    """Return how the question of a row was asked."""
    reading = " ".join(filter(None, (row.strategies or "perfect", row.uniform_group)))
    return CheckSetup(row.engine_asked, reading, row.order, row.diagrams)
