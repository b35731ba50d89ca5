"""Interleaved systems as systems in which all agents move at once: a scheduler chooses the event.

Time and knowledge are the same in both: the scheduler has no variables, is in no group, and can choose an
event where everybody who takes part can do the action. What coalitions can enforce is not the same, since
members of a coalition choose actions, and not events: those who are to choose keep their actions, and what
they leave to the scheduler is said by `left_to_happen`.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields

from gnomon.model import expression as typed
from gnomon.model.agent import IDLE, Agent, EvolutionLine, ProtocolLine
from gnomon.model.evaluation import JointAction
from gnomon.model.expression import Does, Expression, Read
from gnomon.model.system import System
from gnomon.text.record import replace

_SCHEDULER = "Scheduler"


@dataclass(frozen=True, repr=False)
class ScheduledSystem(System):
    """An interleaved system, written out: its scheduler is the last agent.

    The scheduler can do one thing that it never does by itself, `IDLE`: to let everybody wait.
    """

    source: System | None = None

    @property
    def scheduler(self) -> str:
        """Return the name of the agent that chooses the event."""
        return self.agents[-1].name

    @property
    def interleaved_as(self) -> System:
        """Return the system that was written out: its states are the same."""
        assert self.source is not None
        return self.source

    def joint_action(self, event: str) -> JointAction:
        """Return what everybody does in the interleaved system where the scheduler chooses an event."""
        agents = self.interleaved_as.agents
        return self.interleaved_as.events.get(event, (IDLE,) * len(agents))


def as_written(system: System) -> System:
    """Return the system that somebody wrote: the interleaved one, where events are scheduled."""
    return system.interleaved_as if isinstance(system, ScheduledSystem) else system


def scheduled(system: System, choosing: Collection[str] = ()) -> ScheduledSystem:
    """Return the system in which one more agent chooses the event.

    Those who are `choosing` say what they would do, and nothing comes of that by itself; no other agent has
    actions.
    """
    name = _unused(system, _SCHEDULER)
    lines = tuple(ProtocolLine(_possible(system, event), (event,)) for event in system.events)
    # An agent without actions would always have its way.
    scheduler = Agent(name, (), (*system.events, IDLE), lines)
    agents = [_following(system, agent, name) for agent in system.agents]
    agents = [
        _waiting(agent, after) if agent.name in choosing and agent.actions else after
        for agent, after in zip(system.agents, agents, strict=True)
    ]
    same = {each.name: getattr(system, each.name) for each in fields(System) if each.init}
    same |= {"agents": (*agents, scheduler), "semantics": "MultiAssignment"}
    return ScheduledSystem(**same, source=system)


def left_to_happen(
    system: ScheduledSystem, members: Collection[str]
) -> Iterator[tuple[str, Expression]]:
    """Yield each event with when it can happen and is left by what some agents have chosen."""
    written = system.interleaved_as
    for line in system.agents[-1].protocol:
        (event,) = line.actions
        parts = [name for name in members if event in written.agent(name).actions]
        chosen = [Does(name, event) for name in parts]
        yield event, typed.And((line.condition, *chosen))


def who_acts(system: System, members: Collection[str] = ()) -> frozenset[str]:
    """Return the agents who do something in the steps of a coalition; without members, in those of paths."""
    able = frozenset(agent.name for agent in system.agents if agent.actions)
    if not isinstance(system, ScheduledSystem):
        return able
    return able.intersection((*members, system.scheduler))


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


def _waiting(agent: Agent, after: Agent) -> Agent:
    """Return an agent that does nothing with the actions it has, and waits where it can do none."""
    if agent.is_environment and not agent.protocol and agent.other is None:
        return replace(after, actions=agent.actions)
    lines = [line for line in agent.protocol if line.actions]
    other = agent.other
    if other and len(lines) < len(agent.protocol):
        # Where a line allows nothing, `Other` does not apply.
        none = typed.Not(typed.Or(tuple(line.condition for line in agent.protocol)))
        lines.append(ProtocolLine(none, other))
        other = ()
    actions = (*agent.actions, IDLE)
    return replace(after, actions=actions, protocol=tuple(lines), other=other or (IDLE,))


def _unused(system: System, name: str) -> str:
    """Return a name that no agent has."""
    return _unused(system, name + "_") if name in system.agent_index else name
