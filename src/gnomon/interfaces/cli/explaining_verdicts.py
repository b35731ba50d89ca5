"""The work behind `gnomon explain-verdict`: check, choose one verdict, and show it in one format."""

from dataclasses import replace

import click

from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli.asking import ask
from gnomon.interfaces.cli.checking import check_one, exit_status, progress_on
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import show_diagnostics, status_of
from gnomon.interfaces.cli.picture_options import know_actions, know_agents
from gnomon.interfaces.cli.printer import page_for, put
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.system import System
from gnomon.results.evidence_tree import says_much
from gnomon.results.formats import VERDICTS
from gnomon.results.projection import PictureStyle
from gnomon.results.render.evidence.view import NothingToDraw, VerdictView
from gnomon.text.diagnostic import InputError


def run(
    request: Request,
    style: PictureStyle,
    number: int | None,
    screen: Screen,
    file: OutputFile | None = None,
) -> int:
    """Do what was asked and return the exit status, which is that of the formula.

    Only the agents of `style` are shown; `number` says which run a format of one run has.
    """
    errors = standard_error(no_color=request.no_color)
    checked = _checked(request, style, errors)
    if isinstance(checked, int):
        return checked
    verdict = chosen(checked)
    # With any number of agents, how many there are is known only from the evidence.
    system = verdict.system or checked.system
    if verdict.system is not None:
        _know_names(verdict.system, style)
    result = replace(checked, verdicts=(verdict,), system=system)
    page = page_for(request, screen, file)
    view = VerdictView(result, style.agents, page, style=style)
    try:
        if request.format == "itf":
            view = replace(view, run=_run(view, number, errors))
        put(VERDICTS[request.format].explain(view), screen, file)
    except NothingToDraw as reason:
        errors.write(f"{reason}\n")
    return exit_status([result])


def _checked(request: Request, style: PictureStyle, errors: Screen) -> Result | int:
    """Return the result of the check, or the status where nothing could be checked."""
    [path] = request.models
    progress = progress_on(errors, wanted=request.progress)
    question = ask(request, path, progress)
    show_diagnostics(errors, question.diagnostics)
    if any(item.is_error for item in question.diagnostics):
        return status_of(question.diagnostics)
    if question.loaded is not None and question.loaded.system is not None:
        _know_names(question.loaded.system, style)
    try:
        checked = check_one(request, question, None, progress)
    except InputError as refused:
        show_diagnostics(errors, refused.diagnostics)
        return Status.BAD_INPUT
    new = [item for item in checked.diagnostics if item not in question.diagnostics]
    show_diagnostics(errors, new)
    if not checked.verdicts:
        raise click.ClickException(
            f"`{question.question.name}` has no formula: --formula gives one"
        )
    return checked


def _know_names(system: System, style: PictureStyle) -> None:
    know_agents(system, style.agents)
    know_actions(system, style)


def chosen(result: Result) -> Verdict:
    """Return the first verdict with a story, else the first with any evidence, else the first.

    Of those with a story, one that is not as expected comes before the others.
    """
    with_evidence = [verdict for verdict in result.verdicts if verdict.evidence is not None]
    telling = [item for item in with_evidence if item.evidence and says_much(item.evidence)]
    surprising = [item for item in telling if not item.as_expected]
    return (surprising or telling or with_evidence or list(result.verdicts))[0]


def _run(view: VerdictView, wanted: int | None, errors: Screen) -> int:
    """Return which run is shown, and say where there are more."""
    from gnomon.results.render.evidence.itf import count

    _, evidence, _ = view.with_runs()
    found = count(evidence)
    number = wanted or 1
    if number > found:
        runs = f"{found} run{'' if found == 1 else 's'}"
        raise click.UsageError(f"--run {number}: the evidence has {runs}")
    if found > 1 and wanted is None:
        errors.write(f"run 1 of {found}: --run N chooses another\n")
    return number
