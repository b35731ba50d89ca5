"""Why a fixpoint over cells is one: the cells, what is done in them, and why that comes to an end.

It is all that a proof needs, in cells; `gnomon.certificate.deductive` has the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gnomon.engines.abstraction.attractors import Attraction, GameSide
from gnomon.engines.abstraction.cell_conduct import CellConduct, conduct_of, nothing_done
from gnomon.engines.abstraction.cell_space import CellSpace
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
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.engines.abstraction.view_cells import acting_otherwise
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
    """Where all constraints are met for ever: how a player stays there, and how it comes to each."""

    staying: CellLabel
    rounds: tuple[CellLabel, ...]

    @property
    def cells(self) -> Diagram:
        """The cells."""
        return self.staying.cells


class BoundedForm(NamedTuple):
    """A quantity that falls, and a bound below which it does not."""

    terms: tuple[tuple[int, str, str], ...]
    bound: int


def next_label(
    algebra: CellAlgebra, player: GameSide, target: Diagram, moving: Diagram | None = None
) -> CellLabel:
    """Return where a player gets into the target in one step; perhaps it moves from some cells only."""
    cells = algebra.preimage(player, target)
    if moving is not None:
        cells = algebra.space.diagrams.both(cells, moving)
    conduct = conduct_of(algebra.space, player, [(cells, algebra.space.after(target))])
    return CellLabel(cells, (cells,), conduct)


def stays_label(algebra: CellAlgebra, player: GameSide, exits: Diagram, held: Diagram) -> CellLabel:
    """Return where a player keeps to some cells for ever, or until there is an exit."""
    d = algebra.space.diagrams
    cells = algebra.confine(player, exits, held)
    inside = d.minus(cells, exits)
    conduct = conduct_of(algebra.space, player, [(inside, algebra.space.after(cells))])
    return CellLabel(cells, (inside,), conduct)


def arrives_label(
    algebra: CellAlgebra, player: GameSide, within: Diagram, target: Diagram
) -> CellLabel | None:
    """Return where a player gets through some cells to a target; None where no argument is found."""
    attraction = algebra.attraction(player, within, target)
    inside = algebra.space.diagrams.minus(attraction.cells, target)
    conduct = conduct_of(algebra.space, player, _first_layers(algebra, attraction))
    stages = _played(algebra, player, inside, (), conduct)
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
    endless = eliminated(algebra, search).cells[0]
    outside = d.minus(d.minus(space.reachable, within), target)
    (lost,) = search.leading_to((d.either(endless, outside),))
    inside = d.minus(within, lost)
    stages = _ending(algebra, (inside,), ONE_NODE, justice)
    if stages is None:
        return None
    return CellLabel(d.either(inside, target), (inside,), nothing_done(space), stages)


def enforced_label(
    algebra: CellAlgebra, player: GameSide, attraction: Attraction, constraints: Sequence[Diagram]
) -> CellLabel | None:
    """Return where a coalition gets to a target on all outcomes that may meet all constraints."""
    inside = algebra.space.diagrams.minus(attraction.cells, attraction.layers[0].cells)
    conduct = conduct_of(algebra.space, player, _first_layers(algebra, attraction))
    justice = [(each,) for each in constraints]
    stages = _played(algebra, player, inside, justice, conduct)
    return None if stages is None else CellLabel(attraction.cells, (inside,), conduct, stages)


def lasting_label(
    algebra: CellAlgebra,
    player: GameSide,
    held: Diagram,
    exits: Diagram,
    constraints: Sequence[Diagram],
) -> LastingLabel | None:
    """Return where a player keeps to some cells and meets all constraints for ever, or comes to an exit."""
    d, space = algebra.space.diagrams, algebra.space
    cells, goals = _lasting_cells(algebra, player, held, exits, constraints)
    going = d.minus(cells, exits)
    moves = conduct_of(space, player, [(going, space.after(cells))])
    rounds = []
    for goal in goals if constraints else ():
        found = arrives_label(algebra, player, cells, goal)
        if found is None:
            return None
        rounds.append(found)
    return LastingLabel(CellLabel(cells, (going,), moves), tuple(rounds))


def _lasting_cells(
    algebra: CellAlgebra,
    player: GameSide,
    held: Diagram,
    exits: Diagram,
    constraints: Sequence[Diagram],
) -> tuple[Diagram, list[Diagram]]:
    """Return the cells of such a label, and for each constraint those that one comes to again and again."""
    d = algebra.space.diagrams
    cells = d.either(held, exits)
    while True:
        before, goals = cells, []
        for met in constraints or (algebra.space.reachable,):
            again = d.both(d.both(cells, met), algebra.preimage(player, cells))
            goals.append(d.either(exits, again))
            cells = d.both(cells, algebra.attraction(player, cells, goals[-1]).cells)
        if cells == before:
            return cells, goals


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
    bad = search.leading_to(eliminated(algebra, search).cells)
    inside = tuple(map(d.minus, nodes, bad))
    cells = d.minus(space.reachable, space.cells.disjunction(bad[node] for node in initial))
    stages = _ending(algebra, inside, following, justice)
    return None if stages is None else CellLabel(cells, inside, nothing_done(space), stages)


def eliminated(algebra: CellAlgebra, search: Elimination) -> Remaining:
    """Return what is left of a search, with rankings where the algebra has them."""
    if not algebra.ranked:
        return search.run()
    return search.run(algebra.rankings, partial(sum_ranking, algebra.space))


def _played(
    algebra: CellAlgebra,
    player: GameSide,
    inside: Diagram,
    justice: Sequence[CellsByNode],
    conduct: CellConduct,
) -> tuple[EliminationStage, ...] | None:
    """Return the argument that no play stays inside for ever where a player does what is said."""
    _, members = player
    space = algebra.space
    if space.event_choices is not None and members:  # what they choose leaves other events
        space = acting_otherwise(space, members, {})
    return _ending(algebra, (inside,), ONE_NODE, justice, conduct.moves, space)


def _ending(
    algebra: CellAlgebra,
    inside: CellsByNode,
    following: NodeSuccessors = ONE_NODE,
    justice: Sequence[CellsByNode] = (),
    moves: Diagram | None = None,
    space: CellSpace | None = None,
) -> tuple[EliminationStage, ...] | None:
    """Return the argument that nobody stays inside for ever; None where there is none."""
    search = Elimination(space or algebra.space, inside, following, justice, moves)
    left = eliminated(algebra, search)
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
