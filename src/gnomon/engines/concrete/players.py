"""Agents with numbered local states, and what each may do and become, remembered once computed."""

from collections.abc import Callable
from operator import itemgetter
from typing import TypeAlias

from gnomon.engines.concrete.compile import LocalValues, evolution_function, protocol_function
from gnomon.engines.concrete.residue import GuardResidue, actors_left, residue
from gnomon.model.agent import Agent
from gnomon.model.budget import TryAnother
from gnomon.model.domain import Datum
from gnomon.model.expression import Expression, Read, actors, reads
from gnomon.model.step import State
from gnomon.model.system import System

#: A global state: the number of each agent's local state.
NumberedState: TypeAlias = tuple[int, ...]
#: The numbers of the next local states, and whether some alternative has no result.
NextLocals: TypeAlias = tuple[tuple[int, ...], bool]
#: What follows which actions; a single action stands for itself.
Table: TypeAlias = dict[str | tuple[str, ...], NextLocals]
#: What tells the views of one agent apart.
View: TypeAlias = tuple[int, LocalValues]


class Locals:
    """The local states of one agent that have been met, numbered."""

    def __init__(self) -> None:
        """Start without any."""
        self.values: list[LocalValues] = []
        self._numbers: dict[LocalValues, int] = {}

    def number(self, values: LocalValues) -> int:
        """Return the number of a local state, a new one where it has not been met."""
        found = self._numbers.get(values)
        if found is None:
            found = self._numbers[values] = len(self.values)
            self.values.append(values)
        return found

    def known(self, values: LocalValues) -> int | None:
        """Return the number of a local state that has been met."""
        return self._numbers.get(values)


class Player:
    """One agent of the explicit engine."""

    def __init__(
        self, system: System, index: int, locals_: list[Locals], most: int | None = None
    ) -> None:
        """Compile the agent's protocol and evolution; `most` alternatives are made at a time."""
        agent = system.agents[index]
        self.index = index
        self.locals = locals_[index]
        self._system = system
        conditions = [line.condition for line in agent.protocol]
        self._guards = [line.guard for line in agent.evolution]
        values = [assigned.value for line in agent.evolution for assigned in line.assignments]
        changes = [*self._guards, *values]
        #: The agents whose actions it looks at, by their index.
        self.watches = tuple(sorted(system.agent_index[name] for name in _actors(changes)))
        self._always_watched = {system.agent_index[name] for name in _actors(values)}
        allowing, changing = _foreign(agent, conditions), _foreign(agent, changes)
        sights = [Read(system.environment.name, name) for name in agent.sees]
        self._sight_for_protocol = _sight(system, locals_, allowing)
        self._sight = _sight(system, locals_, changing)
        self._sight_for_view = _sight(system, locals_, [] if agent.is_environment else sights)
        own: dict[Read | str, str] = {
            Read(agent.name, v.name): f"o[{place}]" for place, v in enumerate(agent.variables)
        }
        actions: dict[Read | str, str] = {
            system.agents[watched].name: f"a[{place}]" for place, watched in enumerate(self.watches)
        }
        self._protocol = protocol_function(
            agent, {**own, **_places(allowing)}, waits=system.interleaved
        )
        self._evolve = evolution_function(
            agent, system.semantics, {**own, **actions, **_places(changing)}, most
        )
        self._enabled: dict[View, tuple[str, ...]] | None = {}
        self._tables: dict[View, Table] | None = {}
        self._alone: dict[object, tuple[tuple[int, ...], bool, bool]] | None = {}
        self._same: dict[NextLocals, NextLocals] = {}
        self._residues: dict[View, list[GuardResidue]] = {}

    def reconsider(self, explored: int) -> None:
        """Stop remembering what is hardly ever asked for again."""
        if self._enabled is not None and len(self._enabled) > explored // 2:
            self._enabled = None
        if self._tables is not None and len(self._tables) > explored // 2:
            self._tables = None
        if self._alone is not None and len(self._alone) > explored // 2:
            self._alone = None

    def enabled(self, state: NumberedState) -> tuple[str, ...]:
        """Return the enabled actions."""
        own, seen = state[self.index], self._sight_for_protocol(state)
        if self._enabled is None:
            return self._protocol(self.locals.values[own], seen)
        found = self._enabled.get((own, seen))
        if found is None:
            found = self._protocol(self.locals.values[own], seen)
            self._enabled[own, seen] = found
        return found

    def table(self, state: NumberedState) -> Table:
        """Return the table of what follows which actions here; `fill` completes it."""
        if self._tables is None:
            return {}
        key = (state[self.index], self._sight(state))
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = {}
        return found

    def fill(self, state: NumberedState, table: Table, key: str | tuple[str, ...]) -> NextLocals:
        """Compute one entry of a table, for the actions of those it watches."""
        actions = (key,) if isinstance(key, str) else key
        own = self.locals.values[state[self.index]]
        outcome = self._evolve(own, self._sight(state), actions)
        if outcome is None:
            msg = "there are more alternatives than were to be looked at"
            raise TryAnother(msg)
        new, lost = outcome
        numbers = dict.fromkeys([self.locals.number(local) for local in new])
        entry = (tuple(numbers), lost)
        entry = table[key] = self._same.setdefault(entry, entry)
        return entry

    def each(self, state: NumberedState, actions: tuple[str, ...]) -> list[tuple[int, ...]]:
        """Return what each of some own actions may lead to, for an agent that watches no other."""
        table = self.table(state)
        if not self.watches:
            entry = table.get(()) or self.fill(state, table, ())
            return [entry[0]] * len(actions)
        entries = [table.get(action) or self.fill(state, table, action) for action in actions]
        return [nexts for nexts, _ in entries]

    def alone(self, state: NumberedState) -> tuple[tuple[int, ...], bool, bool]:
        """Return, for an agent that watches no other, its next local states.

        Also whether it has any action, and whether some alternative has no result.
        """
        key = (state[self.index], self._sight_for_protocol(state), self._sight(state))
        found = None if self._alone is None else self._alone.get(key)
        if found is None:
            table = self.table(state)
            keys = self.enabled(state) if self.watches else [()] * bool(self.enabled(state))
            entries = [table.get(key) or self.fill(state, table, key) for key in keys]
            nexts = tuple(dict.fromkeys([n for numbers, _ in entries for n in numbers]))
            found = (nexts, bool(keys), any(lost for _, lost in entries))
            if self._alone is not None:
                self._alone[key] = found
        return found

    def depends(
        self, numbers: NumberedState, state: State, enabled: list[tuple[str, ...]]
    ) -> set[int]:
        """Return the agents whose choice among their enabled actions matters to this one here."""
        key = (numbers[self.index], self._sight(numbers))
        guards = self._residues.get(key)
        if guards is None:
            found = [residue(guard, self._system, state) for guard in self._guards]
            guards = self._residues[key] = [guard for guard in found if not isinstance(guard, bool)]
            if len(self._residues) > _MANY:
                self._residues.clear()
        left = set(self._always_watched)
        for guard in guards:
            actors = actors_left(guard, enabled)
            if not isinstance(actors, bool):
                left |= actors
        return {index for index in left if len(enabled[index]) > 1}

    def view(self, state: NumberedState) -> View:
        """Return what tells this agent's views apart."""
        return state[self.index], self._sight_for_view(state)


_MANY = 100_000


def _actors(expressions: list[Expression]) -> set[str]:
    return set(actors(*expressions))


def _foreign(agent: Agent, expressions: list[Expression]) -> list[Read]:
    """Return the variables of other agents that the expressions read, in a fixed order."""
    found = [read for read in reads(*expressions) if read.agent != agent.name]
    return sorted(found, key=lambda read: (read.agent, read.variable))


def _places(variables: list[Read]) -> dict[Read | str, str]:
    """Return where a sight has each variable."""
    return {read: f"s[{place}]" for place, read in enumerate(variables)}


def _sight(
    system: System, locals_: list[Locals], variables: list[Read]
) -> Callable[[NumberedState], LocalValues]:
    """Return what takes the values of some variables out of a state."""
    owners = [system.agent_index[read.agent] for read in variables]
    places = [
        [variable.name for variable in system.agents[owner].variables].index(read.variable)
        for owner, read in zip(owners, variables, strict=True)
    ]
    if not variables:
        return lambda _: ()
    if len(set(owners)) > 1:
        pairs = list(zip(owners, places, strict=True))
        return lambda state: tuple([locals_[o].values[state[o]][place] for o, place in pairs])
    owner, values = owners[0], locals_[owners[0]].values
    if len(places) == 1:
        place = places[0]
        return lambda state: (values[state[owner]][place],)
    several: itemgetter[tuple[Datum, ...]] = itemgetter(*places)
    return lambda state: several(values[state[owner]])
