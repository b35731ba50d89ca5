"""Verdicts agree with the oracle, and their evidence survives its replay."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given

from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.verdict import Value
from gnomon.model.system import Specification, System
from tests.oracle import Oracle, TooMany
from tests.systems import (
    LOGICS,
    examples,
    random_fairness,
    random_formula,
    random_system,
    seeds,
)

EVERYTHING = Options(evidence=True, check_deadlock=True, check_overflow=True)


def questions(rng: Random, system: System) -> Iterator[Specification]:
    for _ in range(3):
        formula = random_formula(rng, system, 3, "bool ctl know norm atl")
        yield Specification(formula, "CTL")
    yield Specification(random_formula(rng, system, 2, "bool star know"), "", 0, LOGICS[1])


@pytest.mark.parametrize("strategies", [s for s in get_args(Strategies) if s != "uniform-model"])
@given(seed=seeds)
@examples(200)
def test_verdicts_and_evidence(strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=48 if strategies == "perfect" else 12)
    if rng.random() < 0.4:
        system = replace(system, fairness=random_fairness(rng, system))
    asked = tuple(questions(rng, system))
    result = check(system, asked, replace(EVERYTHING, strategies=strategies))
    oracle = Oracle(system, strategies)
    assert len(oracle.reachable) == result.states
    for verdict, question in zip(result, asked, strict=True):
        try:
            expected = oracle.holds(question.formula, question.logic)
        except TooMany:
            continue
        assert (Value.TRUE if expected else Value.FALSE) is verdict.value, verdict.parsed
        assert expected or verdict.evidence is not None


@given(seeds)
@examples(60)
def test_some_profile_of_uniform_strategies_makes_the_formula_true(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=8)
    if rng.random() < 0.4:
        system = replace(system, fairness=random_fairness(rng, system))
    asked = tuple(questions(rng, system))
    oracle = Oracle(system, "uniform-model")
    try:
        expected = [oracle.holds(question.formula, question.logic) for question in asked]
    except TooMany:
        return
    result = check(system, asked, Options(strategies="uniform-model", evidence=True))
    assert expected == [verdict.value is Value.TRUE for verdict in result]


@given(seeds)
@examples(200)
def test_warnings_say_what_the_oracle_sees(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    if rng.random() < 0.6:
        system = replace(system, fairness=random_fairness(rng, system))
    result = check(system, (), EVERYTHING)
    oracle = Oracle(system)
    codes = {diagnostic.code for diagnostic in result.diagnostics}
    stuck = any(not targets for targets in oracle.graph.values())
    assert stuck == ("G0801" in codes)
    assert (not oracle.initial) == ("G0803" in codes)
    assert (bool(oracle.initial) and not oracle.initial & oracle.universe) == ("G0804" in codes)
    never = bool(oracle.initial) and not all(oracle.constraints)
    assert never == ("G0805" in codes)
    deadlock, overflow = result.checks
    assert stuck == (deadlock.value is Value.FALSE)
    assert ("G0802" in codes) == (overflow.value is Value.FALSE)
