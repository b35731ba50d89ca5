"""Formulae of time about one population, exactly."""

from collections.abc import Iterable, Iterator

from gnomon.engines.parameterised.recurrence.crowd import CrowdGraph, CrowdState, CrowdStep
from gnomon.engines.parameterised.recurrence.lassos import (
    CrowdLasso,
    CrowdNode,
    CrowdProduct,
    FairLoops,
    lasso,
)
from gnomon.engines.parameterised.recurrence.tracker import Track
from gnomon.engines.parameterised.recurrence.truth import PathTruth
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import OverTime


class CrowdTruth(PathTruth[CrowdState, CrowdStep]):
    """What a question is worth in the configurations of a population, of which the first agent is `self`."""

    def __init__(self, graph: CrowdGraph, query: OverTime, track: Track, budget: Budget) -> None:
        """Look at the graph of a population."""
        super().__init__(track, budget)
        self._graph = graph
        self._query = query
        self._own = 0 if query.template else None

    def initial(self) -> Iterable[CrowdState]:
        """Return the initial configurations."""
        return self._graph.initial()

    def following(self, now: CrowdState) -> Iterable[tuple[CrowdState, CrowdStep]]:
        """Return what can come next, and how."""
        return self._graph.steps(now)

    def condition(self, number: int, now: CrowdState) -> bool:
        """Return whether a condition of the question holds."""
        return self._graph.holds(self._query.conditions[number], now, self._own)

    def recurring(self, found: CrowdProduct) -> Iterator[CrowdNode]:
        """Yield nodes of all loops that a fair run may stay in."""
        for loop in FairLoops(self._graph, found, self.budget).all():
            yield from loop.nodes

    def certain(self, path: f.Formula, now: CrowdState) -> bool | None:  # noqa: ARG002
        """Return True: what is not excluded for a population is so."""
        return True

    def lasso(
        self, path: f.Formula, starts: Iterable[CrowdState] | None = None
    ) -> CrowdLasso | None:
        """Return a fair run on which a path formula holds, from some configurations on, if there is one."""
        found = self.watch(path, self.initial() if starts is None else starts)
        loops = FairLoops(self._graph, found, self.budget)
        first = next(loops.all(), None)
        return None if first is None else lasso(found, loops, first)
