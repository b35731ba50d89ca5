"""Every certificate that is written is accepted, and none is accepted for a verdict that is not so."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.rejection import Rejected
from gnomon.checking.check import Options, Strategies, check
from gnomon.model.system import Specification, System
from tests.certificates import (
    accepted_as_it_is,
    changed,
    leaves,
    never_for_the_opposite,
    verified,
)
from tests.contract.test_formulae import coalition
from tests.contract.test_games import game, wishes
from tests.fairness import fairly
from tests.support import VACUOUS
from tests.systems import (
    LOGICS,
    examples,
    random_formula,
    random_system,
    seeds,
)

READINGS: tuple[Strategies, ...] = ("perfect", "uniform", "uniform-subjective")


def questions(rng: Random, system: System) -> list[Specification]:
    return [
        Specification(random_formula(rng, system, 2, "bool ctl know norm"), "1"),
        Specification(random_formula(rng, system, 2, "bool ctl know norm atl"), "2"),
        Specification(coalition(rng, system, 0), "3"),
        Specification(random_formula(rng, system, 2, "bool star know"), "4", 0, LOGICS[1]),
    ]


def a_system(rng: Random) -> System:
    system = random_system(rng, largest=12)
    if rng.random() < 0.3:
        system = fairly(rng, system)
    return system


def certified(system: System, asked: list[Specification], strategies: Strategies) -> Any:
    result = check(system, asked, Options(allow=VACUOUS, strategies=strategies, certificate=True))
    return json.loads(json.dumps(result.certificate))


@pytest.mark.parametrize("strategies", READINGS)
@given(seed=seeds)
@examples(120)
def test_what_is_written_is_accepted(strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = a_system(rng)
    asked = questions(rng, system)
    certificate = certified(system, asked, strategies)
    accepted_as_it_is(system, certificate, asked)


@pytest.mark.parametrize("strategies", READINGS)
@given(seed=seeds)
@examples(120)
def test_nothing_false_is_accepted(strategies: Strategies, seed: int) -> None:
    """Whatever is changed in a certificate: the verdicts that are still accepted are right."""
    rng = Random(seed)
    system = a_system(rng)
    asked = questions(rng, system)
    certificate = certified(system, asked, strategies)
    for _ in range(12):
        never_for_the_opposite(rng, system, certificate, asked)


@pytest.mark.parametrize("strategies", READINGS)
@given(seed=seeds)
@examples(60)
def test_games_are_proved_either_way(strategies: Strategies, seed: int) -> None:
    """Whatever a coalition of such a game can or cannot do has a certificate, and none for the opposite.

    But for bounds: that no uniform strategy is in time has no proof yet.
    """
    rng = Random(seed)
    system = game(rng)
    asked = [Specification(wishes(rng, system, bounded=False), str(number)) for number in range(3)]
    certificate = certified(system, asked, strategies)
    assert all(outcome.accepted for outcome in verified(system, certificate, asked))
    for _ in range(6):
        other = deepcopy(certificate)
        holder, key = rng.choice(list(leaves(other["verdicts"])))
        holder[key] = changed(rng, holder[key])
        try:
            found = verified(system, other, asked)
        except Rejected:  # what is damaged is its outside
            continue
        for outcome in found:
            if outcome.accepted:
                assert outcome.verdict == certificate["verdicts"][outcome.index - 1]["verdict"]


def test_a_refutation_needs_all_its_clauses() -> None:
    """Without any one of them, or with a literal less, what is left proves nothing."""
    system = game(Random(317))
    asked = [
        Specification(formula, str(number))
        for number, formula in enumerate(wishes(Random(seed), system) for seed in range(8))
    ]
    certificate = certified(system, asked, "uniform")
    refuted = [
        (number, entry)
        for number, entry in enumerate(certificate["verdicts"])
        if entry["verdict"] == "false" and entry["proof"]["evidence"][0]["refutations"]
    ]
    assert refuted
    number, entry = refuted[0]
    [refutation] = entry["proof"]["evidence"][0]["refutations"]
    rejected = 0
    for place in range(len(refutation["clauses"])):
        other = deepcopy(certificate)
        clauses = other["verdicts"][number]["proof"]["evidence"][0]["refutations"][0]["clauses"]
        del clauses[place][0][-1]
        rejected += verified(system, other, asked)[number].accepted is False
    # A clause that lacks a literal says more than its reason; every one is looked up.
    assert rejected == len(refutation["clauses"])
