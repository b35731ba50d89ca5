"""The paths of all populations at once, watched by a tableau: a graph of which nothing may be left out.

A node is a counted state and a node of the tableau that the state agrees with. Every fair run of a population
that satisfies the formula of the tableau goes through such nodes, from one of the starts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from gnomon.certificate.deductive.tableau import Tableau
from gnomon.certificate.parameterised.counted_steps import (
    CountedPopulations,
    CountedState,
    CountedStep,
)
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula

#: More steps are not gone through.
MOST_STEPS: Final = 400_000


class WatchedStep(NamedTuple):
    """A step between nodes, by the numbers that a certificate gives them."""

    source: int
    target: int
    step: CountedStep


class CountedNode(NamedTuple):
    """A counted state, and a node of the tableau by its number."""

    state: CountedState
    watching: int


def watched_steps(
    populations: CountedPopulations,
    tableau: Tableau,
    starts: Iterable[CountedState],
    number: Mapping[CountedNode, int],
    possible: Callable[[Formula, CountedState], bool],
    budget: Budget,
) -> list[WatchedStep]:
    """Return all steps between nodes that can be reached; fail where one has no number.

    What is `possible` may hold in a state; only what cannot hold is left out.
    """

    def agreeing(state: CountedState, nodes: Iterable[int]) -> Iterator[int]:
        for watching in nodes:
            if all(possible(each, state) for each in tableau.nodes[watching].now):
                node = CountedNode(state, watching)
                if node not in number:
                    raise Rejected("there is a way out of the listed nodes")
                yield number[node]

    node_of = {place: node for node, place in number.items()}
    seen = {n: None for state in starts for n in agreeing(state, tableau.initial)}
    waiting = list(seen)
    found: list[WatchedStep] = []
    while waiting:
        source = waiting.pop()
        budget.check("steps", len(found))
        for step in populations.steps(node_of[source].state):
            for target in agreeing(step.after, tableau.following[node_of[source].watching]):
                found.append(WatchedStep(source, target, step))
                if target not in seen:
                    seen[target] = None
                    waiting.append(target)
        if len(found) > MOST_STEPS:
            raise TooMuch(f"there are more than {MOST_STEPS:,} steps of watched paths")
    return found
