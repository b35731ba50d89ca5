"""Exact quotients by known numbers, cleared: `x / 2 + y / 4 > 1` says that `2 * x + y > 4`.

What is divided by zero, or by what is known only in a state, may be infinite and is not cleared.
"""

from math import lcm
from typing import NamedTuple

from gnomon.model.expression import Arithmetic, Expression, Literal, Negative, Sum, walk


class Cleared(NamedTuple):
    """A whole number over a known one that is positive: both give the value of an expression exactly."""

    number: Expression
    divisor: int

    def times(self, factor: int) -> Expression:
        """Return the whole number, that many times."""
        return self.number if factor == 1 else Arithmetic("*", self.number, Literal(factor))


def has_quotient(expression: Expression) -> bool:
    """Return whether an expression divides exactly somewhere."""
    return any(isinstance(part, Arithmetic) and part.operator == "/" for part in walk(expression))


def cleared(expression: Expression) -> Cleared | None:
    """Return a number without its quotients; None where one of them is not by a known number."""
    match expression:
        case Sum(terms):
            return _sum([cleared(term) for term in terms])
        case Negative(operand):
            inner = cleared(operand)
            return None if inner is None else Cleared(Negative(inner.number), inner.divisor)
        case Arithmetic("*", left, right):
            one, two = cleared(left), cleared(right)
            if one is None or two is None:
                return None
            product = Arithmetic("*", one.number, two.number)
            return Cleared(product, one.divisor * two.divisor)
        case Arithmetic("/", left, Literal(value)) if value:
            inner = cleared(left)
            if inner is None:
                return None
            number = inner.number if int(value) > 0 else Negative(inner.number)
            return Cleared(number, inner.divisor * abs(int(value)))
        case _:
            # Remainders and bits are of whole numbers, so there is no quotient inside them.
            return None if has_quotient(expression) else Cleared(expression, 1)


def _sum(parts: list[Cleared | None]) -> Cleared | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    common = lcm(*(part.divisor for part in known))
    return Cleared(Sum(tuple(part.times(common // part.divisor) for part in known)), common)
