"""A diagram as lines of a graph in the language of Graphviz."""

from collections.abc import Iterator

from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode
from gnomon.results.render.markup import in_dot
from gnomon.results.render.svg_theme import CHIPS

#: How all graphs begin.
HEADER = (
    "  rankdir=TB;",
    '  node [shape=box, style=rounded, fontname="monospace", fontsize=10];',
    '  edge [fontname="monospace", fontsize=9];',
)

_KINDS = {
    "goal": ', color="#0b6e4f", fillcolor="#e3f4ec", style="rounded,filled"',
    "lost": ', color="#b42318", fillcolor="#fbe9e7", style="rounded,filled"',
    "stuck": ', style="rounded,dashed"',
}


def note_lines(diagram: BoxDiagram) -> Iterator[str]:
    """Yield the notes as the label of what is around, each on a line."""
    if diagram.notes:
        text = "".join(f"{in_dot(note)}\\l" for note in diagram.notes)
        yield f'label="{text}"; labelloc=b; labeljust=l;'


def draw(diagram: BoxDiagram, prefix: str = "n") -> Iterator[str]:
    """Yield the nodes and edges; names of nodes begin with `prefix`."""
    for node in diagram.nodes:
        yield _node(node, prefix)
    for edge in diagram.edges:
        yield _edge(edge, prefix)


def cluster(diagram: BoxDiagram, number: int) -> Iterator[str]:
    """Yield a diagram as one of several parts, with all that is said about it."""
    yield f"subgraph cluster_part{number} {{"
    said = "".join(f"{in_dot(line)}\\l" for line in (diagram.title, *diagram.notes))
    yield f'  label="{said}"; labeljust=l; style=dotted; color=gray;'
    yield from (f"  {line}" for line in draw(diagram, f"p{number}n"))
    yield "}"


def _node(node: DiagramNode, prefix: str) -> str:
    lines = (node.title, *node.lines, *map(str, node.looks))
    label = "\\n".join(map(in_dot, lines))
    looks = ", penwidth=2" if node.initial else ""
    if node.kind != "plain":
        looks += _KINDS[node.kind]
    elif node.looks:
        ground = CHIPS[(node.looks[0].number - 1) % len(CHIPS)]
        looks += f', fillcolor="{ground}", style="rounded,filled"'
    return f'{prefix}{node.number} [label="{label}"{looks}];'


def _edge(edge: DiagramEdge, prefix: str) -> str:
    label = "\\n".join(in_dot(line.text) for line in edge.label)
    return f'{prefix}{edge.source} -> {prefix}{edge.target} [label="{label}"];'
