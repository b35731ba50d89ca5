"""Reachable states as a diagram."""

from collections.abc import Sequence
from typing import Final

from gnomon.model.budget import Budget
from gnomon.model.step import NO_LIMIT
from gnomon.results.drawing.bundles import MOST_LINES, ArrowWords, few_lines, options
from gnomon.results.drawing.diagram import (
    WIDE,
    BoxDiagram,
    BoxKind,
    DiagramEdge,
    DiagramNode,
    LabelLine,
    Look,
    shortened,
)
from gnomon.results.drawing.state_words import StateWords, look_notes, looks
from gnomon.results.graph import StateGraph, StateNode, StepEdge
from gnomon.results.styled import fill

#: With more arrows than these, each has one line of words, or none.
_MANY: Final = 150
_TOO_MANY: Final = 900
#: Larger numbers of states are told with two places.
_EXACTLY: Final = 1_000_000


def state_diagram(graph: StateGraph, budget: Budget = NO_LIMIT) -> BoxDiagram:
    """Return the picture of a graph, with a word about all that is left out.

    Raises `LimitReached` where the budget ends before it is done.
    """
    words = StateWords(
        graph.system,
        [node.state for node in graph.nodes],
        graph.style,
        cut=graph.cut or graph.start is not None,
        only=graph.told,
    )
    states = [node.states for node in graph.nodes]
    classes = looks(graph.system, states, graph.watching)
    seen = look_notes(graph.system, states, classes, graph.watching)
    pairs = budget.watching(zip(graph.nodes, classes, strict=True), "drawing")
    nodes = tuple(_node(graph, node, words, some) for node, some in pairs)
    return BoxDiagram(
        graph.system.name or "model",
        nodes,
        _edges(graph, budget),
        (*_notes(graph), *words.notes(), *seen),
    )


def _node(
    graph: StateGraph, node: StateNode, words: StateWords, some: tuple[Look, ...]
) -> DiagramNode:
    title = str(node.number)
    if node.size > 1:
        title = f"{title} ({_counted(node.size)} states)"
    lines = list(words.lines(node.state))
    if node.propositions:
        lines += fill([f"⊨ {node.propositions[0]}", *node.propositions[1:]], WIDE, "  ", ", ")
    if node.sometimes:
        names = [f"{name}?" for name in node.sometimes]
        lines += fill([f"⊨ {names[0]}", *names[1:]], WIDE, "  ", ", ")
    if node.stuck:
        lines.append("no step")
    elif node.has_more_steps:
        lines.append("… more steps")
    kind: BoxKind = "stuck" if node.stuck else "plain"
    first = node.initial if graph.start is None else node.number == graph.start
    return DiagramNode(node.number, title, tuple(lines), some, first, kind)


def _counted(number: int) -> str:
    return str(number) if number < _EXACTLY else f"{number:.2e}"


def _edges(graph: StateGraph, budget: Budget) -> tuple[DiagramEdge, ...]:
    words = ArrowWords(graph.system, graph.style)
    leaving: dict[int, list[StepEdge]] = {}
    for edge in graph.edges:
        leaving.setdefault(edge.source, []).append(edge)
    most = MOST_LINES if len(graph.edges) <= _MANY else 1
    if len(graph.edges) > _TOO_MANY:
        most = 0
    found = []
    for source, edges in budget.watching(leaving.items(), "drawing"):
        # What leads out of the picture counts: what an agent does may matter there.
        beyond = graph.nodes[source].beyond
        actions = [*(joint for edge in edges for joint in edge.actions), *(beyond or ())]
        # With a single way on there is nothing that could matter, and all of it is told.
        is_known = beyond is not None and len(edges) + bool(beyond) > 1
        free = options(actions, len(graph.system.agents)) if is_known else {}
        found += [_edge(edge, words.lines(edge.actions, free), most) for edge in edges]
    return tuple(found)


def _edge(edge: StepEdge, lines: Sequence[str], most: int) -> DiagramEdge:
    shown = few_lines(lines, most) if most > 1 else _one_line(lines)
    label = tuple(map(LabelLine, shown)) if most else ()
    return DiagramEdge(edge.source, edge.target, label, " / ".join(lines))


def _one_line(lines: Sequence[str]) -> tuple[str, ...]:
    more = f" … {len(lines) - 1} more" if len(lines) > 1 else ""
    return tuple(shortened(line) + more for line in lines[:1])


def _notes(graph: StateGraph) -> tuple[str, ...]:
    notes = []
    if graph.cut:
        count = graph.states
        states = f"{count:,} state{'' if count == 1 else 's'}"
        notes.append(f"cut after {states}: {graph.why or 'there are more'}")
    if graph.unlooked:
        notes.append(f"not all steps of these states are here: {graph.unlooked}")
    if not graph.nodes and not graph.cut:
        notes.append("there is no initial state")
    if graph.style.agents is not None and graph.nodes:
        names = ", ".join(graph.style.agents)
        notes.append(
            f"only {names}: {graph.states:,} states in {len(graph.nodes):,} boxes, one for all that agree "
            "on these variables; an arrow is there where one of them has the step"
        )
    if graph.meaning:
        notes.append(graph.meaning)
    if any(node.sometimes for node in graph.nodes):
        notes.append("p?: holds in some of the states of a box")
    is_told = any(edge.actions for edge in graph.edges)
    if len(graph.edges) > len(graph.nodes) and len(graph.edges) <= _TOO_MANY and is_told:
        notes.append(
            "beside an arrow: what makes the difference; x|y: one of them; any: nothing does"
        )
    if len(graph.edges) > _TOO_MANY and is_told:
        notes.append(f"{len(graph.edges):,} steps: what is done in them is left out here")
    return tuple(notes)
