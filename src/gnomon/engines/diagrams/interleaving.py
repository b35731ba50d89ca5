"""The steps of an interleaved system: a small relation for each event, over those who take part."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.events import TransitionEvent
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model.agent import IDLE, Agent, Assignment, EvolutionLine
from gnomon.model.expression import decided
from gnomon.model.system import System


@dataclass(frozen=True, slots=True)
class EventDiagrams:
    """One event: who takes part, where all of them can, and how they change."""

    action: str
    participants: frozenset[str]
    enabled: Diagram
    parts: tuple[RelationPart, ...]


class InterleavedRelation(TransitionRelation):
    """The events of an interleaved system. Steps need no actions; choices of coalitions do."""

    def __init__(self, system: System, encoder: Encoder) -> None:
        """Encode the protocols of all agents, and the evolution of those who take part in each event."""
        super().__init__(system, encoder)
        self.events = [self._event(name, actions) for name, actions in system.events.items()]
        d = self.diagrams
        self.alive = balanced(d.either, [event.enabled for event in self.events], d.false)
        self.parts = [part for event in self.events for part in event.parts]

    def _encode(self) -> None:
        """Encode no step in which everybody moves."""

    def _event(self, name: str, actions: tuple[str, ...]) -> EventDiagrams:
        d = self.diagrams
        doing = dict(zip(self.system.agent_index, actions, strict=True))
        moving = [agent for agent in self.system.agents if doing[agent.name] != IDLE]
        where = [self.protocols[agent.name].enabled[name] for agent in moving]
        enabled = balanced(d.both, where, d.true)
        before, self.overflow = self.overflow, d.false
        observers = [agent for agent in self.system.agents if agent.observer]
        changing = (_decided(agent, doing) for agent in (*moving, *observers))
        parts = [part for agent in changing for part in self._evolution(agent)]
        self.overflow = d.either(before, d.both(self.overflow, enabled))
        parts = [part for part in parts if part.assigned or part.diagram != d.true]
        names = frozenset(agent.name for agent in moving)
        return EventDiagrams(name, names, enabled, (self.part(enabled), *parts))

    def steps(self) -> list[TransitionEvent]:
        """Return the steps of each event, in the order of `events`."""
        layout = self.encoder.layout
        found = []
        for event in self.events:
            touched = [
                pair
                for part in event.parts
                for variable in part.assigned
                for bits in (layout.variables[variable.agent, variable.name],)
                for pair in zip(bits.now, bits.next, strict=True)
            ]
            found.append(TransitionEvent(self, list(event.parts), touched))
        return found

    def choices(self, agent: str) -> Diagram:
        """Return which codes the agent may choose; one that can do nothing has the first."""
        d = self.diagrams
        protocol = self.protocols[agent]
        if protocol.forced:
            return d.true
        acting = super().choices(agent)
        waiting = self.encoder.is_code(self.encoder.layout.actions[agent], 0)
        return d.either(acting, d.minus(waiting, protocol.alive))

    def agreeing(self, event: EventDiagrams, coalition: Collection[str]) -> Diagram:
        """Return where the event can happen and all members who take part have chosen it."""
        d = self.diagrams
        members = [name for name in coalition if name in event.participants]
        chosen = [self.does(name, event.action) for name in members]
        return d.both(event.enabled, balanced(d.both, chosen, d.true))


def _decided(agent: Agent, doing: Mapping[str, str]) -> Agent:
    """Return an agent with an evolution that knows what everybody does."""
    lines = tuple(
        EvolutionLine(
            tuple(
                Assignment(item.variable, decided(item.value, doing)) for item in line.assignments
            ),
            decided(line.guard, doing),
            line.line,
        )
        for line in agent.evolution
    )
    fields = agent.name, agent.variables, agent.actions, agent.protocol, agent.other
    return Agent(*fields, lines, agent.sees, agent.red)
