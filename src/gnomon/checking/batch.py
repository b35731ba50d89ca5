"""Many models, each held to what its author expects of it, several at once."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Final, NamedTuple

from gnomon.checking.keyword_expression import Selection
from gnomon.checking.load import Loaded, limited, load_source, read_source
from gnomon.checking.options import Options
from gnomon.checking.process.child import Tell
from gnomon.checking.question import Question, read
from gnomon.checking.selection import as_choice, chosen
from gnomon.checking.supervise import fork_from_here, has_processes, machine_memory
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.ending import Terminated
from gnomon.text.source import Source

_NOT_READ: Final = "G0004"
#: A process keeps to its limits by itself, and may say what it found; after so many more seconds it is ended.
_GRACE: Final = 5.0
#: However many are tested at once, each may have so many megabytes.
_LEAST_MEMORY: Final = 500.0


class ModelCase(NamedTuple):
    """A model that is to be held to what is expected of it.

    Only formulae of these names, or numbers, are meant, where there are any, and of these only what the
    selection means.
    """

    path: str
    names: tuple[str, ...] = ()
    selection: Selection = Selection()


class CaseResult(NamedTuple):
    """What came of a model, and how many of its formulae were left out."""

    result: Result
    left_out: int = 0


class Outcome(Enum):
    """How a formula, or a model, came out: the letter that stands for it."""

    PASSED = "."
    FAILED = "F"
    UNDECIDED = "?"
    ERROR = "E"


def called(model: str, verdict: Verdict) -> str:
    """Return what a formula is called among those of many models."""
    return f"{model}::{verdict.label}"


def outcome(verdict: Verdict) -> Outcome:
    """Return how a formula came out."""
    match verdict.standing:
        case "expected":
            return Outcome.PASSED
        case "unexpected":
            return Outcome.FAILED
        case "open":
            return Outcome.UNDECIDED


def of_the_model(result: Result) -> Outcome | None:
    """Return how the model itself came out, where that is worth a word: it was not or could not be read."""
    codes = {item.code for item in result.diagnostics if item.is_error}
    if not codes:
        return None
    return Outcome.UNDECIDED if codes == {_NOT_READ} else Outcome.ERROR


def outcomes(result: Result) -> Iterator[Outcome]:
    """Yield how each formula of a model came out, and then the model, where that is worth a word."""
    yield from map(outcome, result.verdicts)
    whole = of_the_model(result)
    if whole is not None:
        yield whole


def run_cases(
    cases: Sequence[ModelCase],
    options: Options,
    at_once: int,
    look: Callable[[int, tuple[int, ...]], None] = lambda _done, _under_way: None,
) -> Generator[CaseResult, None, None]:
    """Yield what comes of each model, in their order, however many are under way at once.

    Every now and then, `look` is told how many are done and the places of those under way. When the iterator
    is closed, all that is under way is ended. Without a limit of memory, all of them share one.
    """
    options = replace(options, race=False)  # several models are under way already
    if not has_processes():
        yield from (_tested(case, options) for case in cases)
        return
    from gnomon.checking.pool import Pool  # it starts processes, which not everybody has

    memory = machine_memory()
    if options.memory is None and memory is not None:
        options = replace(options, memory=max(memory / at_once, _LEAST_MEMORY))
    jobs = [partial(_run_in_a_process, case, options, _here()) for case in cases]
    seconds = None if options.timeout is None else options.timeout + _GRACE
    waiting: dict[int, CaseResult] = {}
    told = 0

    def looked(under_way: tuple[int, ...]) -> None:
        look(told + len(waiting), under_way)

    try:
        with Pool(at_once) as pool:
            for job in jobs:
                pool.add(job, seconds)
            for place, value, reason, _ in pool.finished(looked):
                waiting[place] = value or CaseResult(_not_tested(cases[place].path, reason))
                while told in waiting:
                    yield waiting.pop(told)
                    told += 1
    except (KeyboardInterrupt, Terminated):
        for place in sorted(waiting):  # they were only waiting for their turn to be told
            yield waiting[place]
        raise


def _here() -> str | None:
    """Return the folder we are in, from which paths are followed; None where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _run_in_a_process(
    case: ModelCase, options: Options, folder: str | None, tell: Tell
) -> CaseResult:
    """Do the work in a process that is there for nothing else, and so may move and be forked."""
    del tell
    if folder is not None:
        os.chdir(folder)
    fork_from_here()
    tested = _tested(case, options)
    if not tested.result.as_expected:
        return tested
    # Where there is nothing to explain, a large system need not travel, nor be kept.
    return tested._replace(result=replace(tested.result, system=None))


def _tested(case: ModelCase, options: Options) -> CaseResult:
    budget = Budget(options.timeout, options.memory)
    try:
        source = read_source(case.path)
        with limited(budget):
            loaded = load_source(source)
        return _checked(case, loaded, options, budget)
    except InputError as error:
        return CaseResult(_unread(case.path, error.diagnostics))
    except (LimitReached, MemoryError) as limit:
        return CaseResult(_not_read(case.path, str(limit) or "there is no more memory"))


def _checked(case: ModelCase, loaded: Loaded, options: Options, budget: Budget) -> CaseResult:
    own: Sequence[AnySpecification] = loaded.model.specifications if loaded.model else ()
    only, left_out, missing = _meant(case, own, loaded.source)
    if missing and not loaded.has_errors:
        return CaseResult(_unread(case.path, missing))
    if left_out and not only:  # a question about none of them would be about all
        return CaseResult(Result(case.path, loaded.kind, "", None, budget.spent(), ()), left_out)
    source = loaded.source
    asked = read(Question(source.text, source.name, only=only, options=options), loaded)
    try:
        result = replace(asked, seconds=budget.spent()).check()
    except InputError as error:
        more = tuple(item for item in error.diagnostics if item not in asked.diagnostics)
        return CaseResult(asked.refused(more))
    return CaseResult(result, left_out)


class _Meant(NamedTuple):
    """The numbers of the formulae that are meant, how many named ones are not, a word on names of none."""

    numbers: tuple[int, ...]
    left_out: int
    missing: tuple[Diagnostic, ...]


def _meant(case: ModelCase, own: Sequence[AnySpecification], source: Source) -> _Meant:
    named = set(range(1, len(own) + 1)) if not case.names else set()
    missing: list[Diagnostic] = []
    for name in case.names:
        found, said = _named(name, own, source)
        named |= found
        missing += said
    meant = tuple(
        number
        for number in sorted(named)
        if case.selection.means(f"{case.path}::{own[number - 1].name or number}")
    )
    return _Meant(meant, len(named) - len(meant), tuple(missing))


def _named(
    name: str, own: Sequence[AnySpecification], source: Source
) -> tuple[set[int], list[Diagnostic]]:
    """Return the formulae of a name, pattern or number; without indices a name means all that have some."""
    choice = as_choice(name)
    items, said = chosen((choice,), own, source)
    if not items:
        items, _ = chosen((f"{choice}[*]",), own, source)
    return {number for number, _ in items}, [] if items else said


def _not_read(path: str, reason: str) -> Result:
    message = f"`{path}` was not read to its end: {reason}"
    return _unread(path, (Diagnostic(_NOT_READ, message, Source(path, "")),))


def _not_tested(path: str, reason: str) -> Result:
    """Return the result where nobody knows how far it came."""
    message = f"`{path}` was not tested to its end: {reason}"
    return _unread(path, (Diagnostic(_NOT_READ, message, Source(path, "")),))


def _unread(path: str, said: tuple[Diagnostic, ...]) -> Result:
    """Return the result that only says what is wrong."""
    return Result(path, "finite", "", None, 0.0, (), diagnostics=said)
