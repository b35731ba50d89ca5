"""Who may do what where so many agents are in each place, read off the reference semantics.

A place is a local state of a template. Guards and conditions cannot tell whether more agents are in a place
than they compare, so a situation counts up to that number only, and the reference semantics is asked about
a configuration with just so many.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from gnomon.model.agent import ENVIRONMENT
from gnomon.model.parameterised.condition import (
    SELF,
    Condition,
    Exists,
    Forall,
    Same,
    parts,
    walk,
)
from gnomon.model.parameterised.step import Configuration, Facts, Local, World
from gnomon.model.parameterised.system import Multiplicity, OpenSystem
from gnomon.text.record import Record

#: A place by its number.
LocalPlace: TypeAlias = int
#: How many agents are in each occupied place, in the order of the places.
Counts: TypeAlias = tuple[tuple[LocalPlace, int], ...]


class CountedSituation(NamedTuple):
    """The environment's local state, and how many agents are in each place: as many as matter."""

    environment: Local
    counts: Counts


class Joint(Record):
    """A synchronised action that can be done: where the environment gets, and who may take part.

    Who does not take part does the `follower`, where it can.
    """

    action: str
    multiplicity: Multiplicity
    environment: Local
    targets: Mapping[LocalPlace, LocalPlace]
    follower: str | None = None
    followed: Mapping[LocalPlace, LocalPlace] = MappingProxyType({})

    def others(self, place: LocalPlace) -> tuple[LocalPlace, bool]:
        """Return where an agent gets that does not take part, and whether it acts."""
        return self.followed.get(place, place), place in self.followed


class PossibleMoves(Record):
    """What is possible: local moves of the environment and from each place, and joint actions."""

    environment: tuple[tuple[str, Local], ...]
    local: Mapping[LocalPlace, tuple[tuple[str, LocalPlace], ...]]
    joint: tuple[Joint, ...]
    #: The places whose agents can act.
    able: frozenset[LocalPlace]
    environment_able: bool


class Situations:
    """The places of a system, and what can be done and what holds in situations; everything is kept."""

    def __init__(self, system: OpenSystem, cap: int, facts: Facts) -> None:
        """Count up to a number, which must be one that guards and conditions cannot see beyond."""
        self.system = system
        self.cap = cap
        self.places: list[tuple[str, Local]] = []
        self._number: dict[tuple[str, Local], LocalPlace] = {}
        self._facts = facts
        self._moves: dict[CountedSituation, PossibleMoves] = {}
        self._truth: dict[tuple[Condition, CountedSituation, LocalPlace | None], bool] = {}

    def place(self, template: str, local: Local) -> LocalPlace:
        """Return the number of a local state of a template."""
        found = self._number.setdefault((template, local), len(self.places))
        if found == len(self.places):
            self.places.append((template, local))
        return found

    def situation(self, environment: Local, counts: Counts) -> CountedSituation:
        """Return the situation with so many agents."""
        cap = self.cap
        return CountedSituation(environment, tuple((p, min(n, cap)) for p, n in counts))

    def world(self, members: tuple[str, ...]) -> World:
        """Return the reference semantics of a population."""
        return World(self.system, members, self._facts)

    def shown(
        self, situation: CountedSituation
    ) -> tuple[World, Configuration, dict[LocalPlace, int]]:
        """Return a configuration with just so many agents, and one agent in each place."""
        occupants = [place for place, number in situation.counts for _ in range(number)]
        first = {place: number for number, place in reversed(list(enumerate(occupants)))}
        members = tuple(self.places[place][0] for place in occupants)
        locals_ = tuple(self.places[place][1] for place in occupants)
        world = self.world(members)
        return world, Configuration(situation.environment, locals_), first

    def holds(
        self, condition: Condition, situation: CountedSituation, own: LocalPlace | None = None
    ) -> bool:
        """Return whether a condition holds; `own` is where `self` is, who is counted with the others."""
        key = (condition, situation, own)
        found = self._truth.get(key)
        if found is None:
            world, now, first = self.shown(situation)
            who = {ENVIRONMENT: None, SELF: None if own is None else first[own]}
            found = self._truth[key] = world.holds(condition, now, who) is True
        return found

    def moves(self, situation: CountedSituation) -> PossibleMoves:
        """Return what is possible."""
        found = self._moves.get(situation)
        if found is None:
            found = self._moves[situation] = self._work_out(situation)
        return found

    def _work_out(self, situation: CountedSituation) -> PossibleMoves:
        world, now, first = self.shown(situation)
        system = self.system
        local = {
            place: tuple(
                (action, self._next(world, now, agent, action))
                for action in system.part[self.places[place][0]].local
                if world.can(agent, action, now)
            )
            for place, agent in first.items()
        }
        joint: list[Joint] = []
        able = {place for place, found in local.items() if found}
        for action, multiplicity in system.sync.items():
            after = world.after(None, action, now) if world.can(None, action, now) else None
            if after is None:
                continue
            targets = self._targets(world, now, first, action)
            if targets or multiplicity == "all":
                follower = system.followed_by.get(action)
                followed = self._targets(world, now, first, follower) if follower else {}
                joint.append(Joint(action, multiplicity, after, targets, follower, followed))
                able |= targets.keys() | followed.keys()
        own = tuple(
            (action, after)
            for action in system.environment.local
            if world.can(None, action, now)
            and (after := world.after(None, action, now)) is not None
        )
        return PossibleMoves(own, local, tuple(joint), frozenset(able), bool(own or joint))

    def _targets(
        self, world: World, now: Configuration, first: Mapping[LocalPlace, int], action: str
    ) -> dict[LocalPlace, LocalPlace]:
        """Return where an action leads from each place in which it can be done."""
        return {
            place: self._next(world, now, agent, action)
            for place, agent in first.items()
            if world.can(agent, action, now)
        }

    def _next(self, world: World, now: Configuration, agent: int, action: str) -> LocalPlace:
        after = world.after(agent, action, now)
        assert after is not None  # it can be done
        return self.place(world.members[agent], after)


def least_cap(system: OpenSystem, conditions: Iterable[Condition]) -> int:
    """Return up to which number guards and some conditions may count the agents in one place.

    Without comparisons of agents they see whether there is one. With them, each agent that is quantified or
    is `self` may be another one of the same place.
    """
    guards = [guard for part in system.templates for guard in part.guards.values()]
    guards += list(system.environment.guards.values())
    asked = [*conditions, *(each.condition for each in system.fairness)]
    seen = [_different(condition, own=1) for condition in (*guards, *asked)]
    return max((1, *seen))


def _different(condition: Condition, own: int) -> int:
    if not any(isinstance(part, Same) for part in walk(condition)):
        return 1
    return own + _nested(condition)


def _nested(condition: Condition) -> int:
    deepest = max(map(_nested, parts(condition)), default=0)
    return deepest + isinstance(condition, (Exists, Forall))
