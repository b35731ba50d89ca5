"""Certificates for what holds of all runs of all populations: counted graphs, and what was deleted from them.

The graph is explored once more, with the tableau that the checker watches it with.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from gnomon.certificate.deductive.tableau import tableau
from gnomon.certificate.parameterised.counted_paths import sought_path
from gnomon.certificate.parameterised.inner_paths import branching
from gnomon.certificate.rejection import TooMuch
from gnomon.engines.parameterised.recurrence.candidates import Component
from gnomon.engines.parameterised.recurrence.capped import Capped, CappedGraph
from gnomon.engines.parameterised.recurrence.capped_truth import CappedTruth
from gnomon.engines.parameterised.recurrence.crowd import event_of
from gnomon.engines.parameterised.recurrence.deletions import (
    ByComponent,
    ByStrand,
    CappedNode,
    Deletion,
    Missing,
    Unbalanced,
)
from gnomon.engines.parameterised.recurrence.flows import falling_weights
from gnomon.engines.parameterised.recurrence.interpretations import interpretations
from gnomon.engines.parameterised.recurrence.ladder import rungs
from gnomon.engines.parameterised.recurrence.situations import Situations, least_cap
from gnomon.engines.parameterised.recurrence.tracker import Tracker
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.domain import Datum
from gnomon.model.formula import Formula
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.step import Completed, Place
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.errors import Abandoned

_REMAINS: Final = "with the automaton that proofs use, a loop of the counted graph remains"
_NO_WEIGHTS: Final = "no weights were found that show which steps are not balanced"


class Unwritten(Abandoned):
    """There is no such proof, for a reason."""


def counted_proof(
    system: OpenSystem, query: OverTime, least: int, budget: Budget
) -> dict[str, Any]:
    """Return a proof that no population has a run that a question is about, or excludes.

    Agents are counted up to `least` or more. Raises `Unwritten` where there is none.
    """
    ways = [_way(system, query, facts, least, budget) for facts in interpretations(system)]
    return {"kind": "counted", "ways": ways}


def _way(
    system: OpenSystem, query: OverTime, facts: dict[Place, Datum], least: int, budget: Budget
) -> dict[str, Any]:
    why = _REMAINS
    for balanced, cap in rungs(system, max(least, least_cap(system, query.conditions))):
        try:
            return CountedWriter(system, query, facts, cap, budget, balanced=balanced).way()
        except (Unwritten, OutOfReach, TooMuch) as reason:
            why = str(reason)
    raise Unwritten(why)


class CountedWriter:
    """Writes what the graph with one cap proves, for one way to fill the relations."""

    def __init__(
        self,
        system: OpenSystem,
        query: OverTime,
        facts: dict[Place, Datum],
        cap: int,
        budget: Budget,
        *,
        balanced: bool,
    ) -> None:
        self._query = query
        self._facts = facts
        self._cap = cap
        self._budget = budget
        situations = Situations(
            system, least_cap(system, query.conditions), Completed(system, facts)
        )
        self._situations = situations
        graph = CappedGraph(situations, cap, query.template)
        self._truth: CappedTruth = CappedTruth(graph, query, tracker, budget, balanced=balanced)
        self._states = StateList(situations)

    def way(self) -> dict[str, Any]:
        """Return what the certificate says for one way to fill the relations."""
        sought = sought_path(self._query)
        labels = [self._label(path) for path in branching(sought)]
        never = self._never(sought, self._truth.initial())
        return {**self._listed(), "labels": labels, "never": never}

    def gone(self) -> dict[str, Any]:
        """Return from which states no run is one that the question asks for, with the relations filled."""
        gone = self._label(sought_path(self._query))
        return {**self._listed(), "gone": gone}

    def _listed(self) -> dict[str, Any]:
        """Return the states that were named, by their places."""
        return self._states.written(self._facts, self._cap)

    def _label(self, path: Formula) -> dict[str, Any]:
        possible = self._truth.possible(path)
        starts = [now for now in self._truth.reachable() if now not in possible]
        never = self._never(path, starts)
        certain = [
            [self._state(now), [_event(event_of(step)) for step in steps]]
            for now in self._truth.reachable()
            if now in possible and (steps := self._truth.way(path, now)) is not None
        ]
        return {"states": list(map(self._state, starts)), "never": never, "certain": certain}

    def _state(self, now: Capped) -> int:
        return self._states.number(now)

    def _never(self, path: Formula, starts: Iterable[Capped]) -> dict[str, Any]:
        found = self._truth.watch(path, starts)
        candidates = self._truth.candidates(found)
        left = candidates.all()
        number = {node: n for n, node in enumerate(found.leaving)}
        deletions = [written_deletion(each, number, self._budget) for each in candidates.deletions]
        deletions += self.of_what_is_left(left, number)
        nodes = [[self._state(node.now), node.watching] for node in found.leaving]
        return {"nodes": nodes, "deletions": deletions}

    def of_what_is_left(
        self,
        left: list[Component],
        number: dict[CappedNode, int],  # noqa: ARG002 - tests have reasons that are none
    ) -> list[dict[str, Any]]:
        """Return why what could not be deleted, by the numbers of its nodes, may be; there is no reason."""
        if left:
            raise Unwritten(_REMAINS)
        return []


def written_deletion(
    deletion: Deletion, number: Mapping[CappedNode, int], budget: Budget
) -> dict[str, Any]:
    """Return why steps are deleted, by the numbers of nodes."""
    match deletion:
        case ByComponent(numbers, missing):
            return {
                "kind": "components",
                "numbers": [[number[node], n] for node, n in numbers.items()],
                "missing": _missing(missing),
            }
        case ByStrand(numbers, missing):
            return {
                "kind": "strands",
                "numbers": [[number[node], place, n] for (node, place), n in numbers.items()],
                "missing": _missing(missing),
            }
        case Unbalanced(edges, steps):
            weights = falling_weights(edges, steps, budget)
            if weights is None:
                raise Unwritten(_NO_WEIGHTS)
            nodes = {edge.source for edge in edges}
            standing = ((node, place) for node in nodes for place, _ in node.now.others)
            return {
                "kind": "weights",
                "nodes": [[number[node], weights[node]] for node in nodes],
                "places": [[number[node], place, weights[node, place]] for node, place in standing],
            }


class StateList:
    """Counted states as a certificate lists them, by the numbers of places, as they come up."""

    def __init__(self, situations: Situations) -> None:
        """Start without any."""
        self._situations = situations
        self._states: dict[Capped, int] = {}

    def number(self, now: Capped) -> int:
        """Return the number of a state."""
        return self._states.setdefault(now, len(self._states))

    def written(self, facts: Mapping[Place, Datum], cap: int) -> dict[str, Any]:
        """Return the states that were named, with what goes for all of them."""
        return {
            "facts": [[name, list(args), value] for (name, args), value in facts.items()],
            "cap": cap,
            "places": [[template, list(local)] for template, local in self._situations.places],
            "states": [
                [list(now.environment), now.own, [list(pair) for pair in now.others]]
                for now in self._states
            ],
        }


def _missing(missing: Iterable[tuple[int, Missing]]) -> list[list[Any]]:
    return [[number, lacks.what, lacks.number] for number, lacks in missing]


def _event(event: Any) -> list[Any]:
    return [event.environment, list(event.agents)]


def tracker(path: Formula) -> Tracker:
    """Return the tableau of the checker as an automaton."""
    found = tableau(path)
    number = {promise: place for place, promise in enumerate(found.promises)}
    return Tracker(
        tuple(tuple(sorted(node.now, key=repr)) for node in found.nodes),
        found.initial,
        found.following,
        tuple(frozenset(number[promise] for promise in node.late) for node in found.nodes),
        len(found.promises),
    )
