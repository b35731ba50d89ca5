"""All configurations of all populations, counted up to a cap: what agents may take for each other.

Where everything is `some` or `all`, nothing compares agents and no template is bounded above, a cap of one is
exact: each of these configurations is one of some population. Elsewhere there may be too many here.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph, CappedStep
from gnomon.engines.parameterised.recurrence.capped_truth import CappedTruth, has_copies
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.engines.parameterised.recurrence.situations import (
    CountedSituation,
    LocalPlace,
    Situations,
)
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.recurrence.truth import MOST_STEPS
from gnomon.model import formula as f
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Datum
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, Configuration, Local, Place, World
from gnomon.model.parameterised.system import OpenSystem

#: That some run goes on from here that counts.
GOES_ON = f.Exists(f.Globally(f.Constant(True)))

#: How a configuration was reached: from which, and by which step.
Parents: TypeAlias = dict[Capped, tuple[Capped, CappedStep] | None]


class PopulationView(NamedTuple):
    """What an agent sees: its own state, and values of the environment's variables."""

    template: str
    local: Local
    seen: tuple[Datum, ...]


class CountedPoint(NamedTuple):
    """A configuration under one of the interpretations of the relations."""

    way: int
    situation: CountedSituation


class JudgedMoment(NamedTuple):
    """A configuration with as many agents as matter, by which a point is judged."""

    world: World
    now: Configuration

    def agents(self, template: str) -> Iterator[int]:
        """Yield the agents of a template."""
        return (n for n, name in enumerate(self.world.members) if name == template)

    def view(self, agent: int) -> PopulationView:
        """Return what an agent sees."""
        system = self.world.system
        template = self.world.members[agent]
        return PopulationView(template, self.now.agents[agent], seen_by(system, template, self.now))


def seen_by(system: OpenSystem, template: str, now: Configuration) -> tuple[Datum, ...]:
    """Return what agents of a template see of the environment."""
    names = system.part[template].sees
    return tuple(now.environment[system.position["Environment", name]] for name in names)


class CountedPoints:
    """All points that are counted up to a cap; too many if `is_exact` is false, and none is missing."""

    def __init__(
        self, system: OpenSystem, cap: int, track: Track, budget: Budget, *, compares: bool
    ) -> None:
        """Explore them; `compares` says whether what is asked compares agents."""
        self.system = system
        self.cap = cap
        self.ways: list[dict[Place, Datum]] = list(interpretations(system))
        self.situations = [Situations(system, cap, Completed(system, facts)) for facts in self.ways]
        self.graphs = [CappedGraph(each, cap) for each in self.situations]
        self.is_exact = cap == 1 and not compares and has_copies(system) and not system.fairness
        self.steps = 0
        self._budget = budget
        self._moments: dict[CountedPoint, tuple[JudgedMoment, dict[LocalPlace, int]]] = {}
        self.parents = [self._explored(graph) for graph in self.graphs]
        self.points = [
            CountedPoint(way, graph.situation(now))
            for way, graph in enumerate(self.graphs)
            for now in self._counting(graph, self.parents[way], track)
        ]

    def _explored(self, graph: CappedGraph) -> Parents:
        """Return all that is reached, each with what came before."""
        found: Parents = dict.fromkeys(graph.initial())
        waiting = list(found)
        for now in waiting:
            self._budget.check("configurations", len(found))
            for step in graph.steps(now):
                self.steps += 1
                if step.after not in found:
                    found[step.after] = (now, step)
                    waiting.append(step.after)
            if self.steps > MOST_STEPS:
                msg = f"there are more than {MOST_STEPS:,} steps between counted configurations"
                raise OutOfReach(msg)
        return found

    def _counting(self, graph: CappedGraph, found: Parents, track: Track) -> list[Capped]:
        """Return those that some run may go on from that counts."""
        if not self.system.fairness:
            return list(found)
        truth = CappedTruth(graph, OverTime(GOES_ON, ()), track, self._budget)
        return [now for now in found if truth.value(GOES_ON, now) is not False]

    def moment(self, point: CountedPoint) -> JudgedMoment:
        """Return a configuration by which a point is judged."""
        return self._shown(point)[0]

    def occupants(self, point: CountedPoint, template: str) -> Iterator[int]:
        """Yield an agent for each local state of a template in which there are any."""
        moment, first = self._shown(point)
        return (n for n in first.values() if moment.world.members[n] == template)

    def _shown(self, point: CountedPoint) -> tuple[JudgedMoment, dict[LocalPlace, int]]:
        found = self._moments.get(point)
        if found is None:
            world, now, first = self.situations[point.way].shown(point.situation)
            found = self._moments[point] = JudgedMoment(world, now), first
        return found
