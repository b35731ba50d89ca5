"""Groups as pictures in TikZ, for papers."""

from gnomon.results.drawing.lattice import lattices
from gnomon.results.groups import WhoReport
from gnomon.results.render.diagram_tikz import draw
from gnomon.results.styled import Page


def render(report: WhoReport, _page: Page = Page()) -> str:
    """Return a `tikzpicture` for each kind of group."""
    parts = [draw(each, prefix=f"p{number}n") for number, each in enumerate(lattices(report), 1)]
    return "\n".join(parts)
