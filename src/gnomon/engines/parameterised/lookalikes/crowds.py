"""Configurations of small populations, each with the run that leads to it."""

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.lookalikes.points import (
    GOES_ON,
    CountedPoint,
    CountedPoints,
    JudgedMoment,
)
from gnomon.engines.parameterised.recurrence.crowd import (
    CrowdGraph,
    CrowdState,
    CrowdStep,
    event_of,
)
from gnomon.engines.parameterised.recurrence.crowd_truth import CrowdTruth
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Event

#: Of all populations together, so many steps are looked at.
_MOST_STEPS: Final = 200_000
#: With more agents than needed at least, populations are not looked at.
_MORE_AGENTS: Final = 4


class ReachedByCrowd(NamedTuple):
    """A configuration of a definite number of agents, and the run that leads to it."""

    moment: JudgedMoment
    point: CountedPoint | None
    run: OpenRun


class _Found(NamedTuple):
    """What a population reaches under an interpretation, each with what came before."""

    graph: CrowdGraph
    way: int
    before: dict[CrowdState, tuple[CrowdState, CrowdStep] | None]
    counting: list[CrowdState]


class Crowds:
    """The configurations that small populations reach, the smallest first; found when they are needed."""

    def __init__(self, points: CountedPoints, track: Track, budget: Budget) -> None:
        """Have populations of a system whose configurations were counted."""
        self.points = points
        self._system = points.system
        self._track = track
        self._budget = budget
        self._found: list[_Found] = []
        self._waiting = self._populations()
        self._steps = 0
        #: Up to how many agents all populations were gone through, and whether that is all there will be.
        self.up_to = -1
        self.is_over = False

    def more(self) -> bool:
        """Go through the populations with one agent more; return whether there are any."""
        if self.is_over:
            return False
        number, populations = next(self._waiting, (0, None))
        if populations is None:
            self.is_over = True
            return False
        try:
            for population in populations:
                for way in range(len(self.points.ways)):
                    self._found.append(self._explored(population, way))
        except OutOfReach:
            self.is_over = True
            return False
        self.up_to = number
        return True

    def _populations(self) -> Iterator[tuple[int, list[Population]]]:
        templates = self._system.templates
        least = sum(part.low for part in templates)
        for number in range(least, least + _MORE_AGENTS + 1):
            counts = product(range(number + 1), repeat=len(templates))
            allowed = [
                each
                for each in counts
                if sum(each) == number
                and all(p.allows(n) for p, n in zip(templates, each, strict=True))
            ]
            if allowed:
                yield number, allowed

    def _explored(self, population: Population, way: int) -> _Found:
        names = [part.name for part in self._system.templates]
        members = tuple(name for name, n in zip(names, population, strict=True) for _ in range(n))
        graph = CrowdGraph(self.points.situations[way], members)
        before: dict[CrowdState, tuple[CrowdState, CrowdStep] | None] = dict.fromkeys(
            graph.initial()
        )
        waiting = list(before)
        for now in waiting:
            self._budget.check("few agents", len(before))
            for after, step in graph.steps(now):
                if not step.somebody_acts:
                    continue
                self._steps += 1
                if after not in before:
                    before[after] = (now, step)
                    waiting.append(after)
            if self._steps > _MOST_STEPS:
                msg = f"small populations have more than {_MOST_STEPS:,} steps"
                raise OutOfReach(msg)
        return _Found(graph, way, before, self._counting(graph, waiting))

    def _counting(self, graph: CrowdGraph, found: list[CrowdState]) -> list[CrowdState]:
        """Return those that some run goes on from that counts."""
        if not self._system.fairness:
            return found
        truth = CrowdTruth(graph, OverTime(GOES_ON, ()), self._track, self._budget)
        return [now for now in found if truth.value(GOES_ON, now)]

    def reached(self) -> set[CountedPoint]:
        """Return the points that populations so far have reached."""
        return {
            CountedPoint(found.way, found.graph.situation(now))
            for found in self._found
            for now in found.counting
        }

    def so_far(self) -> Iterator[JudgedMoment]:
        """Yield the configurations that populations so far have reached."""
        for found in self._found:
            world = found.graph.situations.world(found.graph.members)
            yield from (
                JudgedMoment(world, found.graph.configuration(now)) for now in found.counting
            )

    def at(self, wanted: set[CountedPoint]) -> Iterator[ReachedByCrowd]:
        """Yield the configurations at some points, the smallest populations first, and shorter runs."""
        done = 0
        while True:
            for found in self._found[done:]:
                done += 1
                yield from self._at(found, wanted)
            if done == len(self._found) and not self.more():
                return

    def _at(self, found: _Found, wanted: set[CountedPoint]) -> Iterator[ReachedByCrowd]:
        for now in found.counting:
            point = CountedPoint(found.way, found.graph.situation(now))
            if point in wanted:
                yield self._reached(found, point, now)

    def _reached(self, found: _Found, point: CountedPoint, now: CrowdState) -> ReachedByCrowd:
        world = found.graph.situations.world(found.graph.members)
        end = found.graph.configuration(now)
        events: list[Event] = []
        while (step := found.before[now]) is not None:
            now = step[0]
            events.append(event_of(step[1]))
        facts = tuple(sorted(self.points.ways[found.way].items(), key=repr))
        start = found.graph.configuration(now)
        run = OpenRun(found.graph.members, facts, start, tuple(reversed(events)))
        configurations = replayed(self._system, run)
        if configurations is None or configurations[-1] != end:
            msg = "a run of a small population cannot be replayed"
            raise AssertionError(msg)
        return ReachedByCrowd(JudgedMoment(world, end), point, run)
