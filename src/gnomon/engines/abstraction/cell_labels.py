"""Why a fixpoint over cells is one: the cells, what is done in them, and why that comes to an end.

It is all that a proof needs, in cells; `gnomon.certificate.deductive` has the rules.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from gnomon.engines.abstraction.attractors import Attraction, GameSide
from gnomon.engines.abstraction.cell_conduct import CellConduct, conduct_of
from gnomon.engines.abstraction.elimination import Elimination, EliminationStage
from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import form_of
from gnomon.engines.abstraction.partition import Partition
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.abstraction.sum_rankings import sum_ranking
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.engines.diagrams.interface import Diagram


class CellLabel(NamedTuple):
    """Where a formula holds, or fails; what a player does there; and the argument that it comes about.

    `inside` are the cells in which the player has to move.
    """

    cells: Diagram
    inside: Diagram
    conduct: CellConduct
    stages: tuple[EliminationStage, ...] = ()


class BoundedForm(NamedTuple):
    """A quantity that falls, and a bound below which it does not."""

    terms: tuple[tuple[int, str, str], ...]
    bound: int


def next_label(algebra: CellAlgebra, player: GameSide, target: Diagram) -> CellLabel:
    """Return where a player gets into the target in one step."""
    cells = algebra.preimage(player, target)
    conduct = conduct_of(algebra.space, player, [(cells, algebra.space.after(target))])
    return CellLabel(cells, cells, conduct)


def stays_label(algebra: CellAlgebra, player: GameSide, exits: Diagram, held: Diagram) -> CellLabel:
    """Return where a player keeps to some cells for ever, or until there is an exit."""
    cells = algebra.confine(player, exits, held)
    inside = algebra.space.diagrams.minus(cells, exits)
    conduct = conduct_of(algebra.space, player, [(inside, algebra.space.after(cells))])
    return CellLabel(cells, inside, conduct)


def arrives_label(
    algebra: CellAlgebra, player: GameSide, within: Diagram, target: Diagram
) -> CellLabel | None:
    """Return where a player gets through some cells to a target; None where no argument is found."""
    space, d = algebra.space, algebra.space.diagrams
    attraction = algebra.attraction(player, within, target)
    inside = d.minus(attraction.cells, target)
    conduct = conduct_of(space, player, _first_layers(algebra, attraction))
    search = Elimination(space, (inside,), moves=conduct.moves)
    suggest = partial(sum_ranking, space) if algebra.ranked else None
    left = search.run(algebra.rankings if algebra.ranked else (), suggest)
    if left.cells != (d.false,):
        return None
    return CellLabel(attraction.cells, inside, conduct, tuple(search.stages))


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
