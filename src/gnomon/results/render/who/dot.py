"""Groups in the language of Graphviz."""

from gnomon.results.drawing.lattice import lattices
from gnomon.results.groups import WhoReport
from gnomon.results.render.diagram_dot import HEADER, cluster
from gnomon.results.styled import Page


def render(report: WhoReport, _page: Page = Page()) -> str:
    """Return a digraph with a cluster for each kind of group."""
    parts = [
        line for number, each in enumerate(lattices(report), 1) for line in cluster(each, number)
    ]
    return "\n".join(["digraph who {", *HEADER, *(f"  {line}" for line in parts), "}", ""])
