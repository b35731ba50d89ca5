"""`gnomon fmt`: models in their canonical form."""

from collections.abc import Callable
from typing import Final

import click

from gnomon.checking.load import decoded, limited, read_bytes
from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.files import write_whole
from gnomon.interfaces.cli.models import (
    in_time,
    not_read,
    show_diagnostics,
    standing_limits,
    status_of,
)
from gnomon.interfaces.cli.screen import Screen, standard_error, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.language.format import FormattingBug, format_text
from gnomon.language.mcmas.beyond import report_beyond_mcmas
from gnomon.language.mcmas.edits import TranslationBug
from gnomon.language.parse import parse
from gnomon.model.budget import LimitReached
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source

_EXAMPLE = """
\b
Examples:
  gnomon fmt model.ispl
  gnomon fmt --check examples/*.ispl
  gnomon fmt - < model.ispl
  gnomon fmt --mcmas model.ispl
"""

_MARK: Final = "\ufeff"


@click.command("fmt", context_settings=shared_options.SETTINGS, epilog=_EXAMPLE)
@click.argument(
    "models",
    nargs=-1,
    required=True,
    metavar="MODEL...",
    shell_complete=shared_options.completing("models"),
)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 where something would change.")
@click.option(
    "--mcmas",
    is_flag=True,
    help="Write names and expectations of formulae as comments, definitions as what they stand for, initial "
    "values into InitStates, and `if` and the like, `W`, `R`, bounds, `[[g]]` and groups without a name in "
    "MCMAS's words; leave models without any as they are; say where a model goes beyond MCMAS, and exit 1 "
    "where it does.",
)
@shared_options.appearance
def command(
    *, models: tuple[str, ...], check: bool, mcmas: bool, no_color: bool, verbose: bool
) -> int:
    """Format each MODEL in place; `-` formats standard input to standard output."""
    errors = standard_error(no_color=no_color)
    format_one = _for_mcmas if mcmas else _format_one
    status: int = Status.DONE
    bug: FormattingBug | TranslationBug | None = None
    for path in models:
        try:
            status = max(status, format_one(path, errors, check=check, verbose=verbose))
        except (LimitReached, MemoryError) as limit:
            unread = [not_read(path, limit)]
            show_diagnostics(errors, unread)
            status = max(status, status_of(unread))
        except InputError as error:
            show_diagnostics(errors, error.diagnostics)
            status = Status.BAD_INPUT
        except click.ClickException as error:
            # It could not be written; the other models still can.
            errors.write(f"Error: {error.format_message()}\n")
            status = Status.BAD_INPUT
        except (FormattingBug, TranslationBug) as error:
            bug = bug or error
    if bug is not None:
        raise bug
    return status


def _format_one(path: str, errors: Screen, *, check: bool, verbose: bool) -> int:
    """Format one model and say so once it is done; return the status of that."""
    before, after = _format(path, format_text)
    return _finish(path, before, after, errors, check=check, verbose=verbose)


def _for_mcmas(path: str, errors: Screen, *, check: bool, verbose: bool) -> int:
    """Write what is said about formulae in a way that MCMAS reads, and show what it still would not read."""
    from gnomon.results.export.mcmas_text import in_mcmas_words  # most models are only formatted

    before, after = _format(path, in_mcmas_words)
    status = _finish(path, before, after, errors, check=check, verbose=verbose)
    parsed = parse(decoded(path, (before if check else after).encode()))
    report_beyond_mcmas(parsed.program, parsed.diagnostics, in_other_words=not check)
    found = parsed.diagnostics.sorted()
    show_diagnostics(errors, found)
    beyond = any(item.code == "G0412" for item in found)
    return max(status, Status.REFUTED if beyond else Status.DONE)


def _finish(
    path: str, before: str, after: str, errors: Screen, *, check: bool, verbose: bool
) -> int:
    if path == "-" and not check:
        # It is data: written as a file would hold it, whatever the terminal can show.
        standard_output().put(after)
    elif before == after:
        if verbose:
            errors.write(f"unchanged {path}\n")
    elif check:
        errors.write(f"would change {path}\n")
        return Status.REFUTED
    else:
        write_whole(path, after)
        errors.write(f"formatted {path}\n")
    return Status.DONE


def _format(path: str, formatter: Callable[[Source], str | None]) -> tuple[str, str]:
    """Return a file's text and what becomes of it, with the line ends and the mark it had.

    Where the formatter returns None, it stays as it is.
    """
    data = read_bytes(path)
    source = decoded(path, data)
    before = data.decode()
    budget = standing_limits()
    with limited(budget), in_time(budget):
        after = formatter(Source(source.name, source.text.replace("\r\n", "\n")))
    if after is None:
        return before, before
    mark = _MARK if before.startswith(_MARK) else ""
    return before, mark + after.replace("\n", _line_end(before))


def _line_end(text: str) -> str:
    """Return the line end that a text uses most."""
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=lambda end: counts[end])
