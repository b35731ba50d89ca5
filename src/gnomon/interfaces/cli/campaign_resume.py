"""`gnomon campaign resume`: the same as `run`, for a campaign that was begun."""

from typing import Any

import click

from gnomon.interfaces.cli import campaign_options, check_options, shared_options
from gnomon.interfaces.cli.campaign_run import HELP_STATUS


@click.command(
    "resume", context_settings=shared_options.SETTINGS, epilog=HELP_STATUS.format(name="resume")
)
@campaign_options.what_is_run
@campaign_options.of_a_run
@campaign_options.of_checks
@campaign_options.telling
@check_options.progress
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Go on with PLAN, or with each MODEL, where `run` was ended.

    It does what `run` does with the same options, but begins nothing new: the store has to be there.
    """
    from gnomon.interfaces.cli.campaign_running import run_campaign

    return run_campaign(context, given, begun=True)
