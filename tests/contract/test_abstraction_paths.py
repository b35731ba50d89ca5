"""Cells never say of paths what is not so: fairness, linear time, and what runs out in the end.

Finite systems are compared with the oracle, unbounded ones with what is seen through a window; programs whose
verdicts are known get them, unless a rule is spoilt.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.diverge import CutHistory
from gnomon.engines.abstraction.elimination import CellsByNode, Elimination
from gnomon.engines.abstraction.linear import Quotient
from gnomon.engines.abstraction.three_valued import Inconsistent
from gnomon.engines.solvers import system_terms
from tests.abstraction import (
    States,
    Within,
    Wrong,
    fair,
    fair_without_bounds,
    linear,
    linear_without_bounds,
    toiling,
    waning,
)
from tests.support import ROOT, VACUOUS
from tests.systems import examples, seeds

PROGRAMS = sorted((ROOT / "benchmarks" / "unbounded").glob("*.ispl"))
every_kind = pytest.mark.parametrize(
    "make", [fair, linear, waning, toiling, fair_without_bounds, linear_without_bounds]
)


@pytest.fixture(scope="module", autouse=True)
def impatience() -> Iterator[None]:
    """Wait only shortly for answers of the solver that are hard to find: none is needed."""
    with patch.object(system_terms, "_PATIENCE", 100):
        yield


@every_kind
@given(seed=seeds)
@examples(60)
def test_labels_are_right(make: Callable[[Random], States | Within], seed: int) -> None:
    make(Random(seed)).compare_labels()


@every_kind
@given(seed=seeds)
@examples(40)
def test_definite_verdicts_are_right(make: Callable[[Random], States | Within], seed: int) -> None:
    make(Random(seed)).compare_verdicts(3)


@pytest.mark.parametrize("make", [fair_without_bounds, linear_without_bounds])
def test_most_of_what_is_seen_is_decided(make: Callable[[Random], Within]) -> None:
    asked = [make(Random(seed)) for seed in range(15)]
    definite = sum(within.compare_verdicts(3) for within in asked)

    assert 0.6 < definite / sum(len(within.formulae) for within in asked)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_programs_get_the_verdicts_that_they_expect(program: Path) -> None:
    loaded = load(str(program), {})
    assert loaded.system is not None, loaded.diagnostics
    found = check(loaded.system, options=Options(allow=VACUOUS)).verdicts

    for asked, verdict in zip(loaded.system.specifications, found, strict=True):
        wanted = Value.TRUE if asked.expected is None else Value(asked.expected)
        assert wanted is verdict.value, (asked.name, verdict.reason)


# Rules that are spoilt


def test_what_is_divided_does_not_always_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Quotient, "growth", lambda *_: -1)

    assert any(fault(toiling, seed) for seed in range(200))


def test_what_is_divided_falls_where_that_is_said() -> None:
    assert not any(fault(toiling, seed) for seed in range(60))


def fault(make: Callable[[Random], States], seed: int) -> str | None:
    try:
        make(Random(seed)).compare_labels()
    except (Wrong, Inconsistent) as found:
        return str(found)
    return None


#: While it counts down nothing grows; it does so only when it is done.
AFTERWARDS = """
    Agent P
      Vars: x : int; done : boolean; end Vars
      Actions = {count, rest};
      Protocol: x > 0 and done = false : {count}; Other : {rest}; end Protocol
      Evolution:
        x = x - 1 if Action = count;
        done = true and x = x + 1 if Action = rest;
      end Evolution
    end Agent
    Evaluation rests if P.done = true; end Evaluation
    InitStates P.done = false; end InitStates
    Formulae AF rests; end Formulae
"""


def test_what_grows_outside_is_no_reason_to_go_on_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict_of(AFTERWARDS) is Value.TRUE

    def anywhere(self: Any, target: CellsByNode, *_: object) -> CellsByNode:
        everywhere = (self._space.reachable,) * len(target)
        return leads_to(self, target, everywhere, (self._d.true,) * len(target))

    leads_to, before = Elimination._leads_to, Elimination._before
    monkeypatch.setattr(Elimination, "_leads_to", anywhere)
    monkeypatch.setattr(
        Elimination,
        "_before",
        lambda self, moves, _: before(self, moves, (self._space.reachable,) * len(moves)),
    )
    assert verdict_of(AFTERWARDS) is Value.UNDEFINED


def test_what_seems_to_have_no_end_is_postponed_and_not_forbidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doubling = (ROOT / "benchmarks" / "unbounded" / "game_double.ispl").read_text("utf-8")
    early = doubling.replace("64", "32768")
    assert verdict_of(early) is Value.TRUE
    monkeypatch.setattr(CutHistory, "goes_on", property(lambda _: False))

    assert verdict_of(early) is Value.UNDEFINED


def verdict_of(text: str) -> Value:
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    return check(loaded.system, loaded.system.specifications[:1]).verdicts[0].value
