"""`gnomon simulate`: a walk through a model, by hand, by script or at random."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

import click

from gnomon.checking.load import Loaded
from gnomon.interfaces.cli import check_options, shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.models import show_diagnostics, status_of, try_to_load
from gnomon.interfaces.cli.screen import Screen, is_terminal, standard_error, standard_output
from gnomon.interfaces.cli.simulator import CommandLimits
from gnomon.interfaces.cli.simulator_commands import SimulatorSession
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Budget
from gnomon.model.evidence import Run
from gnomon.results.model_walk import WalkError
from gnomon.text.diagnostic import InputError

#: No walk that somebody takes is longer, as a script or a line of it.
_MOST_BYTES = 1 << 20

_EXAMPLE = """
\b
Examples:
  gnomon simulate model.ispl
  gnomon simulate model.ispl --random 20 --seed 7
  gnomon simulate model.ispl --script walk.txt --json
  gnomon simulate model.ispl --after bypass
  printf '1\\n2\\ntrace\\n' | gnomon simulate model.ispl

`help` in the simulator lists its commands; a script has one of them a line.
"""


@click.command("simulate", context_settings=shared_options.SETTINGS, epilog=_EXAMPLE)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.option(
    "--script",
    metavar="FILE",
    shell_complete=shared_options.completing("files"),
    help="Do the commands of this file, one a line.",
)
@click.option(
    "--random",
    "steps",
    type=click.IntRange(min=0),
    metavar="N",
    help="Take N steps at random and print the run.",
)
@click.option(
    "--after",
    type=check_options.FormulaParameter(),
    metavar="NAME",
    shell_complete=shared_options.completing("formulae"),
    help="Begin at the end of the run that explains this formula of the file, by its name or number.",
)
@click.option("--seed", type=int, metavar="S", help="For --random: the same seed, the same run.")
@click.option("--json", is_flag=True, help="Print only the run at the end, as JSON.")
@shared_options.effort(5.0, "Seconds for each command; what takes longer is given up or cut.")
@shared_options.constants
@shared_options.output
@shared_options.appearance
def command(
    *,
    model: str,
    script: str | None,
    steps: int | None,
    after: int | str | None,
    seed: int | None,
    json: bool,
    timeout: float,
    memory: float,
    constants: dict[str, int],
    output: str | None,
    no_color: bool,
    verbose: bool,
) -> int:
    """Walk through MODEL step by step, with undo and forks."""
    del verbose  # there is nothing to add
    if model == "-" and script is None and steps is None:
        raise click.UsageError("with the model on standard input, use --script or --random")
    keep_apart([model, script], {"-o": output})
    loaded, diagnostics = try_to_load(model, constants, Budget(megabytes=memory))
    show_diagnostics(standard_error(no_color=no_color), diagnostics)
    if loaded is None:
        return status_of(diagnostics)
    if loaded.system is None:
        raise click.ClickException(
            f"`{model}` has an open number of agents, and a walk needs to know it: "
            f"`gnomon export {model} --agents 3 -o fixed.ispl` gives a model to walk through"
        )
    run = None if after is None else _run_of(loaded, after, timeout, memory)
    screen = standard_output(no_color=no_color)
    with OutputFile(output or "-") as file:
        limits = CommandLimits(timeout, memory)
        session = SimulatorSession(model, loaded, seed, screen.width, limits)
        _begin(session, run)
        _walk(session, screen, script, steps, silent=json or output is not None)
        if json or output is not None:
            text = session.as_json() if json else session.trace().plain()
            file.commit(text) if output is not None else screen.put(text)
    return Status.DONE


def _run_of(loaded: Loaded, formula: int | str, timeout: float, memory: float) -> Run:
    """Return the main run of what explains a formula."""
    from gnomon.checking.options import Options
    from gnomon.checking.question import Question, read
    from gnomon.results.evidence_tree import evidence_tree

    options = Options(evidence=True, timeout=timeout, memory=memory)
    constants = tuple(sorted(loaded.constants.items()))
    try:
        question = Question(
            loaded.source.text, loaded.source.name, constants, only=(formula,), options=options
        )
        verdicts = read(question, loaded).check().verdicts
    except InputError as error:
        raise click.ClickException("; ".join(item.message for item in error.diagnostics)) from None
    for verdict in verdicts:
        runs = () if verdict.evidence is None else evidence_tree(verdict.evidence).runs
        if runs:
            return runs[0].run
    [first, *_] = verdicts
    why = f": {first.reason}" if first.reason else ""
    raise click.ClickException(
        f"no run explains why {first.label} is {first.value}{why}; without --after the walk begins at a start"
    )


def _begin(session: SimulatorSession, run: Run | None) -> None:
    try:
        session.begin()
        if run is not None:
            session.follow(run)
    except WalkError as error:
        raise click.ClickException(str(error)) from error


def _walk(
    session: SimulatorSession,
    screen: Screen,
    script: str | None,
    steps: int | None,
    *,
    silent: bool,
) -> None:
    if script is not None:
        _follow(session, screen, script, silent=silent)
    if steps is not None:
        stopped = session.wander(steps)
        if not silent:
            screen.write(session.wandered())
        elif stopped:
            standard_error().write(f"{stopped}\n")
    if script is None and steps is None:
        _converse(session, screen, silent=silent)


def _follow(session: SimulatorSession, screen: Screen, script: str, *, silent: bool) -> None:
    """Do what a script says; the first line that cannot be done ends it."""
    for number, line in enumerate(_lines(script), 1):
        try:
            said = session.do(line)
        except WalkError as error:
            raise click.ClickException(f"{script}:{number}: {error}") from error
        if not silent:
            screen.write(said)
        if session.over:
            return


def _lines(script: str) -> list[str]:
    """Return the commands of a script, which is a text of reasonable size."""
    try:
        with open(script, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.ClickException(f"cannot read `{script}`: {reason.lower()}") from error
    if len(data) > _MOST_BYTES:
        raise click.ClickException(f"`{script}` is larger than {_MOST_BYTES >> 20} MB")
    return text.splitlines()


def _converse(session: SimulatorSession, screen: Screen, *, silent: bool) -> None:
    """Talk with whoever types, or with whatever is at the other end of the pipe."""
    errors = standard_error()
    watched = is_terminal(sys.stdin)
    for line in chain([] if silent else ["state"], _typed() if watched else _piped()):
        try:
            said = session.do(line)
            if not silent:
                screen.write(said)
        except WalkError as error:
            errors.write(f"{error}\n")
        except KeyboardInterrupt:
            if not watched:
                raise
            errors.write("  (interrupted; Ctrl-D or `quit` ends)\n")
        if session.over:
            return


def _piped() -> Iterator[str]:
    """Yield lines from a pipe, none of them longer than a whole script may be."""
    while data := sys.stdin.buffer.readline(_MOST_BYTES):
        yield data.decode("utf-8", "backslashreplace")


def _typed() -> Iterator[str]:
    """Yield lines as they are typed, with editing where the system has it; Ctrl-D ends."""
    with suppress(ImportError):
        import readline  # noqa: F401 - importing it gives `input` its history
    while True:
        try:
            yield input("> ")
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo("  (Ctrl-D or `quit` ends)")
        except UnicodeDecodeError:
            click.echo("this is not UTF-8 text")
