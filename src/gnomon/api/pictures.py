"""Pictures of models and of evidence, which show themselves in a notebook."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gnomon.api.asking import must_be_number
from gnomon.api.conversions import networkx_graph
from gnomon.api.saving import SavedPicture
from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.evidence_tree import MOST_BOXES, evidence_size
from gnomon.results.graph import StateGraph, reachable_graph
from gnomon.results.projection import PictureStyle
from gnomon.results.render.evidence import dot as evidence_dot
from gnomon.results.render.evidence import mermaid as evidence_mermaid
from gnomon.results.render.evidence import svg as evidence_svg
from gnomon.results.render.evidence import tikz as evidence_tikz
from gnomon.results.render.graph import dot, mermaid, svg, tikz

if TYPE_CHECKING:
    from networkx import MultiDiGraph

#: Finding the states of a picture takes no longer than this.
_SECONDS = 20.0


class Picture(SavedPicture):
    """A graph that shows itself in a notebook.

    >>> import gnomon
    >>> picture = gnomon.load("examples/tickets.ispl").graph()
    >>> picture
    <picture of 4 states>
    >>> picture.svg()[:4], picture.dot()[:7], picture.mermaid()[:9], "tikzpicture" in picture.tikz()
    ('<svg', 'digraph', 'flowchart', True)
    """

    def __init__(self, graph: StateGraph) -> None:
        """Draw this graph."""
        self.graph = graph

    def svg(self) -> str:
        """Return the picture as SVG."""
        return svg.render(self.graph)

    def dot(self) -> str:
        """Return the graph for Graphviz."""
        return dot.render(self.graph)

    def mermaid(self) -> str:
        """Return the graph for Mermaid."""
        return mermaid.render(self.graph)

    def tikz(self) -> str:
        """Return the graph as a `tikzpicture`, for papers."""
        return tikz.render(self.graph)

    def to_networkx(self) -> "MultiDiGraph[int]":
        """Return the states and steps as a graph of networkx, which has to be installed.

        A node has the `state`, the `propositions` that hold in it, and whether it is `initial` or a
        `deadlock`; there is an edge for each joint action, with its `actions`.

        >>> import gnomon, networkx
        >>> graph = gnomon.load("examples/tickets.ispl").graph(limit=4).to_networkx()
        >>> graph.nodes[0]["state"], graph.nodes[0]["propositions"]
        ({'Environment': {'waiting': 0}}, ('empty',))
        >>> networkx.shortest_path_length(graph, 0, 3)
        3
        """
        return networkx_graph(self.graph)

    def __repr__(self) -> str:
        """Show how much there is to see."""
        count = len(self.graph.nodes)
        more = " and more" if self.graph.cut else ""
        return f"<picture of {count} state{'' if count == 1 else 's'}{more}>"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import drawing  # only notebooks want it

        return drawing.render(drawing.asked_graph(self.graph, Budget(_SECONDS)))

    def _repr_svg_(self) -> str | None:
        """Return it for where there is no HTML, such as papers; None where nobody could read it."""
        return self.svg() if len(self.graph.nodes) <= MOST_BOXES else None


class EvidencePicture(SavedPicture):
    """The runs, strategies and answers of a piece of evidence, which show themselves in a notebook.

    >>> import gnomon
    >>> picture = gnomon.load("examples/tickets.ispl").check("AG !full")[0].evidence.graph()
    >>> picture
    <picture of a counterexample>
    >>> picture.svg()[:4], picture.dot()[:7], picture.mermaid()[:9], "tikzpicture" in picture.tikz()
    ('<svg', 'digraph', 'flowchart', True)
    """

    def __init__(self, evidence: Evidence, system: System, style: PictureStyle) -> None:
        """Draw this evidence, in which `style` says what is shown."""
        self._given = (system, evidence, style)

    def svg(self) -> str:
        """Return the picture as SVG."""
        return evidence_svg.render(*self._given)

    def dot(self) -> str:
        """Return the picture for Graphviz."""
        return evidence_dot.render(*self._given)

    def mermaid(self) -> str:
        """Return the picture for Mermaid."""
        return evidence_mermaid.render(*self._given)

    def tikz(self) -> str:
        """Return the pictures in TikZ, for papers."""
        return evidence_tikz.render(*self._given)

    def __repr__(self) -> str:
        """Show what is in it."""
        return f"<picture of a {self._given[1].kind}>"

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import drawing  # only notebooks want it

        return drawing.render(drawing.asked_evidence(*self._given))

    def _repr_svg_(self) -> str | None:
        """Return it for where there is no HTML, such as papers; None where nobody could read it."""
        _, evidence, _ = self._given
        return self.svg() if evidence_size(evidence) <= MOST_BOXES else None


def state_picture(
    system: System, limit: int, knowledge: Sequence[str], style: PictureStyle
) -> Picture:
    """Return a picture of reachable states; refuse agents that there are not."""
    must_be_number("limit", limit, 0)
    watching = names_of(knowledge)
    for name in (*watching, *(style.agents or ())):
        if name not in system.agent_index:
            known = ", ".join(agent.name for agent in system.agents)
            msg = f"there is no agent `{name}`: there are {known}"
            raise ValueError(msg)
    return Picture(reachable_graph(system, limit, watching, Budget(_SECONDS), style))


def names_of(given: Sequence[str]) -> tuple[str, ...]:
    """Return some names, each once; a single one may be given as it is."""
    return (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))
