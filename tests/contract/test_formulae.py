"""Every engine gives every formula the meaning that the oracle gives it."""

from collections import Counter
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.engines.uniform.outcomes import OutcomeSearch
from gnomon.logic.satisfaction import Reading
from gnomon.model import formula as f
from gnomon.model.system import System
from tests.contract.compare import DECIDING, ENGINES, Cells, Contest, contest
from tests.fairness import fairly
from tests.systems import (
    LOGICS,
    examples,
    random_bounded,
    random_comparison,
    random_formula,
    random_system,
    seeds,
)

#: Every engine that has sets of states, and every engine that decides such formulae at all.
every_engine = pytest.mark.parametrize("engine", ENGINES)
every_decider = pytest.mark.parametrize("engine", DECIDING)


def fair(rng: Random, *, largest: int = 48) -> System:
    system = random_system(rng, largest=largest)
    return fairly(rng, system)


def coalition(rng: Random, system: System, depth: int) -> f.Formula:
    """Return a formula that starts with a coalition operator."""
    inner = random_formula(rng, system, depth, "bool ctl know atl")
    other = random_formula(rng, system, depth, "bool ctl know atl")
    paths = (
        f.Next(inner),
        f.Finally(inner),
        f.Globally(inner),
        f.Until(other, inner),
        f.WeakUntil(other, inner),
        f.Release(other, inner),
        random_bounded(rng, lambda: rng.choice((inner, other))),
    )
    return f.Enforces(rng.choice(tuple(system.groups.values())), rng.choice(paths))


@every_decider
@given(seed=seeds)
@examples(600)
def test_time_knowledge_norms_and_perfect_strategies(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    compared = contest(engine, system)
    for _ in range(4):
        compared.on(random_formula(rng, system, 3, "bool ctl know norm atl"))


def compare_numbers(engine: str, rng: Random) -> None:
    """Compare where comparisons of all kinds of numbers hold."""
    system = random_system(rng)
    compared = contest(engine, system)
    for _ in range(10):
        compared.on(f.StateCondition(random_comparison(rng, system.variables)))


@every_decider
@given(seed=seeds)
@examples(200)
def test_numbers(engine: str, seed: int) -> None:
    compare_numbers(engine, Random(seed))


def knowledge(rng: Random, system: System) -> f.Formula:
    """Return what a group knows, in one way or another."""
    kind = rng.choice(("everybody", "common", "common", "distributed"))
    group = rng.choice(tuple(system.groups.values()))
    return f.GroupKnows(kind, group, random_formula(rng, system, rng.choice((0, 0, 1))))  # type: ignore[arg-type]


@every_decider
@given(seed=seeds)
@examples(300)
def test_knowledge_of_groups(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    compared = contest(engine, system)
    for _ in range(4):
        compared.on(knowledge(rng, system))


@every_decider
@given(seed=seeds)
@examples(400)
def test_perfect_strategies(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    compared = contest(engine, system)
    for _ in range(4):
        compared.on(coalition(rng, system, 1))


@every_engine
@given(seed=seeds)
@examples(400)
def test_time_and_knowledge_on_fair_paths(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = fair(rng)
    contest = Contest(engine, system)
    for _ in range(3):
        contest.on(random_formula(rng, system, 2, "bool ctl ctl know norm"))


@every_engine
@given(seed=seeds)
@examples(500)
def test_perfect_strategies_where_unfair_outcomes_do_not_count(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = fair(rng, largest=12)
    contest = Contest(engine, system)
    for _ in range(3):
        contest.on(coalition(rng, system, rng.choice((0, 0, 1))))


@every_engine
@given(seed=seeds)
@examples(400)
def test_linear_and_branching_time_on_infinite_paths(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    contest = Contest(engine, system)
    for logic in LOGICS[1:]:
        contest.on(random_formula(rng, system, 2, "bool star star know"), logic)


@every_engine
@given(seed=seeds)
@examples(400)
def test_where_runs_can_end_a_logic_says_whether_they_count(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, stuck=0.4)
    contest = Contest(engine, system)
    for logic in LOGICS:
        contest.on(random_formula(rng, system, 2, "ctl"), logic)
    contest.on(coalition(rng, system, 0))


@every_engine
@given(seed=seeds)
@examples(250)
def test_linear_and_branching_time_on_fair_paths(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = fair(rng)
    contest = Contest(engine, system)
    for logic in LOGICS[1:]:
        contest.on(random_formula(rng, system, 2, "bool star star know"), logic)


@pytest.mark.parametrize(
    ("engine", "strategies"),
    [*product((*ENGINES, "abstraction"), ("uniform", "uniform-subjective"))],
)
@given(seed=seeds)
@examples(300)
def test_uniform_strategies(engine: str, strategies: Reading, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=12, prying=0.2)
    compared = contest(engine, system, strategies)
    for _ in range(3):
        compared.on(coalition(rng, system, rng.choice((0, 0, 1))))


@every_engine
@given(seed=seeds)
@examples(300)
def test_the_search_for_uniform_strategies_needs_no_good_start(engine: str, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=12)
    contest = Contest(engine, system, "uniform")
    with patch.object(OutcomeSearch, "_preferred", lambda *arguments: arguments[-1][::-1]):
        for _ in range(3):
            contest.on(coalition(rng, system, 0))


@every_engine
@pytest.mark.parametrize("strategies", ["uniform", "uniform-subjective"])
@given(seed=seeds)
@examples(250)
def test_uniform_strategies_where_unfair_outcomes_do_not_count(
    engine: str, strategies: Reading, seed: int
) -> None:
    rng = Random(seed)
    system = fair(rng, largest=12)
    contest = Contest(engine, system, strategies)
    for _ in range(3):
        contest.on(coalition(rng, system, rng.choice((0, 0, 1))))


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
def test_cells_decide_nearly_all_that_they_are_asked(strategies: Reading) -> None:
    said: Counter[str] = Counter()
    for seed in range(30):
        rng = Random(seed)
        system = random_system(rng, largest=12)
        compared = Cells(system, strategies)
        for _ in range(2):
            compared.on(random_formula(rng, system, 3, "bool ctl know norm atl"))
            compared.on(coalition(rng, system, 1))
        said += compared.said

    assert min(said["true"], said["false"]) > 0.3 * said.total()
    assert said["undefined"] + said["refused"] < 0.15 * said.total()
