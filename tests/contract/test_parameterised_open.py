"""Types that are not listed: what the solver says of them is so; and what is treated specially occurs."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given

from gnomon.model.budget import LimitReached
from tests.open_programs import OpenProgram, compare_open
from tests.populations import KINDS, generated
from tests.systems import examples, seeds


@given(seeds)
@examples(60)
def test_where_types_are_not_listed(seed: int) -> None:
    with suppress(LimitReached):  # it need not come to an end
        compare_open(seed)


#: How many of a hundred programs have what is treated specially somewhere, at least.
SHARES = {
    "no relation": 20,
    "no variable": 8,
    "no action": 3,
    "one-value range": 20,
    "one-value type": 30,
    "no named value": 15,
    "nobody": 8,
    "axiom": 10,
    "bare": 30,
    "reads the environment": 10,
    "sum": 15,
    "looked up": 30,
    "reckons": 4,
    "looks up Flag": 3,
    "looks up Guild": 3,
    "looks up Floor": 3,
    "looks up Room": 5,
}


#: The same for the programs in which all values are listed.
LISTED = {
    "a template without variables": 15,
    "a template without actions": 1,
    "a template without local actions": 10,
    "an environment without variables": 10,
    "a type with one value": 25,
    "a relation with a key": 10,
    "no relation": 20,
    "nobody": 5,
    "a change where the environment is so": 15,
    "a value of the environment": 10,
    "an action that others follow": 20,
}


@pytest.fixture(scope="module")
def census() -> Counter[str]:
    """Return in how many of five hundred programs each thing occurs."""
    found: Counter[str] = Counter()
    for seed in range(500):
        found.update(name for name, count in OpenProgram(seed).census.items() if count)
    return found


@pytest.mark.parametrize(("name", "share"), SHARES.items())
def test_what_is_treated_specially_occurs(census: Counter[str], name: str, share: int) -> None:
    assert share <= census[name] / 5


@pytest.fixture(scope="module")
def listed() -> Counter[str]:
    """Return the same for five hundred programs in which all values are listed."""
    found: Counter[str] = Counter()
    for seed in range(500):
        found.update(name for name, count in generated(seed, KINDS)[1].items() if count)
    return found


@pytest.mark.parametrize(("name", "share"), LISTED.items())
def test_what_is_treated_specially_occurs_where_values_are_listed(
    listed: Counter[str], name: str, share: int
) -> None:
    assert share <= listed[name] / 5
