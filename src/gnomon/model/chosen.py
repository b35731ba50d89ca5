"""Choices made of what expressions have: smallest numbers, the number of a condition, actions as values."""

from gnomon.model import expression as typed
from gnomon.model.domain import (
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    OpenEnumeration,
    comparable,
    is_number,
)


def either(
    condition: typed.Expression, then: typed.Expression, otherwise: typed.Expression
) -> typed.Expression:
    """Return one condition where another holds, and a third where it does not."""
    both = typed.And((condition, then)), typed.And((typed.Not(condition), otherwise))
    return typed.Or(both)


def number_of_truth(condition: typed.Expression) -> typed.Expression:
    """Return 1 where a condition holds, and 0 elsewhere."""
    return typed.Conditional(condition, typed.Literal(1), typed.Literal(0))


def absolute(value: typed.Expression) -> typed.Expression:
    """Return a number without its sign."""
    if isinstance(value, typed.Literal):
        return typed.Literal(abs(value.value) if isinstance(value.value, int) else value.value)
    negative = typed.Compare("<", value, typed.Literal(0))
    return typed.Conditional(negative, typed.Negative(value), value)


def extreme(values: tuple[typed.Expression, ...], *, smallest: bool) -> typed.Expression:
    """Return the smallest or the greatest of some values: the first that none of those behind beats."""
    result = values[-1]
    for place in range(len(values) - 2, -1, -1):
        value, later = values[place], values[place + 1 :]
        unbeaten = tuple(typed.Compare("<=" if smallest else ">=", value, item) for item in later)
        condition = unbeaten[0] if len(unbeaten) == 1 else typed.And(unbeaten)
        result = typed.Conditional(condition, value, result)
    return result


def action_taken(agent: str, actions: tuple[str, ...]) -> typed.Expression:
    """Return what an agent does, as a value."""
    value: typed.Expression = typed.Literal(actions[-1])
    for action in reversed(actions[:-1]):
        value = typed.Conditional(typed.Does(agent, action), typed.Literal(action), value)
    return value


def joined(left: Domain, right: Domain) -> Domain | None:
    """Return a domain with the values of both, or None where they do not go together."""
    match left, right:
        case IntegerRange(), IntegerRange():
            return IntegerRange(min(left.low, right.low), max(left.high, right.high))
        case (OpenEnumeration(), _) | (_, OpenEnumeration()):
            return left if left == right else None
        case Enumeration(), Enumeration():
            return Enumeration(tuple(dict.fromkeys((*left.names, *right.names))))
        case _ if is_number(left) and is_number(right):
            return Integers()
        case _:
            return left if comparable(left, right) else None
