"""Fairness on actions: every engine, with observers, agrees with the definition on steps, without them."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given

import gnomon
from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.verdict import Result, Value
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.observers import with_observers
from gnomon.model.system import Specification, System
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render
from tests.certificates import accepted_as_it_is, never_for_the_opposite
from tests.contract.compare import ENGINES
from tests.contract.test_formulae import coalition
from tests.fairness import any_fairness
from tests.oracle import TooMany
from tests.step_fairness import StepOracle
from tests.support import VACUOUS
from tests.systems import LOGICS, examples, random_formula, random_system, seeds

EVERYTHING = Options(allow=VACUOUS, evidence=True, check_deadlock=True, check_overflow=True)


def fair_system(rng: Random, largest: int, *, interleaved: bool = False) -> System:
    """Return a small system with fairness on actions, as it is written."""
    system = random_system(rng, largest=largest, interleaved=interleaved)
    assume(any(agent.actions for agent in system.agents))
    return replace(system, fairness=any_fairness(rng, system, steps=1))


def questions(rng: Random, system: System, operators: str) -> tuple[Specification, ...]:
    asked = [Specification(random_formula(rng, system, 3, operators), "") for _ in range(2)]
    if "atl" in operators:
        able = coalition(rng, system, rng.choice((0, 0, 1)))
        asked.append(Specification(able if rng.random() < 0.6 else f.Not(able), ""))
    path = random_formula(rng, system, 2, "bool star know")
    return (*asked, Specification(path, "", 0, LOGICS[1]))


def compare(system: System, asked: tuple[Specification, ...], options: Options) -> Result:
    """Compare verdicts on the system with observers with what is said without them."""
    oracle = StepOracle(system, options.strategies)
    result = check(with_observers(system), asked, options)
    for verdict, question in zip(result, asked, strict=True):
        try:
            expected = oracle.holds(question.formula, question.logic)
        except TooMany:
            continue
        assert (Value.TRUE if expected else Value.FALSE) is verdict.value, verdict.parsed
    return result


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(40)
def test_verdicts_and_evidence(engine: Engine, strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = fair_system(rng, 24 if strategies == "perfect" else 12)
    asked = questions(rng, system, "bool ctl know norm atl")
    options = replace(EVERYTHING, engine=engine, strategies=strategies, certificate=True)
    result = compare(system, asked, options)
    certificate = json.loads(json.dumps(result.certificate))
    accepted_as_it_is(with_observers(system), certificate, asked)
    never_for_the_opposite(rng, with_observers(system), certificate, asked)


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(40)
def test_one_event_at_a_time(engine: Engine, seed: int) -> None:
    rng = Random(seed)
    system = fair_system(rng, 24, interleaved=True)
    asked = questions(rng, system, "bool ctl know norm")
    compare(system, asked, replace(EVERYTHING, engine=engine))


@given(seeds)
@examples(30)
def test_pruned_to_uniform_profiles(seed: int) -> None:
    rng = Random(seed)
    system = fair_system(rng, 8)
    asked = questions(rng, system, "bool ctl know norm atl")[1:3]
    compare(system, asked, Options(allow=VACUOUS, strategies="uniform-model", evidence=True))


@given(seeds)
@examples(20)
def test_observers_change_no_step_but_for_what_they_remember(seed: int) -> None:
    rng = Random(seed)
    system = fair_system(rng, 24, interleaved=rng.random() < 0.5)
    observed = with_observers(system)
    width, agents = len(system.variables), len(system.agents)
    assert len(observed.agents) > agents
    for start in step.initial_states(observed):
        assert start[:width] in set(step.initial_states(system))
        ways = [
            (move.actions[:agents], None if move.target is None else move.target[:width])
            for move in step.moves(observed, start)
        ]
        plain = [(m.actions, m.target) for m in step.moves(system, start[:width])]
        assert sorted(ways, key=repr) == sorted(plain, key=repr)


@given(seeds)
@examples(30)
def test_what_is_exported_says_the_same(seed: int) -> None:
    rng = Random(seed)
    system = with_observers(fair_system(rng, 12, interleaved=rng.random() < 0.5))
    asked = tuple(
        Specification(formula, f.show_formula(formula))
        for formula in (random_formula(rng, system, 2, "bool ctl") for _ in range(2))
    )
    system = replace(system, specifications=asked)
    try:
        text = render(system)
    except CannotExport:
        return
    exported = gnomon.load_text(text)
    assert isinstance(exported, gnomon.Model)
    values = [verdict.value for verdict in exported.check(allow=VACUOUS)]
    assert [verdict.value for verdict in check(system, asked, Options(allow=VACUOUS))] == values
