"""Whoever is interrupted, wherever and however often: verdicts, evidence and proofs are the same."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.load import load
from gnomon.checking.options import Strategies
from gnomon.checking.verdict import Result, Verdict
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import InputError
from tests.certificates import verified
from tests.counting import arena, counting_system, in_step, without_bounds
from tests.fairness import fairly
from tests.interrupting import turns_of
from tests.populations import KINDS, knowing_system, number_program, random_program, read
from tests.support import VACUOUS
from tests.systems import LOGICS, examples, random_formula, random_system, seeds

EVERYTHING = Options(
    allow=VACUOUS, evidence=True, check_deadlock=True, check_overflow=True, certificate=True
)
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXACT: tuple[Engine, ...] = ("explicit", "bdd")
LOOKS = (0, 1, 2, 5)


def questions(rng: Random, system: System) -> list[Specification]:
    found = [
        Specification(random_formula(rng, system, 3, "bool ctl know norm atl"), str(number))
        for number in range(4)
    ]
    found.append(Specification(random_formula(rng, system, 2, "bool star know"), "4", 0, LOGICS[1]))
    rng.shuffle(found)
    return found


def same(
    model: AnyModel, asked: Sequence[AnySpecification], options: Options, looks: int
) -> tuple[Result, list[str]]:
    """Check with and without interruptions, and compare; return the result and where it was interrupted."""
    right = check(model, asked, options)
    told: list[int] = []
    with turns_of(looks) as interruptions:
        found = check(model, asked, options, on_verdict=lambda verdict: told.append(verdict.index))

    assert [verdict.index for verdict in right] == [verdict.index for verdict in found]
    assert sorted(told) == [verdict.index for verdict in found]
    for one, two in zip(right, found, strict=True):
        assert seen(one) == seen(two)
    assert [replace(each, seconds=0.0) for each in right.checks] == [
        replace(each, seconds=0.0) for each in found.checks
    ]
    assert right.states == found.states
    if right.certificate is not None and found.certificate is not None:
        assert proofs(right) == proofs(found)
    return found, interruptions.phases


def seen(verdict: Verdict) -> object:
    """Return what must not change: all but the time, and which of several states a solver gives."""
    if verdict.engine in {"explicit", "bdd"}:
        return replace(verdict, seconds=0.0)
    return verdict.value, verdict.engine, verdict.numbers, verdict.evidence is None


def proofs(result: Result) -> list[object]:
    """Return which verdicts are proved, and why others are not."""
    assert result.certificate is not None
    return [(entry["proof"] is None, entry["reason"]) for entry in result.certificate["verdicts"]]


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
@pytest.mark.parametrize("engine", EXACT)
@given(seed=seeds)
@examples(15)
def test_states(engine: Engine, strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=48 if strategies == "perfect" else 12)
    if rng.random() < 0.4:
        system = fairly(rng, system)
    options = replace(EVERYTHING, engine=engine, strategies=strategies)
    asked = questions(rng, system)
    found, _ = same(system, asked, options, rng.choice(LOOKS))

    assert found.certificate is not None
    for outcome in verified(system, found.certificate, asked):
        assert outcome.accepted is not False


@given(seed=seeds)
@examples(10)
def test_pruned_models(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=8)
    options = replace(EVERYTHING, strategies="uniform-model", certificate=False)
    same(system, questions(rng, system), options, rng.choice(LOOKS))


@given(seed=seeds)
@examples(10)
def test_models_pruned_on_cells(seed: int) -> None:
    rng = Random(seed)
    system = rng.choice((counting_system, arena, in_step))(rng)
    options = replace(EVERYTHING, engine="abstraction", strategies="uniform-model", refine=2)
    with suppress(InputError):  # somebody may have nothing to do
        same(system, questions(rng, system)[:2], options, rng.choice(LOOKS))


@pytest.mark.parametrize("strategies", ["perfect", "uniform"])
@given(seed=seeds)
@examples(15)
def test_cells(strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = rng.choice((counting_system, arena, in_step))(rng)
    asked = [each for each in questions(rng, system) if each.logic == "CTL"]
    options = replace(EVERYTHING, engine="abstraction", strategies=strategies, refine=4)
    with suppress(InputError):  # somebody may have nothing to do
        same(system, asked, options, rng.choice(LOOKS))


@given(seed=seeds)
@example(seed=12305)  # it was interrupted among states that were found one by one
@examples(15)
def test_numbers_without_bounds(seed: int) -> None:
    rng = Random(seed)
    bounded = rng.choice((counting_system, arena, in_step))(rng)
    asked = questions(rng, bounded)
    options = Options(allow=VACUOUS, evidence=True, certificate=True, refine=3, max_states=200)
    same(without_bounds(rng, bounded), asked, options, rng.choice(LOOKS))


PROGRAMS: dict[str, Callable[[int], OpenSystem]] = {
    "some": lambda seed: read(random_program(seed, KINDS)),
    "numbers": lambda seed: read(number_program(seed, KINDS)),
    "knowing": knowing_system,
}


@pytest.mark.parametrize("kind", PROGRAMS)
@given(seed=seeds)
@examples(8)
def test_any_number_of_agents(kind: str, seed: int) -> None:
    system = PROGRAMS[kind](seed)
    options = Options(allow=VACUOUS, evidence=True, certificate=True)
    with suppress(InputError):  # two lines may contradict each other
        same(system, system.questions * 3, options, Random(seed).choice(LOOKS))


def test_interruptions_are_everywhere() -> None:
    """What random programs have interrupted: every way of deciding has its part."""
    phases: set[str] = set()
    for seed in range(40):
        rng = Random(seed)
        system = random_system(rng, largest=24)
        asked = questions(rng, system)
        readings: tuple[Strategies, ...] = ("perfect", "uniform")
        for engine in EXACT:
            options = replace(EVERYTHING, engine=engine, strategies=readings[seed % 2])
            phases.update(same(system, asked, options, seed % 2)[1])

    assert {"fixpoint", "choices", "pre-image", "states checked", "listing states"} <= phases


def test_refinements_are_interrupted() -> None:
    phases: set[str] = set()
    for name in ("ticket_lock", "token_bucket", "tunnels"):
        system = load(str(EXAMPLES / "unbounded" / f"{name}.ispl")).system
        assert system is not None
        asked = system.specifications
        options = Options(allow=VACUOUS, engine="abstraction", evidence=True)
        phases.update(same(system, asked, options, looks=1)[1])

    assert {"asking a solver"} <= phases
