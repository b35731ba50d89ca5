"""The work behind `gnomon who`: read the model, ask about groups in processes of their own, and print."""

from typing import NamedTuple

from gnomon.campaign.local import LocalPool
from gnomon.campaign.who import investigate
from gnomon.campaign.who_asking import ANYTHING, WhoQuestion
from gnomon.checking.question import Asked
from gnomon.interfaces.cli.asking import ask
from gnomon.interfaces.cli.checking import progress_on
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import not_read, show_diagnostics, status_of
from gnomon.interfaces.cli.printer import page_for, put
from gnomon.interfaces.cli.progress import ProgressLine
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import LimitReached
from gnomon.results.formats import WHO
from gnomon.results.groups import KnownWhen, WhoReport
from gnomon.text.diagnostic import InputError


class WhoRequest(NamedTuple):
    """What only `gnomon who` can be asked."""

    goal: str
    knows: bool
    when: KnownWhen
    among: tuple[str, ...]
    environment: bool
    at_most: int | None
    jobs: int | None


def run(
    request: Request, wanted: WhoRequest, screen: Screen, file: OutputFile | None = None
) -> int:
    """Do what was asked and return the exit status; nothing is asked where any input is bad."""
    errors = standard_error(no_color=request.no_color)
    progress = progress_on(errors, wanted=request.progress)
    [path] = request.models
    asked = ask(request._replace(formulae=(ANYTHING,)), path, progress)
    if asked.has_errors:
        show_diagnostics(errors, asked.diagnostics)
        return status_of(asked.diagnostics)
    try:
        report = _investigated(request, wanted, asked, progress)
    except InputError as refused:
        show_diagnostics(errors, refused.diagnostics)
        return Status.BAD_INPUT
    except LimitReached as limit:  # before anything could be asked
        show_diagnostics(errors, [not_read(path, limit)])
        return Status.OPEN
    show_diagnostics(errors, report.diagnostics)
    put(WHO[request.format].render(report, page_for(request, screen, file)), screen, file)
    return exit_status(report)


def _investigated(
    request: Request, wanted: WhoRequest, asked: Asked, progress: ProgressLine | None
) -> WhoReport:
    inquiry = WhoQuestion(
        asked.question,
        wanted.goal,
        wanted.knows,
        wanted.when,
        wanted.among,
        wanted.environment,
        wanted.at_most,
    )
    report = None
    if progress is not None:
        progress.start(asked.question.name, asked.seconds)
        report = progress.report
    try:
        with LocalPool(wanted.jobs) as pool:
            return investigate(
                inquiry,
                pool,
                loaded=asked.loaded,
                evidence=request.evidence,
                report=report,
                already=asked.seconds,
            )
    finally:
        if progress is not None:
            progress.clear()


def exit_status(report: WhoReport) -> int:
    """Return 130 if interrupted (143 by SIGTERM), 3 if something is open, 0 where all is known."""
    if report.interrupted:
        return Status.TERMINATED if report.terminated else Status.INTERRUPTED
    return Status.OPEN if report.is_open else Status.DONE
