"""Games on counted configurations: what a coalition may choose, and what may come of it.

With a cap above the number of agents the counts are exact, and this is the game of one population up to who
is who. With a smaller cap it is a game of all populations at once, in which what counting leaves open is
decided for the agents beside `self`: where they are opponents the coalition wins no more often than in any
population, and where they are its members no less often.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import comb, prod
from typing import Final, NamedTuple, TypeAlias, TypeVar

from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph
from gnomon.engines.parameterised.recurrence.situations import (
    Counts,
    Joint,
    LocalPlace,
    PossibleMoves,
    Situations,
)
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Local

#: Larger games are not played.
MOST_RESULTS: Final = 300_000


class Division(NamedTuple):
    """So many agents of a place who choose the same: to wait, a local action, or one with others."""

    source: LocalPlace
    action: str | None
    #: Where it leads; the place itself for those who wait.
    target: LocalPlace
    shared: bool
    number: int


class CountedOption(NamedTuple):
    """A choice of a coalition, and what may come of it.

    What is chosen for the environment and for `self`, where these are members, and by all others, where
    these are.
    """

    environment: str | None
    own: str | None
    others: tuple[Division, ...]
    results: tuple[Capped, ...]


_Place = TypeVar("_Place")

#: Where the environment gets, and whether it acts.
_EnvironmentActs: TypeAlias = tuple[Local, bool]
#: Where `self` gets, and whether it acts.
_OwnActs: TypeAlias = tuple[LocalPlace | None, bool]


class CountedGame:
    """What a coalition may choose in counted configurations."""

    def __init__(self, situations: Situations, cap: int, query: Ability, budget: Budget) -> None:
        """Count agents up to a cap."""
        self.graph = CappedGraph(situations, cap, query.template)
        self.cap = cap
        self._situations = situations
        self._query = query
        self._budget = budget
        self._results = 0

    def options(self, now: Capped) -> Iterator[CountedOption]:
        """Yield all that the coalition may choose; of what it may not choose, nothing can come."""
        moves = self._situations.moves(self.graph.situation(now))
        found = self._of_all(now, moves) if self._query.everybody else self._of_few(now, moves)
        empty = True
        for option in found:
            self._results += len(option.results) + 1
            self._budget.check("results of choices", self._results)
            if self._results > MOST_RESULTS:
                msg = f"a game has more than {MOST_RESULTS:,} results of choices"
                raise OutOfReach(msg)
            if option.results:
                empty = False
                yield option
        if empty:
            # Nobody can do anything: then everything stays as it is.
            yield CountedOption(None, None, (), (now,))

    # The environment or `self`, against all others

    def _of_few(self, now: Capped, moves: PossibleMoves) -> Iterator[CountedOption]:
        offers: list[str | None] = [None, *(action for action, _ in moves.environment)]
        offers += [joint.action for joint in moves.joint]
        owns: list[str | None] = [None]
        if now.own is not None:
            owns += [action for action, _ in moves.local[now.own]]
            owns += [joint.action for joint in moves.joint if now.own in joint.targets]
        mine = offers if self._query.environment else [None]
        self_ = owns if self._query.own else [None]
        for offer, own in product(mine, self_):
            results: dict[Capped, None] = {}
            for each in [offer] if self._query.environment else offers:
                for one in [own] if self._query.own else owns:
                    results.update(dict.fromkeys(self._against(now, moves, each, one)))
            yield CountedOption(offer, own, (), tuple(results))

    def _against(
        self, now: Capped, moves: PossibleMoves, offer: str | None, own: str | None
    ) -> Iterator[Capped]:
        """Yield what may come of it if the others choose as they like."""
        joint = next((each for each in moves.joint if each.action == offer), None)
        if joint is None:
            environment = _moved(moves.environment, offer, now.environment)
            yield from self._alone(now, moves, environment, own)
            return
        if joint.multiplicity == "all":
            yield self._everybody(now, joint)
            return
        takes = own == joint.action
        if joint.multiplicity == "some":
            yield from self._several(now, joint, takes=takes)
        else:
            yield from self._one(now, joint, takes=takes)
        if not takes:
            yield from self._alone(now, moves, (now.environment, False), own)

    def _alone(
        self, now: Capped, moves: PossibleMoves, environment: _EnvironmentActs, own: str | None
    ) -> Iterator[Capped]:
        """Yield the results of all choices of local actions."""
        mine: _OwnActs = (now.own, False)
        if now.own is not None:
            mine = _moved(moves.local[now.own], own, now.own)
        shares = [
            self._ways(place, number, sorted({target for _, target in moves.local[place]}))
            for place, number in now.others
        ]
        for chosen in self._each(shares):
            if environment[1] or mine[1] or any(acts for _, acts in chosen):
                yield _joined(environment[0], mine[0], chosen, self.cap)

    def _several(self, now: Capped, joint: Joint, *, takes: bool) -> Iterator[Capped]:
        """Yield the results where any number take part, `self` or not."""
        own = _following(now.own, joint)
        if takes and now.own is not None:
            own = joint.targets[now.own]
        shares = []
        for place, number in now.others:
            leading = [joint.targets[place]] if place in joint.targets else []
            shares.append(self._ways(joint.others(place)[0], number, leading))
        for chosen in self._each(shares):
            if takes or any(acts for _, acts in chosen):
                yield _joined(joint.environment, own, chosen, self.cap)

    def _one(self, now: Capped, joint: Joint, *, takes: bool) -> Iterator[Capped]:
        """Yield the results where one takes part: of several who want to, it may be each."""
        if takes and now.own is not None:
            others = [(joint.others(place)[0], n) for place, n in now.others]
            yield Capped(joint.environment, joint.targets[now.own], _summed(others, self.cap))
        for place, number in now.others:
            if place in joint.targets:
                # One less than "the cap or more" may be one less than the cap, or still the cap or more.
                for left in {number - 1, number} if number == self.cap else {number - 1}:
                    counts = [
                        (joint.others(p)[0], left if p == place else n) for p, n in now.others
                    ]
                    counts.append((joint.targets[place], 1))
                    own = _following(now.own, joint)
                    yield Capped(joint.environment, own, _summed(counts, self.cap))

    def _everybody(self, now: Capped, joint: Joint) -> Capped:
        def after(place: LocalPlace) -> LocalPlace:
            return joint.targets.get(place, joint.others(place)[0])

        own = None if now.own is None else after(now.own)
        counts = [(after(place), n) for place, n in now.others]
        return Capped(joint.environment, own, _summed(counts, self.cap))

    def _ways(
        self, place: LocalPlace, number: int, targets: list[LocalPlace]
    ) -> list[tuple[Counts, bool]]:
        """Return how many agents of a place may get where, and whether any of them acts."""
        ends = (place, *targets)
        return [
            (tuple((end, n) for end, n in zip(ends, split, strict=True) if n), any(split[1:]))
            for split in divisions(number, (self.cap,) * len(ends), self.cap)
        ]

    def _each(
        self, shares: Sequence[Sequence[tuple[Counts, bool]]]
    ) -> Iterator[tuple[tuple[Counts, bool], ...]]:
        for number, chosen in enumerate(product(*shares)):
            if not number % 1000:
                self._budget.check("results of choices", self._results + number)
            if number > MOST_RESULTS:
                msg = f"a choice in a game has more than {MOST_RESULTS:,} results"
                raise OutOfReach(msg)
            yield chosen

    # All agents, against the environment

    def _of_all(self, now: Capped, moves: PossibleMoves) -> Iterator[CountedOption]:
        offers: list[str | None] = [None, *(action for action, _ in moves.environment)]
        offers += [joint.action for joint in moves.joint]
        ways = [list(self._chosen(place, n, moves)) for place, n in now.others]
        for number, chosen in enumerate(product(*ways)):
            if number > MOST_RESULTS:
                msg = f"members of a coalition have more than {MOST_RESULTS:,} choices"
                raise OutOfReach(msg)
            divided = tuple(part for parts in chosen for part in parts)
            results: dict[Capped, None] = {}
            for offer in offers:
                results.update(dict.fromkeys(self._offered(now, moves, offer, divided)))
            yield CountedOption(None, None, divided, tuple(results))

    def _chosen(
        self, place: LocalPlace, number: int, moves: PossibleMoves
    ) -> Iterator[tuple[Division, ...]]:
        """Yield what the agents of a place may choose.

        How many choose an action for one has to be known one further: one less of them is as many as count.
        """
        ends: dict[LocalPlace, str] = {
            target: action for action, target in moves.local[place][::-1]
        }
        kinds: list[tuple[str | None, LocalPlace, bool, int]] = [(None, place, False, self.cap)]
        kinds += [(action, target, False, self.cap) for target, action in ends.items()]
        for joint in moves.joint:
            if place in joint.targets and joint.multiplicity != "all":
                most = self.cap + (joint.multiplicity == "one")
                kinds.append((joint.action, joint.targets[place], True, most))
        for split in divisions(number, tuple(most for *_, most in kinds), self.cap):
            yield tuple(
                Division(place, action, target, shared, n)
                for (action, target, shared, _), n in zip(kinds, split, strict=True)
                if n
            )

    def _offered(
        self, now: Capped, moves: PossibleMoves, offer: str | None, chosen: tuple[Division, ...]
    ) -> Iterator[Capped]:
        """Yield what may come of it when all agents have chosen, and the environment as well."""
        joint = next((each for each in moves.joint if each.action == offer), None)
        if joint is not None and joint.multiplicity == "all":
            yield self._everybody(now, joint)
            return
        takers = [each for each in chosen if each.shared and each.action == offer]
        if joint is not None and takers:
            # Those who have chosen something else follow, if they can.
            others = [(joint.others(each.source)[0], each.number) for each in chosen]
            if joint.multiplicity == "some":
                counts = [
                    (each.target, each.number) if each in takers else other
                    for each, other in zip(chosen, others, strict=True)
                ]
                yield Capped(joint.environment, None, _summed(counts, self.cap))
                return
            for taker in takers:
                counts = [
                    (place, number - (each is taker))
                    for each, (place, number) in zip(chosen, others, strict=True)
                ]
                counts.append((taker.target, 1))
                yield Capped(joint.environment, None, _summed(counts, self.cap))
            return
        environment = (now.environment, False)
        if joint is None:
            environment = _moved(moves.environment, offer, now.environment)
        acting = any(each.action is not None and not each.shared for each in chosen)
        if environment[1] or acting:
            counts = [(each.source if each.shared else each.target, each.number) for each in chosen]
            yield Capped(environment[0], None, _summed(counts, self.cap))


def _moved(
    possible: Sequence[tuple[str, _Place]], action: str | None, here: _Place
) -> tuple[_Place, bool]:
    """Return where somebody gets who chooses a local action, and whether it acts; any other is to wait."""
    return next(((after, True) for name, after in possible if name == action), (here, False))


def _following(own: LocalPlace | None, joint: Joint) -> LocalPlace | None:
    """Return where `self` gets if it does not take part in an action, but may follow it."""
    return None if own is None else joint.others(own)[0]


def _joined(
    environment: Local,
    own: LocalPlace | None,
    chosen: Sequence[tuple[Counts, bool]],
    cap: int,
) -> Capped:
    return Capped(environment, own, _summed([pair for counts, _ in chosen for pair in counts], cap))


def _summed(counts: Sequence[tuple[LocalPlace, int]], cap: int) -> Counts:
    found: dict[LocalPlace, int] = {}
    for place, number in counts:
        if number:
            found[place] = min(cap, found.get(place, 0) + number)
    return tuple(sorted(found.items()))


@cache
def divisions(number: int, most: tuple[int, ...], cap: int) -> tuple[tuple[int, ...], ...]:
    """Return how a number of agents may be divided, each part counted up to its own most.

    A number below the cap is exact; the cap stands for itself and all that is more.
    """
    if number < cap:
        return tuple(sums(number, len(most)))
    if prod(top + 1 for top in most) > MOST_RESULTS:
        msg = "agents in one place can be divided in too many ways"
        raise OutOfReach(msg)
    return tuple(
        split for split in product(*(range(top + 1) for top in most)) if sum(split) >= number
    )


def sums(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as a sum of so many."""
    if parts and comb(number + parts - 1, number) > MOST_RESULTS:
        msg = "agents can be divided in too many ways"
        raise OutOfReach(msg)
    if parts <= 1:
        if parts or not number:
            yield (number,) * parts
        return
    for first in range(number + 1):
        for rest in sums(number - first, parts - 1):
            yield (first, *rest)
