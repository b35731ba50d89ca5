"""Groups in the language of Mermaid, which many web pages draw by themselves."""

from gnomon.results.drawing.lattice import lattices
from gnomon.results.groups import WhoReport
from gnomon.results.render.diagram_mermaid import subgraph
from gnomon.results.styled import Page


def render(report: WhoReport, _page: Page = Page()) -> str:
    """Return a flowchart with a box for each kind of group."""
    parts = [
        line for number, each in enumerate(lattices(report), 1) for line in subgraph(each, number)
    ]
    return "\n".join(["flowchart TD", *(f"  {line}" for line in parts), ""])
