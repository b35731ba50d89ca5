"""Groups as pictures in SVG, with no other program needed."""

from gnomon.results.drawing.lattice import lattices
from gnomon.results.group_words import question
from gnomon.results.groups import WhoReport
from gnomon.results.render.diagram_svg import draw
from gnomon.results.render.svg_pieces import document
from gnomon.results.styled import Page


def render(report: WhoReport, _page: Page = Page()) -> str:
    """Return a whole SVG document with a picture of each kind of group."""
    return document(question(report), [draw(each, titled=True) for each in lattices(report)])
