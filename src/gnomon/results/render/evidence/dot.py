"""Evidence in the language of Graphviz."""

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.projection import PictureStyle
from gnomon.results.render.diagram_dot import HEADER, cluster
from gnomon.results.render.evidence.drawn import picture_of
from gnomon.results.render.evidence.picture import (
    Column,
    PictureEdge,
    PictureLink,
    PictureNode,
    RunPicture,
    draw,
    name_of,
)
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.markup import in_dot

_LINKS = {
    "knowledge": "style=dashed, color=red, fontcolor=red",
    "norm": "style=dotted, color=purple, fontcolor=purple",
}


def explain(view: VerdictView) -> str:
    """Return the picture of a verdict."""
    return _document(picture_of(view))


def render(
    system: System, evidence: Evidence, style: PictureStyle = PictureStyle(), name: str = ""
) -> str:
    """Return a digraph: a cluster a run, steps as arrows, what looks the same as dashed red lines.

    Strategies and answers are clusters, too.
    """
    return _document(draw(system, evidence, style, name))


def _document(picture: RunPicture) -> str:
    lines = [f'label="{in_dot(picture.title)}"; labelloc=t;']
    for column in picture.columns:
        lines += _cluster(column)
    lines += map(_step, picture.edges)
    lines += map(_link, picture.links)
    for number, diagram in enumerate(picture.diagrams, 1):
        lines += cluster(diagram, number)
    return "\n".join(["digraph evidence {", *HEADER, *(f"  {line}" for line in lines), "}", ""])


def _cluster(column: Column) -> list[str]:
    return [
        f"subgraph cluster_run{column.number} {{",
        f'  label="{in_dot(column.title)}"; style=dotted; color=gray;',
        *(f"  {_node(node)}" for node in column.nodes),
        "}",
    ]


def _node(node: PictureNode) -> str:
    bold = ", penwidth=2" if node.initial else ""
    return f'{node.name} [label="{_lines(node.text)}"{bold}];'


def _step(edge: PictureEdge) -> str:
    looks = "color=blue, fontcolor=blue, constraint=false, " if edge.back else ""
    label = _lines(edge.lines)
    return f'{name_of(edge.source)} -> {name_of(edge.target)} [{looks}label="{label}"];'


def _link(link: PictureLink) -> str:
    looks = f"dir=none, {_LINKS[link.kind]}, constraint=false"
    label = in_dot(link.label)
    return f'{name_of(link.left)} -> {name_of(link.right)} [{looks}, label="{label}"];'


def _lines(texts: tuple[str, ...]) -> str:
    return "".join(f"{in_dot(text)}\\l" for text in texts)
