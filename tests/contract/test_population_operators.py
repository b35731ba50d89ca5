"""What operators mean with templates: the same in plain words, by the oracle, and for every engine."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given

from gnomon.model.budget import LimitReached
from gnomon.model.parameterised.system import OpenSystem
from tests.comparing import bad_of, compare_safety, compare_solver, worlds
from tests.population_operators import OPERATORS, operator_program
from tests.populations import KINDS, reachable, read
from tests.systems import examples, seeds

WHO = {"Environment": None}


def check_alike(one: OpenSystem, other: OpenSystem, counts: tuple[int, ...]) -> None:
    """See to it that so many agents reach the same, and that the same holds there."""
    assert one.terminal is not None and other.terminal is not None
    for first, second in zip(worlds(one, counts), worlds(other, counts), strict=True):
        assert reachable(first) == reachable(second)
        for now in reachable(first):
            assert first.holds(bad_of(one), now, WHO) == second.holds(bad_of(other), now, WHO)
            assert first.holds(one.terminal, now, WHO) == second.holds(other.terminal, now, WHO)


@given(seeds)
@examples(60)
def test_operators_mean_what_they_mean_in_plain_words(seed: int) -> None:
    said, _ = operator_program(seed, KINDS)
    for counts in ((0,), (1,), (2,)):
        check_alike(read(said.fancy), read(said.plain), counts)


@given(seeds)
@examples(60)
def test_what_is_decided_of_operators_is_so(seed: int) -> None:
    said, _ = operator_program(seed, KINDS)
    fancy, plain = compare_safety(said.fancy), compare_safety(said.plain)

    assert (plain.reached, plain.smallest) == (fancy.reached, fancy.smallest)


@given(seeds)
@examples(10)
def test_the_solver_agrees_on_operators(seed: int) -> None:
    with suppress(LimitReached):  # it need not come to an end
        compare_solver(operator_program(seed, KINDS)[0].fancy, 2)


@pytest.fixture(scope="module")
def census() -> Counter[str]:
    """Return in how many of two hundred programs each operator occurs."""
    found: Counter[str] = Counter()
    for seed in range(200):
        found.update(set(operator_program(seed, KINDS)[1]))
    return found


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_occurs(operator: str, census: Counter[str]) -> None:
    assert census[operator] >= 10
