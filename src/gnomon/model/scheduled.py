"""Interleaved systems as systems in which all agents move at once: a scheduler chooses the event.

Time and knowledge are the same in both: the scheduler has no variables, is in no group, and can choose an
event where everybody who takes part can do the action. What coalitions can enforce is not the same, since
members of a coalition choose actions, and not events.
"""

from dataclasses import replace as changed

from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine, ProtocolLine
from gnomon.model.expression import Does, Expression, Read
from gnomon.model.system import System
from gnomon.text.record import replace

_SCHEDULER = "Scheduler"
#: What the scheduler of a system without actions cannot do.
_NEVER = "never"


def scheduled(system: System) -> System:
    """Return the system in which one more agent chooses the event, and all others have no actions."""
    name = _unused(system, _SCHEDULER)
    events = tuple(dict.fromkeys(action for agent in system.agents for action in agent.actions))
    lines = tuple(ProtocolLine(_possible(system, event), (event,)) for event in events)
    # An agent without actions would always have its way.
    scheduler = Agent(name, (), events or (_NEVER,), lines)
    agents = tuple(_following(system, agent, name) for agent in system.agents)
    return changed(system, agents=(*agents, scheduler), semantics="MultiAssignment")


def enabled_when(agent: Agent, action: str) -> Expression:
    """Return when the protocol of an agent allows an action."""
    if agent.is_environment and not agent.protocol and agent.other is None:
        return typed.TRUE
    where = [line.condition for line in agent.protocol if action in line.actions]
    if agent.other is not None and action in agent.other:
        where.append(typed.Not(typed.Or(tuple(line.condition for line in agent.protocol))))
    return typed.Or(tuple(where))


def _possible(system: System, event: str) -> Expression:
    parts = [agent for agent in system.agents if event in agent.actions]
    return typed.And(tuple(enabled_when(agent, event) for agent in parts))


def _following(system: System, agent: Agent, scheduler: str) -> Agent:
    """Return an agent that does what the scheduler chose, wherever it takes part."""

    def chosen(part: Read | Does) -> Expression:
        if isinstance(part, Read):
            return part
        takes_part = part.action in system.agent(part.agent).actions
        return Does(scheduler, part.action) if takes_part else typed.FALSE

    def line_of(line: EvolutionLine) -> EvolutionLine:
        guard = typed.with_leaves(line.guard, chosen)
        if not agent.observer:
            own = tuple(Does(scheduler, action) for action in agent.actions)
            guard = typed.And((typed.Or(own), guard))
        assignments = tuple(
            replace(each, value=typed.with_leaves(each.value, chosen)) for each in line.assignments
        )
        return replace(line, guard=guard, assignments=assignments)

    evolution = tuple(map(line_of, agent.evolution))
    return replace(agent, actions=(), protocol=(), other=None, evolution=evolution)


def _unused(system: System, name: str) -> str:
    """Return a name that no agent has."""
    return _unused(system, name + "_") if name in system.agent_index else name
