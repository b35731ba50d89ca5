"""Pictures in a notebook: no ground of their own, colours of the text around, and no wider than the cell.

What would take long or be too large to look at is not drawn; a word says so, and where all of it is.
"""

import re
from typing import Final
from zlib import crc32

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.evidence_tree import MOST_BOXES, evidence_size
from gnomon.results.graph import StateGraph
from gnomon.results.projection import PictureStyle
from gnomon.results.render import diagram_svg
from gnomon.results.render.evidence import svg
from gnomon.results.render.evidence.picture import draw
from gnomon.results.render.notebook.frame import framed, paragraph, quoted
from gnomon.results.render.svg_pieces import document

#: Nobody waits longer for a picture that was not asked for.
SECONDS: Final = 2.0
#: A picture beside words has at most so many boxes.
_BESIDE: Final = 40
#: A picture that is too wide becomes smaller, but not more than that.
_SMALLEST: Final = 0.62

_INSTEAD: Final = (
    '<p class="g-instead"><small>The picture is shown where notebooks are trusted.</small></p>'
)

#: What keeps a drawing readable where its style is dropped.
_PLAIN: Final = {
    "page": 'fill="none"',
    "box": 'fill="none" stroke="currentColor"',
    "patch": 'fill="none"',
    **dict.fromkeys(("step", "back", "knowledge", "norm"), 'fill="none" stroke="currentColor"'),
    "head": 'fill="currentColor"',
}


def render(picture: str) -> str:
    """Return one output that is a picture, as high as it is."""
    return framed(picture.replace('class="g-picture"', 'class="g-picture g-whole"'))


def element(drawn: str) -> str:
    """Return an SVG element for a notebook, in a box of its own that scrolls where it is too large."""

    def plain(found: re.Match[str]) -> str:
        return f"{found[0]} {_PLAIN[found[1]]}" if found[1] in _PLAIN else found[0]

    digest = f"{crc32(drawn.encode(errors='replace')):08x}"
    kept = re.sub(r'(?<= )class="(\w+)"', plain, drawn).replace(
        "gnomon-head", f"gnomon-head-{digest}"
    )
    width = re.search(r'width="(\d+)"', kept)
    least = int(width[1]) * _SMALLEST if width else 0.0
    style = f'style="max-width:100%;height:auto;min-width:{least:.0f}px"'
    attributes = f'{style} fill="currentColor" font-family="monospace" font-size="11"'
    # A notebook that is not trusted leaves nothing of a picture but its words: they are hidden then.
    drawing = kept.replace("<svg ", f"<svg {attributes} ", 1).rstrip()
    return f'{_INSTEAD}<div class="g-picture" style="display:none">{drawing}</div>'


def of_diagram(diagram: BoxDiagram, budget: Budget, *, titled: bool = False) -> str:
    """Return a diagram; raise `LimitReached` where the budget ends before it is drawn."""
    part = diagram_svg.draw(diagram, budget, titled=titled)
    return element(document(diagram.title, [part], "notebook"))


def of_graph(graph: StateGraph, budget: Budget) -> str:
    """Return the picture of a graph; raise `LimitReached` where the budget ends before it is drawn."""
    return of_diagram(state_diagram(graph, budget), budget)


def asked_graph(graph: StateGraph, budget: Budget) -> str:
    """Return the picture of a graph that somebody asked for, or why there is none."""
    if len(graph.nodes) > MOST_BOXES:
        return paragraph(
            quoted(
                f"{len(graph.nodes):,} states and {len(graph.edges):,} arrows are too many to look at here. "
                "`.svg()`, `.dot()` and `.tikz()` have all of them; `graph(limit=100)` has the first ones, "
                "and `graph(agents=[…])` takes states together that agree on some agents."
            )
        )
    try:
        return of_graph(graph, budget)
    except LimitReached as limit:
        return paragraph(quoted(f"The picture was not drawn: {limit}. `.svg()` takes its time."))


def of_evidence(
    system: System,
    evidence: Evidence,
    style: PictureStyle | None = None,
    *,
    most: int = _BESIDE,
) -> str:
    """Return the picture of a piece of evidence, or a word about what it would take, or nothing."""
    if (boxes := evidence_size(evidence)) > most:
        return _too_large(boxes)
    try:
        style = style or PictureStyle(limit=most)
        picture = draw(system, evidence, style, seconds=SECONDS / 2)
        if picture.is_empty:
            return ""
        boxes = sum(len(diagram.nodes) for diagram in picture.diagrams)
        if boxes > 2 * most:
            return _too_large(boxes)
        return element(svg.draw_in_notebook(picture, Budget(SECONDS / 2)))
    except LimitReached:
        return _too_large(0)


def _too_large(boxes: int) -> str:
    many = f"{boxes:,} boxes are" if boxes else "It is"
    return paragraph(
        quoted(f"{many} too much for a picture here; `.evidence.graph().svg()` draws all of it."),
        "g-soft",
    )


def asked_evidence(system: System, evidence: Evidence, style: PictureStyle) -> str:
    """Return a picture of evidence that somebody asked for."""
    return of_evidence(system, evidence, style, most=MOST_BOXES)
