"""Why a fixpoint over cells is one: the cells, what is done in them, and why that comes to an end.

It is all that a proof needs, in cells; `gnomon.certificate.deductive` has the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gnomon.engines.abstraction.attractors import SOME_PATH, Attraction, GameSide
from gnomon.engines.abstraction.cell_conduct import CellConduct, conduct_of, nothing_done
from gnomon.engines.abstraction.elimination import (
    ONE_NODE,
    CellsByNode,
    Elimination,
    EliminationStage,
    NodeSuccessors,
    Remaining,
)
from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.partition import Partition
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.sum_rankings import sum_ranking
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram


class CellLabel(NamedTuple):
    """Where a formula holds, or fails; what a player does there; and the argument that it comes about.

    `inside` are the cells in which the player has to move, for each node where there is an automaton.
    """

    cells: Diagram
    inside: CellsByNode
    conduct: CellConduct
    stages: tuple[EliminationStage, ...] = ()


class LastingLabel(NamedTuple):
    """Where some path meets all constraints for ever: how one stays there, and how one comes to each."""

    staying: CellLabel
    rounds: tuple[CellLabel, ...]


class BoundedForm(NamedTuple):
    """A quantity that falls, and a bound below which it does not."""

    terms: tuple[tuple[int, str, str], ...]
    bound: int


def next_label(algebra: CellAlgebra, player: GameSide, target: Diagram) -> CellLabel:
    """Return where a player gets into the target in one step."""
    cells = algebra.preimage(player, target)
    conduct = conduct_of(algebra.space, player, [(cells, algebra.space.after(target))])
    return CellLabel(cells, (cells,), conduct)


def stays_label(algebra: CellAlgebra, player: GameSide, exits: Diagram, held: Diagram) -> CellLabel:
    """Return where a player keeps to some cells for ever, or until there is an exit."""
    d = algebra.space.diagrams
    cells = algebra.confine(player, exits, held)
    inside = d.minus(cells, exits)
    good = algebra.space.after(d.either(cells, exits))
    return CellLabel(cells, (inside,), conduct_of(algebra.space, player, [(inside, good)]))


def arrives_label(
    algebra: CellAlgebra, player: GameSide, within: Diagram, target: Diagram
) -> CellLabel | None:
    """Return where a player gets through some cells to a target; None where no argument is found."""
    attraction = algebra.attraction(player, within, target)
    inside = algebra.space.diagrams.minus(attraction.cells, target)
    conduct = conduct_of(algebra.space, player, _first_layers(algebra, attraction))
    stages = _ending(algebra, (inside,), moves=conduct.moves)
    if stages is None:
        return None
    return CellLabel(attraction.cells, (inside,), conduct, stages)


def fairly_arrives_label(
    algebra: CellAlgebra, within: Diagram, target: Diagram, constraints: Sequence[Diagram]
) -> CellLabel | None:
    """Return from where all paths that may meet all constraints get through some cells to a target."""
    d, space = algebra.space.diagrams, algebra.space
    within = d.minus(within, target)
    justice = [(each,) for each in constraints]
    search = Elimination(space, (within,), ONE_NODE, justice)
    endless = _run(algebra, search).cells[0]
    outside = d.minus(d.minus(space.reachable, within), target)
    (lost,) = search.leading_to((d.either(endless, outside),))
    inside = d.minus(within, lost)
    stages = _ending(algebra, (inside,), ONE_NODE, justice)
    if stages is None:
        return None
    return CellLabel(d.either(inside, target), (inside,), nothing_done(space), stages)


def lasting_label(
    algebra: CellAlgebra, held: ThreeValued, constraints: Sequence[ThreeValued]
) -> LastingLabel | None:
    """Return where some path surely stays in some cells and meets all constraints for ever."""
    d = algebra.space.diagrams
    cells = algebra.fairly_lasting(held, tuple(constraints)).true
    staying = stays_label(algebra, SOME_PATH, d.false, cells)
    rounds = []
    for each in constraints:
        met = d.both(cells, each.true)
        found = arrives_label(algebra, SOME_PATH, cells, met)
        if found is None or d.minus(cells, found.cells) != d.false:
            return None
        rounds.append(found)
    return None if staying.cells != cells else LastingLabel(staying, tuple(rounds))


def no_path_label(
    algebra: CellAlgebra,
    nodes: CellsByNode,
    initial: Sequence[int],
    following: NodeSuccessors,
    justice: Sequence[CellsByNode],
) -> CellLabel | None:
    """Return from where no path goes through nodes that follow each other, and meets some sets for ever.

    `nodes` are the cells that each node may be in.
    """
    d, space = algebra.space.diagrams, algebra.space
    search = Elimination(space, nodes, following, justice)
    bad = search.leading_to(_run(algebra, search).cells)
    inside = tuple(map(d.minus, nodes, bad))
    cells = d.minus(space.reachable, space.cells.disjunction(bad[node] for node in initial))
    stages = _ending(algebra, inside, following, justice)
    return None if stages is None else CellLabel(cells, inside, nothing_done(space), stages)


def _run(algebra: CellAlgebra, search: Elimination) -> Remaining:
    if not algebra.ranked:
        return search.run()
    return search.run(algebra.rankings, partial(sum_ranking, algebra.space))


def _ending(
    algebra: CellAlgebra,
    inside: CellsByNode,
    following: NodeSuccessors = ONE_NODE,
    justice: Sequence[CellsByNode] = (),
    moves: Diagram | None = None,
) -> tuple[EliminationStage, ...] | None:
    """Return the argument that nobody stays inside for ever; None where there is none."""
    search = Elimination(algebra.space, inside, following, justice, moves)
    left = _run(algebra, search)
    empty = all(each == algebra.space.diagrams.false for each in left.cells)
    return tuple(search.stages) if empty else None


def _first_layers(
    algebra: CellAlgebra, attraction: Attraction
) -> Iterator[tuple[Diagram, Diagram]]:
    """Yield the cells of each layer that are in none before it, and the good moves there.

    What was found by one ranking is found by the next one again, by moves that need not go together.
    """
    d = algebra.space.diagrams
    seen = attraction.layers[0].cells if attraction.layers else d.false
    for layer in attraction.layers[1:]:
        new = d.minus(layer.cells, seen)
        if new != d.false:
            yield new, layer.moves
            seen = d.either(seen, new)


def bounded_form(partition: Partition, ranking: Ranking) -> BoundedForm:
    """Return the quantity of a ranking, with a bound that holds wherever it is said to fall."""
    sign, form = ranking.sign, ranking.form
    terms = tuple((sign * weight, read.agent, read.variable) for read, weight in form.terms)
    if form in partition.pieces:
        return BoundedForm(terms, _least(partition.pieces[form], sign))
    bound = 0
    for read, weight in form.terms:
        known = read in partition.coarse
        pieces = partition.pieces[form_of(read)] if known else (partition.range_of(read),)
        bound += abs(weight) * _least(pieces, sign if weight > 0 else -sign)
    return BoundedForm(terms, bound)


def _least(pieces: Iterable[Interval], sign: int) -> int:
    """Return the least number that a number, or its opposite, has in the pieces where it is bounded."""
    ends = (piece.low if sign > 0 else piece.high for piece in pieces)
    return min(sign * end for end in ends if end is not None)
