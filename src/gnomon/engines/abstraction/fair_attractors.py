"""Attractors where what is not fair does not count: a target is reached, or some constraint is missed.

Beside the quantities that run out, sets of cells are the reason that a play need not be gone on with: a play
that visits a set only finitely often is not fair. Together that is still a Rabin game.
"""

from collections.abc import Iterable

from gnomon.engines.abstraction.attractors import Attractor, GameSide, GameSpace
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
        inside = (self._d.both(within, each) for each in missing)
        self._missing = [each for each in inside if each != self._d.false]

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
            larger = self._space.cells.disjunction(
                [found, *(self._kept(each, outs, others, found) for each in self._missing)]
            )
            if larger == found:
                return found
            outs = [*exits, (others, larger)]

    def _kept(
        self,
        outside: Diagram,
        exits: list[tuple[Diagram, Diagram]],
        others: Diagram,
        found: Diagram,
    ) -> Diagram:
        """Return where the player can stay outside a constraint for ever, or until an exit is taken."""
        d = self._d
        fine = self._fine([*exits, (others, found)])
        stay = outside
        while True:
            before = self._before(d.either(fine, d.both(others, self._space.after(stay))))
            smaller = d.both(stay, before)
            if smaller == stay:
                return stay
            stay = smaller
