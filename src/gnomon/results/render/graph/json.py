"""A graph as JSON."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.data import Object, of_actions, of_state
from gnomon.results.graph import StateGraph
from gnomon.results.render.json import dumps


def render(graph: StateGraph, _budget: Budget = NO_LIMIT) -> str:
    """Return nodes, steps and links, in the shape that `schema/graph.json` publishes."""
    return dumps(of_graph(graph))


def of_graph(graph: StateGraph) -> Object:
    """Return a graph as plain data."""
    system = graph.system
    return {
        "nodes": [
            {
                "id": node.number,
                "initial": node.initial,
                "state": of_state(node.state, system),
                "propositions": list(node.propositions),
            }
            for node in graph.nodes
        ],
        "steps": [
            {
                "source": edge.source,
                "target": edge.target,
                "actions": [of_actions(actions, system) for actions in edge.actions],
            }
            for edge in graph.edges
        ],
        "links": [
            {"left": link.left, "right": link.right, "agents": list(link.agents)}
            for link in graph.links
        ],
        "cut": graph.cut,
    }
