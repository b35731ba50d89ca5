"""Turns that end after a number of looks at the budget, and so always at the same place."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf, log
from unittest.mock import patch

from gnomon.checking import rounds
from gnomon.model.budget import Budget, Details, LimitReached, Turn, TurnOver, no_details


class Interruptions:
    """How often turns have ended, and what was being done."""

    def __init__(self) -> None:
        """Start without any."""
        self.phases: list[str] = []


@contextmanager
def turns_of(looks: int, limit: int | None = None) -> Iterator[Interruptions]:
    """Let first turns end after so many looks at the budget, and the next ones after more, as always.

    After `limit` looks while somebody has a turn, a limit is reached.
    """
    left = limit
    allowed: dict[int, int] = {}
    kept: list[Turn] = []  # so that none has the identity of another
    found = Interruptions()
    plain = Budget.check

    def turn(started: float, until: float, ends: float, most: float) -> Turn:
        made = Turn(started, inf, ends, most)
        seconds = until - time.process_time()
        if seconds < inf:
            kept.append(made)
            number = round(log(seconds / rounds.FIRST, rounds.GROWTH))
            allowed[id(made)] = (looks + 1) * rounds.GROWTH**number - 1
        return made

    def check(
        self: Budget, phase: str = "", amount: int = 0, details: Details = no_details
    ) -> None:
        nonlocal left
        if left is not None and self.turn is not None:
            left -= 1
            if left < 0:
                msg = "enough looks were taken"
                raise LimitReached(msg)
        key = id(self.turn)
        if key in allowed:
            allowed[key] -= 1
            if allowed[key] < 0:
                found.phases.append(phase)
                raise TurnOver
        plain(self, phase, amount, details)

    with patch.object(rounds, "Turn", turn), patch.object(Budget, "check", check):
        yield found
