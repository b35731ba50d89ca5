"""Who reads whom: agents, and what each looks at of the others when it acts and changes."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gnomon.checking.populating import template_facts, template_reads
from gnomon.model.agent import Agent
from gnomon.model.expression import Does, Expression, Read, walk
from gnomon.model.system import System
from gnomon.results.drawing.bundles import MOST_LINES, few_lines
from gnomon.results.drawing.diagram import (
    WIDE,
    BoxDiagram,
    DiagramEdge,
    DiagramNode,
    LabelLine,
    shortened,
)
from gnomon.results.styled import fill
from gnomon.workbench.bench import BenchModel
from gnomon.workbench.failure import RequestFailed

#: So many lines tell the variables of an agent, and its actions.
_LINES: Final = 3
#: With more arrows than these, each has one line of words, or none.
_MANY: Final = 60
_TOO_MANY: Final = 250
_WORDS: Final = {
    "reads": "reads x: its lines look at the variable",
    "sees": "sees x: it is in its view, and none of its lines looks at it",
    "hears": "hears a: its lines look at whether the other does that",
    "with": "with a: both do that at once",
}


class AgentReads(NamedTuple):
    """What one agent looks at of another: variables in lines, those only seen, actions, and shared ones."""

    variables: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return it in words, a line for each way to look."""
        return [
            f"{word} {', '.join(names)}" for word, names in zip(_WORDS, self, strict=True) if names
        ]


def reads_diagram(model: BenchModel) -> BoxDiagram:
    """Return the picture of who reads whom: a box an agent, whose title is its name."""
    if model.loaded.model is None:
        raise RequestFailed("unable", "nothing can be shown before the mistakes are mended")
    if model.system is not None:
        agents = [agent for agent in model.system.agents if not agent.observer]
        boxes = [(each.name, [v.name for v in each.variables], each.actions) for each in agents]
        found = dict(_of_system(model.system, agents))
    else:
        facts = template_facts(model.loaded)
        boxes = [(each.name, [v.name for v in each.variables], each.actions) for each in facts]
        found = dict(_of_templates(model))
    read = {name for ends in found for name in ends}
    shown = [box for box in boxes if box[1] or box[2] or box[0] in read]
    number_of = {name: number for number, (name, _, _) in enumerate(shown)}
    nodes = tuple(_node(number, *box) for number, box in enumerate(shown))
    most = MOST_LINES if len(found) <= _MANY else int(len(found) <= _TOO_MANY)
    edges = tuple(
        _edge(number_of[reader], number_of[other], what.lines(), most)
        for (reader, other), what in found.items()
    )
    notes = [*_notes(found.values())]
    if not most:
        notes.append(f"{len(edges):,} arrows: what is read is left out here")
    return BoxDiagram("who reads whom", nodes, edges, tuple(notes))


def _of_system(system: System, agents: list[Agent]) -> Iterator[tuple[tuple[str, str], AgentReads]]:
    environment = system.environment.name
    for place, agent in enumerate(agents):
        looked_at = set(walk(*_expressions(agent)))
        for number, other in enumerate(agents):
            if other is agent:
                continue
            names = [variable.name for variable in other.variables]
            variables = tuple(n for n in names if Read(other.name, n) in looked_at)
            views = agent.sees if other.name == environment else ()
            found = AgentReads(
                variables,
                tuple(name for name in names if name in views and name not in variables),
                tuple(name for name in other.actions if Does(other.name, name) in looked_at),
                # It is said once of two: by the first of them.
                _shared(agent, other) if system.interleaved and place < number else (),
            )
            if any(found):
                yield (agent.name, other.name), found


def _shared(agent: Agent, other: Agent) -> tuple[str, ...]:
    return tuple(name for name in agent.actions if name in other.actions)


def _expressions(agent: Agent) -> Iterator[Expression]:
    for rule in agent.protocol:
        yield rule.condition
    for line in agent.evolution:
        yield line.guard
        yield from (each.value for each in line.assignments)


def _of_templates(model: BenchModel) -> Iterator[tuple[tuple[str, str], AgentReads]]:
    environment, *templates = template_facts(model.loaded)
    found = template_reads(model.loaded)
    for each in (environment, *templates):
        for other in (environment, *templates):
            what = found.get((each.name, other.name))
            variables = () if what is None else what.variables
            views = each.sees if other is environment and each is not environment else ()
            seen = tuple(name for name in views if name not in variables)
            together = () if what is None else what.together
            if variables or seen or together:
                yield (each.name, other.name), AgentReads(variables, seen, (), together)


def _node(number: int, name: str, variables: list[str], actions: Iterable[str]) -> DiagramNode:
    lines = [*_listed("has:", variables), *_listed("does:", list(actions))]
    return DiagramNode(number, name, tuple(lines))


def _listed(word: str, names: list[str]) -> list[str]:
    if not names:
        return []
    lines = fill([f"{word} {names[0]}", *names[1:]], WIDE, "  ", ", ")
    if len(lines) > _LINES:
        lines = [*lines[:_LINES], f"  … {len(names)} in all"]
    return [shortened(line, 2 * WIDE) for line in lines]


def _edge(source: int, target: int, lines: list[str], most: int) -> DiagramEdge:
    shown = few_lines(lines) if most > 1 else [shortened(" / ".join(lines))][:most]
    label = tuple(map(LabelLine, shown))
    return DiagramEdge(source, target, label, " / ".join(lines))


def _notes(found: Iterable[AgentReads]) -> Iterator[str]:
    used = [any(each) for each in zip(*found, strict=True)]
    if not used:
        yield "nobody looks at anybody else"
    for note, is_used in zip(_WORDS.values(), used, strict=False):
        if is_used:
            yield note
