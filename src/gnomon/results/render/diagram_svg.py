"""A diagram as a part of a picture in SVG."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode
from gnomon.results.drawing.layout import GraphLayout, lay_out
from gnomon.results.drawing.measure import (
    CHIP_GAP,
    CHIP_PAD,
    PAD,
    ROW,
    SMALL,
    SMALL_ROW,
    Rectangle,
    chip_rows,
    chip_width,
    text_width,
)
from gnomon.results.drawing.route import Route
from gnomon.results.render.markup import in_xml
from gnomon.results.render.svg_pieces import DrawnPart, drawn_box, patched, words
from gnomon.results.render.svg_theme import CHIPS
from gnomon.results.styled import wrap

#: Notes are as wide as the picture, and at least so many letters.
_NOTE = 60


def draw(diagram: BoxDiagram, budget: Budget = NO_LIMIT, *, titled: bool = False) -> DrawnPart:
    """Return the picture; raise `LimitReached` where the budget ends before it is drawn."""
    layout = lay_out(diagram, budget)
    letters = max(_NOTE, int(layout.width / SMALL))
    above = wrap(diagram.title, letters) if titled else []
    top = len(above) * ROW + (10 if above else 0)
    notes = [part for note in diagram.notes for part in wrap(note, letters, "  ")]
    body = [
        *(_route(route) for route in layout.routes),
        *(_box(node, layout) for node in diagram.nodes),
        *(_label(edge, place) for edge, place in layout.labels),
    ]
    pieces = [words(line, 0, ROW * index + 10, "title") for index, line in enumerate(above)]
    pieces += [f'<g transform="translate(0 {top:.0f})">\n', *body, "</g>\n"]
    below = top + layout.height + (16 if notes and layout.height else 0)
    pieces += [words(line, 0, below + ROW * index + 10, "note") for index, line in enumerate(notes)]
    wide = [*(text_width(line) for line in above), *(text_width(line, SMALL) for line in notes)]
    return DrawnPart("".join(pieces), max([layout.width, *wide]), below + ROW * len(notes))


def _route(route: Route) -> str:
    text = f"M{route.start[0]:.1f} {route.start[1]:.1f}"
    for piece in route.pieces:
        points = " ".join(f"{x:.1f} {y:.1f}" for x, y in piece)
        text += f" {'L' if len(piece) == 1 else 'C'}{points}"
    head = ' marker-end="url(#gnomon-head)"' if route.head else ""
    return f'<path class="step"{head} d="{text}"/>\n'


def _box(node: DiagramNode, layout: GraphLayout) -> str:
    box = layout.boxes[node.number]
    kinds = " ".join(
        [
            "node",
            *(["initial"] if node.initial else []),
            *([node.kind] if node.kind != "plain" else []),
        ]
    )
    place = (box.left, box.top, box.width, box.height)
    return drawn_box(place, (node.title, *node.lines), _style_of, kinds, _chips(node, box))


def _chips(node: DiagramNode, box: Rectangle) -> str:
    """Return the names of the classes of a box, each on the ground of its class."""
    pieces = []
    rows = chip_rows(node.looks)
    for index, row in enumerate(rows):
        x, y = box.left + PAD, box.bottom - PAD - ROW * (len(rows) - index) + 6
        for look in row:
            width = chip_width(look)
            ground = CHIPS[(look.number - 1) % len(CHIPS)]
            pieces.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="13" rx="4" fill="{ground}"/>\n'
            )
            pieces.append(words(str(look), x + CHIP_PAD, y + 10, "chip"))
            x += width + CHIP_GAP
    return "".join(pieces)


def _style_of(line: str) -> str:
    return {"⊨": "yes", "✓": "yes", "✗": "no"}.get(line[:1], "value")


def _label(edge: DiagramEdge, place: Rectangle) -> str:
    """Return the words of an arrow, all of them in the title where some are cut."""
    lines = []
    for index, (text, chosen) in enumerate(edge.label):
        style = "said choice" if chosen else "said"
        left = place.left + (place.width - text_width(text, SMALL)) / 2
        lines.append(patched(text, left, place.top + SMALL_ROW * index + 9, style))
    if not edge.full or edge.full == " / ".join(line.text for line in edge.label):
        return "".join(lines)
    return f"<g><title>{in_xml(edge.full)}</title>\n{''.join(lines)}</g>\n"
