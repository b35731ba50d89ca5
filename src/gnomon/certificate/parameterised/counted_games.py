"""That a coalition enforces something in all populations: counted states from which it wins.

Each state with a number has what the coalition wants, or a choice of which only such states can come, with
smaller numbers where it has to get somewhere. Whatever may come of a choice in some population is among what
may come of it here. In other states the coalition may play something of which its opponents run out: steps
between these are deleted until none is left.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.certificate.deductive.tableau import tableau
from gnomon.certificate.parameterised.counted_paths import CountedListing, checked_cap, counted_ways
from gnomon.certificate.parameterised.counted_steps import (
    CountedPopulations,
    CountedState,
    CountedStep,
    CountedTogether,
)
from gnomon.certificate.parameterised.deletions import RemainingSteps
from gnomon.certificate.parameterised.fillings import fillings
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.watched_paths import CountedNode, WatchedStep
from gnomon.certificate.rejection import Rejected, TooMuch, require
from gnomon.certificate.shape import integer, items, member, row
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.step import Completed, ConflictingLines, Facts, Local
from gnomon.model.parameterised.system import Multiplicity, OpenSystem

#: Counting further than that is not checked.
_MOST_CAP: Final = 12
#: The most states of a region.
_MOST_STATES: Final = 50_000
#: What is played may go on in any way.
_ANYTHING: Final = f.Globally(f.Constant(True))


class _Wait(NamedTuple):
    """To wait."""


class _Alone(NamedTuple):
    """To do something alone, by where it leads: the environment's local state, or a place."""

    target: Local | int


class _Shared(NamedTuple):
    """To choose an action with others."""

    action: str


#: What somebody may choose.
_Choice = _Wait | _Alone | _Shared


class _SharedStep(NamedTuple):
    """Where an action with the environment leads, and whether `self` takes part, and does not only follow."""

    after: CountedState
    own_takes_part: bool


class _PossibleSteps(NamedTuple):
    """The steps that are possible: on one's own, and by the action that is done together."""

    alone: tuple[CountedStep, ...]
    shared: dict[str, tuple[Multiplicity, tuple[_SharedStep, ...]]]
    own_shared: frozenset[str]


def check_region(
    system: OpenSystem, data: object, query: Ability, prover: ObligationProver, budget: Budget
) -> None:
    """Fail unless a coalition wins in all populations, however the relations are filled."""
    require(not query.everybody, "that all populations win is not what was asked")
    given = counted_ways(system, data)
    for filled in fillings(system, (query.stay, query.goal)):
        require(filled in given, "a way to fill the relations is left out")
        facts_ = Completed(system, dict(filled))
        try:
            _RegionClaims(system, given[filled], query, facts_, budget).check(prover)
        except ConflictingLines as clash:
            raise Rejected(f"`{clash}` is given two values") from clash


class _RegionClaims:
    """States from which a coalition wins: each with a number, or with what is played there for ever."""

    def __init__(
        self, system: OpenSystem, data: object, query: Ability, facts: Facts, budget: Budget
    ) -> None:
        cap = checked_cap(data)
        if cap > _MOST_CAP:
            raise TooMuch(f"agents are counted further than {_MOST_CAP}")
        self._query = query
        self._game = CountedGames(system, facts, cap, query, budget)
        listed = CountedListing(self._game, data)
        if len(listed.states) > _MOST_STATES:
            raise TooMuch(f"there are more than {_MOST_STATES:,} states")
        self._numbers: dict[CountedState, int] = {}
        for each in items(member(data, "numbers")):
            where, number = row(each, 2)
            self._numbers[listed.state(where)] = integer(number)
        self._plays: dict[CountedState, frozenset[CountedState]] = {}
        for each in items(member(data, "plays")):
            where, results = row(each, 2)
            found = frozenset(listed.state(result) for result in items(results))
            self._plays[listed.state(where)] = found
        self._deletions = items(member(data, "deletions"))

    def check(self, prover: ObligationProver) -> None:
        """Fail unless the coalition wins from wherever populations begin."""
        for start in self._game.initial():
            known = start in self._numbers or start in self._plays
            require(known, "populations may begin outside of the region")
        for state, number in self._numbers.items():
            prover.count()
            require(self._is_good(state, number), "a state has no choice that stays in the region")
        if self._plays:
            self._must_end(prover)

    def _is_good(self, state: CountedState, number: int) -> bool:
        """Return whether a state has what is wanted, or a choice that stays in the region."""
        game, query = self._game, self._query
        if game.holds(query.goal, state, state.own):
            return True
        if not game.holds(query.stay, state, state.own):
            return False

        def stays(after: CountedState) -> bool:
            found = self._numbers.get(after)
            return found is not None and (query.forever or found < number)

        return any(all(map(stays, results)) for results in game.options(state))

    def _must_end(self, prover: ObligationProver) -> None:
        """Fail unless what is played leads on to numbered states, in every population: opponents run out."""
        require(not self._query.forever, "what has to be kept for ever does not end")
        number = {state: n for n, state in enumerate(self._plays)}
        steps: list[WatchedStep] = []
        for state, results in self._plays.items():
            prover.count()
            stays = self._game.holds(self._query.stay, state, state.own)
            require(stays, "what has to be kept is broken")
            require(results in map(frozenset, self._game.options(state)), "that is no choice")
            inside = all(after in number or after in self._numbers for after in results)
            require(inside, "what is played leads out of the region")
            steps += [
                WatchedStep(number[state], number[step.after], step)
                for step in self._game.steps(state)
                if step.after in results and step.after in number
            ]
        nodes = [CountedNode(state, 0) for state in self._plays]
        left = RemainingSteps(self._game, tableau(_ANYTHING), nodes, steps)
        for each in self._deletions:
            prover.count()
            left.delete(each)
        require(not left.steps, "opponents may go on like this for ever")


class CountedGames(CountedPopulations):
    """What coalitions may choose in counted states."""

    def __init__(
        self, system: OpenSystem, facts: Facts, cap: int, query: Ability, budget: Budget
    ) -> None:
        """Count agents up to a cap."""
        super().__init__(system, facts, cap, (query.stay, query.goal), budget, query.template)
        self._query = query

    # Choices

    def options(self, state: CountedState) -> Iterator[set[CountedState]]:
        """Yield what may come of each choice of the coalition; choices of which nothing can come are none."""
        possible = self._possible(state)
        if not possible.alone and not possible.shared:
            yield {state}
            return
        offers: list[_Choice] = [_Wait(), *(_Shared(action) for action in possible.shared)]
        ends = {step.after.environment for step in possible.alone if step.environment_acts}
        offers += [_Alone(end) for end in ends]
        owns: list[_Choice] = [_Wait(), *(_Shared(action) for action in possible.own_shared)]
        places = {step.after.own for step in possible.alone if step.own_acts}
        owns += [_Alone(place) for place in places if place is not None]
        mine = [(offer,) for offer in offers] if self._query.environment else [tuple(offers)]
        selves = [(own,) for own in owns] if self._query.own else [tuple(owns)]
        for offered in mine:
            for chosen in selves:
                results = {
                    after
                    for offer in offered
                    for own in chosen
                    for after in self._results(possible, offer, own)
                }
                if results:
                    yield results

    def _possible(self, state: CountedState) -> _PossibleSteps:
        seen = self._seen(state)
        world, now = seen.world, seen.now
        shared: dict[str, tuple[Multiplicity, tuple[_SharedStep, ...]]] = {}
        own_shared: set[str] = set()
        for action, multiplicity in self.system.sync.items():
            if not world.can(None, action, now):
                continue
            after = world.after(None, action, now)
            assert after is not None  # it can be done
            targets = self._targets(seen, action)
            joint = CountedTogether(multiplicity, targets, self._meanwhile(seen, action))
            ways = self._taking_part(joint, state)
            steps = tuple(
                _SharedStep(self._step(state, (after, True), own, chosen).after, takes_part)
                for own, chosen, takes_part in ways
            )
            if steps:
                shared[action] = multiplicity, steps
            if state.own in targets:
                own_shared.add(action)
        return _PossibleSteps(tuple(self._alone(state, seen)), shared, frozenset(own_shared))

    def _results(
        self, possible: _PossibleSteps, offer: _Choice, own: _Choice
    ) -> Iterator[CountedState]:
        """Yield what may come of it if the environment and `self` choose so, and all others as they like."""
        if isinstance(offer, _Shared):
            multiplicity, steps = possible.shared[offer.action]
            takes = own == offer
            for step in steps:
                if (
                    multiplicity == "all"
                    or step.own_takes_part is takes
                    or (takes and multiplicity == "one")
                ):
                    yield step.after
            if multiplicity == "all" or takes:
                return
            offer = _Wait()
        for alone in possible.alone:
            if _is(offer, alone.environment_acts, alone.after.environment) and _is(
                own, alone.own_acts, alone.after.own
            ):
                yield alone.after


def _is(choice: _Choice, acts: bool, target: Local | int | None) -> bool:  # noqa: FBT001
    """Return whether somebody does on its own what it has chosen."""
    match choice:
        case _Alone(chosen):
            return acts and target == chosen
        case _:
            return not acts
