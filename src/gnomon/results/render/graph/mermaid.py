"""A graph in the language of Mermaid, which many web pages draw by themselves."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import StateGraph
from gnomon.results.render.diagram_mermaid import draw


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return a flowchart; states of one colour look the same to the first agent asked about.

    Raises `LimitReached` where the budget ends before it is drawn.
    """
    lines = budget.watching(draw(state_diagram(graph, budget)), "drawing")
    return "\n".join(["flowchart TD", *(f"  {line}" for line in lines), ""])
