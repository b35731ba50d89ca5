"""Where in their rows the places go: near their neighbours, in their order, never over another."""

from typing import Final

from gnomon.model.budget import Budget
from gnomon.results.drawing.rows import RowPlace, mean

_SWEEPS: Final = 12
#: How much wider than its widest row a picture may get.
_SPARE: Final = 1.25


def settle(rows: list[list[RowPlace]], budget: Budget) -> None:
    """Give every place its `x`."""
    for row in rows:
        at = 0.0
        for place in row:
            place.x = at
            at += place.room
    # Nothing leaves the page: a row that follows its neighbours without end would drag the others along.
    widest = max((row[-1].x + row[-1].room for row in rows), default=0.0)
    page = widest * _SPARE
    for row in rows:
        aside = (widest - row[-1].x - row[-1].room) / 2
        for place in row:
            place.x += aside
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            budget.check("places")
            _move(row, page)
    _close_up(rows)


def _close_up(rows: list[list[RowPlace]]) -> None:
    """Take away what is empty from top to bottom, such as the strip between parts that no line joins."""
    places = sorted((place for row in rows for place in row), key=lambda place: place.x)
    covered, empty = (places[0].x, 0.0) if places else (0.0, 0.0)
    for place in places:
        if place.x - covered > 0.0:
            empty += place.x - covered
        covered = max(covered, place.x + place.room)
        place.x -= empty


def _move(row: list[RowPlace], page: float) -> None:
    """Move the places of a row to the mean of their neighbours as far as their order and the page allow.

    Pushed once from the left and once from the right; the mean of both keeps the distances.
    """
    wanted = [mean((n.middle for n in place.near), place.middle) - place.width / 2 for place in row]
    first, last = 0.0, page - sum(place.room for place in row)
    for index, place in enumerate(row):
        wanted[index] = min(max(wanted[index], first), last)
        first, last = first + place.room, last + place.room
    from_left: list[float] = []
    for x in wanted:
        least = from_left[-1] + row[len(from_left) - 1].room if from_left else x
        from_left.append(max(x, least))
    from_right: list[float] = []
    for index in range(len(row) - 1, -1, -1):
        most = from_right[-1] - row[index].room if from_right else wanted[index]
        from_right.append(min(wanted[index], most))
    for place, left, right in zip(row, from_left, reversed(from_right), strict=True):
        place.x = (left + right) / 2
