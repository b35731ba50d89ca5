"""Agents as cards: what each has, sees and may do, how it changes, and where that stands in the text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from gnomon.checking.populating import TemplateFacts
from gnomon.language import syntax
from gnomon.model.agent import ENVIRONMENT, Agent, EvolutionLine, Variable
from gnomon.model.expression import Expression, show
from gnomon.model.printing import shown_size
from gnomon.model.system import System
from gnomon.results.data import Object
from gnomon.results.describe import seen_by
from gnomon.results.drawing.diagram import shortened
from gnomon.text.source import Source, Span

#: What is longer is cut: nobody reads it on a card.
_MOST_PARTS: Final = 2_000
_LONGEST: Final = 600
#: So many lines of all agents together, and of one at least, are on cards.
_MOST_LINES: Final = 6_000
_FEWEST_LINES: Final = 10


def condition_text(expression: Expression) -> str:
    """Return a condition or value as ISPL writes it, cut where it is very long."""
    return "…" if shown_size(expression) > _MOST_PARTS else shortened(show(expression), _LONGEST)


def base_name(name: str) -> str:
    """Return the name of a family: `coin` for `coin[1]`."""
    return name.partition("[")[0]


@dataclass(frozen=True, slots=True)
class ProgramPlaces:
    """Where the parts of a program stand, by the names that their families have."""

    source: Source
    program: syntax.Program

    def line(self, span: Span) -> int:
        """Return the line in which something begins."""
        return self.source.line_of(span)

    def end_line(self, span: Span) -> int:
        """Return the line in which something ends."""
        return self.source.location(max(span.start, span.end - 1)).line

    def agent(self, name: str) -> syntax.Agent | None:
        """Return an agent as it is written; the environment may be written nowhere."""
        base = base_name(name)
        for agent in self.program.agents:
            is_environment = agent.kind == "environment"
            if (name == ENVIRONMENT) if is_environment else agent.name.text == base:
                return agent
        return None

    def propositions(self) -> dict[str, int]:
        """Return the lines of propositions by the names of their families."""
        lines = syntax.each_line(self.program.evaluation or ())
        return {line.name.text: self.line(line.span) for line in lines}


def agent_cards(
    system: System, places: ProgramPlaces, template_of: Mapping[str, str]
) -> list[Object]:
    """Return the cards of a system's agents; `template_of` says of which template an agent is one."""
    shown = [agent for agent in system.agents if not agent.observer]
    most = _lines_of_each(shown)
    found = []
    for agent in shown:
        written = places.agent(template_of.get(agent.name, agent.name))
        if written is not None or agent.variables or agent.actions:
            found.append(_agent_card(system, agent, places, written, most))
    return found


def template_cards(facts: Iterable[TemplateFacts], places: ProgramPlaces) -> list[Object]:
    """Return the cards of the environment and of the templates, whose lines are told as they are written."""
    every = list(facts)
    most = _lines_of_each(every)
    names = [each.name for each in every]
    return [
        _template_card(each, names, places, places.agent(each.name), most)
        for each in every
        if each.is_template or each.variables or each.actions
    ]


def _lines_of_each(agents: Sequence[object]) -> int:
    return max(_FEWEST_LINES, _MOST_LINES // max(1, len(agents)))


def _agent_card(
    system: System, agent: Agent, places: ProgramPlaces, written: syntax.Agent | None, most: int
) -> Object:
    seeing = {variable.name: seen_by(system, variable) for variable in agent.variables}
    protocol = [
        _rule(condition_text(line.condition), line.actions, line.line)
        for line in agent.protocol[:most]
    ]
    if agent.other is not None:
        protocol.append(_rule("Other", agent.other, _other_line(places, written)))
    return {
        "name": agent.name,
        "template": False,
        **_place(places, written),
        "variables": _variables(agent.variables, seeing, places, written),
        "sees": list(agent.sees),
        "actions": list(agent.actions),
        "protocol": [*protocol, *_more_rules(len(agent.protocol) - most)],
        "evolution": [
            *_changes(agent.evolution[:most], places, written),
            *_more_changes(len(agent.evolution) - most),
        ],
        "red": None if agent.red is None else condition_text(agent.red),
    }


def _template_card(
    facts: TemplateFacts,
    names: Sequence[str],
    places: ProgramPlaces,
    written: syntax.Agent | None,
    most: int,
) -> Object:
    own = [facts.name]
    seeing = {
        variable.name: [*own, *(n for n in names if n != facts.name)] if variable.observed else own
        for variable in facts.variables
    }
    protocol = [] if written is None else list(syntax.each_line(written.protocol or ()))
    evolution = [] if written is None else list(syntax.each_line(written.evolution or ()))
    source = places.source
    rules = []
    for rule in protocol[:most]:
        said = "Other" if rule.condition is None else source.on_one_line(rule.condition.span)
        actions = [source.on_one_line(name.span) for name in rule.actions]
        rules.append(_rule(shortened(said, _LONGEST), actions, places.line(rule.span)))
    changes = [
        _change(_written_change(source, line), places.line(line.span)) for line in evolution[:most]
    ]
    return {
        "name": facts.name,
        "template": facts.is_template,
        **_place(places, written),
        "variables": _variables(facts.variables, seeing, places, written),
        "sees": list(facts.sees),
        "actions": list(facts.actions),
        "protocol": [*rules, *_more_rules(len(protocol) - most)],
        "evolution": [*changes, *_more_changes(len(evolution) - most)],
        "red": None,
    }


def _place(places: ProgramPlaces, written: syntax.Agent | None) -> Object:
    if written is None:
        return {"line": None, "end_line": None}
    return {"line": places.line(written.span), "end_line": places.end_line(written.span)}


def _variables(
    variables: Iterable[Variable],
    seeing: Mapping[str, list[str]],
    places: ProgramPlaces,
    written: syntax.Agent | None,
) -> list[Object]:
    declared = () if written is None else (*(written.variables or ()), *(written.observed or ()))
    lines = {each.name.text: places.line(each.span) for each in syntax.each_line(declared)}
    return [
        {
            "name": variable.name,
            "domain": shortened(str(variable.domain), _LONGEST),
            "seen_by": seeing[variable.name],
            "line": lines.get(base_name(variable.name)),
        }
        for variable in variables
    ]


def _rule(condition: str, actions: Iterable[str], line: int) -> Object:
    return {"condition": condition, "actions": list(actions), "line": line or None}


def _change(text: str, line: int) -> Object:
    return {"text": text, "line": line or None}


def _more_rules(left: int) -> list[Object]:
    return [_rule(f"… {left:,} more lines", (), 0)] if left > 0 else []


def _more_changes(left: int) -> list[Object]:
    return [_change(f"… {left:,} more lines", 0)] if left > 0 else []


def _other_line(places: ProgramPlaces, written: syntax.Agent | None) -> int:
    lines = syntax.each_line(() if written is None else written.protocol or ())
    return next((places.line(line.span) for line in lines if line.condition is None), 0)


def _changes(
    lines: Sequence[EvolutionLine], places: ProgramPlaces, written: syntax.Agent | None
) -> Iterator[Object]:
    """Yield what changes; where a line was written out as several, it is told once, as it is written."""
    evolution = () if written is None else written.evolution or ()
    known = {places.line(each.span): each for each in syntax.each_line(evolution)}
    for number, group in groupby(lines, lambda line: line.line):
        first, *more = group
        if more and number in known:
            yield _change(_written_change(places.source, known[number]), number)
        else:
            yield from (_change(_change_text(line), number) for line in (first, *more))


def _change_text(line: EvolutionLine) -> str:
    assigned = (f"{each.variable} = {condition_text(each.value)}" for each in line.assignments)
    return f"{' and '.join(assigned)} if {condition_text(line.guard)}"


def _written_change(source: Source, line: syntax.EvolutionLine) -> str:
    return shortened(source.on_one_line(line.span).removesuffix(";").rstrip(), _LONGEST)
