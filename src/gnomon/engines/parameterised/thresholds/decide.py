"""Deciding a question for all values of the parameters, with the smallest where it takes some."""

from collections.abc import Iterator
from typing import Final

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.thresholds.automaton import ThresholdAutomaton, environments
from gnomon.engines.parameterised.thresholds.counted import CannotCount
from gnomon.engines.parameterised.thresholds.plans import NotPlanned, PlanStage, RunPlan, plans
from gnomon.engines.parameterised.thresholds.runs import ParameterRun, written_out
from gnomon.engines.parameterised.thresholds.schema import Schema, opening
from gnomon.engines.solvers.whole_numbers import NoAnswer, NumberName
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime, Query
from gnomon.model.parameterised.system import OpenSystem

_NO_ANSWER: Final = "the solver did not find out, in the time that one question may take"
#: Runs of more agents than that are not written out.
_MOST_AGENTS: Final = 1_000


class ThresholdProgram:
    """A program with parameters, whose automata are made once."""

    def __init__(self, system: OpenSystem, budget: Budget) -> None:
        """Make them; raises `OutsideFragment` where the program is none of those that are decided."""
        self._system = system
        self._budget = budget
        self._automata: dict[str, tuple[ThresholdAutomaton, ...]] = {}
        self.automata("")

    def automata(self, own: str) -> tuple[ThresholdAutomaton, ...]:
        """Return what agents can do, for each state of the environment."""
        if own not in self._automata:
            self._automata[own] = tuple(
                ThresholdAutomaton(self._system, state, self._budget, own)
                for state in environments(self._system)
            )
        return self._automata[own]

    def starts(self) -> bool | None:
        """Return whether there are parameters and agents with which a run can start; None if that is open."""
        nothing = RunPlan((PlanStage(),), ends=False)
        try:
            return any(
                Schema(each, nothing, self._budget).numbers.find() is not None
                for each in self.automata("")
            )
        except NoAnswer:
            return None

    def decide(self, query: Query) -> PopulationDecision:
        """Return whether, for some parameters, there is a run that a question asks for or excludes."""
        own = query.template if isinstance(query, OverTime) else ""
        automata = self.automata(own)
        method = _method(automata)
        try:
            found = list(self._runs(automata, plans(query)))
        except NotPlanned as reason:
            return PopulationDecision(None, "", reason=str(reason))
        except CannotCount as reason:
            hint = f": {reason.help}" if reason.help else ""
            return PopulationDecision(None, "", reason=f"{reason}{hint}")
        except NoAnswer:
            return PopulationDecision(None, "", reason=_NO_ANSWER)
        if not found:
            return PopulationDecision(False, method, steps=_rules(automata))
        least, exact = min(found, key=lambda each: _size(each[0]))
        return self._reached(least, method, exact=exact)

    def _reached(self, found: ParameterRun, method: str, *, exact: bool) -> PopulationDecision:
        parameters, run, loop = found
        names = [part.name for part in self._system.templates]
        population = tuple(map(run.members.count, names))
        return PopulationDecision(
            True,
            method,
            (population,),
            exact,
            run,
            loop=loop,
            parameters=parameters,
            steps=len(run.events),
        )

    def _runs(
        self, automata: tuple[ThresholdAutomaton, ...], wanted: tuple[RunPlan, ...]
    ) -> Iterator[tuple[ParameterRun, bool]]:
        """Yield the smallest run for each state of the environment and each plan, and if it is for sure."""
        for automaton in automata:
            for plan in wanted:
                schema = Schema(automaton, plan, self._budget)
                numbers = schema.numbers.find()
                if numbers is not None:
                    least, exact = self._least(schema, numbers)
                    agents = sum(least.get(each.agents, 0) for each in schema.starts)
                    if agents > _MOST_AGENTS:
                        msg = f"a run was found, with {agents:,} agents: too many to be followed"
                        raise NotPlanned(msg)
                    yield written_out(schema, least, ends=plan.ends), exact

    def _least(
        self, schema: Schema, numbers: dict[NumberName, int]
    ) -> tuple[dict[NumberName, int], bool]:
        """Return the numbers for the smallest parameters, one after the other, then few agents and steps."""
        exact = True
        parameters: list[dict[NumberName, int]] = [{name: 1} for name in self._system.parameters]
        agents: dict[NumberName, int] = {start.agents: 1 for start in schema.starts}
        steps: dict[NumberName, int] = {taken.times: 1 for taken in schema.taken}
        for terms in (*parameters, agents, steps):
            try:
                numbers = schema.numbers.least(numbers, terms)
            except NoAnswer:
                exact = exact and terms == steps
        return numbers, exact


def _size(found: ParameterRun) -> tuple[int, ...]:
    return tuple(value for _, value in found.parameters)


def _method(automata: tuple[ThresholdAutomaton, ...]) -> str:
    rules = sum(len(each.rules) for each in automata)
    guards = max((len(opening(each)) for each in automata), default=0)
    one = "condition comes" if guards == 1 else "conditions come"
    return f"segments of {rules:,} rule{'' if rules == 1 else 's'}, {guards:,} {one} true"


def _rules(automata: tuple[ThresholdAutomaton, ...]) -> int:
    return sum(len(each.locations) for each in automata)
