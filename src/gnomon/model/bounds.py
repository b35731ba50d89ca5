"""Between which numbers the value of an expression lies, as far as its text tells."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from gnomon.model.arithmetic import euclidean_div
from gnomon.model.domain import Domain, IntegerRange
from gnomon.model.expression import (
    And,
    Arithmetic,
    Compare,
    Conditional,
    Defined,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
)

#: The least and the greatest value, both None where there is no bound.
ValueBounds: TypeAlias = tuple[int | None, int | None]
UNBOUNDED: Final[ValueBounds] = (None, None)

#: What is known of some subexpressions, because a condition around them says it.
_Known: TypeAlias = Mapping[Expression, ValueBounds]

#: So many parts of an expression are looked at, some of them several times; then no bounds are told.
_PATIENCE: Final = 20_000

_OPPOSITE: Final = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED: Final = {"=": "=", "<>": "<>", "<": ">", ">=": "<=", ">": "<", "<=": ">="}


class BoundsReader:
    """Works out bounds, given the domains of variables and the bounds of definitions."""

    def __init__(
        self, domain_of: Callable[[Read], Domain], defined: Callable[[Defined], ValueBounds]
    ) -> None:
        """Read with these."""
        self._left = _PATIENCE
        self._domain_of = domain_of
        self._defined = defined

    def bounds(self, expression: Expression, known: _Known | None = None) -> ValueBounds:
        """Return bounds of a whole number; a condition that chooses it is taken into account."""
        self._left -= 1
        if self._left < 0:
            return UNBOUNDED
        known = known or {}
        found = self._bounds(expression, known)
        return _meet(found, known[expression]) if expression in known else found

    def _bounds(self, expression: Expression, known: _Known) -> ValueBounds:
        match expression:
            case Literal(bool() | str()):
                return UNBOUNDED
            case Literal(value):
                assert isinstance(value, int)
                return value, value
            case Read():
                domain = self._domain_of(expression)
                return (domain.low, domain.high) if isinstance(domain, IntegerRange) else UNBOUNDED
            case Sum(terms):
                lows, highs = zip(*(self.bounds(term, known) for term in terms), strict=True)
                return _total(lows), _total(highs)
            case Negative(operand):
                low, high = self.bounds(operand, known)
                return _negative(high), _negative(low)
            case Arithmetic(operator, left, right):
                return _calculated(operator, self.bounds(left, known), self.bounds(right, known))
            case Conditional(condition, then, otherwise):
                return _join(
                    self.bounds(then, self._learnt(condition, known, holds=True)),
                    self.bounds(otherwise, self._learnt(condition, known, holds=False)),
                )
            case Defined():
                return self._defined(expression)
            case _:
                return UNBOUNDED

    def _learnt(self, condition: Expression, known: _Known, *, holds: bool) -> _Known:
        """Return what is known where a condition holds, or where it does not."""
        match condition:
            case Not(operand):
                return self._learnt(operand, known, holds=not holds)
            case And(operands) if holds:
                for operand in operands:
                    known = self._learnt(operand, known, holds=True)
                return known
            case Or(operands) if not holds:
                for operand in operands:
                    known = self._learnt(operand, known, holds=False)
                return known
            case And(operands) | Or(operands):
                return _common([self._learnt(each, known, holds=holds) for each in operands], known)
            case Compare(operator, left, right):
                relation = operator if holds else _OPPOSITE[operator]
                left_bounds, right_bounds = self.bounds(left, known), self.bounds(right, known)
                return {
                    **known,
                    left: _meet(left_bounds, _limit(relation, right_bounds)),
                    right: _meet(right_bounds, _limit(_TURNED[relation], left_bounds)),
                }
            case _:
                return known


def _common(cases: list[_Known], known: _Known) -> _Known:
    """Return what is known in every one of several cases, one of which is there."""
    found = dict(known)
    if cases:
        for expression in set(cases[0]).intersection(*cases[1:]):
            bounds = cases[0][expression]
            for case in cases[1:]:
                bounds = _join(bounds, case[expression])
            found[expression] = bounds
    return found


def _limit(relation: str, other: ValueBounds) -> ValueBounds:
    """Return the bounds of whole numbers that stand in a relation to some number within bounds."""
    low, high = other
    match relation:
        case "=":
            return other
        case "<":
            return None, None if high is None else high - 1
        case "<=":
            return None, high
        case ">":
            return None if low is None else low + 1, None
        case ">=":
            return low, None
        case _:
            return UNBOUNDED


def _meet(one: ValueBounds, other: ValueBounds) -> ValueBounds:
    """Return the bounds of numbers that are within both."""
    lows = [low for low in (one[0], other[0]) if low is not None]
    highs = [high for high in (one[1], other[1]) if high is not None]
    return max(lows, default=None), min(highs, default=None)


def _join(one: ValueBounds, other: ValueBounds) -> ValueBounds:
    """Return the bounds of numbers that are within one of them; one that is empty says nothing."""
    for bounds, rest in ((one, other), (other, one)):
        if bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
            return rest
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    high = None if one[1] is None or other[1] is None else max(one[1], other[1])
    return low, high


def _total(ends: tuple[int | None, ...]) -> int | None:
    total = 0
    for end in ends:
        if end is None:
            return None
        total += end
    return total


def _negative(end: int | None) -> int | None:
    return None if end is None else -end


def _calculated(operator: str, left: ValueBounds, right: ValueBounds) -> ValueBounds:
    (low, high), (least, most) = left, right
    if least is None or most is None:
        return UNBOUNDED
    if operator == "mod":
        return _remainder(left, least, most)
    if low is None or high is None:
        return UNBOUNDED
    if operator == "*":
        ends = [one * other for one in (low, high) for other in (least, most)]
        return min(ends), max(ends)
    if operator == "div":
        # A quotient grows or shrinks with both numbers, but for the sign of what is divided by.
        divisors = {least, most, *(one for one in (-1, 0, 1) if least <= one <= most)}
        ends = [euclidean_div(one, other) for one in (low, high) for other in divisors]
        return min(ends), max(ends)
    return UNBOUNDED


def _remainder(left: ValueBounds, least: int, most: int) -> ValueBounds:
    """Return the bounds of remainders: not negative, and less than the size of what is divided by."""
    low, high = left
    if low is not None and high is not None and low >= 0 and least > high:
        return left
    found = (0, max(abs(least), abs(most)) - 1)
    # Divided by 0, a number is its own remainder.
    return _join(found, left) if least <= 0 <= most else found
