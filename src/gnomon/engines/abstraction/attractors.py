"""Attractors over cells, ranked: what is reached in the end, also where no number of steps is enough.

Where a quantity is bounded below, never becomes more, and becomes less again and again, that comes to an end
(a ranking abstraction after Kesten and Pnueli 2000).
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from gnomon.engines.abstraction.cell_space import CellSpace, Certainty
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.diagrams.interface import Diagram

#: All candidates are tried, and with two quantities all pairs.
_MOST_RANKINGS: Final = {1: 400, 2: 12}

#: Who takes a step: `surely` a coalition against all that others may do, `never` the others against all
#: that a coalition may do. The empty coalition: `surely` is every path, `never` some path.
GameSide: TypeAlias = tuple[Certainty, tuple[str, ...]]
EVERY_PATH: Final[GameSide] = ("surely", ())
SOME_PATH: Final[GameSide] = ("never", ())


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
    """Yield the quantities that may serve as rankings, alone or together."""
    d = space.diagrams
    for form, pieces in space.partition.pieces.items():
        for sign in (1, -1):
            bounded = space.cells.disjunction(
                space.cells.is_piece(form, number)
                for number, piece in enumerate(pieces)
                if (piece.low if sign > 0 else piece.high) is not None
            )
            less, not_more = space.moves.drifts(form, sign)
            less = d.both(less, bounded)
            if less != d.false:
                yield Ranking(form, sign, less, not_more)


def deepest(count: int) -> int:
    """Return of how many quantities rankings are tried, if there are so many candidates."""
    return max((depth for depth, most in _MOST_RANKINGS.items() if count <= most), default=0)


class AttractorLayer(NamedTuple):
    """Cells, and the moves that lead on from there: over cells, actions, choices and next cells."""

    cells: Diagram
    moves: Diagram


class Attraction(NamedTuple):
    """The cells of an attractor, layer by layer from the target on, and the rankings it rests on."""

    cells: Diagram
    layers: tuple[AttractorLayer, ...]
    rankings: tuple[Ranking, ...]


class Attractor:
    """Computes one attractor.

    `lead_to` is told exits, each a set of moves and the cells they may lead to then, and the moves that may
    be followed otherwise.
    """

    def __init__(self, space: CellSpace, player: GameSide, within: Diagram) -> None:
        """Look inside a set of cells for a player's ways out of it."""
        self._space = space
        self._d = space.diagrams
        self._player = player
        self._within = within
        self.used: list[Ranking] = []
        self.layers: list[AttractorLayer] = []

    def lead_to(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        rankings: list[Ranking],
        depth: int,
    ) -> Diagram:
        """Return the cells from which, by the other moves, an exit is taken in the end."""
        d = self._d
        fine = self._space.cells.disjunction(
            d.both(moves, self._space.after(target)) for moves, target in exits
        )
        found = d.false
        while True:
            found = self._attract(fine, others, found)
            if depth == 0 or d.minus(self._within, found) == d.false:
                return found
            larger = self._by_ranking(exits, others, found, rankings, depth)
            if larger is None:
                return found
            found = larger

    def _attract(self, fine: Diagram, others: Diagram, found: Diagram) -> Diagram:
        d = self._d
        mode, members = self._player
        while True:
            good = d.either(fine, d.both(others, self._space.after(found)))
            before = self._space.predecessors(
                mode, members, d.minus(self._space.reachable_after, good)
            )
            larger = d.either(found, d.both(self._within, before))
            if larger == found:
                return found
            self.layers.append(AttractorLayer(d.minus(larger, found), good))
            found = larger

    def _by_ranking(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
        rankings: list[Ranking],
        depth: int,
    ) -> Diagram | None:
        """Return more cells, where a quantity goes down until an exit is taken; None if there are none."""
        d = self._d
        for ranking in rankings:
            descending = d.both(others, ranking.less)
            if descending == d.false:
                continue
            stay = self._within
            left = [other for other in rankings if other is not ranking]
            known = len(self.layers)
            while True:
                del self.layers[known:]
                more = [*exits, (others, found), (descending, stay)]
                inner = self.lead_to(more, d.both(others, ranking.not_more), left, depth - 1)
                smaller = d.both(stay, d.either(inner, found))
                if smaller == stay:
                    break
                stay = smaller
            if d.minus(stay, found) != d.false:
                self.used.append(ranking)
                return d.either(found, stay)
            del self.layers[known:]
        return None
