"""A graph in the language of Graphviz."""

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.graph import StateGraph, StateNode, edge_labels, node_lines
from gnomon.results.render.markup import in_dot


def render(graph: StateGraph, _budget: Budget = NO_LIMIT) -> str:
    """Return a digraph: steps are arrows, links of knowledge dashed red lines without heads."""
    lines = ["digraph gnomon {"]
    if graph.cut:
        lines.append(f"  // cut: there are more than these {len(graph.nodes)} states")
        lines.append(f'  label="cut after {len(graph.nodes)} states"; labelloc=b;')
    lines += [
        "  rankdir=TB;",
        '  node [shape=box, style=rounded, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    lines += [f"  {_node(graph, node)}" for node in graph.nodes]
    for edge in graph.edges:
        label = "\\n".join(map(in_dot, edge_labels(edge)))
        lines.append(f'  n{edge.source} -> n{edge.target} [label="{label}"];')
    for link in graph.links:
        label = in_dot(", ".join(link.agents))
        looks = "dir=none, style=dashed, color=red, fontcolor=red, constraint=false"
        lines.append(f'  n{link.left} -> n{link.right} [{looks}, label="{label}"];')
    return "\n".join([*lines, "}", ""])


def _node(graph: StateGraph, node: StateNode) -> str:
    label = "\\n".join(map(in_dot, node_lines(graph, node)))
    bold = ", penwidth=2" if node.initial else ""
    return f'n{node.number} [label="{label}"{bold}];'
