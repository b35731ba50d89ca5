"""Strategies of agents that act on what they see, followed cell by cell."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gnomon.engines.abstraction.attractors import AttractorLayer, GameSide
from gnomon.engines.abstraction.concretise import Cell, diagram_of, pick_cell
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.view_cells import LocalCell, LocalChoices, ViewCells
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame, Win
from gnomon.text.errors import Abandoned

#: The outcomes of a strategy are followed through so many cells.
_MOST_CELLS: Final = 2_000


@dataclass(frozen=True)
class LocalStrategy(Win[ThreeValued]):
    """What members do by what they see, and the cells that it wins from."""

    actions: Mapping[LocalCell, str] = field(default_factory=dict)


class SightConflict(Abandoned):
    """One member would have to do different things in cells that look alike to it."""

    def __init__(self, sight: LocalCell, action: str) -> None:
        """Tell the view, and what was done there first."""
        super().__init__()
        self.sight = sight
        self.action = action


class NotFollowed(Abandoned):
    """There are too many cells."""


class LocalPlay:
    """One way to play a game by what members are bound to do: where it wins, and what else they do."""

    def __init__(
        self,
        algebra: CellAlgebra,
        views: ViewCells,
        members: tuple[str, ...],
        game: CoalitionGame[ThreeValued],
        bound: LocalChoices,
    ) -> None:
        """Find out where it wins that members do what they are bound to, and elsewhere what they like."""
        self._algebra = algebra
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._views = views
        self._members = members
        self._game = game
        self._bound = bound
        self._layers: tuple[AttractorLayer, ...] = ()
        self._space.bound_to = views.binding(bound)
        try:
            self.region = self._region()
        finally:
            self._space.bound_to = {}

    def _region(self) -> Diagram:
        game = self._game
        player: GameSide = ("surely", self._members)
        match game.kind:
            case "next":
                return self._algebra.preimage(player, game.right.true)
            case "until":
                found = self._algebra.attraction(player, game.left.true, game.right.true)
                self._layers = found.layers
                return found.cells
            case "weak":
                return self._algebra.confine(player, game.right.true, game.left.true)
            case "window":
                return self._d.false  # it takes a clock

    def follow(self, start: Diagram) -> tuple[dict[LocalCell, str], Diagram]:
        """Follow all outcomes, and return what was done in which view, and the cells they come to."""
        d, space = self._d, self._space
        done: dict[LocalCell, str] = dict(self._bound)
        waiting, seen = start, d.false
        for _ in range(_MOST_CELLS):
            waiting = d.minus(d.minus(waiting, seen), self._over())
            if waiting == d.false:
                return done, seen
            cell = pick_cell(space, waiting)
            here = diagram_of(space, cell)
            seen = d.either(seen, here)
            actions = self._choose(here, cell, done)
            if self._game.kind != "next":
                waiting = d.either(waiting, space.successors(here, actions))
        raise NotFollowed(f"outcomes come to more than {_MOST_CELLS:,} cells")

    def _choose(self, here: Diagram, cell: Cell, done: dict[LocalCell, str]) -> dict[str, str]:
        """Return what the members do in a cell: if possible what they did where it looked the same."""
        space, sights = self._space, self._views.sights(cell)
        known = {sight: done[sight] for sight in sights.values() if sight in done}
        space.bound_to = self._views.binding(known)
        try:
            actions = space.forced(here, self._members, self._forbidden(here))
        finally:
            space.bound_to = {}
        if actions is None:
            clash = next((sight for sight in known if sight not in self._bound), None)
            if clash is None:
                raise NotFollowed
            raise SightConflict(clash, done[clash])
        for name, action in actions.items():
            done[sights[name]] = action
        return actions

    def _forbidden(self, here: Diagram) -> Diagram:
        d, space = self._d, self._space
        match self._game.kind:
            case "next":
                return space.after(d.minus(space.reachable, self._game.right.true))
            case "until":
                for layer in self._layers:
                    if d.both(here, layer.cells) != d.false:
                        return d.minus(space.reachable_after, layer.moves)
                raise NotFollowed
            case _:
                return space.after(d.minus(space.reachable, self.region))

    def _over(self) -> Diagram:
        done = self._game.kind in ("until", "weak")
        return self._game.right.true if done else self._d.false
