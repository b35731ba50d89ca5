"""What a formula is worth in a configuration: True, False, or None where that is open.

What an agent knows depends on its view alone. So it is found out once for each view, from inside to outside,
by a look at all points: none that looks the same and may be otherwise proves that it is known; one that is
sure to be there, and otherwise, refutes it.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.parameterised.lookalikes.crowds import Crowds
from gnomon.engines.parameterised.lookalikes.points import (
    CountedPoint,
    JudgedMoment,
    PopulationView,
    seen_by,
)
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget
from gnomon.model.evaluation import every, some
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
    named,
)

#: What somebody, or some together, see; two configurations with the same look alike.
SharedSight: TypeAlias = Hashable
#: Which agent each index stands for.
AgentNaming: TypeAlias = Mapping[str, int]

NOBODY: Final[AgentNaming] = {}


class KnownTable(NamedTuple):
    """Of what is known, by what is seen: where it may fail to be known, and where it surely does."""

    possible: frozenset[SharedSight]
    certain: frozenset[SharedSight]

    def value(self, sight: SharedSight) -> bool | None:
        """Return whether it is known by who sees this."""
        if sight in self.certain:
            return False
        return None if sight in self.possible else True


class Valuation:
    """Judges formulae by all points, of which some are `sure` to be configurations of a population."""

    def __init__(self, crowds: Crowds, sure: Collection[CountedPoint], budget: Budget) -> None:
        """Judge by all points, of which all may be sure, and by what small populations reached so far."""
        self.points = crowds.points
        self.sure = sure
        self._crowds = crowds
        self._budget = budget
        self._tables: dict[tuple[EpistemicFormula, bool], KnownTable] = {}

    def value(
        self,
        formula: EpistemicFormula,
        moment: JudgedMoment,
        who: AgentNaming = NOBODY,
        *,
        positive: bool = True,
    ) -> bool | None:
        """Return what a formula is worth; `positive`, whether it stands under an even number of opposites.

        What all know together may depend on how many they are. Where that is asked in a positive place, False
        says that it fails wherever there are enough of each: then a formula fails there as a whole.
        """
        match formula:
            case Here(condition):
                given: dict[str, int | None] = {ENVIRONMENT: None, **who}
                return moment.world.holds(condition, moment.now, given)
            case OppositeOf(body):
                found = self.value(body, moment, who, positive=not positive)
                return None if found is None else not found
            case AllOf(operands):
                return every(self.value(e, moment, who, positive=positive) for e in operands)
            case AnyOf(operands):
                return some(self.value(e, moment, who, positive=positive) for e in operands)
            case SomeAgent(index, template, body):
                agents = moment.agents(template)
                return some(
                    self.value(body, moment, {**who, index: n}, positive=positive) for n in agents
                )
            case EveryAgent(index, template, body):
                agents = moment.agents(template)
                return every(
                    self.value(body, moment, {**who, index: n}, positive=positive) for n in agents
                )
            case AgentKnows(index):
                return self.table(formula, positive=positive).value(moment.view(who[index]))
            case Common(template):
                table = self.table(formula, positive=positive)
                return every(table.value(moment.view(n)) for n in moment.agents(template))
            case JointlyKnown(template, body):
                table = self.table(formula, positive=positive)
                found = table.value(self.pooled(template, moment))
                if found is None and self.value(body, moment, positive=positive) is False:
                    return False  # what is false is not known
                return found

    def table(
        self, formula: AgentKnows | Common | JointlyKnown, *, positive: bool = True
    ) -> KnownTable:
        """Return by what is seen whether something is known."""
        key = formula, positive
        found = self._tables.get(key)
        if found is None:
            match formula:
                case AgentKnows():
                    found = self._known(formula, positive=positive)
                case Common():
                    found = self._common(formula, positive=positive)
                case JointlyKnown():
                    found = self._together(formula, positive=positive)
            self._tables[key] = found
        return found

    def _known(self, formula: AgentKnows, *, positive: bool) -> KnownTable:
        possible: set[SharedSight] = set()
        certain: set[SharedSight] = set()
        alone = formula.index not in named(formula.body)
        for number, point in enumerate(self.points.points):
            self._budget.check("views", number)
            moment = self.points.moment(point)
            value: bool | None = None
            if alone:
                value = self.value(formula.body, moment, positive=positive)
            for agent in self.points.occupants(point, formula.template):
                if not alone:
                    who = {formula.index: agent}
                    value = self.value(formula.body, moment, who, positive=positive)
                if value is not True:
                    possible.add(moment.view(agent))
                if value is False and point in self.sure:
                    certain.add(moment.view(agent))
        return KnownTable(frozenset(possible), frozenset(certain))

    def _common(self, formula: Common, *, positive: bool) -> KnownTable:
        """Views that can be together in a configuration belong to the same chains."""
        maybe, surely = Chained(), Chained()
        for number, point in enumerate(self.points.points):
            self._budget.check("views", number)
            moment = self.points.moment(point)
            views = [moment.view(n) for n in self.points.occupants(point, formula.template)]
            if not views:
                continue
            value = self.value(formula.body, moment, positive=positive)
            maybe.join(views, broken=value is not True)
            if point in self.sure:
                surely.join(views, broken=value is False)
        return KnownTable(maybe.broken(), surely.broken())

    def _together(self, formula: JointlyKnown, *, positive: bool) -> KnownTable:
        possible: set[SharedSight] = set()
        certain: set[SharedSight] = set()
        template = formula.template
        for number, point in enumerate(self.points.points):
            self._budget.check("views", number)
            moment = self.points.moment(point)
            value = self.value(formula.body, moment, positive=positive)
            pooled = self.pooled(template, moment)
            if value is not True:
                possible.add(pooled)
            equal = (self.points.is_exact and positive) or self._counted(template, moment)
            if value is False and point in self.sure and equal:
                certain.add(pooled)
        if not positive:
            certain.update(self._by_few(formula))
        return KnownTable(frozenset(possible), frozenset(certain))

    def _by_few(self, formula: JointlyKnown) -> Iterator[SharedSight]:
        """Yield what is seen where it is false with one agent in each place: then it is with any number.

        Where points are exact, copies of these agents do what they do.
        """
        if not self.points.is_exact:
            return
        for there in self._crowds.so_far():
            agents = [there.now.agents[n] for n in there.agents(formula.template)]
            alone = len(set(agents)) == len(agents)
            if alone and self.value(formula.body, there, positive=False) is False:
                yield self.pooled(formula.template, there)

    def pooled(self, template: str, moment: JudgedMoment) -> SharedSight:
        """Return what all agents of a template see together: nothing where there are none."""
        agents = sorted((moment.now.agents[n] for n in moment.agents(template)), key=repr)
        seen = seen_by(moment.world.system, template, moment.now) if agents else ()
        counts = {local: min(agents.count(local), self.points.cap) for local in agents}
        return template, tuple(counts.items()), seen

    def _counted(self, template: str, moment: JudgedMoment) -> bool:
        """Return whether it is certain how many agents of a template are where."""
        agents = [moment.now.agents[n] for n in moment.agents(template)]
        return all(agents.count(local) < self.points.cap for local in agents)


class Chained:
    """Views that chains lead from one to the other, and whether a chain gets to where something is false."""

    def __init__(self) -> None:
        """Begin with none."""
        self._above: dict[PopulationView, PopulationView] = {}
        self._broken: set[PopulationView] = set()

    def join(self, views: list[PopulationView], *, broken: bool) -> None:
        """Take note of views that are together somewhere, and whether it is false there."""
        first = self._root(views[0])
        for view in views[1:]:
            self._above[self._root(view)] = first
        if broken:
            self._broken.add(first)

    def tells_nothing_new(self, views: list[PopulationView], *, broken: bool) -> bool:
        """Return whether some views are linked already, and a chain from them broken if that is said."""
        roots = {self._root(view) for view in views}
        return len(roots) == 1 and (not broken or roots <= {self._root(v) for v in self._broken})

    def _root(self, view: PopulationView) -> PopulationView:
        self._above.setdefault(view, view)
        while self._above[view] != view:
            self._above[view] = self._above[self._above[view]]
            view = self._above[view]
        return view

    def broken(self) -> frozenset[SharedSight]:
        """Return the views from which a chain leads to where it is false."""
        bad = {self._root(view) for view in self._broken}
        return frozenset(view for view in self._above if self._root(view) in bad)
