"""A piece of evidence as a small graph: the states of its runs, the steps, and what looks the same.

Runs of different branches share nothing, even where they pass through equal states: they are
different stories. Only a run that goes on from a state of another run starts at that very state.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gnomon.model.evidence import Evidence, Step
from gnomon.model.system import System
from gnomon.results.projection import Agents, NewValue, changes, places, rule_lines, taken
from gnomon.results.styled import fill
from gnomon.results.telling import Place, Strand, Telling, Told, bare, tell

#: How wide the words in a box and beside an arrow may get, in letters.
_WIDE = 38
#: A longer formula is cut; the title has all of it.
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of the formula, and its value in the state it stands at."""

    formula: str
    value: bool

    def __str__(self) -> str:
        """Show a tick or a cross before the formula, which is cut where it is long."""
        cut = len(self.formula) > _LONGEST
        shown = f"{self.formula[: _LONGEST - 1]}…" if cut else self.formula
        return f"{'✓' if self.value else '✗'} {shown}"


@dataclass(frozen=True, slots=True)
class Node:
    """A state of a run: its place, what is new in it, and the parts of the formula that matter."""

    place: Place
    title: str
    lines: tuple[str, ...]
    marks: tuple[Mark, ...] = ()
    initial: bool = False

    @property
    def name(self) -> str:
        """Return a name that all languages of graphs allow."""
        return name_of(self.place)


@dataclass(frozen=True, slots=True)
class Edge:
    """A step, or (`back`) the one that closes a loop, with its actions and the rules it used."""

    source: Place
    target: Place
    lines: tuple[str, ...]
    back: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Two states that some agents cannot tell apart, or (norm) one that counts for the other."""

    left: Place
    right: Place
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
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """All there is to draw, run by run."""

    title: str
    columns: tuple[Column, ...]
    edges: tuple[Edge, ...]
    links: tuple[Link, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Return the states of all runs."""
        return tuple(node for column in self.columns for node in column.nodes)


def name_of(place: Place) -> str:
    """Return the name of a state: run and position."""
    return f"r{place.run}s{place.position}"


def draw(system: System, evidence: Evidence, agents: Agents = None) -> Picture:
    """Return the picture of a piece of evidence, of some agents only where they are given."""
    told = tell(evidence)
    marks = _marks(told)
    title = bare(evidence.explanation.formula) if evidence.explanation else ""
    columns = tuple(
        Column(strand.number, _title(told, strand), _nodes(system, strand, marks, agents))
        for strand in told.strands
    )
    edges = tuple(edge for strand in told.strands for edge in _edges(system, strand, agents))
    links = tuple(link for telling in _all(told) if (link := _link(telling)) is not None)
    return Picture(title, columns, edges, tuple(dict.fromkeys(links)))


def _all(told: Told) -> tuple[Telling, ...]:
    return tuple(told.telling.walk()) if told.telling is not None else ()


def _title(told: Told, strand: Strand) -> str:
    return f"run {strand.number}" if len(told.strands) > 1 else "run"


def _marks(told: Told) -> dict[Place, dict[Mark, None]]:
    """Return the parts of the formula that are explained, each at the state it is about."""
    marks: dict[Place, dict[Mark, None]] = {}
    for telling in _all(told):
        if telling.here is not None:
            why = telling.explanation
            marks.setdefault(telling.here, {})[Mark(bare(why.formula), why.value)] = None
    return marks


def _nodes(
    system: System, strand: Strand, marks: dict[Place, dict[Mark, None]], agents: Agents
) -> tuple[Node, ...]:
    nodes = []
    before = None
    for position, step in enumerate(strand.run.steps):
        place = strand.place(position)
        if place.run == strand.number:
            new = changes(system, before, step.state, agents)
            title = str(position)
            lines = _by_agent(new) or ("no change",)
            start = position == 0 and step.actions is None
            found = tuple(marks.get(place, ()))
            nodes.append(Node(place, title, lines, found, initial=start))
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


def _edges(system: System, strand: Strand, agents: Agents) -> list[Edge]:
    run = strand.run
    edges = [
        Edge(strand.place(position), strand.place(position + 1), _said(system, after, agents))
        for position, (_, after) in enumerate(pairwise(run.steps))
    ]
    if run.loop is not None:
        lines = _said(system, run.back, agents) if run.back is not None else ()
        edges.append(Edge(strand.last, strand.place(run.loop), lines, back=True))
    return edges


def _said(system: System, step: Step, agents: Agents) -> tuple[str, ...]:
    """Return the joint action of a step, then the lines of the rules it used."""
    acted = [f"{agent}: {action}" for agent, action in taken(system, step, agents)]
    lines = fill(acted, _WIDE, "", ", ") if acted else []
    rules = rule_lines(step, places(system, agents))
    return (*lines, rules) if rules else tuple(lines)


def _link(telling: Telling) -> Link | None:
    here, strand, why = telling.here, telling.strand, telling.explanation
    if here is None or strand is None:
        return None
    match why.relation:
        case "knowledge":
            return Link(here, strand.last, why.agents)
        case "norm":
            return Link(here, strand.last, why.agents, "norm")
        case _:
            return None
