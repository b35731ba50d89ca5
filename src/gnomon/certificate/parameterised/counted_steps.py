"""All populations at once: configurations counted up to a cap, and every step between them.

A counted state says how many agents are in each place, exactly or "the cap or more"; one agent may be
*distinguished* and is told apart. Whatever some population does is done here, with the strands that say how
many agents go from which place to which: so what holds of all ways through this graph holds of all runs of
all populations. That a way here is a run of some population is not said.

What can be done, and what holds, is what the reference semantics says of a configuration with as many agents
as guards and conditions can tell apart (`distinguished`).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from gnomon.certificate.parameterised.told_apart import distinguished
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.step import (
    Configuration,
    Facts,
    Local,
    World,
)
from gnomon.model.parameterised.system import Multiplicity, OpenSystem, Part

#: A local state of a template.
Spot: TypeAlias = tuple[str, Local]
#: The most steps, and ways to divide agents or to begin, that are gone through.
MOST_STEPS: Final = 1_000_000


class CountedState(NamedTuple):
    """A configuration: the environment, where the distinguished agent is, and how many others are where.

    The places are numbers, in ascending order, and every number is at most the cap.
    """

    environment: Local
    own: int | None
    others: tuple[tuple[int, int], ...]


class CountedStrand(NamedTuple):
    """So many of the others, or at least so many, go from a place to a place, or stay without acting."""

    source: int
    target: int
    moved: bool
    number: int
    exact: bool


class CountedStep(NamedTuple):
    """Where a step leads, what the others do in it, and whether the environment and `self` act."""

    after: CountedState
    strands: tuple[CountedStrand, ...]
    environment_acts: bool
    own_acts: bool


class CanAct(NamedTuple):
    """From which places agents are able to act, and whether the environment is."""

    places: frozenset[int]
    environment: bool


class Representative(NamedTuple):
    """As many agents as can be told apart, and the number of one in each place."""

    world: World
    now: Configuration
    one: dict[int, int]


class CountedPopulations:
    """The counted states of all populations of a system, with one interpretation of its relations.

    The conditions that are asked about are given beforehand: the cap must be one that none of them, and no
    guard, can see beyond.
    """

    def __init__(
        self,
        system: OpenSystem,
        facts: Facts,
        cap: int,
        conditions: Iterable[Condition],
        budget: Budget,
        template: str = "",
    ) -> None:
        """Count agents up to a cap; with a template one of its agents is distinguished."""
        self.system = system
        self.cap = cap
        self.template = template
        self.places: list[Spot] = []
        self._numbers: dict[Spot, int] = {}
        self._facts = facts
        self._budget = budget
        self._told_apart = distinguished(system, conditions)
        self._known: dict[tuple[Local, tuple[tuple[int, int], ...]], Representative] = {}
        self._truth: dict[tuple[Condition, CountedState, int | None], bool] = {}
        self._able: dict[CountedState, CanAct] = {}
        self._work = 0
        if cap < self._told_apart:
            raise Rejected(f"guards or conditions tell {self._told_apart} agents of a place apart")

    def place(self, template: str, local: Local) -> int:
        """Return the number of a place."""
        found = self._numbers.setdefault((template, local), len(self.places))
        if found == len(self.places):
            self.places.append((template, local))
        return found

    # What holds, and who is able to act

    def holds(self, condition: Condition, state: CountedState, own: int | None = None) -> bool:
        """Return whether a condition holds; `own` is the place of `self`, one of whose agents it is."""
        key = condition, state, own
        found = self._truth.get(key)
        if found is None:
            seen = self._seen(state)
            who = {ENVIRONMENT: None, SELF: None if own is None else seen.one[own]}
            found = self._truth[key] = seen.world.holds(condition, seen.now, who) is True
        return found

    def able(self, state: CountedState) -> CanAct:
        """Return who is able to act."""
        found = self._able.get(state)
        if found is None:
            world, now, one = self._seen(state)
            places = frozenset(place for place, agent in one.items() if world.able(agent, now))
            found = self._able[state] = CanAct(places, world.able(None, now))
        return found

    def _seen(self, state: CountedState) -> Representative:
        """Return a configuration with as many agents in each place as matter, `self` among them."""
        numbers = dict(state.others)
        if state.own is not None:
            numbers[state.own] = numbers.get(state.own, 0) + 1
        counts = tuple(sorted((p, min(n, self._told_apart)) for p, n in numbers.items()))
        key = state.environment, counts
        found = self._known.get(key)
        if found is None:
            standing = [place for place, n in counts for _ in range(n)]
            listed = [self.places[place] for place in standing]
            world = World(self.system, tuple(template for template, _ in listed), self._facts)
            now = Configuration(state.environment, tuple(local for _, local in listed))
            one = {place: number for number, place in enumerate(standing)}
            found = self._known[key] = Representative(world, now, one)
        return found

    # Where populations begin

    def initial(self) -> Iterator[CountedState]:
        """Yield the initial configurations of all populations that are allowed."""
        nobody = World(self.system, (), {})
        starts = {
            part.name: [self.place(part.name, local) for local in nobody.initial_of(part.name)]
            for part in self.system.templates
        }
        environments = list(nobody.initial_of(ENVIRONMENT))
        selves: list[int | None] = [*starts[self.template]] if self.template else [None]
        crowds = [list(self._crowds(part, starts[part.name])) for part in self.system.templates]
        for environment, own in product(environments, selves):
            for chosen in product(*crowds):
                self._count()
                others = sorted(pair for crowd in chosen for pair in crowd)
                yield CountedState(environment, own, tuple(others))

    def _crowds(self, part: Part, starts: list[int]) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yield how many agents of a template may begin where, beside the distinguished one."""
        themselves = int(part.name == self.template)
        for numbers in product(range(self.cap + 1), repeat=len(starts)):
            self._count()
            least = sum(numbers) + themselves
            most = None if self.cap in numbers else least
            if (most is None or most >= part.low) and (part.high is None or least <= part.high):
                yield tuple((place, n) for place, n in zip(starts, numbers, strict=True) if n)

    # Steps

    def steps(self, state: CountedState) -> tuple[CountedStep, ...]:
        """Return every step of every population; where nothing can happen, the one that changes nothing."""
        seen = self._seen(state)
        found = dict.fromkeys((*self._alone(state, seen), *self._together(state, seen)))
        return tuple(found) or (
            self._step(
                state,
                (state.environment, False),
                (state.own, False),
                [self._all_stay(place, number) for place, number in state.others],
            ),
        )

    def _alone(self, state: CountedState, seen: Representative) -> Iterator[CountedStep]:
        """Yield the steps in which somebody acts, and all who do act on their own."""
        world, now, one = seen
        environments: dict[tuple[Local, bool], None] = {(state.environment, False): None}
        for action in self.system.environment.local:
            if world.can(None, action, now):
                environments[_known(world.after(None, action, now)), True] = None
        targets = {
            place: list(
                dict.fromkeys(
                    self._target(seen, place, action)
                    for action in self.system.part[self.places[place][0]].local
                    if world.can(agent, action, now)
                )
            )
            for place, agent in one.items()
        }
        selves: list[tuple[int | None, bool]] = [(state.own, False)]
        if state.own is not None:
            selves += [(target, True) for target in targets[state.own]]
        shares = [
            self._shares(number, ((place, False), *((each, True) for each in targets[place])))
            for place, number in state.others
        ]
        for environment, own in product(environments, selves):
            for chosen in product(*shares):
                self._count()
                if environment[1] or own[1] or _somebody_moves(chosen):
                    yield self._step(state, environment, own, chosen)

    def _together(self, state: CountedState, seen: Representative) -> Iterator[CountedStep]:
        """Yield the steps in which the environment and others do one action together."""
        world, now = seen.world, seen.now
        for action, multiplicity in self.system.sync.items():
            if not world.can(None, action, now):
                continue
            environment = _known(world.after(None, action, now)), True
            joint = CountedTogether(
                multiplicity, self._targets(seen, action), self._meanwhile(seen, action)
            )
            for own, chosen, _ in self._taking_part(joint, state):
                self._count()
                yield self._step(state, environment, own, chosen)

    def _meanwhile(self, seen: Representative, action: str) -> dict[int, tuple[int, bool]]:
        """Return where agents get who do not take part in an action, and whether they act: they follow it."""
        follower = self.system.followed_by.get(action)
        found = {place: (place, False) for place in seen.one}
        if follower is not None:
            followed = self._targets(seen, follower)
            found.update({place: (target, True) for place, target in followed.items()})
        return found

    def _taking_part(self, joint: "CountedTogether", state: CountedState) -> Iterator["_Way"]:
        match joint.multiplicity:
            case "some":
                return self._any_of_them(joint, state)
            case "one":
                return self._one_of_them(joint, state)
            case "all":
                return self._all_of_them(joint, state)

    def _any_of_them(self, joint: "CountedTogether", state: CountedState) -> Iterator["_Way"]:
        targets = joint.targets
        selves = [(joint.without(state.own), False)]
        if state.own is not None and state.own in targets:
            selves.append(((targets[state.own], True), True))
        shares: list[list[tuple[tuple[_Moving, ...], bool]]] = []
        for place, number in state.others:
            if place in targets:
                ways = (joint.others[place], (targets[place], True))
                shares.append([*self._led(number, ways)])
            else:
                shares.append([(self._all_others(joint, place, number), False)])
        for own, takes_part in selves:
            for chosen in product(*shares):
                if takes_part or any(some for _, some in chosen):
                    yield own, [each for each, _ in chosen], takes_part

    def _led(
        self, number: int, ways: tuple[tuple[int, bool], tuple[int, bool]]
    ) -> Iterator[tuple[tuple["_Moving", ...], bool]]:
        """Yield the ways to divide agents into others and those who take part, and whether any do."""
        for others, taking in _divisions(number, 2, self.cap):
            self._count()
            both = zip(ways, (others, taking), strict=True)
            yield tuple(_Moving(*way, n, n < self.cap) for way, n in both if n), taking > 0

    def _one_of_them(self, joint: "CountedTogether", state: CountedState) -> Iterator["_Way"]:
        targets = joint.targets
        others = [self._all_others(joint, place, number) for place, number in state.others]
        if state.own is not None and state.own in targets:
            yield (targets[state.own], True), others, True
        for at, (place, number) in enumerate(state.others):
            if place not in targets:
                continue
            # One less than "the cap or more" is one less than the cap, or the cap or more.
            for left in (number - 1, number) if number == self.cap else (number - 1,):
                leaves = (
                    _Moving(targets[place], True, 1, True),
                    *self._all_others(joint, place, left),
                )
                yield joint.without(state.own), [*others[:at], leaves, *others[at + 1 :]], False

    def _all_of_them(self, joint: "CountedTogether", state: CountedState) -> Iterator["_Way"]:
        own, targets = joint.without(state.own), joint.targets
        if state.own is not None and state.own in targets:
            own = (targets[state.own], True)
        chosen: list[tuple[_Moving, ...]] = [
            (_Moving(targets[place], True, number, number < self.cap),)
            if place in targets
            else self._all_others(joint, place, number)
            for place, number in state.others
        ]
        yield own, chosen, state.own is not None and state.own in targets

    def _all_others(
        self, joint: "CountedTogether", place: int, number: int
    ) -> tuple["_Moving", ...]:
        """Return what agents of a place do who do not take part."""
        return (_Moving(*joint.others[place], number, number < self.cap),) if number else ()

    def _all_stay(self, place: int, number: int) -> tuple["_Moving", ...]:
        return (_Moving(place, False, number, number < self.cap),) if number else ()

    def _shares(
        self, number: int, ways: tuple[tuple[int, bool], ...]
    ) -> list[tuple["_Moving", ...]]:
        """Return the ways to divide the agents of a place."""
        found = []
        for split in _divisions(number, len(ways), self.cap):
            self._count()
            found.append(
                tuple(
                    _Moving(target, moved, n, n < self.cap)
                    for (target, moved), n in zip(ways, split, strict=True)
                    if n
                )
            )
        return found

    def _targets(self, seen: Representative, action: str) -> dict[int, int]:
        """Return where an action leads from each place in which it can be done."""
        return {
            place: self._target(seen, place, action)
            for place, agent in seen.one.items()
            if seen.world.can(agent, action, seen.now)
        }

    def _target(self, seen: Representative, place: int, action: str) -> int:
        after = _known(seen.world.after(seen.one[place], action, seen.now))
        return self.place(self.places[place][0], after)

    def _step(
        self,
        state: CountedState,
        environment: tuple[Local, bool],
        own: tuple[int | None, bool],
        chosen: Sequence[tuple["_Moving", ...]],
    ) -> CountedStep:
        strands = tuple(
            CountedStrand(place, *share)
            for (place, _), shares in zip(state.others, chosen, strict=True)
            for share in shares
        )
        after: dict[int, int] = {}
        for strand in strands:
            after[strand.target] = min(self.cap, after.get(strand.target, 0) + strand.number)
        others = tuple(sorted(after.items()))
        return CountedStep(
            CountedState(environment[0], own[0], others), strands, environment[1], own[1]
        )

    def _count(self) -> None:
        self._work += 1
        if self._work > MOST_STEPS:
            raise TooMuch(f"there are more than {MOST_STEPS:,} steps of counted agents")
        self._budget.check("steps", self._work)


class _Moving(NamedTuple):
    """So many agents of a place who do one thing."""

    target: int
    moved: bool
    number: int
    exact: bool


class CountedTogether(NamedTuple):
    """An action with the environment: how many take part, and where all get who do, or do not."""

    multiplicity: Multiplicity
    targets: dict[int, int]
    others: dict[int, tuple[int, bool]]

    def without(self, own: int | None) -> tuple[int | None, bool]:
        """Return where the distinguished agent gets that does not take part, and whether it acts."""
        return (None, False) if own is None else self.others[own]


#: Where the distinguished agent gets and whether it acts, what the others of each place do, and whether it
#: is one of those who take part, and not of those who follow.
_Way: TypeAlias = tuple[tuple[int | None, bool], Sequence[tuple[_Moving, ...]], bool]


def _somebody_moves(chosen: Iterable[tuple[_Moving, ...]]) -> bool:
    return any(share.moved for shares in chosen for share in shares)


def _known(after: Local | None) -> Local:
    if after is None:
        raise AssertionError("what can be done leads somewhere")
    return after


@cache
def _divisions(number: int, ways: int, cap: int) -> tuple[tuple[int, ...], ...]:
    """Return how agents are divided; "the cap or more" is any sum that is not below the cap."""
    if (number + 1) ** ways > MOST_STEPS:
        raise TooMuch("agents of one place can be divided in too many ways")
    return tuple(
        split
        for split in product(range(number + 1), repeat=ways)
        if sum(split) == number or (number == cap and sum(split) > cap)
    )
