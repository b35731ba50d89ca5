"""Agents that see what their guards read, as ISPL asks, where that leaves the questions as they are.

In a program with templates a guard may look at other agents, and at facts that the agent does not observe.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace as changed
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.expression import Expression, Read, substituted
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula
from gnomon.model.parameterised.grounding import Grounding, fresh
from gnomon.model.parameterised.instance import named
from gnomon.model.parameterised.ordinary import read_by
from gnomon.model.parameterised.query import Epistemic, Knowledge
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System
from gnomon.model.translation import CannotExport
from gnomon.text.record import replace

_ASK_GNOMON: Final = (
    "leave those formulae out with --no-knowledge, or ask them of any number: gnomon check"
)


def readable(
    system: OpenSystem, written: System, members: tuple[str, ...]
) -> tuple[System, str, tuple[str, ...]]:
    """Return the system so that agents see what they read, what is kept of the model, and warnings."""
    knowledge = any(
        isinstance(question.query, Knowledge | Epistemic) for question in system.questions
    )
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


def _others(agent: Agent) -> bool:
    return any(read.agent not in (agent.name, ENVIRONMENT) for read in read_by(agent))


def _hidden(agent: Agent) -> list[str]:
    """Return the environment's variables that an agent reads and does not see."""
    found = {read.variable for read in read_by(agent) if read.agent == ENVIRONMENT}
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
                f"the lines of `{template}` read `Environment.{hidden[0]}`, which it does not observe, so "
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
        terminal=None if system.terminal is None else substituted(system.terminal, places),
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
        case logic.StateCondition(expression):
            return logic.StateCondition(substituted(expression, places))
        case _:
            return mapped(formula, lambda part: _moved_formula(part, places))
