"""What a coalition does to win on all outcomes that are fair, cell by cell."""

from gnomon.engines.abstraction.attractors import Attraction, AttractorLayer
from gnomon.engines.abstraction.cell_play import CellPlay
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.concretise import diagram_of
from gnomon.engines.abstraction.fair_games import FairGames
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame
from gnomon.model.formula import Enforces


class FairPlay(CellPlay):
    """One coalition formula, where outcomes that are not fair do not count.

    Where the coalition can make all outcomes unfair it does, whatever has come about; elsewhere it goes for
    its goal, or for such a cell.
    """

    def __init__(
        self,
        algebra: CellAlgebra,
        formula: Enforces,
        game: CoalitionGame[ThreeValued],
        walks: CellWalks,
        games: FairGames,
    ) -> None:
        """Play a game, which is that of the formula, on fair outcomes."""
        super().__init__(algebra, formula, game, walks)
        self._games = games

    @property
    def attraction(self) -> Attraction | None:
        """How the coalition gets where it wants to, if it wants to get somewhere."""
        if self._game.kind != "until":
            return None
        return self._games.arriving(self._game.left, self._game.right)

    def missed(self) -> list[int]:
        """Return the constraints that the strategy which was found may leave unmet from some point on."""
        cells = dict.fromkeys(cell for _, cell, _ in self.rows)
        layers = (self._layer(diagram_of(self._space, cell)) for cell in cells)
        return sorted({each.missed for each in layers if each and each.missed is not None})

    def _to_avoid(self, here: Diagram) -> Diagram | None:
        d, space, game = self._d, self._space, self._game
        if self._makes_unfair(here) or self.attraction is not None:
            layer = self._layer(here)
            return None if layer is None else d.opposite(layer.moves)
        wanted = self._games.staying(game.left, game.right)
        if game.kind == "next":
            wanted = d.either(game.right.true, self._games.against.false)
        return space.after(d.minus(space.reachable, wanted))

    def _layer(self, here: Diagram) -> AttractorLayer | None:
        found = self._games.unfairly if self._makes_unfair(here) else self.attraction
        return None if found is None else self._first_layer(found, here)

    def _goes_on(self) -> bool:
        return True  # outcomes that are to be unfair are so in the long run only

    def _is_over(self, here: Diagram) -> bool:
        d = self._d
        if d.both(here, self._games.fair.false) != d.false:
            return True
        if self._game.kind == "next":
            begins = d.both(here, self._starts) != d.false
            return not begins and not self._makes_unfair(here)
        # Where outcomes are to be unfair they may have lost already.
        return d.both(here, self._game.right.true) != d.false and not self._makes_unfair(here)

    def _makes_unfair(self, here: Diagram) -> bool:
        return bool(self._d.both(here, self._games.unfairly.cells) != self._d.false)
