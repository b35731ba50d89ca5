"""Looking back by substitution: what is asked of the next values, asked of the functions that give them.

A part of the relation that leaves no choice says that each next bit is a function of the state and of what
everybody does, and perhaps where there is a result at all. That some next state is in a set is then said
without next bits: its functions stand in their place. Parts that leave a choice stay a relation.
"""

from collections.abc import Collection
from functools import cached_property
from typing import Final

from gnomon.engines.diagrams.events import TransitionEvent, without_actions
from gnomon.engines.diagrams.image import PartitionedImage, RelationPart, cluster, support
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.relation import Partitioned
from gnomon.engines.diagrams.value_codes import balanced

#: So many sets are remembered with what was made of them.
_REMEMBERED: Final = 4


class NextFunctions:
    """The next values that are functions of the moment, and the parts of the relation that are left."""

    def __init__(self, relation: Partitioned) -> None:
        """Find out which parts of a relation leave no choice."""
        self._relation = relation
        self._diagrams: Diagrams = relation.diagrams
        self._known: dict[Diagram, Diagram] = {}
        functions: dict[int, Diagram] = {}
        #: What else has to hold of a step, and how the other variables change.
        self.rest: list[RelationPart] = []
        for part in relation.parts:
            bits = [
                pair
                for variable in part.assigned
                for levels in (relation.encoder.layout.variables[variable.agent, variable.name],)
                for pair in zip(levels.now, levels.next, strict=True)
            ]
            found = self._functions(part, bits)
            if found is None:
                self.rest.append(part)
                continue
            values, somewhere = found
            functions.update(values)
            if somewhere != self._diagrams.true:
                self.rest.append(relation.part(somewhere))
        d = self._diagrams
        #: How many bits are given by functions.
        self.bits = len(functions)
        others = [pair for pair in relation.encoder.layout.pairs if pair[0] not in functions]
        self._next = [after for _, after in others]
        related = {now: d.variable(after) for now, after in others}
        self._replacing = d.substitution({**functions, **related})
        named = frozenset().union(*(support(d, each) for each in functions.values()))
        #: Those whose actions the functions look at, which only what is asked can do without.
        self._actors = frozenset(relation.actors(named))

    def _functions(
        self, part: RelationPart, bits: list[tuple[int, int]]
    ) -> tuple[dict[int, Diagram], Diagram] | None:
        """Return the functions that a part consists of, by the bits they are for, and where it has a result.

        None where it leaves a choice, or says nothing about next values.
        """
        d = self._diagrams
        if not bits:
            return None
        following = d.cube(after for _, after in bits)
        somewhere = d.exists(part.diagram, following)
        values = {
            now: d.exists(d.both(part.diagram, d.variable(after)), following) for now, after in bits
        }
        agreed = [d.opposite(d.differ(d.variable(after), values[now])) for now, after in bits]
        if d.both(somewhere, balanced(d.both, agreed, d.true)) != part.diagram:
            return None
        return values, somewhere

    def ahead(self, states: Diagram) -> Diagram:
        """Return where the next state is in a set, said of functions, and of next bits that have none.

        Sets grow and shrink step by step, and this goes by their differences: the function of a union is the
        union of the functions, and that of what is left is what is left of it.
        """
        known = self._known
        found = known.get(states)
        if found is None:
            found = self._by_difference(states)
            known[states] = found
            if len(known) > _REMEMBERED:
                del known[next(iter(known))]
        return found

    def _by_difference(self, states: Diagram) -> Diagram:
        d = self._diagrams
        for other, result in reversed(self._known.items()):
            more, less = d.minus(states, other), d.minus(other, states)
            if d.size(more) + d.size(less) <= d.size(states):
                return d.either(d.minus(result, self._direct(less)), self._direct(more))
        return self._direct(states)

    def _direct(self, states: Diagram) -> Diagram:
        known = self._known.get(states)
        return self._diagrams.substitute(states, self._replacing) if known is None else known

    def backward(self, kept: Collection[str] = ()) -> PartitionedImage:
        """Return what makes of such a condition one on the state and the actions of those kept."""
        keep = self._actors | frozenset(kept)
        parts = without_actions(self._relation, self.rest, keep)
        actions = self._relation.encoder.layout.actions.items()
        gone = [level for name, levels in actions if name not in kept for level in levels]
        joined = cluster(self._diagrams, parts)
        return PartitionedImage(self._diagrams, joined, [*self._next, *gone])


class SubstitutingEvent:
    """All moves, looked back on by substitution; the relation is joined only where somebody looks ahead."""

    parts = 0

    def __init__(self, relation: Partitioned, functions: NextFunctions) -> None:
        """Join nothing yet."""
        self._relation = relation
        self._functions = functions
        self._backward = functions.backward()

    @cached_property
    def _event(self) -> TransitionEvent:
        relation = self._relation
        return TransitionEvent(relation, relation.parts, relation.encoder.layout.pairs)

    def restrict(self, states: Diagram) -> None:
        """Leave it as it is: there is no relation to be cut down."""

    def image(self, states: Diagram) -> Diagram:
        """Return the states that follow."""
        return self._event.image(states)

    def preimage(self, states: Diagram) -> Diagram:
        """Return the states that lead there."""
        return self._backward.apply(self._functions.ahead(states))
