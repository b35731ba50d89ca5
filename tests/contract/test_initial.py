"""The search for the states of a condition, where going through all states is out of the question."""

import pytest

from gnomon.model.agent import ENVIRONMENT, Agent, Variable
from gnomon.model.budget import LimitReached
from gnomon.model.domain import Boolean, IntegerRange, Integers
from gnomon.model.expression import TRUE, And, Compare, Expression, Literal, Or, Read, Sum
from gnomon.model.initial import assignments_satisfying
from gnomon.model.system import System

X, Y = Read("P", "x"), Read("P", "y")


def system(*variables: Variable) -> System:
    environment = Agent(ENVIRONMENT, (), ())
    return System("small", (environment, Agent("P", variables, ("a",))), TRUE)


def is_(read: Expression, value: int | bool) -> Compare:
    return Compare("=", read, Literal(value))


UNBOUNDED = system(Variable("P", "x", Integers()), Variable("P", "y", IntegerRange(0, 9)))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (And((is_(X, 3), is_(Y, 4))), {(3, 4)}),
        (
            And((Compare("=", X, Sum((Y, Literal(1)))), Compare("<", Y, Literal(2)))),
            {(1, 0), (2, 1)},
        ),
        (
            And((Compare(">=", X, Literal(0)), Compare("<", X, Literal(2)), is_(Y, 0))),
            {(0, 0), (1, 0)},
        ),
        (And((Or((is_(X, 1), And((is_(X, 2), is_(Y, 5))))), is_(Y, 5))), {(1, 5), (2, 5)}),
    ],
)
def test_a_condition_can_pin_an_unbounded_variable_down(
    condition: Expression, expected: set[tuple[int, int]]
) -> None:
    assert expected == set(assignments_satisfying(UNBOUNDED, condition))


@pytest.mark.parametrize("condition", [TRUE, is_(Y, 0), Compare(">", X, Y)])
def test_an_unbounded_variable_left_open_is_named(condition: Expression) -> None:
    with pytest.raises(LimitReached, match=r"`P\.x`"):
        list(assignments_satisfying(UNBOUNDED, condition))


def test_hundreds_of_variables_are_no_matter_where_few_are_free() -> None:
    many = [Variable("P", f"v{number}", Boolean()) for number in range(400)]
    reads = [Read("P", variable.name) for variable in many]
    one_of = Or(tuple(And(tuple(is_(r, r is chosen) for r in reads)) for chosen in reads[:20]))
    assert len(list(assignments_satisfying(system(*many), one_of))) == 20
    fixed = And(tuple(is_(read, False) for read in reads[10:]))
    assert len(list(assignments_satisfying(system(*many), fixed))) == 2**10
