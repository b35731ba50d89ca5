"""From the command line to questions: models are read, at every size that is asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

from gnomon.checking.load import read_source
from gnomon.checking.options import Options
from gnomon.checking.question import Asked, Question, read
from gnomon.interfaces.cli.models import in_time, not_read
from gnomon.interfaces.cli.progress import ProgressLine
from gnomon.interfaces.cli.request import Request
from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source

_Meanwhile: TypeAlias = Callable[[], None] | None


def ask(request: Request, path: str, progress: ProgressLine | None) -> Asked:
    """Read a model and what is asked about it; what is wrong with either is among its diagnostics."""
    budget = Budget(request.timeout, request.memory)
    with _telling(path, progress) as meanwhile:
        source = _source(path, budget, meanwhile)
        if isinstance(source, Asked):
            return source
        return _asked(request, path, source, budget, meanwhile)


def ask_all(request: Request, path: str, progress: ProgressLine | None) -> list[Asked]:
    """Read a model at every size that is asked for; its text is read once."""
    if not request.sweep:
        return [ask(request, path, progress)]
    from gnomon.checking.sweep import at_some_size, sizes

    with _telling(path, progress) as meanwhile:
        source = _source(path, Budget(request.timeout, request.memory), meanwhile)
        if isinstance(source, Asked):
            return [source]
        try:
            chosen = list(sizes(request.sweep))
        except InputError as error:
            return [Asked(Question("", source.name), None, error.diagnostics)]
        found: list[Asked] = []
        for size in chosen:
            budget = Budget(request.timeout, request.memory)
            of_size = request._replace(constants=size)
            found.append(_asked(of_size, path, source, budget, meanwhile))
        return at_some_size(found)


@contextmanager
def _telling(path: str, progress: ProgressLine | None) -> Iterator[_Meanwhile]:
    """Tell of progress meanwhile, where somebody wants to see it."""
    if progress is None:
        yield None
        return
    progress.start(_name(path))
    try:
        yield progress.reading
    finally:
        progress.clear()


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _source(path: str, budget: Budget, meanwhile: _Meanwhile) -> Source | Asked:
    """Return the text of a file, or the question that can only be refused."""
    unread = Question("", _name(path))
    try:
        with in_time(budget, meanwhile):
            return read_source(path)
    except InputError as error:
        return Asked(unread, None, error.diagnostics)
    except LimitReached as limit:
        return Asked(unread, None, (not_read(path, limit),))


def _asked(
    request: Request, path: str, source: Source, budget: Budget, meanwhile: _Meanwhile
) -> Asked:
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
        return Asked(Question("", source.name), None, error.diagnostics)
    try:
        with in_time(budget, meanwhile):
            return replace(read(question), seconds=budget.spent())
    except (LimitReached, MemoryError) as limit:
        return Asked(question, None, (not_read(path, limit),))


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
        race=request.race,
        refine=request.refine,
        expect=request.expect,
        strict=request.strict,
        allow=request.allow,
        deny=request.deny,
    )
