"""Fractions, infinities and bits as a solver is told of them are what the reference semantics says."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from gnomon.certificate.deductive.bitwise import Widths
from gnomon.certificate.deductive.script import Script
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.smt_terms import SmtText, neg, number, same
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.evaluation import evaluate, holds
from gnomon.model.expression import (
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Expression,
    Literal,
    Negative,
    Read,
    Sum,
)
from gnomon.model.step import State
from gnomon.model.system import System
from tests.systems import Relation, examples, seeds

X, Y, Z = (Read("P", name) for name in "xyz")
PROGRAM = """
Agent P
  Vars: x : -9..9; y : -3..6; z : int; end Vars
  Actions = {a}; Protocol: Other : {a}; end Protocol
  Evolution: x = 1 if Action = a; end Evolution
end Agent
InitStates P.x = 0; end InitStates
Formulae AG P.x = 0; end Formulae
"""


def system() -> System:
    loaded = load_text(PROGRAM)
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def whole(rng: Random, depth: int) -> Expression:
    """Return an expression whose value is a whole number."""
    if depth == 0:
        return rng.choice((X, Y, Z, Literal(rng.randint(-4, 5))))
    left, right = whole(rng, depth - 1), whole(rng, rng.randrange(depth))
    match rng.randrange(6):
        case 0:
            return BitComplement(left)
        case 1:
            return Sum((left, right))
        case 2:
            return Arithmetic(rng.choice(("div", "mod")), left, Literal(rng.choice((-3, 0, 1, 2))))
        case _:
            # One of both has bounds.
            small = rng.choice((X, Y, Literal(rng.randint(-9, 9)), BitComplement(Y)))
            one, other = (left, small) if rng.random() < 0.5 else (small, left)
            return Arithmetic(rng.choice(("&", "|", "^")), one, other)


def exact(rng: Random, depth: int) -> Expression:
    """Return one that may be a fraction, infinite, or no number at all."""
    if depth == 0:
        return rng.choice((X, Y, Z, Literal(0), Literal(rng.randint(-4, 5))))
    left, right = exact(rng, depth - 1), exact(rng, rng.randrange(depth))
    match rng.randrange(8):
        case 0:
            return Negative(left)
        case 1:
            return Sum((left, right))
        case 2:
            return Arithmetic("*", left, right)
        case 3:
            return Conditional(compared(rng, left, right), left, right)
        case 4:
            return Defined(f"d{rng.randrange(10**9)}", left)
        case _:
            return Arithmetic("/", left, right)


def compared(rng: Random, left: Expression, right: Expression) -> Compare:
    """Return a comparison."""
    operator: Relation = rng.choice(("=", "<>", "<", "<=", ">", ">="))
    return Compare(operator, left, right)


def told(rng: Random) -> tuple[State, Script, SymbolicMoment, list[SmtText]]:
    """Return a state, and what a solver is told of it."""
    state = rng.randint(-9, 9), rng.randint(-3, 6), rng.choice((0, 1, -1, rng.randint(-40, 40)))
    script = Script(system(), rng.choice(SOLVERS), Budget(60))
    moment = SymbolicMoment(script)
    pairs = zip((X, Y, Z), state, strict=True)
    return state, script, moment, [same(moment.variable(r), number(v)) for r, v in pairs]


@given(seed=seeds)
@examples(200)
def test_comparisons_are_what_they_should_be(seed: int) -> None:
    rng = Random(seed)
    state, script, moment, given = told(rng)
    for make in (whole, exact):
        condition = compared(rng, make(rng, rng.choice((1, 2, 3))), make(rng, 2))
        found = moment.condition(condition)
        script.prove(
            given, found if holds(condition, script.system, state) else neg(found), str(condition)
        )
    script.finish()


@given(seed=seeds)
@examples(200)
def test_only_whole_numbers_are_assigned(seed: int) -> None:
    rng = Random(seed)
    state, script, moment, given = told(rng)
    expression = rng.choice((whole, exact))(rng, rng.choice((1, 2, 3)))
    value = evaluate(expression, script.system, state)
    found, fits = moment.assigned(expression)
    if isinstance(value, int):
        script.prove(given, fits, "it is a whole number")
        script.prove(given, same(found, number(value)), "it is another number")
    else:
        assert isinstance(value, Fraction | float)
        script.prove(given, neg(fits), "it is no whole number")
    script.finish()


def test_that_something_else_is_claimed_is_found_out() -> None:
    _, script, moment, given = told(Random(1))
    script.prove(given, moment.condition(Compare("<>", X, X)), "a number is another one")
    with pytest.raises(Rejected, match="another one"):
        script.finish()


def test_bits_of_numbers_without_bounds_are_too_much() -> None:
    _, _, moment, _ = told(Random(1))
    with pytest.raises(TooMuch, match="two numbers without bounds"):
        moment.text(Arithmetic("&", Z, Sum((Z, X))))


@given(seed=seeds)
@examples(200)
def test_numbers_have_no_more_bits_than_said(seed: int) -> None:
    rng = Random(seed)
    whole_system = system()
    variables = whole_system.variables
    expression = whole(rng, rng.choice((1, 2, 3)))
    width = Widths(lambda read: variables[whole_system.position["P", read.variable]].domain).of(
        expression
    )
    state = rng.randint(-9, 9), rng.randint(-3, 6), rng.randint(-40, 40)
    value = evaluate(expression, whole_system, state)
    assert isinstance(value, int)
    assert width is None or -(2**width) <= value < 2**width
