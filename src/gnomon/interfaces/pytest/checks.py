"""One check for all formulae of a model that are left to decide, in one process of pytest or in several."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.supervise import machine_memory
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.budget import LimitReached
from gnomon.text.diagnostic import Diagnostic, InputError

#: However many processes there are, each may use so many megabytes.
_LEAST_MEMORY: Final = 500.0


@dataclass(frozen=True)
class CheckSettings:
    """How models are checked, and where processes of pytest leave what they have found out for the others."""

    options: Options
    constants: Mapping[str, int] = field(default_factory=dict)
    folder: str | None = None


class ModelChecked(NamedTuple):
    """What came of a model: a result, or else what is wrong or why there is none."""

    result: Result | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    reason: str = ""
    #: Whether it was found out here, and not by another process, which has told of its warnings.
    here: bool = True

    def verdict(self, number: int) -> Verdict | None:
        """Return the verdict on a formula, where there is one."""
        verdicts = () if self.result is None else self.result.verdicts
        return next((each for each in verdicts if each.index == number), None)


class ModelInquiry:
    """A model, and which of its formulae are to be decided, all of them in one check."""

    def __init__(
        self, name: str, text: str, constants: Mapping[str, int], settings: CheckSettings
    ) -> None:
        """Ask about this text; nothing is checked before somebody wants to know."""
        self.numbers: set[int] = set()
        self.constants = constants
        self._told = False
        self._question = Question(text, name, tuple(sorted(constants.items())))
        self._settings = settings
        self._found: ModelChecked | None = None
        self._asked: frozenset[int] = frozenset()

    def answer(self, number: int) -> ModelChecked:
        """Return what came of the check in which this formula was decided with the others."""
        if self._found is None or number not in self._asked:
            self.numbers.add(number)
            self._asked = frozenset(self.numbers)
            self._found = self._from_all()
        return self._found

    def tell_warnings(self) -> bool:
        """Return whether nobody has told of the warnings yet; from now on somebody has."""
        told, self._told = self._told, True
        return not told

    def _from_all(self) -> ModelChecked:
        question = replace(
            self._question, only=tuple(sorted(self._asked)), options=self._settings.options
        )
        folder = self._settings.folder
        if folder is None or not os.path.isdir(folder):
            return _checked(question)
        return _shared(question, folder)


def _shared(question: Question, folder: str) -> ModelChecked:
    """Return what another process has found out, or else find it out for all."""
    import hashlib
    import pickle

    name = hashlib.sha256(
        f"{question.name}\n{question.digest}".encode(errors="replace")
    ).hexdigest()
    path = os.path.join(folder, name)
    with _alone(f"{path}.lock"):
        if os.path.exists(path):
            with open(path, "rb") as file:
                found: ModelChecked = pickle.load(file)  # noqa: S301 - the folder is ours alone
            return found._replace(here=False)
        found = _checked(question)
        with open(f"{path}.new", "wb") as file:
            pickle.dump(found, file)
        os.replace(f"{path}.new", path)
        return found


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Be the only process inside; one that ends, however it does, lets the next in."""
    try:
        import fcntl
    except ImportError:  # there are systems without; then each process asks for itself
        yield
        return
    with open(path, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _checked(question: Question) -> ModelChecked:
    """Decide formulae, and find evidence for those that are not as expected.

    Evidence takes time and most formulae are as expected, so it is asked for where something is wrong.
    """
    try:
        result = _result(question)
    except InputError as error:
        return ModelChecked(diagnostics=error.diagnostics)
    except (LimitReached, MemoryError) as limit:
        return ModelChecked(reason=str(limit) or "there is no more memory")
    wrong = tuple(each.index for each in result.verdicts if each.standing == "unexpected")
    if not wrong:
        return ModelChecked(replace(result, system=None))
    options = replace(question.options, evidence=True)
    try:
        explained = _result(replace(question, only=wrong, options=options))
    except (InputError, LimitReached, MemoryError):
        return ModelChecked(result)  # it was decided all the same
    better = {each.index: each for each in explained.verdicts}
    verdicts = tuple(_explained(each, better.get(each.index)) for each in result.verdicts)
    return ModelChecked(replace(result, verdicts=verdicts))


def _explained(verdict: Verdict, again: Verdict | None) -> Verdict:
    return again if again is not None and again.value is verdict.value else verdict


def _result(question: Question) -> Result:
    result = read(question).check()
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def fair_share(options: Options, processes: int) -> Options:
    """Return the options of one process among several: they share memory, and race for nothing."""
    if processes < 2:
        return options
    memory = machine_memory()
    if options.memory is None and memory is not None:
        options = replace(options, memory=max(memory / processes, _LEAST_MEMORY))
    return replace(options, race=False)
