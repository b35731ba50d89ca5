"""Exact quotients by known numbers, cleared: `x / 2 + y / 4 > 1` says that `2 * x + y > 4`.

What is divided by zero, or by what is known only in a state, may be infinite and is not cleared.
"""

from math import lcm
from typing import NamedTuple

from gnomon.model.expression import (
    Arithmetic,
    Conditional,
    Defined,
    Expression,
    Literal,
    Negative,
    Sharing,
    Sum,
    parts,
    shared,
    value_parts,
)


class Cleared(NamedTuple):
    """A whole number over a known one that is positive: both give the value of an expression exactly."""

    number: Expression
    divisor: int

    def times(self, factor: int) -> Expression:
        """Return the whole number, that many times."""
        return self.number if factor == 1 else Arithmetic("*", self.number, Literal(factor))


class Quotients:
    """Clears the quotients of numbers, and remembers what it did about those that are shared."""

    def __init__(self) -> None:
        """Start without any."""
        self._having: dict[Sharing, bool] = {}
        self._cleared: dict[Sharing, Cleared | None] = {}

    def has_quotient(self, expression: Expression) -> bool:
        """Return whether a number divides exactly somewhere; not in the conditions that decide what it is."""
        waiting = [expression]
        while waiting:
            part = waiting.pop()
            match part:
                case Arithmetic("/"):
                    return True
                case Conditional() | Defined():
                    if shared(part, self._having, self._has, value_parts):
                        return True
                case _:
                    waiting.extend(parts(part))
        return False

    def _has(self, expression: Sharing) -> bool:
        return any(map(self.has_quotient, value_parts(expression)))

    def cleared(self, expression: Expression) -> Cleared | None:
        """Return a number without its quotients; None where one of them is not by a known number."""
        match expression:
            case Sum(terms):
                return _sum([self.cleared(term) for term in terms])
            case Negative(operand):
                inner = self.cleared(operand)
                return None if inner is None else Cleared(Negative(inner.number), inner.divisor)
            case Arithmetic("*", left, right):
                one, two = self.cleared(left), self.cleared(right)
                if one is None or two is None:
                    return None
                product = Arithmetic("*", one.number, two.number)
                return Cleared(product, one.divisor * two.divisor)
            case Arithmetic("/", left, Literal(value)) if value:
                inner = self.cleared(left)
                if inner is None:
                    return None
                number = inner.number if int(value) > 0 else Negative(inner.number)
                return Cleared(number, inner.divisor * abs(int(value)))
            case Conditional() | Defined() if self.has_quotient(expression):
                return shared(expression, self._cleared, self._clear, value_parts)
            case _:
                # Remainders and bits are of whole numbers, so there is no quotient inside them.
                return None if self.has_quotient(expression) else Cleared(expression, 1)

    def _clear(self, expression: Sharing) -> Cleared | None:
        if isinstance(expression, Defined):
            return self.cleared(expression.body)
        one, two = self.cleared(expression.then), self.cleared(expression.otherwise)
        if one is None or two is None:
            return None
        common = lcm(one.divisor, two.divisor)
        sides = [each.times(common // each.divisor) for each in (one, two)]
        return Cleared(Conditional(expression.condition, *sides), common)


def _sum(parts: list[Cleared | None]) -> Cleared | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    common = lcm(*(part.divisor for part in known))
    return Cleared(Sum(tuple(part.times(common // part.divisor) for part in known)), common)
