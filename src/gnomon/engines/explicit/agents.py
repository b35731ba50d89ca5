"""Agents with numbered local states, and what each may do and become, remembered once computed."""

from typing import TypeAlias

from gnomon.engines.explicit.compile import (
    Local,
    evolution_function,
    protocol_function,
)
from gnomon.model.agent import Agent
from gnomon.model.expression import Does, Expression, Read, walk
from gnomon.model.system import System

#: A global state: the number of each agent's local state.
Numbers: TypeAlias = tuple[int, ...]
#: The numbers of the next local states, and whether some alternative has no result.
Next: TypeAlias = tuple[tuple[int, ...], bool]


class Locals:
    """The local states of one agent that have been met, numbered."""

    def __init__(self) -> None:
        """Start without any."""
        self.values: list[Local] = []
        self._numbers: dict[Local, int] = {}

    def number(self, values: Local) -> int:
        """Return the number of a local state, a new one where it has not been met."""
        found = self._numbers.get(values)
        if found is None:
            found = self._numbers[values] = len(self.values)
            self.values.append(values)
        return found

    def known(self, values: Local) -> int | None:
        """Return the number of a local state that has been met."""
        return self._numbers.get(values)


class Glimpse:
    """The part of the other agents' local states that one agent looks at, numbered."""

    def __init__(self, system: System, locals_: list[Locals], variables: list[Read]) -> None:
        """Remember where the variables are; there may be none."""
        by_agent: dict[int, list[int]] = {}
        for read in variables:
            owner = system.agent_index[read.agent]
            names = [variable.name for variable in system.agents[owner].variables]
            by_agent.setdefault(owner, []).append(names.index(read.variable))
        self._parts = tuple((owner, tuple(places)) for owner, places in by_agent.items())
        self._locals = locals_
        self._seen = Locals()
        self._of_part: dict[int | Numbers, int] = {}
        self.owners = tuple(by_agent)
        #: The usual case: only the environment is looked at.
        self.only_owner = self.owners[0] if len(self.owners) == 1 else None

    def number(self, state: Numbers) -> int:
        """Return the number of what is seen in a state."""
        if not self.owners:
            return 0
        key: int | Numbers = (
            state[self.only_owner]
            if self.only_owner is not None
            else tuple([state[owner] for owner in self.owners])
        )
        found = self._of_part.get(key)
        if found is None:
            found = self._of_part[key] = self._seen.number(self._values(state))
        return found

    def values(self, number: int) -> Local:
        """Return what is seen, given its number."""
        return self._seen.values[number] if self.owners else ()

    def _values(self, state: Numbers) -> Local:
        return tuple(
            self._locals[owner].values[state[owner]][place]
            for owner, places in self._parts
            for place in places
        )


class Player:
    """One agent of the explicit engine."""

    def __init__(self, system: System, index: int, locals_: list[Locals]) -> None:
        """Compile the agent's protocol and evolution."""
        agent = system.agents[index]
        self.index = index
        self.locals = locals_[index]
        conditions = [line.condition for line in agent.protocol]
        changes = [line.guard for line in agent.evolution] + [
            assignment.value for line in agent.evolution for assignment in line.assignments
        ]
        actors = _actors(changes)
        #: The agents whose actions it looks at, by their index.
        self.watches = tuple(sorted(system.agent_index[name] for name in actors))
        protocol_reads, evolution_reads = _foreign(agent, conditions), _foreign(agent, changes)
        self._sees_for_protocol = Glimpse(system, locals_, protocol_reads)
        self._sees = Glimpse(system, locals_, evolution_reads)
        sights = [Read(system.environment.name, name) for name in agent.sees]
        self._view = Glimpse(system, locals_, [] if agent.is_environment else sights)
        own: dict[Read | str, str] = {
            Read(agent.name, v.name): f"o[{place}]" for place, v in enumerate(agent.variables)
        }
        action_places: dict[Read | str, str] = {
            system.agents[watched].name: f"a[{place}]" for place, watched in enumerate(self.watches)
        }
        self._protocol = protocol_function(agent, {**own, **_places(protocol_reads)})
        self._evolve = evolution_function(
            agent, system.semantics, {**own, **action_places, **_places(evolution_reads)}
        )
        self._enabled: dict[tuple[int, int], tuple[str, ...]] = {}
        self._next: dict[tuple[int, int], dict[object, Next]] = {}

    def enabled(self, state: Numbers) -> tuple[str, ...]:
        """Return the enabled actions."""
        key = (state[self.index], self._sees_for_protocol.number(state))
        found = self._enabled.get(key)
        if found is None:
            seen = self._sees_for_protocol.values(key[1])
            found = self._enabled[key] = self._protocol(self.locals.values[key[0]], seen)
        return found

    def outcomes(self, state: Numbers) -> dict[object, Next]:
        """Return the table of what follows which actions here; `fill` completes it."""
        key = (state[self.index], self._sees.number(state))
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = {}
        return found

    def fill(self, state: Numbers, table: dict[object, Next], actions: tuple[str, ...]) -> Next:
        """Compute one entry of a table of `outcomes`; `actions` are those of `watches`."""
        seen = self._sees.values(self._sees.number(state))
        new, lost = self._evolve(self.locals.values[state[self.index]], seen, actions)
        numbers = dict.fromkeys(self.locals.number(local) for local in new)
        entry = table[actions[0] if len(actions) == 1 else actions] = (tuple(numbers), lost)
        return entry

    def view(self, state: Numbers) -> tuple[int, int]:
        """Return what tells this agent's views apart."""
        return state[self.index], self._view.number(state)


def _actors(expressions: list[Expression]) -> set[str]:
    return {part.agent for whole in expressions for part in walk(whole) if isinstance(part, Does)}


def _foreign(agent: Agent, expressions: list[Expression]) -> list[Read]:
    """Return the variables of other agents that the expressions read, in a fixed order."""
    found = {
        part
        for whole in expressions
        for part in walk(whole)
        if isinstance(part, Read) and part.agent != agent.name
    }
    return sorted(found, key=lambda read: (read.agent, read.variable))


def _places(variables: list[Read]) -> dict[Read | str, str]:
    """Return where a glimpse keeps each variable: grouped by owner, in the order met."""
    grouped: dict[str, list[Read]] = {}
    for read in variables:
        grouped.setdefault(read.agent, []).append(read)
    ordered = [read for group in grouped.values() for read in group]
    return {read: f"s[{place}]" for place, read in enumerate(ordered)}
