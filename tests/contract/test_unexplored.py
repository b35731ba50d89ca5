"""Without exploring, by substitution: what is said of reachable states is what everybody else says."""

from hypothesis import given

from tests import unexplored
from tests.systems import examples, seeds


@given(seed=seeds)
@examples(300)
def test_formulae_about_steps_and_choices(seed: int) -> None:
    unexplored.formulae(seed)


@given(seed=seeds)
@examples(100)
def test_steps(seed: int) -> None:
    unexplored.steps(seed)


@given(seed=seeds)
@examples(300)
def test_looking_back_is_the_same_by_substitution_and_by_the_relation(seed: int) -> None:
    unexplored.sets(seed)


@given(seed=seeds)
@examples(150)
def test_verdicts_checks_and_what_is_odd(seed: int) -> None:
    unexplored.verdicts(seed)
