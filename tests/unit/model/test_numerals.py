"""Digits of numbers of any length, beside Python's own where it has them."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.numerals import decimal, from_decimal


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    """Let Python refuse as much as it can be told to."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


@given(st.integers(-(2**1_500), 2**1_500))
def test_short_numbers_are_written_as_python_does(number: int) -> None:
    assert str(number) == decimal(number)


@given(st.integers(-(2**40_000), 2**40_000), st.integers(0, 40_000))
def test_what_is_written_is_read_back(number: int, fewer: int) -> None:
    shorter = number >> fewer

    assert shorter == from_decimal(decimal(shorter))


@given(st.integers(0, 20_000))
def test_a_power_of_ten_has_its_zeros(zeros: int) -> None:
    assert "1" + zeros * "0" == decimal(10**zeros)
    assert -(10**zeros) == from_decimal("-1" + zeros * "0")
