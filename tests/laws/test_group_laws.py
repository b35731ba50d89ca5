"""What follows from one group for others, by the definitions alone (decision 0034)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from gnomon.model import formula as f
from gnomon.model.system import System
from tests.fairness import random_fairness
from tests.oracle import Oracle, TooMany
from tests.systems import random_bounded, random_system

MONOTONE = [
    ("perfect", False),
    ("perfect", True),
    ("uniform", False),
    ("uniform-model", False),
    ("uniform-model", True),
]


def groups(system: System) -> list[tuple[str, ...]]:
    """Return all groups but the empty one, the environment included."""
    names = [agent.name for agent in system.agents]
    return [each for size in range(1, len(names) + 1) for each in combinations(names, size)]


def pairs(system: System) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield each group with each one that is larger by some members."""
    found = groups(system)
    return ((one, other) for one in found for other in found if set(one) < set(other))


def systems(
    seed: str, number: int, *, interleaved: bool = False
) -> Iterator[tuple[Random, System]]:
    """Yield some small systems, a third of them with fairness."""
    rng = Random(seed)
    while number:
        system = random_system(
            rng, largest=12, stuck=rng.choice((0, 0.05, 0.4)), interleaved=interleaved
        )
        if rng.random() < 0.3:
            system = replace(system, fairness=random_fairness(rng, system))
        if 2 < len(system.agents) and len(Oracle(system).reachable) <= 14:
            number -= 1
            yield rng, system


def random_goal(rng: Random) -> f.Formula:
    """Return a path formula about the propositions of random systems."""
    left, right = (f.Proposition(rng.choice("pqr")) for _ in range(2))
    goals: tuple[f.Formula, ...] = (
        f.Next(right),
        f.Finally(right),
        f.Globally(right),
        f.Until(left, right),
        f.WeakUntil(left, right),
        f.Release(left, right),
        random_bounded(rng, lambda: left, 3),
    )
    return rng.choice(goals)


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "interleaved"), MONOTONE)
def test_larger_coalitions_can_no_less(reading: str, interleaved: bool) -> None:
    compared, pruned = 0, reading == "uniform-model"
    number = 8 if pruned else 60
    for rng, system in systems(f"{reading} {interleaved}", number, interleaved=interleaved):
        goal, oracle = random_goal(rng), Oracle(system, reading, most=40 if pruned else 200)
        won: dict[tuple[str, ...], frozenset[object]] = {}
        try:
            for group in groups(system):
                formula = f.Enforces(f.Group(group), goal)
                won[group] = frozenset(
                    {True} & {oracle.holds(formula)} if pruned else oracle.states(formula)
                )
        except TooMany:
            continue
        for one, other in pairs(system):
            compared += 1
            assert won[one] <= won[other], (one, other, f.show_formula(goal))

    assert compared > 20


@pytest.mark.slow
def test_larger_groups_know_no_less_together_and_no_more_each_and_commonly() -> None:
    for _, system in systems("knowledge", 12):
        oracle = Oracle(system)

        def known(kind: str, group: tuple[str, ...], oracle: Oracle = oracle) -> frozenset[object]:
            secret = f.Proposition("p")
            return frozenset(oracle.states(f.GroupKnows(kind, f.Group(group), secret)))  # type: ignore[arg-type]

        for one, other in pairs(system):
            assert known("distributed", one) <= known("distributed", other)
            assert known("everybody", one) >= known("everybody", other)
            assert known("common", one) >= known("common", other)
            assert known("common", one) <= known("everybody", one)
        for group in groups(system)[: len(system.agents)]:
            assert len({known(kind, group) for kind in f.GROUP_OPERATORS}) == 1
