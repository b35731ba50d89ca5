"""Deciding formulae of time for any number of agents: proofs on counted graphs, lassos of small populations.

The rungs of the ladder cost more and more. What is left open at its end is unknown: for some systems there is
no method at all (with both `one` and `all` it is undecidable).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace as with_fields
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.demands import Population
from gnomon.engines.parameterised.recurrence.capped import CappedGraph
from gnomon.engines.parameterised.recurrence.capped_truth import CappedTruth
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, event_of
from gnomon.engines.parameterised.recurrence.crowd_truth import CrowdTruth
from gnomon.engines.parameterised.recurrence.lassos import CrowdLasso
from gnomon.engines.parameterised.recurrence.situations import Situations, least_cap
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.run import OpenRun
from gnomon.engines.parameterised.small_populations import small_populations
from gnomon.model import formula as f
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Datum
from gnomon.model.one_path import one_path
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, Place
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace

#: Populations of so many agents are tried before the graph is larger, and at the end.
_FEW: Final = 2
_MORE: Final = 3
_MOST: Final = 5


#: The relations, place by place.
Interpretation: TypeAlias = Mapping[Place, Datum]


class Failing(NamedTuple):
    """A population in which the question is decided by one run, and that run."""

    population: Population
    run: CrowdLasso
    graph: CrowdGraph


class Ladder:
    """Decides one question. What is looked for is a run: one that a formula for all runs excludes."""

    def __init__(
        self,
        system: OpenSystem,
        query: OverTime,
        track: Track,
        budget: Budget,
        facts: Interpretation,
        *,
        counting: bool,
    ) -> None:
        """Look for a run that satisfies what the question is about, or excludes; relations are given.

        If `counting`, it is also found out which small populations have one, and from when on none has.
        """
        self._counting = counting and len(system.templates) == 1
        self._system = system
        self._facts = facts
        self._query = query
        self._track = track
        self._budget = budget
        self._path = _sought(query.formula)
        self._least = least_cap(system, query.conditions)
        self._situations = self._listed(system)
        self._names = [part.name for part in system.templates]
        self._tried: dict[Population, Failing | None] = {}
        #: The first population that is too large to be gone through.
        self._skipped: Population = ()
        #: Why there is no proof yet.
        self._open = ""
        self._steps = 0

    def decide(self) -> PopulationDecision:
        """Go up rung by rung."""
        least = self._smallest()
        for rung, (balanced, cap) in enumerate(rungs(self._system, self._least)):
            failing = self._failing(least + (_MORE if rung else _FEW))
            if failing is not None:
                return self._found(failing)
            if self._proved(self._system, cap, balanced=balanced):
                method = f"graph counted up to {cap}" + (", balanced" if balanced else "")
                return PopulationDecision(False, method, steps=self._steps, counted=cap)
        failing = self._failing(least + _MOST)
        if failing is not None:
            return self._found(failing)
        if self._were_all(least + _MOST):
            return PopulationDecision(False, "all populations", steps=len(self._tried))
        reason = f"no such run with up to {self._examined_up_to()} agents, and {self._open}"
        return PopulationDecision(None, "", reason=reason)

    def _smallest(self) -> int:
        low = sum(part.low for part in self._system.templates)
        return max(low, 1) if self._query.template else low

    # For all populations

    def _proved(self, system: OpenSystem, cap: int, *, balanced: bool) -> bool:
        """Return whether no population has such a run."""
        self._steps = 0
        graph = CappedGraph(self._listed(system), cap, self._query.template)
        truth = CappedTruth(graph, self._query, self._track, self._budget, balanced=balanced)
        try:
            found = truth.watch(self._path, truth.initial())
            self._steps = len(found.edges)
            self._open = f"a loop of the graph that counts up to {cap} remains"
            return next(truth.recurring(found), None) is None
        except OutOfReach as error:
            self._open = self._open or str(error)
            return False

    def _listed(self, system: OpenSystem) -> Situations:
        return Situations(system, self._least, Completed(system, self._facts))

    # For some populations

    def _failing(self, most: int) -> Failing | None:
        """Return the smallest population with such a run, of at most so many agents."""
        for population in self._populations(most):
            if self._skipped and sum(population) >= sum(self._skipped):
                return None
            found = self._tried.get(population) or self._try(population)
            if found is not None:
                return found
        return None

    def _were_all(self, most: int) -> bool:
        """Return whether templates are bounded, and all populations there may be were gone through."""
        highest = [part.high for part in self._system.templates]
        together = sum(high for high in highest if high is not None)
        return None not in highest and together <= most and not self._skipped

    def _populations(self, most: int) -> Iterator[Population]:
        """Yield all populations of at most so many agents, in which there is one that it is asked of."""
        return small_populations(self._system, most, self._query.template)

    def _try(self, population: Population) -> Failing | None:
        if population in self._tried:
            return None
        own = self._query.template
        members = [name for name, n in zip(self._names, population, strict=True) for _ in range(n)]
        members.sort(key=lambda name: name != own)
        graph = CrowdGraph(self._situations, tuple(members))
        truth = CrowdTruth(graph, self._query, self._track, self._budget)
        try:
            run = truth.lasso(self._path)
        except OutOfReach:
            self._skipped = population
            return None
        found = None if run is None else Failing(population, run, graph)
        self._tried[population] = found
        return found

    def _examined_up_to(self) -> int:
        """Return up to how many agents all populations were gone through."""
        most = max((sum(each) for each in self._tried), default=0)
        return min(most, sum(self._skipped) - 1) if self._skipped else most

    def _found(self, failing: Failing) -> PopulationDecision:
        run, graph = failing.run, failing.graph
        # Where nothing can happen any more, the run ends, and that counts as going on for ever.
        happening = tuple(edge.step for edge in run.steps if edge.step.somebody_acts)
        ends = len(happening) < len(run.steps)
        shown = OpenRun(
            graph.members,
            tuple(sorted(self._facts.items(), key=repr)),
            graph.configuration(run.start),
            tuple(map(event_of, happening)),
        )
        examined, from_on = self._numbers() if self._counting else ({}, None)
        return PopulationDecision(
            True,
            "small populations",
            smallest=(failing.population,),
            exact=True,
            run=shown,
            facts=shown.facts,
            loop=None if ends else run.loop,
            steps=len(self._tried),
            examined=tuple(examined.items()),
            from_on=from_on,
        )

    def _numbers(self) -> tuple[dict[Population, bool], int | None]:
        """Return which small populations have such a run, and from how many agents on none has, if so."""
        [template] = self._system.templates
        for population in self._populations(self._smallest() + _MORE):
            if not self._skipped:
                self._try(population)
        examined = {each: found is not None for each, found in self._tried.items()}
        least = max(each[0] for each, fails in examined.items() if fails) + 1
        if (least,) not in examined:
            return examined, None
        larger = with_fields(self._system, templates=(replace(template, low=least),))
        balanced = "one" in self._system.sync.values()
        caps = (max(self._least, least), max(self._least, least) + 1)
        holds = any(self._proved(larger, cap, balanced=balanced) for cap in caps)
        return examined, least if holds else None


def rungs(system: OpenSystem, least: int) -> Iterator[tuple[bool, int]]:
    """Yield whether rates are balanced, and the cap, of graphs that prove more and more."""
    yield False, least
    yield False, least + 1
    if "one" in system.sync.values():
        yield True, least + 1


def _sought(formula: f.Formula) -> f.Formula:
    """Return what holds on the runs that are looked for."""
    match formula:
        case f.All(path):
            return one_path(f.Not(path))
        case f.Exists(path):
            return one_path(path)
        case _:
            msg = f"neither of all paths nor of some: {formula}"
            raise ValueError(msg)
