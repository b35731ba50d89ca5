"""Models as files of tests, and their formulae as the tests in them.

A formula that has another value than expected fails. One without a value, undefined or unknown, is an error,
as in our JUnit reports: nobody knows whether it is as expected.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from gnomon.checking.load import Loaded, decoded, limited, load_parsed, read_bytes
from gnomon.checking.policy import judged
from gnomon.checking.verdict import Verdict
from gnomon.interfaces.pytest.checks import CheckSettings, ModelChecked, ModelInquiry
from gnomon.interfaces.pytest.command_line import as_written_from
from gnomon.language.parse import parse
from gnomon.model.any import AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.results.render import diagnostic
from gnomon.results.render.unexpected import ModelContext, headline, render
from gnomon.results.styled import visible
from gnomon.testing import GnomonWarning
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.errors import GnomonError
from gnomon.text.limits import paused_collection
from gnomon.text.source import Source

SETTINGS: Final = pytest.StashKey[CheckSettings]()
INQUIRIES: Final = pytest.StashKey[dict[Path, ModelInquiry]]()
#: Constants that were to be set, and that no model has had so far.
UNUSED: Final = pytest.StashKey[set[str]]()


class ModelProblem(GnomonError):
    """Something to say of a model, which is the whole message: pytest shows no traceback of ours."""

    def __init__(self, summary: str, message: str, line: int = 0) -> None:
        """Say this, on one line and at length."""
        super().__init__(message)
        self.summary = visible(summary, "")
        self.line = line


class ModelFile(pytest.File):
    """A model."""

    def collect(self) -> Iterator["FormulaItem"]:
        """Yield its formulae; raise where it has errors."""
        settings = self.config.stash[SETTINGS]
        name = as_written_from(self.config.invocation_params.dir, self.path)
        source, loaded, constants = _read(self.path, name, settings)
        self.config.stash[UNUSED].difference_update(constants)
        inquiries = self.config.stash[INQUIRIES]
        if self.path not in inquiries:
            inquiries[self.path] = ModelInquiry(source.name, source.text, constants, settings)
        own: Sequence[AnySpecification] = loaded.model.specifications if loaded.model else ()
        if not own:
            self.warn(GnomonWarning(f"{source.name} has no formulae: nothing is tested"))
        for number, formula in enumerate(own, 1):
            yield FormulaItem.from_parent(
                self, name=formula.name or str(number), number=number, formula=formula
            )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what is wrong, as the command line says it."""
        del style
        return told(self.path, excinfo) or super().repr_failure(excinfo)


class FormulaItem(pytest.Item):
    """A formula of a model."""

    def __init__(self, *, number: int, formula: AnySpecification, **given: Any) -> None:
        """Stand for the formula of that number."""
        super().__init__(**given)
        self.number = number
        self._line = formula.line
        #: Other plugins look for it, as doctests have it, too; some fail where it is missing.
        self.funcargs: dict[str, object] = {}
        self.add_marker("gnomon")

    @property
    def inquiry(self) -> ModelInquiry:
        """What is asked about its model."""
        return self.config.stash[INQUIRIES][self.path]

    def setup(self) -> None:
        """Have the model checked, unless that was done for another formula; raise where there is no value."""
        checked = self.inquiry.answer(self.number)
        if checked.diagnostics:
            raise _refused(checked.diagnostics)
        verdict = checked.verdict(self.number)
        if verdict is None:
            reason = checked.reason or "there is no verdict"
            raise ModelProblem(f"unknown: {reason}", f"the model was not read: {reason}")
        self._warn(checked)
        if verdict.standing == "open":
            raise self._problem(checked, verdict)

    def runtest(self) -> None:
        """Raise where the value is another one than expected."""
        checked = self.inquiry.answer(self.number)
        verdict = checked.verdict(self.number)
        assert verdict is not None
        if verdict.standing == "unexpected":
            raise self._problem(checked, verdict)
        if verdict.vacuous:
            self.warn(GnomonWarning(f"{self.name} is vacuous: {verdict.vacuous}"))

    def _problem(self, checked: ModelChecked, verdict: Verdict) -> ModelProblem:
        result, settings = checked.result, self.config.stash[SETTINGS]
        assert result is not None
        about = ModelContext(
            result.model, result.system, result.constants, self._seen_again(settings)
        )
        message = render(verdict, about).plain().rstrip()
        return ModelProblem(headline(verdict), message, verdict.line)

    def _seen_again(self, settings: CheckSettings) -> str:
        """Return the options with which the command line comes to the same verdict."""
        options, constants = settings.options, self.inquiry.constants
        words = [f" --set {name}={value}" for name, value in constants.items()]
        if options.engine != "auto":
            words.append(f" --engine {options.engine}")
        if options.strategies != "perfect":
            words.append(f" --strategies {options.strategies}")
        if options.uniform_group:
            words.append(f" --uniform-group {options.uniform_group}")
        return "".join(words)

    def _warn(self, checked: ModelChecked) -> None:
        """Warn of what is suspicious about the model, once."""
        if checked.here and self.inquiry.tell_warnings():
            for item in () if checked.result is None else checked.result.diagnostics:
                said = GnomonWarning(visible(f"{item.code}: {item.message}", ""))
                warnings.warn_explicit(said, None, str(self.path), item.line or 1)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it is, and what to call it."""
        return self.path, max(self._line - 1, 0), f"{self.parent_name}: {self.name}"

    @property
    def parent_name(self) -> str:
        """The name of its file, as pytest shows it."""
        return visible(self.nodeid.removesuffix(f"::{self.name}"), "")


def told(path: Path, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
    """Return a problem of ours as a report: its message alone, and a place that tools can go to."""
    problem = excinfo.value
    if not isinstance(problem, ModelProblem | GnomonWarning):
        return None
    report = excinfo.getrepr(style="value", chain=False)
    if report.reprcrash is not None and isinstance(problem, ModelProblem):
        report.reprcrash.path = str(path)
        report.reprcrash.lineno = max(problem.line, 1)
        report.reprcrash.message = problem.summary
    return report


def _refused(found: tuple[Diagnostic, ...]) -> ModelProblem:
    errors = [item for item in found if item.is_error] or list(found)
    count = f"{len(errors)} errors: " if len(errors) > 1 else ""
    message = diagnostic.render(errors).plain().rstrip()
    return ModelProblem(f"{count}{errors[0].message}", message, errors[0].line)


def _read(
    path: Path, name: str, settings: CheckSettings
) -> tuple[Source, Loaded, Mapping[str, int]]:
    """Return a model with those of the constants set that it has."""
    options = settings.options
    try:
        source = decoded(name, read_bytes(str(path)))
        with limited(Budget(options.timeout, options.memory)), paused_collection():
            parsed = parse(source)
            own = {each.name for each in parsed.program.constants}
            constants = {name: n for name, n in settings.constants.items() if name in own}
            loaded = load_parsed(source, parsed, constants)
    except InputError as error:
        raise _refused(error.diagnostics) from None
    except (LimitReached, MemoryError) as limit:
        reason = str(limit) or "there is no more memory"
        raise ModelProblem(reason, f"{name} was not read to its end: {reason}") from None
    said = judged(loaded.diagnostics, loaded.policy(options))
    if any(item.is_error for item in said):
        raise _refused(said)
    return source, loaded, constants
