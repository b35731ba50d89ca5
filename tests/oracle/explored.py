"""A system and its reachable states, found one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import Agent
from gnomon.model.domain import values_of
from gnomon.model.step import State
from gnomon.model.system import Logic, System
from tests import interleaving
from tests.oracle.fixpoints import Graph, States

#: A view of an agent, to the action it takes there.
Uniform = Mapping[tuple[str, State], str]


@dataclass
class Explored:
    """A system, its reachable states, and the steps between them.

    `profile` prunes the model to one action a view; `strategies` is the reading of coalitions.
    """

    system: System
    strategies: str = "perfect"
    profile: Uniform | None = None
    most: int = 300
    _known: dict[tuple[f.Formula, Logic], States] = field(default_factory=dict)

    @cached_property
    def initial(self) -> States:
        """All states that satisfy the initial condition, out of all states there are."""
        condition = self.system.initial
        return frozenset(s for s in self.everything() if step.holds(condition, self.system, s))

    def everything(self) -> Iterator[State]:
        """Yield every valuation, reachable or not."""
        return product(*(values_of(v.domain) for v in self.system.variables))

    def able(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The actions of an agent; where events are interleaved, one that can do nothing waits."""
        if not self.system.interleaved:
            return step.enabled_actions(self.system, agent, state)
        return tuple(
            a for a in agent.actions if interleaving.allows(self.system, agent, a, state)
        ) or (interleaving.WAITING,)

    def enabled(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The actions of an agent, pruned to the profile."""
        actions = self.able(agent, state)
        if self.profile is None:
            return actions
        chosen = self.profile.get((agent.name, step.view(self.system, agent, state)))
        return actions if chosen is None else tuple(a for a in actions if a == chosen)

    def outcomes(self, state: State) -> dict[tuple[str, ...], set[State]]:
        """What each joint action may lead to."""
        found: dict[tuple[str, ...], set[State]] = {}
        if self.system.interleaved:
            able = {agent.name: self.enabled(agent, state) for agent in self.system.agents}
            return interleaving.outcomes(self.system, state, able)
        for actions in product(*(self.enabled(agent, state) for agent in self.system.agents)):
            found[actions] = set()
            ways = [
                step.alternatives(self.system, agent, state, actions)
                for agent in self.system.agents
            ]
            for chosen in product(*ways):
                if any(local.overflow for local in chosen):
                    continue
                target = list(state)
                for agent, local in zip(self.system.agents, chosen, strict=True):
                    for name, value in local.changes:
                        target[self.system.position[agent.name, name]] = value  # type: ignore[call-overload]
                found[actions].add(tuple(target))
        return found

    @cached_property
    def moves(self) -> dict[State, dict[tuple[str, ...], set[State]]]:
        """The reachable states, and what each joint action may lead to."""
        found: dict[State, dict[tuple[str, ...], set[State]]] = {}
        waiting = sorted(self.initial, key=repr)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found[state] = self.outcomes(state)
                waiting.extend(set().union(*found[state].values()))
        return found

    @cached_property
    def reachable(self) -> States:
        """All reachable states."""
        return frozenset(self.moves)

    @cached_property
    def graph(self) -> Graph:
        """The successors of each state."""
        return {s: frozenset().union(*moves.values()) for s, moves in self.moves.items()}
