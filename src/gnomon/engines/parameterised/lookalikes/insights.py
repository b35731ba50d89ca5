"""Runs that show why something is known or not: each ends where it looks the same to somebody."""

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.engines.parameterised.decision import (
    Insight,
    PopulationDecision,
    runs_of,
)
from gnomon.engines.parameterised.lookalikes.crowds import Crowds, ReachedByCrowd
from gnomon.engines.parameterised.lookalikes.lifting import lifted, with_clones
from gnomon.engines.parameterised.lookalikes.points import (
    CountedPoint,
    JudgedMoment,
    PopulationView,
)
from gnomon.engines.parameterised.lookalikes.valuation import NOBODY, AgentNaming, Valuation
from gnomon.engines.parameterised.recurrence.capped import Capped
from gnomon.engines.parameterised.run import OpenRun, in_order, replayed
from gnomon.model.parameterised.knowing import (
    AgentKnows,
    AllOf,
    AnyOf,
    Common,
    EpistemicFormula,
    EveryAgent,
    Here,
    JointlyKnown,
    OppositeOf,
    SomeAgent,
)
from gnomon.text.errors import Abandoned

#: So many times as many agents are tried where what they know together depends on how many they are.
_MOST_COPIES: Final = 6


class NoRunsShow(Abandoned):
    """No runs were found by which something can be shown."""


class ViewLink(NamedTuple):
    """A view, that of somebody beside it, and the points where both are."""

    view: PopulationView
    other: PopulationView


class Insights:
    """Finds runs, and says by them why formulae have their values."""

    def __init__(self, valuation: Valuation, crowds: Crowds, *, counts: bool) -> None:
        """Look among small populations first, and build larger ones where the points are exact.

        `counts` says whether something may depend on how many agents there are in a place.
        """
        self._copies = range(1, _MOST_COPIES + 1 if counts else 2)
        self._valuation = valuation
        self._points = valuation.points
        self._crowds = crowds

    def reached(self, wanted: set[CountedPoint]) -> Iterator[ReachedByCrowd]:
        """Yield configurations at some points, with runs that have been replayed."""
        yield from self._crowds.at(wanted)
        if not self._points.is_exact:
            return
        for point in self._points.points:
            if point in wanted:
                end = Capped(point.situation.environment, None, point.situation.counts)
                run = lifted(self._points, point.way, end)
                for number in self._copies:
                    yield self._several(run, point, number)

    def _several(self, run: OpenRun, point: CountedPoint, number: int) -> ReachedByCrowd:
        """Return what is reached with so many times as many agents."""
        more = run
        for agent in range(len(run.members)):
            more = with_clones(more, agent, number - 1)
        more = in_order(self._points.system, more)
        return ReachedByCrowd(self._end(more, point.way), point, more)

    def _end(self, run: OpenRun, way: int) -> JudgedMoment:
        configurations = replayed(self._points.system, run)
        assert configurations is not None
        return JudgedMoment(self._points.situations[way].world(run.members), configurations[-1])

    # Why

    def why(
        self,
        formula: EpistemicFormula,
        here: ReachedByCrowd,
        who: AgentNaming = NOBODY,
        *,
        value: bool,
        positive: bool,
    ) -> Iterator[Insight]:
        """Yield what shows that a formula has a value at the end of a run, which it has for certain."""
        match formula:
            case Here():
                return
            case OppositeOf(body):
                yield from self.why(body, here, who, value=not value, positive=not positive)
            case AllOf(operands) | AnyOf(operands):
                settled = isinstance(formula, AnyOf) == value
                for part in operands:
                    if self.value(part, here, who, positive=positive) is value:
                        yield from self.why(part, here, who, value=value, positive=positive)
                        if settled:
                            return
            case SomeAgent(index, template, body) | EveryAgent(index, template, body):
                settled = isinstance(formula, SomeAgent) == value
                for agent in here.moment.agents(template):
                    named = {**who, index: agent}
                    if self.value(body, here, named, positive=positive) is value:
                        yield from self.why(body, here, named, value=value, positive=positive)
                        if settled:
                            return
            case AgentKnows(index) if value:
                yield Insight(formula, True, who[index], tuple(who.items()))
            case Common() | JointlyKnown() if value:
                yield Insight(formula, True, None)
            case AgentKnows():
                yield from self._doubt(formula, here, who, positive=positive)
            case Common():
                yield from self._chain(formula, here, positive=positive)
            case JointlyKnown():
                yield from self._pooled(formula, here, positive=positive)

    def value(
        self, formula: EpistemicFormula, here: ReachedByCrowd, who: AgentNaming, *, positive: bool
    ) -> bool | None:
        """Return what a formula is worth at the end of a run."""
        return self._valuation.value(formula, here.moment, who, positive=positive)

    def _doubt(
        self, formula: AgentKnows, here: ReachedByCrowd, who: AgentNaming, *, positive: bool
    ) -> Iterator[Insight]:
        agent = who[formula.index]
        view = here.moment.view(agent)
        for there in (here, *self._elsewhere(formula, view, positive=positive)):
            for other in there.moment.agents(formula.template):
                named = {formula.index: other}
                if there.moment.view(other) != view or (there is here and other != agent):
                    continue
                if self.value(formula.body, there, named, positive=positive) is not False:
                    continue
                parts = self._parts(formula.body, there, named, positive=positive)
                if parts is not None:
                    whom = tuple(named.items())
                    yield Insight(formula, False, agent, whom, there.run, other, parts)
                    return
        raise NoRunsShow

    def _parts(
        self, body: EpistemicFormula, there: ReachedByCrowd, who: AgentNaming, *, positive: bool
    ) -> tuple[Insight, ...] | None:
        """Return why something is false, None where that cannot be shown there."""
        try:
            return tuple(self.why(body, there, who, value=False, positive=positive))
        except NoRunsShow:
            return None

    def _elsewhere(
        self, formula: AgentKnows, view: PopulationView, *, positive: bool
    ) -> Iterator[ReachedByCrowd]:
        """Yield configurations in which somebody with a view need not know."""
        wanted: set[CountedPoint] = set()
        for point in self._points.points:
            moment = self._points.moment(point)
            agents = self._points.occupants(point, formula.template)
            for agent in agents:
                if moment.view(agent) == view:
                    named = {formula.index: agent}
                    value = self._valuation.value(formula.body, moment, named, positive=positive)
                    if value is False:
                        wanted.add(point)
        yield from self.reached(wanted)

    # Chains

    def _chain(self, formula: Common, here: ReachedByCrowd, *, positive: bool) -> Iterator[Insight]:
        """Yield the first run of a chain, with the next one as its part."""
        agents = list(here.moment.agents(formula.template))
        views = {here.moment.view(agent): agent for agent in reversed(agents)}
        found = self._way(formula, views, positive=positive)
        if found is None:
            raise NoRunsShow
        links, broken = found
        start = links[0].view if links else broken
        yield from self._linked(formula, links, broken, views[start], positive=positive)

    def _way(
        self, formula: Common, views: dict[PopulationView, int], *, positive: bool
    ) -> tuple[list[ViewLink], PopulationView] | None:
        """Return links from one of some views to one that may be where it is false, or None."""
        beside: dict[PopulationView, set[PopulationView]] = {}
        broken: set[PopulationView] = set()
        for point in self._points.points:
            if point not in self._valuation.sure:
                continue
            moment = self._points.moment(point)
            there = {moment.view(n) for n in self._points.occupants(point, formula.template)}
            for view in there:
                beside.setdefault(view, set()).update(there - {view})
            if self._valuation.value(formula.body, moment, positive=positive) is False:
                broken |= there
        before: dict[PopulationView, PopulationView | None] = dict.fromkeys(views)
        waiting = deque(views)
        while waiting:
            view = waiting.popleft()
            if view in broken:
                return _links(before, view), view
            for other in sorted(beside.get(view, ()), key=repr):
                if other not in before:
                    before[other] = view
                    waiting.append(other)
        return None

    def _linked(
        self,
        formula: Common,
        links: list[ViewLink],
        broken: PopulationView,
        agent: int,
        *,
        positive: bool,
    ) -> Iterator[Insight]:
        view = links[0].view if links else broken
        last = not links
        wanted = {
            point
            for point in self._points.points
            if point in self._valuation.sure
            and self._is_link(formula, self._points.moment(point), view, links, positive=positive)
        }
        for there in self.reached(wanted):
            if not self._is_link(formula, there.moment, view, links, positive=positive):
                continue
            alike = self._who(there, view)
            if last:
                parts = self._parts(formula.body, there, NOBODY, positive=positive)
            else:
                following = self._who(there, links[0].other)
                rest = self._linked(formula, links[1:], broken, following, positive=positive)
                parts = tuple(rest)
            if parts is not None:
                yield Insight(formula, False, agent, (), there.run, alike, parts)
                return
        raise NoRunsShow

    def _is_link(
        self,
        formula: Common,
        moment: JudgedMoment,
        view: PopulationView,
        links: list[ViewLink],
        *,
        positive: bool,
    ) -> bool:
        views = {moment.view(agent) for agent in moment.agents(formula.template)}
        if view not in views:
            return False
        if links:
            return links[0].other in views
        return self._valuation.value(formula.body, moment, positive=positive) is False

    def _who(self, there: ReachedByCrowd, view: PopulationView) -> int:
        agents = there.moment.agents(view.template)
        return next(agent for agent in agents if there.moment.view(agent) == view)

    # What all see together

    def _pooled(
        self, formula: JointlyKnown, here: ReachedByCrowd, *, positive: bool
    ) -> Iterator[Insight]:
        """Yield a run to where all see the same; if there must be more of them, it has more."""
        sight = self._valuation.pooled(formula.template, here.moment)
        wanted = {
            point
            for point in self._points.points
            if self._valuation.pooled(formula.template, self._points.moment(point)) == sight
            and self._valuation.value(formula.body, self._points.moment(point), positive=positive)
            is False
        }
        for there in self.reached(wanted):
            if self.value(formula.body, there, NOBODY, positive=positive) is False:
                run = alike_for_all(formula.template, there, here)
                if run is None:
                    continue
                assert there.point is not None
                run = in_order(self._points.system, run)
                longer = ReachedByCrowd(self._end(run, there.point.way), there.point, run)
                parts = self._parts(formula.body, longer, NOBODY, positive=positive)
                if parts is not None:
                    yield Insight(formula, False, None, (), run, None, parts)
                    return
        raise NoRunsShow


def shown_by(
    insights: Insights, always: EpistemicFormula, there: ReachedByCrowd, method: str
) -> PopulationDecision:
    """Return that what should always hold does not at the end of a run, with runs that say why."""
    body, who = always, dict(NOBODY)
    while isinstance(body, EveryAgent):
        agents = there.moment.agents(body.template)
        broken = [
            agent
            for agent in agents
            if insights.value(body.body, there, {**who, body.index: agent}, positive=True) is False
        ]
        if not broken:
            raise NoRunsShow
        who[body.index] = broken[0]
        body = body.body
    why = tuple(insights.why(body, there, who, value=False, positive=True))
    names = [part.name for part in there.moment.world.system.templates]
    runs = [there.run, *runs_of(why)]
    most = tuple(max(run.members.count(name) for run in runs) for name in names)
    return PopulationDecision(
        True, method, (most,), run=there.run, who=tuple(who.items()), insights=why
    )


def alike_for_all(template: str, there: ReachedByCrowd, here: ReachedByCrowd) -> OpenRun | None:
    """Return a run with as many agents of a template in each local state as elsewhere, if it has no more."""
    run = there.run
    local = {there.moment.now.agents[n]: n for n in there.moment.agents(template)}
    for state, agent in local.items():
        wanted = [here.moment.now.agents[n] for n in here.moment.agents(template)].count(state)
        number = [there.moment.now.agents[n] for n in there.moment.agents(template)].count(state)
        if number > wanted:
            return None
        run = with_clones(run, agent, wanted - number)
    return run


def _links(
    before: dict[PopulationView, PopulationView | None], view: PopulationView
) -> list[ViewLink]:
    found: list[ViewLink] = []
    while (earlier := before[view]) is not None:
        found.append(ViewLink(earlier, view))
        view = earlier
    return found[::-1]
