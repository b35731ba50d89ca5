"""Coalitions that act on what they see: objective and subjective uniform strategies.

First the bound that perfect information gives, then the engine's search below it.
"""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Final, Generic

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import (
    BROKEN,
    FIRST,
    OPEN,
    CoalitionGame,
    FormulaStatus,
    GameKind,
    SearchTooLong,
    StrategySearch,
    Win,
    Window,
)
from gnomon.logic import atl, window_values
from gnomon.logic.frame import Frame
from gnomon.logic.uniform_bound import UniformLowerBound, uniform_lower_bound, views_of

#: So many states are asked about one by one before anything else is tried, and so many met on the way.
FEW_STATES: Final = 1_000
MOST_VISITS: Final = 5_000
#: So many states may be met for the first that is asked about where others might tell as much.
FEW_VISITS: Final = 500
#: More views than this are not written down.
MOST_VIEWS: Final = 2_000


class UniformPlay(Generic[Set]):
    """A coalition in one game; what was learnt about some states serves when others are asked about.

    Subjective: a strategy must win from every state, too, that some member confuses with the one asked about.
    """

    def __init__(
        self,
        algebra: Algebra[Set],
        coalition: Collection[str],
        game: CoalitionGame[Set],
        *,
        subjective: bool,
    ) -> None:
        """Start without having asked."""
        self.game = game
        self._algebra = algebra
        self._coalition = coalition
        self._subjective = subjective
        self._search: StrategySearch[Set] = algebra.uniform_search(coalition, game)
        self._too_long = False

    @cached_property
    def possible(self) -> Set:
        """Return the states from which those who see everything win wherever the strategy has to."""
        return self._shrunk(self.game.bound)

    @cached_property
    def _bound(self) -> UniformLowerBound[Set] | None:
        return uniform_lower_bound(self._algebra, self._coalition, self.game)

    def _shrunk(self, states: Set) -> Set:
        """Leave out the states for which the strategy would have to win from others, too."""
        if self._subjective:
            others = self._algebra.difference(self.game.universe, states)
            for name in self._coalition:
                alike = self._algebra.indistinguishable((name,), others)
                states = self._algebra.difference(states, alike)
        return states

    def wins(self, wanted: Set) -> Iterator[Win[Set]]:
        """Yield uniform strategies that together win from every state of `wanted` where one can.

        First a short search; where that is not enough, what can be told by sets alone; then a search for as
        long as it takes.
        """
        algebra = self._algebra
        asked = algebra.intersection(wanted, self.possible)
        if algebra.is_empty(asked):
            return
        if not self._too_long and algebra.count(asked) <= FEW_STATES:
            try:
                yield from self._searched(asked, MOST_VISITS)
            except SearchTooLong:
                self._too_long = True
            else:
                return
        sure = self.surely(asked)
        if sure is not None:
            yield sure
            asked = algebra.difference(asked, sure.states)
        yield from self._searched(asked)

    def briefly(self, wanted: Set) -> list[Win[Set]] | None:
        """Return the same, or nothing where a very short search does not do."""
        try:
            return self._searched(self._algebra.intersection(wanted, self.possible), FEW_VISITS)
        except SearchTooLong:
            return None

    def _searched(self, asked: Set, most: int | None = None) -> list[Win[Set]]:
        """Return what the search finds; one that a limit breaks off in the middle is not gone on with."""
        try:
            return list(self._search.each(asked, subjective=self._subjective, most=most))
        except SearchTooLong:
            raise
        except BaseException:
            self._search = self._algebra.uniform_search(self._coalition, self.game)
            raise

    def surely(self, asked: Set) -> Win[Set] | None:
        """Return a strategy that is found by sets alone, and the states asked for where it wins."""
        algebra, found = self._algebra, self._bound
        if found is None:
            return None
        states = algebra.intersection(self._shrunk(found.states), asked)
        if algebra.is_empty(states):
            return None
        return Win(states, views_of(algebra, self._coalition, found.doing, MOST_VIEWS))


def game_of(
    frame: Frame[Set], coalition: Collection[str], kind: GameKind, left: Set, right: Set
) -> CoalitionGame[Set]:
    """Return a game with what may be come to without losing it, for the search."""
    match kind:
        case "next":
            return next_game(frame, coalition, right)
        case "until":
            return until_game(frame, coalition, left, right)
        case _:
            return weak_game(frame, coalition, left, right)


def next_game(frame: Frame[Set], coalition: Collection[str], body: Set) -> CoalitionGame[Set]:
    """⟨Γ⟩X body."""
    bound = atl.enforce_next(frame, coalition, body)
    return _game(frame, coalition, "next", (frame.algebra.empty, body), bound)


def until_game(
    frame: Frame[Set], coalition: Collection[str], left: Set, right: Set
) -> CoalitionGame[Set]:
    """⟨Γ⟩(left U right)."""
    if frame.constraints:
        bound = atl.enforce_until(frame, coalition, left, right)
        return _game(frame, coalition, "until", (left, right), bound)
    rings = atl.rings(frame, coalition, left, right)
    return _game(frame, coalition, "until", (left, right), rings[-1], rings)


def weak_game(
    frame: Frame[Set], coalition: Collection[str], held: Set, won: Set
) -> CoalitionGame[Set]:
    """⟨Γ⟩(won R held), which is G where nothing is won."""
    bound = atl.enforce_weak(frame, coalition, held, won)
    return _game(frame, coalition, "weak", (held, won), bound)


def window_game(
    frame: Frame[Set], coalition: Collection[str], window: Window[Set]
) -> CoalitionGame[Set]:
    """⟨Γ⟩ with bounds: what may be come to is what those win from who see everything, and the clock."""
    algebra = frame.algebra
    values = window_values.enforced(frame, coalition, window)
    escape = _escape(frame, coalition)
    safe: dict[FormulaStatus, Set] = {BROKEN: escape}
    for step, later in enumerate(values[1:]):
        safe[step] = algebra.union(later, escape)
    empty, universe, constraints = algebra.empty, frame.universe, frame.constraints
    return CoalitionGame(
        "window", empty, empty, values[0], universe, safe, constraints, window=window
    )


def _escape(frame: Frame[Set], coalition: Collection[str]) -> Set:
    """Return where nothing can be lost: a state does not count, or every outcome can be made unfair."""
    algebra = frame.algebra
    if frame.constraints:
        return algebra.difference(algebra.reachable, atl.fair_against(frame, coalition))
    return algebra.difference(algebra.reachable, frame.universe)


def _game(
    frame: Frame[Set],
    coalition: Collection[str],
    kind: GameKind,
    sides: tuple[Set, Set],
    bound: Set,
    rings: tuple[Set, ...] = (),
) -> CoalitionGame[Set]:
    """Add what fairness changes: where every outcome can be made unfair, nothing can be lost."""
    left, right = sides
    algebra = frame.algebra
    escape = _escape(frame, coalition)
    # An outcome that comes to a state outside `left` has broken the formula, unless it has won.
    kept = algebra.union(right, algebra.intersection(left, bound))
    opened = algebra.union(kept, algebra.difference(escape, left))
    safe = {FIRST: algebra.union(right, escape), OPEN: opened, BROKEN: escape}
    return CoalitionGame(kind, left, right, bound, frame.universe, safe, frame.constraints, rings)
