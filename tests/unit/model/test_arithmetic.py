from fractions import Fraction
from math import inf, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.arithmetic import add, divide, euclidean_div, euclidean_mod, multiply

integers = st.integers(-50, 50) | st.integers()
whole = st.integers(-8, 8)
numbers = whole | st.fractions(-8, 8, max_denominator=5)


@given(integers, integers)
def test_quotient_and_remainder_give_the_number_back(left: int, right: int) -> None:
    assert left == right * euclidean_div(left, right) + euclidean_mod(left, right)


@given(integers, integers.filter(bool))
def test_a_remainder_is_never_negative_and_smaller_than_the_divisor(left: int, right: int) -> None:
    assert 0 <= euclidean_mod(left, right) < abs(right)


@pytest.mark.parametrize(
    ("left", "right", "quotient", "remainder"),
    [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (7, 0, 0, 7), (0, 0, 0, 0)],
)
def test_division_with_remainder(left: int, right: int, quotient: int, remainder: int) -> None:
    assert (quotient, remainder) == (euclidean_div(left, right), euclidean_mod(left, right))


@given(numbers, numbers)
def test_sums_and_products_are_exact(left: Fraction, right: Fraction) -> None:
    assert Fraction(left) + Fraction(right) == add(left, right)
    assert Fraction(left) * Fraction(right) == multiply(left, right)


@given(numbers, numbers.filter(bool))
def test_a_quotient_is_exact(left: Fraction, right: Fraction) -> None:
    assert Fraction(left) / Fraction(right) == divide(left, right)


@given(numbers, numbers)
def test_a_whole_result_is_an_int(left: Fraction, right: Fraction) -> None:
    for result in (add(left, right), multiply(left, right), divide(left, right or 1)):
        assert isinstance(result, int) == (Fraction(result).denominator == 1)


def test_nothing_is_rounded() -> None:
    assert 10**40 == divide(10**60, 10**20)
    assert Fraction(1, 3) == divide(1, 3)


def test_division_by_zero_is_as_in_mcmas() -> None:
    assert (0, inf, -inf) == (divide(0, 0), divide(3, 0), divide(-3, 0))


def test_infinities_absorb_numbers_however_large() -> None:
    assert inf == add(inf, -(10**400))
    assert -inf == multiply(inf, -(10**400))
    assert 0 == divide(10**400, inf)
    assert inf == divide(inf, 3)
    assert -inf == divide(inf, -3)


def test_what_has_no_value_is_no_number() -> None:
    assert isnan(add(inf, -inf))
    assert isnan(multiply(inf, 0))
    assert isnan(divide(inf, inf))
