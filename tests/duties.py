"""Obligations on cells: random systems in which agents may do wrong, and what they are obliged to."""

from dataclasses import replace as replaced
from random import Random

from gnomon.model import formula as f
from gnomon.model.agent import Agent
from gnomon.model.system import System
from gnomon.text.record import replace
from tests.abstraction import States
from tests.counting import arena, hidden_counters, phases, random_partition, secrets
from tests.fairness import fairly
from tests.systems import random_condition


def obliged(rng: Random) -> States:
    """Return what agents are obliged to, inside other operators, and perhaps in fair states only."""
    system = _with_wrongs(rng, rng.choice((hidden_counters, secrets, phases, arena))(rng))
    if rng.random() < 0.4:
        named = {name: random_condition(rng, system.variables, 1) for name in "pqr"}
        system = fairly(rng, replaced(system, propositions=named), steps=0.0)
    formulae = [_duty(rng, system) for _ in range(3)]
    told = [each.formula for each in system.fairness]
    partition = random_partition(rng, system, [*formulae, *told], 0.3, (1.0, 1.0, 0.6))
    return States(partition, formulae)


def _with_wrongs(rng: Random, system: System) -> System:
    agents = [_with_wrong(rng, agent) for agent in system.agents]
    return replaced(system, agents=tuple(agents))


def _with_wrong(rng: Random, agent: Agent) -> Agent:
    if not agent.variables or rng.random() < 0.2:
        return agent
    return replace(agent, red=random_condition(rng, agent.variables, 1))


def _duty(rng: Random, system: System) -> f.Formula:
    names = [agent.name for agent in system.agents]
    body: f.Formula = f.StateCondition(random_condition(rng, system.variables, rng.choice((0, 1))))
    if rng.random() < 0.3:
        deeper = (f.Exists(f.Next(body)), f.All(f.Globally(body)), f.Knows(rng.choice(names), body))
        body = rng.choice((*deeper, f.Obliged(rng.choice(names), f.Not(body))))
    duty = f.Obliged(rng.choice(names), body)
    group = rng.choice(tuple(system.groups.values())) if system.groups else f.Group((), "none")
    kind = rng.choice(("distributed", "everybody", "common"))
    outer: tuple[f.Formula, ...] = (
        duty,
        f.Not(duty),
        f.All(f.Globally(f.Not(duty))),
        f.Exists(f.Finally(duty)),
        f.Knows(rng.choice(names), f.Not(duty)),
        f.GroupKnows(kind, group, duty),  # type: ignore[arg-type]
        f.Enforces(group, f.Next(duty)),
        f.Implies(duty, body),
        f.Iff(duty, f.Norm(rng.choice(names), red=False)),
    )
    return rng.choice(outer)
