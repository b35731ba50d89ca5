"""`gnomon campaign init`: a plan to begin with."""

from contextlib import ExitStack

import click

from gnomon.interfaces.cli import shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.screen import standard_output
from gnomon.interfaces.cli.status import Status

_EXAMPLES = """
\b
Examples:
  gnomon campaign init models/*.ispl -o plan.toml
"""


@click.command("init", context_settings=shared_options.SETTINGS, epilog=_EXAMPLES)
@click.argument(
    "models",
    nargs=-1,
    metavar="[MODEL]...",
    shell_complete=shared_options.completing("models"),
)
@shared_options.output
def command(models: tuple[str, ...], output: str | None) -> int:
    """Print a plan with each MODEL in it and a word on all that a plan can say."""
    from gnomon.campaign.plan_example import example

    keep_apart(models, {"-o": output})
    with ExitStack() as files:
        if output is None:
            standard_output().put(example(models))
        else:
            files.enter_context(OutputFile(output)).commit(example(models))
    return Status.DONE
