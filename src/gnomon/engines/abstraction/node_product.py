"""Cells together with the nodes of an automaton, as a space in which attractors are looked for.

A set is one set of cells for each node, and so is a set of moves. Everything is done node by node but for
what comes next: from a node, the next cell is in the set if it is there for some node that may follow. So
which node follows is chosen when the next cell is known.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import reduce

from gnomon.engines.abstraction.attractors import SOME_PATH, Attractor, deepest
from gnomon.engines.abstraction.cell_space import CellSpace, Certainty
from gnomon.engines.abstraction.elimination import CellsByNode, NodeSuccessors
from gnomon.engines.abstraction.rankings import Ranking


class NodeSets:
    """Sets by node, with the operations of diagrams."""

    def __init__(self, space: CellSpace, nodes: int) -> None:
        """Have one set for each of so many nodes."""
        self._d = space.diagrams
        self.true: CellsByNode = (self._d.true,) * nodes
        self.false: CellsByNode = (self._d.false,) * nodes

    def both(self, left: CellsByNode, right: CellsByNode) -> CellsByNode:
        """Return the conjunction."""
        return tuple(map(self._d.both, left, right))

    def either(self, left: CellsByNode, right: CellsByNode) -> CellsByNode:
        """Return the disjunction."""
        return tuple(map(self._d.either, left, right))

    def minus(self, left: CellsByNode, right: CellsByNode) -> CellsByNode:
        """Return `left` without `right`."""
        return tuple(map(self._d.minus, left, right))

    def conjunction(self, sets: Iterable[CellsByNode]) -> CellsByNode:
        """Return what is in all sets."""
        return reduce(self.both, sets, self.true)

    def disjunction(self, sets: Iterable[CellsByNode]) -> CellsByNode:
        """Return what is in some set."""
        return reduce(self.either, sets, self.false)


class NodeProduct:
    """What an attractor asks of a space, with a set for each node wherever that has one set."""

    def __init__(self, space: CellSpace, following: NodeSuccessors) -> None:
        """Multiply a space by an automaton, given which nodes may follow each node."""
        self._space = space
        #: The nodes that may follow each node.
        self.following = following
        self.diagrams = self.cells = NodeSets(space, len(following))
        self.reachable: CellsByNode = (space.reachable,) * len(following)
        self.reachable_after: CellsByNode = (space.reachable_after,) * len(following)

    def after(self, cells: CellsByNode) -> CellsByNode:
        """Return, for each node, the next cells that are in the set with some node that may follow."""
        space = self._space
        unions = (space.cells.disjunction(cells[node] for node in each) for each in self.following)
        return tuple(map(space.after, unions))

    def predecessors(
        self, mode: Certainty, coalition: Collection[str], forbidden: CellsByNode
    ) -> CellsByNode:
        """Return, for each node, the cells from which what is forbidden is surely kept out of."""
        return tuple(self._space.predecessors(mode, coalition, each) for each in forbidden)

    def ranked(self, rankings: Iterable[Ranking]) -> list[Ranking]:
        """Return quantities as they are at all nodes: cells alone tell whether they fall or grow."""
        nodes = len(self.following)
        return [
            q._replace(less=(q.less,) * nodes, not_more=(q.not_more,) * nodes) for q in rankings
        ]


def met_in_turn(
    product: NodeProduct,
    within: CellsByNode,
    sets: Sequence[CellsByNode],
    rankings: Sequence[Ranking],
) -> CellsByNode:
    """Return from where some path surely stays inside and meets each set again and again.

    The greatest Z with Z = within ∩ ⋂ pre(μY. Z ∩ (set ∪ pre(Y))) over all sets (Emerson and Lei 1986), where
    the inner fixpoint also follows quantities that run out.
    """
    sides, ranked = product.diagrams, product.ranked(rankings)
    found = within
    while True:
        before = found
        for wanted in sets or [found]:
            target = sides.both(found, wanted)
            search = Attractor(product, SOME_PATH, sides.minus(found, target))
            ways = search.lead_to([(sides.true, target)], sides.true, ranked, deepest(len(ranked)))
            good = product.after(sides.either(target, ways))
            forbidden = sides.minus(product.reachable_after, good)
            found = sides.both(found, product.predecessors(*SOME_PATH, forbidden))
        if found == before:
            return found
