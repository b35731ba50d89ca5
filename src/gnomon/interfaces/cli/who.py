"""`gnomon who`: which coalitions can enforce a goal, and which groups know something."""

from typing import Any, get_args

import click

from gnomon.interfaces.cli import check_options, picture_options, shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import standard_output
from gnomon.results.formats import WHO
from gnomon.results.groups import KnownWhen

_HELP = """
\b
Exit status: 0 all is known, 3 something is open, 2 bad input or usage (nothing
asked), 130 interrupted (what was found is printed).

\b
Examples:
  gnomon who model.ispl 'F done'
  gnomon who model.ispl 'F done' --strategies uniform --evidence
  gnomon who model.ispl 'G safe' --among 'Guard[1..3]' --at-most 2
  gnomon who model.ispl --knows secret --when always
  gnomon who model.ispl 'F done' --format svg -o who.svg
"""


@click.command("who", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.argument("goal", required=False, metavar="[GOAL]")
@click.option(
    "--knows",
    metavar="TEXT",
    help="Ask who knows this formula instead: one by one, together, everybody, commonly.",
)
@click.option(
    "--when",
    type=click.Choice(get_args(KnownWhen)),
    help="With --knows: in some reachable state, wherever it holds, or initially  [default: ever]",
)
@picture_options.agents_option(
    "--among",
    "Only groups of these agents: names, families (Guard), patterns (Guard[*]) and ranges "
    "(Guard[1..3]) (repeatable).",
)
@click.option("--environment", is_flag=True, help="Count the environment as an agent.")
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="K",
    help="Only groups of at most K agents.",
)
@check_options.how
@check_options.abstracting
@click.option(
    "--evidence",
    is_flag=True,
    help="Show the strategies of the smallest coalitions, or runs to where it is known.",
)
@check_options.telling
@check_options.limits
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="So many checks at once  [default: as many as there are processors]",
)
@shared_options.constants
@check_options.formats(WHO)
@shared_options.output
@shared_options.appearance
@check_options.progress
def command(
    *,
    model: str,
    goal: str | None,
    knows: str | None,
    when: KnownWhen | None,
    among: tuple[str, ...] | None,
    environment: bool,
    at_most: int | None,
    jobs: int | None,
    output: str | None,
    **given: Any,
) -> int:
    """Tell which coalitions of MODEL (`-`: standard input) can enforce GOAL, such as `F done`.

    The smallest ones that can, and the largest that cannot, with as few checks as that takes; with --knows,
    which agents and groups know something.
    """
    if (goal is None) == (knows is None):
        raise click.UsageError(
            "say either what is to be enforced, such as 'F done', or --knows TEXT"
        )
    if when is not None and knows is None:
        raise click.UsageError("--when goes with --knows")
    request = Request(models=(model,), formulae=(), only=(), **given)
    check_options.refuse_contradictions(request)
    keep_apart([model], {"-o": output})
    from gnomon.interfaces.cli.finding_who import WhoRequest, run

    wanted = WhoRequest(
        goal or knows or "",
        knows is not None,
        when or "ever",
        among or (),
        environment,
        at_most,
        jobs,
    )
    screen = standard_output(no_color=request.no_color)
    if output is None:
        return run(request, wanted, screen)
    with OutputFile(output) as file:
        return run(request, wanted, screen, file)
