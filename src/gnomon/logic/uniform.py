"""Coalitions that act on what they see: objective and subjective uniform strategies.

First the bound that perfect information gives, then the engine's search below it.
"""

from collections.abc import Collection
from typing import Literal

from gnomon.engines.algebra import Set
from gnomon.engines.game import Game
from gnomon.logic import atl
from gnomon.logic.frame import Frame


def next_game(frame: Frame[Set], coalition: Collection[str], body: Set) -> Game[Set]:
    """⟨Γ⟩X body."""
    bound = atl.enforce_next(frame, coalition, body)
    return _game(frame, coalition, "next", frame.algebra.empty, body, bound)


def until_game(frame: Frame[Set], coalition: Collection[str], left: Set, right: Set) -> Game[Set]:
    """⟨Γ⟩(left U right)."""
    bound = atl.enforce_until(frame, coalition, left, right)
    return _game(frame, coalition, "until", left, right, bound)


def globally_game(frame: Frame[Set], coalition: Collection[str], body: Set) -> Game[Set]:
    """⟨Γ⟩G body."""
    bound = atl.enforce_globally(frame, coalition, body)
    return _game(frame, coalition, "globally", body, frame.algebra.empty, bound)


def _game(
    frame: Frame[Set],
    coalition: Collection[str],
    kind: Literal["next", "until", "globally"],
    left: Set,
    right: Set,
    bound: Set,
) -> Game[Set]:
    """Add what fairness changes: where every outcome can be made unfair, nothing can be lost."""
    escape = frame.algebra.empty
    if frame.constraints:
        escape = frame.opposite(atl.fair_against(frame, coalition))
    return Game(kind, left, right, bound, escape, frame.universe, frame.constraints)
