"""Diagrams with all their coordinates, for a page that draws what it is told; and as files."""

from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

from gnomon.model.budget import Budget
from gnomon.results.data import Object
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode, shortened
from gnomon.results.drawing.layout import lay_out
from gnomon.results.drawing.measure import Rectangle
from gnomon.results.drawing.route import Route
from gnomon.results.graph import LookAlike
from gnomon.results.styled import visible
from gnomon.workbench.failure import bad_request

#: What is said in full beside an arrow is not longer than that.
_LONGEST: Final = 1_500
_EXACT: Final = 2**53 - 1
_LARGEST: Final = 10**300
#: The formats of files, each with the ending of their names.
PICTURE_FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {"svg": "svg", "tikz": "tex", "dot": "dot", "mermaid": "mmd"}
)


class BoxFacts(NamedTuple):
    """What a box stands for: the first of its states as it is sent, how many there are, an agent or a group.

    `initial` is whether an initial state is among them; None where that is as the box is drawn.
    """

    state: Object | None = None
    states: float = 0
    name: str = ""
    initial: bool | None = None


def counted(number: int) -> float:
    """Return a number of states as a browser can hold it: nearly the same where it is very large."""
    if number <= _EXACT:
        return number
    return float(number) if number < _LARGEST else float(_LARGEST)


NOTHING_KNOWN: Final[Mapping[int, BoxFacts]] = MappingProxyType({})


def drawing_data(
    diagram: BoxDiagram,
    budget: Budget,
    facts: Mapping[int, BoxFacts] = NOTHING_KNOWN,
    links: Iterable[LookAlike] = (),
    *,
    cut: bool = False,
) -> Object:
    """Return a diagram as `Drawing` in the protocol; raise `LimitReached` where the budget ends before."""
    layout = lay_out(diagram, budget)
    labels = {(edge.source, edge.target): place for edge, place in layout.labels}
    edges = {(edge.source, edge.target): edge for edge in diagram.edges}
    return {
        "title": visible(diagram.title, ""),
        "width": _rounded(layout.width),
        "height": _rounded(layout.height),
        "boxes": [
            _box(node, layout.boxes[node.number], facts.get(node.number, BoxFacts()))
            for node in diagram.nodes
        ],
        "arrows": [
            _arrow(edge, layout.ways[ends], labels.get(ends))
            for ends, edge in budget.watching(edges.items(), "drawing")
        ],
        "links": [
            {"left": link.left, "right": link.right, "agents": list(link.agents)} for link in links
        ],
        "notes": [visible(note, "") for note in diagram.notes],
        "cut": cut,
    }


def _box(node: DiagramNode, place: Rectangle, facts: BoxFacts) -> Object:
    return {
        "number": node.number,
        **_rectangle(place),
        "title": visible(node.title, ""),
        "lines": [visible(line, "") for line in node.lines],
        "looks": [{"agent": look.agent, "number": look.number} for look in node.looks],
        "initial": node.initial if facts.initial is None else facts.initial,
        "kind": node.kind,
        "state": facts.state,
        "states": facts.states,
        "name": facts.name,
    }


def _arrow(edge: DiagramEdge, way: tuple[Route, ...], place: Rectangle | None) -> Object:
    said = [{"text": visible(text, ""), "chosen": chosen} for text, chosen in edge.label]
    return {
        "source": edge.source,
        "target": edge.target,
        "path": path_text(way),
        "label": None if place is None or not said else {**_rectangle(place), "lines": said},
        "full": visible(shortened(edge.full, _LONGEST), ""),
    }


def path_text(way: tuple[Route, ...]) -> str:
    """Return lines that follow each other as one path of SVG: every line begins where the last one ends."""
    x, y = way[0].start
    text = f"M{x:.1f} {y:.1f}"
    for piece in chain.from_iterable(route.pieces for route in way):
        points = " ".join(f"{x:.1f} {y:.1f}" for x, y in piece)
        text += f" {'L' if len(piece) == 1 else 'C'}{points}"
    return text


def _rectangle(place: Rectangle) -> Object:
    return {
        "x": _rounded(place.left),
        "y": _rounded(place.top),
        "width": _rounded(place.width),
        "height": _rounded(place.height),
    }


def _rounded(number: float) -> float:
    return round(number, 1)


def picture_text(diagram: BoxDiagram, format_: str, budget: Budget) -> str:
    """Return a diagram as a file in one of `PICTURE_FORMATS`: whole, whatever is in it."""
    # Each format is rarely asked for.
    if format_ == "svg":
        from gnomon.results.render import diagram_svg
        from gnomon.results.render.svg_pieces import document

        return document(diagram.title, [diagram_svg.draw(diagram, budget)])
    if format_ == "tikz":
        from gnomon.results.render import diagram_tikz

        return diagram_tikz.draw(diagram, budget)
    if format_ == "dot":
        from gnomon.results.render import diagram_dot

        lines = [*diagram_dot.note_lines(diagram), *diagram_dot.draw(diagram)]
        inside = [*diagram_dot.HEADER, *(f"  {line}" for line in lines)]
        return "\n".join(["digraph gnomon {", *inside, "}", ""])
    if format_ == "mermaid":
        from gnomon.results.render import diagram_mermaid

        return "\n".join(["flowchart TD", *(f"  {x}" for x in diagram_mermaid.draw(diagram)), ""])
    raise bad_request(f"`format` is one of {', '.join(PICTURE_FORMATS)}")
