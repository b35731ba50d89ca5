"""A graph as JSON."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.step import NO_LIMIT
from gnomon.results.data import Object, of_actions, of_state
from gnomon.results.graph import PartOfGraph, StateGraph, StateNode, StepEdge, first_states
from gnomon.results.projection import is_shown
from gnomon.results.render.json import compact, dumps

T = TypeVar("T")

#: The part of the time for states; the rest is for the steps among them.
_STATES: Final = 0.6


def render(graph: StateGraph, budget: Budget = NO_LIMIT) -> str:
    """Return nodes, steps and links, in the shape that `schema/graph.json` publishes."""
    return render_part(graph, budget).text


def render_part(graph: StateGraph, budget: Budget = NO_LIMIT) -> PartOfGraph:
    """Return the same of the first states and steps for which there is time: of one state, at least."""
    nodes, why = _written(graph.nodes, lambda node: _of_node(node, graph), budget.share(_STATES))
    if why:
        graph = first_states(graph, len(nodes), why)
    steps, cut = _written(graph.edges, lambda edge: _of_step(edge, graph), budget)
    links = [
        {"left": link.left, "right": link.right, "agents": list(link.agents)}
        for link in graph.links
    ]
    classes = [{"agent": some.agent, "nodes": list(some.nodes)} for some in graph.classes]
    incomplete = {node.number for node in graph.nodes if node.has_more_steps}
    incomplete.update(edge.source for edge in graph.edges[len(steps) :])
    parts = {
        "nodes": _array(nodes),
        "steps": _array(steps),
        "links": _below(links),
        "classes": _below(classes),
        "cut": _below(graph.cut or bool(cut)),
        "incomplete": _below(sorted(incomplete)),
    }
    inside = ",\n".join(f'  "{name}": {text}' for name, text in parts.items())
    return PartOfGraph(f"{{\n{inside}\n}}\n", graph.states, why or cut)


def _written(
    items: Iterable[T], of_item: Callable[[T], Object], budget: Budget
) -> tuple[list[str], str]:
    """Return the first items as JSON, one after the other, and what was in the way of the others."""
    found: list[str] = []
    try:
        for item in items:
            if found:
                budget.check("writing", len(found))
            found.append(compact(of_item(item), indent=2).replace("\n", "\n    "))
    except LimitReached as limit:
        return found, str(limit)
    return found, ""


def _array(items: list[str]) -> str:
    return "[\n    " + ",\n    ".join(items) + "\n  ]" if items else "[]"


def _below(value: object) -> str:
    return dumps(value).rstrip("\n").replace("\n", "\n  ")


def _of_step(edge: StepEdge, graph: StateGraph) -> Object:
    return {
        "source": edge.source,
        "target": edge.target,
        "actions": [of_actions(actions, graph.system) for actions in edge.actions],
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
