"""What agents consider possible: all states that look the same to them, exactly, however many there are."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from gnomon.checking.reachable_work import on_reachable_states
from gnomon.engines.algebra import Algebra
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget
from gnomon.model.expression import And, Compare, Expression, Literal, Read
from gnomon.model.step import State
from gnomon.model.system import System

#: Some states, and how many there are in all.
CountedStates: TypeAlias = tuple[tuple[State, ...], int]


def states_possible(
    system: System, state: State, agents: Sequence[str], limit: int, budget: Budget
) -> tuple[str, list[CountedStates]]:
    """Return the engine and, for each agent, the states that look to it like this one.

    These are the states that knowledge is about: all that can be reached and, under fairness, start a fair
    run. Up to `limit` of them are listed, this one first where it is one. Raises `LimitReached`.
    """
    looks = [_look(system, name, state) for name in agents]
    return on_reachable_states(system, partial(_listed, system, state, looks, limit), budget)


def _look(system: System, name: str, state: State) -> Expression:
    """Return the condition that holds in all states that look to an agent like this one."""
    agent, environment = system.agent(name), system.environment.name
    places = [(name, variable.name) for variable in agent.variables]
    places += [(environment, seen) for seen in agent.sees]
    return And(
        tuple(
            Compare("=", Read(*place), Literal(state[system.position[place]])) for place in places
        )
    )


def _listed(
    system: System,
    state: State,
    looks: list[Expression],
    limit: int,
    algebra: Algebra[Any],
    budget: Budget,
) -> tuple[str, list[CountedStates]]:
    universe = Satisfaction(algebra, system.fairness).frame().universe
    found = []
    for look in looks:
        inside = algebra.intersection(algebra.where(look), universe)
        some = tuple(budget.watching(_some(algebra, inside, state, limit), "states"))
        found.append((some, algebra.count(inside)))
    # An engine is known by the folder that it lives in.
    return type(algebra).__module__.split(".")[2], found


def _some(algebra: Algebra[Any], states: Any, first: State, limit: int) -> Iterator[State]:
    """Yield up to so many of the states, one of them first if it is there."""
    here = algebra.intersection(states, algebra.where(_exactly(algebra.system, first)))
    left = algebra.difference(states, here)
    if limit and not algebra.is_empty(here):
        yield first
        limit -= 1
    while limit and not algebra.is_empty(left):
        found = algebra.pick(left)
        left = algebra.difference(left, algebra.only(found))
        yield found
        limit -= 1


def _exactly(system: System, state: State) -> Expression:
    pairs = zip(system.variables, state, strict=True)
    return And(tuple(Compare("=", Read(v.agent, v.name), Literal(value)) for v, value in pairs))
