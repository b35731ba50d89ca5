"""Random fairness constraints: on states, of time and of knowledge, and on what is done in a step."""

from dataclasses import replace
from random import Random

from gnomon.model import expression as typed
from gnomon.model import formula as f
from gnomon.model.agent import Agent
from gnomon.model.observers import with_observers
from gnomon.model.system import Specification, System
from tests.systems import random_condition, random_formula


def fairly(rng: Random, system: System, *, steps: float = 0.35) -> System:
    """Return the system with fairness constraints, that often on actions, which observers remember."""
    return with_observers(replace(system, fairness=any_fairness(rng, system, steps=steps)))


def any_fairness(rng: Random, system: System, *, steps: float = 0.35) -> tuple[Specification, ...]:
    """Return up to three fairness constraints, as they are written, that often some on actions."""
    fairness = random_fairness(rng, system)
    if rng.random() < steps and any(agent.actions for agent in system.agents):
        return (*random_step_fairness(rng, system), *fairness[: rng.choice((0, 0, 1))])
    return fairness


def random_fairness(rng: Random, system: System) -> tuple[Specification, ...]:
    """Return one or two fairness constraints."""
    found = []
    for _ in range(rng.choice((1, 1, 2))):
        # A disjunction is met more often, so that more models have fair paths at all.
        formula = random_formula(rng, system, rng.choice((0, 0, 1)), "bool ctl know")
        if rng.random() < 0.5:
            formula = f.Or((formula, f.Proposition(rng.choice("pqr"))))
        found.append(Specification(formula, "fair"))
    return tuple(found)


def random_step_condition(rng: Random, system: System) -> f.Formula:
    """Return a condition on steps that looks at actions."""
    acting: list[Agent] = [agent for agent in system.agents if agent.actions]
    does: list[f.Formula] = []
    for _ in range(2):
        agent = rng.choice(acting)
        does.append(f.StateCondition(typed.Does(agent.name, rng.choice(agent.actions))))
    state = f.StateCondition(random_condition(rng, system.variables, 1))
    other: f.Formula = rng.choice([state, does[1], f.Norm(rng.choice(system.agents).name, True)])
    match rng.randrange(10):
        case 0:
            return f.Not(does[0])
        case 1:
            return f.And((does[0], other))
        case 2:
            return f.Or((f.Not(does[0]), other))
        case 3:
            return f.Implies(does[0], other)
        case 4:
            return f.Iff(does[0], other)
        case 5 | 6 | 7:
            # A disjunction is met more often, so that more models have fair paths at all.
            return f.Or((does[0], does[1]))
        case _:
            return does[0]


def random_step_fairness(rng: Random, system: System) -> tuple[Specification, ...]:
    """Return up to three constraints, of which the first looks at actions."""
    conditions = [random_step_condition(rng, system) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.3:
        state = f.StateCondition(random_condition(rng, system.variables, 1))
        conditions.insert(rng.randrange(2), state)
    return tuple(Specification(each, f.show_formula(each)) for each in conditions)
