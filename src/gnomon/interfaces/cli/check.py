"""`gnomon check`: the formulae of models, each with its verdict."""

from typing import Any, get_args

import click

from gnomon.checking.engines import Diagrams, Order
from gnomon.interfaces.cli import options
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.request import Format, Request, Strategies
from gnomon.interfaces.cli.screen import is_terminal, standard_output

ENGINES = ("auto", "bdd", "explicit")

_HELP_STATUS = """
\b
Exit status: 0 every formula true, 1 some formula false, 3 none false but some
undefined or unknown, 2 bad input or usage (nothing checked), 130 interrupted.

\b
Examples:
  gnomon check examples/bit_transmission.ispl
  gnomon check model.ispl --formula 'AG(recack -> K(Sender, bit0))' --evidence
  gnomon check *.ispl --format junit -o report.xml
"""


def _known_engine(context: click.Context, option: click.Parameter, name: str) -> str:
    """Return the name, or say which engines there are."""
    if name not in ENGINES:
        message = f"this version has no engine `{name}`; it has: {', '.join(ENGINES)}"
        raise click.BadParameter(message, context, option)
    return name


@click.command("check", context_settings=options.SETTINGS, epilog=_HELP_STATUS)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
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
    type=click.IntRange(min=1),
    metavar="N",
    help="Check only the N-th formula of the file, from 1 (repeatable).",
)
@click.option(
    "--engine",
    callback=_known_engine,
    default="auto",
    metavar="|".join(ENGINES),
    help="How to decide; auto goes by the kind of model.",
)
@click.option(
    "--strategies",
    type=click.Choice(get_args(Strategies)),
    default="perfect",
    show_default=True,
    help="What coalition operators quantify over.",
)
@click.option("--uniform-group", metavar="GROUP", help="Who is uniform in uniform-model.")
@click.option(
    "--evidence/--no-evidence",
    default=None,
    help="Build witnesses, counterexamples and strategies (default: for a terminal).",
)
@click.option("--check-deadlock", is_flag=True, help="Also: can a deadlock be reached?")
@click.option("--check-overflow", is_flag=True, help="Also: can a value leave its range?")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Seconds for each model; what is not decided by then is unknown.",
)
@click.option(
    "--memory",
    type=click.FloatRange(min=0, min_open=True),
    metavar="MB",
    help="Megabytes; past them, what is not decided is unknown.",
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    metavar="N",
    help="The most states the explicit engine keeps  [default: 5,000,000; 100,000 with `int`]",
)
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    default="auto",
    show_default=True,
    help="For experts: how the symbolic engine orders its variables.",
)
@click.option(
    "--diagrams",
    type=click.Choice(get_args(Diagrams)),
    default="auto",
    show_default=True,
    help="For experts: whose decision diagrams it uses.",
)
@options.constants
@click.option(
    "--format",
    type=click.Choice(get_args(Format)),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option("--json", is_flag=True, help="Short for --format json.")
@options.output
@click.option("--quiet", is_flag=True, help="Only what is not true, in one line each.")
@options.appearance
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Say what is being done (default: on a terminal).",
)
def command(*, json: bool, output: str | None, **given: Any) -> int:
    """Check the formulae of each MODEL (`-`: standard input)."""
    screen = standard_output(no_color=bool(given["no_color"]))
    if given["evidence"] is None:
        given["evidence"] = output is None and is_terminal(screen.stream)
    if json:
        if given["format"] not in {"text", "json"}:
            raise click.UsageError(f"--json does not go with --format {given['format']}")
        given["format"] = "json"
    request = Request(**given)  # the options above are its fields
    _refuse_contradictions(request)
    from gnomon.interfaces.cli.checking import run

    if output is None:
        return run(request, screen, None)
    with OutputFile(output) as file:
        return run(request, screen, file)


def _refuse_contradictions(request: Request) -> None:
    if request.formulae and request.only:
        raise click.UsageError("--only counts the file's formulae: it does not go with --formula")
    if request.uniform_group and request.strategies != "uniform-model":
        raise click.UsageError("--uniform-group goes with --strategies uniform-model")
    if request.models.count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    if request.quiet and request.verbose:
        raise click.UsageError("--quiet and --verbose contradict each other")
