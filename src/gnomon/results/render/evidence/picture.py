"""A piece of evidence as pictures: runs, steps and what looks the same; strategies and answers as diagrams.

Runs of different branches share nothing, even where they pass through equal states: they are
different stories. Only a run that goes on from a state of another run starts at that very state.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gnomon.model.budget import Budget
from gnomon.model.evidence import Evidence, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.drawing.answers import clash_diagrams, defence_diagram
from gnomon.results.drawing.diagram import BoxDiagram
from gnomon.results.drawing.outcomes import can_be_drawn, outcome_diagram
from gnomon.results.evidence_tree import (
    EvidenceTree,
    NumberedRun,
    PlacedExplanation,
    RunPosition,
    bare,
    evidence_tree,
)
from gnomon.results.projection import NewValue, PictureStyle, changes, places, rule_lines, taken
from gnomon.results.styled import fill

#: How wide the words in a box and beside an arrow may get, in letters.
_WIDE = 38
#: A longer formula is cut; the title has all of it.
_LONGEST = 64
#: So many seconds are for following outcomes; what was found by then is drawn.
_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class FormulaMark:
    """A part of the formula, and its value in the state it stands at."""

    formula: str
    value: bool

    def __str__(self) -> str:
        """Show a tick or a cross before the formula, which is cut where it is long."""
        cut = len(self.formula) > _LONGEST
        shown = f"{self.formula[: _LONGEST - 1]}…" if cut else self.formula
        return f"{'✓' if self.value else '✗'} {shown}"


@dataclass(frozen=True, slots=True)
class PictureNode:
    """A state of a run: its place, what is new in it, and the parts of the formula that matter."""

    place: RunPosition
    title: str
    lines: tuple[str, ...]
    marks: tuple[FormulaMark, ...] = ()
    initial: bool = False

    @property
    def text(self) -> tuple[str, ...]:
        """Return all that is written in its box."""
        return (self.title, *self.lines, *map(str, self.marks))

    @property
    def name(self) -> str:
        """Return a name that all languages of graphs allow."""
        return name_of(self.place)


@dataclass(frozen=True, slots=True)
class PictureEdge:
    """A step, or (`back`) the one that closes a loop, with its actions and the rules it used."""

    source: RunPosition
    target: RunPosition
    lines: tuple[str, ...]
    back: bool = False


@dataclass(frozen=True, slots=True)
class PictureLink:
    """Two states that some agents cannot tell apart, or (norm) one that counts for the other."""

    left: RunPosition
    right: RunPosition
    agents: tuple[str, ...]
    kind: Literal["knowledge", "norm"] = "knowledge"

    @property
    def label(self) -> str:
        """Return who is concerned, and how."""
        who = ", ".join(self.agents) or "nobody"
        return f"same for {who}" if self.kind == "knowledge" else f"green for {who}"


@dataclass(frozen=True, slots=True)
class Column:
    """One run: its number, its title, and its own states in order."""

    number: int
    title: str
    nodes: tuple[PictureNode, ...]


@dataclass(frozen=True, slots=True)
class RunPicture:
    """All there is to draw, run by run."""

    title: str
    columns: tuple[Column, ...]
    edges: tuple[PictureEdge, ...]
    links: tuple[PictureLink, ...]
    #: What coalitions can do, and why they cannot.
    diagrams: tuple[BoxDiagram, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to see."""
        return not self.columns and not self.diagrams

    @property
    def nodes(self) -> tuple[PictureNode, ...]:
        """Return the states of all runs."""
        return tuple(node for column in self.columns for node in column.nodes)


def name_of(place: RunPosition) -> str:
    """Return the name of a state: run and position."""
    return f"r{place.run}s{place.position}"


def draw(
    system: System,
    evidence: Evidence,
    style: PictureStyle = PictureStyle(),
    name: str = "",
    seconds: float = _SECONDS,
) -> RunPicture:
    """Return the picture of a piece of evidence, in which `style` says what is shown.

    Its title is the formula, after its name where it has one. Following outcomes takes no longer than so many
    seconds.
    """
    tree = evidence_tree(evidence)
    marks = _marks(tree)
    formula = bare(evidence.explanation.formula) if evidence.explanation else ""
    title = f"{name}: {formula}" if name else formula
    diagrams = _diagrams(system, evidence, style, Budget(seconds))
    if diagrams and not _tells(tree):
        return RunPicture(title, (), (), (), diagrams)
    columns = tuple(
        Column(numbered.number, _title(tree, numbered), _nodes(system, numbered, marks, style))
        for numbered in tree.runs
    )
    edges = tuple(edge for numbered in tree.runs for edge in _edges(system, numbered, style))
    links = tuple(link for placed in _all(tree) if (link := _link(placed)) is not None)
    return RunPicture(title, columns, edges, tuple(dict.fromkeys(links)), diagrams)


def _tells(tree: EvidenceTree) -> bool:
    """Return whether the runs are more than the state in which a strategy starts."""
    return len(tree.runs) > 1 or any(
        len(numbered.run.steps) > 1 or numbered.run.loop is not None for numbered in tree.runs
    )


def _diagrams(
    system: System, evidence: Evidence, style: PictureStyle, budget: Budget
) -> tuple[BoxDiagram, ...]:
    """Return strategies with their outcomes, and why there is none."""
    return (
        *(
            outcome_diagram(system, strategy, style, budget)
            for strategy in evidence.strategies
            if can_be_drawn(system, strategy)
        ),
        *(defence_diagram(system, defence, style) for defence in evidence.defences),
        *(
            diagram
            for clashes in evidence.clashes
            for diagram in clash_diagrams(system, clashes, style)
        ),
    )


def _all(tree: EvidenceTree) -> tuple[PlacedExplanation, ...]:
    return tuple(tree.root.walk()) if tree.root is not None else ()


def _title(tree: EvidenceTree, numbered: NumberedRun) -> str:
    return f"run {numbered.number}" if len(tree.runs) > 1 else "run"


def _marks(tree: EvidenceTree) -> dict[RunPosition, dict[FormulaMark, None]]:
    """Return the parts of the formula that are explained, each at the state it is about."""
    marks: dict[RunPosition, dict[FormulaMark, None]] = {}
    for placed in _all(tree):
        if placed.here is not None:
            why = placed.explanation
            marks.setdefault(placed.here, {})[FormulaMark(bare(why.formula), why.value)] = None
    return marks


def _nodes(
    system: System,
    numbered: NumberedRun,
    marks: dict[RunPosition, dict[FormulaMark, None]],
    style: PictureStyle,
) -> tuple[PictureNode, ...]:
    nodes = []
    before = None
    for position, step in enumerate(numbered.run.steps):
        place = numbered.place(position)
        if place.run == numbered.number:
            since: State | None = None if style.full_states else before
            new = changes(system, since, step.state, style.agents)
            title = str(position)
            lines = _by_agent(new) or ("no change",)
            start = position == 0 and step.actions is None
            found = tuple(marks.get(place, ()))
            nodes.append(PictureNode(place, title, lines, found, initial=start))
        before = step.state
    return tuple(nodes)


def _by_agent(new: list[NewValue]) -> tuple[str, ...]:
    """Return values grouped by agent, on lines that are not too wide."""
    values: dict[str, list[str]] = {}
    for agent, name, value in new:
        values.setdefault(agent, []).append(f"{name} = {value}")
    return tuple(
        line
        for agent, items in values.items()
        for line in fill([f"{agent}: {items[0]}", *items[1:]], _WIDE, "  ", ", ")
    )


def _edges(system: System, numbered: NumberedRun, style: PictureStyle) -> list[PictureEdge]:
    run = numbered.run
    edges = [
        PictureEdge(
            numbered.place(position), numbered.place(position + 1), _said(system, after, style)
        )
        for position, (_, after) in enumerate(pairwise(run.steps))
    ]
    if run.loop is not None:
        lines = _said(system, run.back, style) if run.back is not None else ()
        edges.append(PictureEdge(numbered.last, numbered.place(run.loop), lines, back=True))
    return edges


def _said(system: System, step: Step, style: PictureStyle) -> tuple[str, ...]:
    """Return the joint action of a step, then the lines of the rules it used."""
    acted = [
        f"{agent}: {action}"
        for agent, action in taken(system, step, style.agents)
        if style.shows(agent, action)
    ]
    lines = fill(acted, _WIDE, "", ", ") if acted else []
    rules = rule_lines(step, places(system, style.agents)) if style.line_numbers else ""
    return (*lines, rules) if rules else tuple(lines)


def _link(placed: PlacedExplanation) -> PictureLink | None:
    here, there, why = placed.here, placed.there, placed.explanation
    if here is None or there is None:
        return None
    match why.relation:
        case "knowledge":
            return PictureLink(here, there, why.agents)
        case "norm":
            return PictureLink(here, there, why.agents, "norm")
        case _:
            return None
