"""No class of systems that is treated in a way of its own is missing from the random ones, or rare."""

from random import Random

import pytest

from gnomon.model import formula as f
from tests.contract.census import CLASSES, FAIRNESS, asked_of_nobody, census
from tests.fairness import fairly
from tests.systems import random_formula, random_system

MANY = 500


def test_every_class_of_systems_occurs() -> None:
    found = census([random_system(Random(seed)) for seed in range(MANY)])

    assert {} == {
        name: found[name]
        for name, (least, _) in CLASSES.items()
        if found[name] < least * MANY / 1_000
    }


def test_every_class_occurs_among_tiny_systems_too() -> None:
    """Where strategies are listed one by one, and certificates are attacked, systems have to be tiny."""
    found = census([random_system(Random(seed), largest=12) for seed in range(MANY)])
    rare = {
        name: found[name]
        for name, (least, _) in CLASSES.items()
        if found[name] < least * MANY / 4_000
    }

    assert {} == rare


@pytest.mark.parametrize("interleaved", [False, True])
def test_every_kind_of_fairness_occurs(interleaved: bool) -> None:
    rngs = map(Random, range(MANY // 2))
    drawn = [fairly(rng, random_system(rng, largest=12, interleaved=interleaved)) for rng in rngs]
    found = census(drawn, FAIRNESS)

    assert {} == {
        name: found[name]
        for name, (least, _) in FAIRNESS.items()
        if found[name] < least * MANY / 2_000
    }


def test_every_operator_is_asked_about_and_groups_of_nobody_are() -> None:
    operators: set[type] = set()
    nobody = 0
    for seed in range(MANY):
        rng = Random(seed)
        system = random_system(rng)
        for kinds in ("bool ctl know norm atl", "bool star know"):
            formula = random_formula(rng, system, 3, kinds)
            operators |= {type(part) for part in f.walk(formula)}
            nobody += asked_of_nobody(formula)

    assert set(f.Formula.__args__) == operators
    assert nobody >= 15
