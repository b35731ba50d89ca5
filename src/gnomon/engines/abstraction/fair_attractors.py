"""Attractors where what is not fair does not count: a target is reached, or some constraint is missed.

Beside the quantities that run out, sets of cells are the reason that a play need not be gone on with: a play
that visits a set only finitely often is not fair. Together that is still a Rabin game.
"""

from collections.abc import Iterable

from gnomon.engines.abstraction.attractors import (
    Attractor,
    AttractorLayer,
    GameSide,
    GameSpace,
)
from gnomon.engines.abstraction.rankings import Ranking
from gnomon.engines.diagrams.interface import Diagram


class FairAttractor(Attractor):
    """Computes what a player reaches on all plays that are fair.

    It may also see to it that a play stays outside one of the constraints from some point on.
    """

    def __init__(
        self, space: GameSpace, player: GameSide, within: Diagram, missing: Iterable[Diagram]
    ) -> None:
        """Look inside a set of cells; `missing` are the cells that surely miss a constraint, for each."""
        super().__init__(space, player, within)
        inside = ((number, self._d.both(within, each)) for number, each in enumerate(missing))
        self._missing = [(number, each) for number, each in inside if each != self._d.false]

    def lead_to(
        self,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        rankings: list[Ranking],
        depth: int,
    ) -> Diagram:
        """Return the cells from which, by the other moves, an exit is taken or the play is not fair."""
        outs = exits
        while True:
            found = super().lead_to(outs, others, rankings, depth)
            larger = found
            for number, outside in self._missing:
                kept, moves = self._kept(outside, outs, others, found)
                if self._d.minus(kept, larger) != self._d.false:
                    new = self._d.minus(kept, larger)
                    self.layers.append(AttractorLayer(new, moves, number))
                    larger = self._d.either(larger, kept)
            if larger == found:
                return found
            outs = [*exits, (others, larger)]

    def _kept(
        self,
        outside: Diagram,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
    ) -> tuple[Diagram, Diagram]:
        """Return where the player can stay outside a constraint for ever, or until an exit is taken.

        And the moves by which it does.
        """
        d = self._d
        fine = self._fine([*exits, (others, found)])
        stay = outside
        while True:
            moves = d.either(fine, d.both(others, self._space.after(stay)))
            smaller = d.both(stay, self._before(moves))
            if smaller == stay:
                return stay, moves
            stay = smaller
