import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from gnomon.text.numbers import read_integer, show_integer


@contextmanager
def digits_allowed(limit: int) -> Iterator[None]:
    """Let Python write so many digits of a number."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


NUMBERS = [0, 1, 9, 10, 2**2000, 2**2000 - 1, 2**2001, 10**602, 10**603 - 1, 10**4300, 7**9999]


@pytest.mark.parametrize("number", [*NUMBERS, *(-number for number in NUMBERS if number)], ids=hash)
def test_a_number_is_shown_and_read_as_python_would_without_a_limit(number: int) -> None:
    with digits_allowed(0):
        expected = str(number)
    with digits_allowed(640):
        shown = show_integer(number)
        again = read_integer(shown)

    assert expected == shown
    assert number == again


def test_random_numbers_are_read_back() -> None:
    random = Random(5)
    for _ in range(200):
        number = random.getrandbits(random.randrange(1, 40_000)) * random.choice([1, -1])
        with digits_allowed(0):
            expected = str(number)

        assert expected == show_integer(number)
        assert number == read_integer(expected)


def test_zeros_inside_and_in_front_are_kept_apart() -> None:
    text = "000" + "1" + "0" * 5_000 + "1"

    assert 10**5_001 + 1 == read_integer(text)
    assert text[3:] == show_integer(10**5_001 + 1)


def test_a_number_of_a_million_digits_is_shown() -> None:
    assert "1" + "0" * 1_000_000 == show_integer(10**1_000_000)


def test_what_is_no_number_is_refused() -> None:
    for text in ("", "x", "-", "1" * 700 + "x"):
        with pytest.raises(ValueError, match="int"):
            read_integer(text)
