"""Options of the commands that decide formulae: how, and within which limits."""

from collections.abc import Callable, Iterable
from typing import get_args

import click

from gnomon.checking.attempts import Engine
from gnomon.checking.options import Expected, Strategies
from gnomon.checking.policy import refused_codes
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.shared_options import Amount, Command, completing
from gnomon.results.extent import MOST_LINES, MOST_RUNS

#: No file has more formulae.
_MOST_DIGITS = 18
ENGINES: tuple[str, ...] = get_args(Engine)


class FormulaParameter(click.ParamType):  # type: ignore[type-arg]  # it has none before click 8.3
    """A formula of the file: its number from 1, or its name, or a pattern for names."""

    name = "formula"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Return a number as one."""
        if isinstance(value, int) or not value.isdecimal():
            return value
        if len(value) > _MOST_DIGITS or int(value) == 0:
            self.fail("formulae are numbered from 1", param, ctx)
        return int(value)


def how(function: Command) -> Command:
    """Add `--engine`, `--strategies` and `--uniform-group`."""
    added = (
        click.option(
            "--engine",
            callback=_known_engine,
            shell_complete=_engines,
            default="auto",
            metavar="|".join(ENGINES),
            help="How to decide; auto goes by the kind of model.",
        ),
        click.option(
            "--strategies",
            type=click.Choice(get_args(Strategies)),
            default="perfect",
            show_default=True,
            help="What coalition operators quantify over.",
        ),
        click.option(
            "--uniform-group",
            metavar="GROUP",
            shell_complete=completing("groups"),
            help="Who is uniform in uniform-model.",
        ),
    )
    return with_options(added, function)


def abstracting(function: Command) -> Command:
    """Add `--refine` and `--predicate`."""
    added = (
        click.option(
            "--refine",
            type=click.IntRange(min=0),
            metavar="N",
            help="The most refinements of an abstraction; 0: none  [default: until it is decided]",
        ),
        click.option(
            "--predicate",
            "predicates",
            multiple=True,
            metavar="TEXT",
            help="A condition that an abstraction is to tell apart, too (repeatable).",
        ),
    )
    return with_options(added, function)


def judging(function: Command) -> Command:
    """Add `--expect`, `--strict`, `--allow` and `--deny`."""
    added = (
        click.option(
            "--expect",
            type=click.Choice(get_args(Expected)),
            default="declared",
            show_default=True,
            help="Hold formulae to what the file expects of each, or all of them to being true.",
        ),
        click.option(
            "--strict",
            is_flag=True,
            help="Warnings fail, and formulae that are true of nothing are not as expected.",
        ),
        click.option(
            "--allow",
            multiple=True,
            callback=known_codes,
            metavar="CODE",
            shell_complete=completing("warnings"),
            help="Say nothing of this warning, and go on where it would stop (repeatable).",
        ),
        click.option(
            "--deny",
            multiple=True,
            callback=known_codes,
            metavar="CODE",
            shell_complete=completing("warnings"),
            help="Let this warning fail (repeatable).",
        ),
    )
    return with_options(added, function)


def limits(function: Command) -> Command:
    """Add `--timeout`, `--formula-timeout`, `--memory` and `--max-states`."""
    added = (
        click.option(
            "--timeout",
            type=Amount(),
            metavar="S",
            help="Seconds for each model; what is not decided by then is unknown.",
        ),
        click.option(
            "--formula-timeout",
            type=Amount(),
            metavar="S",
            help="Seconds for each formula; past them it is unknown, and the others go on.",
        ),
        click.option(
            "--memory",
            type=Amount(),
            metavar="MB",
            help="Megabytes; past them, what is not decided is unknown.",
        ),
        click.option(
            "--max-states",
            type=click.IntRange(min=1),
            metavar="N",
            help="The most states the explicit engine keeps  "
            "[default: 5,000,000; 100,000 with `int`]",
        ),
    )
    return with_options(added, function)


def telling(function: Command) -> Command:
    """Add what is told of evidence: little, all, or so much."""
    added = (
        click.option(
            "--brief",
            is_flag=True,
            help="Of evidence, one sentence and the run or table that decides.",
        ),
        click.option("--full", is_flag=True, help="All runs, tables and formulae, however long."),
        click.option(
            "--max-runs",
            type=click.IntRange(min=1),
            default=MOST_RUNS,
            show_default=True,
            metavar="N",
            help="The most runs of one verdict.",
        ),
        click.option(
            "--max-lines",
            type=click.IntRange(min=3),
            default=MOST_LINES,
            show_default=True,
            metavar="N",
            help="The most lines of one run or table, about.",
        ),
    )
    return with_options(added, function)


def formats(names: Iterable[str]) -> Callable[[Command], Command]:
    """Return what adds `--format` with these names."""
    kind = click.Choice(list(names))
    return click.option(
        "--format", type=kind, default="text", show_default=True, help="What to print."
    )


def progress(function: Command) -> Command:
    """Add `--progress`."""
    said = "Say what is being done (default: on a terminal)."
    return click.option("--progress/--no-progress", default=None, help=said)(function)


def with_options(added: tuple[Callable[[Command], Command], ...], function: Command) -> Command:
    """Return the command with these options, which the help shows in this order."""
    for option in reversed(added):
        function = option(function)
    return function


def _engines(context: click.Context, option: click.Parameter, incomplete: str) -> list[str]:
    del context, option
    return [name for name in ENGINES if name.startswith(incomplete)]


def _known_engine(context: click.Context, option: click.Parameter, name: str) -> str:
    """Return the name, or say which engines there are."""
    if name not in ENGINES:
        message = f"this version has no engine `{name}`; it has: {', '.join(ENGINES)}"
        raise click.BadParameter(message, context, option)
    return name


def known_codes(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Return codes as they are written, or say which there is not."""
    allowed = given if option.name == "allow" else ()
    for message, help_ in refused_codes(allowed, () if allowed else given):
        raise click.BadParameter(f"{message}; {help_}" if help_ else message, context, option)
    return tuple(code.upper() for code in given)


def refuse_contradictions(request: Request) -> None:
    """Refuse options that do not go together."""
    for message, _ in refused_codes(request.allow, request.deny):
        raise click.UsageError(f"--allow, --deny: {message}")
    if request.formulae and request.only:
        raise click.UsageError(
            "--only chooses among the file's formulae: it does not go with --formula"
        )
    if request.uniform_group and request.strategies != "uniform-model":
        raise click.UsageError("--uniform-group goes with --strategies uniform-model")
    if request.models.count("-") > 1:
        raise click.UsageError("standard input can be read only once")
    if request.sweep and request.evidence and request.format == "text":
        raise click.UsageError(
            "a table has no room for evidence: --evidence with several values of a constant goes "
            "with another --format"
        )
    if request.brief and (request.full or request.verbose):
        other = "--full" if request.full else "--verbose"
        raise click.UsageError(f"--brief and {other} contradict each other")
    if request.race and request.paranoid:
        raise click.UsageError(
            "--race and --paranoid do not go together: --paranoid asks one after the other"
        )
    if request.parallel and request.race:
        raise click.UsageError(
            "--parallel and --race do not go together: each wants all processors"
        )
    if request.quiet and request.verbose:
        raise click.UsageError("--quiet and --verbose contradict each other")
