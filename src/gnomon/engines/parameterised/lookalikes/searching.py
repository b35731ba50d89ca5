"""Knowledge of any shape without a graph: by searches for views, where doubts are about some agents only.

What an agent knows is a condition on its view, as soon as it is known which views can be had where it is
otherwise. So each `K` becomes a condition, from inside to outside, and what is left is a question of safety.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.local_sets import bits
from gnomon.engines.parameterised.lookalikes.crowds import ReachedByCrowd
from gnomon.engines.parameterised.lookalikes.insights import Insights, shown_by
from gnomon.engines.parameterised.lookalikes.points import JudgedMoment, PopulationView
from gnomon.engines.parameterised.lookalikes.valuation import KnownTable, Valuation
from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import values_of
from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.parameterised import condition as c
from gnomon.model.parameterised.condition import Condition
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
    normal,
)
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.step import Completed, World

#: How that is told.
METHOD: Final = "searches for views"
#: More views are not gone through.
_MOST_VIEWS: Final = 400


def decide_searching(
    program: CompiledPopulation, query: Epistemic, budget: Budget
) -> PopulationDecision:
    """Return whether a configuration is as a formula excludes or asks for; raise `OutOfReach` if open."""
    always = normal(query.formula, wanted=not query.reach)
    valuation = SearchedValuation(program, budget)
    decision = valuation.reach(valuation.condition(normal(always, wanted=False)))
    if decision is None:
        return PopulationDecision(False, METHOD, steps=valuation.asked)
    there = valuation.at_end(decision)
    return shown_by(SearchedInsights(valuation), always, there, METHOD)


class SearchedValuation(Valuation):
    """Judges formulae by searches, each for one view."""

    def __init__(self, program: CompiledPopulation, budget: Budget) -> None:
        """Search among what any number of agents can reach."""
        self._program = program
        self._system = program.system
        self._budget = budget
        self._runs: dict[tuple[EpistemicFormula, PopulationView], OpenRun] = {}
        self._found: dict[EpistemicFormula, KnownTable] = {}
        self.asked = 0

    def table(
        self,
        formula: AgentKnows | Common | JointlyKnown,
        *,
        positive: bool = True,  # noqa: ARG002
    ) -> KnownTable:
        """Return by view whether something is known, which is certain."""
        if not isinstance(formula, AgentKnows):
            msg = "what is known in common or together is searched for in levels only"
            raise OutOfReach(msg)
        found = self._found.get(formula)
        if found is None:
            doubt = self.condition(normal(formula.body, wanted=False))
            views = frozenset(self._doubtful(formula, doubt))
            found = self._found[formula] = KnownTable(views, views)
        return found

    def _doubtful(self, formula: AgentKnows, doubt: Condition) -> Iterator[PopulationView]:
        """Yield the views that can be had where it is not so."""
        for view in self._views(formula.template):
            both = c.And((self._sees(formula.index, view), doubt))
            run = self.reach(c.Exists(formula.index, formula.template, both))
            if run is not None:
                self._runs[formula, view] = run
                yield view

    def reach(self, condition: Condition) -> OpenRun | None:
        """Return a run to where a condition holds, None where there is none."""
        wanted = c.positive(condition)
        if any(isinstance(part, c.Forall) for part in c.walk(wanted)):
            msg = "what is looked for is that something holds of every agent"
            raise OutOfReach(msg)
        self.asked += 1
        self._budget.check("views", self.asked)
        decision = decide_safety(self._program, wanted, self._budget)
        if decision.reached is None:
            raise OutOfReach(decision.reason)
        return decision.run if decision.reached else None

    def run_to(self, formula: AgentKnows, view: PopulationView) -> OpenRun:
        """Return a run to where somebody with a view does not know."""
        self.table(formula)
        return self._runs[formula, view]

    def views_of(self, formula: AgentKnows) -> dict[PopulationView, OpenRun]:
        """Return the views with which something is not known, each with a run to where that is shown."""
        self.table(formula)
        return {view: run for (about, view), run in self._runs.items() if about == formula}

    def at_end(self, run: OpenRun) -> ReachedByCrowd:
        """Return the end of a run."""
        configurations = replayed(self._system, run)
        assert configurations is not None
        world = World(self._system, run.members, Completed(self._system, dict(run.facts)))
        return ReachedByCrowd(JudgedMoment(world, configurations[-1]), None, run)

    # Knowledge as a condition

    def condition(self, formula: EpistemicFormula) -> Condition:
        """Return a formula without operators of knowledge; opposites are in front of these only."""
        match formula:
            case Here(condition):
                return condition
            case OppositeOf(AgentKnows(index) as known):
                return c.Or(tuple(self._sees(index, v) for v in self._split(known, known=False)))
            case AgentKnows(index):
                return c.Or(tuple(self._sees(index, v) for v in self._split(formula, known=True)))
            case AllOf(operands):
                return c.And(tuple(map(self.condition, operands)))
            case AnyOf(operands):
                return c.Or(tuple(map(self.condition, operands)))
            case SomeAgent(index, template, body):
                return c.Exists(index, template, self.condition(body))
            case EveryAgent(index, template, body):
                return c.Forall(index, template, self.condition(body))
            case OppositeOf(body):
                return c.Not(self.condition(body))
            case Common() | JointlyKnown():
                self.table(formula)
                raise AssertionError(formula)

    def _split(self, formula: AgentKnows, *, known: bool) -> list[PopulationView]:
        table = self.table(formula)
        views = self._views(formula.template)
        return [view for view in views if (table.value(view) is True) == known]

    def _views(self, template: str) -> list[PopulationView]:
        """Return all views that agents of a template may have."""
        space, states = self._program.spaces[template], self._program.within[template]
        domains = {v.name: v.domain for v in self._system.environment.variables}
        seen = [values_of(domains[name]) for name in self._system.part[template].sees]
        found: list[PopulationView] = []
        if isinstance(states, int):
            for state, values in product(bits(states), product(*seen)):
                found.append(PopulationView(template, space.state(state), values))
                if len(found) > _MOST_VIEWS:
                    break
            else:
                return found
        msg = f"the views of an agent of `{template}` are too many to be gone through"
        raise OutOfReach(msg)

    def _sees(self, index: str, view: PopulationView) -> Condition:
        """Return that an agent has a view."""
        part = self._system.part[view.template]
        own = (Read(index, variable.name) for variable in part.variables)
        around = (Read(ENVIRONMENT, name) for name in part.sees)
        values = (*view.local, *view.seen)
        return c.And(
            tuple(
                c.Holds(Compare("=", read, Literal(value)))
                for read, value in zip((*own, *around), values, strict=True)
            )
        )


class SearchedInsights(Insights):
    """Shows why somebody does not know by the run that the search for its view has found."""

    def __init__(self, valuation: SearchedValuation) -> None:
        """Take the runs of a valuation."""
        self._searched = valuation
        self._valuation = valuation

    def _elsewhere(
        self,
        formula: AgentKnows,
        view: PopulationView,
        *,
        positive: bool,  # noqa: ARG002
    ) -> Iterator[ReachedByCrowd]:
        yield self._searched.at_end(self._searched.run_to(formula, view))
