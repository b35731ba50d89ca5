"""`gnomon campaign status`: how far a campaign is, by what its store has."""

from typing import Any

import click

from gnomon.interfaces.cli import campaign_options, shared_options
from gnomon.interfaces.cli.screen import standard_error, standard_output

_HELP_STATUS = """
\b
Exit status: 0 all answers are there and as expected, 1 some are not, 2 a plan or
a store that cannot be used, or a question that was refused, 3 none of these
but something is open, lost or not yet answered, 130 interrupted.

\b
Examples:
  gnomon campaign status plan.toml
  gnomon campaign status plan.toml --watch
  gnomon campaign status ring.store
"""


@click.command("status", context_settings=shared_options.SETTINGS, epilog=_HELP_STATUS)
@click.argument("path", metavar="PLAN|STORE", shell_complete=shared_options.completing("files"))
@click.option("--store", metavar="FILE", help="The store, where it is not that of the plan.")
@click.option(
    "--shard",
    callback=campaign_options.read_shard,
    metavar="K/N",
    help="Only this part of the plan.",
)
@click.option("--watch", is_flag=True, help="Show it again every second, until all is answered.")
@click.option("--no-color", is_flag=True, help="No colours (also: NO_COLOR=1).")
def command(path: str, *, watch: bool, no_color: bool, **given: Any) -> int:
    """Show how far the campaign of PLAN is, or each one in STORE: what runs where, what failed, time left."""
    from gnomon.interfaces.cli.campaign_watching import StatusOf
    from gnomon.interfaces.cli.models import show_diagnostics
    from gnomon.interfaces.cli.status import Status
    from gnomon.text.diagnostic import InputError

    screen = standard_output(no_color=no_color)
    try:
        return StatusOf(path, given["store"], given["shard"], screen).show(watch=watch)
    except InputError as error:
        show_diagnostics(standard_error(no_color=no_color), error.diagnostics)
        return Status.BAD_INPUT
