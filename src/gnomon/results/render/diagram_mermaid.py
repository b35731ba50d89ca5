"""A diagram as lines of a flowchart in the language of Mermaid."""

from collections.abc import Iterator

from gnomon.results.drawing.diagram import BoxDiagram, DiagramNode
from gnomon.results.render.markup import in_mermaid
from gnomon.results.render.svg_theme import CHIPS

_KINDS = {
    "goal": "fill:#e3f4ec,stroke:#0b6e4f",
    "lost": "fill:#fbe9e7,stroke:#b42318",
    "stuck": "stroke-dasharray:4 3",
}


def draw(diagram: BoxDiagram, prefix: str = "n") -> Iterator[str]:
    """Yield the nodes, edges and notes; names of nodes begin with `prefix`."""
    for node in diagram.nodes:
        lines = (node.title, *node.lines, *map(str, node.looks))
        yield f'{prefix}{node.number}("{_lines(lines)}")'
    for edge in diagram.edges:
        label = f'|"{_lines(tuple(line.text for line in edge.label))}"|' if edge.label else ""
        yield f"{prefix}{edge.source} -->{label} {prefix}{edge.target}"
    if diagram.notes:
        yield f'{prefix}_notes["{_lines(diagram.notes)}"]'
        yield f"style {prefix}_notes fill:none,stroke:none,text-align:left"
    for node in diagram.nodes:
        if looks := _looks(node):
            yield f"style {prefix}{node.number} {looks}"


def subgraph(diagram: BoxDiagram, number: int) -> Iterator[str]:
    """Yield a diagram as one of several parts, with its title."""
    yield f'subgraph part{number}["{in_mermaid(diagram.title)}"]'
    yield from (f"  {line}" for line in draw(diagram, f"p{number}n"))
    yield "end"


def _looks(node: DiagramNode) -> str:
    looks = ["stroke-width:3px"] if node.initial else []
    if node.kind != "plain":
        looks.append(_KINDS[node.kind])
    elif node.looks:
        looks.append(f"fill:{CHIPS[(node.looks[0].number - 1) % len(CHIPS)]},color:#1f2933")
    return ",".join(looks)


def _lines(texts: tuple[str, ...]) -> str:
    return "<br/>".join(map(in_mermaid, texts))
