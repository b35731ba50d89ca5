"""Who does something in a step, and what they may do: by protocols, and by what a coalition leaves to happen.

Where all agents move at once, everybody does what the own protocol allows. Where one event happens at a time,
only a scheduler does anything, on paths and for knowledge: each event that is possible may come. Members of
a coalition choose actions before that, and leave the events in which all of them that take part have chosen
the action. Where they leave none although some event is possible, everybody waits.
"""

from collections.abc import Collection

from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.smt_terms import FALSE, SmtText, conj, disj, neg
from gnomon.model.agent import IDLE, Agent
from gnomon.model.scheduled import ScheduledSystem, enabled_when


class Protocols:
    """What agents may do in a state, written once: it does not depend on what is done."""

    def __init__(self, now: SymbolicMoment) -> None:
        """Write nothing yet."""
        self._now = now
        self._may: dict[tuple[str, str], SmtText] = {}
        self._acting: dict[str, SmtText] = {}

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Those who do something."""
        return tuple(agent for agent in self._now.system.agents if agent.actions)

    def at(self, now: SymbolicMoment) -> "Protocols":
        """Return what may be done at another moment."""
        return type(self)(now)

    def may(self, agent: Agent, action: str, now: SymbolicMoment) -> SmtText:  # noqa: ARG002
        """Return that an agent may do something; `now` tells what others do."""
        return self._allowed(agent, action)

    def _allowed(self, agent: Agent, action: str) -> SmtText:
        """Return that the protocol of an agent allows something."""
        key = agent.name, action
        found = self._may.get(key)
        if found is None:
            found = self._may[key] = self._now.condition(enabled_when(agent, action))
        return found

    def acting(self, agent: Agent, now: SymbolicMoment) -> SmtText:  # noqa: ARG002
        """Return that what an agent does, whatever it is, is what it may do; `now` tells what others do."""
        found = self._acting.get(agent.name)
        if found is None:
            options = (
                conj((self._now.does(agent, action), self._allowed(agent, action)))
                for action in agent.actions
            )
            found = self._acting[agent.name] = self._now.script.named(disj(options))
        return found


class EventProtocols(Protocols):
    """The same where one event happens at a time and some members choose, for all others have no say."""

    def __init__(self, now: SymbolicMoment, members: Collection[str] = ()) -> None:
        """Write nothing yet; without members, all that is possible may happen."""
        super().__init__(now)
        assert isinstance(now.system, ScheduledSystem)
        self._system = now.system
        self._members = members
        self._scheduler = now.system.agent(now.system.scheduler)
        self._choosing = [a for a in super().agents if a.name in members]

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Those who do something: the members who can, and then the scheduler."""
        return (*self._choosing, self._scheduler)

    def at(self, now: SymbolicMoment) -> Protocols:
        """Return what may be done at another moment."""
        return EventProtocols(now, self._members)

    def may(self, agent: Agent, action: str, now: SymbolicMoment) -> SmtText:
        """Return that a member may choose an action, or that an event is left by what they have chosen."""
        if agent.name != self._scheduler.name:
            return self._allowed(agent, action)
        return self._waits(now) if action == IDLE else self._left(action, now)

    def _left(self, event: str, now: SymbolicMoment) -> SmtText:
        """Return that an event is possible, and that all members that take part have chosen it."""
        written = self._system.interleaved_as
        parts = [a for a in self._choosing if event in written.agent(a.name).actions]
        chosen = (now.does(agent, event) for agent in parts)
        return conj((self._allowed(self._scheduler, event), *chosen))

    def _waits(self, now: SymbolicMoment) -> SmtText:
        """Return that some event is possible, and that none is left."""
        if not self._choosing:
            return FALSE
        events = self._system.interleaved_as.events
        possible = disj(self._allowed(self._scheduler, event) for event in events)
        left = disj(self._left(event, now) for event in events)
        return now.script.named(conj((possible, neg(left))))

    def acting(self, agent: Agent, now: SymbolicMoment) -> SmtText:
        """Return that what an agent does, whatever it is, is what it may do."""
        if agent.name != self._scheduler.name:
            return super().acting(agent, now)
        options = (
            conj((now.does(agent, action), self.may(agent, action, now)))
            for action in agent.actions
        )
        return now.script.named(disj(options))
