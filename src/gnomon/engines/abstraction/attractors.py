"""Attractors over cells, ranked: what is reached in the end, also where no number of steps is enough.

Where quantities are bounded below, none becomes more, and one becomes less again and again, that comes to an
end (a ranking abstraction after Kesten and Pnueli 2000). What a coalition brings about is then a Rabin game:
these fixpoints find most of what is won, and nothing else. For all paths at once, `elimination` does it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, NamedTuple, Protocol, TypeAlias

from gnomon.engines.abstraction.cell_space import Certainty
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.diagrams.interface import Diagram

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


def as_many_as_go_together(
    rankings: list[Ranking], kept: Callable[[list[Ranking]], bool]
) -> list[Ranking]:
    """Return what is found by taking one after the other where all that are taken can be kept.

    What is kept together is kept in part, too: so many are taken at once, and halves where that fails.
    """
    together: list[Ranking] = []
    waiting = [rankings] if rankings else []
    while waiting:
        some = waiting.pop()
        if kept([*together, *some]):
            together.extend(some)
        elif len(some) > 1:
            middle = len(some) // 2
            waiting += [some[middle:], some[:middle]]
    return together


class AttractorLayer(NamedTuple):
    """Cells, and the moves that lead on from there: over cells, actions, choices and next cells.

    `missed` is the constraint of fairness that is not met as long as they do not lead on.
    """

    cells: Diagram
    moves: Diagram
    missed: int | None = None


class Attraction(NamedTuple):
    """The cells of an attractor, layer by layer from the target on, and the rankings it rests on."""

    cells: Diagram
    layers: tuple[AttractorLayer, ...]
    rankings: tuple[Ranking, ...]


class GameSets(Protocol):
    """What is done with sets in a game: sets of cells, or those by the nodes of an automaton."""

    @property
    def true(self) -> Diagram:
        """Everything."""

    @property
    def false(self) -> Diagram:
        """Nothing."""

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the conjunction."""

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        """Return the disjunction."""

    def minus(self, left: Diagram, right: Diagram) -> Diagram:
        """Return `left` without `right`."""


class GameCombinations(Protocol):
    """What is done with many sets."""

    def conjunction(self, parts: Iterable[Diagram], /) -> Diagram:
        """Return what is in all sets."""

    def disjunction(self, parts: Iterable[Diagram], /) -> Diagram:
        """Return what is in some set."""


class GameSpace(Protocol):
    """What an attractor asks of a space."""

    @property
    def diagrams(self) -> GameSets:
        """The operations on sets."""

    @property
    def cells(self) -> GameCombinations:
        """Those on many sets."""

    @property
    def reachable_after(self) -> Diagram:
        """All that may come next."""

    def after(self, cells: Diagram) -> Diagram:
        """Return a set as one of what comes next."""

    def predecessors(
        self, mode: Certainty, coalition: Collection[str], forbidden: Diagram
    ) -> Diagram:
        """Return from where somebody surely keeps out of what is forbidden."""


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
        found = d.false
        if self._within == found:
            return found
        fine = self._fine(exits)
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

        def kept(some: list[Ranking]) -> bool:
            return self._can_keep(some, exits, others, found)

        together = as_many_as_go_together(falling, kept)
        if len(together) > 1:
            yield together
        yield from ([ranking] for ranking in falling if kept([ranking]))

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
