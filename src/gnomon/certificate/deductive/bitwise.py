"""Operations on the bits of whole numbers, two's complement of unlimited length, as sums for a solver.

Of two numbers one has to be known to be small: then only so many bits of the other one matter, and its sign.
"""

from collections.abc import Callable
from typing import Final

from gnomon.certificate.rejection import TooMuch
from gnomon.certificate.smt_terms import SmtText, conj, number
from gnomon.model.domain import Domain, IntegerRange
from gnomon.model.expression import (
    Arithmetic,
    BitComplement,
    Conditional,
    Defined,
    Expression,
    Literal,
    Negative,
    Read,
    Sharing,
    Sum,
    shared,
)

#: More bits than this are not written out.
_MOST_BITS: Final = 40


class Widths:
    """How many bits the values of expressions have: with `k` bits they are from -2**k to 2**k - 1."""

    def __init__(self, domain: Callable[[Read], Domain]) -> None:
        """Tell by the types of variables."""
        self._domain = domain
        self._known: dict[Sharing, int | None] = {}

    def of(self, expression: Expression) -> int | None:
        """Return that of an expression, None where nothing is known: never less than it has."""
        match expression:
            case Literal(value):
                return int(value).bit_length() if not isinstance(value, str) else None
            case Read():
                domain = self._domain(expression)
                known = isinstance(domain, IntegerRange)
                return max(map(_bits_of, (domain.low, domain.high))) if known else None  # type: ignore[union-attr]
            case Sum(terms):
                widest = self._widest(*terms)
                return None if widest is None else widest + len(terms).bit_length()
            case Negative(operand):
                width = self.of(operand)
                return None if width is None else width + 1
            case BitComplement(operand):
                return self.of(operand)
            case Arithmetic(operator, left, right):
                return self._calculated(operator, left, right)
            case Conditional() | Defined():
                return shared(expression, self._known, self._shared)
            case _:
                return None

    def _shared(self, expression: Sharing) -> int | None:
        if isinstance(expression, Defined):
            return self.of(expression.body)
        return self._widest(expression.then, expression.otherwise)

    def _calculated(self, operator: str, left: Expression, right: Expression) -> int | None:
        one, other = self.of(left), self.of(right)
        if operator == "mod" and other is not None and _is_literal(right, least=1):
            return other
        if one is None or other is None:
            return None
        match operator:
            case "*":
                return one + other + 1
            case "div":
                return one + 1
            case "mod" | "&" | "|" | "^":
                return max(one, other)
            case _:
                return None

    def _widest(self, *expressions: Expression) -> int | None:
        found = [self.of(each) for each in expressions]
        return None if None in found else max(found, default=0)  # type: ignore[type-var]


def complement(operand: SmtText) -> SmtText:
    """Return a number with all bits turned over."""
    return f"(- (- 1) {operand})"


def bitwise(
    operator: str, left: SmtText, right: SmtText, widths: tuple[int | None, int | None]
) -> SmtText:
    """Return two numbers joined bit by bit, given how many bits they have."""
    one, other = widths
    if other is None or (one is not None and one < other):
        left, right, other = right, left, one
    if other is None or other > _MOST_BITS:
        raise TooMuch("there is no rule for the bits of two numbers without bounds")
    both = _and(left, right, other)
    match operator:
        case "&":
            return both
        case "|":
            return f"(- (+ {left} {right}) {both})"
        case _:
            return f"(- (+ {left} {right}) (* 2 {both}))"


def _and(left: SmtText, right: SmtText, width: int) -> SmtText:
    """Return the bits that both have, where the second is from -2**width to 2**width - 1."""
    bits = [
        f"(ite {conj((_bit(left, place), _bit(right, place)))} {number(2**place)} 0)"
        for place in range(width)
    ]
    # Further up, all bits of the second are those of its sign.
    above = f"(- {left} (mod {left} {number(2**width)}))"
    return f"(+ 0 {' '.join(bits)} (ite (< {right} 0) {above} 0))"


def _bit(value: SmtText, place: int) -> SmtText:
    return f"(= (mod (div {value} {number(2**place)}) 2) 1)"


def _bits_of(value: int) -> int:
    return (value if value >= 0 else ~value).bit_length()


def _is_literal(expression: Expression, least: int) -> bool:
    match expression:
        case Literal(value):
            return type(value) is int and value >= least
        case _:
            return False
