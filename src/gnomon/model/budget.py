"""Limits that a computation asks about as it goes, and the word about its progress."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, TypeAlias, TypeVar

from gnomon.text.errors import Abandoned, GnomonError

T = TypeVar("T")


class LimitReached(GnomonError):
    """A limit was hit; the message says which, in words for the user."""


class OutOfReach(LimitReached):
    """One formula needs more than is allowed for one; another may not."""


class TryAnother(LimitReached):
    """One way of doing it came to its end; there may be another one."""


class Unsuited(TryAnother):
    """One engine cannot take it at all, however it goes about it; there may be another one."""


class FormulaLimit(LimitReached):
    """One formula has had all the time that one may take; the others have not."""


class TurnOver(Abandoned):
    """It is somebody else's turn; what was interrupted is done again later, with more time.

    No limit was reached: whoever makes do with less at a limit must not do so here.
    """


#: What takes time to find out about where the work is; asked for only when it is shown.
Details: TypeAlias = Callable[[], str]
#: The task, the phase, how far the phase has come, and the details.
Report: TypeAlias = Callable[[str, str, int, Details], None]


def no_details() -> str:
    """Return nothing more to say."""
    return ""


@dataclass(slots=True)
class Turn:
    """A part of the time, for one formula.

    It is over at `until`, by the clock of the processor: how busy the machine is makes no difference to who
    gets how much. All that the formula may take is over at `ends`, by the clock on the wall.
    """

    started: float
    until: float
    ends: float
    most: float

    def spent(self) -> float:
        """Return the seconds that it has taken up to now, with those of the turns before."""
        return time.monotonic() - self.started

    def check(self) -> None:
        """Raise `FormulaLimit` where the formula has had all its time, `TurnOver` at the end of a turn."""
        if time.monotonic() > self.ends:
            msg = f"the time limit of {self.most:g} s for a formula was reached"
            raise FormulaLimit(msg)
        if self.until < inf and time.process_time() > self.until:
            raise TurnOver


#: The memory in use is looked at this often: asking for it takes longer than what is done in between.
_LOOK: Final = 0.005


@dataclass(slots=True)
class Budget:
    """The most time, memory and states that may be used; None for no limit.

    `report` is told what is being done: the task, the phase with a number, and, if it asks, the details.
    While somebody has a `turn`, that ends, too. What `within` allows is a limit as well.
    """

    seconds: float | None = None
    megabytes: float | None = None
    states: int | None = None
    report: Report | None = None
    started: float = field(default_factory=time.monotonic)
    task: str = ""
    turn: Turn | None = None
    within: "Budget | None" = None
    _looked: float = field(default=0.0, init=False, repr=False)

    def spent(self) -> float:
        """Return the seconds since the work began."""
        return time.monotonic() - self.started

    def share(self, part: float) -> "Budget":
        """Return the same limits with a part of the time that is left.

        The rest counts as spent, so that messages name the limit that was set.
        """
        left = max((self.seconds or 0.0) - self.spent(), 0.0)
        return replace(self, started=self.started - (1 - part) * left)

    def check(self, phase: str = "", amount: int = 0, details: Details = no_details) -> None:
        """Raise `LimitReached` where a limit has been passed, `TurnOver` at the end of a turn.

        Cheap: call it often.
        """
        if self.seconds is not None and self.spent() > self.seconds:
            msg = f"the time limit of {self.seconds:g} s was reached"
            raise LimitReached(msg)
        if self.megabytes is not None:
            self._check_memory(self.megabytes)
        if self.turn is not None:
            self.turn.check()
        if self.within is not None:
            self.within.check(phase, amount, details)
        if self.report is not None:
            self.report(self.task, phase, amount, details)

    def watching(self, items: Iterable[T], phase: str) -> Iterator[T]:
        """Yield the items as long as no limit has been passed."""
        for amount, item in enumerate(items):
            self.check(phase, amount)
            yield item

    def _check_memory(self, megabytes: float) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        if memory_in_use() > megabytes:
            msg = f"the memory limit of {megabytes:g} MB was reached"
            raise LimitReached(msg)
        self._looked = now

    def put_off(self, seconds: float) -> None:
        """Let so many seconds not count for whoever has a turn."""
        if self.turn is not None:
            self.turn.started += seconds
            self.turn.until += seconds
            self.turn.ends += seconds

    def check_states(self, amount: int) -> None:
        """Raise `TryAnother` where there are more states than allowed."""
        if self.states is not None and amount > self.states:
            msg = (
                f"more than {self.states:,} states: the explicit engine stops there "
                "(--max-states allows more)"
            )
            raise TryAnother(msg)


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def memory_in_use(pid: int | None = None) -> float:
    """Return the megabytes a process holds now, this one unless another is named.

    Where the system does not tell, it is the peak of this process, and 0 for another: that one looks itself.
    """
    try:
        with open(f"/proc/{pid or 'self'}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * _PAGE / 2**20
    except OSError:
        if pid is not None:
            return 0.0
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
