"""Values of constants, and the questions that they make of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.checking.question import Question
from gnomon.checking.sweep import MOST_SIZES, family, read_values, sizes
from gnomon.text.diagnostic import InputError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3", (3,)),
        ("1..4", (1, 2, 3, 4)),
        ("2,4,8", (2, 4, 8)),
        (" 1 .. 2 , 7 ", (1, 2, 7)),
        ("-1..1", (-1, 0, 1)),
        ("5..5", (5,)),
        ("3,1..3", (3, 1, 2)),
    ],
)
def test_values_are_numbers_ranges_and_lists_of_both(text: str, values: tuple[int, ...]) -> None:
    assert read_values(text) == values


@pytest.mark.parametrize(
    "text", ["", "x", "1..", "..3", "1...3", "3..1", "1,,2", "1.5", "1..2..3", "0x10", "1_0", "²"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no whole number|is empty"):
        read_values(text)


def test_a_range_that_nobody_waits_for_is_refused_before_it_is_written_out() -> None:
    with pytest.raises(ValueError, match="more than"):
        read_values(f"0..{10**4000 - 1}")


@given(st.lists(st.integers(-50, 50), min_size=1), st.integers(-50, 50), st.integers(0, 20))
def test_a_list_is_read_as_it_is_written_each_value_once(
    numbers: list[int], low: int, more: int
) -> None:
    text = ",".join([*map(str, numbers), f"{low}..{low + more}"])

    assert list(read_values(text)) == list(dict.fromkeys([*numbers, *range(low, low + more + 1)]))


def test_every_combination_is_a_size() -> None:
    assert list(sizes({"n": (1, 2), "m": (5,)})) == [{"n": 1, "m": 5}, {"n": 2, "m": 5}]
    assert len(list(sizes({"n": range(7), "m": range(11)}))) == 77


def test_too_many_combinations_are_refused_at_once_and_so_is_a_constant_without_values() -> None:
    many = range(MOST_SIZES)
    with pytest.raises(InputError, match="combinations"):
        list(sizes({"n": many, "m": many}))
    with pytest.raises(InputError, match="no value for the constant m"):
        list(sizes({"n": (1,), "m": ()}))


def test_a_family_of_questions_differs_in_the_constants_alone() -> None:
    question = Question("text", "name", (("k", 1), ("n", 0)), only=(2,))

    found = family(question, {"n": (3, 4)})

    assert [dict(each.constants) for each in found] == [{"k": 1, "n": 3}, {"k": 1, "n": 4}]
    assert {(each.text, each.name, each.only) for each in found} == {("text", "name", (2,))}
    assert len({each.digest for each in found}) == 2
