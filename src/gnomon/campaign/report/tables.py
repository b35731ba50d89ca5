"""The tables of a report, as data: every format shows the same ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gnomon.campaign.report.measured import (
    CERTAIN,
    VERDICTS,
    CheckSetup,
    Measured,
    MeasuredVerdict,
    Sized,
)
from gnomon.text.numbers import show_integer


class ReportCell(NamedTuple):
    """A cell: what it says, what it is sorted by, and the name of its style ("" for none)."""

    text: str
    value: str | float = ""
    style: str = ""


@dataclass(frozen=True)
class ReportTable:
    """A table with a name for files, a title for people, and rows as long as its columns are many."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[ReportCell, ...], ...]
    #: What to say where there are no rows; such a table is not shown at all where this is empty.
    nothing: str = ""


def tables(found: Measured) -> tuple[ReportTable, ...]:
    """Return the tables of a campaign."""
    return (_summary(found), _problems(found), _verdicts(found), *_by_size(found), _jobs(found))


def words(text: str, style: str = "") -> ReportCell:
    """Return a cell that is sorted by what it says."""
    return ReportCell(text, text.casefold(), style)


def number(value: float | None, text: str = "") -> ReportCell:
    """Return a cell that is sorted by a number; nothing comes first."""
    return ReportCell("–", -1.0) if value is None else ReportCell(text or f"{value:,}", value)


def count(value: int | None) -> ReportCell:
    """Return a cell with a whole number of any length, sorted by how long it is beyond what floats hold."""
    if value is None:
        return number(None)
    text = show_integer(value)
    shown = f"{value:,}" if len(text) <= 15 else f"{text[0]}.{text[1:3]}e{len(text) - 1}"
    return ReportCell(shown, float(value) if len(text) < 300 else float("1e300") * 1.0)


def seconds(value: float | None) -> ReportCell:
    """Return a cell with a time."""
    return number(None) if value is None else number(value, f"{value:.3f}")


def verdict(value: str, expected: str | None = None) -> ReportCell:
    """Return a cell with a verdict; one that is not as expected says so."""
    if value not in CERTAIN:
        return ReportCell(value, value, "unknown" if value in VERDICTS else "unexpected")
    if expected is not None and value != expected:
        return ReportCell(f"{value} (expected {expected})", value, "unexpected")
    return ReportCell(value, value, "fine" if expected else "")


def _summary(found: Measured) -> ReportTable:
    rows = []
    for configuration in found.configurations:
        jobs = [job for job in found.jobs if job.configuration == configuration]
        given = [by[configuration] for by in found.verdicts.values() if configuration in by]
        rows.append(
            (
                words(configuration.label),
                number(len(jobs)),
                number(len(given)),
                number(sum(each.as_expected for each in given)),
                number(sum(each.verdict in CERTAIN and not each.as_expected for each in given)),
                number(sum(each.verdict not in CERTAIN for each in given)),
                seconds(sum(job.seconds for job in jobs)),
                seconds(sum(job.cpu for job in jobs)),
                number(max((job.memory for job in jobs), default=None)),
            )
        )
    columns = (
        "configuration",
        "models",
        "verdicts",
        "as expected",
        "unexpected",
        "open",
        "time (s)",
        "CPU (s)",
        "memory (MB)",
    )
    return ReportTable("summary", "Summary", columns, tuple(rows), "nothing was asked")


def _problems(found: Measured) -> ReportTable:
    rows = tuple(
        (
            words(subject.sized.model),
            words(subject.sized.label),
            words(subject.label),
            words(configuration.label),
            verdict(each.verdict, each.expected),
            words("; ".join(each.reasons)),
        )
        for subject, by in found.verdicts.items()
        for configuration, each in by.items()
        if not each.as_expected or each.contradicts_itself
    )
    columns = ("model", "constants", "formula", "configuration", "verdict", "reason")
    nothing = "every verdict is as expected"
    return ReportTable("problems", "Not as expected, or open", columns, rows, nothing)


def _verdicts(found: Measured) -> ReportTable:
    shown = found.configurations
    rows = []
    for subject, by in found.verdicts.items():
        cells = [words(subject.sized.model), words(subject.sized.label), words(subject.label)]
        for configuration in shown:
            each = by.get(configuration)
            cells += (
                [ReportCell("–"), number(None)]
                if each is None
                else [verdict(each.verdict, each.expected), seconds(each.seconds)]
            )
        rows.append(tuple(cells))
    titles = [title for each in shown for title in (each.label, f"{each.label} (s)")]
    columns = ("model", "constants", "formula", *titles)
    return ReportTable("verdicts", "Verdicts", columns, tuple(rows), "there are none")


_SIGNS = {"true": "✓", "false": "✗", "undefined": "½", "unknown": "?"}


def _by_size(found: Measured) -> Iterator[ReportTable]:
    """Yield a table for each model that was asked at several sizes: a column a size."""
    for model in sorted({subject.sized.model for subject in found.verdicts}):
        mine = {key: by for key, by in found.verdicts.items() if key.sized.model == model}
        sizes = sorted({subject.sized for subject in mine}, key=lambda sized: sized.constants)
        if len(sizes) < 2:
            continue
        # The text of a named formula may be another one at each size, as that of `safe[1]` is.
        given = {
            (subject.label, configuration, subject.sized): each
            for subject, by in mine.items()
            for configuration, each in by.items()
        }
        asked = dict.fromkeys((label, configuration) for label, configuration, _ in given)
        rows = tuple(
            (
                words(label),
                words(configuration.label),
                *(_sign(given.get((label, configuration, sized))) for sized in sizes),
            )
            for label, configuration in asked
        )
        columns = ("formula", "configuration", *(sized.label for sized in sizes))
        yield ReportTable(f"sizes-{model}", f"Verdict by size: {model}", columns, rows)


def _sign(each: MeasuredVerdict | None) -> ReportCell:
    if each is None:
        return ReportCell("–")
    said = verdict(each.verdict, each.expected)
    return said._replace(
        text=f"{_SIGNS.get(each.verdict, '!')}{'!' * (said.style == 'unexpected')}"
    )


def _jobs(found: Measured) -> ReportTable:
    rows = tuple(
        (
            words(job.sized.model),
            words(job.sized.label),
            words(job.configuration.label),
            words("yes", "fine") if job.solved else words("no", "unknown"),
            count(job.states),
            seconds(job.seconds),
            seconds(job.least),
            seconds(job.most),
            seconds(job.cpu),
            number(job.memory),
            number(job.repetitions),
        )
        for job in found.jobs
    )
    columns = (
        "model",
        "constants",
        "configuration",
        "decided",
        "states",
        "time (s)",
        "least (s)",
        "most (s)",
        "CPU (s)",
        "memory (MB)",
        "repetitions",
    )
    return ReportTable("jobs", "What it took", columns, rows, "there are none")


class ContraryVerdicts(NamedTuple):
    """Two ways that were certain of different things about one subject."""

    sized: Sized
    formula: str
    verdicts: tuple[tuple[CheckSetup, str], ...]


def contradictions(found: Measured) -> Iterator[ContraryVerdicts]:
    """Yield where two ways contradict each other, which is a bug of ours.

    Only one reading of strategies is compared with itself: readings differ in what formulae mean.
    """
    for subject, by in found.verdicts.items():
        for reading in sorted({configuration.strategies for configuration in by}):
            certain = [
                (configuration, value)
                for configuration, each in by.items()
                if configuration.strategies == reading
                for value in sorted(each.verdicts & CERTAIN)
            ]
            if len({value for _, value in certain}) > 1:
                yield ContraryVerdicts(subject.sized, subject.label, tuple(certain))


def as_text_rows(table: ReportTable) -> Sequence[Sequence[str]]:
    """Return what the cells say."""
    return [[cell.text for cell in row] for row in table.rows]


def as_values(table: ReportTable) -> list[dict[str, Any]]:
    """Return the rows as plain data."""
    return [
        dict(zip(table.columns, (cell.text for cell in row), strict=True)) for row in table.rows
    ]
