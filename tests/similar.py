"""Systems that differ in one place from another one: what is proved of the one need not hold of the other."""

import dataclasses
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from gnomon.model.agent import Agent, Assignment, EvolutionLine
from gnomon.model.domain import IntegerRange, Integers, values_of
from gnomon.model.expression import TRUE, Arithmetic, Expression, Literal, Not, Read, Sum, reads
from gnomon.model.formula import Not as FormulaNot
from gnomon.model.system import System
from gnomon.text.record import replace

T = TypeVar("T")


def similar(rng: Random, system: System) -> System:
    """Return a system with one place changed: what starts, who may do what, what comes of it, or is seen."""
    # What is drawn here is no matter to what is drawn later: a seed still names the same systems.
    own = Random(str(rng.getstate()))
    usual = _changed_somewhere(rng, system)
    further: list[Callable[[Random, System], System | None]] = [
        *[_other_wrong] * any(agent.red is not None for agent in system.agents),
        *[_other_part] * system.interleaved,
    ]
    if not further or own.random() < 0.75:
        return usual
    return own.choice(further)(own, system) or usual


def _changed_somewhere(rng: Random, system: System) -> System:
    changes: list[Callable[[Random, System], System | None]] = [
        _other_start,
        _other_constraint,
        *[_other_agent] * 6,
    ]
    for _ in range(20):
        found = rng.choice(changes)(rng, system)
        if found is not None:
            return found
    return system


def _other_start(rng: Random, system: System) -> System:
    return dataclasses.replace(system, initial=rng.choice((TRUE, Not(system.initial))))


def _other_constraint(rng: Random, system: System) -> System | None:
    if not system.fairness:
        return None
    place = rng.randrange(len(system.fairness))
    one = system.fairness[place]
    other = dataclasses.replace(one, formula=FormulaNot(one.formula))
    left = (*system.fairness[:place], other, *system.fairness[place + 1 :])
    return dataclasses.replace(system, fairness=left if rng.random() < 0.5 else left[1:])


def _other_wrong(rng: Random, system: System) -> System:
    """Return the system in which doing right is something else for an agent."""
    place = rng.choice([n for n, agent in enumerate(system.agents) if agent.red is not None])
    agent = system.agents[place]
    assert agent.red is not None
    found = replace(agent, red=rng.choice((Not(agent.red), TRUE, None)))
    return dataclasses.replace(system, agents=_with(system.agents, place, found))


def _other_part(rng: Random, system: System) -> System | None:
    """Return the interleaved system in which an agent takes part in one more event, or in one less."""
    place = rng.randrange(len(system.agents))
    agent = system.agents[place]
    if not agent.actions:
        return None
    more = [event for event in system.events if event not in agent.actions]
    gone = rng.choice(agent.actions)
    if more and (len(agent.actions) == 1 or rng.random() < 0.5):
        found = _doing(agent, {gone: (gone, rng.choice(more))})
    elif len(agent.actions) > 1:
        found = _doing(agent, {gone: ()})
    else:
        return None
    return dataclasses.replace(system, agents=_with(system.agents, place, found))


def _doing(agent: Agent, instead: dict[str, tuple[str, ...]]) -> Agent:
    """Return an agent that has other actions in the place of some of its own."""

    def changed(actions: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for a in actions for each in instead.get(a, (a,))))

    lines = tuple(replace(line, actions=changed(line.actions)) for line in agent.protocol)
    other = None if agent.other is None else changed(agent.other)
    return replace(agent, actions=changed(agent.actions), protocol=lines, other=other)


def _other_agent(rng: Random, system: System) -> System | None:
    place = rng.randrange(len(system.agents))
    changes = (_other_protocol, _other_guard, _other_value, _fewer_lines, _sees_less)
    found = rng.choice(changes)(rng, system.agents[place])
    if found is None:
        return None
    agents = (*system.agents[:place], found, *system.agents[place + 1 :])
    return dataclasses.replace(system, agents=agents)


def _other_protocol(rng: Random, agent: Agent) -> Agent | None:
    if not agent.protocol:
        return None
    place = rng.randrange(len(agent.protocol))
    line = agent.protocol[place]
    if rng.random() < 0.5:
        changed = replace(line, condition=rng.choice((TRUE, Not(line.condition))))
    else:
        most = rng.randint(1, len(agent.actions))
        changed = replace(line, actions=tuple(rng.sample(agent.actions, most)))
    return replace(agent, protocol=_with(agent.protocol, place, changed))


def _other_guard(rng: Random, agent: Agent) -> Agent | None:
    if not agent.evolution:
        return None
    place = rng.randrange(len(agent.evolution))
    line = agent.evolution[place]
    changed = replace(line, guard=rng.choice((TRUE, Not(line.guard))))
    return replace(agent, evolution=_with(agent.evolution, place, changed))


def _other_value(rng: Random, agent: Agent) -> Agent | None:
    if not agent.evolution:
        return None
    place = rng.randrange(len(agent.evolution))
    line = agent.evolution[place]
    number = rng.randrange(len(line.assignments))
    item = line.assignments[number]
    changed = Assignment(item.variable, _changed(rng, agent, item))
    new: EvolutionLine = replace(line, assignments=_with(line.assignments, number, changed))
    return replace(agent, evolution=_with(agent.evolution, place, new))


def _changed(rng: Random, agent: Agent, item: Assignment) -> Expression:
    [domain] = [each.domain for each in agent.variables if each.name == item.variable]
    if not isinstance(domain, IntegerRange | Integers):
        return Literal(rng.choice(values_of(domain)))
    own = Read(agent.name, item.variable)
    step = Literal(rng.choice((-2, -1, 1, 2)))
    ways: list[Expression] = [Sum((item.value, step)), Sum((own, step)), own]
    # A half more is nothing at all, though rounding it down gives the same.
    twice = Sum((Arithmetic("*", Literal(2), item.value), Literal(1)))
    ways.append(Arithmetic("/", twice, Literal(2)))
    return rng.choice([way for way in ways if way != item.value or not reads(way)])


def _fewer_lines(rng: Random, agent: Agent) -> Agent | None:
    if not agent.evolution:
        return None
    place = rng.randrange(len(agent.evolution))
    return replace(agent, evolution=(*agent.evolution[:place], *agent.evolution[place + 1 :]))


def _sees_less(rng: Random, agent: Agent) -> Agent | None:
    return replace(agent, sees=agent.sees[1:]) if agent.sees and rng.random() < 1 else None


def _with(items: Sequence[T], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])
