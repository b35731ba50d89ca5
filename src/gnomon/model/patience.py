"""How long a solver may think about one question: never longer than what is left of the whole."""

from gnomon.model.budget import Budget


def patience(most: int, budget: Budget) -> int:
    """Return the milliseconds for one question: so many at most.

    Raises `LimitReached` where none are left.
    """
    budget.check("asking a solver")
    if budget.seconds is None:
        return most
    return max(1, min(most, round(1000 * (budget.seconds - budget.spent()))))
