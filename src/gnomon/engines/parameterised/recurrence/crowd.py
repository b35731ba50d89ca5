"""Configurations of a definite number of agents, each of whom is somebody, and the steps between them."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from gnomon.engines.parameterised.recurrence.situations import (
    CountedSituation,
    Joint,
    LocalPlace,
    PossibleMoves,
    Situations,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.step import Configuration, Event, Local, World

#: The number of the environment among those who act.
THE_ENVIRONMENT = -1


class CrowdState(NamedTuple):
    """The environment's local state, and where each agent is."""

    environment: Local
    agents: tuple[LocalPlace, ...]


class CrowdStep(NamedTuple):
    """Who does what in a step: None for those who do nothing."""

    environment: str | None
    agents: tuple[str | None, ...]

    @property
    def somebody_acts(self) -> bool:
        """Return whether anything happens."""
        return self.environment is not None or any(self.agents)

    def acts(self, number: int) -> bool:
        """Return whether an agent (or the environment) acts."""
        doing = self.environment if number == THE_ENVIRONMENT else self.agents[number]
        return doing is not None


class CrowdGraph:
    """All configurations of a population."""

    def __init__(self, situations: Situations, members: tuple[str, ...]) -> None:
        """Have a population: the template of each agent."""
        self.situations = situations
        self.members = members
        self._steps: dict[CrowdState, tuple[tuple[CrowdState, CrowdStep], ...]] = {}
        self._moves: dict[CrowdState, PossibleMoves] = {}

    def initial(self) -> Iterator[CrowdState]:
        """Yield all initial configurations."""
        empty = World(self.situations.system, (), {})
        starts = {
            name: [self.situations.place(name, local) for local in empty.initial_of(name)]
            for name in set(self.members)
        }
        for environment in empty.initial_of(ENVIRONMENT):
            for agents in product(*(starts[name] for name in self.members)):
                yield CrowdState(environment, agents)

    def situation(self, now: CrowdState) -> CountedSituation:
        """Return how many are where, as far as guards can see."""
        counts: dict[LocalPlace, int] = {}
        for place in now.agents:
            counts[place] = counts.get(place, 0) + 1
        return self.situations.situation(now.environment, tuple(sorted(counts.items())))

    def moves(self, now: CrowdState) -> PossibleMoves:
        """Return what is possible."""
        found = self._moves.get(now)
        if found is None:
            found = self._moves[now] = self.situations.moves(self.situation(now))
        return found

    def holds(self, condition: Condition, now: CrowdState, own: int | None = None) -> bool:
        """Return whether a condition holds; `own` is the agent that is `self`."""
        place = None if own is None else now.agents[own]
        return self.situations.holds(condition, self.situation(now), place)

    def able(self, number: int, now: CrowdState) -> bool:
        """Return whether an agent (or the environment) can act."""
        moves = self.moves(now)
        if number == THE_ENVIRONMENT:
            return moves.environment_able
        return now.agents[number] in moves.able

    def configuration(self, now: CrowdState) -> Configuration:
        """Return it as the reference semantics has it."""
        places = self.situations.places
        return Configuration(now.environment, tuple(places[place][1] for place in now.agents))

    def steps(self, now: CrowdState) -> tuple[tuple[CrowdState, CrowdStep], ...]:
        """Return all steps; where nothing can happen, the one in which nothing does."""
        found = self._steps.get(now)
        if found is None:
            moves = self.moves(now)
            nobody = CrowdStep(None, (None,) * len(now.agents))
            found = (*self._local(now, moves), *self._joint(now, moves)) or ((now, nobody),)
            self._steps[now] = found
        return found

    def _local(
        self, now: CrowdState, moves: PossibleMoves
    ) -> Iterator[tuple[CrowdState, CrowdStep]]:
        own: list[tuple[str | None, Local]] = [(None, now.environment), *moves.environment]
        choices: list[list[tuple[str | None, LocalPlace]]] = [
            [(None, place), *moves.local[place]] for place in now.agents
        ]
        for chosen in product(*choices):
            actions = tuple(each for each, _ in chosen)
            places = tuple(place for _, place in chosen)
            for action, environment in own:
                if action is not None or any(actions):
                    yield CrowdState(environment, places), CrowdStep(action, actions)

    def _joint(
        self, now: CrowdState, moves: PossibleMoves
    ) -> Iterator[tuple[CrowdState, CrowdStep]]:
        for joint in moves.joint:
            able = [place in joint.targets for place in now.agents]
            match joint.multiplicity:
                case "all":
                    yield _together(now, joint, able)
                case "one":
                    for chosen, each in enumerate(able):
                        if each:
                            yield _together(now, joint, [n == chosen for n in range(len(able))])
                case "some":
                    for who in product(*((False, True) if each else (False,) for each in able)):
                        if any(who):
                            yield _together(now, joint, who)


def _together(
    now: CrowdState, joint: Joint, who: tuple[bool, ...] | list[bool]
) -> tuple[CrowdState, CrowdStep]:
    agents = tuple(
        joint.targets[place] if each else joint.others(place)[0]
        for place, each in zip(now.agents, who, strict=True)
    )
    actions = tuple(
        joint.action if each else joint.follower if joint.others(place)[1] else None
        for place, each in zip(now.agents, who, strict=True)
    )
    return CrowdState(joint.environment, agents), CrowdStep(joint.action, actions)


def event_of(step: CrowdStep) -> Event:
    """Return a step as the reference semantics has it."""
    return Event(step.environment, step.agents)
