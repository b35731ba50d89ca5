"""A graph as JSON."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.data import Object, of_actions, of_state
from gnomon.results.graph import StateGraph, StateNode
from gnomon.results.projection import is_shown
from gnomon.results.render.json import dumps


def render(graph: StateGraph, _budget: Budget = NO_LIMIT) -> str:
    """Return nodes, steps and links, in the shape that `schema/graph.json` publishes."""
    return dumps(of_graph(graph))


def of_graph(graph: StateGraph) -> Object:
    """Return a graph as plain data."""
    system = graph.system
    return {
        "nodes": [_of_node(node, graph) for node in graph.nodes],
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
        "classes": [{"agent": some.agent, "nodes": list(some.nodes)} for some in graph.classes],
        "cut": graph.cut,
    }


def _of_node(node: StateNode, graph: StateGraph) -> Object:
    state = of_state(node.state, graph.system)
    found: Object = {
        "id": node.number,
        "initial": node.initial,
        "state": {name: state[name] for name in state if is_shown(name, graph.style.agents)},
        "propositions": list(node.propositions),
    }
    if graph.style.agents is not None:
        found |= {"states": len(node.states), "sometimes": list(node.sometimes)}
    return found
