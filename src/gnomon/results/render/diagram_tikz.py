"""A diagram as a picture in TikZ, every box with a name, so that a paper can point at it."""

from collections.abc import Iterator

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode, Look
from gnomon.results.drawing.layout import GraphLayout, lay_out
from gnomon.results.drawing.measure import SMALL, Rectangle, chip_rows
from gnomon.results.drawing.route import Route
from gnomon.results.render.markup import in_tex
from gnomon.results.render.svg_theme import CHIPS
from gnomon.results.render.tikz_pieces import at, box, lines_of, picture, said
from gnomon.results.styled import wrap

_NOTE = 60


def draw(diagram: BoxDiagram, budget: Budget = NO_LIMIT, prefix: str = "n") -> str:
    """Return the picture; raise `LimitReached` where the budget ends before it is drawn."""
    return picture(_body(diagram, lay_out(diagram, budget), prefix), diagram.title)


def _body(diagram: BoxDiagram, layout: GraphLayout, prefix: str) -> Iterator[str]:
    for node in diagram.nodes:
        yield _box(node, layout.boxes[node.number], prefix)
    yield from map(_route, layout.routes)
    for edge, place in layout.labels:
        if edge.label:
            yield _label(edge, place)
    letters = max(_NOTE, int(layout.width / SMALL))
    if notes := [part for note in diagram.notes for part in wrap(note, letters, "  ")]:
        yield said(notes, 0, layout.height + 12)


def _box(node: DiagramNode, place: Rectangle, prefix: str) -> str:
    kinds = ", gnomon initial" if node.initial else ""
    if node.kind != "plain":
        kinds += f", gnomon {node.kind}"
    lines = [f"\\underline{{{in_tex(node.title)}}}"]
    if node.lines:
        lines.append(lines_of(node.lines))
    lines += ["~".join(map(_chip, row)) for row in chip_rows(node.looks)]
    size = (place.left, place.top, place.width, place.height)
    return box(f"{prefix}{node.number}", size, kinds, r"\\".join(lines))


def _chip(look: Look) -> str:
    ground = CHIPS[(look.number - 1) % len(CHIPS)].removeprefix("#")
    words = f"\\fontsize{{6}}{{6}}\\selectfont {in_tex(str(look))}"
    return f"{{\\fboxsep=0.8pt\\colorbox[HTML]{{{ground.upper()}}}{{{words}}}}}"


def _route(route: Route) -> str:
    text = at(*route.start)
    for piece in route.pieces:
        if len(piece) == 1:
            text += f" -- {at(*piece[0])}"
        else:
            first, second, end = piece
            text += f" .. controls {at(*first)} and {at(*second)} .. {at(*end)}"
    return f"\\draw[gnomon {'step' if route.head else 'line'}] {text};"


def _line(text: str, chosen: bool) -> str:  # noqa: FBT001
    return f"\\textcolor{{blue!60!black}}{{{in_tex(text)}}}" if chosen else lines_of([text])


def _label(edge: DiagramEdge, place: Rectangle) -> str:
    lines = [_line(*line) for line in edge.label]
    middle = at(place.left + place.width / 2, place.top + place.height / 2)
    text = r"\\".join(lines)
    return f"\\node[gnomon said, align=center] at {middle} {{{text}}};"
