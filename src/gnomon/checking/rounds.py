"""Turns for all that is to be done about a model: what takes a moment is done before what takes for ever.

Nobody knows beforehand how long a formula takes. So each gets a little time, one after the other; what is not
done by then is interrupted and begins again in the next round, with several times as much. What engines
remember is kept, and what is lost is less than what the last turn takes, whatever that is. Whoever is alone
gets all the time there is.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Final, Generic, TypeVar

from gnomon.model.budget import Budget, TryAnother, Turn, TurnOver

#: The seconds of a first turn, by the clock of the processor, and how many times as much the next one has.
FIRST: Final = 0.5
GROWTH: Final = 4


@dataclass(eq=False)
class Work:
    """Something to be done, with what to call it, and the seconds that its turns have taken up to now."""

    called: str
    spent: float = 0.0


Kind = TypeVar("Kind", bound=Work)


class Rounds(Generic[Kind]):
    """Has things done by turns; nothing may take more than so many seconds of them."""

    def __init__(self, budget: Budget, most: float | None) -> None:
        """Interrupt whoever looks at this budget."""
        self._budget = budget
        self._most = most

    def run(self, left: list[Kind], do: Callable[[Kind], Iterable[Kind]]) -> None:
        """Do all that is left, and what that leads to; what is done is taken out of the list.

        Raises `TryAnother` where somebody has to be helped in another way. If the way there was long, the
        others have their turn before; nobody has another one.
        """
        started = time.process_time()
        seconds = FIRST
        wanting: TryAnother | None = None
        while left:
            for work in list(left):
                try:
                    more = self._do(work, do, seconds if len(left) > 1 else inf)
                except TurnOver:
                    continue
                except TryAnother as end:
                    wanting = wanting or end
                    wanting.__traceback__ = None  # its frames hold all that was built
                    if time.process_time() - started < FIRST:
                        raise
                    continue
                left.remove(work)
                left.extend(more)
            if wanting is not None:
                raise wanting
            seconds *= GROWTH

    def _do(
        self, work: Kind, do: Callable[[Kind], Iterable[Kind]], seconds: float
    ) -> Iterable[Kind]:
        most = inf if self._most is None else self._most
        started = time.monotonic() - work.spent
        budget = self._budget
        budget.task = work.called
        budget.turn = turn = Turn(started, time.process_time() + seconds, started + most, most)
        try:
            return do(work)
        finally:
            budget.turn = None
            work.spent = turn.spent()
