"""Evidence as pictures in TikZ, for papers: the runs, then each strategy and each defence."""

from collections.abc import Iterator

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.drawing.measure import SMALL, SMALL_ROW
from gnomon.results.projection import PictureStyle
from gnomon.results.render import diagram_tikz
from gnomon.results.render.evidence.columns import BOW, PictureBox, Sheet, arrange, label_width
from gnomon.results.render.evidence.drawn import picture_of
from gnomon.results.render.evidence.picture import PictureEdge, PictureLink, RunPicture, draw
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.tikz_pieces import at, box, lines_of, picture, said
from gnomon.results.styled import width_of


def explain(view: VerdictView) -> str:
    """Return the pictures of a verdict."""
    return _document(picture_of(view))


def render(
    system: System, evidence: Evidence, style: PictureStyle = PictureStyle(), name: str = ""
) -> str:
    """Return one `tikzpicture` after the other."""
    return _document(draw(system, evidence, style, name))


def _document(drawn: RunPicture) -> str:
    parts = [picture(_runs(drawn), drawn.title)] if drawn.columns else []
    parts += [
        diagram_tikz.draw(diagram, prefix=f"p{number}n")
        for number, diagram in enumerate(drawn.diagrams, 1)
    ]
    return "\n".join(parts)


def _runs(drawn: RunPicture) -> Iterator[str]:
    sheet = arrange(drawn)
    yield from map(_box, sheet.boxes.values())
    for text, x, y in sheet.titles:
        yield said([text], x, y - 12)
    for edge in drawn.edges:
        yield from _back(edge, sheet) if edge.back else _step(edge, sheet)
    for link in drawn.links:
        yield from _bow(link, sheet) if link.left.run == link.right.run else _link(link, sheet)


def _box(placed: PictureBox) -> str:
    kinds = ", gnomon initial" if placed.node.initial else ""
    place = (placed.x, placed.y, placed.width, placed.height)
    return box(placed.node.name, place, kinds, lines_of(placed.node.text))


def _step(edge: PictureEdge, sheet: Sheet) -> Iterator[str]:
    """Yield an arrow down to the next state, what was done beside it."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    names = f"({source.node.name}) -- ({target.node.name})"
    if edge.source.run != edge.target.run:
        names = f"({source.node.name}) -| ({target.node.name})"
    yield f"\\draw[gnomon step] {names};"
    if edge.lines:
        top = target.y - len(edge.lines) * SMALL_ROW - 13
        yield said(edge.lines, target.middle + 8, top)


def _back(edge: PictureEdge, sheet: Sheet) -> Iterator[str]:
    """Yield the bow at the left that closes a loop."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    apart = 8.0 if edge.source == edge.target else 0.0
    y1, y2 = source.centre + apart, target.centre - apart
    out = min(each.x for place, each in sheet.boxes.items() if place.run == edge.target.run) - BOW
    end = target.x if out < target.x else target.x + target.width
    bow = f"{at(source.x, y1)} .. controls {at(out, y1)} and {at(out, y2)} .. {at(end, y2)}"
    yield f"\\draw[gnomon back] {bow};"
    if edge.lines:
        top = (y1 + y2) / 2 - len(edge.lines) * SMALL_ROW / 2
        yield said(edge.lines, out - label_width(edge.lines), top, ", text=blue!60!black")


def _link(link: PictureLink, sheet: Sheet) -> Iterator[str]:
    """Yield a line between two states that look the same, with the names of those to whom they do."""
    left, right = sheet.boxes[link.left], sheet.boxes[link.right]
    if left.x > right.x:
        left, right = right, left
    x1, x2 = left.x + left.width, right.x
    half = (x1 + x2) / 2
    curve = f"controls {at(half, left.centre)} and {at(half, right.centre)}"
    yield f"\\draw[gnomon {link.kind}] {at(x1, left.centre)} .. {curve} .. {at(x2, right.centre)};"
    place = x2 - width_of(link.label) * SMALL - 14
    yield said([link.label], place, min(left.centre, right.centre) - 16)


def _bow(link: PictureLink, sheet: Sheet) -> Iterator[str]:
    """Yield a line between two states of one run, at its right, with the names beside it."""
    above, below = sheet.boxes[link.left], sheet.boxes[link.right]
    x1, x2, edge = above.x + above.width, below.x + below.width, sheet.bows[link.left.run]
    # A curve goes three quarters of the way to where it is drawn.
    out = max(x1, x2) + (edge - max(x1, x2)) / 0.75
    curve = f"controls {at(out, above.centre)} and {at(out, below.centre)}"
    ends = at(x1, above.centre), at(x2, below.centre)
    yield f"\\draw[gnomon {link.kind}] {ends[0]} .. {curve} .. {ends[1]};"
    middle = (above.centre + below.centre) / 2
    yield said([link.label], edge + 6, middle - SMALL_ROW / 2)
