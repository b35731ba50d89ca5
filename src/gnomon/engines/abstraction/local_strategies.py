"""Strategies of agents that act on what they see: one action for each of their local cells.

A strategy that sees everything is looked for first. Where it wants an agent to do different things in cells
that look alike to it, the agent is bound to each of its actions there in turn, and the search goes on.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from gnomon.engines.abstraction.attractors import AttractorLayer, GameSide
from gnomon.engines.abstraction.concretise import Cell, diagram_of, local_part, pick_cell
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame, Win
from gnomon.text.errors import Abandoned

#: So many ways of binding agents are tried before the question is left open.
_MOST_TRIED: Final = 200
_MOST_CELLS: Final = 2_000
#: So many cells are asked about one by one.
_MOST_STARTS: Final = 50

#: A member and what it sees of a cell.
LocalCell: TypeAlias = tuple[str, Cell]


@dataclass(frozen=True)
class LocalStrategy(Win[ThreeValued]):
    """What members do by what they see, and the cells that it wins from."""

    actions: Mapping[LocalCell, str] = field(default_factory=dict)


def uniform_wins(
    algebra: CellAlgebra,
    coalition: Collection[str],
    game: CoalitionGame[ThreeValued],
    within: ThreeValued,
) -> Iterator[Win[ThreeValued]]:
    """Yield strategies by local cells that win, after all that can be won at most.

    Whoever cannot win seeing everything cannot win seeing less.
    """
    d = algebra.space.diagrams
    yield Win(ThreeValued(d.false, game.bound.false), None)
    won = d.false
    asked = d.both(d.both(game.bound.true, within.true), algebra.space.reachable)
    for start in _starts(algebra, asked):
        if d.minus(start, won) == d.false:
            continue
        actions = _find_strategy(algebra, tuple(coalition), game, start)
        if actions is not None:
            won = d.either(won, start)
            yield LocalStrategy(ThreeValued(start, game.bound.false), None, actions)


def _starts(algebra: CellAlgebra, asked: Diagram) -> Iterator[Diagram]:
    """Yield sets of cells to win from: all at once, the initial ones, then, if they are few, each."""
    space, d = algebra.space, algebra.space.diagrams
    if asked == d.false:
        return
    yield asked
    first = d.both(asked, space.initial.may)
    if first != d.false:
        yield first
    left = asked
    for _ in range(_MOST_STARTS):
        if left == d.false:
            break
        one = diagram_of(space, pick_cell(space, left))
        left = d.minus(left, one)
        yield one


class _Conflict(Abandoned):
    """One member would have to do different things in cells that look alike to it."""

    def __init__(self, sight: LocalCell) -> None:
        super().__init__()
        self.sight = sight


class _GivenUp(Abandoned):
    """It takes too long."""


def _find_strategy(
    algebra: CellAlgebra, members: tuple[str, ...], game: CoalitionGame[ThreeValued], start: Diagram
) -> dict[LocalCell, str] | None:
    """Return a strategy by local cells that wins from all cells of a set; None where none was found."""
    try:
        return _LocalStrategySearch(algebra, members, game, start).run({})
    except _GivenUp:
        return None
    finally:
        algebra.space.bound_to = {}


class _LocalStrategySearch:
    def __init__(
        self,
        algebra: CellAlgebra,
        members: tuple[str, ...],
        game: CoalitionGame[ThreeValued],
        start: Diagram,
    ) -> None:
        self._algebra = algebra
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._members = members
        self._player: GameSide = ("surely", members)
        self._game = game
        self._start = start
        self._tried = 0
        self._bound: dict[LocalCell, str] = {}
        self._layers: tuple[AttractorLayer, ...] = ()

    def run(self, bound: dict[LocalCell, str]) -> dict[LocalCell, str] | None:
        """Return a strategy that does what agents are bound to, and decides the rest."""
        self._tried += 1
        if self._tried > _MOST_TRIED:
            raise _GivenUp
        self._bound = bound
        self._bind(bound)
        region = self._region()
        if self._d.minus(self._start, region) != self._d.false:
            return None
        try:
            return self._play(region, bound)
        except _Conflict as conflict:
            sight = conflict.sight
        for action in self._space.system.agent(sight[0]).actions:
            found = self.run({**bound, sight: action})
            if found is not None:
                return found
        return None

    def _region(self) -> Diagram:
        """Return the cells that the members win from, as they are bound now."""
        game = self._game
        match game.kind:
            case "next":
                return self._algebra.preimage(self._player, game.right.true)
            case "until":
                found = self._algebra.attraction(self._player, game.left.true, game.right.true)
                self._layers = found.layers
                return found.cells
            case "weak":
                return self._algebra.confine(self._player, game.right.true, game.left.true)
            case "window":
                raise _GivenUp

    def _bind(self, bound: dict[LocalCell, str]) -> None:
        d, space = self._d, self._space
        limits: dict[str, Diagram] = {}
        for (name, seen), action in bound.items():
            elsewhere = d.opposite(diagram_of(space, seen))
            allowed = d.either(elsewhere, space.cells.does(name, action))
            limits[name] = d.both(limits.get(name, d.true), allowed)
        space.bound_to = limits

    def _play(self, region: Diagram, bound: dict[LocalCell, str]) -> dict[LocalCell, str]:
        """Follow all outcomes, and return what was done in which view."""
        d, space = self._d, self._space
        done: dict[LocalCell, str] = dict(bound)
        waiting, seen = self._start, d.false
        for _ in range(_MOST_CELLS):
            waiting = d.minus(d.minus(waiting, seen), self._over())
            if waiting == d.false:
                return done
            cell = pick_cell(space, waiting)
            here = diagram_of(space, cell)
            seen = d.either(seen, here)
            actions = self._choose(here, region, cell, done)
            if self._game.kind != "next":
                waiting = d.either(waiting, space.successors(here, actions))
        raise _GivenUp

    def _choose(
        self, here: Diagram, region: Diagram, cell: Cell, done: dict[LocalCell, str]
    ) -> dict[str, str]:
        """Return what the members do in a cell: if possible what they did where it looked the same."""
        space, members = self._space, self._members
        sights = {name: (name, local_part(space, cell, (name,))) for name in members}
        forbidden = self._forbidden(here, region)
        known = {sight: done[sight] for sight in sights.values() if sight in done}
        self._bind({**self._bound, **known})
        actions = space.forced(here, members, forbidden)
        self._bind(self._bound)
        if actions is None:
            clash = next((sight for sight in known if sight not in self._bound), None)
            if clash is None:
                raise _GivenUp
            raise _Conflict(clash)
        for name, action in actions.items():
            done[sights[name]] = action
        return actions

    def _forbidden(self, here: Diagram, region: Diagram) -> Diagram:
        d, space = self._d, self._space
        match self._game.kind:
            case "next":
                return space.after(d.minus(space.reachable, self._game.right.true))
            case "weak":
                return space.after(d.minus(space.reachable, region))
            case "until":
                for layer in self._layers:
                    if d.both(here, layer.cells) != d.false:
                        return d.minus(space.reachable_after, layer.moves)
                raise _GivenUp
            case "window":
                raise _GivenUp

    def _over(self) -> Diagram:
        done = self._game.kind in ("until", "weak")
        return self._game.right.true if done else self._d.false
