"""That no number of agents enforces something together: counted states in which all agents lose.

In each of these states, whatever the agents choose, something may come of it that is such a state again, with
a smaller number where something has to be kept for ever. And every population may begin in one, under some
interpretation of the relations. Whatever agents of a population choose is among what is chosen here.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from gnomon.certificate.parameterised.counted_paths import CountedListing, checked_cap, counted_ways
from gnomon.certificate.parameterised.counted_steps import (
    MOST_STEPS,
    CountedPopulations,
    CountedState,
    Representative,
)
from gnomon.certificate.parameterised.fillings import fillings
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.shape import integer, items, member, row
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, ConflictingLines, Facts, Local, World
from gnomon.model.parameterised.system import Multiplicity, OpenSystem, Part

#: Counting further than that is not checked.
_MOST_CAP: Final = 12

#: How many agents of each template there are, in their order; the cap stands for all that is more.
_Totals = tuple[int, ...]


class _ChosenTogether(NamedTuple):
    """So many agents of a place choose to go somewhere alone, or to do an action with the environment."""

    source: int
    target: int
    action: str | None
    number: int


class _Offer(NamedTuple):
    """What the environment may do with others: where it gets, where they do, and who takes no part."""

    action: str
    multiplicity: Multiplicity
    environment: Local
    targets: dict[int, int]
    others: dict[int, tuple[int, bool]]


def check_defeat(
    system: OpenSystem, data: object, query: Ability, prover: ObligationProver, budget: Budget
) -> None:
    """Fail unless the agents of every population lose from somewhere, with the relations filled somehow."""
    require(query.everybody, "that populations lose is not what was asked")
    given = counted_ways(system, data)
    possible = set(fillings(system, (query.stay, query.goal)))
    caps = {checked_cap(way) for way in given.values()}
    require(len(caps) <= 1, "agents are counted up to several numbers")
    cap = next(iter(caps), 1)
    if cap > _MOST_CAP:
        raise TooMuch(f"agents are counted further than {_MOST_CAP}")
    left = set(product(*(_numbers(part, cap) for part in system.templates)))
    for filled, way in given.items():
        require(filled in possible, "the relations cannot be filled so")
        try:
            lost = _DefeatClaims(system, way, query, Completed(system, dict(filled)), budget)
            lost.check(prover)
            left = {totals for totals in left if not lost.begins_with(totals)}
        except ConflictingLines as clash:
            raise Rejected(f"`{clash}` is given two values") from clash
    starting = _startable(system)
    left = {totals for totals in left if all(s for s, n in zip(starting, totals, strict=True) if n)}
    may_begin = any(True for _ in World(system, (), {}).initial_of(ENVIRONMENT))
    require(not (left and may_begin), "it is not said that every population loses")


def _numbers(part: Part, cap: int) -> Iterator[int]:
    """Yield how many agents of a template there may be, counted up to the cap."""
    for number in range(cap + 1):
        enough = number >= part.low or number == cap
        if enough and (part.high is None or number <= part.high):
            yield number


def _startable(system: OpenSystem) -> list[bool]:
    nobody = World(system, (), {})
    return [any(True for _ in nobody.initial_of(part.name)) for part in system.templates]


class _DefeatClaims:
    """States in which all agents lose, with the relations filled."""

    def __init__(
        self, system: OpenSystem, data: object, query: Ability, facts: Facts, budget: Budget
    ) -> None:
        self._query = query
        self._system = system
        self._game = TogetherChosen(
            system, facts, checked_cap(data), (query.stay, query.goal), budget
        )
        listed = CountedListing(self._game, data)
        self._numbers: dict[CountedState, int] = {}
        for each in items(member(data, "numbers")):
            where, number = row(each, 2)
            self._numbers[listed.state(where)] = integer(number)

    def check(self, prover: ObligationProver) -> None:
        """Fail unless nobody gets out of these states, and where something is to be kept it is broken."""
        for state, number in self._numbers.items():
            prover.count()
            require(self._is_bad(state, number), "in some state all agents together may win")

    def _is_bad(self, state: CountedState, number: int) -> bool:
        query = self._query
        if self._game.holds(query.goal, state):
            return False
        if not self._game.holds(query.stay, state):
            return True

        def loses(after: CountedState) -> bool:
            found = self._numbers.get(after)
            return found is not None and (not query.forever or found < number)

        return all(any(map(loses, results)) for results in self._game.choices(state))

    def begins_with(self, totals: _Totals) -> bool:
        """Return whether so many agents may begin where they lose, those of one template in one place."""
        nobody = World(self._system, (), {})
        places = [
            [(self._game.place(part.name, local), number) for local in nobody.initial_of(part.name)]
            if number
            else [None]
            for part, number in zip(self._system.templates, totals, strict=True)
        ]
        starts = (
            CountedState(environment, None, tuple(sorted(filter(None, chosen))))
            for environment in nobody.initial_of(ENVIRONMENT)
            for chosen in product(*places)
        )
        return any(start in self._numbers for start in starts)


class TogetherChosen(CountedPopulations):
    """What all agents may choose together in counted states, and what may come of it."""

    def choices(self, state: CountedState) -> Iterator[set[CountedState]]:
        """Yield what may come of each choice; where nothing can come of any, everything stays."""
        seen = self._seen(state)
        world, now = seen.world, seen.now
        offers = []
        for action, multiplicity in self.system.sync.items():
            if world.can(None, action, now):
                after = world.after(None, action, now)
                assert after is not None  # it can be done
                targets, others = self._targets(seen, action), self._meanwhile(seen, action)
                offers.append(_Offer(action, multiplicity, after, targets, others))
        environments: dict[tuple[Local, bool], None] = {(state.environment, False): None}
        for action in self.system.environment.local:
            after = world.after(None, action, now) if world.can(None, action, now) else None
            if after is not None:
                environments[after, True] = None
        stuck = True
        for chosen in product(*(self._ways(seen, p, n, offers) for p, n in state.others)):
            self._count()
            parts = [part for parts in chosen for part in parts]
            results = set(self._results(state, parts, offers, list(environments)))
            if results:
                stuck = False
                yield results
        if stuck:
            yield {state}

    def _ways(
        self, seen: Representative, place: int, number: int, offers: Sequence[_Offer]
    ) -> list[list[_ChosenTogether]]:
        """Return what the agents of a place may choose.

        How many choose what one is to do must be known one further: one less is as many as are counted.
        """
        agent, local = seen.one[place], self.system.part[self.places[place][0]].local
        ends = {
            self._target(seen, place, action): None
            for action in local
            if seen.world.can(agent, action, seen.now)
        }
        kinds: list[tuple[int, str | None, int]] = [(place, None, self.cap)]
        kinds += [(target, "", self.cap) for target in ends]
        kinds += [
            (offer.targets[place], offer.action, self.cap + (offer.multiplicity == "one"))
            for offer in offers
            if place in offer.targets and offer.multiplicity != "all"
        ]
        size = 1
        for _, _, most in kinds:
            size *= min(number, most) + 2
        if size > MOST_STEPS:
            raise TooMuch("agents of one place can choose in too many ways")
        exact = number < self.cap
        tops = [min(number, most) if exact else most for _, _, most in kinds]
        return [
            [
                _ChosenTogether(place, target, action, n)
                for (target, action, _), n in zip(kinds, split, strict=True)
                if n
            ]
            for split in product(*(range(top + 1) for top in tops))
            if (sum(split) == number if exact else sum(split) >= number)
        ]

    def _results(
        self,
        state: CountedState,
        chosen: Sequence[_ChosenTogether],
        offers: Sequence[_Offer],
        environments: Sequence[tuple[Local, bool]],
    ) -> Iterator[CountedState]:
        """Yield what may come of it, whatever the environment does."""
        alone = [
            (part.target if part.action == "" else part.source, part.number) for part in chosen
        ]
        somebody = any(part.action == "" for part in chosen)
        for environment, acts in environments:
            if acts or somebody:
                yield self._after(environment, alone)
        for offer in offers:
            takers = [part for part in chosen if part.action == offer.action]
            if offer.multiplicity == "all":
                yield self._after(
                    offer.environment,
                    [
                        (offer.targets.get(place, offer.others[place][0]), number)
                        for place, number in state.others
                    ],
                )
            elif not takers:
                if somebody:  # nobody takes the offer
                    yield self._after(state.environment, alone)
            elif offer.multiplicity == "some":
                yield self._after(
                    offer.environment,
                    [
                        (
                            part.target if part in takers else offer.others[part.source][0],
                            part.number,
                        )
                        for part in chosen
                    ],
                )
            else:
                yield from self._of_one(offer, chosen, takers)

    def _of_one(
        self, offer: _Offer, chosen: Sequence[_ChosenTogether], takers: Sequence[_ChosenTogether]
    ) -> Iterator[CountedState]:
        """Yield what comes of it where one of those does an action who want to."""
        for taker in takers:
            counts = [
                (offer.others[part.source][0], part.number - (part is taker)) for part in chosen
            ]
            yield self._after(offer.environment, [*counts, (taker.target, 1)])

    def _after(self, environment: Local, counts: Sequence[tuple[int, int]]) -> CountedState:
        found: dict[int, int] = {}
        for place, number in counts:
            if number:
                found[place] = min(self.cap, found.get(place, 0) + number)
        return CountedState(environment, None, tuple(sorted(found.items())))
