"""Paths that branch off in one population: there are so many agents of each template, and no others.

From some states no fair run is as a path formula says: that is shown as for all populations. From some, a
run is, which is followed from there on and goes round for ever, fairly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace as with_fields
from typing import Final

from gnomon.certificate.parameterised.counted_paths import CountedClaims, sought_path
from gnomon.certificate.parameterised.counted_steps import CountedState
from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_lassos import Lasso, fair_lasso, replayed_lasso
from gnomon.certificate.parameterised.population_runs import FollowedRun
from gnomon.certificate.rejection import TooMuch, require
from gnomon.certificate.shape import member, row
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Configuration, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: Populations of more agents are not gone through.
_MOST_AGENTS: Final = 20


def check_branching(
    system: OpenSystem, data: object, query: OverTime, prover: ObligationProver, budget: Budget
) -> None:
    """Fail unless a run is one that a question is about, or excludes, by what other runs there are."""
    lasso = replayed_lasso(system, data, query, prover)
    claims = OnePopulation(lasso.world, member(data, "branches"), query, prover, budget)
    require(claims.holds_on(lasso, sought_path(query)), "the run is none that was asked about")


class OnePopulation(CountedClaims):
    """What a certificate says of the paths of a population."""

    def __init__(
        self, world: World, data: object, query: OverTime, prover: ObligationProver, budget: Budget
    ) -> None:
        """Read what is said of the population of a world."""
        if len(world.members) > _MOST_AGENTS:
            raise TooMuch(f"paths that branch off are looked at with {_MOST_AGENTS} agents at most")
        system = with_just(world.system, world.members)
        super().__init__(system, data, query, world.facts, budget)
        self._world = world
        self._prover = prover
        self.read_labels()

    def holds_on(self, lasso: Lasso, path: f.Formula) -> bool:
        """Return whether a path formula holds on a run of the population."""
        states = [self._counted(now) for now in lasso.states]
        return lasso.is_so(path, lambda formula, position: self.value(formula, states[position]))

    def _counted(self, now: Configuration) -> CountedState:
        places = [
            self.populations.place(name, local)
            for name, local in zip(self._world.members, now.agents, strict=True)
        ]
        own = places.pop(0) if self._query.template else None
        cap = self.populations.cap
        counts = tuple((place, min(places.count(place), cap)) for place in sorted(set(places)))
        return CountedState(now.environment, own, counts)

    def _certain(self, path: f.Formula, listed: Sequence[object]) -> Iterator[CountedState]:
        """Yield the states from which a run is as a path formula says."""
        for each in listed:
            where, events, loop = row(each, 3)
            state = self.state(where)
            run = FollowedRun(self._world, self._standing(state), events, self._prover)
            require(self.holds_on(fair_lasso(run, loop), path), "a run is none that was asked for")
            yield state

    def _standing(self, state: CountedState) -> Configuration:
        """Return the configuration of a state, in which it is told how many agents are where."""
        require(
            all(number < self.populations.cap for _, number in state.others),
            "it is not said how many agents are in a place",
        )
        own = () if state.own is None else (state.own,)
        places = (*own, *(place for place, number in state.others for _ in range(number)))
        left = [self.populations.places[place] for place in places]
        require(
            sorted(name for name, _ in left) == sorted(self._world.members),
            "a state has other agents than the population",
        )
        # The agent that is distinguished is the first of its template here and there.
        locals_ = []
        for template in self._world.members:
            at = next(n for n, (name, _) in enumerate(left) if name == template)
            locals_.append(left.pop(at)[1])
        return Configuration(state.environment, tuple(locals_))


def with_just(system: OpenSystem, members: Sequence[str]) -> OpenSystem:
    """Return a system of which there is one population only."""
    templates = tuple(
        replace(part, low=members.count(part.name), high=members.count(part.name))
        for part in system.templates
    )
    return with_fields(system, templates=templates)
