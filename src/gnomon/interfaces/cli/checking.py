"""The work behind `gnomon check`: load all models, check each, print, and return the status."""

from collections.abc import Callable
from dataclasses import replace

from gnomon.checking.consistency import Disagreement
from gnomon.checking.load import read_source
from gnomon.checking.options import Options
from gnomon.checking.question import Asked, Question, read
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import in_time, not_read, show_diagnostics, status_of
from gnomon.interfaces.cli.printer import Printer
from gnomon.interfaces.cli.progress import ProgressLine
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, is_terminal, standard_error
from gnomon.interfaces.cli.status import Status
from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import InputError


def run(
    request: Request, screen: Screen, file: OutputFile | None, proofs: OutputFile | None = None
) -> int:
    """Do what was asked and return the exit status; nothing is checked where any input is bad."""
    errors = standard_error(no_color=request.no_color)
    progress = progress_on(errors, wanted=request.progress)
    questions = [ask(request, path, progress) for path in request.models]
    said = [item for question in questions for item in question.diagnostics]
    shown = [item for item in said if item.is_error or not request.quiet]
    show_diagnostics(errors, shown)
    printer = Printer(request, screen, file)
    if any(item.is_error for item in said):
        status = status_of(said)
        if request.format != "text":
            printer.finish([question.refused() for question in questions], status)
        return status
    try:
        results = _check_all(request, questions, printer, errors, progress)
    except InputError as refused:
        show_diagnostics(errors, refused.diagnostics)
        if request.format != "text":
            answers = [question.refused(refused.diagnostics) for question in questions]
            printer.finish(answers, Status.BAD_INPUT)
        return Status.BAD_INPUT
    except Disagreement as error:
        from gnomon.interfaces.cli.disagreement_report import reported

        models = [question.loaded for question in questions if question.loaded is not None]
        raise reported(error, request, models) from error
    if proofs is not None:
        proofs.commit(_certificates(results))
    return exit_status(results)


def _certificates(results: list[Result]) -> str:
    """Return the certificates of all models as JSON: one object for one model."""
    from gnomon.results.render.json import compact

    found = [result.certificate for result in results if result.certificate is not None]
    whole = found[0] if len(found) == 1 else found
    return compact(whole) + "\n"


def ask(request: Request, path: str, progress: ProgressLine | None) -> Asked:
    """Read a model and what is asked about it; what is wrong with either is among its diagnostics."""
    name = "<stdin>" if path == "-" else path
    if progress is None:
        return _ask(request, path, Question("", name), None)
    progress.start(name)
    try:
        return _ask(request, path, Question("", name), progress.reading)
    finally:
        progress.clear()


def _ask(
    request: Request, path: str, unread: Question, meanwhile: Callable[[], None] | None
) -> Asked:
    budget = Budget(request.timeout, request.memory)
    try:
        with in_time(budget, meanwhile):
            source = read_source(path)
    except InputError as error:
        return Asked(unread, None, error.diagnostics)
    except LimitReached as limit:
        return Asked(unread, None, (not_read(path, limit),))
    try:
        question = Question(
            source.text,
            source.name,
            tuple(sorted(request.constants.items())),
            request.formulae,
            request.only,
            request.predicates,
            _options(request),
        )
    except InputError as error:
        return Asked(unread, None, error.diagnostics)
    try:
        with in_time(budget, meanwhile):
            return replace(read(question), seconds=budget.spent())
    except (LimitReached, MemoryError) as limit:
        return Asked(question, None, (not_read(path, limit),))


def _check_all(
    request: Request,
    questions: list[Asked],
    printer: Printer,
    errors: Screen,
    progress: ProgressLine | None,
) -> list[Result]:
    results: list[Result] = []
    for question in questions:
        result = check_one(request, question, printer, progress)
        results.append(result)
        new = [item for item in result.diagnostics if item not in question.diagnostics]
        if not request.quiet:
            show_diagnostics(errors, new)
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
    request: Request, asked: Asked, printer: Printer | None, progress: ProgressLine | None
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

    try:
        result = asked.check(progress.report if progress is not None else None, on_verdict)
    finally:
        if progress is not None:
            progress.clear()
    return result if request.explain_predicates else replace(result, predicates=())


def _options(request: Request) -> Options:
    return Options(
        engine=request.engine,
        order=request.order,
        diagrams=request.diagrams,
        strategies=request.strategies,
        uniform_group=request.uniform_group,
        evidence=request.evidence,
        check_deadlock=request.check_deadlock,
        check_overflow=request.check_overflow,
        timeout=request.timeout,
        formula_timeout=request.formula_timeout,
        memory=request.memory,
        max_states=request.max_states,
        account=request.verbose,
        certificate=request.certificate is not None,
        paranoid=request.paranoid,
        refine=request.refine,
        expect=request.expect,
        strict=request.strict,
        allow=request.allow,
        deny=request.deny,
    )


def exit_status(results: list[Result]) -> int:
    """Return 130 if interrupted (143 by SIGTERM), else how the formulae came out.

    1 where something was decided and is not as expected, or a check failed; 3 where something is open that
    should not be; 0 where all is as expected.
    """
    if any(result.interrupted for result in results):
        by_signal = any(result.terminated for result in results)
        return Status.TERMINATED if by_signal else Status.INTERRUPTED
    standings = {verdict.standing for result in results for verdict in result.verdicts}
    checks = {check.value for result in results for check in result.checks}
    if "unexpected" in standings or Value.FALSE in checks:
        return Status.REFUTED
    is_open = "open" in standings or checks & {Value.UNDEFINED, Value.UNKNOWN}
    return Status.OPEN if is_open else Status.DONE
