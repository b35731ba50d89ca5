"""What is settled as it is written, without a look at any state."""

import pytest

from gnomon.logic.settled import settled
from gnomon.model import expression as e
from gnomon.model import formula as f

TRUE, FALSE, OPEN = f.Constant(True), f.Constant(False), f.Proposition("p")
ONE = e.Literal(1)
X = e.Read("P", "x")


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (TRUE, True),
        (FALSE, False),
        (OPEN, None),
        (f.Not(FALSE), True),
        (f.Not(OPEN), None),
        (f.And((OPEN, FALSE)), False),
        (f.And((OPEN, TRUE)), None),
        (f.And(()), True),
        (f.Or((OPEN, TRUE)), True),
        (f.Or((OPEN, FALSE)), None),
        (f.Or(()), False),
        (f.Implies(FALSE, OPEN), True),
        (f.Implies(OPEN, TRUE), True),
        (f.Implies(TRUE, FALSE), False),
        (f.Implies(TRUE, OPEN), None),
        (f.StateCondition(e.Compare("=", ONE, e.Sum((ONE, ONE)))), False),
        (f.StateCondition(e.Compare("=", ONE, X)), None),
        (f.StateCondition(e.And((e.Compare("=", ONE, X), e.Literal(False)))), False),
        (f.StateCondition(e.Or((e.Compare("=", ONE, X), e.Literal(True)))), True),
        (f.StateCondition(e.Not(e.Compare("<", ONE, ONE))), True),
        (f.All(f.Globally(TRUE)), None),
        (f.Norm("P", red=True), None),
    ],
)
def test_settled(formula: f.Formula, *, value: bool | None) -> None:
    assert value is settled(formula)
