"""Why some path through an automaton is accepted: where it goes, by which moves, and how it meets each set.

It is all that a proof needs, in cells; `gnomon.certificate.deductive.path_rules` has the rule.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from gnomon.engines.abstraction.attractors import SOME_PATH, Attractor, deepest
from gnomon.engines.abstraction.cell_conduct import CellConduct, conduct_of
from gnomon.engines.abstraction.cell_labels import eliminated
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.elimination import (
    CellsByNode,
    Elimination,
    EliminationStage,
    NodeSuccessors,
)
from gnomon.engines.abstraction.node_product import NodeProduct, met_in_turn
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.engines.diagrams.interface import Diagram

#: For each node, and each that may follow it, the next cells in which it is the one that follows.
NodePicks: TypeAlias = tuple[tuple[Diagram, ...], ...]
#: Sets by node, and the moves that are good there.
_NodeLayer: TypeAlias = tuple[CellsByNode, CellsByNode]


class PathRound(NamedTuple):
    """How a path comes to one set: what is done at each node, which node follows, and why that ends.

    `inside` is where the path is still on its way.
    """

    inside: CellsByNode
    conducts: tuple[CellConduct, ...]
    picks: NodePicks
    stages: tuple[EliminationStage, ...]


class PathLabel(NamedTuple):
    """From where there is such a path: the cells by node, how one goes on at each, and to each set."""

    cells: Diagram
    nodes: CellsByNode
    conducts: tuple[CellConduct, ...]
    rounds: tuple[PathRound, ...]


def path_label(
    algebra: CellAlgebra,
    within: CellsByNode,
    initial: Sequence[int],
    following: NodeSuccessors,
    sets: Sequence[CellsByNode],
) -> PathLabel | None:
    """Return from where some path goes through the nodes, and meets each set again and again."""
    space = algebra.space
    product = NodeProduct(space, following)
    rankings = algebra.rankings if algebra.ranked else []
    nodes = met_in_turn(product, within, sets, rankings)
    rounds = []
    for wanted in sets:
        found = _round(algebra, product, nodes, product.diagrams.both(nodes, wanted))
        if found is None:
            return None
        rounds.append(found)
    cells = space.cells.disjunction(nodes[node] for node in initial)
    staying = _conducts(space, len(nodes), [(nodes, product.after(nodes))])
    return PathLabel(cells, nodes, staying, tuple(rounds))


def _round(
    algebra: CellAlgebra, product: NodeProduct, nodes: CellsByNode, target: CellsByNode
) -> PathRound | None:
    space, sides = algebra.space, product.diagrams
    inside = sides.minus(nodes, target)
    search = Attractor(product, SOME_PATH, inside)
    ranked = product.ranked(algebra.rankings) if algebra.ranked else []
    search.lead_to([(sides.true, target)], sides.true, ranked, deepest(len(ranked)))
    layers: list[_NodeLayer] = []
    seen = target
    for cells, moves, _ in search.layers:
        layers.append((sides.minus(cells, seen), moves))
        seen = sides.either(seen, cells)
    picks = _picks(space, product.following, [target, *(cells for cells, _ in layers)])
    conducts = _conducts(space, len(nodes), layers)
    way = _PickedPaths(space, inside, product.following, conducts, picks)
    if any(each != space.diagrams.false for each in eliminated(algebra, way).cells):
        return None
    return PathRound(inside, conducts, picks, tuple(way.stages))


def _conducts(
    space: CellSpace, nodes: int, layers: Sequence[_NodeLayer]
) -> tuple[CellConduct, ...]:
    """Return what is done at each of so many nodes."""
    return tuple(
        conduct_of(space, SOME_PATH, [(cells[node], moves[node]) for cells, moves in layers])
        for node in range(nodes)
    )


def _picks(space: CellSpace, following: NodeSuccessors, layers: Sequence[CellsByNode]) -> NodePicks:
    """Return which node follows: that from which it is not as far as from any other one."""
    d = space.diagrams
    found = []
    for nodes in following:
        picked = dict.fromkeys(nodes, d.false)
        taken = d.false
        for layer in layers:
            for node in nodes:
                new = d.minus(layer[node], taken)
                picked[node] = d.either(picked[node], new)
                taken = d.either(taken, new)
        found.append(tuple(picked.values()))
    return tuple(found)


class _PickedPaths(Elimination):
    """Looks for endless runs that do what is said at each node, and go on to the nodes that are picked."""

    def __init__(
        self,
        space: CellSpace,
        within: CellsByNode,
        following: NodeSuccessors,
        conducts: Sequence[CellConduct],
        picks: NodePicks,
    ) -> None:
        """Look inside some cells."""
        super().__init__(space, within, following)
        self._allowed = tuple(conduct.moves for conduct in conducts)
        self._picks = picks

    def _next_to(self, cells: CellsByNode, node: int) -> Diagram:
        ways = zip(self._following[node], self._picks[node], strict=True)
        return self._space.cells.disjunction(self._d.both(cells[each], pick) for each, pick in ways)
