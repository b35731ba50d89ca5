"""`gnomon campaign report`: what a campaign found, as a page, as tables, and beside an earlier one."""

from typing import Any

import click

from gnomon.interfaces.cli import shared_options

_HELP = """
\b
Exit status: 0 nothing is worse than before, 1 something is (a verdict is another one,
is open now, or takes twice as long and a second more), 2 bad input, 4 two ways
contradict each other.

\b
Examples:
  gnomon campaign report muddy.store -o muddy.html
  gnomon campaign report tonight.store --against last-night.store
  gnomon campaign report muddy.store --tables tables/
"""


@click.command("report", context_settings=shared_options.SETTINGS, epilog=_HELP)
@click.argument("store", shell_complete=shared_options.completing("files"))
@click.option("-o", "--output", metavar="FILE", help="Write a page of HTML there.")
@click.option("--tables", metavar="FOLDER", help="Write each table there, as CSV and as LaTeX.")
@click.option("--against", metavar="STORE", help="Compare with an earlier campaign.")
@click.option("--title", metavar="TEXT", help="The title of the page.")
@shared_options.appearance
def command(**given: Any) -> int:
    """Tell what the campaign in STORE found."""
    from gnomon.interfaces.cli.reporting import run

    return run(given)
