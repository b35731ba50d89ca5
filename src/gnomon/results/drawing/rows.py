"""Which row each box is in, and in which order: the first half of a layout.

After Sugiyama, Tagawa and Toda (1981): layers by distance from the initial boxes, then an order that keeps
neighbours near. Two things are different, so that a few hundred states stay readable. A layer that is much
wider than the page becomes several rows. And long arrows to one box share a trunk: they join in the row where
they meet, and go on as one line.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, sqrt
from typing import Final, TypeAlias

from gnomon.model.budget import Budget
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.measure import label_size

#: Empty places between the boxes of a row, and beside a passing line.
BETWEEN: Final = 30.0
_PASSING: Final = 8.0
#: How much wider than high a picture should be, and about how much is between two rows.
_SHAPE: Final = 0.9
_BELOW: Final = 90.0
#: How much room a label takes, with what is free around it.
_AROUND: Final = 4.0
_SWEEPS: Final = 10


@dataclass(slots=True, eq=False)
class RowPlace:
    """A place in a row: a box, or (number None) where a trunk passes.

    `beside` is what a box needs at its right for the loop to itself.
    """

    number: int | None
    width: float
    height: float
    beside: float = 0.0
    row: int = 0
    x: float = 0.0
    near: "list[RowPlace]" = field(default_factory=list)

    @property
    def middle(self) -> float:
        """Return the horizontal middle."""
        return self.x + self.width / 2

    @property
    def room(self) -> float:
        """Return how far away the next place of the row has to start."""
        return self.width + self.beside + (_PASSING if self.number is None else BETWEEN)


#: A line from a place to one of a neighbouring row, or of the same.
Segment: TypeAlias = tuple[RowPlace, RowPlace]


@dataclass(slots=True)
class Rows:
    """The rows, and for every arrow between two boxes the places that it goes through."""

    boxes: dict[int, RowPlace]
    rows: list[list[RowPlace]]
    paths: dict[tuple[int, int], list[RowPlace]]

    def segments(self) -> list[Segment]:
        """Return all lines between neighbouring places, each once."""
        return list(dict.fromkeys(pair for path in self.paths.values() for pair in pairwise(path)))


def arrange_rows(diagram: BoxDiagram, boxes: dict[int, RowPlace], budget: Budget) -> Rows:
    """Return the boxes in ordered rows, with places for the lines that pass."""
    labels = sum(wide * high for wide, high in map(label_size, diagram.edges))
    layers = _layers(diagram, boxes, budget)
    rows = _split(layers, labels * _AROUND, whole=diagram.layered)
    paths = _paths(diagram, boxes, rows, budget)
    arranged = Rows(boxes, rows, paths)
    for left, right in arranged.segments():
        if left.row != right.row:
            left.near.append(right)
            right.near.append(left)
    _order(rows, budget)
    return arranged


def _layers(
    diagram: BoxDiagram, boxes: dict[int, RowPlace], budget: Budget
) -> list[list[RowPlace]]:
    """Put each box at its distance from the initial ones; what is out of reach starts a layer."""
    following: dict[int, list[int]] = {}
    for edge in diagram.edges:
        following.setdefault(edge.source, []).append(edge.target)
    layers: list[list[RowPlace]] = []
    seen: set[int] = set()
    starts = [node.number for node in diagram.nodes if node.initial]
    for first in [starts, *([node.number] for node in diagram.nodes)]:
        budget.check("places")
        front = [number for number in first if number not in seen]
        depth = 0
        while front:
            seen.update(front)
            if depth == len(layers):
                layers.append([])
            layers[depth] += [boxes[number] for number in front]
            reached = (after for number in front for after in following.get(number, ()))
            front = [number for number in dict.fromkeys(reached) if number not in seen]
            depth += 1
    return layers


def _split(layers: list[list[RowPlace]], labels: float, *, whole: bool) -> list[list[RowPlace]]:
    """Return rows of about the width that makes a page; boxes of a wide layer take turns in its rows.

    `labels` is how much room these take. Where layers are to stay `whole`, a row is as wide as it gets.
    """
    all_boxes = [box for layer in layers for box in layer]
    area = labels + sum(box.room * (box.height + _BELOW) for box in all_boxes)
    page = max([sqrt(area * _SHAPE), *(box.room for box in all_boxes)], default=0.0)
    rows: list[list[RowPlace]] = []
    for layer in layers:
        # A little too wide is better than a row more.
        count = 1 if whole else ceil(sum(box.room for box in layer) / page - 0.3)
        parts = [layer[index :: max(1, count)] for index in range(max(1, count))]
        for part in parts:
            for box in part:
                box.row = len(rows)
            rows.append(part)
    return rows


def _paths(
    diagram: BoxDiagram, boxes: dict[int, RowPlace], rows: list[list[RowPlace]], budget: Budget
) -> dict[tuple[int, int], list[RowPlace]]:
    """Return the places each arrow goes through; those to one box from one side share a trunk."""
    trunks: dict[tuple[int, int], RowPlace] = {}
    paths: dict[tuple[int, int], list[RowPlace]] = {}
    for edge in diagram.edges:
        budget.check("places", len(paths))
        source, target = boxes[edge.source], boxes[edge.target]
        if source is target:
            continue
        step = 1 if target.row > source.row else -1
        path = [source]
        for row in range(source.row + step, target.row, step):
            # A trunk lies on one side of its box, so that the row says from which one it comes.
            if (edge.target, row) not in trunks:
                passing = RowPlace(None, 0.0, 0.0, row=row)
                trunks[edge.target, row] = passing
                rows[row].append(passing)
            path.append(trunks[edge.target, row])
        paths[edge.source, edge.target] = [*path, target]
    return paths


def _order(rows: list[list[RowPlace]], budget: Budget) -> None:
    """Order each row by the mean place of the neighbours in the row before, to and fro; keep the best."""
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        pairs = pairwise(rows)
        steps = pairs if down else ((below, above) for above, below in reversed(list(pairs)))
        for fixed, moving in steps:
            budget.check("places")
            where = {id(place): index for index, place in enumerate(fixed)}
            ranked = [
                (mean((where[id(n)] for n in place.near if id(n) in where), index), index)
                for index, place in enumerate(moving)
            ]
            moving[:] = [moving[index] for _, index in sorted(ranked)]
        found = _crossings(rows)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept


def _crossings(rows: list[list[RowPlace]]) -> int:
    """Return how many lines cross, counted with a Fenwick tree (Barth, Jünger and Mutzel 2002)."""
    total = 0
    for above, below in pairwise(rows):
        where = {id(place): index for index, place in enumerate(below)}
        ends = [
            end
            for place in above
            for end in sorted(where[id(n)] for n in place.near if id(n) in where)
        ]
        tree = [0] * (len(below) + 1)
        for count, end in enumerate(ends):
            before, index = 0, end + 1
            while index:
                before += tree[index]
                index -= index & -index
            total += count - before
            index = end + 1
            while index < len(tree):
                tree[index] += 1
                index += index & -index
    return total


def mean(values: Iterable[float], otherwise: float) -> float:
    """Return the mean of some values, or something else where there are none."""
    found = list(values)
    return sum(found) / len(found) if found else otherwise
