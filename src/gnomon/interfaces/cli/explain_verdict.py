"""`gnomon explain-verdict`: why a formula is true or false, as a story, a picture or data."""

from typing import Any

import click

from gnomon.interfaces.cli import check_options, picture_options, shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import standard_output
from gnomon.results.formats import VERDICTS

_HELP = """
\b
Exit status: as `gnomon check`, of this one formula: 0 as expected (true where the
file says nothing), 1 decided otherwise, 3 undefined or unknown, 2 bad input or
usage, 130 interrupted.

\b
Examples:
  gnomon explain-verdict model.ispl
  gnomon explain-verdict model.ispl bypass
  gnomon explain-verdict model.ispl 5 --format html -o why.html
  gnomon explain-verdict model.ispl --formula 'AF p' --agents Sender,Receiver
  gnomon explain-verdict model.ispl --format dot | dot -Tpdf > why.pdf
  gnomon explain-verdict model.ispl --format tikz --no-line-numbers -o why.tex
"""


@click.command("explain-verdict", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.argument(
    "name",
    required=False,
    type=check_options.FormulaParameter(),
    metavar="[NAME]",
    shell_complete=shared_options.completing("formulae"),
)
@click.option(
    "--only",
    type=check_options.FormulaParameter(),
    metavar="NAME",
    shell_complete=shared_options.completing("formulae"),
    help="Explain this formula of the file, by its name or number (default: the first with a story).",
)
@click.option(
    "--formula", metavar="TEXT", help="Explain this formula instead of one of the file's."
)
@check_options.how
@check_options.abstracting
@check_options.judging
@check_options.limits
@shared_options.constants
@picture_options.agents("Show only the variables and actions of these agents (repeatable).")
@picture_options.details
@click.option(
    "--no-line-numbers",
    is_flag=True,
    help="In pictures, leave out which lines of the model were used.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    metavar="N",
    help="The most states in the picture of a strategy.",
)
@click.option(
    "--run",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --format itf: the N-th run, from 1 (default: the main one).",
)
@check_options.telling
@check_options.formats(VERDICTS)
@shared_options.output
@shared_options.appearance
@check_options.progress
def command(
    *,
    model: str,
    name: int | str | None,
    only: int | str | None,
    formula: str | None,
    agents: tuple[str, ...] | None,
    full_states: bool,
    hidden: tuple[str, ...],
    no_line_numbers: bool,
    limit: int,
    number: int | None,
    format: str,
    output: str | None,
    **given: Any,
) -> int:
    """Tell why the formula NAME of MODEL (`-`: standard input) is true or false.

    Who did what, who could not tell which states apart, and which part of the formula that breaks; then the
    runs themselves.
    """
    if number is not None and format != "itf":
        raise click.UsageError("--run goes with --format itf: the others show all runs")
    if name is not None and only is not None:
        raise click.UsageError("NAME and --only both choose a formula: one of them is enough")
    chosen = only if name is None else name
    request = Request(
        models=(model,),
        formulae=() if formula is None else (formula,),
        only=() if chosen is None else (chosen,),
        evidence=True,
        format=format,
        **given,
    )
    check_options.refuse_contradictions(request)
    keep_apart([model], {"-o": output})
    from gnomon.interfaces.cli.explaining_verdicts import run
    from gnomon.results.projection import PictureStyle

    style = PictureStyle(agents, not no_line_numbers, full_states, hidden, limit)
    screen = standard_output(no_color=request.no_color)
    if output is None:
        return run(request, style, number, screen)
    with OutputFile(output) as file:
        return run(request, style, number, screen, file)
