"""Certificates for paths that branch off in one population: a run, and what other runs there are."""

from collections.abc import Iterable, Iterator
from typing import Any

from gnomon.certificate.parameterised.counted_paths import sought_path
from gnomon.certificate.parameterised.inner_paths import branching
from gnomon.certificate.parameterised.one_population import with_just
from gnomon.checking.certify_counted import CountedWriter, Unwritten, tracker
from gnomon.checking.proofs import ProofAttempt
from gnomon.checking.written_runs import lasso_data
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph
from gnomon.engines.parameterised.recurrence.capped_truth import CappedTruth
from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, CrowdState, event_of
from gnomon.engines.parameterised.recurrence.crowd_truth import CrowdTruth
from gnomon.engines.parameterised.recurrence.lassos import CrowdLasso
from gnomon.engines.parameterised.recurrence.situations import least_cap
from gnomon.engines.parameterised.run import OpenRun, replayed
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem


def branching_attempts(
    system: OpenSystem,
    query: OverTime,
    decision: PopulationDecision,
    beyond: dict[str, Any] | None,
    budget: Budget,
) -> Iterator[ProofAttempt]:
    """Yield proofs to try: with numbers that never rise, and with rates where one agent acts alone.

    What holds `beyond`, of larger populations, goes with them.
    """
    assert decision.run is not None
    just = with_just(system, decision.run.members)
    for balanced in (False, True) if "one" in system.sync.values() else (False,):
        writer = BranchingWriter(just, query, decision.run, budget, balanced=balanced)
        shown = {**lasso_data(decision), "from_on": beyond}
        try:
            yield ProofAttempt({**shown, "branches": writer.branches()})
        except Unwritten:
            continue


class BranchingWriter(CountedWriter):
    """Writes what paths there are in the population of a run."""

    def __init__(
        self, just: OpenSystem, query: OverTime, run: OpenRun, budget: Budget, *, balanced: bool
    ) -> None:
        """Write for a system of which this is the only population."""
        members, facts = run.members, dict(run.facts)
        least = least_cap(just, query.conditions)
        cap = max([least, *(members.count(name) + 1 for name in members)])
        super().__init__(just, query, facts, cap, budget, balanced=balanced)
        self._run = run
        self._crowd = CrowdTruth(CrowdGraph(self._situations, members), query, tracker, budget)
        graph = CappedGraph(self._situations, cap, query.template)
        self._truth = _ExactTruth(self, graph, query, budget, balanced=balanced)

    def branches(self) -> dict[str, Any]:
        """Return what the certificate says of paths that branch off."""
        sought = sought_path(self._query)
        paths = branching(sought)
        outer = [path for path in paths if path not in _inside(paths)]
        along = self._along()
        labels = []
        for path in paths:
            where = along if path in outer else self._truth.reachable()
            labels.append(self._label_at(path, list(dict.fromkeys(where))))
        return {**self._listed(), "labels": labels}

    def _along(self) -> list[Capped]:
        """Return where the run comes to."""
        configurations = replayed(self._situations.system, self._run)
        assert configurations is not None
        members = self._run.members
        return [
            self.counted(
                CrowdState(now.environment, tuple(map(self._situations.place, members, now.agents)))
            )
            for now in configurations
        ]

    def counted(self, now: CrowdState) -> Capped:
        """Return how many agents are where."""
        own, others = None, list(now.agents)
        if self._query.template:
            own = others.pop(0)
        return Capped(
            now.environment, own, tuple((p, others.count(p)) for p in sorted(set(others)))
        )

    def standing(self, now: Capped) -> CrowdState:
        """Return a configuration in which so many agents are where, in the order of the run's members."""
        places = [] if now.own is None else [now.own]
        places += [place for place, number in now.others for _ in range(number)]
        agents = []
        for member in self._run.members:
            at = next(p for p in places if self._situations.places[p][0] == member)
            places.remove(at)
            agents.append(at)
        return CrowdState(now.environment, tuple(agents))

    def _label_at(self, path: Formula, states: Iterable[Capped]) -> dict[str, Any]:
        some = {now: self.lasso(path, now) for now in states}
        starts = [now for now, found in some.items() if found is None]
        certain = [
            [self._state(now), *self._round(found)]
            for now, found in some.items()
            if found is not None
        ]
        return {
            "states": list(map(self._state, starts)),
            "never": self._never(path, starts),
            "certain": certain,
        }

    def lasso(self, path: Formula, now: Capped) -> CrowdLasso | None:
        """Return a fair run from a state that is as a path formula says, if there is one."""
        return self._crowd.lasso(path, [self.standing(now)])

    def _round(self, found: CrowdLasso) -> tuple[list[Any], int | None]:
        happening = [edge.step for edge in found.steps if edge.step.somebody_acts]
        events = [[event.environment, list(event.agents)] for event in map(event_of, happening)]
        return events, found.loop if len(happening) == len(found.steps) else None


class _ExactTruth(CappedTruth):
    """What is so in one population, of which every state can be followed."""

    def __init__(
        self,
        writer: BranchingWriter,
        graph: CappedGraph,
        query: OverTime,
        budget: Budget,
        *,
        balanced: bool,
    ) -> None:
        super().__init__(graph, query, tracker, budget, balanced=balanced)
        self._writer = writer

    def possible(self, path: Formula) -> set[Capped]:
        """Return the states from which some fair run is as a path formula says."""
        found = self._paths.get(path)
        if found is None:
            states = self.reachable()
            found = {now for now in states if self._writer.lasso(path, now) is not None}
            self._paths[path] = found
        return found

    def certain(self, path: Formula, now: Capped) -> bool | None:  # noqa: ARG002
        """Return True: what is possible for a population is so."""
        return True


def _inside(paths: Iterable[Formula]) -> set[Formula]:
    """Return the paths that others of these speak of."""
    return {inner for path in paths for inner in branching(path)}
