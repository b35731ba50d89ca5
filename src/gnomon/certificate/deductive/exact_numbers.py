"""Numbers as the model has them, for a solver: whole ones, fractions, and the infinities of `a / 0`.

What is no number at all, as an infinity minus another, compares with nothing: see `gnomon.model.arithmetic`,
which these rules follow case by case.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Final, NamedTuple

from gnomon.certificate.smt_terms import FALSE, TRUE, SmtText, conj, disj, neg
from gnomon.model.expression import Expression, Literal, Negative


class ExactNumber(NamedTuple):
    """A value, where it is finite, and where it is infinite, or no number.

    `constant` is what it is worth everywhere, where that is known to be a whole number.
    """

    value: SmtText
    is_real: bool = False
    positive: SmtText = FALSE
    negative: SmtText = FALSE
    nothing: SmtText = FALSE
    constant: int | None = None

    @property
    def finite(self) -> SmtText:
        """Where it is a finite number."""
        return neg(self.endless)

    @property
    def endless(self) -> SmtText:
        """Where it is infinite, or no number."""
        return disj((self.positive, self.negative, self.nothing))

    @property
    def real(self) -> SmtText:
        """The value as a real number."""
        return self.value if self.is_real else f"(to_real {self.value})"

    @property
    def zero(self) -> SmtText:
        """Where it is 0."""
        return conj((self.finite, self._compared("=")))

    @property
    def above(self) -> SmtText:
        """Where it is more than 0."""
        return disj((self.positive, conj((self.finite, self._compared(">")))))

    @property
    def below(self) -> SmtText:
        """Where it is less than 0."""
        return disj((self.negative, conj((self.finite, self._compared("<")))))

    @property
    def whole(self) -> SmtText:
        """Where it is a whole number."""
        return conj((self.finite, f"(is_int {self.value})" if self.is_real else TRUE))

    @property
    def integer(self) -> SmtText:
        """Its value as a whole number, where it is one."""
        return f"(to_int {self.value})" if self.is_real else self.value

    def _compared(self, operator: str) -> SmtText:
        if self.constant is not None:
            holds = {"=": self.constant == 0, ">": self.constant > 0, "<": self.constant < 0}
            return TRUE if holds[operator] else FALSE
        return f"({operator} {self.value} {'0.0' if self.is_real else '0'})"


ZERO: Final = ExactNumber("0", constant=0)


def whole_number(text: SmtText, expression: Expression) -> ExactNumber:
    """Return an expression that is a whole number, given its text."""
    match expression:
        case Literal(int(value)) | Negative(Literal(int(value))):
            return ExactNumber(text, constant=-value if isinstance(expression, Negative) else value)
        case _:
            return ExactNumber(text)


def add(numbers: Sequence[ExactNumber]) -> ExactNumber:
    """Return a sum."""
    return reduce(_add, numbers, ZERO)


def _add(one: ExactNumber, other: ExactNumber) -> ExactNumber:
    against = (one.positive, other.negative), (one.negative, other.positive)
    nothing = disj((one.nothing, other.nothing, *map(conj, against)))
    there = neg(nothing)
    value, is_real = _joined("+", one, other)
    return ExactNumber(
        value,
        is_real,
        conj((disj((one.positive, other.positive)), there)),
        conj((disj((one.negative, other.negative)), there)),
        nothing,
    )


def opposite_number(one: ExactNumber) -> ExactNumber:
    """Return a number with the other sign."""
    return one._replace(
        value=f"(- {one.value})",
        positive=one.negative,
        negative=one.positive,
        constant=None if one.constant is None else -one.constant,
    )


def multiply(one: ExactNumber, other: ExactNumber) -> ExactNumber:
    """Return a product."""
    infinite = disj((one.endless, other.endless))
    zeros = conj((one.endless, other.zero)), conj((other.endless, one.zero))
    nothing = disj((one.nothing, other.nothing, *zeros))
    there = conj((infinite, neg(nothing)))
    alike = disj((conj((one.above, other.above)), conj((one.below, other.below))))
    value, is_real = _joined("*", one, other)
    return ExactNumber(value, is_real, conj((there, alike)), conj((there, neg(alike))), nothing)


def divide(one: ExactNumber, other: ExactNumber) -> ExactNumber:
    """Return a quotient: 0/0 is 0, all else by 0 is infinite, and what is finite by what is not is 0."""
    by_zero = conj((other.zero, neg(one.zero)))
    plain = conj((other.finite, neg(other.zero)))
    same_sign = disj((conj((one.positive, other.above)), conj((one.negative, other.below))))
    other_sign = disj((conj((one.negative, other.above)), conj((one.positive, other.below))))
    both = conj((one.endless, other.endless))
    gone = disj((other.zero, other.endless))
    quotient = f"(/ {one.real} {other.real})"
    return ExactNumber(
        quotient if gone == FALSE else f"(ite {gone} 0.0 {quotient})",
        is_real=True,
        positive=disj((conj((by_zero, one.above)), conj((plain, same_sign)))),
        negative=disj((conj((by_zero, neg(one.above))), conj((plain, other_sign)))),
        nothing=disj((both, conj((plain, one.nothing)))),
    )


def choose(condition: SmtText, then: ExactNumber, otherwise: ExactNumber) -> ExactNumber:
    """Return one of two numbers."""

    def either(one: SmtText, other: SmtText) -> SmtText:
        return disj((conj((condition, one)), conj((neg(condition), other))))

    is_real = then.is_real or otherwise.is_real
    sides = (then.real, otherwise.real) if is_real else (then.value, otherwise.value)
    return ExactNumber(
        f"(ite {condition} {sides[0]} {sides[1]})",
        is_real,
        either(then.positive, otherwise.positive),
        either(then.negative, otherwise.negative),
        either(then.nothing, otherwise.nothing),
    )


def compare(operator: str, one: ExactNumber, other: ExactNumber) -> SmtText:
    """Return a comparison. What is no number is only `<>` to everything."""
    if operator == "<>":
        return neg(compare("=", one, other))
    if operator in (">", ">="):
        return compare("<" if operator == ">" else "<=", other, one)
    finite = conj((one.finite, other.finite))
    sign = "=" if operator == "=" else operator
    compared = f"({sign} {one.real} {other.real})"
    equal = conj((one.positive, other.positive)), conj((one.negative, other.negative))
    numbers = conj((neg(one.nothing), neg(other.nothing)))
    less = (
        conj((numbers, one.negative, neg(other.negative))),
        conj((numbers, other.positive, neg(one.positive))),
    )
    cases = {"=": equal, "<": less, "<=": (*equal, *less)}[operator]
    return disj((conj((finite, compared)), *cases))


def _joined(operator: str, one: ExactNumber, other: ExactNumber) -> tuple[SmtText, bool]:
    """Return the value of an operation, and whether it is a real number."""
    if one.is_real or other.is_real:
        return f"({operator} {one.real} {other.real})", True
    return f"({operator} {one.value} {other.value})", False
