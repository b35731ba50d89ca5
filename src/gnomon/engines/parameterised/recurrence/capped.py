"""Configurations of any number of agents, counted up to a cap, and the steps between them.

A configuration is the environment, the distinguished agent if there is one, and for each place how many of
the others are there: exactly, or "the cap or more". A step says in its strands how many agents go from which
place to which. Every step of every population is one here; that a way here is a run of some population is
not said.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import Final, NamedTuple

from gnomon.engines.parameterised.recurrence.situations import (
    CountedSituation,
    Counts,
    Joint,
    LocalPlace,
    PossibleMoves,
    Situations,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import OutOfReach
from gnomon.model.parameterised.step import Local, World
from gnomon.model.parameterised.system import Part

#: More steps from one configuration are not listed.
_MOST_AT_ONCE: Final = 100_000


class Capped(NamedTuple):
    """A configuration; `own` is where the distinguished agent is, who is not among the others."""

    environment: Local
    own: LocalPlace | None
    others: Counts


class Strand(NamedTuple):
    """Agents that go from a place to a place in a step, or stay; `exact` or at least so many."""

    source: LocalPlace
    target: LocalPlace
    moved: bool
    number: int
    exact: bool


class CappedStep(NamedTuple):
    """A step: where it leads, how many agents go where, and whether the environment and `self` act."""

    after: Capped
    strands: tuple[Strand, ...]
    environment_acts: bool
    own_acts: bool


class _Share(NamedTuple):
    """So many agents of a place who do one thing."""

    target: LocalPlace
    moved: bool
    number: int
    exact: bool


class CappedGraph:
    """All configurations that are counted up to a cap."""

    def __init__(self, situations: Situations, cap: int, template: str = "") -> None:
        """Count the others of a distinguished agent of a template, or everybody, up to a cap."""
        self.situations = situations
        self.cap = cap
        self.template = template
        self._steps: dict[Capped, tuple[CappedStep, ...]] = {}
        self._splits: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}

    # What is there

    def situation(self, now: Capped) -> CountedSituation:
        """Return who is where, the distinguished agent included, as far as guards can see."""
        counts = now.others
        if now.own is not None:
            found = dict(counts)
            found[now.own] = found.get(now.own, 0) + 1
            counts = tuple(sorted(found.items()))
        return self.situations.situation(now.environment, counts)

    def initial(self) -> Iterator[Capped]:
        """Yield all initial configurations of populations that are allowed."""
        situations, system = self.situations, self.situations.system
        empty = World(system, (), {})
        starts = {
            part.name: [situations.place(part.name, local) for local in empty.initial_of(part.name)]
            for part in system.templates
        }
        crowds = [
            list(self._crowds(part, starts[part.name], own=part.name == self.template))
            for part in system.templates
        ]
        owns: Sequence[LocalPlace | None] = starts[self.template] if self.template else (None,)
        for environment in empty.initial_of(ENVIRONMENT):
            for own in owns:
                for chosen in product(*crowds):
                    others = tuple(sorted(pair for crowd in chosen for pair in crowd))
                    yield Capped(environment, own, others)

    def _crowds(self, part: Part, starts: list[LocalPlace], *, own: bool) -> Iterator[Counts]:
        """Yield how many agents of a template may be where at first, beside the distinguished one."""
        for numbers in product(range(self.cap + 1), repeat=len(starts)):
            total = sum(numbers) + own
            surely = self.cap not in numbers  # the numbers say exactly how many there are
            if total < part.low and surely:
                continue
            if part.high is not None and total > part.high:
                continue
            yield tuple((place, n) for place, n in zip(starts, numbers, strict=True) if n)

    # Steps

    def steps(self, now: Capped) -> tuple[CappedStep, ...]:
        """Return all steps; where nothing can happen, the one in which nothing does."""
        found = self._steps.get(now)
        if found is None:
            moves = self.situations.moves(self.situation(now))
            every = chain(self._local(now, moves), self._joint(now, moves))
            listed = dict.fromkeys(islice(every, _MOST_AT_ONCE + 1))
            if len(listed) > _MOST_AT_ONCE:
                msg = f"from one counted configuration there are more than {_MOST_AT_ONCE:,} steps"
                raise OutOfReach(msg)
            found = tuple(listed) or (self._ended(now),)
            self._steps[now] = found
        return found

    def _ended(self, now: Capped) -> CappedStep:
        strands = tuple(Strand(p, p, False, n, n < self.cap) for p, n in now.others)
        return CappedStep(now, strands, environment_acts=False, own_acts=False)

    def _local(self, now: Capped, moves: PossibleMoves) -> Iterator[CappedStep]:
        """Yield the steps in which some act, each for itself."""
        environments = [(now.environment, False)]
        environments += [(after, True) for _, after in moves.environment]
        owns: list[tuple[LocalPlace | None, bool]] = [(now.own, False)]
        if now.own is not None:
            owns += [(target, True) for _, target in moves.local[now.own]]
        shares = [
            list(self._shares(place, number, sorted({t for _, t in moves.local[place]})))
            for place, number in now.others
        ]
        for (environment, acts), (own, own_acts), *chosen in product(
            dict.fromkeys(environments), dict.fromkeys(owns), *shares
        ):
            if acts or own_acts or _anybody(chosen):
                yield self._step(now, (environment, acts), (own, own_acts), chosen)

    def _shares(
        self, place: LocalPlace, number: int, targets: list[LocalPlace]
    ) -> Iterator[tuple[_Share, ...]]:
        """Yield the ways to divide the agents of a place into those that stay and those that move."""
        ways = [(place, False), *((target, True) for target in targets)]
        for split in self._split(number, len(ways)):
            yield tuple(
                _Share(target, moved, n, n < self.cap)
                for (target, moved), n in zip(ways, split, strict=True)
                if n
            )

    def _split(self, number: int, ways: int) -> tuple[tuple[int, ...], ...]:
        """Return the ways to write an exact number as a sum, or "the cap or more" as one of such."""
        key = (number, ways)
        if key not in self._splits:
            choices = product(range(number + 1), repeat=ways)
            self._splits[key] = tuple(
                split
                for split in choices
                if sum(split) == number or (number == self.cap and sum(split) > number)
            )
        return self._splits[key]

    def _joint(self, now: Capped, moves: PossibleMoves) -> Iterator[CappedStep]:
        for joint in moves.joint:
            match joint.multiplicity:
                case "some":
                    yield from self._some(now, joint)
                case "one":
                    yield from self._one(now, joint)
                case "all":
                    yield self._all(now, joint)

    def _some(self, now: Capped, joint: Joint) -> Iterator[CappedStep]:
        owns = [(self._own_following(now, joint), False)]
        if now.own is not None and now.own in joint.targets:
            owns.append(((joint.targets[now.own], True), True))
        shares = [list(self._led(place, n, joint)) for place, n in now.others]
        for (own, own_leads), chosen in product(owns, list(product(*shares))):
            if own_leads or any(leads for _, leads in chosen):
                yield self._step(now, (joint.environment, True), own, [each for each, _ in chosen])

    def _led(
        self, place: LocalPlace, number: int, joint: Joint
    ) -> Iterator[tuple[tuple[_Share, ...], bool]]:
        """Yield the ways to divide the agents of a place into others and those that take part, if any."""
        ways = [joint.others(place)]
        if place in joint.targets:
            ways.append((joint.targets[place], True))
        for split in self._split(number, len(ways)):
            shares = tuple(
                _Share(target, moved, n, n < self.cap)
                for (target, moved), n in zip(ways, split, strict=True)
                if n
            )
            yield shares, any(split[1:])

    def _one(self, now: Capped, joint: Joint) -> Iterator[CappedStep]:
        environment = (joint.environment, True)
        if now.own is not None and now.own in joint.targets:
            everybody = [self._following(place, n, joint) for place, n in now.others]
            yield self._step(now, environment, (joint.targets[now.own], True), everybody)
        own = self._own_following(now, joint)
        for mover, number in now.others:
            if mover not in joint.targets:
                continue
            # Of "the cap or more" one less may be one less than the cap, or still the cap or more.
            for rest in {number - 1, number} if number == self.cap else {number - 1}:
                moving = (
                    _Share(joint.targets[mover], True, 1, True),
                    *self._following(mover, rest, joint),
                )
                chosen = [
                    moving if place == mover else self._following(place, n, joint)
                    for place, n in now.others
                ]
                yield self._step(now, environment, own, chosen)

    def _all(self, now: Capped, joint: Joint) -> CappedStep:
        own = self._own_following(now, joint)
        if now.own is not None and now.own in joint.targets:
            own = (joint.targets[now.own], True)
        chosen: list[tuple[_Share, ...]] = [
            (_Share(joint.targets[place], True, n, n < self.cap),)
            if place in joint.targets
            else self._following(place, n, joint)
            for place, n in now.others
        ]
        return self._step(now, (joint.environment, True), own, chosen)

    def _own_following(self, now: Capped, joint: Joint) -> tuple[LocalPlace | None, bool]:
        """Return where the distinguished agent gets if it does not take part, and whether it acts."""
        return (None, False) if now.own is None else joint.others(now.own)

    def _following(self, place: LocalPlace, number: int, joint: Joint) -> tuple[_Share, ...]:
        """Return what agents of a place do who do not take part."""
        target, moved = joint.others(place)
        return (_Share(target, moved, number, number < self.cap),) if number else ()

    def _step(
        self,
        now: Capped,
        environment: tuple[Local, bool],
        own: tuple[LocalPlace | None, bool],
        chosen: Sequence[tuple[_Share, ...]],
    ) -> CappedStep:
        strands: list[Strand] = []
        after: dict[LocalPlace, int] = {}
        for (place, _), shares in zip(now.others, chosen, strict=True):
            for target, moved, number, exact in shares:
                strands.append(Strand(place, target, moved, number, exact))
                after[target] = min(self.cap, after.get(target, 0) + number)
        others = tuple(sorted(after.items()))
        return CappedStep(
            Capped(environment[0], own[0], others), tuple(strands), environment[1], own[1]
        )


def _anybody(chosen: Sequence[tuple[_Share, ...]]) -> bool:
    return any(share.moved for shares in chosen for share in shares)
