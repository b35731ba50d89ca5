"""Operators with bounds: where they hold with so many steps to go, back from the last step."""

from collections.abc import Callable, Collection

from gnomon.engines.algebra import Set, Sets
from gnomon.engines.game import Window
from gnomon.logic import atl, ctl
from gnomon.logic.frame import Frame


def values(sets: Sets[Set], window: Window[Set], before: Callable[[Set], Set]) -> tuple[Set, ...]:
    """Return V, step by step, with V(t) = won(t) ∪ (kept(t) ∩ before(V(t+1))).

    At the last step it is won or lost. Where one step changes nothing, no earlier one of the same part of the
    window does.
    """
    found = [window.last[0]]
    for step in reversed(range(window.high)):
        pair = window.at(step)
        same = step + 2 <= window.high and pair is window.at(step + 1)
        if same and _equal(sets, found[-1], found[-2]):
            found.append(found[-1])
            continue
        won, kept = pair
        found.append(sets.union(won, sets.intersection(kept, before(found[-1]))))
    return tuple(reversed(found))


def _equal(sets: Sets[Set], left: Set, right: Set) -> bool:
    return left is right or (sets.is_subset(left, right) and sets.is_subset(right, left))


def opposite(frame: Frame[Set], window: Window[Set]) -> Window[Set]:
    """Return the window of the opposite: won where it is lost, and going on where it is not won."""

    def change(won: Set, kept: Set) -> tuple[Set, Set]:
        open_ = frame.opposite(won)
        return frame.algebra.difference(open_, kept), open_

    return window.changed(change)


def some_path(frame: Frame[Set], window: Window[Set]) -> tuple[Set, ...]:
    """Return where some path that counts satisfies it, at each step."""
    algebra = frame.algebra
    counting = window.changed(lambda won, kept: (algebra.intersection(won, frame.tail), kept))
    return values(algebra, counting, lambda later: ctl.exists_next(frame, later))


def every_path(frame: Frame[Set], window: Window[Set]) -> tuple[Set, ...]:
    """Return where no path that counts breaks it, at each step."""
    return tuple(map(frame.opposite, some_path(frame, opposite(frame, window))))


def enforced(frame: Frame[Set], coalition: Collection[str], window: Window[Set]) -> tuple[Set, ...]:
    """Return where a coalition that sees everything, the clock included, wins at each step.

    With fairness, where its opponents cannot break it and be fair from then on.
    """
    algebra = frame.algebra
    if not frame.constraints:
        return values(
            algebra,
            window,
            lambda later: algebra.controllable(coalition, later, frame.universe),
        )
    fair = atl.fair_against(frame, coalition)
    broken = opposite(frame, window).changed(
        lambda lost, kept: (algebra.intersection(lost, fair), kept)
    )
    defeats = values(
        algebra,
        broken,
        lambda later: algebra.unavoidable(coalition, later, frame.universe),
    )
    return tuple(map(frame.opposite, defeats))
