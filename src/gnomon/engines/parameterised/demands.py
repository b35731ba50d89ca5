"""Demands of the backward search: different agents in sets of local states, an environment, and facts."""

from collections.abc import Iterator
from typing import TypeAlias

from gnomon.engines.parameterised.cubes import AgentSets
from gnomon.engines.parameterised.ground_facts import Literals
from gnomon.engines.parameterised.local_sets import LocalSet

#: How many agents of each template there are.
Population: TypeAlias = tuple[int, ...]
#: Agents that a guard speaks of, and the place of the agent whose guard it is: -1 is the environment.
Spoken: TypeAlias = list[tuple[int, AgentSets]]


class Demand:
    """A cube of the search. The agents of the cube that it leads to come first, in the same order."""

    __slots__ = (
        "actions",
        "agents",
        "core",
        "counts",
        "depth",
        "environment",
        "facts",
        "leads_to",
        "own",
        "used",
    )

    def __init__(
        self,
        environment: LocalSet,
        agents: AgentSets,
        facts: Literals,
        leads_to: "Demand | None" = None,
        own: str | None = None,
        actions: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """Demand agents; `own` and `actions` are what the environment and they do to get on."""
        self.environment = environment
        #: Where the agents are, or can get to without anybody else: first where they have to be.
        self.core = self.agents = agents
        self.counts: dict[str, int] = {}
        for name, _ in agents:
            self.counts[name] = self.counts.get(name, 0) + 1
        self.facts = facts
        self.leads_to = leads_to
        self.own = own
        self.actions = actions
        self.depth: int = 0 if leads_to is None else leads_to.depth + 1
        self.used = True


def fewer(some: dict[str, int], other: dict[str, int]) -> bool:
    """Return whether there are at least as many agents of every template in `other`."""
    return all(other.get(name, 0) >= number for name, number in some.items())


def at_least(population: Population, known: Population) -> bool:
    """Return whether a population has at least as many agents of every template as a known one."""
    return all(a >= b for a, b in zip(population, known, strict=True))


def placed(agents: AgentSets, wanted: Spoken) -> Iterator[AgentSets]:
    """Yield the agents with all who are wanted among them, as new ones or as some of those there are.

    Those that one guard wants are different from each other and from the agent whose guard it is.
    """
    flat = [
        (index, owner, agent) for owner, (index, others) in enumerate(wanted) for agent in others
    ]

    def place(number: int, now: AgentSets, used: frozenset[tuple[int, int]]) -> Iterator[AgentSets]:
        if number == len(flat):
            yield now
            return
        index, owner, (name, mask) = flat[number]
        for place_, (other, there) in enumerate(now):
            if place_ == index or (owner, place_) in used or other != name or not there & mask:
                continue
            narrowed = (*now[:place_], (name, there & mask), *now[place_ + 1 :])
            yield from place(number + 1, narrowed, used | {(owner, place_)})
        yield from place(number + 1, (*now, (name, mask)), used | {(owner, len(now))})

    return place(0, agents, frozenset())


def limited(agents: AgentSets, every: Spoken) -> AgentSets | None:
    """Return the agents within what guards say of every agent but the one whose guard it is."""
    for index, limits in every:
        for name, mask in limits:
            agents = tuple(
                (other, there if number == index or other != name else there & mask)
                for number, (other, there) in enumerate(agents)
            )
    return agents if all(mask for _, mask in agents) else None
