"""What path operators mean in terms of one step, and what their opposites are.

With bounds, every operator is a game against the clock: at each step it is won, or it goes on, or it is lost.
So `p U[2,3] q` goes on with `p` at steps 0 and 1, is won by `q` or goes on with `p` at step 2, and at step 3
only `q` is left to win by.
"""

from typing import Final, TypeAlias

from gnomon.model.formula import (
    And,
    Bounded,
    Constant,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Or,
    PathOperator,
    Release,
    Until,
    WeakUntil,
)

#: What wins at a step, and what lets it go on to the next.
WonOrKept: TypeAlias = tuple[Formula, Formula]

#: More steps than this are not counted.
MOST_STEPS: Final = 10_000

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


def at_step(bounded: Bounded, step: int) -> WonOrKept:
    """Return what wins at a step, and what lets the formula go on, so that it is won ∨ (kept ∧ X later).

    At the last step nothing goes on.
    """
    won, kept = _won_or_kept(bounded, early=step < bounded.low, last=step == bounded.high)
    return won, FALSE if step == bounded.high else kept


def _won_or_kept(bounded: Bounded, *, early: bool, last: bool) -> WonOrKept:
    match bounded.path:
        case Finally(goal):
            return FALSE if early else goal, TRUE
        case Until(left, goal):
            return FALSE if early else goal, left
        case Globally(body):
            return body if last else FALSE, TRUE if early else body
        case Release(left, right):
            if early:
                return left, TRUE
            return right if last else And((left, right)), right
        case WeakUntil(left, right):
            # It is `right R (left or right)`.
            either = Or((left, right))
            return either if last else right, TRUE if early else either


def dual(path: PathOperator) -> PathOperator:
    """Return the operator that holds on just those infinite paths on which this one fails."""
    match path:
        case Next(body):
            return Next(opposite(body))
        case Finally(body):
            return Globally(opposite(body))
        case Globally(body):
            return Finally(opposite(body))
        case Until(left, right):
            return Release(opposite(left), opposite(right))
        case Release(left, right):
            return Until(opposite(left), opposite(right))
        case WeakUntil(left, right):
            neither = And((opposite(left), opposite(right)))
            return Until(opposite(right), neither)
        case Bounded(inner, low, high):
            return Bounded(dual(inner), low, high)  # type: ignore[arg-type]


def opposite(formula: Formula) -> Formula:
    """Return the negation, without two in a row."""
    return formula.body if isinstance(formula, Not) else Not(formula)
