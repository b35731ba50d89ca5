"""Every certificate that is written is accepted, and none is accepted for a verdict that is not so."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.rejection import Rejected
from gnomon.checking.check import Options, Strategies, check
from gnomon.model.system import Specification, System
from tests.certificates import verified
from tests.contract.test_formulae import coalition
from tests.contract.test_games import game, wishes
from tests.support import VACUOUS
from tests.systems import (
    LOGICS,
    examples,
    random_fairness,
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
        system = replace(system, fairness=random_fairness(rng, system))
    return system


def certified(system: System, asked: list[Specification], strategies: Strategies) -> Any:
    result = check(system, asked, Options(allow=VACUOUS, strategies=strategies, certificate=True))
    return json.loads(json.dumps(result.certificate))


def leaves(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place with a plain value: what holds it, and its key."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from leaves(value)
            if value and isinstance(value, list):
                yield data, key
        else:
            yield data, key


def changed(rng: Random, value: Any) -> Any:
    """Return something else in the place of a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, str):
        return rng.choice(("true", "false", value + "x", ""))
    if isinstance(value, list) and value:
        kept = list(value)
        del kept[rng.randrange(len(kept))]
        return kept
    return 0


@pytest.mark.parametrize("strategies", READINGS)
@given(seed=seeds)
@examples(120)
def test_what_is_written_is_accepted(strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = a_system(rng)
    asked = questions(rng, system)
    certificate = certified(system, asked, strategies)
    for outcome, entry in zip(
        verified(system, certificate, asked), certificate["verdicts"], strict=True
    ):
        assert outcome.accepted is (None if entry["proof"] is None else True), outcome


@pytest.mark.parametrize("strategies", READINGS)
@given(seed=seeds)
@examples(120)
def test_nothing_false_is_accepted(strategies: Strategies, seed: int) -> None:
    """Whatever is changed in a certificate: the verdicts that are still accepted are right."""
    rng = Random(seed)
    system = a_system(rng)
    asked = questions(rng, system)
    certificate = certified(system, asked, strategies)
    right = [entry["verdict"] for entry in certificate["verdicts"]]
    for _ in range(12):
        other = deepcopy(certificate)
        if rng.random() < 0.5:
            for entry in other["verdicts"]:
                entry["verdict"] = {"true": "false", "false": "true"}[entry["verdict"]]
                for evidence in (entry["proof"] or {}).get("evidence", ()):
                    evidence["tree"]["value"] = not evidence["tree"]["value"]
        places = list(leaves(other))
        for _ in range(rng.choice((0, 1, 1, 3))):
            holder, key = rng.choice(places)
            holder[key] = changed(rng, holder[key])
        try:
            found = verified(system, other, asked)
        except Rejected:
            continue
        for outcome in found:
            if outcome.accepted:
                assert outcome.verdict == right[outcome.index - 1], outcome


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
