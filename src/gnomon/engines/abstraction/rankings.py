"""Quantities that cannot fall for ever: where they surely fall, and where they surely do not grow."""

from collections.abc import Iterator
from typing import NamedTuple

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.linear import Form, form_of
from gnomon.engines.diagrams.interface import Diagram


class Ranking(NamedTuple):
    """A quantity that cannot become less for ever: where it surely becomes less, and surely not more.

    Both speak of cells, actions and choices.
    """

    form: Form
    sign: int
    less: Diagram
    not_more: Diagram

    def __str__(self) -> str:
        """Show the quantity."""
        return str(self.form) if self.sign > 0 else f"-({self.form})"


def find_rankings(space: CellSpace) -> Iterator[Ranking]:
    """Yield the quantities that cells know and that may serve as rankings, alone or together."""
    for form in space.partition.pieces:
        for sign in (1, -1):
            found = ranking_of(space, form, sign)
            if found.less != space.diagrams.false:
                yield found


def ranking_of(space: CellSpace, form: Form, sign: int) -> Ranking:
    """Return where a quantity surely falls, from where it is bounded, and where it surely does not grow."""
    less, not_more = space.moves.drifts(form, sign)
    return Ranking(form, sign, space.diagrams.both(less, bounded(space, form, sign)), not_more)


def bounded(space: CellSpace, form: Form, sign: int) -> Diagram:
    """Return the cells in which a quantity has a lower bound: as a whole, or each of its parts."""
    if form in space.partition.pieces:
        return _bounded_piece(space, form, sign)
    return space.cells.conjunction(
        _bounded_piece(space, form_of(read), sign * weight)
        for read, weight in form.terms
        if read in space.partition.coarse
    )


def _bounded_piece(space: CellSpace, form: Form, sign: int) -> Diagram:
    return space.cells.disjunction(
        space.cells.is_piece(form, number)
        for number, piece in enumerate(space.partition.pieces[form])
        if (piece.low if sign > 0 else piece.high) is not None
    )
