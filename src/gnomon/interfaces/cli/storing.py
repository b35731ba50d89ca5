"""The work behind `gnomon store`."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from itertools import groupby
from typing import Any, Final, TypeAlias

import click

from gnomon.campaign.exporting import EXPORTERS
from gnomon.campaign.rows import VerdictRow, rows
from gnomon.campaign.selecting import AnswerSelection
from gnomon.campaign.store import Store
from gnomon.campaign.stored import CampaignRun
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.models import show_diagnostics
from gnomon.interfaces.cli.screen import Screen, standard_error, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.results.render import table
from gnomon.results.styled import StyledText, squeeze
from gnomon.text.diagnostic import InputError

StoreOrder: TypeAlias = Mapping[str, Any]
StoreWork: TypeAlias = Callable[[StoreOrder], int]

#: A run that was not heard of for so many seconds, and has not said that it ended, is gone.
_SILENT: Final = 10.0


def _telling(work: StoreWork) -> StoreWork:
    """Have what is wrong with a store told as all diagnostics are."""

    @wraps(work)
    def told(given: StoreOrder) -> int:
        try:
            return work(given)
        except InputError as error:
            show_diagnostics(standard_error(no_color=given["no_color"]), error.diagnostics)
            return Status.BAD_INPUT

    return told


@contextmanager
def _reading(path: str) -> Iterator[Store]:
    with Store(path, must_exist=True, read_only=True) as store:
        yield store


def _selected(given: StoreOrder) -> AnswerSelection:
    return AnswerSelection(
        given["models"], given["standings"], given["version"], given["older_than"]
    )


@_telling
def list_answers(given: StoreOrder) -> int:
    """List answers, or runs, and return the status."""
    screen = standard_output(no_color=given["no_color"])
    with _reading(given["store"]) as store:
        if given["as_json"]:
            screen.put(EXPORTERS["rows"](store, _selected(given).of(store)).decode())
            return Status.DONE
        if given["runs"]:
            screen.write(_runs(store.runs(), screen))
            return Status.DONE
        found = list(rows(_selected(given).of(store)))
    screen.write(_listed(found, screen))
    return Status.DONE


def _listed(found: Sequence[VerdictRow], screen: Screen) -> StyledText:
    """Return the rows below the name of their model, with what they have in common said once."""
    text = StyledText()
    for model, group in groupby(found, key=lambda row: row.model):
        text.add_heading(model, (), screen.width)
        lines = [_cells(row) for row in group]
        header = ("", "formula", "verdict", "asked", "time", "memory", "when")
        text.extend(table.render(header, lines, screen.width - 2, flexible=(1,)), "  ")
        text.add()
    answers = len({(row.digest, row.repetition, row.version) for row in found})
    text.add(f"{_count(len(found), 'verdict')} in {_count(answers, 'answer')}")
    return text


def _cells(row: VerdictRow) -> tuple[str, ...]:
    sizes = ", ".join(f"{name}={value}" for name, value in row.constants.items())
    asked = [row.engine_asked] if row.engine_asked != "auto" else []
    asked += [row.strategies] if row.strategies not in {None, "perfect"} else []
    asked += [f"repetition {row.repetition}"] if row.repetition > 1 else []
    return (
        sizes,
        squeeze(row.name or row.formula or row.reason or ""),
        row.verdict,
        " ".join(asked),
        f"{row.job_seconds if row.seconds is None else row.seconds:.3f} s",
        f"{row.memory:,.0f} MB",
        _moment(datetime.fromisoformat(row.started).timestamp()),
    )


def _runs(runs: Iterable[CampaignRun], screen: Screen) -> StyledText:
    header = ("campaign", "began", "jobs", "state", "where", "command")
    lines = [
        (run.name, _moment(run.started), str(run.jobs), _state(run), run.machine, run.command)
        for run in runs
    ]
    if not lines:
        text = StyledText()
        text.add("no runs")
        return text
    return table.render(header, lines, screen.width)


def _state(run: CampaignRun) -> str:
    if run.ended is not None:
        return f"ended after {run.ended - run.started:,.0f} s"
    return "goes on" if time.time() - run.seen < _SILENT else "did not end"


@_telling
def export(given: StoreOrder) -> int:
    """Write answers for other programs, and return the status."""
    keep_apart([given["store"]], {"--output": given["output"]})
    with OutputFile(given["output"]) as file, _reading(given["store"]) as store:
        file.commit(EXPORTERS[given["format_"]](store, _selected(given).of(store)))
    return Status.DONE


@_telling
def merge(given: StoreOrder) -> int:
    """Merge stores into one, and return the status; what can be read of a damaged one is taken over."""
    screen = standard_output(no_color=given["no_color"])
    others = given["others"]
    keep_apart(others, {"INTO": given["into"]})
    # All of them are looked at before anything is written.
    for path in others:
        with _reading(path):
            pass
    status = Status.DONE
    with Store(given["into"]) as into:
        for path in others:
            with _reading(path) as other:
                taken, unreadable = into.merge(other)
            damaged = f", {unreadable:,} could not be read" if unreadable else ""
            screen.write(f"{path}: {_count(taken, 'answer')} taken over{damaged}\n")
            status = Status.OPEN if unreadable else status
    return status


@_telling
def forget(given: StoreOrder) -> int:
    """Forget answers, and return the status."""
    screen = standard_output(no_color=given["no_color"])
    meant = _selected(given)
    if meant.means_all and not given["everything"]:
        raise click.UsageError("say which answers, or --all: nothing was forgotten")
    with Store(given["store"], must_exist=True) as store:
        found = list(meant.of(store))
        if given["dry_run"]:
            screen.write(f"{_count(len(found), 'answer')} would be forgotten\n")
            return Status.DONE
        versions = {each.answer.provenance.version for each in found}
        gone = sum(
            store.forget(
                [each.answer.key for each in found if each.answer.provenance.version == version],
                version,
            )
            for version in sorted(versions)
        )
    screen.write(f"{_count(gone, 'answer')} forgotten\n")
    return Status.DONE


@_telling
def verify(given: StoreOrder) -> int:
    """Read a whole store, and return the status."""
    screen = standard_output(no_color=given["no_color"])
    with _reading(given["store"]) as store:
        found = list(store.problems())
        answers = len(store.standings(None))
    for each in found:
        screen.write(f"{each}\n")
    whole = "all of them whole" if not found else f"{_count(len(found), 'problem')} found"
    screen.write(f"{_count(answers, 'answer')}, {whole}\n")
    return Status.REFUTED if found else Status.DONE


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "–"  # whoever has changed the store


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
