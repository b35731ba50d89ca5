"""`gnomon campaign run`: the jobs of a plan, or of models without one."""

from typing import Any

import click

from gnomon.interfaces.cli import campaign_options, check_options, shared_options

HELP_STATUS = """
\b
Exit status: 0 all answers as expected, 1 some are not, 2 a mistake in the plan
(nothing begun), a store that cannot be used, or some question was refused,
3 none of these but something is open or lost, 130 interrupted.

\b
Examples:
  gnomon campaign {name} plan.toml
  gnomon campaign {name} plan.toml --shard 3/16 --store part-3.store
  gnomon campaign {name} ring.ispl --set n=2..8 --engine auto --engine explicit --repeat 3 --timeout 60
"""


@click.command(
    "run", context_settings=shared_options.SETTINGS, epilog=HELP_STATUS.format(name="run")
)
@campaign_options.what_is_run
@campaign_options.of_a_run
@campaign_options.of_checks
@campaign_options.telling
@check_options.progress
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Have the jobs of PLAN (a file in TOML), or of each MODEL, done.

    Answers are kept in a store when they arrive, and what the store has is not asked again: after
    whatever ended it, the same command goes on with the rest.
    """
    from gnomon.interfaces.cli.campaign_running import run_campaign

    return run_campaign(context, given)
