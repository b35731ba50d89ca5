"""Sets of neighbouring integers, with bounds or without, and their arithmetic."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import inf
from typing import TypeAlias

from gnomon.text.numbers import show_integer
from gnomon.text.record import Record

#: None: there is no bound on that side.
Endpoint: TypeAlias = int | None


class Interval(Record):
    """The integers from `low` to `high`, both included; None where there is no bound."""

    low: Endpoint
    high: Endpoint

    def __str__(self) -> str:
        """Show it as a condition would."""
        low, high = (None if end is None else show_integer(end) for end in (self.low, self.high))
        if low is None:
            return "any" if high is None else f"<= {high}"
        if high is None:
            return f">= {low}"
        return low if low == high else f"{low}..{high}"

    @property
    def point(self) -> int | None:
        """The only integer in it, if there is just one."""
        return self.low if self.low is not None and self.low == self.high else None

    def meets(self, other: "Interval") -> bool:
        """Return whether some integer is in both."""
        apart = _above(self.low, other.high) or _above(other.low, self.high)
        return not (apart or other.empty)

    def inside(self, other: "Interval") -> bool:
        """Return whether all its integers are in the other."""
        low = other.low is None or (self.low is not None and self.low >= other.low)
        high = other.high is None or (self.high is not None and self.high <= other.high)
        return low and high

    def around(self, other: "Interval") -> "Interval":
        """Return the interval that has all the integers of both, and those in between."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)

    def plus(self, other: "Interval") -> "Interval":
        """Return all sums."""
        return Interval(_sum(self.low, other.low), _sum(self.high, other.high))

    def times(self, factor: int) -> "Interval":
        """Return an interval with all multiples by a number."""
        if factor == 0:
            return Interval(0, 0)
        ends = [None if end is None else end * factor for end in (self.low, self.high)]
        return Interval(*(ends if factor > 0 else reversed(ends)))

    def product(self, other: "Interval") -> "Interval":
        """Return the least interval with all products."""
        products = [_times(one, two) for one in _ends(self) for two in _ends(other)]
        low, high = min(products), max(products)
        return Interval(
            low if isinstance(low, int) else None, high if isinstance(high, int) else None
        )

    def divided(self, divisor: int) -> "Interval":
        """Return the integers whose multiple by a positive number is in it; it may be empty."""
        low = None if self.low is None else -(-self.low // divisor)
        high = None if self.high is None else self.high // divisor
        return Interval(low, high)

    @property
    def empty(self) -> bool:
        """Whether there is no integer in it."""
        return _above(self.low, self.high)

    def any_member(self) -> int:
        """Return one integer of it, the closest to zero."""
        if self.low is not None and self.low > 0:
            return self.low
        if self.high is not None and self.high < 0:
            return self.high
        return 0


EVERYTHING = Interval(None, None)


def point(number: int) -> Interval:
    """Return the interval of one number."""
    return Interval(number, number)


def cut(range_: Interval, cuts: Iterable[int]) -> tuple[Interval, ...]:
    """Return the pieces of a range that is cut above each of some numbers."""
    pieces: list[Interval] = []
    low = range_.low
    for number in sorted(set(cuts)):
        if _above(low, number) or (range_.high is not None and number >= range_.high):
            continue
        pieces.append(Interval(low, number))
        low = number + 1
    return (*pieces, Interval(low, range_.high))


def near(pieces: Sequence[Interval], bounds: Interval) -> range:
    """Return the places of those pieces, which are in order and side by side, that meet some bounds."""
    first, last = 0, len(pieces)
    if bounds.low is not None:
        low = bounds.low
        first = bisect_left(pieces, True, key=lambda piece: piece.high is None or piece.high >= low)
    if bounds.high is not None:
        high = bounds.high
        last = bisect_left(pieces, True, key=lambda p: p.low is not None and p.low > high)
    return range(first, last)


def _above(low: Endpoint, high: Endpoint) -> bool:
    return low is not None and high is not None and low > high


def _sum(one: Endpoint, two: Endpoint) -> Endpoint:
    return None if one is None or two is None else one + two


def _ends(interval: Interval) -> tuple[int | float, int | float]:
    low, high = interval.low, interval.high
    return -inf if low is None else low, inf if high is None else high


def _times(one: float, two: float) -> int | float:
    """Return the product of two ends: whatever is beyond all bounds, nothing times it is nothing."""
    if 0 in (one, two):
        return 0
    if isinstance(one, int) and isinstance(two, int):
        return one * two
    return inf if (one > 0) == (two > 0) else -inf  # an integer may be too large for a float
