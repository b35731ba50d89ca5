"""The work behind `gnomon check`: load all models, check each, print, and return the status."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gnomon.checking.consistency import Disagreement
from gnomon.checking.question import Asked
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.interfaces.cli.asking import ask_all
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import show_diagnostics, status_of
from gnomon.interfaces.cli.printer import Printer
from gnomon.interfaces.cli.progress import ProgressLine
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, is_terminal, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Report
from gnomon.results import phrases
from gnomon.text.diagnostic import Diagnostic, InputError

if TYPE_CHECKING:
    from gnomon.interfaces.cli.sweep_printer import SweepPrinter


def run(
    request: Request, screen: Screen, file: OutputFile | None, proofs: OutputFile | None = None
) -> int:
    """Do what was asked and return the exit status; nothing is checked where any input is bad."""
    errors = standard_error(no_color=request.no_color)
    progress = progress_on(errors, wanted=request.progress)
    questions = [asked for path in request.models for asked in ask_all(request, path, progress)]
    said = [item for question in questions for item in question.diagnostics]
    said_before = _SaidBefore(request)
    new = [
        item for question in questions for item in said_before.new(question, question.diagnostics)
    ]
    show_diagnostics(errors, new, brief=request.quiet)
    printer = _printer(request, screen, file, questions)
    if any(item.is_error for item in said):
        status = status_of(said)
        if request.format != "text":
            printer.finish([question.refused() for question in questions], status)
        return status
    try:
        results = _check_all(request, questions, printer, errors, progress, said_before)
    except Disagreement as error:
        from gnomon.interfaces.cli.disagreement_report import reported

        models = [question.loaded for question in questions if question.loaded is not None]
        raise reported(error, request, models) from error
    if proofs is not None and not any(result.refused for result in results):
        proofs.commit(_certificates(results))
    return exit_status(results)


def _printer(
    request: Request, screen: Screen, file: OutputFile | None, questions: list[Asked]
) -> "Printer | SweepPrinter":
    refused = any(question.has_errors for question in questions)
    if not request.sweep or request.format != "text" or refused:
        return Printer(request, screen, file)
    from gnomon.interfaces.cli.sweep_printer import SweepPrinter

    return SweepPrinter(request, screen, file, questions)


class _SaidBefore:
    """What was said of models before; at every size of a family, much of it is the same."""

    def __init__(self, request: Request) -> None:
        self._swept = [name for name, values in request.sweep.items() if len(values) > 1]
        self._keys: set[object] = set()

    def new(self, asked: Asked, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return what was not said before, with the size at which it was first found."""
        if not self._swept:
            return list(diagnostics)
        constants = dict(asked.question.constants)
        size = phrases.setting((name, constants[name]) for name in self._swept if name in constants)
        found: list[Diagnostic] = []
        for item in diagnostics:
            key = (item.source.name, item.code, item.message, item.span)
            if key not in self._keys:
                self._keys.add(key)
                notes = (*item.notes, f"first with {size}") if size else item.notes
                found.append(replace(item, notes=notes))
        return found


def _certificates(results: list[Result]) -> str:
    """Return the certificates of all models as JSON: one object for one model."""
    from gnomon.results.render.json import compact

    found = [result.certificate for result in results if result.certificate is not None]
    whole = found[0] if len(found) == 1 else found
    return compact(whole) + "\n"


def _check_all(
    request: Request,
    questions: list[Asked],
    printer: "Printer | SweepPrinter",
    errors: Screen,
    progress: ProgressLine | None,
    said_before: _SaidBefore,
) -> list[Result]:
    results: list[Result] = []
    for question in questions:
        try:
            result = check_one(request, question, printer, progress)
        except InputError as refused:  # found while checking; the other models may do better
            result = question.refused(refused.diagnostics)
        results.append(result)
        new = [item for item in result.diagnostics if item not in question.diagnostics]
        show_diagnostics(errors, said_before.new(question, new), brief=request.quiet)
        if result.refused and len(questions) == 1 and request.format == "text":
            return results  # all that is to be said was said
        printer.model(result)
        if result.interrupted:
            break
    printer.finish(results, exit_status(results))
    return results


def progress_on(errors: Screen, *, wanted: bool | None) -> ProgressLine | None:
    """Return the line that tells of progress, unless nobody wants or sees it."""
    shown = is_terminal(errors.stream) if wanted is None else wanted
    return ProgressLine(errors.stream) if shown else None


def check_one(
    request: Request,
    asked: Asked,
    printer: "Printer | SweepPrinter | None",
    progress: ProgressLine | None,
) -> Result:
    """Check what is asked about one model; the printer hears of every verdict at once."""
    if progress is not None:
        progress.start(asked.question.name, asked.seconds)
    if printer is not None:
        printer.start(asked.begun())

    def on_verdict(verdict: Verdict) -> None:
        if progress is not None:
            progress.clear()
        if printer is not None:
            printer.verdict(verdict)

    def meanwhile() -> None:
        if printer is not None and printer.has_due():
            if progress is not None:
                progress.clear()
            printer.print_due()

    try:
        report = progress.report if progress is not None else None
        if request.parallel:
            result = _checked_in_parts(asked, report)
            for verdict in result:
                on_verdict(verdict)
        else:
            result = asked.check(report, on_verdict, meanwhile)
    finally:
        if progress is not None:
            progress.clear()
    return result if request.explain_predicates else replace(result, predicates=())


def _checked_in_parts(asked: Asked, report: Report | None) -> Result:
    from gnomon.campaign.in_parts import check_in_parts  # a plain check has no jobs
    from gnomon.campaign.local import LocalPool
    from gnomon.campaign.retries import Retrying

    with LocalPool() as pool:
        return check_in_parts(asked, Retrying(pool), report)


def exit_status(results: list[Result]) -> int:
    """Return 130 if interrupted (143 by SIGTERM), 2 if a model is refused, else how the formulae came out.

    1 where something was decided and is not as expected, or a check failed; 3 where something is open that
    should not be; 0 where all is as expected.
    """
    if any(result.interrupted for result in results):
        by_signal = any(result.terminated for result in results)
        return Status.TERMINATED if by_signal else Status.INTERRUPTED
    if any(result.refused for result in results):
        return Status.BAD_INPUT
    standings = {verdict.standing for result in results for verdict in result.verdicts}
    checks = {check.value for result in results for check in result.checks}
    if "unexpected" in standings or Value.FALSE in checks:
        return Status.REFUTED
    is_open = "open" in standings or checks & {Value.UNDEFINED, Value.UNKNOWN}
    return Status.OPEN if is_open else Status.DONE
