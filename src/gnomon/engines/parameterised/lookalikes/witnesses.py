"""Runs by which all can be seen that agents surely do not know, and how runs go on for ever.

What a formula is worth at all points follows from what is known at each view, and that something is not known
from one configuration for each view. The runs here pass through such configurations.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from gnomon.engines.parameterised.decision import Insight, PopulationDecision, runs_of
from gnomon.engines.parameterised.lookalikes.crowds import Crowds, ReachedByCrowd
from gnomon.engines.parameterised.lookalikes.insights import Insights
from gnomon.engines.parameterised.lookalikes.points import (
    GOES_ON,
    CountedPoint,
    JudgedMoment,
)
from gnomon.engines.parameterised.lookalikes.valuation import Chained, SharedSight, Valuation
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, CrowdState, event_of
from gnomon.engines.parameterised.recurrence.crowd_truth import CrowdTruth
from gnomon.engines.parameterised.recurrence.lassos import FairLoops, lasso
from gnomon.engines.parameterised.recurrence.situations import Situations, least_cap
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.model.budget import Budget
from gnomon.model.parameterised.knowing import (
    AgentKnows,
    Common,
    EpistemicFormula,
    JointlyKnown,
    within,
)
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, World
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: So many rounds of small populations are gone through before agents are sent along the graph.
_FEW: Final = 2


class Continued(NamedTuple):
    """A run, and after how many of its steps it begins to go round; None where nothing can happen."""

    run: OpenRun
    loop: int | None


def runs_shown(decision: PopulationDecision) -> list[OpenRun]:
    """Return the runs that a decision shows."""
    insights: tuple[Insight, ...] = decision.insights
    found = () if decision.run is None else (decision.run, *runs_of(insights))
    return list(dict.fromkeys(found))


class DoubtRuns:
    """Collects runs for what a valuation says for certain."""

    def __init__(self, valuation: Valuation, crowds: Crowds, runs: Iterable[OpenRun]) -> None:
        """Begin with some runs that are there anyway."""
        self._valuation = valuation
        self._crowds = crowds
        self._points = valuation.points
        self._insights = Insights(valuation, crowds, counts=False)
        self.runs: list[OpenRun] = []
        self._moments: list[JudgedMoment] = []
        for run in runs:
            self._add(run)

    def collect(self, formula: EpistemicFormula) -> list[OpenRun]:
        """Return runs that show of each view with what is surely not known there."""
        if self._points.is_exact:
            while self._crowds.up_to < _FEW and self._crowds.more():
                pass
        for part in dict.fromkeys(within(formula)):
            match part:
                case AgentKnows():
                    self._of_one(part)
                case Common():
                    self._in_common(part)
                case JointlyKnown():
                    self._of_all(part)
                case _:
                    pass
        return self.runs

    def _add(self, run: OpenRun) -> None:
        system = self._points.system
        configurations = replayed(system, run)
        assert configurations is not None
        world = World(system, run.members, Completed(system, dict(run.facts)))
        self.runs.append(run)
        self._moments += [JudgedMoment(world, now) for now in configurations]

    def _of_one(self, formula: AgentKnows) -> None:
        def doubts(moment: JudgedMoment, agents: Iterable[int]) -> set[SharedSight]:
            return {
                moment.view(agent)
                for agent in agents
                if self._is_false(formula.body, moment, {formula.index: agent})
            }

        shown = {
            view
            for moment in self._moments
            for view in doubts(moment, moment.agents(formula.template))
        }
        left = set(self._valuation.table(formula, positive=False).certain) - shown
        self._cover(
            left,
            lambda point: doubts(
                self._points.moment(point), self._points.occupants(point, formula.template)
            ),
        )

    def _of_all(self, formula: JointlyKnown) -> None:
        def doubt(moment: JudgedMoment) -> set[SharedSight]:
            if not self._is_false(formula.body, moment, {}):
                return set()
            return {self._valuation.pooled(formula.template, moment)}

        shown = {sight for moment in self._moments for sight in doubt(moment)}
        left = set(self._valuation.table(formula, positive=False).certain) - shown
        self._cover(left, lambda point: doubt(self._points.moment(point)))

    def _cover(
        self, left: set[SharedSight], shows: Callable[[CountedPoint], set[SharedSight]]
    ) -> None:
        """Add runs until everything that is left is shown at the end of one."""
        for point in self._points.points:
            if not left:
                return
            if point not in self._valuation.sure:
                continue
            more = shows(point) & left
            if more and self._reach(point):
                left -= more

    def _in_common(self, formula: Common) -> None:
        """Add runs such that their configurations link the same views, and break the same chains."""
        surely = self._valuation.table(formula, positive=False).certain
        chains = Chained()

        def joined(moment: JudgedMoment, agents: Iterable[int]) -> bool:
            """Take a moment up; return whether it says anything new."""
            views = [view for agent in agents if (view := moment.view(agent)) in surely]
            if not views:
                return False
            broken = self._is_false(formula.body, moment, {})
            if chains.tells_nothing_new(views, broken=broken):
                return False
            chains.join(views, broken=broken)
            return True

        for moment in self._moments:
            joined(moment, moment.agents(formula.template))
        for point in self._points.points:
            if point in self._valuation.sure:
                occupants = self._points.occupants(point, formula.template)
                if joined(self._points.moment(point), occupants):
                    self._reach(point)

    def _is_false(self, body: EpistemicFormula, moment: JudgedMoment, who: dict[str, int]) -> bool:
        return self._valuation.value(body, moment, who, positive=False) is False

    def _reach(self, point: CountedPoint) -> bool:
        """Add a run to a point; return whether there is one."""
        found: ReachedByCrowd | None = next(self._insights.reached({point}), None)
        if found is not None:
            self._add(found.run)
        return found is not None


def continued(system: OpenSystem, run: OpenRun, track: Track, budget: Budget) -> Continued | None:
    """Return a run that goes on for ever, fairly; None where it cannot."""
    configurations = replayed(system, run)
    assert configurations is not None
    situations = Situations(system, least_cap(system, ()), Completed(system, dict(run.facts)))
    graph = CrowdGraph(situations, run.members)
    truth = CrowdTruth(graph, OverTime(GOES_ON, ()), track, budget)
    last = configurations[-1]
    places = map(situations.place, run.members, last.agents)
    found = truth.watch(GOES_ON.path, [CrowdState(last.environment, tuple(places))])
    loops = FairLoops(graph, found, budget)
    first = next(loops.all(), None)
    if first is None:
        return None
    round_ = lasso(found, loops, first)
    happening = tuple(edge.step for edge in round_.steps if edge.step.somebody_acts)
    events = (*run.events, *map(event_of, happening))
    ends = len(happening) < len(round_.steps)
    loop = None if ends else len(run.events) + round_.loop
    return Continued(replace(run, events=events), loop)
