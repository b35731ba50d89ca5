"""The contract on systems and formulae that hypothesis makes: `make fuzz` runs it for as long as one likes.

The random numbers come from hypothesis, which shrinks what it finds: towards few agents, variables and lines.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract.compare import DECIDING, ENGINES, Contest, contest
from tests.contract.test_formulae import fair
from tests.systems import random_formula, random_system

PARTS = "bool ctl know norm atl"
randoms = st.randoms(use_true_random=False)
slowly = settings(suppress_health_check=list(HealthCheck), deadline=None)


@pytest.mark.parametrize("engine", DECIDING)
@slowly
@given(rng=randoms)
def test_every_operator_agrees_with_the_oracle(engine: str, rng: Random) -> None:
    system = random_system(rng)

    contest(engine, system).on(random_formula(rng, system, 2, PARTS))


@pytest.mark.parametrize("engine", ENGINES)
@slowly
@given(rng=randoms)
def test_every_operator_agrees_with_the_oracle_on_fair_paths(engine: str, rng: Random) -> None:
    system = fair(rng, largest=12)

    Contest(engine, system).on(random_formula(rng, system, 2, "bool ctl know norm"))
