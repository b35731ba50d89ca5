"""Linear conditions on whole numbers: opposites, solutions and the least of them."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from gnomon.engines.solvers.whole_numbers import (
    ALWAYS,
    NEVER,
    AtLeast,
    Every,
    NumberCondition,
    OneOf,
    WholeNumbers,
    at_least,
    either,
    every,
    opposite,
)
from gnomon.model.budget import Budget
from tests.systems import examples

NAMES = ("a", "b")
factors = st.integers(-2, 2)
sums = st.builds(
    lambda a, b, c: at_least({"a": a, "b": b}, c), factors, factors, st.integers(-6, 6)
)
conditions = st.recursive(
    sums,
    lambda inner: st.builds(
        lambda which, parts: which(*parts),
        st.sampled_from([every, either]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=4,
)


def holds(condition: NumberCondition, numbers: dict[str, int]) -> bool:
    match condition:
        case AtLeast(terms, constant):
            return constant + sum(k * numbers[str(name)] for name, k in terms) >= 0
        case Every(parts):
            return all(holds(part, numbers) for part in parts)
        case OneOf(parts):
            return any(holds(part, numbers) for part in parts)


@given(conditions)
@examples(60)
def test_the_least_numbers_are_found(condition: NumberCondition) -> None:
    small = [dict(zip(NAMES, each, strict=True)) for each in product(range(14), repeat=2)]
    for numbers in small:
        assert holds(opposite(condition), numbers) is not holds(condition, numbers)
    fitting = [numbers["a"] for numbers in small if holds(condition, numbers)]
    solver = WholeNumbers(Budget())
    solver.add(condition)
    found = solver.find()
    if found is None:
        assert not fitting
        return
    least = solver.least(found, {"a": 1})
    assert holds(condition, {name: least.get(name, 0) for name in NAMES})
    if fitting:
        assert least.get("a", 0) == min(fitting)


def test_what_is_known_is_not_asked() -> None:
    assert at_least({"a": 0}, 0) == ALWAYS
    assert at_least({}, -1) == NEVER
    assert every(ALWAYS, NEVER) == NEVER
    assert either(NEVER, ALWAYS) == ALWAYS
