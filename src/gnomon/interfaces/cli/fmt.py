"""`gnomon fmt`: models in their canonical form."""

import click

from gnomon.checking.load import read_source
from gnomon.interfaces.cli import options
from gnomon.interfaces.cli.files import write_whole
from gnomon.interfaces.cli.models import show_diagnostics
from gnomon.interfaces.cli.screen import Screen, standard_error, standard_output
from gnomon.language.dialect import report_beyond_mcmas
from gnomon.language.format import format_text
from gnomon.language.parse import parse
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


@click.command("fmt", context_settings=options.SETTINGS, epilog=_EXAMPLE)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--check", is_flag=True, help="Change nothing; exit 1 where something would change.")
@click.option(
    "--mcmas",
    is_flag=True,
    help="Change nothing; say where a model goes beyond MCMAS, and exit 1 where it does.",
)
@options.appearance
def command(
    *, models: tuple[str, ...], check: bool, mcmas: bool, no_color: bool, verbose: bool
) -> int:
    """Format each MODEL in place; `-` formats standard input to standard output."""
    errors = standard_error(no_color=no_color)
    if mcmas:
        return max(_compare_with_mcmas(path, errors) for path in models)
    status = 0
    for path in models:
        try:
            before, after = _format(path)
        except InputError as error:
            show_diagnostics(errors, error.diagnostics)
            status = 2
            continue
        if path == "-" and not check:
            standard_output(no_color=True).write(after)
        elif before != after:
            errors.write(f"{'would change' if check else 'formatted'} {path}\n")
            status = max(status, int(check))
            if not check:
                write_whole(path, after)
        elif verbose:
            errors.write(f"unchanged {path}\n")
    return status


def _compare_with_mcmas(path: str, errors: Screen) -> int:
    """Show what MCMAS would not read of a file."""
    try:
        parsed = parse(read_source(path))
    except InputError as error:
        show_diagnostics(errors, error.diagnostics)
        return 2
    if not parsed.diagnostics.has_errors:
        report_beyond_mcmas(parsed.program, parsed.diagnostics)
    found = parsed.diagnostics.sorted()
    show_diagnostics(errors, found)
    return 2 if parsed.diagnostics.has_errors else int(bool(found))


def _format(path: str) -> tuple[str, str]:
    """Return a file's text and its canonical form, with the line ends it had."""
    source = read_source(path)
    before = source.text
    after = format_text(Source(source.name, before.replace("\r\n", "\n")))
    return before, after.replace("\n", "\r\n") if "\r\n" in before else after
