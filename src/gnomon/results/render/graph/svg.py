"""A graph as a picture of its own, in SVG, with no other program needed."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import StateGraph
from gnomon.results.render.diagram_svg import draw
from gnomon.results.render.svg_pieces import document


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return a whole SVG document; raises `LimitReached` where the budget ends before it is drawn."""
    diagram = state_diagram(graph, budget)
    return document(diagram.title, [draw(diagram, budget)])
