"""Cells all of whose states are reachable, by induction: each has a predecessor that is one step nearer.

It is the ranked attractor of what is surely reached, along moves backwards. Who goes back from state to
state, and cannot do so for ever since some quantity would run out, comes to where it all began.
"""

from collections.abc import Collection, Iterator

from gnomon.engines.abstraction.attractors import EVERY_PATH, Attractor, AttractorLayer, deepest
from gnomon.engines.abstraction.backward_moves import BackwardMoves
from gnomon.engines.abstraction.cell_codes import CellCodes
from gnomon.engines.abstraction.cell_space import CellSpace, Certainty
from gnomon.engines.abstraction.rankings import Ranking, bounded
from gnomon.engines.diagrams.interface import Diagram, Diagrams


class BackwardSpace:
    """A space in which time runs backwards, as far as attractors ask for it."""

    def __init__(self, space: CellSpace) -> None:
        """Turn round a space in which nothing is hidden."""
        #: The space in which time runs forwards.
        self.space = space
        #: The moves, looked at from their results.
        self.moves = BackwardMoves(space)

    @property
    def diagrams(self) -> Diagrams:
        """What sets are made of."""
        return self.space.diagrams

    @property
    def cells(self) -> CellCodes:
        """The codes of cells."""
        return self.space.cells

    @property
    def reachable_after(self) -> Diagram:
        """All cells: what is not good is forbidden."""
        return self.diagrams.true

    def after(self, cells: Diagram) -> Diagram:
        """Return a set of cells as one of states before."""
        return self.moves.turned(cells)

    def predecessors(
        self, _mode: Certainty, _coalition: Collection[str], forbidden: Diagram
    ) -> Diagram:
        """Return the cells all of whose states have a predecessor outside of what is forbidden."""
        return self.moves.predecessors(forbidden)

    def may_lead(self, moves: Diagram) -> Diagram:
        """Return the cells that may have one of some moves back."""
        return self.moves.may_lead(moves)

    def moves_into(self, moves: Diagram, target: Diagram) -> Diagram:
        """Return those of some moves that may lead back into a set, without cells before."""
        d = self.diagrams
        return d.both_exists(moves, self.after(target), d.cube(self.space.layout.next))

    def rankings(self) -> Iterator[Ranking]:
        """Yield quantities that fall by going back."""
        d = self.diagrams
        for form in self.space.partition.pieces:
            for sign in (1, -1):
                # What grows by a move falls by going back, from a result where it has a bound.
                grows, not_less = map(self.moves.turned, self.moves.drifts(form, -sign))
                falls = d.both(grows, bounded(self.space, form, sign))
                if falls != d.false:
                    yield Ranking(form, sign, falls, not_less)


def wholly_reached(space: CellSpace, start: Diagram) -> Diagram:
    """Return the cells all of whose states are reachable, if all those of some cells are."""
    if space.partition.hidden or start == space.diagrams.false:
        return start
    layers = layers_back(BackwardSpace(space), start)
    return space.cells.disjunction((start, *(layer.cells for layer in layers)))


def layers_back(backward: BackwardSpace, start: Diagram) -> list[AttractorLayer]:
    """Return cells from which one comes to some cells by going back, nearest first, and the moves back."""
    d = backward.diagrams
    within = d.minus(backward.space.reachable, start)
    rankings = list(backward.rankings())
    attractor = Attractor(backward, EVERY_PATH, within)
    attractor.lead_to([(d.true, start)], d.true, rankings, deepest(len(rankings)))
    return attractor.layers
