"""What has an influence on what: which variables may be hidden at first, and which to show next.

Hidden variables are neither true nor false: an action that depends on them may be enabled. So all that agents
do because of them is taken together, for all agents at once, as long as a formula can be decided without.
"""

from collections.abc import Iterable
from typing import Final

from gnomon.engines.abstraction.partition import Partition
from gnomon.engines.diagrams.bit_layout import bits_of
from gnomon.model import formula as logic
from gnomon.model.agent import Agent
from gnomon.model.expression import Read, actors, reads
from gnomon.model.system import System

#: With more bits than this for what is kept exactly, it is hidden until it is needed.
_MANY_BITS: Final = 40


def with_little_shown(partition: Partition, formulae: Iterable[logic.Formula]) -> Partition:
    """Return the partition with all hidden that formulae do not speak of, where there is much of it."""
    system = partition.system
    exact = [v for v in system.variables if Read(v.agent, v.name) not in partition.coarse]
    if sum(map(bits_of, exact)) <= _MANY_BITS:
        return partition
    kept: set[Read] = set()
    for formula in formulae:
        kept |= spoken_of(system, formula)
    hidden = frozenset(Read(variable.agent, variable.name) for variable in exact) - kept
    return partition.refined((), hidden)


def spoken_of(system: System, formula: logic.Formula) -> set[Read]:
    """Return the variables that a formula looks at, and those that its agents see or go by."""
    found: set[Read] = set()
    for part in logic.walk(formula):
        match part:
            case logic.Proposition(name):
                found |= reads(system.propositions[name])
            case logic.StateCondition(expression):
                found |= reads(expression)
            case logic.Norm(agent, _):
                found |= reads(red) if (red := system.agent(agent).red) is not None else set()
            case logic.Knows(agent, _) | logic.Obliged(agent, _):
                found |= _seen_by(system, agent)
            case logic.GroupKnows(_, group, _):
                for name in group.members:
                    found |= _seen_by(system, name)
            case logic.Enforces(group, _):
                for name in group.members:
                    found |= _protocol_reads(system.agent(name))
            case _:
                continue
    return found


def _seen_by(system: System, name: str) -> set[Read]:
    agent = system.agent(name)
    own = {Read(name, variable.name) for variable in agent.variables}
    return own | {Read(system.environment.name, seen) for seen in agent.sees}


def _protocol_reads(agent: Agent) -> set[Read]:
    return {read for line in agent.protocol for read in reads(line.condition)}


def next_to_show(partition: Partition) -> frozenset[Read]:
    """Return what is hidden and decides how what is shown changes; if nothing does, what enables actions."""
    system, hidden = partition.system, partition.hidden
    near: set[Read] = set()
    watched: set[str] = set()
    for agent in system.agents:
        own = {Read(agent.name, variable.name) for variable in agent.variables} - hidden
        for line in agent.evolution:
            assigned = {Read(agent.name, item.variable) for item in line.assignments}
            if assigned & own:
                near |= reads(line.guard)
                for item in line.assignments:
                    near |= reads(item.value)
                    watched |= actors(item.value)
                watched |= actors(line.guard)
    if near & hidden:
        return frozenset(near & hidden)
    for name in watched:
        near |= _protocol_reads(system.agent(name))
    return frozenset(near & hidden)
