"""A graph in the language of Mermaid, which many web pages draw by themselves."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.graph import StateGraph, StateNode, edge_labels, node_lines
from gnomon.results.render.markup import in_mermaid


def render(graph: StateGraph, _budget: Budget = NO_LIMIT) -> str:
    """Return a flowchart: steps are arrows, links of knowledge dotted lines."""
    lines = ["flowchart TD"]
    if graph.cut:
        lines.append(f"  %% cut: there are more than these {len(graph.nodes)} states")
    lines += [f"  {_node(graph, node)}" for node in graph.nodes]
    for edge in graph.edges:
        label = "<br/>".join(map(in_mermaid, edge_labels(edge)))
        lines.append(f'  n{edge.source} -->|"{label}"| n{edge.target}')
    for link in graph.links:
        label = in_mermaid(", ".join(link.agents))
        lines.append(f'  n{link.left} -. "{label}" .- n{link.right}')
    if graph.cut:
        lines.append(f'  cut["cut after {len(graph.nodes)} states"]')
    first = len(graph.edges)
    if graph.links:
        numbers = ",".join(str(first + index) for index in range(len(graph.links)))
        lines.append(f"  linkStyle {numbers} stroke:#c0392b,color:#c0392b")
    initial = ",".join(f"n{node.number}" for node in graph.nodes if node.initial)
    if initial:
        lines += ["  classDef initial stroke-width:3px", f"  class {initial} initial"]
    return "\n".join([*lines, ""])


def _node(graph: StateGraph, node: StateNode) -> str:
    return f'n{node.number}("{"<br/>".join(map(in_mermaid, node_lines(graph, node)))}")'
