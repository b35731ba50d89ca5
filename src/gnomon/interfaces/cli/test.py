"""`gnomon test`: many models, each against what it says of itself."""

from contextlib import ExitStack
from typing import Any

import click

from gnomon.interfaces.cli import check_options, shared_options
from gnomon.interfaces.cli.screen import standard_output

_HELP_STATUS = """
\b
Exit status: 0 all as expected, 1 something is not, 3 nothing is wrong but
something is undecided, 2 bad input (a broken model, nothing to test), 130
interrupted.

\b
Examples:
  gnomon test examples
  gnomon test models -k 'voting and not slow' --junit report.xml
  gnomon test models/door.ispl::safe
"""


@click.command("test", context_settings=shared_options.SETTINGS, epilog=_HELP_STATUS)
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(),
    metavar="PATH...",
    shell_complete=shared_options.completing("models"),
)
@click.option(
    "-k",
    "expression",
    default="",
    metavar="EXPRESSION",
    help="Only formulae whose `file::name` has these words: 'a and not (b or c)'.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="So many models at once  [default: the number of cores]",
)
@click.option("-x", "--exitfirst", is_flag=True, help="Stop after the first model that fails.")
@click.option(
    "--maxfail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop when so many formulae or models have failed.",
)
@check_options.how
@check_options.judging
@check_options.limits
@click.option(
    "--junit", type=click.Path(), metavar="FILE", help="Also write the results as JUnit XML."
)
@click.option(
    "--sarif",
    type=click.Path(),
    metavar="FILE",
    help="Also write what is not as expected as SARIF, for code scanning.",
)
@click.option(
    "--durations",
    type=click.IntRange(min=0),
    metavar="N",
    help="List the N slowest formulae (0: all).",
)
@click.option("-v", "--verbose", is_flag=True, help="A line for each formula.")
@click.option("-q", "--quiet", is_flag=True, help="Only the summary.")
@click.option("--no-color", is_flag=True, help="No colours (also: NO_COLOR=1).")
@check_options.progress
def command(
    *,
    paths: tuple[str, ...],
    expression: str,
    junit: str | None,
    sarif: str | None,
    **given: Any,
) -> int:
    """Hold the models in PATH (files, or folders and all below) to what they expect.

    Every formula is expected to be true, unless `expect` says otherwise; PATH::NAME is one formula.
    """
    from gnomon.interfaces.cli.files import OutputFile, keep_apart
    from gnomon.interfaces.cli.model_files import find_cases
    from gnomon.interfaces.cli.testing import Trial, options_of, selected

    if given["verbose"] and given["quiet"]:
        raise click.UsageError("--quiet and --verbose contradict each other")
    reports = {"junit": junit, "sarif": sarif}
    for name, path in reports.items():
        if path == "-":
            raise click.UsageError(f"--{name} needs a file: standard output has the summary")
    cases = find_cases(paths, selected(expression))
    keep_apart([case.path for case in cases], {f"--{name}": path for name, path in reports.items()})
    screen = standard_output(no_color=bool(given["no_color"]))
    with ExitStack() as files:
        opened = {
            name: files.enter_context(OutputFile(path))
            for name, path in reports.items()
            if path is not None
        }
        return Trial(cases, options_of(given), screen, opened, given).run()
