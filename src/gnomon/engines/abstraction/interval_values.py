"""What numbers are worth in a cell, where variables have values or are somewhere in intervals."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from gnomon.engines.abstraction.intervals import EVERYTHING, Interval, point
from gnomon.engines.abstraction.linear import solve
from gnomon.engines.abstraction.partition import total
from gnomon.model import expression as typed
from gnomon.model.arithmetic import euclidean_div, euclidean_mod
from gnomon.model.evaluation import Operation, combine, compare, every, some
from gnomon.model.expression import Expression, Read, Sharing, shared


class Unknown:
    """What a quotient is worth of which nothing is known: not even whether it is a number."""


_UNKNOWN: Final = Unknown()

#: What an expression is worth in a cell: a value, or somewhere in an interval, or unknown.
Worth: TypeAlias = object


def worth(expression: Expression, values: Mapping[Read, Worth]) -> Worth:
    """Return what an expression is worth where variables have these values, or are in these intervals.

    A condition is worth True or False, or unknown; so is everything that an agent may do.
    """
    return _worth(expression, values, {})


def _worth(
    expression: Expression, values: Mapping[Read, Worth], known: dict[Sharing, Worth]
) -> Worth:
    match expression:
        case typed.Literal(value):
            return value
        case Read():
            return values[expression]
        case typed.Does():
            return _UNKNOWN
        case typed.Conditional() | typed.Defined():
            return shared(expression, known, lambda part: _shared_worth(part, values, known))
        case typed.Not() | typed.And() | typed.Or() | typed.Compare():
            inner = [_worth(part, values, known) for part in typed.parts(expression)]
            return _truth(expression, inner)
        case _ as operation:
            inner = [_worth(part, values, known) for part in typed.parts(expression)]
            return _operation(operation, inner)


def _shared_worth(
    expression: Sharing, values: Mapping[Read, Worth], known: dict[Sharing, Worth]
) -> Worth:
    condition, *either = [_worth(part, values, known) for part in typed.parts(expression)]
    if isinstance(expression, typed.Defined):
        return condition
    if isinstance(condition, bool):
        return either[0 if condition else 1]
    return _one_of(*either)


def _one_of(one: Worth, two: Worth) -> Worth:
    """Return what is known of something that is one of two."""
    one, two = _value(one), _value(two)
    if type(one) is type(two) and one == two:
        return one
    if all(isinstance(each, (Interval, int)) for each in (one, two)):
        return as_interval(one).around(as_interval(two))
    return _UNKNOWN


def _truth(
    condition: typed.Not | typed.And | typed.Or | typed.Compare, inner: list[Worth]
) -> Worth:
    """Return whether a condition holds, given what its parts are worth; unknown where that is open."""
    truths = [part if isinstance(part, bool) else None for part in inner]
    found: bool | None
    match condition:
        case typed.Not():
            found = None if truths[0] is None else not truths[0]
        case typed.And():
            found = every(truths)
        case typed.Or():
            found = some(truths)
        case _:
            answers = compare_worth(condition.operator, *inner)
            found = answers.pop() if len(answers) == 1 else None
    return _UNKNOWN if found is None else found


def _operation(operation: Operation, values: list[Worth]) -> Worth:
    known = [_value(value) for value in values]
    if any(isinstance(value, Unknown) for value in known):
        return _UNKNOWN
    if not any(isinstance(value, Interval) for value in known):
        if _wants_integers(operation) and not all(isinstance(value, int) for value in known):
            return _UNKNOWN  # a fraction that no variable can have, put in its place
        return combine(operation, known)
    if any(not isinstance(value, (Interval, int)) for value in known):
        return _UNKNOWN  # a fraction or an infinity beside an interval
    intervals = [as_interval(value) for value in known]
    match operation:
        case typed.Sum():
            return total(intervals)
        case typed.Negative():
            return intervals[0].times(-1)
        case typed.Arithmetic("*"):
            return intervals[0].product(intervals[1])
        case typed.Arithmetic("div" | "mod" as operator):
            divisor = intervals[1].point
            if divisor is None or divisor == 0:
                return EVERYTHING if operator == "div" else _remainder(intervals[1])
            return euclidean(operator, intervals[0], divisor)
        case typed.Arithmetic("/"):
            return _UNKNOWN
        case _:
            return EVERYTHING


def _wants_integers(operation: Operation) -> bool:
    match operation:
        case typed.BitComplement() | typed.Arithmetic("div" | "mod" | "&" | "|" | "^"):
            return True
        case _:
            return False


def _remainder(divisor: Interval) -> Interval:
    """Return what may be left on division by some number: never less than nothing, but for zero."""
    away = not divisor.meets(point(0))
    return Interval(0, None) if away else EVERYTHING


def euclidean(operator: str, values: Interval, divisor: int) -> Interval:
    """Return what `div` or `mod` by a number other than zero may give."""
    if operator == "mod":
        whole = Interval(0, abs(divisor) - 1)
        low, high = values.low, values.high
        if (
            low is None
            or high is None
            or euclidean_div(low, divisor) != euclidean_div(high, divisor)
        ):
            return whole
        return Interval(euclidean_mod(low, divisor), euclidean_mod(high, divisor))
    ends = [
        None if end is None else euclidean_div(end, divisor) for end in (values.low, values.high)
    ]
    return Interval(*(ends if divisor > 0 else reversed(ends)))


def _value(value: Worth) -> Worth:
    """Return the number, where an interval has just one."""
    if isinstance(value, Interval) and value.point is not None:
        return value.point
    return value


def as_interval(value: Worth) -> Interval:
    """Return an interval that a value is in."""
    if isinstance(value, Interval):
        return value
    return point(value) if isinstance(value, int) else EVERYTHING


def compare_worth(operator: str, left: Worth, right: Worth) -> set[bool]:
    """Return the answers that a comparison may have."""
    left, right = _value(left), _value(right)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return {True, False}
    if not isinstance(left, Interval) and not isinstance(right, Interval):
        return {compare(operator, left, right)}
    if any(not isinstance(side, (Interval, int)) for side in (left, right)):
        return {True, False}
    difference = as_interval(left).plus(as_interval(right).times(-1))
    wanted = solve(operator, 1, 0)
    answers = {True} if wanted.possible(difference) else set()
    return answers if wanted.certain(difference) else answers | {False}


def has_fraction(expression: Expression) -> bool:
    """Return whether an expression may be a fraction: it divides by `/`."""
    return any(
        isinstance(part, typed.Arithmetic) and part.operator == "/"
        for part in typed.walk(expression)
    )
