"""Bounds of expressions hold for every value of the variables in them."""

from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.bounds import UNBOUNDED, BoundsReader
from gnomon.model.domain import Domain, IntegerRange, Integers
from gnomon.model.evaluation import value_by
from gnomon.model.expression import (
    And,
    Arithmetic,
    Compare,
    Conditional,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
)
from tests.systems import examples

DOMAINS = {"x": IntegerRange(-2, 3), "y": IntegerRange(0, 2), "one": IntegerRange(4, 4)}


def domain_of(read: Read) -> Domain:
    return DOMAINS.get(read.variable, Integers())


def bounds(expression: Expression) -> tuple[int | None, int | None]:
    return BoundsReader(domain_of, lambda _: UNBOUNDED).bounds(expression)


def number(random: Random, depth: int) -> Expression:
    if depth == 0 or random.random() < 0.2:
        variable = random.choice([*DOMAINS, ""])
        return Read("P", variable) if variable else Literal(random.randint(-3, 4))
    left, right = number(random, depth - 1), number(random, depth - 1)
    kind = random.choice(["+", "-", "*", "div", "mod", "if", "if"])
    if kind == "+":
        return Sum((left, right))
    if kind == "-":
        return Negative(left)
    if kind == "if":
        condition = test(random, depth - 1)
        pieces = [left, right, *condition[1]]
        return Conditional(condition[0], random.choice(pieces), random.choice(pieces))
    return Arithmetic(kind, left, right)  # type: ignore[arg-type]


def test(random: Random, depth: int) -> tuple[Expression, list[Expression]]:
    """Return a condition, and what it compares."""
    left, right = number(random, depth), number(random, depth)
    operator = random.choice(["=", "<>", "<", "<=", ">", ">="])
    condition: Expression = Compare(operator, left, right)  # type: ignore[arg-type]
    more: Expression = Compare("<=", left, Literal(random.randint(-2, 2)))
    shape = random.choice(
        [condition, Not(condition), And((condition, more)), Or((condition, more))]
    )
    return shape, [left, right]


test.__test__ = False  # type: ignore[attr-defined]


@examples(300)
@given(st.integers(0, 2**32))
def test_no_value_is_outside_of_the_bounds(seed: int) -> None:
    expression = number(Random(seed), 3)
    low, high = bounds(expression)
    for values in product(*(range(each.low, each.high + 1) for each in DOMAINS.values())):
        known = dict(zip(DOMAINS, values, strict=True))

        def look(part: Read | Does, known: dict[str, int] = known) -> object:
            assert isinstance(part, Read)
            return known[part.variable]

        value = value_by(expression, look)
        assert isinstance(value, int)
        assert low is None or low <= value
        assert high is None or value <= high


def test_conditions_bound_what_they_choose() -> None:
    x, limit = Read("P", "x"), Literal(1)
    least = Conditional(Compare("<=", x, limit), x, limit)
    size = Conditional(Compare("<", x, Literal(0)), Negative(x), x)
    following = Conditional(Compare("<", x, Literal(3)), Sum((x, Literal(1))), Literal(0))

    assert (-2, 1) == bounds(least)
    assert (0, 3) == bounds(size)
    assert (-1, 3) == bounds(following)
    assert (0, 2) == bounds(Arithmetic("mod", Read("P", "free"), Literal(3)))
    assert (None, None) == bounds(Read("P", "free"))
