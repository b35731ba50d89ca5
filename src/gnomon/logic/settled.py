"""Formulae that are settled as they are written: by constants, and by indices that have become numbers."""

from gnomon.model import expression as e
from gnomon.model import formula as f
from gnomon.model.evaluation import every, some, value_by


def settled(formula: f.Formula) -> bool | None:
    """Return the value of a formula that reads no variable, or need not; None for any other.

    What a proposition stands for is not looked into: it has a name so that it can be spoken of.
    """
    match formula:
        case f.Constant(value):
            return value
        case f.StateCondition(expression):
            return _settled_condition(expression)
        case f.Not(body):
            return _opposite(settled(body))
        case f.And(operands):
            return every(map(settled, operands))
        case f.Or(operands):
            return some(map(settled, operands))
        case f.Implies(left, right):
            return some((_opposite(settled(left)), settled(right)))
        case f.Iff(left, right):
            first, second = settled(left), settled(right)
            return None if first is None or second is None else first == second
        case _:
            return None


def _settled_condition(condition: e.Expression) -> bool | None:
    match condition:
        case e.Not(operand):
            return _opposite(_settled_condition(operand))
        case e.And(operands):
            return every(map(_settled_condition, operands))
        case e.Or(operands):
            return some(map(_settled_condition, operands))
        case _ if any(isinstance(part, (e.Read, e.Does)) for part in e.walk(condition)):
            return None
        case _:
            return bool(value_by(condition, _nothing))


def _nothing(part: e.Read | e.Does) -> object:
    raise AssertionError(part)  # there is none in it


def _opposite(value: object) -> bool | None:
    return None if value is None else not value
