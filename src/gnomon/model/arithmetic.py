"""Numbers as ISPL has them: exact, with the infinities that a division by zero gives.

A quotient is a fraction where it is no integer. `0/0` is 0 and `a/0` is infinite with the sign of `a`,
as in MCMAS. `div` and `mod` are Euclidean: the remainder is never negative; `a div 0` is 0 and
`a mod 0` is `a`, so that `a = b * (a div b) + a mod b` holds for every `b`.
"""

from math import inf
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

#: A float is only ever an infinity or "not a number".
Number: TypeAlias = "int | Fraction | float"


def add(left: Number, right: Number) -> Number:
    """Return the sum."""
    if isinstance(left, float) or isinstance(right, float):
        return _tame(left) + _tame(right)
    return _whole(left + right)


def multiply(left: Number, right: Number) -> Number:
    """Return the product."""
    if isinstance(left, float) or isinstance(right, float):
        return _tame(left) * _tame(right)
    return _whole(left * right)


def divide(left: Number, right: Number) -> Number:
    """Return the exact quotient."""
    if right == 0:
        return 0 if left == 0 else (inf if left > 0 else -inf)
    if isinstance(right, float):
        return _tame(left) / right if isinstance(left, float) else 0
    if isinstance(left, float):
        return left if right > 0 else -left
    from fractions import Fraction

    return _whole(Fraction(left) / Fraction(right))


def euclidean_div(left: int, right: int) -> int:
    """Return the quotient whose remainder is never negative."""
    if right == 0:
        return 0
    return (left - euclidean_mod(left, right)) // right


def euclidean_mod(left: int, right: int) -> int:
    """Return the remainder, from 0 up to the size of `right`."""
    return left if right == 0 else left % abs(right)


def _whole(number: "int | Fraction") -> "int | Fraction":
    """Return an integer where the number is one, so that it can be a variable's value."""
    return number.numerator if number.denominator == 1 else number


def _tame(number: Number) -> float:
    """Return a float that behaves like `number` beside an infinity, however large it is."""
    if isinstance(number, float):
        return number
    return float((number > 0) - (number < 0))
