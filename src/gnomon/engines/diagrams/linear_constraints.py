"""Linear constraints over bits to decision diagrams, without adders and without enumeration.

A sum of weighted bits is compared with a bound by one decision a bit, along the order of the variables; the
diagram for "the bits from here on must give r" is built once, whoever asks for it. A count of n bits costs
n²/2 nodes that way, and all the sums of one model share them. Sums of all bits but one, for each of n bits,
do not end alike: they are read off the sum of all, so that n of them cost not much more than one.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from gnomon.engines.diagrams.interface import Diagram, Diagrams

#: Sums of fewer bits are built at once, whatever they share.
_LONG: Final = 12
#: So many long sums are remembered, to notice that they differ in one bit.
_KEPT: Final = 8


class Linear(NamedTuple):
    """`constant` plus the weights of the bits that are one."""

    weights: Mapping[int, int]
    constant: int = 0

    def plus(self, other: "Linear") -> "Linear":
        """Return the sum."""
        weights = dict(self.weights)
        for bit, weight in other.weights.items():
            weights[bit] = weights.get(bit, 0) + weight
        return Linear(weights, self.constant + other.constant)

    def times(self, factor: int) -> "Linear":
        """Return the product with a number."""
        weights = {bit: weight * factor for bit, weight in self.weights.items()}
        return Linear(weights, self.constant * factor)

    def range(self) -> tuple[int, int]:
        """Return the least and the greatest value there may be."""
        low = sum(weight for weight in self.weights.values() if weight < 0)
        high = sum(weight for weight in self.weights.values() if weight > 0)
        return self.constant + low, self.constant + high


#: The terms from some bit on: its weight and number, the terms after it, their least and greatest sum.
class _Terms(NamedTuple):
    weight: int
    bit: int
    rest: int
    low: int
    high: int


class LinearConstraints:
    """Builds the diagrams of linear constraints and remembers all their parts."""

    def __init__(self, diagrams: Diagrams) -> None:
        """Build with these diagrams."""
        self._diagrams = diagrams
        self._terms: list[_Terms] = [_Terms(0, -1, -1, 0, 0)]
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._at_most: dict[tuple[int, int], Diagram] = {}
        self._equal: dict[tuple[int, int], Diagram] = {}
        self._congruent: dict[tuple[int, int, int], Diagram] = {}
        #: Long sums that came last, and sums of one bit more that several of them were parts of.
        self._recent: deque[Mapping[int, int]] = deque(maxlen=_KEPT)
        self._wider: deque[Mapping[int, int]] = deque(maxlen=_KEPT)

    def compare(self, operator: str, left: Linear, right: Linear) -> Diagram:
        """Return where `left operator right` holds."""
        difference = left.plus(right.times(-1))
        match operator:
            case "=":
                return self.equal(difference)
            case "<>":
                return self._diagrams.opposite(self.equal(difference))
            case "<=":
                return self.at_most(difference, 0)
            case "<":
                return self.at_most(difference, -1)
            case ">=":
                return self.at_most(difference.times(-1), 0)
            case _:
                return self.at_most(difference.times(-1), -1)

    def equal(self, linear: Linear) -> Diagram:
        """Return where the sum is zero."""
        return self._by_wider(self._sum_is, linear, -linear.constant)

    def at_most(self, linear: Linear, bound: int) -> Diagram:
        """Return where the sum is at most `bound`."""
        return self._by_wider(self._sum_at_most, linear, bound - linear.constant)

    def congruent(self, linear: Linear, residue: int, modulus: int) -> Diagram:
        """Return where the sum leaves the residue on division by the modulus."""
        terms = self._intern(linear.weights)
        return self._sum_leaves(terms, (residue - linear.constant) % modulus, modulus)

    # All but one of many

    def _by_wider(
        self, chain: Callable[[int, int], Diagram], linear: Linear, bound: int
    ) -> Diagram:
        """Return what a chain of decisions tells of a sum; sums of all but one share that of all.

        If the one that is left out counts w, the sum of all is greater by w where it is one.
        """
        weights = {bit: weight for bit, weight in linear.weights.items() if weight}
        wider = self._one_more(weights)
        if wider is None:
            return chain(self._intern(weights), bound)
        [bit] = wider.keys() - weights.keys()
        every = self._intern(wider)
        return self._decide(bit, chain(every, bound + wider[bit]), chain(every, bound))

    def _one_more(self, weights: Mapping[int, int]) -> Mapping[int, int] | None:
        """Return a sum of one bit more that is worth its diagrams: another sum has all of it but one, too."""
        if len(weights) < _LONG:
            return None
        size = len(weights) + 1
        for wider in self._wider:
            if len(wider) == size and weights.items() <= wider.items():
                return wider
        for other in self._recent:
            if len(other) == len(weights):
                joined = {**weights, **other}
                if len(joined) == size and weights.items() <= joined.items():
                    self._wider.append(joined)
                    return joined
        if weights not in self._recent:
            self._recent.append(weights)
        return None

    # Terms, shared from the last one forward

    def _intern(self, weights: Mapping[int, int]) -> int:
        rest = 0
        for bit in sorted(weights, reverse=True):
            if weights[bit]:
                rest = self._number(weights[bit], bit, rest)
        return rest

    def _number(self, weight: int, bit: int, rest: int) -> int:
        key = (weight, bit, rest)
        found = self._numbers.get(key)
        if found is None:
            after = self._terms[rest]
            low, high = after.low + min(weight, 0), after.high + max(weight, 0)
            found = self._numbers[key] = len(self._terms)
            self._terms.append(_Terms(weight, bit, rest, low, high))
        return found

    # One decision a bit

    def _sum_is(self, number: int, wanted: int) -> Diagram:
        terms = self._terms[number]
        if not terms.low <= wanted <= terms.high:
            return self._diagrams.false
        if number == 0:
            return self._diagrams.true
        key = (number, wanted)
        found = self._equal.get(key)
        if found is None:
            with_bit = self._sum_is(terms.rest, wanted - terms.weight)
            without = self._sum_is(terms.rest, wanted)
            found = self._equal[key] = self._decide(terms.bit, with_bit, without)
        return found

    def _sum_at_most(self, number: int, bound: int) -> Diagram:
        terms = self._terms[number]
        if bound >= terms.high:
            return self._diagrams.true
        if bound < terms.low:
            return self._diagrams.false
        key = (number, bound)
        found = self._at_most.get(key)
        if found is None:
            with_bit = self._sum_at_most(terms.rest, bound - terms.weight)
            without = self._sum_at_most(terms.rest, bound)
            found = self._at_most[key] = self._decide(terms.bit, with_bit, without)
        return found

    def _sum_leaves(self, number: int, residue: int, modulus: int) -> Diagram:
        if number == 0:
            return self._diagrams.true if residue == 0 else self._diagrams.false
        key = (number, residue, modulus)
        found = self._congruent.get(key)
        if found is None:
            terms = self._terms[number]
            with_bit = self._sum_leaves(terms.rest, (residue - terms.weight) % modulus, modulus)
            without = self._sum_leaves(terms.rest, residue, modulus)
            found = self._congruent[key] = self._decide(terms.bit, with_bit, without)
        return found

    def _decide(self, bit: int, with_bit: Diagram, without: Diagram) -> Diagram:
        return self._diagrams.choose(self._diagrams.variable(bit), with_bit, without)


def total(parts: Iterable[Linear]) -> Linear:
    """Return the sum of several sums."""
    weights: dict[int, int] = {}
    constant = 0
    for part in parts:
        constant += part.constant
        for bit, weight in part.weights.items():
            weights[bit] = weights.get(bit, 0) + weight
    return Linear(weights, constant)
