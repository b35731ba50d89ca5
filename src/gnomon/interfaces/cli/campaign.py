"""`gnomon campaign`: many checks at once, here or elsewhere, of which none is lost."""

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.lazy_group import LazyGroup

_EXAMPLES = """
\b
Examples:
  gnomon campaign init models/*.ispl -o plan.toml
  gnomon campaign run plan.toml
  gnomon campaign run ring.ispl --set n=2..8 --engine bdd --engine explicit
  gnomon campaign status plan.toml --watch
  gnomon campaign report plan.store -o report.html
"""


#: Each of them, and what the list says about it.
SUBCOMMANDS = {
    "init": "Print a plan to begin with.",
    "run": "Have the jobs of a plan done.",
    "resume": "Go on with a campaign that was begun.",
    "report": "Tell what a campaign found: a page, tables, plots.",
    "status": "Show how far a campaign is, from another terminal.",
}


class _Campaigns(LazyGroup):
    """What can be done with campaigns."""

    prefix = "gnomon.interfaces.cli.campaign_"
    listed = SUBCOMMANDS


@click.group("campaign", cls=_Campaigns, context_settings=shared_options.SETTINGS, epilog=_EXAMPLES)
def command() -> None:
    """Have many checks done, here or elsewhere, and lose none.

    A plan in TOML says what is checked; answers are kept in a store as they arrive. Whatever ends a
    campaign, the same command goes on with the rest.
    """
