"""Arithmetic by circuits, for what is not linear: products, quotients, remainders, bits.

A number is the list of its bits in two's complement, the lowest first; the last one is the sign. Lists grow
as the result needs, so nothing ever overflows.
"""

from typing import TypeAlias

from gnomon.engines.diagrams.interface import Diagram, Diagrams

BitVector: TypeAlias = list[Diagram]


class Circuits:
    """Adders, multipliers and dividers over diagrams."""

    def __init__(self, diagrams: Diagrams) -> None:
        """Build with these diagrams."""
        self._d = diagrams

    def constant(self, value: int) -> BitVector:
        """Return the bits of a number."""
        length = value.bit_length() + 1
        return [self._d.true if value >> place & 1 else self._d.false for place in range(length)]

    def unsigned(self, bits: BitVector) -> BitVector:
        """Return a natural number from its bits."""
        return [*bits, self._d.false]

    def add(self, left: BitVector, right: BitVector) -> BitVector:
        """Return the sum."""
        d = self._d
        length = max(len(left), len(right)) + 1
        carry = d.false
        result: BitVector = []
        for first, second in zip(self._wide(left, length), self._wide(right, length), strict=True):
            half = d.differ(first, second)
            result.append(d.differ(half, carry))
            carry = d.either(d.both(first, second), d.both(half, carry))
        return self._trim(result)

    def negate(self, bits: BitVector) -> BitVector:
        """Return the number with the opposite sign."""
        return self.add([self._d.opposite(bit) for bit in bits], self.constant(1))

    def multiply(self, left: BitVector, right: BitVector) -> BitVector:
        """Return the product: shift and add, the sign bit counting negative."""
        d = self._d
        result = self.constant(0)
        for place, bit in enumerate(right):
            row = [d.false] * place + [d.both(bit, other) for other in left]
            last = place == len(right) - 1
            result = self.add(result, self.negate(row) if last else row)
        return result

    def euclidean(self, left: BitVector, right: BitVector) -> tuple[BitVector, BitVector]:
        """Return quotient and remainder, the remainder never negative; by zero: 0 and `left`."""
        d = self._d
        negative = left[-1]
        size, divisor = self._absolute(left), self._absolute(right)
        quotient, remainder = self._divide(size, divisor)
        exact = self.is_zero(remainder)
        # A negative number needs one more divisor to leave a remainder that is not negative.
        up = d.minus(negative, exact)
        quotient = self.choose(up, self.add(quotient, self.constant(1)), quotient)
        remainder = self.choose(up, self.add(divisor, self.negate(remainder)), remainder)
        flip = d.differ(negative, right[-1])
        quotient = self.choose(flip, self.negate(quotient), quotient)
        by_zero = self.is_zero(right)
        return (
            self.choose(by_zero, self.constant(0), quotient),
            self.choose(by_zero, left, remainder),
        )

    def bitwise(self, operator: str, left: BitVector, right: BitVector) -> BitVector:
        """Return `&`, `|` or `^` bit by bit."""
        apply = {"&": self._d.both, "|": self._d.either, "^": self._d.differ}[operator]
        length = max(len(left), len(right))
        pairs = zip(self._wide(left, length), self._wide(right, length), strict=True)
        return self._trim([apply(first, second) for first, second in pairs])

    def complement(self, bits: BitVector) -> BitVector:
        """Return all bits turned round."""
        return [self._d.opposite(bit) for bit in bits]

    def compare(self, operator: str, left: BitVector, right: BitVector) -> Diagram:
        """Return where the comparison holds."""
        difference = self.add(left, self.negate(right))
        zero, below = self.is_zero(difference), difference[-1]
        d = self._d
        match operator:
            case "=":
                return zero
            case "<>":
                return d.opposite(zero)
            case "<":
                return below
            case "<=":
                return d.either(below, zero)
            case ">":
                return d.opposite(d.either(below, zero))
            case _:
                return d.opposite(below)

    def is_zero(self, bits: BitVector) -> Diagram:
        """Return where the number is zero."""
        some = self._d.false
        for bit in bits:
            some = self._d.either(some, bit)
        return self._d.opposite(some)

    # Parts

    def _wide(self, bits: BitVector, length: int) -> BitVector:
        return [*bits, *[bits[-1]] * (length - len(bits))]

    def _trim(self, bits: BitVector) -> BitVector:
        """Drop sign bits that say nothing new."""
        while len(bits) > 1 and bits[-1] == bits[-2]:
            bits = bits[:-1]
        return bits

    def choose(self, condition: Diagram, then: BitVector, otherwise: BitVector) -> BitVector:
        """Return one number where the condition holds, and elsewhere the other."""
        length = max(len(then), len(otherwise))
        pairs = zip(self._wide(then, length), self._wide(otherwise, length), strict=True)
        return self._trim([self._d.choose(condition, one, two) for one, two in pairs])

    def _absolute(self, bits: BitVector) -> BitVector:
        return self.choose(bits[-1], self.negate(bits), bits)

    def _divide(self, left: BitVector, right: BitVector) -> tuple[BitVector, BitVector]:
        """Divide natural numbers as on paper, from the highest bit down."""
        quotient: BitVector = []
        remainder = self.constant(0)
        for bit in reversed(left):
            remainder = self._trim([bit, *remainder])
            fits = self.compare(">=", remainder, right)
            rest = self.add(remainder, self.negate(right))
            remainder = self.choose(fits, rest, remainder)
            quotient.insert(0, fits)
        return self._trim([*quotient, self._d.false]), remainder
