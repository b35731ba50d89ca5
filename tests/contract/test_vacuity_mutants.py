"""The oracle sees through plausible mistakes in what is said to be vacuous: each is planted and found."""

from collections.abc import Collection
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from gnomon.logic import exact_vacuity, vacuity
from gnomon.logic.exact_vacuity import ExactVacuity
from gnomon.logic.vacuity import Vacuity
from gnomon.model import formula as f
from gnomon.model.system import Logic
from tests.contract.test_vacuity import compare

#: Within so many systems, a mistake has to come to light.
_SYSTEMS = 3_000


def _the_same(_: Vacuity[Any], asked: Any) -> Any:
    return asked


def _only_asked(_: Vacuity[Any], agents: Collection[str], asked: Any) -> Any:
    del agents
    return asked


def _as_many(self: ExactVacuity[Any], agents: Collection[str], asked: Any) -> bool:
    """Leave out that others may look like those that are asked about."""
    return bool(self._algebra.count(asked) == self._algebra.views(agents, asked))


def _any_end(self: ExactVacuity[Any], whole: Any, path: f.Formula, asked: Any) -> Any:
    """Take it that what stands before `U` does not matter where every run ends."""
    simple = f.Finally(path.right) if isinstance(path, f.Until) else path
    note = _ENDED(self, whole, simple, asked)
    return note and note._replace(instead=f.All(_WITHOUT_GOAL(path)))


_ENDED = ExactVacuity._ended
_WITHOUT_GOAL = exact_vacuity._without_goal

MUTANTS: dict[str, tuple[Any, str, Any, Logic]] = {
    "next is now": (ExactVacuity, "_next", _the_same, "CTL"),
    "nobody is in doubt": (ExactVacuity, "_alike", _only_asked, "CTL"),
    "others are left out": (ExactVacuity, "_alone", _as_many, "CTL"),
    "next is now on paths": (ExactVacuity, "_next", _the_same, "LTL"),
    "an end is an end": (ExactVacuity, "_ended", _any_end, "CTL"),
    "results are forgotten": (
        ExactVacuity,
        "_kept_with_results",
        lambda self, _, __: self._algebra.empty,
        "CTL",
    ),
    "one strategy is as good as another": (ExactVacuity, "_wins", lambda *_: True, "CTL"),
    "what is possible is not": (vacuity, "is_path_formula", lambda _: False, "LTL"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_mistake_is_found(name: str) -> None:
    where, what, instead, logic = MUTANTS[name]
    with patch.object(where, what, instead):
        for seed in range(_SYSTEMS):
            try:
                compare("explicit", Random(seed), logic)
            except AssertionError:
                return

    pytest.fail("nobody noticed")
