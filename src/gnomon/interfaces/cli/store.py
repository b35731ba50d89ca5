"""`gnomon store`: the answers that campaigns have kept, listed, exported, merged and forgotten."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gnomon.interfaces.cli import shared_options

Command = TypeVar("Command", bound=Callable[..., Any])

_HELP = """
\b
A store is one file. What it has is not asked again by `gnomon campaign`.

\b
Examples:
  gnomon store list muddy.store
  gnomon store export muddy.store --format csv -o muddy.csv
  gnomon store merge all.store shard-*.store
  gnomon store forget muddy.store --standing open
  gnomon store verify muddy.store
"""

_STANDINGS = ("expected", "unexpected", "open", "refused", "lost")


@click.group("store", context_settings=shared_options.SETTINGS, epilog=_HELP)
def command() -> None:
    """List, export, merge and forget the answers of campaigns."""


def _selection(function: Command) -> Command:
    """Add the options that say which answers are meant."""
    for option in (
        click.option(
            "--older-than",
            type=shared_options.Amount(),
            metavar="DAYS",
            help="Answered so long ago.",
        ),
        click.option("--version", "version", metavar="V", help="Answered by this version."),
        click.option(
            "--standing",
            "standings",
            multiple=True,
            type=click.Choice(_STANDINGS),
            help="Answers that stand so (repeatable).",
        ),
        click.option(
            "--model",
            "models",
            multiple=True,
            metavar="PATTERN",
            help="Models whose name fits, with * and ? (repeatable).",
        ),
    ):
        function = option(function)
    return function


_store = click.argument("store", shell_complete=shared_options.completing("files"))


@command.command("list", context_settings=shared_options.SETTINGS)
@_store
@_selection
@click.option("--runs", is_flag=True, help="List the runs of campaigns instead.")
@click.option("--json", "as_json", is_flag=True, help="Print rows as JSON lines.")
@shared_options.appearance
def list_answers(**given: Any) -> int:
    """List the answers in STORE, a line a verdict."""
    from gnomon.interfaces.cli import storing

    return storing.list_answers(given)


@command.command("export", context_settings=shared_options.SETTINGS)
@_store
@_selection
@click.option(
    "--format",
    "format_",
    default="jsonl",
    type=click.Choice(("jsonl", "rows", "csv", "parquet")),
    show_default=True,
    help="Whole answers with evidence and certificates (jsonl), or a row a verdict.",
)
@click.option("-o", "--output", default="-", metavar="FILE", help="Write there; `-` prints.")
@shared_options.appearance
def export(**given: Any) -> int:
    """Write the answers in STORE for other programs."""
    from gnomon.interfaces.cli import storing

    return storing.export(given)


@command.command("merge", context_settings=shared_options.SETTINGS)
@click.argument("into", shell_complete=shared_options.completing("files"))
@click.argument(
    "others", nargs=-1, required=True, shell_complete=shared_options.completing("files")
)
@shared_options.appearance
def merge(**given: Any) -> int:
    """Take over into INTO, which may be new, what the OTHERS have. They stay as they are."""
    from gnomon.interfaces.cli import storing

    return storing.merge(given)


@command.command("forget", context_settings=shared_options.SETTINGS)
@_store
@_selection
@click.option("--all", "everything", is_flag=True, help="Forget every answer.")
@click.option("--dry-run", is_flag=True, help="Only say how many would be forgotten.")
@shared_options.appearance
def forget(**given: Any) -> int:
    """Forget answers in STORE, so that they are asked again."""
    from gnomon.interfaces.cli import storing

    return storing.forget(given)


@command.command("verify", context_settings=shared_options.SETTINGS)
@_store
@shared_options.appearance
def verify(**given: Any) -> int:
    """Read all of STORE, and say whether anything in it is damaged."""
    from gnomon.interfaces.cli import storing

    return storing.verify(given)
