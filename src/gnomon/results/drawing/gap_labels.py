"""Labels between two rows: each beside its own line, near where that starts, and none over another.

The gap grows until all of them fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gnomon.model.budget import Budget
from gnomon.results.drawing.diagram import DiagramEdge
from gnomon.results.drawing.measure import SMALL_ROW, Rectangle, label_size

#: The height of a gap without labels, and what is free above and below them.
_LEAST: Final = 46.0
_FREE: Final = 9.0
#: How far a label may be moved off its line, in turn, and what is free beside it and below.
_ASIDE: Final = (0.0, -12.0, 12.0, -24.0, 24.0)
_BESIDE: Final = 5.0
_BELOW: Final = 4.0
#: Labels are looked up by the columns of the page that they touch.
_COLUMN: Final = 96.0
_TRIES: Final = 40


@dataclass(frozen=True, slots=True)
class GapLine:
    """The part of an arrow in a gap, from where it starts: `down`, up, or (`bow`) back to the same row."""

    edge: DiagramEdge
    start: float
    end: float
    down: bool = True
    bow: bool = False

    def x_at(self, part: float) -> float:
        """Return where the line is after a part of its way, from 0 to 1."""
        if self.bow:
            return self.start + max(-60.0, min(60.0, self.end - self.start)) * part
        at = _parameter(part)
        near = (1 - at) ** 2 * (1 + 2 * at)
        return self.start * near + self.end * (1 - near)


def _parameter(part: float) -> float:
    """Return where on a curve with upright ends a part of its height is reached, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(12):
        half = (low + high) / 2
        if 1.5 * half * (1 - half) + half**3 < part:
            low = half
        else:
            high = half
    return (low + high) / 2


class _Taken:
    """The places that labels have taken."""

    def __init__(self) -> None:
        self._columns: dict[int, list[Rectangle]] = {}

    def is_free(self, place: Rectangle) -> bool:
        """Return whether no label is there."""
        return not any(
            place.meets(other)
            for column in _touched(place)
            for other in self._columns.get(column, ())
        )

    def take(self, place: Rectangle) -> None:
        """Put a label there."""
        for column in _touched(place):
            self._columns.setdefault(column, []).append(place)


def _touched(place: Rectangle) -> range:
    return range(int(place.left // _COLUMN), int(place.right // _COLUMN) + 1)


def place_labels(
    lines: list[GapLine], budget: Budget
) -> tuple[float, list[tuple[DiagramEdge, Rectangle]]]:
    """Return the height of a gap, and where in it the labels go, seen from its top."""
    with_labels = [line for line in lines if line.edge.label]
    height = _LEAST
    if with_labels:
        height += max(label_size(line.edge)[1] for line in with_labels)
    for _ in range(_TRIES):
        found = _try(with_labels, height, budget)
        if found is not None:
            return height, found
        height += 2 * SMALL_ROW
    return _stacked(with_labels, height)


def _try(
    lines: list[GapLine], height: float, budget: Budget
) -> list[tuple[DiagramEdge, Rectangle]] | None:
    taken = _Taken()
    found = []
    for line in sorted(lines, key=lambda line: (line.start, line.edge.source, line.edge.target)):
        budget.check("labels")
        place = next((place for place in _places(line, height) if taken.is_free(place)), None)
        if place is None:
            return None
        taken.take(place)
        wide, high = label_size(line.edge)
        inner = Rectangle(place.left + _BESIDE, place.top, wide, high)
        found.append((line.edge, inner))
    return found


def _places(line: GapLine, height: float) -> Iterator[Rectangle]:
    """Yield the places for a label, the best first."""
    wide, high = label_size(line.edge)
    for row in range(int((height - high - 2 * _FREE) / SMALL_ROW) + 1):
        top = _FREE + row * SMALL_ROW
        middle = line.x_at((top + high / 2) / height)
        if not line.down:
            top = height - top - high
        for aside in _ASIDE:
            left = middle + aside - wide / 2 - _BESIDE
            yield Rectangle(left, top, wide + 2 * _BESIDE, high + _BELOW)


def _stacked(
    lines: list[GapLine], height: float
) -> tuple[float, list[tuple[DiagramEdge, Rectangle]]]:
    """Put labels below each other: there are too many for the place they all want."""
    found, top = [], _FREE
    for line in lines:
        wide, high = label_size(line.edge)
        found.append((line.edge, Rectangle(line.start - wide / 2, top, wide, high)))
        top += high
    return max(height, top + _FREE), found
