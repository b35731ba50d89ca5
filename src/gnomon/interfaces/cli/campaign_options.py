"""Options of `gnomon campaign run` and `resume`: all that a plan can say, for models without one."""

from collections.abc import Callable
from typing import Any, Final, get_args

import click

from gnomon.campaign.plan import MOST_AT_ONCE, MOST_JOBS, MOST_SEED, FormulaSplit, Schedule
from gnomon.campaign.shards import Shard
from gnomon.checking.attempts import Engine, LibraryChoice, OrderChoice
from gnomon.checking.options import Strategies
from gnomon.interfaces.cli import check_options, shared_options
from gnomon.interfaces.cli.check_options import with_options
from gnomon.interfaces.cli.shared_options import Command

#: How options are called in a plan, where that is not their own name.
_IN_PLANS: Final = {
    "engine": "engines",
    "order": "orders",
    "repeat": "repetitions",
}
#: Options that say what is to be checked.
_OF_A_CHECK: Final = frozenset(
    "constants formulae only predicates engine strategies order diagrams uniform_group refine evidence "
    "certificate account paranoid race check_deadlock check_overflow expect strict allow deny timeout "
    "formula_timeout memory max_states repeat split".split()
)
_LONG: Final = {"formulae": "--formula", "predicates": "--predicate", "constants": "--set"}


def what_is_run(function: Command) -> Command:
    """Add a plan, or models without one."""
    return click.argument(
        "paths",
        nargs=-1,
        required=True,
        metavar="PLAN|MODEL...",
        shell_complete=shared_options.completing("files"),
    )(function)


def of_a_run(function: Command) -> Command:
    """Add what is said of a run: where answers go, how many at once, which part, and where jobs run."""
    added = (
        click.option("--name", metavar="TEXT", help="What the campaign is called."),
        click.option(
            "--store",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            shell_complete=shared_options.completing("files"),
            help="Where answers are kept  [default: NAME.store, beside the plan]",
        ),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(1, MOST_AT_ONCE),
            metavar="N",
            help="So many jobs at once  [default: the number of cores]",
        ),
        click.option(
            "--schedule",
            type=click.Choice(get_args(Schedule)),
            help="Which jobs begin first  [default: cheap-first]",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, MOST_SEED),
            metavar="N",
            help="The seed of hashes, by which engines break ties  [default: 0]",
        ),
        click.option(
            "--shard",
            callback=read_shard,
            metavar="K/N",
            help="Only the K-th of N parts; all parts together are all jobs.",
        ),
        click.option("--retry", is_flag=True, help="Ask again what is open or lost."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Hand jobs to a Dask scheduler: tcp://…, tls://…, its file, or local.",
        ),
        click.option(
            "--tls-ca-file",
            type=click.Path(),
            metavar="FILE",
            help="For tls://…: the certificate of the authority.",
        ),
        click.option(
            "--tls-cert",
            type=click.Path(),
            metavar="FILE",
            help="For tls://…: our own certificate.",
        ),
        click.option(
            "--tls-key",
            type=click.Path(),
            metavar="FILE",
            help="For tls://…: the key of our certificate.",
        ),
    )
    return with_options(added, function)


def of_checks(function: Command) -> Command:
    """Add what a plan says of checks, for models without a plan."""
    added: tuple[Callable[[Command], Command], ...] = (
        shared_options.swept_constants,
        click.option(
            "--formula",
            "formulae",
            multiple=True,
            metavar="TEXT",
            help="Check this formula instead of the files' (repeatable).",
        ),
        click.option(
            "--only",
            multiple=True,
            type=check_options.FormulaParameter(),
            metavar="NAME",
            help="Check only this formula of the files: its name, a pattern, its number (repeatable).",
        ),
        _several("--engine", Engine, "How to decide"),
        _several("--strategies", Strategies, "What coalition operators quantify over"),
        click.option("--uniform-group", metavar="GROUP", help="Who is uniform in uniform-model."),
        _several("--order", OrderChoice, "How the symbolic engine orders its variables"),
        _several("--diagrams", LibraryChoice, "Whose decision diagrams it uses"),
        click.option(
            "--repeat",
            type=click.IntRange(1, MOST_JOBS),
            metavar="N",
            help="Ask everything so often.",
        ),
        click.option(
            "--split",
            type=click.Choice(get_args(FormulaSplit)),
            help="A job for each formula, instead of one for all of a model.",
        ),
        check_options.abstracting,
        click.option("--evidence", is_flag=True, help="Keep witnesses and counterexamples."),
        click.option("--certificate", is_flag=True, help="Keep proofs of the verdicts."),
        click.option("--account", is_flag=True, help="Keep what the engines did."),
        click.option("--paranoid", is_flag=True, help="Every verdict twice."),
        click.option("--race", is_flag=True, help="Let other ways race in every job."),
        click.option("--check-deadlock", is_flag=True, help="Also: can a deadlock be reached?"),
        click.option("--check-overflow", is_flag=True, help="Also: can a value leave its range?"),
        check_options.judging,
        check_options.limits,
    )
    return with_options(added, function)


def said(context: click.Context) -> dict[str, Any]:
    """Return the options about checks that were typed, by their names in plans, with values as there."""
    return {
        _IN_PLANS.get(name, name.replace("_", "-")): _as_in_plans(context.params[name])
        for name in _typed(context)
    }


def spoken(context: click.Context) -> list[str]:
    """Return the options about checks that were typed, as they are typed."""
    return [_LONG.get(name, f"--{name.replace('_', '-')}") for name in _typed(context)]


def _typed(context: click.Context) -> list[str]:
    from click.core import ParameterSource

    return [
        name
        for name in context.params
        if name in _OF_A_CHECK and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]


def read_shard(context: click.Context, option: click.Parameter, given: str | None) -> Shard | None:
    """Return the part that `3/16` means."""
    if given is None:
        return None
    number, slash, of = given.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal() and len(given) < 20):
        message = f"`{given}` is not of the form K/N, such as 3/16"
        raise click.BadParameter(message, context, option)
    if not 1 <= int(number) <= int(of):
        message = f"there is no part {number} of {of}: they are numbered from 1 to {of}"
        raise click.BadParameter(message, context, option)
    return Shard(int(number), int(of))


def _as_in_plans(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: list(several) for name, several in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _several(name: str, kind: Any, what: str) -> Callable[[Command], Command]:
    """Return an option that may be given several times: every combination is tried."""
    known = get_args(kind)
    return click.option(
        name,
        multiple=True,
        type=click.Choice(known),
        metavar="|".join(known),
        help=f"{what} (repeatable: each is tried)  [default: {known[0]}]",
    )


def telling(function: Command) -> Command:
    """Add how much is said."""
    added = (
        click.option("-v", "--verbose", is_flag=True, help="A line for each answer."),
        click.option("-q", "--quiet", is_flag=True, help="Only the last line."),
        click.option("--no-color", is_flag=True, help="No colours (also: NO_COLOR=1)."),
    )
    return with_options(added, function)
