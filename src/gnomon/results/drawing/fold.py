"""A picture that would be very long and thin, folded: its rows in strips side by side, down and up in turns.

Every second strip is turned round by half a turn. So a line that goes on in the next strip has a short way,
below both or above both, and several of them lie within each other.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Final

from gnomon.results.drawing.measure import Rectangle
from gnomon.results.drawing.route import Point, Route

#: Pictures are folded that are higher than this, and so many times as high as they are wide.
_HIGH: Final = 4_000.0
_THIN: Final = 5.0
#: How much wider than high the folded picture should be.
_SHAPE: Final = 1.2
#: What is free between two strips.
_GUTTER: Final = 40.0
#: How deep the innermost line from strip to strip goes, and how much deeper each further one.
_DEPTH: Final = 40.0
_DEEPER: Final = 16.0
#: How much of that a curve with such points reaches.
_CURVED: Final = 0.75
#: The most lines that may go on in the next strip.
_MOST: Final = 8
#: A strip may end so far from where it should, in parts of its height, if fewer lines go on there.
_NEAR: Final = 0.15


@dataclass(frozen=True, slots=True)
class RowRoute:
    """A line between two rows, of which one may be both."""

    route: Route
    first: int
    second: int


class Fold:
    """Where the strips of a picture begin, and where everything goes."""

    def __init__(
        self, starts: Sequence[int], tops: Sequence[float], size: Point, most: int
    ) -> None:
        """Begin strips at these rows, which are that high up in a picture of that width and height.

        At most so many lines go on from a strip to the next.
        """
        self.starts = starts
        self._width, height = size
        self._cuts = [tops[row] for row in starts] + [height]
        self._highest = max(below - above for above, below in pairwise(self._cuts))
        #: What lines between strips take at the bottom, and above if there is one more strip.
        self._below = _CURVED * _depth(most) if len(starts) > 1 else 0.0
        self._above = self._below if len(starts) > 2 else 0.0

    @property
    def size(self) -> Point:
        """Return the width and height of the folded picture."""
        count = len(self.starts)
        wide = count * (self._width + _GUTTER) - _GUTTER
        return wide, self._above + self._highest + self._below

    def strip_of(self, row: int) -> int:
        """Return the strip of a row."""
        return bisect_right(self.starts, row) - 1

    def point(self, strip: int, point: Point) -> Point:
        """Return where a point of a strip goes."""
        x, y = point
        left, down = strip * (self._width + _GUTTER), y - self._cuts[strip]
        if strip % 2:
            return left + self._width - x, self._above + self._highest - down
        return left + x, self._above + down

    def place(self, row: int, box: Rectangle) -> Rectangle:
        """Return where a box or label of a row goes."""
        strip = self.strip_of(row)
        x1, y1 = self.point(strip, (box.left, box.top))
        x2, y2 = self.point(strip, (box.right, box.bottom))
        return Rectangle(min(x1, x2), min(y1, y2), box.width, box.height)

    def routes(self, routes: Iterable[RowRoute]) -> dict[int, Route]:
        """Return where lines go, by their number; those that go on in another strip come last.

        They lie within each other.
        """
        found: dict[int, Route] = {}
        across: dict[int, list[tuple[int, Route, int, int]]] = {}
        for number, line in enumerate(routes):
            one, two = self.strip_of(line.first), self.strip_of(line.second)
            if one == two:
                found[number] = self._within(line.route, one)
            else:
                across.setdefault(min(one, two), []).append((number, line.route, one, two))
        for strip, lines in across.items():
            # Farther inside is what is nearer to the next strip.
            lines.sort(key=lambda line: -self._leaves(line[1], strip)[0])
            for inner, (number, route, one, two) in enumerate(lines):
                found[number] = self._across(route, one, two, inner)
        return found

    def _leaves(self, route: Route, strip: int) -> Point:
        """Return where a line leaves a strip at its end, or comes to it there."""
        cut = self._cuts[strip + 1]
        return self.point(strip, next(point for point in route.ends if point[1] == cut))

    def _within(self, route: Route, strip: int) -> Route:
        pieces = (tuple(self.point(strip, point) for point in piece) for piece in route.pieces)
        return Route(self.point(strip, route.start), tuple(pieces), route.head)

    def _across(self, route: Route, one: int, two: int, inner: int) -> Route:
        """Return a line that leaves a strip for another, with so many between the strips and itself."""
        cut, ends = self._cuts[max(one, two)], route.ends
        number = next(index for index, (_, y) in enumerate(ends) if y == cut)
        before = [tuple(self.point(one, p) for p in piece) for piece in route.pieces[:number]]
        after = [tuple(self.point(two, p) for p in piece) for piece in route.pieces[number:]]
        (x1, y1), (x2, y2) = self.point(one, ends[number]), self.point(two, ends[number])
        deep = _depth(inner)
        level = min(y1, y2) - deep if min(one, two) % 2 else max(y1, y2) + deep
        bow = ((x1, level), (x2, level), (x2, y2))
        return Route(self.point(one, route.start), (*before, bow, *after), route.head)


def _depth(inner: int) -> float:
    return _DEPTH + inner * _DEEPER


def fold_of(tops: Sequence[float], size: Point, routes: Iterable[RowRoute]) -> Fold:
    """Return how to fold a picture: not at all, unless it is very long and few lines would be bent."""
    width, height = size
    passing = Counter(max(line.first, line.second) for line in routes if line.first != line.second)
    count = round(sqrt(_SHAPE * height / (width + _GUTTER)))
    starts = [0]
    for number in range(1, count if height > max(_HIGH, _THIN * width) else 0):
        wanted, near = height * number / count, _NEAR * height / count
        rows = [row for row, top in enumerate(tops) if abs(top - wanted) <= near]
        fewest = min(rows, key=lambda row: (passing[row], abs(tops[row] - wanted)), default=None)
        if fewest is not None and starts[-1] < fewest and passing[fewest] <= _MOST:
            starts.append(fewest)
    return Fold(starts, tops, size, max(passing[row] for row in starts))
