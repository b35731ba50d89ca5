"""Helpers for those who write tests in Python.

>>> import gnomon
>>> from gnomon.testing import assert_as_expected
>>> assert_as_expected(gnomon.load("examples/bit_transmission.ispl").check())

With pytest, the fixture `gnomon_model` loads models that lie beside the test, and `pytest --gnomon` needs no
Python at all.
"""

import os
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gnomon.api.answers import Answer, CheckResult
    from gnomon.api.models import Model
    from gnomon.api.sweeps import Sweep

__all__ = ["GnomonWarning", "ModelLoader", "assert_as_expected"]


class GnomonWarning(UserWarning):
    """What `pytest --gnomon` warns of: a model, or a formula that is true of nothing."""


class ModelLoader(Protocol):
    """What the fixture `gnomon_model` is, for those who annotate their tests."""

    def __call__(self, path: str | os.PathLike[str], /, **constants: int) -> "Model":
        """Read a model from a file beside the test, or from anywhere else; constants are set by name."""


def assert_as_expected(found: "CheckResult | Answer | Sweep") -> None:
    """Raise an `AssertionError` that tells the counterexample of every formula that is not as expected.

    Undefined and unknown are not as expected either. `found` is what `check`, `sweep` or an index of a
    result returned.
    """
    __tracebackhide__ = True  # pytest shows the line that called
    problems = list(_problems(found))
    if problems:
        raise AssertionError("\n\n".join(problems))


def _problems(found: "CheckResult | Answer | Sweep") -> "Iterator[str]":
    from gnomon.api.answers import Answer, CheckResult
    from gnomon.api.sweeps import Sweep
    from gnomon.results.render.unexpected import ModelContext, render, render_check

    match found:
        case Answer():
            if not found.as_expected:
                system = None if found.evidence is None else found.evidence.system
                yield render(found.verdict, ModelContext(system=system)).plain().rstrip()
        case CheckResult(result=result):
            about = ModelContext(result.model, result.system, result.constants)
            for verdict in result.verdicts:
                if not verdict.as_expected:
                    yield render(verdict, about).plain().rstrip()
            for check in result.checks:
                if not check.as_expected:
                    yield render_check(check, about).plain().rstrip()
            if result.interrupted:
                yield f"{result.model}: the check was interrupted"
            elif not (result.verdicts or result.checks):
                yield f"{result.model}: no formula was checked"
        case Sweep():
            asked = [each for _, each in found if len(each) or each.checks]
            if not asked:
                yield f"{found.name}: no formula was checked at any size"
            for each in asked:
                yield from _problems(each)
        case _:
            said = f"assert_as_expected takes what `check` or `sweep` returns, no {type(found).__name__}"
            raise TypeError(said)
