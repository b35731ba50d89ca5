"""Images by a relation in parts, each taken when most of its levels can be quantified."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from gnomon.engines.diagrams.interface import Diagram, Diagrams, QuantifiedSet
from gnomon.model.agent import Variable

#: Parts are joined while the product has at most so many nodes.
CLUSTER_NODES: Final = 500


@dataclass(frozen=True, slots=True)
class RelationPart:
    """A conjunct of the relation, the levels it depends on, and the variables that it gives values.

    Variables of one value are never among the latter: an assignment to one of those has that result or none,
    which is a condition on the step and no change.
    """

    diagram: Diagram
    levels: frozenset[int]
    assigned: tuple[Variable, ...] = ()


def support(
    diagrams: Diagrams, diagram: Diagram, among: Collection[int] | None = None
) -> frozenset[int]:
    """Return the levels that a diagram depends on; where known, all are `among` these."""
    return frozenset(diagrams.support(diagram, among))


def cluster(
    diagrams: Diagrams, parts: list[RelationPart], limit: int = CLUSTER_NODES
) -> list[RelationPart]:
    """Join neighbours in the order of levels while the products stay small."""
    joined: list[RelationPart] = []
    for part in sorted(parts, key=lambda part: min(part.levels, default=0)):
        if joined:
            before = joined[-1]
            if diagrams.size(before.diagram) + diagrams.size(part.diagram) <= 2 * limit:
                product = diagrams.both(before.diagram, part.diagram)
                if diagrams.size(product) <= limit:
                    joined[-1] = RelationPart(product, before.levels | part.levels)
                    continue
        joined.append(part)
    return joined


class PartitionedImage:
    """The parts in the order in which a product takes them, each with what can be quantified after it."""

    def __init__(
        self, diagrams: Diagrams, parts: list[RelationPart], quantified: Iterable[int]
    ) -> None:
        """Schedule the quantification of some levels."""
        self.diagrams = diagrams
        wanted = set(quantified)
        ordered = _schedule(parts, wanted)
        last: dict[int, int] = {}
        for number, part in enumerate(ordered):
            for level in part.levels & wanted:
                last[level] = number
        self.first: QuantifiedSet = diagrams.cube(level for level in wanted if level not in last)
        self.rest: list[tuple[Diagram, QuantifiedSet]] = [
            (
                part.diagram,
                diagrams.cube(level for level in part.levels & wanted if last[level] == number),
            )
            for number, part in enumerate(ordered)
        ]

    def apply(self, states: Diagram) -> Diagram:
        """Return the product with all parts, quantified on the way."""
        result = self.diagrams.exists(states, self.first)
        for diagram, cube in self.rest:
            result = self.diagrams.both_exists(result, diagram, cube)
        return result

    def product(self, most: int, states: Diagram | None = None) -> Diagram | None:
        """Return the product of all parts (and some states); None where it outgrows so many nodes."""
        result = self.diagrams.true if states is None else states
        for diagram, cube in self.rest:
            result = self.diagrams.both_exists(result, diagram, cube)
            if self.diagrams.size(result) > most:
                return None
        return result


def _schedule(parts: list[RelationPart], quantified: set[int]) -> list[RelationPart]:
    """Take next the part after which most levels can go and few come in."""
    remaining = list(parts)
    uses: dict[int, int] = {}
    for part in remaining:
        for level in part.levels & quantified:
            uses[level] = uses.get(level, 0) + 1
    present: set[int] = set()
    ordered: list[RelationPart] = []

    def value(part: RelationPart) -> tuple[float, int]:
        leaving = part.levels & quantified
        gone = sum(1 for level in leaving if uses[level] == 1)
        fresh = len(part.levels - quantified - present)
        share = gone / len(leaving) if leaving else 1.0
        return share - fresh / (len(part.levels) + 1), -min(part.levels, default=0)

    while remaining:
        best = max(remaining, key=value)
        remaining.remove(best)
        ordered.append(best)
        present |= best.levels - quantified
        for level in best.levels & quantified:
            uses[level] -= 1
    return ordered
