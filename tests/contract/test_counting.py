"""Counting beside listing, as users ask for it: verdicts, what is said of models, who is asked instead."""

from collections import Counter
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking import attempts, crowds
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.decider import Task
from gnomon.checking.session import decide_all
from gnomon.checking.told import Findings, Limits
from gnomon.checking.verdict import Value, Verdict
from gnomon.model.budget import Budget
from gnomon.model.system import System
from gnomon.text.source import Source
from tests.counted import crowd_system, loaded, seats
from tests.crowds import prisoners, random_crowd
from tests.systems import examples, seeds


def told(system: System, options: Options) -> tuple[list[Verdict], Findings]:
    """Return the verdicts on a system in order, and what is known of it at the end."""
    heard: list[object] = []
    asked = tuple(enumerate(system.specifications, 1))
    task = Task(system, asked, options, Limits.of(Budget()), Source("model.ispl", ""))
    decide_all(task, heard.append)
    verdicts = [each for each in heard if isinstance(each, Verdict)]
    findings = [each for each in heard if isinstance(each, Findings)][-1]
    return sorted(verdicts, key=lambda each: each.index), findings


def compare(system: System, options: Options) -> Counter[str]:
    """Compare all that is told with what is told where states are listed; count who has decided."""
    verdicts, found = told(system, options)
    listed, known = told(system, Options(engine="explicit", evidence=options.evidence))
    deciders = Counter(each.engine for each in verdicts if each.value is not Value.UNKNOWN)
    for here, there in zip(verdicts, listed, strict=True):
        if here.value is Value.UNKNOWN:
            assert here.reason, here.formula
            continue
        assert here.value == there.value, here.formula
        assert here.vacuous == there.vacuous, here.formula
        assert (here.evidence is None) == (there.evidence is None), here.formula
    if deciders:
        assert (found.states, found.initial) == (known.states, known.initial)
        assert codes(found) == codes(known)
    return deciders


def codes(found: Findings) -> list[str]:
    return [each.code for each in found.diagnostics]


@given(seed=seeds)
@examples(25)
def test_who_asks_for_counting_gets_what_listing_gets(seed: int) -> None:
    compare(crowd_system(seed), Options(engine="counting"))


@given(seed=seeds)
@examples(15)
def test_where_it_is_tried_first_others_decide_the_rest(seed: int) -> None:
    rng = Random(seed)
    system = loaded(random_crowd(rng, rng.choice([2, 3])))
    options = Options(evidence=rng.random() < 0.5)
    with patch.object(crowds, "_FEWEST", 2), patch.object(attempts, "_FEW_MOVES", 1):
        deciders = compare(system, options)

    assert sum(deciders.values()) == len(system.specifications)


def test_it_decides_much_of_what_is_asked() -> None:
    deciders = Counter[str]()
    for seed in range(12):
        deciders += compare(crowd_system(seed), Options(engine="counting"))

    assert deciders["counting"] >= 25


def test_prisoners_of_whom_some_variable_names_one() -> None:
    system = loaded(prisoners(7))
    verdicts, found = told(system, Options())

    assert {each.engine for each in verdicts} == {"counting"}
    assert [str(each.value) for each in verdicts] == ["true", "true", "true", "true", "false"]
    assert found.states == told(system, Options(engine="explicit"))[1].states


def test_what_is_done_is_told_by_those_who_want_to_know() -> None:
    _, found = told(loaded(prisoners(7)), Options(account=True))

    assert ("counting", "236 states, for 5 agents that are alike; kept apart: 7") in found.account


def test_whoever_wants_evidence_gets_it() -> None:
    verdicts, _ = told(loaded(prisoners(7)), Options(evidence=True))

    assert [each.evidence is not None for each in verdicts] == [False, False, False, True, True]
    assert verdicts[0].engine == "counting"
    assert verdicts[4].engine != "counting"


def test_nobody_is_alike() -> None:
    verdict, *_ = check(loaded(prisoners(2)), None, Options(engine="counting"))

    assert verdict.value is Value.UNKNOWN
    assert "no agents that may change places" in verdict.reason


@pytest.mark.parametrize("reading", ["perfect", "uniform", "uniform-subjective"])
def test_all_readings_of_coalitions(reading: Strategies) -> None:
    system = seats("<all>F full")
    [verdict], _ = told(system, Options(engine="counting", strategies=reading))

    assert (verdict.value is Value.UNKNOWN) == (reading != "perfect")
