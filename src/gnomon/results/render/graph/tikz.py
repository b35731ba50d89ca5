"""A graph as a picture in TikZ, for papers."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import StateGraph
from gnomon.results.render.diagram_tikz import draw


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return a `tikzpicture`; raises `LimitReached` where the budget ends before it is drawn."""
    return draw(state_diagram(graph, budget), budget)
