"""`gnomon check`: the formulae of models, each with its verdict."""

from contextlib import ExitStack
from typing import Any, get_args

import click

from gnomon.checking.attempts import LibraryChoice, OrderChoice
from gnomon.interfaces.cli import check_options, shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import is_terminal, standard_output
from gnomon.results.formats import RESULTS

_HELP_STATUS = """
\b
Exit status: 0 every formula as expected (true where the file says nothing), 1 some
formula decided otherwise, 3 none of these but some undefined or unknown,
2 bad input or usage (nothing checked), 130 interrupted.

\b
Examples:
  gnomon check examples/bit_transmission.ispl
  gnomon check model.ispl --formula 'AG(recack -> K(Sender, bit0))' --evidence
  gnomon check model.ispl --only 'safe*' --only bypass
  gnomon check ring.ispl --set n=2..8
  gnomon check *.ispl --format junit -o report.xml
"""


@click.command("check", context_settings=shared_options.SETTINGS, epilog=_HELP_STATUS)
@click.argument(
    "models",
    nargs=-1,
    required=True,
    metavar="MODEL...",
    shell_complete=shared_options.completing("models"),
)
@click.option(
    "--formula",
    "formulae",
    multiple=True,
    metavar="TEXT",
    help="Check this formula instead of the file's (repeatable).",
)
@click.option(
    "--only",
    multiple=True,
    type=check_options.FormulaParameter(),
    metavar="NAME",
    shell_complete=shared_options.completing("formulae"),
    help="Check only this formula of the file: its name (`safe*`: all of those) or number (repeatable).",
)
@check_options.how
@check_options.abstracting
@click.option(
    "--explain-predicates",
    is_flag=True,
    help="List what an abstraction tells apart, and where it comes from.",
)
@click.option(
    "--evidence/--no-evidence",
    default=None,
    help="Build witnesses, counterexamples and strategies (default: for a terminal).",
)
@check_options.telling
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=shared_options.completing("files"),
    help="Write what it takes to check the verdicts again (see `gnomon verify-certificate`).",
)
@click.option(
    "--paranoid",
    is_flag=True,
    help="Every verdict twice: two engines where two can, evidence replayed, proofs checked.",
)
@click.option(
    "--race/--no-race",
    default=None,
    help="Try other engines, orders and diagrams side by side (default: once it takes long).",
)
@click.option(
    "--parallel",
    is_flag=True,
    help="Ask about parts of the initial states side by side, on all processors.",
)
@click.option("--check-deadlock", is_flag=True, help="Also: can a deadlock be reached?")
@click.option("--check-overflow", is_flag=True, help="Also: can a value leave its range?")
@check_options.judging
@check_options.limits
@click.option(
    "--order",
    type=click.Choice(get_args(OrderChoice)),
    default="auto",
    show_default=True,
    help="For experts: how the symbolic engine orders its variables.",
)
@click.option(
    "--diagrams",
    type=click.Choice(get_args(LibraryChoice)),
    default="auto",
    show_default=True,
    help="For experts: whose decision diagrams it uses.",
)
@shared_options.swept_constants
@check_options.formats(RESULTS)
@click.option("--json", is_flag=True, help="Short for --format json.")
@shared_options.output
@click.option("-q", "--quiet", is_flag=True, help="Only what is not as expected, in one line each.")
@shared_options.appearance
@check_options.progress
def command(*, json: bool, output: str | None, **given: Any) -> int:
    """Check the formulae of each MODEL (`-`: standard input)."""
    screen = standard_output(no_color=bool(given["no_color"]))
    values = given.pop("constants")
    given["constants"] = {name: several[0] for name, several in values.items()}
    given["sweep"] = values if any(len(several) > 1 for several in values.values()) else {}
    if given["evidence"] is None and (given["brief"] or given["full"]):
        given["evidence"] = True
    if given["evidence"] is None:
        given["evidence"] = output is None and is_terminal(screen.stream) and not given["sweep"]
    if json:
        if given["format"] not in {"text", "json"}:
            raise click.UsageError(f"--json does not go with --format {given['format']}")
        given["format"] = "json"
    request = Request(**given)  # the options above are its fields
    check_options.refuse_contradictions(request)
    keep_apart(request.models, {"-o": output, "--certificate": request.certificate})
    from gnomon.interfaces.cli.checking import run

    with ExitStack() as files:
        file = files.enter_context(OutputFile(output)) if output is not None else None
        if request.certificate is not None:
            proofs = files.enter_context(OutputFile(request.certificate))
            return run(request, screen, file, proofs)
        return run(request, screen, file)
