"""Coalitions that act on what they see: objective and subjective uniform strategies.

First the bound that perfect information gives, then the engine's search below it.
"""

from collections.abc import Collection, Iterator
from typing import Final

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import (
    BROKEN,
    FIRST,
    OPEN,
    CoalitionGame,
    FormulaStatus,
    GameKind,
    SearchTooLong,
    Win,
    Window,
)
from gnomon.logic import atl, window_values
from gnomon.logic.frame import Frame
from gnomon.logic.uniform_bound import uniform_lower_bound, views_of

#: So many states are asked about one by one before anything else is tried, and so many met on the way.
FEW_STATES: Final = 1_000
MOST_VISITS: Final = 5_000
#: More views than this are not written down.
MOST_VIEWS: Final = 2_000


def wins(
    algebra: Algebra[Set],
    coalition: Collection[str],
    game: CoalitionGame[Set],
    wanted: Set,
    *,
    subjective: bool,
) -> Iterator[Win[Set]]:
    """Yield uniform strategies that together win from every state of `wanted` where one can.

    Subjective: the strategy must win from every state that some member confuses with it, too. First a short
    search; where that is not enough, what can be told by sets alone; then a search for as long as it takes.
    """
    asked = algebra.intersection(wanted, game.bound)
    if algebra.is_empty(asked):
        return
    search = algebra.uniform_search(coalition, game)
    if algebra.count(asked) <= FEW_STATES:
        try:
            yield from list(search.each(asked, subjective=subjective, most=MOST_VISITS))
        except SearchTooLong:
            pass
        else:
            return
    sure = _surely(algebra, coalition, game, asked, subjective=subjective)
    if sure is not None:
        yield sure
        asked = algebra.difference(asked, sure.states)
    yield from search.each(asked, subjective=subjective)


def _surely(
    algebra: Algebra[Set],
    coalition: Collection[str],
    game: CoalitionGame[Set],
    asked: Set,
    *,
    subjective: bool,
) -> Win[Set] | None:
    """Return a strategy that is found by sets alone, and the states asked for where it wins."""
    found = uniform_lower_bound(algebra, coalition, game)
    if found is None:
        return None
    states = found.states
    if subjective:
        others = algebra.difference(game.universe, states)
        for name in coalition:
            alike = algebra.indistinguishable((name,), others)
            states = algebra.difference(states, alike)
    states = algebra.intersection(states, asked)
    if algebra.is_empty(states):
        return None
    return Win(states, views_of(algebra, coalition, found.doing, MOST_VIEWS))


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
