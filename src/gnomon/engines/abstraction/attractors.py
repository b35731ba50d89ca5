"""Attractors over cells, ranked: what is reached in the end, also where no number of steps is enough.

Where quantities are bounded below, none becomes more, and one becomes less again and again, that comes to an
end (a ranking abstraction after Kesten and Pnueli 2000). What a coalition brings about is then a Rabin game:
these fixpoints find most of what is won, and nothing else. For all paths at once, `elimination` does it.
"""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple, Protocol, TypeAlias

from gnomon.engines.abstraction.cell_codes import CellCodes
from gnomon.engines.abstraction.cell_space import Certainty
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.diagrams.interface import Diagram, Diagrams

#: One after the other, sets of quantities are tried where there are few candidates.
_MOST_RANKINGS: Final = {1: 400, 2: 12}

#: Who takes a step: `surely` a coalition against all that others may do, `never` the others against all
#: that a coalition may do. The empty coalition: `surely` is every path, `never` some path.
GameSide: TypeAlias = tuple[Certainty, tuple[str, ...]]
EVERY_PATH: Final[GameSide] = ("surely", ())
SOME_PATH: Final[GameSide] = ("never", ())


def deepest(count: int) -> int:
    """Return how many sets of quantities are tried one after the other, if there are so many candidates."""
    if not count:
        return 0
    return max((depth for depth, most in _MOST_RANKINGS.items() if count <= most), default=0)


class GameSpace(Protocol):
    """What an attractor asks of the cells and moves of a game."""

    @property
    def diagrams(self) -> Diagrams:
        """What sets are made of."""

    @property
    def cells(self) -> CellCodes:
        """The codes of cells."""

    @property
    def reachable_after(self) -> Diagram:
        """All that counts, as next cells."""

    def after(self, cells: Diagram, /) -> Diagram:
        """Return a set of cells as one of next cells."""

    def predecessors(
        self, mode: Certainty, coalition: Collection[str], forbidden: Diagram, /
    ) -> Diagram:
        """Return the cells from which a player surely keeps out of what is forbidden."""


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

    def __init__(self, space: GameSpace, player: GameSide, within: Diagram) -> None:
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
        fine = self._fine(exits)
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
        while True:
            good = d.either(fine, d.both(others, self._space.after(found)))
            larger = d.either(found, d.both(self._within, self._before(good)))
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
        """Return more cells, where quantities go down until an exit is taken; None if there are none."""
        d = self._d
        known = len(self.layers)
        outs = [*exits, (others, found)]
        for together in self._candidates(outs, others, found, rankings):
            level = self._space.cells.conjunction([others, *(each.not_more for each in together)])
            less = self._space.cells.disjunction(each.less for each in together)
            descending = d.both(level, less)
            left = [other for other in rankings if other not in together]
            stay = self._within
            while True:
                del self.layers[known:]
                inner = self.lead_to([*outs, (descending, stay)], level, left, depth - 1)
                smaller = d.both(stay, d.either(inner, found))
                if smaller == stay:
                    break
                stay = smaller
            if d.minus(stay, found) != d.false:
                self.used.extend(together)
                return d.either(found, stay)
            del self.layers[known:]
        return None

    def _candidates(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
        rankings: list[Ranking],
    ) -> Iterator[list[Ranking]]:
        """Yield sets of quantities none of which has to grow: as many as go together, then each alone.

        With one set there is no need to try in which order quantities run out.
        """
        d = self._d
        falling = [q for q in rankings if d.both(d.both(others, q.less), self._within) != d.false]
        alone = [q for q in falling if self._can_keep([q], exits, others, found)]
        together: list[Ranking] = []
        for ranking in alone:
            if self._can_keep([*together, ranking], exits, others, found):
                together.append(ranking)
        if len(together) > 1:
            yield together
        yield from ([ranking] for ranking in alone)

    def _can_keep(
        self,
        rankings: list[Ranking],
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
    ) -> bool:
        """Return whether from somewhere the player can keep all of some quantities from growing for ever."""
        d = self._d
        level = self._space.cells.conjunction([others, *(each.not_more for each in rankings)])
        fine = self._fine(exits)
        stay = self._within
        while True:
            before = self._before(d.either(fine, d.both(level, self._space.after(stay))))
            smaller = d.both(stay, d.either(found, before))
            if smaller == stay:
                return bool(d.minus(stay, found) != d.false)
            stay = smaller

    def _fine(self, exits: list[tuple[Diagram, Diagram]]) -> Diagram:
        d = self._d
        return self._space.cells.disjunction(
            d.both(moves, self._space.after(target)) for moves, target in exits
        )

    def _before(self, good: Diagram) -> Diagram:
        """Return the cells from which the player surely makes a good move."""
        mode, members = self._player
        forbidden = self._d.minus(self._space.reachable_after, good)
        return self._space.predecessors(mode, members, forbidden)
