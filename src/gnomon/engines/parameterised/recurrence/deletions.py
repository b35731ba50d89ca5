"""What was deleted from a counted graph as it cannot recur, in order, with the reasons.

Whoever follows the list knows that nothing is left; the list is made while it is found out.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from gnomon.engines.parameterised.recurrence.capped import Capped, CappedStep
from gnomon.engines.parameterised.recurrence.product import WatchedEdge, WatchedNode
from gnomon.engines.parameterised.recurrence.situations import LocalPlace

CappedNode: TypeAlias = WatchedNode[Capped]
CappedEdge: TypeAlias = WatchedEdge[Capped, CappedStep]
#: Some agents of the others in one place of one node.
AgentsAt: TypeAlias = tuple[CappedNode, LocalPlace]


class Missing(NamedTuple):
    """What fails to recur where it would have to.

    A promise of the automaton or a condition of `Fairness`, by its number; or an act of the environment, of
    `self`, or of any agent who is able.
    """

    what: Literal["promise", "fair", "environment", "self", "agent"]
    number: int = 0


class ByComponent(NamedTuple):
    """No step leads to a higher number; those that lead to a lower one, and what misses something, go."""

    numbers: Mapping[CappedNode, int]
    missing: tuple[tuple[int, Missing], ...]


class ByStrand(NamedTuple):
    """No agent gets to a higher number; steps in which one gets lower, and what misses something, go."""

    numbers: Mapping[AgentsAt, int]
    missing: tuple[tuple[int, Missing], ...]


class Unbalanced(NamedTuple):
    """Of these steps, some cannot recur as often as the others must."""

    edges: tuple[CappedEdge, ...]
    steps: frozenset[int]


Deletion: TypeAlias = ByComponent | ByStrand | Unbalanced
