"""Cubes: sets of states for the environment, for `self` and for other agents, with facts beside them."""

from collections.abc import Iterable
from typing import TypeAlias

from gnomon.engines.parameterised.ground_facts import NOTHING, Literals
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.text.record import Record

#: Agents that a cube demands: the template of each, and the states it may be in.
AgentSets: TypeAlias = tuple[tuple[str, LocalSet], ...]


class AgentCube(Record):
    """States of the environment, of `self` (-1 where there is none), of other agents, and facts.

    The other agents are different from each other and from `self`. `every` limits all agents of a template
    but `self`.
    """

    environment: LocalSet
    own: LocalSet
    others: AgentSets = ()
    facts: Literals = NOTHING
    every: AgentSets = ()


#: What two cubes may have in common: one set of states, agents, facts, and what limits every agent.
_Rest: TypeAlias = tuple[LocalSet, AgentSets, Literals, AgentSets]


def joined(cubes: Iterable[AgentCube]) -> list[AgentCube]:
    """Return the cubes with those joined that differ in the environment, or in `self`, only."""
    by_rest: dict[_Rest, LocalSet] = {}
    for cube in cubes:
        key = (cube.own, cube.others, cube.facts, cube.every)
        by_rest[key] = by_rest.get(key, 0) | cube.environment
    again: dict[_Rest, LocalSet] = {}
    for (own, others, facts, every), environment in by_rest.items():
        rest = (environment, others, facts, every)
        again[rest] = again.get(rest, 0) | own
    return [AgentCube(rest[0], own, *rest[1:]) for rest, own in again.items()]


def absorbed(cubes: list[AgentCube]) -> list[AgentCube]:
    """Return the cubes without those that another one contains."""
    kept: list[AgentCube] = []
    for cube in sorted(cubes, key=lambda c: (len(c.others), len(c.facts), len(c.every))):
        if not any(_contains(other, cube) for other in kept):
            kept.append(cube)
    return kept


def _contains(wide: AgentCube, narrow: AgentCube) -> bool:
    return (
        not narrow.environment & ~wide.environment
        and not narrow.own & ~wide.own
        and wide.facts <= narrow.facts
        and (not wide.every or wide.every == narrow.every)
        and matches(wide.others, narrow.others)
    )


def environment_classes(states: LocalSet, cubes: Iterable[AgentCube]) -> list[LocalSet]:
    """Return the environment's states in classes, by which cubes hold in them."""
    classes = [states] if states else []
    for environment in dict.fromkeys(cube.environment for cube in cubes):
        halves = [(each & environment, each & ~environment) for each in classes]
        classes = [half for pair in halves for half in pair if half]
    return classes


def matches(wide: AgentSets, narrow: AgentSets) -> bool:
    """Return whether the agents of `wide` can be found, all different, among those of `narrow`."""
    if len(wide) > len(narrow):
        return False
    taken = [-1] * len(narrow)
    candidates = [
        [n for n, (other, mask) in enumerate(narrow) if other == template and not mask & ~wanted]
        for template, wanted in wide
    ]

    def place(agent: int, seen: set[int]) -> bool:
        for candidate in candidates[agent]:
            if candidate not in seen:
                seen.add(candidate)
                if taken[candidate] < 0 or place(taken[candidate], seen):
                    taken[candidate] = agent
                    return True
        return False

    return all(place(agent, set()) for agent in range(len(wide)))
