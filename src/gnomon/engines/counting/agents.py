"""Who chooses and who changes: the agents of a system, those of a crowd by what they are called in it.

Agents are compiled when they are first looked at, and of a crowd not all are.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from gnomon.engines.concrete.compile import LocalValues, evolution_function, protocol_function
from gnomon.engines.counting.layout import Layout
from gnomon.model.agent import Agent
from gnomon.model.budget import TryAnother, Unsuited
from gnomon.model.expression import Read
from gnomon.model.step import State

#: The action of every agent, as far as they have chosen.
ActionsSoFar: TypeAlias = list[str]


class CrowdChooser(NamedTuple):
    """Who chooses next: one agent, or an agent of each member."""

    agents: tuple[int, ...]
    crowd: bool


class CrowdAgents:
    """The agents of a system: those of nobody, and for each kind those of the members of a crowd."""

    def __init__(self, layout: Layout, most: int) -> None:
        """Look at agents as they come up; more than `most` alternatives of one are refused."""
        self.layout = layout
        self._most = most
        self._system = system = layout.system
        self._starts = [0]
        for agent in system.agents:
            self._starts.append(self._starts[-1] + len(agent.variables))
        self._protocols: dict[int, Callable[[LocalValues, State], tuple[str, ...]]] = {}
        self._evolutions: dict[int, Callable[..., Any]] = {}
        self._looked_at: list[int] = []
        self.choosers = self._choosers()
        self.singles = [each.agents[0] for each in self.choosers if not each.crowd]
        self.kinds = [each.agents for each in self.choosers if each.crowd]
        self.kind_of = {agent: n for n, kind in enumerate(self.kinds) for agent in kind}
        self._actions = [self._translated(kind) for kind in self.kinds]
        #: For each agent of nobody: the places of the members that its actions are about.
        self.about = [
            {action: self._member(agent, action, owner) for action in agent.actions}
            for agent, owner in zip(system.agents, layout.owner, strict=True)
        ]

    def _choosers(self) -> tuple[CrowdChooser, ...]:
        kinds: dict[str, list[int]] = {}
        singles = []
        crowd = self.layout.crowd
        for index, agent in enumerate(self._system.agents):
            owner = self.layout.owner[index]
            if owner is None:
                singles.append(CrowdChooser((index,), crowd=False))
                continue
            name = crowd.renamed("agent", agent.name, crowd.members[owner], crowd.members[0])
            kinds.setdefault(name, [-1] * self.layout.size)[owner] = index
        return (*singles, *(CrowdChooser(tuple(kind), crowd=True) for kind in kinds.values()))

    def _member(self, agent: Agent, action: str, owner: int | None) -> int | None:
        """Return the place of the member that an action of nobody's agent is about."""
        crowd = self.layout.crowd
        found = crowd.numbers_in("action", action)
        places = [crowd.members.index(number) for number in found]
        if len(places) > 1 or (owner is not None and places and places != [owner]):
            msg = f"`{agent.name}.{action}` is about others of the crowd"
            raise Unsuited(msg)
        return places[0] if places and owner is None else None

    def _translated(self, kind: tuple[int, ...]) -> tuple[dict[str, str], list[dict[str, str]]]:
        """Return what the first member calls actions of others, by names, and what each calls those."""
        crowd = self.layout.crowd
        first, to_first, from_first = crowd.members[0], {}, []
        for place, index in enumerate(kind):
            number = crowd.members[place]
            own = {
                crowd.renamed("action", action, number, first): action
                for action in self._system.agents[index].actions
            }
            from_first.append(own)
            to_first.update({action: name for name, action in own.items()})
        return to_first, from_first

    def first_calls_it(self, chooser: CrowdChooser, action: str) -> str:
        """Return what the first of a crowd calls an action of one of its members."""
        to_first, _ = self._actions[self.kind_of[chooser.agents[0]]]
        return to_first.get(action, action)

    def let(self, chooser: CrowdChooser, place: int, action: str, actions: ActionsSoFar) -> None:
        """Let a member do what the first of the crowd calls so."""
        _, from_first = self._actions[self.kind_of[chooser.agents[0]]]
        actions[chooser.agents[place]] = from_first[place].get(action, action)

    # What one does

    def one_of(self, cell: tuple[int, ...]) -> int:
        """Return the place of a member of a cell, of one that has been looked at if there is one."""
        for place in self._looked_at:
            if place in cell:
                return place
        self._looked_at.append(cell[0])
        return cell[0]

    def enabled(self, index: int, state: State) -> tuple[str, ...]:
        """Return the enabled actions of an agent."""
        protocol = self._protocols.get(index)
        if protocol is None:
            agent = self._system.agents[index]
            protocol = self._protocols[index] = protocol_function(agent, self._places(agent))
        return protocol(self.own(index, state), state)

    def own(self, index: int, state: State) -> LocalValues:
        """Return the local state of an agent."""
        return state[self._starts[index] : self._starts[index + 1]]

    def _places(self, agent: Agent) -> dict[Read | str, str]:
        found: dict[Read | str, str] = {
            Read(variable.agent, variable.name): f"s[{position}]"
            for position, variable in enumerate(self._system.variables)
        }
        for place, variable in enumerate(agent.variables):
            found[Read(agent.name, variable.name)] = f"o[{place}]"
        for index, other in enumerate(self._system.agents):
            found[other.name] = f"a[{index}]"
        return found

    def evolved(
        self, index: int, state: State, actions: ActionsSoFar
    ) -> tuple[list[LocalValues], bool]:
        """Return the next local states of an agent, and whether some alternative has no result."""
        evolve = self._evolutions.get(index)
        if evolve is None:
            agent = self._system.agents[index]
            evolve = self._evolutions[index] = evolution_function(
                agent, self._system.semantics, self._places(agent), self._most
            )
        outcome = evolve(self.own(index, state), state, actions)
        if outcome is None:
            msg = "there are more alternatives than were to be looked at"
            raise TryAnother(msg)
        new, lost = outcome
        return list(dict.fromkeys(new)), lost
