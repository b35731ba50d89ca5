import pytest

from gnomon.model.domain import (
    Boolean,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    contains,
    show_value,
    size_of,
    values_of,
)

FINITE: list[Domain] = [Boolean(), Enumeration(("a", "b")), IntegerRange(-1, 3), IntegerRange(2, 2)]
OTHERS = [True, False, -2, -1, 0, 2, 3, 4, 10**30, "a", "b", "c", "", None, 1.0]


@pytest.mark.parametrize("domain", FINITE, ids=str)
def test_a_domain_contains_exactly_its_values(domain: Domain) -> None:
    values = list(values_of(domain))

    assert all(contains(domain, value) for value in values)
    for other in OTHERS:
        listed = any(type(other) is type(value) and other == value for value in values)
        assert listed == contains(domain, other)


@pytest.mark.parametrize("domain", FINITE, ids=str)
def test_the_size_of_a_domain_is_the_number_of_its_values(domain: Domain) -> None:
    assert len(values_of(domain)) == size_of(domain)


def test_unbounded_integers_have_no_size_and_no_list() -> None:
    assert size_of(Integers()) is None
    with pytest.raises(ValueError, match="unbounded"):
        values_of(Integers())


@pytest.mark.parametrize("number", [0, -1, 10**100])
def test_unbounded_integers_contain_every_integer(number: int) -> None:
    assert contains(Integers(), number)


@pytest.mark.parametrize("value", [True, "a", 1.0, None])
def test_unbounded_integers_contain_nothing_else(value: object) -> None:
    assert not contains(Integers(), value)


def test_a_huge_range_has_an_exact_size() -> None:
    assert 10**30 + 1 == size_of(IntegerRange(0, 10**30))


@pytest.mark.parametrize(
    ("domain", "shown"),
    [
        (Boolean(), "boolean"),
        (Enumeration(("a", "b")), "{a, b}"),
        (IntegerRange(-1, 3), "-1..3"),
        (Integers(), "int"),
    ],
)
def test_a_domain_is_shown_as_it_is_written(domain: Domain, shown: str) -> None:
    assert shown == str(domain)


@pytest.mark.parametrize(
    ("value", "shown"), [(True, "true"), (False, "false"), (-3, "-3"), ("a", "a")]
)
def test_a_value_is_shown_as_it_is_written(value: bool | int | str, shown: str) -> None:
    assert shown == show_value(value)
