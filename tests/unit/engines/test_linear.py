from itertools import product
from operator import eq, ge, gt, le, lt, ne
from random import Random

import pytest
from hypothesis import given

from gnomon.engines.abstraction.intervals import Interval, point
from gnomon.engines.abstraction.linear import Affine, affine, form_of, image, scaled, solve
from gnomon.model.agent import Agent, Variable
from gnomon.model.domain import Integers
from gnomon.model.evaluation import evaluate
from gnomon.model.expression import TRUE, Arithmetic, Expression, Literal, Negative, Read, Sum
from gnomon.model.system import System
from tests.systems import examples, seeds

X, Y, Z = (Read("P", name) for name in "xyz")
VARIABLES = tuple(Variable("P", name, Integers()) for name in "xyz")
SYSTEM = System("numbers", (Agent("Environment", (), ()), Agent("P", VARIABLES, ())), TRUE)
OPERATORS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
FACTORS = (-3, -2, -1, 1, 2, 3)
NUMBERS = range(-12, 13)


def term(rng: Random, depth: int = 3) -> Expression:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice((X, Y, Z, Literal(rng.randint(-4, 4))))
    match rng.randrange(4):
        case 0:
            return Negative(term(rng, depth - 1))
        case 1:
            sides = [Literal(rng.randint(-3, 3)), term(rng, depth - 1)]
            rng.shuffle(sides)
            return Arithmetic("*", *sides)
        case _:
            return Sum(tuple(term(rng, depth - 1) for _ in range(rng.randint(1, 3))))


def worth(found: Affine, values: tuple[int, int, int]) -> int:
    known = dict(zip((X, Y, Z), values, strict=True))
    return found.constant + sum(weight * known[read] for read, weight in found.terms.items())


@given(seed=seeds)
@examples(100)
def test_a_linear_term_is_worth_what_its_expression_is(seed: int) -> None:
    rng = Random(seed)
    expression = term(rng)
    found = affine(expression)
    assert found is not None
    for _ in range(5):
        values = (rng.randint(-9, 9), rng.randint(-9, 9), rng.randint(-9, 9))
        assert evaluate(expression, SYSTEM, values) == worth(found, values)
    assert 0 not in found.terms.values()


@given(seed=seeds)
@examples(100)
def test_a_form_is_the_same_for_all_multiples_of_a_term(seed: int) -> None:
    rng = Random(seed)
    found = affine(term(rng))
    assert found is not None
    one = scaled(found.terms)
    if one is None:
        assert not found.terms
        return
    for factor in FACTORS:
        other = scaled(found.times(factor).terms)
        assert other is not None
        assert (one.form, one.factor * factor) == (other.form, other.factor)
    assert {read: one.factor * weight for read, weight in one.form.terms} == found.terms


@pytest.mark.parametrize(
    "expression",
    [
        Arithmetic("*", X, Y),
        Arithmetic("div", X, Literal(2)),
        Arithmetic("mod", X, Literal(2)),
        Sum((X, Arithmetic("/", Y, Literal(2)))),
    ],
)
def test_what_is_not_linear_is_no_linear_term(expression: Expression) -> None:
    assert affine(expression) is None


def test_a_form_is_shown_as_an_expression() -> None:
    found = scaled({X: 2, Y: -4, Z: 6})
    assert found is not None

    assert ("P.x + -2 * P.y + 3 * P.z", 2) == (str(found.form), found.factor)
    assert "P.x" == str(form_of(X))
    assert form_of(X).single == X
    assert found.form.single is None


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_solved_comparison_has_exactly_its_solutions(operator: str) -> None:
    for factor, constant in product(FACTORS, range(-7, 8)):
        found = solve(operator, factor, constant)
        for number in NUMBERS:
            holds = OPERATORS[operator](factor * number + constant, 0)
            assert holds == found.possible(point(number)) == found.certain(point(number))


@pytest.mark.parametrize("operator", OPERATORS)
def test_between_two_cuts_a_comparison_does_not_change(operator: str) -> None:
    for factor, constant in product(FACTORS, range(-7, 8)):
        cuts = solve(operator, factor, constant).cuts
        for number in NUMBERS[:-1]:
            now, then = (
                OPERATORS[operator](factor * each + constant, 0) for each in (number, number + 1)
            )
            assert (now != then) <= (number in cuts)


@pytest.mark.parametrize("operator", OPERATORS)
def test_of_several_numbers_a_comparison_is_possible_for_one_and_certain_for_all(
    operator: str,
) -> None:
    for factor, constant, low in product(FACTORS, range(-5, 6), range(-4, 4)):
        found = solve(operator, factor, constant)
        values = Interval(low, low + 2)
        answers = {
            OPERATORS[operator](factor * number + constant, 0) for number in range(low, low + 3)
        }
        assert (True in answers) == found.possible(values)
        assert (False not in answers) == found.certain(values)


def test_an_image_is_met_by_some_multiple() -> None:
    targets = [Interval(0, 1), Interval(None, -3), Interval(5, None), point(4)]
    for factor, constant, target in product(FACTORS, range(-3, 4), targets):
        for low, high in ((-2, 2), (0, 0), (1, 3)):
            met = any(
                point(factor * number + constant).inside(target) for number in range(low, high + 1)
            )
            assert met == image(factor, Interval(low, high), constant, target)
