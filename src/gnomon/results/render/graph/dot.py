"""A graph in the language of Graphviz."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.state_diagram import state_diagram
from gnomon.results.graph import StateGraph
from gnomon.results.render.diagram_dot import HEADER, draw, note_lines


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return a digraph: steps are arrows; states of one colour look the same to the first agent asked.

    Raises `LimitReached` where the budget ends before it is drawn.
    """
    diagram = state_diagram(graph, budget)
    lines = [*note_lines(diagram), *budget.watching(draw(diagram), "drawing")]
    return "\n".join(["digraph gnomon {", *HEADER, *(f"  {line}" for line in lines), "}", ""])
