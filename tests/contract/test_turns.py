"""Whoever takes over, at whatever moment: the verdicts are the same."""

from dataclasses import replace
from functools import partial
from random import Random
from unittest.mock import patch

from hypothesis import given

from gnomon.checking import choose
from gnomon.checking.check import Options, check
from gnomon.checking.turns import ListingTurn, TakingTurns
from gnomon.model.system import Specification, System
from tests.interrupting import turns_of
from tests.support import VACUOUS
from tests.systems import examples, random_formula, random_system, seeds


def asking(rng: Random) -> System:
    system = random_system(rng)
    asked = tuple(Specification(random_formula(rng, system, 3), "") for _ in range(6))
    return replace(system, specifications=asked)


def overtaken(system: System, after: float) -> tuple[list[str], bool]:
    """Return the verdicts where states are listed after so many seconds, and whether that was in time."""
    turns = tuple(ListingTurn(after * number, 5.0, 10**6) for number in (1, 2, 3))
    # Diagrams begin, however few states there are.
    many = patch.object(choose, "at_once", lambda _: None)
    with many, patch.object(choose, "TakingTurns", partial(TakingTurns, turns=turns)):
        found = check(system, options=Options(allow=VACUOUS, account=True, check_deadlock=True))
    return [str(verdict.value) for verdict in found], any(
        n == "overtaken" for n, _ in found.account
    )


@given(seeds)
@examples(100)
def test_verdicts_do_not_depend_on_who_takes_over_when(seed: int) -> None:
    rng = Random(seed)
    system = asking(rng)
    right = [
        str(verdict.value)
        for verdict in check(system, options=Options(allow=VACUOUS, engine="explicit"))
    ]
    found, _ = overtaken(system, rng.choice([0.0002, 0.001, 0.003, 0.006]))

    assert right == found


@given(seeds)
@examples(60)
def test_nor_on_who_is_interrupted_besides(seed: int) -> None:
    rng = Random(seed)
    system = asking(rng)
    options = Options(allow=VACUOUS, engine="explicit")
    right = [str(verdict.value) for verdict in check(system, options=options)]
    with turns_of(rng.choice([0, 1, 4])):
        found, _ = overtaken(system, rng.choice([0.0002, 0.001, 0.003, 0.006]))

    assert right == found


def test_somebody_does_take_over_and_in_the_middle_of_formulae_too() -> None:
    times = [overtaken(asking(Random(seed)), 0.0003 * (1 + seed % 20))[1] for seed in range(60)]

    assert any(times)
