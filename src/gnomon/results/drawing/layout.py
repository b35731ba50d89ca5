"""A diagram with coordinates: where boxes, lines and labels go, so that nothing covers another.

Rows of boxes alternate with gaps. Lines go straight up or down through rows, at places of their own, and
curve in gaps only, where the labels are: so no line crosses a box, and no label meets a box or a label.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge
from gnomon.results.drawing.fold import RowRoute, fold_of
from gnomon.results.drawing.gap_labels import GapLine, place_labels
from gnomon.results.drawing.measure import LOOP, Rectangle, label_size, loop_room, node_size
from gnomon.results.drawing.route import Point, Route
from gnomon.results.drawing.rows import RowPlace, Rows, Segment, arrange_rows
from gnomon.results.drawing.settle import settle

#: How far apart lines leave a box at most, and what stays free at its corners.
_APART: Final = 18.0
_CORNER: Final = 10.0
#: With more arrows than these at one side of a box, labels are where the arrows lead.
_MANY: Final = 4
#: How deep the bow between two boxes of one row goes.
_BOW: Final = 30.0


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """A diagram on a page that starts at (0, 0).

    Every line is once in `routes`, also where several arrows share it; `ways` has the lines of each arrow, by
    where it comes from and leads to, one after the other.
    """

    boxes: dict[int, Rectangle]
    routes: tuple[Route, ...]
    labels: tuple[tuple[DiagramEdge, Rectangle], ...]
    width: float
    height: float
    ways: dict[tuple[int, int], tuple[Route, ...]] = field(default_factory=dict)


def lay_out(diagram: BoxDiagram, budget: Budget = NO_LIMIT) -> GraphLayout:
    """Return coordinates; raise `LimitReached` where the budget ends before all have their place."""
    if not diagram.nodes:
        return GraphLayout({}, (), (), 0.0, 0.0)
    loops = {edge.source: edge for edge in diagram.edges if edge.source == edge.target}
    boxes = {
        node.number: RowPlace(
            node.number,
            *node_size(node),
            loop_room(loops[node.number]) if node.number in loops else 0.0,
        )
        for node in diagram.nodes
    }
    rows = arrange_rows(diagram, boxes, budget)
    settle(rows.rows, budget)
    return _Drawer(diagram, rows, loops, budget).layout()


class _Drawer:
    """Rows with places in them, on the way to coordinates."""

    def __init__(
        self, diagram: BoxDiagram, rows: Rows, loops: dict[int, DiagramEdge], budget: Budget
    ) -> None:
        self._rows = rows
        self._loops = loops
        self._ports = _ports(rows)
        #: How many arrows leave and reach a box, downwards and upwards.
        paths = [path for path in rows.paths.values() if path[0].row != path[-1].row]
        self._leaving = Counter((path[0], path[-1].row > path[0].row) for path in paths)
        self._reaching = Counter((path[-1], path[-1].row > path[0].row) for path in paths)
        self._tops: list[float] = []
        self._bottoms: list[float] = []
        #: With the row that each is below, or in.
        self._labels: list[tuple[int, DiagramEdge, Rectangle]] = []
        self._go_down(diagram, budget)

    def _go_down(self, diagram: BoxDiagram, budget: Budget) -> None:
        """Find out how high rows and gaps are, and place the labels in the gaps."""
        lines: list[list[GapLine]] = [[] for _ in self._rows.rows]
        for edge in diagram.edges:
            if edge.source != edge.target:
                gap, line = self._line(edge)
                lines[gap].append(line)
        top = 0.0
        for row, gap_lines in zip(self._rows.rows, lines, strict=True):
            heights = [max(place.height, self._loop_height(place)) for place in row]
            self._tops.append(top)
            self._bottoms.append(top + max(heights))
            is_last = row is self._rows.rows[-1]
            height, labels = place_labels(gap_lines, budget)
            for edge, place in labels:
                moved = Rectangle(
                    place.left, place.top + self._bottoms[-1], place.width, place.height
                )
                self._labels.append((len(self._tops) - 1, edge, moved))
            top = self._bottoms[-1] + (0.0 if is_last and not gap_lines else height)
        self._height = top

    def _loop_height(self, place: RowPlace) -> float:
        loop = None if place.number is None else self._loops.get(place.number)
        return 0.0 if loop is None else max(28.0, label_size(loop)[1])

    def _line(self, edge: DiagramEdge) -> tuple[int, GapLine]:
        """Return the gap in which an arrow has its label, and the line there.

        That is where it starts; where many do, where it ends, unless others end there, too.
        """
        path = self._rows.paths[edge.source, edge.target]
        first, second = path[0], path[1]
        start, end = self._ports[first, second]
        if first.row == second.row:
            return first.row, GapLine(edge, start, end, bow=True)
        down = second.row > first.row
        if self._leaving[first, down] > _MANY and self._reaching[path[-1], down] == 1:
            first, second, down = path[-1], path[-2], not down
            end, start = self._ports[second, first]
        return min(first.row, second.row), GapLine(edge, start, end, down)

    def layout(self) -> GraphLayout:
        """Return all coordinates, moved so that the page starts at (0, 0), and folded if it is very long."""
        boxes = {number: self._box(place) for number, place in self._rows.boxes.items()}
        row_of = {number: place.row for number, place in self._rows.boxes.items()}
        segments = self._rows.segments()
        routes = [
            RowRoute(self._route((first, second)), first.row, second.row)
            for first, second in segments
        ]
        labels = list(self._labels)
        for number, edge in self._loops.items():
            row = row_of[number]
            routes.append(RowRoute(_loop(boxes[number]), row, row))
            if not edge.label:
                continue
            wide, high = label_size(edge)
            box = boxes[number]
            middle = box.top + box.height / 2
            place = Rectangle(box.right + LOOP, middle - high / 2, wide, high)
            labels.append((row, edge, place))
        covered = [*boxes.values(), *(place for _, _, place in labels)]
        ends = [point for line in routes for point in (line.route.start, *_points(line.route))]
        left = min([*(place.left for place in covered), *(x for x, _ in ends)])
        right = max([*(place.right for place in covered), *(x for x, _ in ends)])
        lines = [RowRoute(_moved_route(x.route, left), x.first, x.second) for x in routes]
        fold = fold_of(self._tops, (right - left, self._height), lines)
        drawn = fold.routes(lines)
        return GraphLayout(
            {
                number: fold.place(row_of[number], _moved(box, left))
                for number, box in boxes.items()
            },
            tuple(drawn.values()),
            tuple((edge, fold.place(row, _moved(place, left))) for row, edge, place in labels),
            *fold.size,
            self._ways(segments, drawn),
        )

    def _ways(
        self, segments: list[Segment], drawn: dict[int, Route]
    ) -> dict[tuple[int, int], tuple[Route, ...]]:
        """Return the lines of each arrow, those that it shares included."""
        number_of = {segment: number for number, segment in enumerate(segments)}
        ways = {
            ends: tuple(drawn[number_of[pair]] for pair in pairwise(path))
            for ends, path in self._rows.paths.items()
        }
        for number, box in enumerate(self._loops, len(segments)):
            ways[box, box] = (drawn[number],)
        return ways

    def _box(self, place: RowPlace) -> Rectangle:
        top, bottom = self._tops[place.row], self._bottoms[place.row]
        return Rectangle(place.x, (top + bottom - place.height) / 2, place.width, place.height)

    def _route(self, segment: Segment) -> Route:
        """Return the line between two places; it enters and leaves rows upright."""
        first, second = segment
        x1, x2 = self._ports[segment]
        down = second.row >= first.row
        if first.row == second.row:
            return self._bow(segment)
        out_of = self._bottoms[first.row] if down else self._tops[first.row]
        into = self._tops[second.row] if down else self._bottoms[second.row]
        half = (out_of + into) / 2
        start = (
            self._side(first, below=down)
            if first.number is not None
            else (self._tops[first.row] if down else self._bottoms[first.row])
        )
        pieces: list[tuple[Point, ...]] = [((x1, half), (x2, half), (x2, into))]
        if start != out_of:
            pieces.insert(0, ((x1, out_of),))
        if second.number is not None and (end := self._side(second, below=not down)) != into:
            pieces.append(((x2, end),))
        return Route((x1, start), tuple(pieces), second.number is not None)

    def _side(self, place: RowPlace, *, below: bool) -> float:
        box = self._box(place)
        return box.bottom if below else box.top

    def _bow(self, segment: Segment) -> Route:
        """Return the bow below two boxes of one row."""
        first, second = segment
        x1, x2 = self._ports[segment]
        level = self._bottoms[first.row]
        curve = ((x1, level + _BOW), (x2, level + _BOW), (x2, level))
        pieces: list[tuple[Point, ...]] = [((x1, level),), curve]
        pieces.append(((x2, self._side(second, below=True)),))
        return Route((x1, self._side(first, below=True)), tuple(pieces), head=True)


def _ports(rows: Rows) -> dict[Segment, tuple[float, float]]:
    """Return where each line leaves its first place and reaches its second.

    At each side of a box, lines are spread in the order of where they lead, so that they do not cross there.
    """
    segments = rows.segments()
    sides: dict[tuple[RowPlace, bool], list[tuple[float, int, bool]]] = {}
    for index, (first, second) in enumerate(segments):
        level = first.row == second.row
        sides.setdefault((first, level or second.row > first.row), []).append(
            (second.middle, index, True)
        )
        sides.setdefault((second, level or first.row > second.row), []).append(
            (first.middle, index, False)
        )
    leaving: dict[int, float] = {}
    reaching: dict[int, float] = {}
    for (place, _), ends in sides.items():
        apart = min(_APART, max(0.0, place.width - 2 * _CORNER) / max(1, len(ends) - 1))
        if place.number is None:
            apart = 0.0
        for position, (_, index, is_first) in enumerate(sorted(ends)):
            x = place.middle + (position - (len(ends) - 1) / 2) * apart
            (leaving if is_first else reaching)[index] = x
    return {segment: (leaving[index], reaching[index]) for index, segment in enumerate(segments)}


def _loop(box: Rectangle) -> Route:
    """Return the line from a box to itself, at its right."""
    x, y = box.right, box.top + box.height / 2
    reach = LOOP - 2
    return Route((x, y - 7), (((x + reach, y - 20), (x + reach, y + 20), (x, y + 7)),), head=True)


def _points(route: Route) -> list[Point]:
    return [point for piece in route.pieces for point in piece]


def _moved(place: Rectangle, left: float) -> Rectangle:
    return Rectangle(place.left - left, place.top, place.width, place.height)


def _moved_route(route: Route, left: float) -> Route:
    pieces = tuple(tuple((x - left, y) for x, y in piece) for piece in route.pieces)
    return Route((route.start[0] - left, route.start[1]), pieces, route.head)
