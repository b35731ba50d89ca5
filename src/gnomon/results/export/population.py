"""A model with templates as an ordinary program, with a definite number of agents of each template."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace as changed
from math import prod
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import size_of
from gnomon.model.expression import (
    And,
    Compare,
    Expression,
    Literal,
    Not,
    Read,
    reads,
    substituted,
)
from gnomon.model.formula import Formula, show_formula
from gnomon.model.parameterised import condition as conditions
from gnomon.model.parameterised.condition import Condition, Equal, Exists, Forall, Lookup, Related
from gnomon.model.parameterised.grounding import Grounding, NotFinite, fresh
from gnomon.model.parameterised.instance import instance, named
from gnomon.model.parameterised.system import Knowledge, OpenSystem, Part
from gnomon.model.system import Specification, System
from gnomon.results.export.fold import folded, mapped
from gnomon.results.export.ispl import CannotExport, Export, render
from gnomon.text.limits import room_to_recurse
from gnomon.text.record import replace

#: The most agents, and the most conditions that all guards together may become.
MOST_AGENTS: Final = 1_000
_MOST_CONDITIONS: Final = 200_000

_ASK_GNOMON: Final = (
    "leave those formulae out with --no-knowledge, or ask them of any number: gnomon check"
)


def export_population(system: OpenSystem, numbers: Mapping[str, int], model: str) -> Export:
    """Return the program with so many agents of each template."""
    members = _members(system, numbers)
    sizes = {part.name: numbers[part.name] for part in system.templates}
    # That one agent is alone in what it does says something of every pair, several times.
    alone = 4 * sum(kind == "one" for kind in system.sync.values()) * len(members) ** 2
    check_size(system, sizes, (*sizes.items(), (ENVIRONMENT, 1)), alone)
    try:
        with room_to_recurse():
            written = without_idle_facts(system, folded(instance(system, members)))
    except NotFinite as reason:
        raise CannotExport(str(reason)) from None
    written, kept, warnings = _readable(system, written, members)
    asked, notes = as_asked(written)
    header = [f"Exported by Gnomon from {model}, with {_crowd(sizes)}.", kept]
    return Export(render(asked, header, notes), warnings)


def _members(system: OpenSystem, numbers: Mapping[str, int]) -> tuple[str, ...]:
    within = {part.name: _nearest(part, numbers[part.name]) for part in system.templates}
    for part in system.templates:
        if numbers[part.name] != within[part.name]:
            raise CannotExport(
                f"`{part.name}` has {_bounds(part)}, not {numbers[part.name]}: "
                f"write --agents {spelled(within)}"
            )
    if sum(numbers.values()) > MOST_AGENTS:
        raise CannotExport(f"more than {MOST_AGENTS:,} agents are not written out: take fewer")
    return tuple(part.name for part in system.templates for _ in range(numbers[part.name]))


def _nearest(part: Part, number: int) -> int:
    return max(part.low, number if part.high is None else min(number, part.high))


def _bounds(part: Part) -> str:
    if part.high is None:
        return f"at least {part.low} agent{'' if part.low == 1 else 's'}"
    if part.low == part.high:
        return f"exactly {part.low} agent{'' if part.low == 1 else 's'}"
    return f"{part.low} to {part.high} agents"


def spelled(numbers: Mapping[str, int]) -> str:
    """Return how many agents there are, as the command line says it."""
    return ",".join(f"{name}={number}" for name, number in numbers.items())


def _crowd(numbers: Mapping[str, int]) -> str:
    crowd = [f"{number} of {name}" for name, number in numbers.items()]
    total = sum(numbers.values())
    agents = f"{total} agent{'' if total == 1 else 's'}"
    return (
        f"{agents}: {', '.join(crowd)}" if len(crowd) > 1 else f"{agents} of {next(iter(numbers))}"
    )


# How long it gets


def check_size(
    system: OpenSystem,
    numbers: Mapping[str, int],
    parts: Iterable[tuple[str, int]],
    more: int = 0,
) -> None:
    """Refuse what would be too long; `parts` says how often the guards of each are written.

    `numbers` is how many agents of each template a quantifier runs through.
    """
    sizes = {
        name: sum(_size(system, guard, numbers) for guard in part.guards.values())
        for name, part in system.part.items()
    }
    sizes[""] = sum(_size(system, what, numbers) for what in system.propositions.values())
    total = more + sum(sizes[name] * times for name, times in (*parts, ("", 1)))
    if total > _MOST_CONDITIONS:
        raise CannotExport(
            f"written out, the guards become more than {_MOST_CONDITIONS:,} conditions: "
            "take fewer agents, or smaller types"
        )


def _size(system: OpenSystem, condition: Condition, numbers: Mapping[str, int]) -> int:
    match condition:
        case Exists(_, template, body) | Forall(_, template, body):
            return 1 + numbers.get(template, 0) * _size(system, body, numbers)
        case Related(relation, arguments):
            return _lookup_size(system, Lookup(relation, arguments))
        case Equal(left, right):
            return sum(_lookup_size(system, side) for side in (left, right))
        case _:
            return 1 + sum(_size(system, part, numbers) for part in conditions.parts(condition))


def _lookup_size(system: OpenSystem, term: conditions.Term) -> int:
    if not isinstance(term, Lookup):
        return 1
    relation = system.relations[term.relation]
    open_ = [
        column
        for column, argument in zip(relation.columns, term.arguments, strict=True)
        if not isinstance(argument, Literal)
    ]
    cases = prod(size_of(column) or 1 for column in open_)
    values = (relation.result and size_of(relation.result)) or 1
    return cases * values * prod(_lookup_size(system, each) for each in term.arguments)


# Who reads what


def without_idle_facts(system: OpenSystem, written: System) -> System:
    """Return a system that has been worked out without the facts of relations that nothing depends on."""
    asked = [written.initial, *written.propositions.values()]
    for item in written.specifications:
        asked += [f.expression for f in logic.walk(item.formula) if isinstance(f, logic.Condition)]
    used = frozenset().union(*map(reads, asked), *map(_read, written.agents))
    facts = {variable.name for variable in Grounding(system).facts.values()}
    environment, *others = written.agents
    kept = tuple(
        variable
        for variable in environment.variables
        if variable.name not in facts or Read(ENVIRONMENT, variable.name) in used
    )
    return changed(written, agents=(replace(environment, variables=kept), *others))


def _readable(
    system: OpenSystem, written: System, members: tuple[str, ...]
) -> tuple[System, str, tuple[str, ...]]:
    """Return the system so that agents see what they read, what is kept of the model, and warnings."""
    knowledge = any(isinstance(question.query, Knowledge) for question in system.questions)
    looking = next((agent for agent in written.agents if _others(agent)), None)
    if looking is not None:
        if knowledge:
            raise CannotExport(
                f"the guards of {_whose(looking, members)} look at other agents: in ISPL everybody would "
                f"have to see their variables, which changes what agents know; {_ASK_GNOMON}"
            )
        said = (
            "What agents know is not kept: guards look at other agents, so that all variables "
            "belong to the environment, and everybody sees them."
        )
        moved = _moved(written)
        return _opened(moved), f"What so many agents can reach is as in the model. {said}", (said,)
    hidden = {agent.name: _hidden(agent) for agent in written.agents[1:]}
    if not any(hidden.values()):
        return (
            written,
            "What so many agents can reach, and what they know then, is as in the model.",
            (),
        )
    if knowledge:
        raise _cannot_know(system, written, members)
    said = "What agents know is not kept: to read what their guards ask, they see more."
    return _opened(written), f"What so many agents can reach is as in the model. {said}", ()


def _whose(agent: Agent, members: tuple[str, ...]) -> str:
    if agent.is_environment:
        return "the environment"
    return f"`{_template_of(agent, members)}`"


def _template_of(agent: Agent, members: tuple[str, ...]) -> str:
    return dict(zip(named(members), members, strict=True))[agent.name]


def _read(agent: Agent) -> frozenset[Read]:
    """Return all that an agent's lines read."""
    asked = [line.condition for line in agent.protocol]
    for line in agent.evolution:
        asked += [line.guard, *(item.value for item in line.assignments)]
    return frozenset().union(*map(reads, asked))


def _others(agent: Agent) -> bool:
    return any(read.agent not in (agent.name, ENVIRONMENT) for read in _read(agent))


def _hidden(agent: Agent) -> list[str]:
    """Return the environment's variables that an agent reads and does not see."""
    found = {read.variable for read in _read(agent) if read.agent == ENVIRONMENT}
    return sorted(found - set(agent.sees))


def _cannot_know(system: OpenSystem, written: System, members: tuple[str, ...]) -> CannotExport:
    relation = {variable.name: place[0] for place, variable in Grounding(system).facts.items()}
    for agent in written.agents[1:]:
        hidden = _hidden(agent)
        template = _template_of(agent, members) if hidden else ""
        for name in hidden:
            if name in relation:
                return CannotExport(
                    f"`{template}` asks relation `{relation[name]}`: in ISPL it would have to see the facts, "
                    f"which changes what it knows; {_ASK_GNOMON}"
                )
        if hidden:
            seen = [v.name for v in system.environment.variables if v.observed]
            listed = [name for name in system.part[template].sees if name not in seen]
            return CannotExport(
                f"the guards of `{template}` read `Environment.{hidden[0]}`, which it does not observe, so "
                "that ISPL cannot keep what it knows: "
                f"write `Lobsvars = {{ {', '.join([*listed, *hidden])} }};` in the template"
            )
    raise AssertionError


def _opened(system: System) -> System:
    """Return the system in which agents see what they read."""
    environment, *others = system.agents
    opened = (replace(agent, sees=(*agent.sees, *_hidden(agent))) for agent in others)
    return changed(system, agents=(environment, *opened))


def _moved(system: System) -> System:
    """Return the system in which all variables are the environment's, and agents see those of agents."""
    environment, *others = system.agents
    taken = {variable.name for variable in environment.variables}
    places: dict[Read, Expression] = {}
    variables: list[Variable] = []
    for agent in others:
        for variable in agent.variables:
            name = fresh(f"{agent.name}_{variable.name}", taken)
            taken.add(name)
            variables.append(Variable(ENVIRONMENT, name, variable.domain, observed=True))
            places[Read(agent.name, variable.name)] = Read(ENVIRONMENT, name)
    everything = replace(
        environment,
        variables=(*environment.variables, *variables),
        evolution=tuple(line for agent in system.agents for line in _moved_lines(agent, places)),
        protocol=_moved_protocol(environment, places),
    )
    seen = tuple(variable.name for variable in variables)
    left = (
        replace(
            agent,
            variables=(),
            evolution=(),
            sees=(*agent.sees, *seen),
            protocol=_moved_protocol(agent, places),
        )
        for agent in others
    )
    return changed(
        system,
        agents=(everything, *left),
        initial=substituted(system.initial, places),
        propositions={name: substituted(e, places) for name, e in system.propositions.items()},
        specifications=tuple(
            changed(item, formula=_moved_formula(item.formula, places))
            for item in system.specifications
        ),
    )


def _moved_protocol(agent: Agent, places: Mapping[Read, Expression]) -> tuple[ProtocolLine, ...]:
    return tuple(
        replace(line, condition=substituted(line.condition, places)) for line in agent.protocol
    )


def _moved_lines(agent: Agent, places: Mapping[Read, Expression]) -> Iterator[EvolutionLine]:
    for line in agent.evolution:
        assigned = []
        for item in line.assignments:
            target = places.get(Read(agent.name, item.variable), Read(agent.name, item.variable))
            assert isinstance(target, Read)
            assigned.append(Assignment(target.variable, substituted(item.value, places)))
        yield EvolutionLine(tuple(assigned), substituted(line.guard, places), line.line)


def _moved_formula(formula: Formula, places: Mapping[Read, Expression]) -> Formula:
    match formula:
        case logic.Condition(expression):
            return logic.Condition(substituted(expression, places))
        case _:
            return mapped(formula, lambda part: _moved_formula(part, places))


# Formulae


def as_asked(system: System) -> tuple[System, dict[int, str]]:
    """Return the system with formulae that ask of all initial states what was asked of some, and notes."""
    alone = _starts_in_one(system)
    notes: dict[int, str] = {}
    asked: list[Specification] = []
    before = ""
    for number, item in enumerate(system.specifications):
        match item.formula:
            case logic.Exists(logic.Finally(bad)) if not alone:
                turned = logic.All(logic.Globally(logic.Not(bad)))
                notes[number] = (
                    f"{item.text}, the other way round, since there are several initial states: "
                    "some of them can reach it if and only if this is false."
                )
                asked.append(changed(item, formula=turned))
            case formula:
                if item.text not in (before, show_formula(formula)):
                    notes[number] = item.text
                asked.append(item)
        before = item.text
    return changed(system, specifications=tuple(asked)), notes


def _starts_in_one(system: System) -> bool:
    """Return whether there is plainly one initial state: every variable has its value."""
    operands = system.initial.operands if isinstance(system.initial, And) else (system.initial,)
    fixed: set[Read] = set()
    for operand in operands:
        match operand:
            case Compare("=", Read() as read, Literal()) | (Read() as read) | Not(Read() as read):
                fixed.add(read)
            case _:
                pass
    return fixed >= {Read(variable.agent, variable.name) for variable in system.variables}
