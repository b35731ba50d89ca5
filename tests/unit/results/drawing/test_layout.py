"""Layouts: nothing covers another, and all is on the page."""

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given

from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode, LabelLine, Look
from gnomon.results.drawing.layout import GraphLayout, lay_out
from gnomon.results.drawing.measure import Rectangle
from gnomon.results.drawing.route import Point, Route
from gnomon.results.drawing.rows import RowPlace
from gnomon.results.drawing.settle import settle
from tests.systems import examples, seeds

#: What rounding may do.
NEARLY = 1e-6


def random_diagram(random: Random, most: int = 30) -> BoxDiagram:
    """Return boxes and arrows of many sorts: loops, deadlocks, parts apart, no initial box, no labels."""
    count = random.choice([0, 1, 2, random.randint(3, most)])
    nodes = tuple(
        DiagramNode(
            number,
            str(number),
            tuple("x" * random.randint(0, 40) for _ in range(random.randint(0, 4))),
            tuple(Look("Agent" * random.randint(1, 4), n) for n in range(random.randint(0, 3))),
            initial=random.random() < 0.2,
        )
        for number in range(count)
    )
    ends = {
        (random.randrange(count), random.randrange(count))
        for _ in range(random.randint(0, 3 * count) if count else 0)
    }
    return BoxDiagram("", nodes, tuple(random_edge(random, *pair) for pair in sorted(ends)))


def long_diagram(random: Random) -> BoxDiagram:
    """Return a long chain, with a few more arrows: onwards, back, and to the same box."""
    count = random.randint(45, 90)
    nodes = tuple(
        DiagramNode(number, str(number), ("x" * random.randint(1, 15),), initial=number == 0)
        for number in range(count)
    )
    ends = {(number, number + 1) for number in range(count - 1)}
    for _ in range(random.choice([0, 1, 3, 6, 20])):
        source = random.randrange(count)
        ends.add((source, random.choice([source, random.randrange(source + 1)])))
    return BoxDiagram("", nodes, tuple(random_edge(random, *pair) for pair in sorted(ends)))


def any_diagram(seed: int) -> BoxDiagram:
    random = Random(seed)
    return (long_diagram if random.random() < 0.25 else random_diagram)(random)


def random_edge(random: Random, source: int, target: int) -> DiagramEdge:
    lines = [LabelLine("a" * random.randint(1, 30)) for _ in range(random.randint(0, 4))]
    return DiagramEdge(source, target, tuple(lines))


def covered(layout: GraphLayout) -> list[Rectangle]:
    """Return the places of all boxes and labels."""
    return [*layout.boxes.values(), *(place for _, place in layout.labels)]


def points(route: Route) -> list[Point]:
    """Return many places on a line."""
    found, here = [route.start], route.start
    for piece in route.pieces:
        first, second, end = piece if len(piece) == 3 else (here, piece[0], piece[0])
        for step in range(1, 9):
            t = step / 8
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            both = zip(weights, (here, first, second, end), strict=True)
            parts = [(weight * x, weight * y) for weight, (x, y) in both]
            found.append((sum(x for x, _ in parts), sum(y for _, y in parts)))
        here = end
    return found


@examples(120)
@given(seeds)
def test_no_box_or_label_covers_another(seed: int) -> None:
    layout = lay_out(any_diagram(seed))
    smaller = [
        Rectangle(p.left + NEARLY, p.top + NEARLY, p.width - 2 * NEARLY, p.height - 2 * NEARLY)
        for p in covered(layout)
    ]

    assert not any(one.meets(other) for one, other in combinations(smaller, 2))


@examples(80)
@given(seeds)
def test_all_is_on_the_page(seed: int) -> None:
    diagram = any_diagram(seed)
    layout = lay_out(diagram)
    lines = [point for route in layout.routes for point in points(route)]

    assert set(layout.boxes) == {node.number for node in diagram.nodes}
    assert len(layout.labels) == len([edge for edge in diagram.edges if edge.label])
    for place in covered(layout):
        assert place.left >= -NEARLY
        assert place.right <= layout.width + NEARLY
        assert place.top >= -NEARLY
        assert place.bottom <= layout.height + NEARLY
    assert all(-NEARLY <= x <= layout.width + NEARLY for x, _ in lines)
    assert all(-NEARLY <= y <= layout.height + NEARLY for _, y in lines)


@examples(80)
@given(seeds)
def test_no_line_goes_through_a_box(seed: int) -> None:
    layout = lay_out(any_diagram(seed))
    inner = [
        Rectangle(box.left + 1, box.top + 1, box.width - 2, box.height - 2)
        for box in layout.boxes.values()
    ]

    for route in layout.routes:
        for x, y in points(route):
            assert not any(box.left < x < box.right and box.top < y < box.bottom for box in inner)


@examples(80)
@given(seeds)
def test_every_arrow_has_a_head_at_its_box(seed: int) -> None:
    diagram = any_diagram(seed)
    layout = lay_out(diagram)
    ends = [points(route)[-1] for route in layout.routes if route.head]

    for number in {edge.target for edge in diagram.edges}:
        box = layout.boxes[number]
        assert any(
            box.left - 1 <= x <= box.right + 1
            and min(abs(y - box.top), abs(y - box.bottom), abs(x - box.right), abs(x - box.left))
            < 1
            for x, y in ends
        )


@examples(80)
@given(seeds)
def test_every_arrow_is_one_line_from_its_box_to_the_other(seed: int) -> None:
    diagram = any_diagram(seed)
    layout = lay_out(diagram)

    assert {(edge.source, edge.target) for edge in diagram.edges} == set(layout.ways)
    assert set(layout.routes) == {route for way in layout.ways.values() for route in way}
    for (source, target), way in layout.ways.items():
        assert [False] * (len(way) - 1) + [True] == [route.head for route in way]
        for before, after in pairwise(way):
            assert before.ends[-1] == pytest.approx(after.start)
        assert is_at(layout.boxes[source], way[0].start)
        assert is_at(layout.boxes[target], way[-1].ends[-1])


def is_at(box: Rectangle, point: Point) -> bool:
    """Return whether a point is on the edge of a box."""
    x, y = point
    near = min(abs(y - box.top), abs(y - box.bottom), abs(x - box.right), abs(x - box.left))
    inside = box.left - 1 <= x <= box.right + 1 and box.top - 1 <= y <= box.bottom + 1
    return inside and near < 1


@examples(20)
@given(seeds)
def test_a_layout_is_always_the_same(seed: int) -> None:
    assert lay_out(any_diagram(seed)) == lay_out(any_diagram(seed))


def test_three_hundred_states_have_their_places() -> None:
    random = Random(1)
    nodes = tuple(
        DiagramNode(number, str(number), ("x" * 20, "y" * 25), initial=number < 3)
        for number in range(300)
    )
    ends = {(random.randrange(number), number) for number in range(1, 300)}
    ends |= {(random.randrange(300), random.randrange(300)) for _ in range(900)}
    edges = tuple(DiagramEdge(*pair, (LabelLine("action"),)) for pair in sorted(ends))
    layout = lay_out(BoxDiagram("", nodes, edges))

    assert len(layout.boxes) == 300
    assert len(layout.labels) == len(edges)


@pytest.mark.parametrize("back", [False, True])
def test_a_long_chain_is_folded(back: bool) -> None:
    nodes = tuple(
        DiagramNode(number, f"state {number}", initial=not number) for number in range(300)
    )
    ends = [(number, number + 1) for number in range(299)]
    ends += [(number, 0) for number in range(1, 300)] if back else []
    edges = tuple(DiagramEdge(*pair, (LabelLine("go"),)) for pair in ends)
    layout = lay_out(BoxDiagram("", nodes, edges))
    bends = [
        (layout.boxes[number], layout.boxes[number + 1])
        for number in range(299)
        if abs(layout.boxes[number].left - layout.boxes[number + 1].left) > 60
    ]

    assert 0.5 < layout.width / layout.height < 2
    assert len(bends) > 5
    # Down and up in turns: what follows is in the next strip, and near.
    assert all(abs(one.top - two.top) < layout.height / 5 for one, two in bends)


def test_what_fits_on_a_page_is_not_folded() -> None:
    nodes = tuple(DiagramNode(number, str(number), initial=not number) for number in range(25))
    edges = tuple(DiagramEdge(number, number + 1) for number in range(24))
    layout = lay_out(BoxDiagram("", nodes, edges))

    assert layout.width < 100
    assert [box.top for box in layout.boxes.values()] == sorted(
        box.top for box in layout.boxes.values()
    )


def test_a_wide_layer_becomes_several_rows() -> None:
    nodes = tuple(DiagramNode(number, "0" * 10, initial=True) for number in range(100))
    layout = lay_out(BoxDiagram("", nodes))

    assert layout.width < 4 * layout.height


def test_what_is_empty_between_parts_is_taken_away() -> None:
    left, right = RowPlace(0, 10.0, 10.0), RowPlace(1, 10.0, 10.0)
    rows = [[left, right]]
    settle(rows, NO_LIMIT)

    assert right.x - left.x == left.room


def test_labels_of_many_arrows_from_one_box_are_where_they_lead() -> None:
    nodes = tuple(DiagramNode(number, str(number), initial=number == 0) for number in range(200))
    label = (LabelLine("an action"), LabelLine("another"))
    layout = lay_out(BoxDiagram("", nodes, tuple(DiagramEdge(0, n, label) for n in range(1, 200))))
    heights = [layout.boxes[edge.target].top - place.bottom for edge, place in layout.labels]

    assert layout.height < layout.width
    assert all(0 < height < 150 for height in heights)
