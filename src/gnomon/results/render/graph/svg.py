"""A graph as a picture of its own, in SVG, with no other program needed."""

from itertools import pairwise

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.graph import (
    LookAlike,
    StateGraph,
    StateNode,
    StepEdge,
    edge_labels,
    node_lines,
)
from gnomon.results.graph_layout import GraphBox, GraphLayout, lay_out
from gnomon.results.render.markup import in_xml
from gnomon.results.render.svg_pieces import (
    SMALL,
    SMALL_ROW,
    arrow_head,
    box_size,
    drawn_box,
    patched,
)
from gnomon.results.styled import width_of

_MARGIN = 64.0

_STYLE = """
text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2933; }
.page { fill: #ffffff; }
.box { fill: #f7f9fb; stroke: #52606d; }
.initial .box { stroke-width: 2.5; }
.number { font-weight: bold; }
.true { fill: #0b6e4f; }
.step { fill: none; stroke: #52606d; stroke-width: 1.2; }
.head { fill: #52606d; }
.link { fill: none; stroke: #c0392b; stroke-width: 1.4; stroke-dasharray: 5 4; }
.said { font-size: 10px; fill: #3e4c59; }
.patch { fill: #ffffff; fill-opacity: 0.85; }
.saidlink { fill: #c0392b; }
"""


#: Labels that are farther apart than this down the page cannot meet.
_BAND = 64.0


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return a whole SVG document; raises `LimitReached` where the budget ends before it is drawn."""
    texts = {node.number: node_lines(graph, node) for node in graph.nodes}
    beside = {edge.source: _beside(edge) for edge in graph.edges if edge.source == edge.target}
    sizes = {number: (*box_size(lines), beside.get(number, 0.0)) for number, lines in texts.items()}
    layout = lay_out(graph, sizes, budget)
    labels = _StepLabels(budget)
    steps = [_step(edge, layout, labels) for edge in graph.edges]
    links = [_link(link, layout, labels) for link in graph.links]
    boxes = [_box(layout, node, texts[node.number]) for node in graph.nodes]
    width = layout.width + 2 * _MARGIN
    height = layout.height + 2 * _MARGIN + (24 if graph.cut else 0)
    note = ""
    said = f"cut after {len(graph.nodes)} states: there are more" if graph.cut else ""
    if not graph.nodes:
        width, height = max(width, 320.0), max(height, 120.0)
        said = said or "there is no initial state"
    if said:
        note = f'<text x="{_MARGIN}" y="{height - 14:.0f}" class="saidlink">{said}</text>\n'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n'
        f"<title>{in_xml(graph.system.name or 'model')}</title>\n<style>{_STYLE}</style>\n"
        f"{arrow_head('head')}"
        f'<rect class="page" width="100%" height="100%"/>\n'
        f'<g transform="translate({_MARGIN:.0f} {_MARGIN:.0f})">\n'
        f"{''.join(links + steps + boxes)}{labels.drawn()}</g>\n{note}</svg>\n"
    )


def _beside(edge: StepEdge) -> float:
    """Return the room for a loop and its label."""
    return 26 + max(map(width_of, edge_labels(edge)), default=0) * SMALL


def _box(layout: GraphLayout, node: StateNode, lines: list[str]) -> str:
    box = layout.boxes[node.number]
    place = (box.x, box.y, box.width, box.height)
    return drawn_box(place, lines, _style_of, initial=node.initial)


def _style_of(line: str) -> str:
    return "true" if line.startswith("⊨") else "value"


def _step(edge: StepEdge, layout: GraphLayout, labels: "_StepLabels") -> str:
    said = edge_labels(edge)
    if edge.source == edge.target:
        box = layout.boxes[edge.source]
        x, y = box.x + box.width, box.y + box.height / 2
        labels.add(x + 26, y - 2, said, "said", start=True)
        curve = (
            f"M{x:.1f} {y - 8:.1f} C{x + 26:.1f} {y - 24:.1f} "
            f"{x + 26:.1f} {y + 24:.1f} {x + 1:.1f} {y + 8:.1f}"
        )
    else:
        path = layout.paths[edge.source, edge.target]
        curve, (x, y) = _curve(path)
        labels.add(x, y, said, "said")
    return f'<path class="step" marker-end="url(#head)" d="{curve}"/>\n'


def _curve(path: list[GraphBox]) -> tuple[str, tuple[float, float]]:
    """Return a smooth line through the boxes of a path, and where its label goes."""
    source, target = path[0], path[-1]
    if source.layer == target.layer:
        return _arc(source, target)
    down = target.layer > source.layer
    # A step and the step back between the same two boxes leave from different places.
    aside = -10.0 if down else 10.0
    points = [(_port(source, path[1]) + aside, source.y + (source.height if down else 0))]
    points += [(box.middle, box.y) for box in path[1:-1]]
    points.append((_port(target, path[-2]) + aside, target.y + (0 if down else target.height)))
    text = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (y1 + y2) / 2
        text += f" C{x1:.1f} {half:.1f} {x2:.1f} {half:.1f} {x2:.1f} {y2:.1f}"
    (x1, y1), (x2, y2) = points[0], points[1]
    part = 0.5 if down else 0.35
    return text, (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)


def _port(box: GraphBox, other: GraphBox) -> float:
    """Return where an arrow to `other` leaves the box: towards it, but not at the corner."""
    reach = box.width / 2 - 16
    return box.middle + max(-reach, min(reach, (other.middle - box.middle) * 0.35))


def _arc(source: GraphBox, target: GraphBox) -> tuple[str, tuple[float, float]]:
    """Return a bow below two boxes of one layer."""
    y1, y2 = source.y + source.height, target.y + target.height
    deep = max(y1, y2) + 34
    x1, x2 = _port(source, target), _port(target, source)
    text = f"M{x1:.1f} {y1:.1f} C{x1:.1f} {deep:.1f} {x2:.1f} {deep:.1f} {x2:.1f} {y2:.1f}"
    return text, ((x1 + x2) / 2, deep - 6)


def _link(link: LookAlike, layout: GraphLayout, labels: "_StepLabels") -> str:
    left, right = layout.boxes[link.left], layout.boxes[link.right]
    if left.layer == right.layer:
        y1, y2 = left.y, right.y
        high = min(y1, y2) - 30
        middle = ((left.middle + right.middle) / 2, high + 8)
        curve = (
            f"M{left.middle:.1f} {y1:.1f} C{left.middle:.1f} {high:.1f} "
            f"{right.middle:.1f} {high:.1f} {right.middle:.1f} {y2:.1f}"
        )
    else:
        y1, y2 = left.y + left.height / 2, right.y + right.height / 2
        bow = min(left.x, right.x) - 30
        middle = (bow + 10, (y1 + y2) / 2)
        curve = (
            f"M{left.x:.1f} {y1:.1f} C{bow:.1f} {y1:.1f} {bow:.1f} {y2:.1f} {right.x:.1f} {y2:.1f}"
        )
    labels.add(*middle, [", ".join(link.agents)], "said saidlink")
    return f'<path class="link" d="{curve}"/>\n'


def _bands(top: float, height: float) -> range:
    return range(int(top // _BAND), int((top + height) // _BAND) + 1)


class _StepLabels:
    """Words beside arrows, each moved down until it covers no other."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        #: The places that are taken, by the bands of the page that they touch.
        self.taken: dict[int, list[tuple[float, float, float, float]]] = {}
        self.texts: list[str] = []

    def add(self, x: float, y: float, lines: list[str], style: str, *, start: bool = False) -> None:
        """Add some lines centred at (x, y), or starting there."""
        width = max((width_of(line) for line in lines), default=0) * SMALL
        height = len(lines) * SMALL_ROW
        left = x if start else x - width / 2
        for _ in range(12):
            if not self._covers(left, y, width, height):
                break
            y += 6
        for band in _bands(y, height):
            self.taken.setdefault(band, []).append((left, y, left + width, y + height))
        for index, line in enumerate(lines):
            self.texts.append(patched(line, left, y + SMALL_ROW * index, style))

    def _covers(self, left: float, top: float, width: float, height: float) -> bool:
        self.budget.check("labels")
        return any(
            left < right_ and left_ < left + width and top < bottom and top_ < top + height
            for band in _bands(top, height)
            for left_, top_, right_, bottom in self.taken.get(band, ())
        )

    def drawn(self) -> str:
        """Return all labels."""
        return "".join(self.texts)
