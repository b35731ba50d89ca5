"""Evidence as a picture of its own, in SVG, with no other program needed."""

from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence
from gnomon.model.step import NO_LIMIT
from gnomon.model.system import System
from gnomon.results.drawing.measure import SMALL, SMALL_ROW
from gnomon.results.projection import PictureStyle
from gnomon.results.render import diagram_svg
from gnomon.results.render.evidence.columns import BOW, PictureBox, Sheet, arrange, label_width
from gnomon.results.render.evidence.drawn import picture_of
from gnomon.results.render.evidence.picture import PictureEdge, PictureLink, RunPicture, draw
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.svg_pieces import DrawnPart, document, drawn_box, patched, words
from gnomon.results.render.svg_theme import PictureLook
from gnomon.results.styled import width_of


def explain(view: VerdictView) -> str:
    """Return the picture of a verdict."""
    return _document(picture_of(view))


def render(
    system: System,
    evidence: Evidence,
    style: PictureStyle = PictureStyle(),
    *,
    name: str = "",
) -> str:
    """Return a whole SVG document."""
    return _document(draw(system, evidence, style, name))


def draw_inline(picture: RunPicture) -> str:
    """Return an element for a page of HTML."""
    return _document(picture, "page")


def draw_in_notebook(picture: RunPicture, budget: Budget = NO_LIMIT) -> str:
    """Return an element for a notebook; raise `LimitReached` where the budget ends before it is drawn."""
    return _document(picture, "notebook", budget)


def _document(picture: RunPicture, look: PictureLook = "paper", budget: Budget = NO_LIMIT) -> str:
    parts = [_runs(picture)] if picture.columns else []
    parts += [diagram_svg.draw(diagram, budget, titled=True) for diagram in picture.diagrams]
    return document(picture.title or "evidence", parts, look)


def _runs(picture: RunPicture) -> DrawnPart:
    sheet = arrange(picture)
    drawn = [
        *(_link(link, sheet) for link in picture.links),
        *(_step(edge, sheet) for edge in picture.edges if not edge.back),
        *(_back(edge, sheet) for edge in picture.edges if edge.back),
        *(_box(box) for box in sheet.boxes.values()),
        *(words(*title, "title") for title in sheet.titles),
        *(_link_label(link, sheet) for link in picture.links),
    ]
    return DrawnPart("".join(drawn), sheet.width, sheet.height)


def _box(box: PictureBox) -> str:
    place = (box.x, box.y, box.width, box.height)
    kinds = "node initial" if box.node.initial else "node"
    return drawn_box(place, box.node.text, _style_of, kinds)


def _style_of(line: str) -> str:
    return {"✓": "yes", "✗": "no"}.get(line[:1], "value")


def _arrow(style: str, curve: str) -> str:
    return f'<path class="{style}" marker-end="url(#gnomon-head)" d="{curve}"/>\n'


def _step(edge: PictureEdge, sheet: Sheet) -> str:
    """Return an arrow down to the next state, what was done beside it."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    height = len(edge.lines) * SMALL_ROW
    top = target.y - height - 4
    if edge.source.run == edge.target.run:
        curve = f"M{source.middle:.1f} {source.y + source.height:.1f} V{target.y:.1f}"
    else:
        x, y = source.x + source.width, source.centre
        curve = f"M{x:.1f} {y:.1f} C{target.middle:.1f} {y:.1f} "
        curve += f"{target.middle:.1f} {y:.1f} {target.middle:.1f} {target.y:.1f}"
    said = [
        patched(line, target.middle + 8, top + SMALL_ROW * index, "said")
        for index, line in enumerate(edge.lines)
    ]
    return _arrow("step", curve) + "".join(said)


def _back(edge: PictureEdge, sheet: Sheet) -> str:
    """Return the bow at the left that closes a loop."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    apart = 8.0 if edge.source == edge.target else 0.0
    y1, y2 = source.centre + apart, target.centre - apart
    # A longer bow goes further out, so that it passes all the boxes between.
    out = min(box.x for place, box in sheet.boxes.items() if place.run == edge.target.run) - BOW
    end = target.x if out < target.x else target.x + target.width
    curve = f"M{source.x:.1f} {y1:.1f} C{out:.1f} {y1:.1f} {out:.1f} {y2:.1f} {end:.1f} {y2:.1f}"
    top = (y1 + y2) / 2 - len(edge.lines) * SMALL_ROW / 2 + 9
    left = out - label_width(edge.lines)
    said = [
        patched(line, left, top + SMALL_ROW * index, "said saidback")
        for index, line in enumerate(edge.lines)
    ]
    return _arrow("back", curve) + "".join(said)


def _ends(link: PictureLink, sheet: Sheet) -> tuple[float, float, float, float]:
    """Return where a link leaves one box and reaches the other: at the sides that face each other."""
    left, right = sheet.boxes[link.left], sheet.boxes[link.right]
    if left.x > right.x:
        left, right = right, left
    return left.x + left.width, left.centre, right.x, right.centre


def _link(link: PictureLink, sheet: Sheet) -> str:
    if link.left.run == link.right.run:
        return _bow(link, sheet)
    x1, y1, x2, y2 = _ends(link, sheet)
    half = (x1 + x2) / 2
    curve = f"M{x1:.1f} {y1:.1f} C{half:.1f} {y1:.1f} {half:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="{link.kind}" d="{curve}"/>\n'


def _bow(link: PictureLink, sheet: Sheet) -> str:
    """Return a link between two states of one run, at its right."""
    above, below = sheet.boxes[link.left], sheet.boxes[link.right]
    x1, x2 = above.x + above.width, below.x + below.width
    # A curve goes three quarters of the way to where it is drawn.
    out = max(x1, x2) + (sheet.bows[link.left.run] - max(x1, x2)) / 0.75
    curve = f"M{x1:.1f} {above.centre:.1f} C{out:.1f} {above.centre:.1f} "
    curve += f"{out:.1f} {below.centre:.1f} {x2:.1f} {below.centre:.1f}"
    return f'<path class="{link.kind}" d="{curve}"/>\n'


def _link_label(link: PictureLink, sheet: Sheet) -> str:
    """Return the names at the end of a link, in the gap between two runs or at the right of one."""
    if link.left.run == link.right.run:
        above, below = sheet.boxes[link.left], sheet.boxes[link.right]
        height = (above.centre + below.centre) / 2 + 4
        left = sheet.bows[link.left.run] + 6
        return patched(link.label, left, height, f"said said{link.kind}")
    _, y1, x, y2 = _ends(link, sheet)
    left = x - width_of(link.label) * SMALL - 14
    return patched(link.label, left, min(y1, y2) - 6, f"said said{link.kind}")
