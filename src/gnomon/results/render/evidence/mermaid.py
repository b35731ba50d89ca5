"""Evidence in the language of Mermaid, which many web pages draw by themselves."""

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.projection import PictureStyle
from gnomon.results.render.diagram_mermaid import subgraph
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
from gnomon.results.render.markup import in_mermaid

_COLOURS = {"knowledge": "#c0392b", "norm": "#8e44ad", "back": "#2563a8"}


def explain(view: VerdictView) -> str:
    """Return the picture of a verdict."""
    return _document(picture_of(view))


def render(
    system: System, evidence: Evidence, style: PictureStyle = PictureStyle(), name: str = ""
) -> str:
    """Return a flowchart: a box a run, steps as arrows, what looks the same as dotted red lines.

    Strategies and answers are boxes, too.
    """
    return _document(draw(system, evidence, style, name))


def _document(picture: RunPicture) -> str:
    lines = ["flowchart TD", f"  %% {in_mermaid(picture.title)}"]
    for column in picture.columns:
        lines += _box(column)
    lines += [f"  {_step(edge)}" for edge in picture.edges]
    lines += [f"  {_link(link)}" for link in picture.links]
    # Mermaid knows lines by their number, in the order in which they are written.
    kinds = ["back" if edge.back else "" for edge in picture.edges]
    kinds += [link.kind for link in picture.links]
    lines += [
        f"  linkStyle {number} stroke:{_COLOURS[kind]},color:{_COLOURS[kind]}"
        for number, kind in enumerate(kinds)
        if kind
    ]
    if initial := ",".join(node.name for node in picture.nodes if node.initial):
        lines += ["  classDef initial stroke-width:3px", f"  class {initial} initial"]
    for number, diagram in enumerate(picture.diagrams, 1):
        lines += [f"  {line}" for line in subgraph(diagram, number)]
    return "\n".join([*lines, ""])


def _box(column: Column) -> list[str]:
    return [
        f'  subgraph run{column.number}["{in_mermaid(column.title)}"]',
        "    direction TB",
        *(f"    {_node(node)}" for node in column.nodes),
        "  end",
    ]


def _node(node: PictureNode) -> str:
    return f'{node.name}("{_lines(node.text)}")'


def _step(edge: PictureEdge) -> str:
    label = f'|"{_lines(edge.lines)}"|' if edge.lines else ""
    return f"{name_of(edge.source)} -->{label} {name_of(edge.target)}"


def _link(link: PictureLink) -> str:
    return f'{name_of(link.left)} -. "{in_mermaid(link.label)}" .- {name_of(link.right)}'


def _lines(texts: tuple[str, ...]) -> str:
    return "<br/>".join(map(in_mermaid, texts))
