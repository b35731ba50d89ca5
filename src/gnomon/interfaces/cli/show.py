"""`gnomon show`: what a model is, and pictures of it."""

from typing import TYPE_CHECKING, NamedTuple

import click

from gnomon.checking.load import Loaded
from gnomon.checking.sizes import Sizes, measure
from gnomon.interfaces.cli import picture_options, shared_options
from gnomon.interfaces.cli.files import OutputFile, keep_apart
from gnomon.interfaces.cli.models import show_diagnostics, status_of, try_to_load
from gnomon.interfaces.cli.progress import ProgressLine
from gnomon.interfaces.cli.screen import Screen, is_terminal, standard_error, standard_output
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.system import System
from gnomon.results.describe import of_system
from gnomon.results.formats import GRAPHS, PartialGraphFormat
from gnomon.results.render.templates import render_templates
from gnomon.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gnomon.checking.coverage import Coverage
    from gnomon.results.graph import PartOfGraph, StateGraph
    from gnomon.results.projection import PictureStyle

#: The part of the time for finding states; the rest is for drawing them.
_FINDING = 0.5
#: So many seconds are for counting even where reading took nearly all.
_AT_LEAST = 0.1

_EXAMPLE = """
\b
Examples:
  gnomon show model.ispl
  gnomon show model.ispl --coverage
  gnomon show model.ispl --graph svg --knowledge Sender -o model.svg
  gnomon show model.ispl --graph tikz --agents Sender,Receiver -o figure.tex
  gnomon show model.ispl --graph dot | dot -Tpdf > model.pdf
"""


@click.command("show", context_settings=shared_options.SETTINGS, epilog=_EXAMPLE)
@click.argument("model", metavar="MODEL", shell_complete=shared_options.completing("models"))
@click.option("--json", is_flag=True, help="The same as JSON.")
@click.option(
    "--graph",
    type=click.Choice(list(GRAPHS)),
    help="Draw the reachable states instead.",
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Tell which lines, actions and values can ever be used instead; all of them with --verbose.",
)
@click.option(
    "--knowledge",
    multiple=True,
    metavar="AGENT",
    shell_complete=shared_options.completing("agents"),
    help="In the graph, mark states that look the same to AGENT (repeatable).",
)
@picture_options.agents(
    "In the graph, only the variables and actions of these agents; states that agree on them are one."
)
@picture_options.details
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="The most states in the graph.",
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Stop counting reachable states there.",
)
@shared_options.effort(20.0, "Stop counting and drawing after so many seconds.")
@shared_options.constants
@shared_options.output
@shared_options.appearance
def command(
    *,
    model: str,
    json: bool,
    graph: str | None,
    coverage: bool,
    knowledge: tuple[str, ...],
    agents: tuple[str, ...] | None,
    full_states: bool,
    hidden: tuple[str, ...],
    limit: int,
    max_states: int,
    timeout: float,
    memory: float,
    constants: dict[str, int],
    output: str | None,
    no_color: bool,
    verbose: bool,
) -> int:
    """Show the agents, variables, sizes and formulae of MODEL, or draw its reachable states."""
    if coverage and graph:
        raise click.UsageError("--coverage and --graph show different things: choose one")
    if json and graph:
        raise click.UsageError("--json is about the model: for the graph, use --graph json")
    alone = {
        "--knowledge": knowledge,
        "--agents": agents,
        "--full-states": full_states,
        "--hide-action": hidden,
    }
    for option, given in alone.items():
        if given and not graph:
            raise click.UsageError(f"{option} goes with --graph")
    keep_apart([model], {"-o": output})
    errors = standard_error(no_color=no_color)
    budget = Budget(timeout, memory)  # reading counts, too
    loaded, diagnostics = _load(model, constants, budget)
    show_diagnostics(errors, diagnostics)
    if loaded is None:
        return status_of(diagnostics)
    screen = standard_output(no_color=no_color)
    if loaded.templates is not None:
        if json or graph or coverage:
            option = "--coverage" if coverage else "--json" if json else "--graph"
            raise click.ClickException(
                f"`{model}` has an open number of agents, and {option} needs "
                f"to know it: `gnomon export {model} --agents 3 -o fixed.ispl` gives a model to show"
            )
        with OutputFile(output or "-") as file:
            shown = render_templates(model, loaded.templates, screen.width, loaded.in_force)
            file.commit(shown.plain()) if output else screen.write(shown)
        return Status.DONE
    assert loaded.system is not None
    with OutputFile(output or "-") as file:
        if graph:
            from gnomon.results.projection import PictureStyle

            style = PictureStyle(agents, full_states=full_states, hidden=hidden)
            wanted = _Drawing(graph, limit, knowledge, budget, style)
            drawn = _draw(loaded.system, wanted, errors)
            if drawn is None:
                return Status.OPEN
            file.commit(drawn)
        elif coverage:
            found = _covered(loaded, budget)
            _tell_coverage(found, screen, file if output else None, json=json, everything=verbose)
        else:
            sizes = _measure(model, loaded.system, max_states, budget)
            _describe(loaded, sizes, screen, file if output else None, json=json)
    return Status.DONE


class _Drawing(NamedTuple):
    """What picture is wanted, and within which limits."""

    form: str
    limit: int
    knowledge: tuple[str, ...]
    budget: Budget
    style: "PictureStyle"


def _draw(system: System, wanted: _Drawing, errors: Screen) -> str | None:
    """Return the picture, with a word where it is not all; None where there is none within the limits."""
    from gnomon.results.graph import PartOfGraph, reachable_graph

    picture_options.know_agents(system, wanted.knowledge, "--knowledge")
    picture_options.know_agents(system, wanted.style.agents)
    picture_options.know_actions(system, wanted.style)
    finding = wanted.budget.share(_FINDING)
    graph = reachable_graph(system, wanted.limit, wanted.knowledge, finding, wanted.style)
    if graph.cut and not graph.nodes and finding.spent() > (finding.seconds or 0.0):
        errors.write(f"no state was found: {graph.why} (--timeout allows more)\n")
        return None
    if graph.cut and not graph.nodes:
        raise click.ClickException(f"there is nothing to draw: {graph.why}")
    form = GRAPHS[wanted.form]
    try:
        part = (
            form.render_part(graph, wanted.budget)
            if isinstance(form, PartialGraphFormat)
            else PartOfGraph(form.render(graph, wanted.budget), graph.states, "")
        )
    except LimitReached as limit:
        errors.write(
            f"{_states(graph)} were found, but not drawn: {limit} (--limit N draws fewer, "
            "--timeout and --memory allow more)\n"
        )
        return None
    _tell_cut(graph, part, errors)
    return part.text


def _tell_cut(graph: "StateGraph", part: "PartOfGraph", errors: Screen) -> None:
    """Say what was in the way of more states, and of more steps between these, each where something was."""
    from gnomon.results.graph import MORE

    if part.states < graph.states:
        errors.write(f"cut after {part.states:,} of {_states(graph)} that were found: {part.why}\n")
        return
    if graph.cut:
        more = " (--limit allows more)" if graph.why == MORE else ""
        errors.write(f"cut after {_states(graph)}: {graph.why}{more}\n")
    no_steps = part.why or graph.unlooked
    if no_steps and no_steps != graph.why:
        errors.write(f"not all steps between these are told: {no_steps}\n")


def _states(graph: "StateGraph") -> str:
    return f"{graph.states:,} state{'' if graph.states == 1 else 's'}"


def _load(
    model: str, constants: dict[str, int], budget: Budget
) -> tuple[Loaded | None, tuple[Diagnostic, ...]]:
    progress = _progress(model)
    if progress is None:
        return try_to_load(model, constants, budget)
    try:
        return try_to_load(model, constants, budget, progress.reading)
    finally:
        progress.clear()


def _measure(model: str, system: System, limit: int, budget: Budget) -> Sizes:
    already = budget.spent()
    left = None if budget.seconds is None else max(budget.seconds - already, _AT_LEAST)
    progress = _progress(model, already)
    if progress is None:
        return measure(system, limit, left, None, budget.megabytes)
    try:
        return measure(system, limit, left, progress.report, budget.megabytes)
    finally:
        progress.clear()


def _covered(loaded: Loaded, budget: Budget) -> "Coverage":
    from gnomon.checking.coverage import coverage

    assert loaded.system is not None
    already = budget.spent()
    left = None if budget.seconds is None else max(budget.seconds - already, _AT_LEAST)
    progress = _progress(loaded.source.name, already)
    report = None if progress is None else progress.report
    try:
        return coverage(
            loaded.system, loaded.source, timeout=left, memory=budget.megabytes, report=report
        )
    finally:
        if progress is not None:
            progress.clear()


def _tell_coverage(
    found: "Coverage", screen: Screen, file: OutputFile | None, *, json: bool, everything: bool
) -> None:
    from gnomon.results.render.coverage import of_coverage, render

    if json:
        from gnomon.results.render.json import dumps

        text = dumps(of_coverage(found))
        file.commit(text) if file else screen.put(text)
        return
    shown = render(found, screen.width, everything=everything)
    file.commit(shown.plain()) if file else screen.write(shown)


def _progress(model: str, already: float = 0.0) -> ProgressLine | None:
    """Return the line that tells of progress, begun, where somebody sees it."""
    errors = standard_error()
    if not is_terminal(errors.stream):
        return None
    progress = ProgressLine(errors.stream)
    progress.start(model, already)
    return progress


def _describe(
    loaded: Loaded, sizes: Sizes, screen: Screen, file: OutputFile | None, *, json: bool
) -> None:
    system, model = loaded.system, loaded.source.name
    assert system is not None
    if json:
        from gnomon.results.render.json import dumps

        text = dumps(of_system(model, system, sizes))
        file.commit(text) if file else screen.put(text)
        return
    from gnomon.results.render.model import render

    shown = render(model, system, sizes, screen.width, loaded.in_force)
    file.commit(shown.plain()) if file else screen.write(shown)
