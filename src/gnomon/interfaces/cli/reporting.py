"""The work behind `gnomon campaign report`."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from gnomon.campaign.report.differences import REGRESSIONS
from gnomon.campaign.report.files import as_csv, as_latex
from gnomon.campaign.report.newest import newest
from gnomon.campaign.report.report import CampaignReport, facts, report
from gnomon.campaign.report.tables import ReportTable, as_text_rows
from gnomon.campaign.rows import VerdictRow
from gnomon.campaign.store import Store
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.models import show_diagnostics
from gnomon.interfaces.cli.screen import Screen, standard_error, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.results.render import table as text_table
from gnomon.results.styled import Styled, StyledText
from gnomon.text.diagnostic import InputError

#: What the screen shows of a report; all of it is in the page.
_ON_SCREEN = ("summary", "differences", "problems")
_MOST_ROWS = 30


def run(given: Mapping[str, Any]) -> int:
    """Write what is asked for, say in short what was found, and return the status."""
    store, against = given["store"], given["against"]
    keep_apart([store, against], {"--output": given["output"]})
    try:
        with ExitStack() as files:
            output = given["output"] and files.enter_context(OutputFile(given["output"]))
            made = report(
                given["title"] or f"Campaign {os.path.basename(store)}",
                _rows(store),
                None if against is None else _rows(against),
            )
            if output:
                output.commit(made.page())
    except InputError as error:
        show_diagnostics(standard_error(no_color=given["no_color"]), error.diagnostics)
        return Status.BAD_INPUT
    if given["tables"]:
        _write_tables(made, given["tables"])
    if given["output"] != "-":
        screen = standard_output(no_color=given["no_color"])
        screen.write(_told(made, screen))
    return _status(made)


def _rows(path: str) -> list[VerdictRow]:
    with Store(path, must_exist=True, read_only=True) as store:
        return newest(store.answers())


def _write_tables(made: CampaignReport, folder: str) -> None:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise click.ClickException(f"cannot make `{folder}`: {said}") from error
    for table in made.tables:
        name = "".join(sign if sign.isalnum() or sign in "-._" else "-" for sign in table.name)
        for ending, text in (("csv", as_csv(table)), ("tex", as_latex(table))):
            with OutputFile(str(Path(folder) / f"{name}.{ending}")) as file:
                file.commit(text)


def _told(made: CampaignReport, screen: Screen) -> StyledText:
    text = StyledText()
    text.add_heading(made.title, facts(made.found)[:3], screen.width)
    for table in made.tables:
        if table.name in _ON_SCREEN:
            text.add()
            text.extend(_table(table, screen))
    for each in made.contradictions:
        given = ", ".join(f"{value} by {how.label}" for how, value in each.verdicts)
        said = f"{each.sized.model} {each.sized.label}: `{each.formula}` is {given}"
        text.add()
        text.add(Styled("contradiction: ", "error"), said)
    if made.differences is not None:
        number = len(made.regressions)
        text.add()
        text.add(
            f"{number:,} regression{'' if number == 1 else 's'} ({', '.join(sorted(REGRESSIONS))})"
        )
    return text


def _table(table: ReportTable, screen: Screen) -> StyledText:
    text = StyledText()
    text.add(Styled(table.title, "strong"))
    if not table.rows:
        text.add("  ", table.nothing)
        return text
    shown = as_text_rows(table)[:_MOST_ROWS]
    text.extend(text_table.render(table.columns, shown, screen.width - 2), "  ")
    if len(table.rows) > _MOST_ROWS:
        text.add(f"  and {len(table.rows) - _MOST_ROWS:,} more: -o report.html shows all of them")
    return text


def _status(made: CampaignReport) -> int:
    if made.contradictions:
        return Status.BUG
    return Status.REFUTED if made.regressions else Status.DONE
