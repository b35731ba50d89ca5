"""Initial states one after the other, also where there are infinitely many."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from gnomon.model.budget import Budget
from gnomon.model.domain import size_of
from gnomon.model.expression import And, Compare, Expression, Literal, Read, walk
from gnomon.model.initial import InfinitelyMany, assignments_satisfying
from gnomon.model.step import NO_LIMIT, State, initial_states
from gnomon.model.system import System

#: Where there are infinitely many, those come first whose numbers are no larger than these.
_SMALL: Final = (0, 1, 2, 5, 10, 100)
#: So many of them are a good beginning of a picture.
FEW_STARTS: Final = 20


def some_initial_states(
    system: System, budget: Budget = NO_LIMIT, few: int | None = None
) -> Iterator[State]:
    """Yield initial states, each once: all of them, or those with small numbers before `InfinitelyMany`.

    Then at most `few`, if that is given.
    """
    found: dict[State, None] = {}
    try:
        for state in initial_states(system, budget):
            found[state] = None
            yield state
    except InfinitelyMany:
        for state in islice(_small(system, budget), few):
            if state not in found:
                found[state] = None
                yield state
        raise


def _small(system: System, budget: Budget) -> Iterator[State]:
    for most in sorted({*_SMALL, _largest(system.initial) + 1}):
        yield from _within(system, most, budget)


def _within(system: System, most: int, budget: Budget) -> Iterator[State]:
    """Yield the initial states in which no number without bounds is larger than this."""
    free = [
        Read(each.agent, each.name) for each in system.variables if size_of(each.domain) is None
    ]
    least = (Compare(">=", each, Literal(-most)) for each in free)
    largest = (Compare("<=", each, Literal(most)) for each in free)
    yield from assignments_satisfying(system, And((system.initial, *least, *largest)), budget)


def _largest(condition: Expression) -> int:
    """Return the largest number that a condition names."""
    values = (part.value for part in walk(condition) if isinstance(part, Literal))
    return max((abs(value) for value in values if isinstance(value, int)), default=0)
