"""The work behind `gnomon check`: load all models, check each, print, and return the status."""

from dataclasses import replace
from typing import Any, TypeVar

import click

from gnomon.checking.check import Options, check
from gnomon.checking.consistency import Disagreement
from gnomon.checking.load import Loaded, read_formula, read_predicate, read_question
from gnomon.checking.verdict import Result, Value, Verdict
from gnomon.interfaces.cli.files import OutputFile
from gnomon.interfaces.cli.models import show_diagnostics, status_of, try_to_load
from gnomon.interfaces.cli.printer import Printer
from gnomon.interfaces.cli.progress import Progress
from gnomon.interfaces.cli.request import Request
from gnomon.interfaces.cli.screen import Screen, is_terminal, standard_error
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.parameterised.system import Question as OpenQuestion
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic, InputError

BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143

Item = TypeVar("Item")


def run(
    request: Request, screen: Screen, file: OutputFile | None, proofs: OutputFile | None = None
) -> int:
    """Do what was asked and return the exit status; nothing is checked where any input is bad."""
    errors = standard_error(no_color=request.no_color)
    questions = [ask(request, path) for path in request.models]
    said = [item for question in questions for item in question.diagnostics]
    shown = [item for item in said if item.is_error or not request.quiet]
    show_diagnostics(errors, shown)
    printer = Printer(request, screen, file)
    if any(item.is_error for item in said):
        if request.format != "text":
            printer.finish([question.refused() for question in questions])
        return status_of(said)
    try:
        results = _check_all(request, questions, printer, errors)
    except InputError as refused:
        show_diagnostics(errors, refused.diagnostics)
        if request.format != "text":
            printer.finish([question.refused(refused.diagnostics) for question in questions])
        return BAD_INPUT
    except Disagreement as error:
        from gnomon.interfaces.cli.disagreeing import reported

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


class Question:
    """A model, what is asked about it, and what is wrong with either."""

    def __init__(
        self,
        path: str,
        loaded: Loaded | None,
        diagnostics: tuple[Diagnostic, ...],
        asked: list[tuple[int, Specification]],
        predicates: tuple[Formula, ...] = (),
        openly: list[tuple[int, OpenQuestion]] | None = None,
    ) -> None:
        self.path = path
        self.loaded = loaded
        self.diagnostics = diagnostics
        self.asked = asked
        self.predicates = predicates
        #: What is asked about any number of agents.
        self.openly = openly or []
        #: How many seconds reading it has taken: they count.
        self.reading = 0.0

    def refused(self, more: tuple[Diagnostic, ...] = ()) -> Result:
        """Return the result that only says what is wrong."""
        kind = self.loaded.kind if self.loaded else "finite"
        said = (*self.diagnostics, *more)
        return Result(self.path, kind, "", None, 0.0, (), diagnostics=said)


def ask(request: Request, path: str) -> Question:
    """Load a model and read what is asked about it; what is wrong with either is in the question."""
    budget = Budget(request.timeout, request.memory)
    loaded, diagnostics = try_to_load(path, request.constants, budget)
    path = "<stdin>" if path == "-" else path
    if loaded is None:
        return Question(path, None, diagnostics, [])
    question = _ask(request, path, loaded, diagnostics)
    question.reading = budget.spent()
    return question


def _ask(
    request: Request, path: str, loaded: Loaded, diagnostics: tuple[Diagnostic, ...]
) -> Question:
    asked: list[tuple[int, Specification]] = []
    if loaded.open is not None:
        return _ask_open(request, path, loaded, loaded.open, diagnostics)
    assert loaded.system is not None
    for index, text in enumerate(request.formulae, 1):
        try:
            asked.append((index, read_formula(loaded, text)))
        except InputError as error:
            diagnostics += error.diagnostics
    predicates: list[Formula] = []
    for text in request.predicates:
        try:
            predicates.append(read_predicate(loaded, text))
        except InputError as error:
            diagnostics += error.diagnostics
    if not request.formulae:
        asked = _chosen(list(enumerate(loaded.system.specifications, 1)), request.only, path)
    if request.uniform_group:
        _know_group(loaded.system, request.uniform_group, path)
    return Question(path, loaded, diagnostics, asked, tuple(predicates))


def _ask_open(
    request: Request,
    path: str,
    loaded: Loaded,
    system: OpenSystem,
    diagnostics: tuple[Diagnostic, ...],
) -> Question:
    """Read what is asked about any number of agents."""
    if request.predicates:
        raise click.UsageError(
            f"--predicate: `{path}` has templates, and nothing is abstracted there"
        )
    asked: list[tuple[int, OpenQuestion]] = []
    for index, text in enumerate(request.formulae, 1):
        try:
            asked.append((index, read_question(loaded, text)))
        except InputError as error:
            diagnostics += error.diagnostics
    if not request.formulae:
        asked = _chosen(list(enumerate(system.questions, 1)), request.only, path)
    return Question(path, loaded, diagnostics, [], (), asked)


def _chosen(
    asked: list[tuple[int, Item]], only: tuple[int, ...], path: str
) -> list[tuple[int, Item]]:
    for number in only:
        if number > len(asked):
            count = f"{len(asked)} formula{'' if len(asked) == 1 else 'e'}"
            raise click.UsageError(f"--only {number}: `{path}` has {count}")
    return [item for item in asked if not only or item[0] in only]


def _know_group(system: System, name: str, path: str) -> None:
    if name not in system.groups and name not in system.agent_index:
        known = ", ".join(system.groups) or "none"
        raise click.UsageError(
            f"--uniform-group {name}: `{path}` has no such group; it has: {known}"
        )


def _check_all(
    request: Request, questions: list[Question], printer: Printer, errors: Screen
) -> list[Result]:
    progress = progress_on(errors, wanted=request.progress)
    results: list[Result] = []
    for question in questions:
        result = check_one(request, question, printer, progress)
        results.append(result)
        if progress is not None:
            progress.clear()
        new = [item for item in result.diagnostics if item not in question.diagnostics]
        if not request.quiet:
            show_diagnostics(errors, new)
        printer.model(result)
        if result.interrupted:
            break
    printer.finish(results)
    return results


def progress_on(errors: Screen, *, wanted: bool | None) -> Progress | None:
    """Return the line that tells of progress, unless nobody wants or sees it."""
    shown = is_terminal(errors.stream) if wanted is None else wanted
    return Progress(errors.stream) if shown else None


def check_one(
    request: Request, question: Question, printer: Printer | None, progress: Progress | None
) -> Result:
    """Check what is asked about one model; the printer hears of every verdict at once."""
    assert question.loaded is not None
    if progress is not None:
        progress.start(question.path)
    numbers = [index for index, _ in (*question.asked, *question.openly)]
    system = question.loaded.system

    def on_verdict(verdict: Verdict) -> None:
        if progress is not None:
            progress.clear()
        if printer is not None:
            printer.verdict(question.path, verdict, system)

    options = _options(request, progress, question.predicates)
    given: dict[str, Any] = {
        "model": question.path,
        "diagnostics": question.diagnostics,
        "source": question.loaded.source,
        "constants": request.constants,
        "numbers": None if request.formulae else numbers,
        "already": question.reading,
        "on_verdict": on_verdict,
    }
    if question.loaded.open is not None:
        from gnomon.checking.parameterised import check_open

        asked = [each for _, each in question.openly]
        result = check_open(question.loaded.open, asked, options, **given)
    else:
        assert system is not None
        specifications = [specification for _, specification in question.asked]
        result = check(system, specifications, options, **given)
    return result if request.explain_predicates else replace(result, predicates=())


def _options(
    request: Request, progress: Progress | None, predicates: tuple[Formula, ...]
) -> Options:
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
        memory=request.memory,
        max_states=request.max_states,
        report=progress.report if progress is not None else None,
        account=request.verbose,
        certificate=request.certificate is not None,
        paranoid=request.paranoid,
        refine=request.refine,
        predicates=predicates,
    )


def exit_status(results: list[Result]) -> int:
    """Return 130 if interrupted (143 by SIGTERM), 1 if anything is false, 3 if anything is open, else 0."""
    if any(result.interrupted for result in results):
        return TERMINATED if any(result.terminated for result in results) else INTERRUPTED
    values = {verdict.value for result in results for verdict in result.verdicts}
    values |= {check.value for result in results for check in result.checks}
    if Value.FALSE in values:
        return 1
    return 3 if values & {Value.UNDEFINED, Value.UNKNOWN} else 0
