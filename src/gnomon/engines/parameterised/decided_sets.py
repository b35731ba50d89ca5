"""Sets of local states as decisions about one variable after the other, with what they have in common named.

So a set is written down that has too many boxes: a diagram, or the bits of an integer without much order.
"""

from typing import Any

from gnomon.engines.parameterised.local_sets import DiagramSet, LocalSet
from gnomon.engines.parameterised.local_space import LocalSpace
from gnomon.model.budget import OutOfReach
from gnomon.model.domain import value_at

#: More decisions than this are not written down for one set.
MOST_DECISIONS = 20_000


def decided(space: LocalSpace, states: LocalSet) -> dict[str, Any]:
    """Return a set as a list of decisions; each names a variable, and what follows for which values."""
    writer = _DecisionNodes(space)
    if isinstance(states, int):
        root = writer.of_bits(states, len(space.sizes) - 1)
    else:
        root = writer.of_diagram(states, 0)
    return {"nodes": writer.nodes, "root": root}


class _DecisionNodes:
    """Names the decisions, those first on which others rely."""

    def __init__(self, space: LocalSpace) -> None:
        self._space = space
        self._known: dict[tuple[int, LocalSet], bool | int] = {}
        self.nodes: list[list[Any]] = []
        self._named: dict[object, int] = {}

    def of_bits(self, mask: int, last: int) -> bool | int:
        """Return what is decided by the variables up to one, whose number has the highest place."""
        if not mask or last < 0:
            return bool(mask)
        if (last, mask) not in self._known:
            stride, size = self._space.strides[last], self._space.sizes[last]
            block = (1 << stride) - 1
            rests = [mask >> (value * stride) & block for value in range(size)]
            children = [self.of_bits(rest, last - 1) for rest in rests]
            self._known[last, mask] = self._node(last, children)
        return self._known[last, mask]

    def of_diagram(self, states: DiagramSet, variable: int) -> bool | int:
        """Return what is decided by the variables from one on."""
        if not states or variable == len(self._space.sizes):
            return bool(states)
        if (variable, states) not in self._known:
            space = self._space
            children = []
            for value in range(space.sizes[variable]):
                there = states & space.pattern(variable, value)
                children.append(self.of_diagram(there.without(variable), variable + 1))
            self._known[variable, states] = self._node(variable, children)
        return self._known[variable, states]

    def _node(self, variable: int, children: list[bool | int]) -> bool | int:
        """Return the decision about a variable; none is needed where it makes no difference."""
        first, *others = [(type(child), child) for child in children]
        if all(each == first for each in others):
            return first[1]
        groups: dict[tuple[type, bool | int], list[int]] = {}
        for value, child in enumerate(children):
            if child is not False:
                groups.setdefault((type(child), child), []).append(value)
        key = (variable, tuple((child, tuple(values)) for child, values in groups.items()))
        if key not in self._named:
            if len(self.nodes) >= MOST_DECISIONS:
                msg = "a set of local states takes too many decisions to be written down"
                raise OutOfReach(msg)
            declared = self._space.part.variables[variable]
            branches = [
                [[value_at(declared.domain, value) for value in values], child]
                for (_, child), values in groups.items()
            ]
            self._named[key] = len(self.nodes)
            self.nodes.append([declared.name, branches])
        return self._named[key]
