"""Taking turns: while diagrams are at work for long, states are listed now and then, in case there are few.

Neither way tells how long it will take: diagrams may outgrow everything where few states are reachable,
and states may be too many where diagrams are small. So the one that is at work is stopped now and then, the
other gets a part of the time that has passed, and if it gets to its end, it takes over.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NamedTuple

from gnomon.engines.algebra import Algebra
from gnomon.model.budget import LimitReached
from gnomon.text.errors import Abandoned


class ListingTurn(NamedTuple):
    """After so many seconds, states are listed for so many, up to a number of them."""

    after: float
    seconds: float
    states: int


TURNS: Final = (
    ListingTurn(1.0, 1.0, 30_000),
    ListingTurn(8.0, 3.0, 200_000),
    ListingTurn(60.0, 15.0, 1_000_000),
)
#: A turn that comes at a bad moment comes again after so many seconds.
_SOON: Final = 0.01
#: Where the work is that may be given up.
_WORKING: Final = ("gnomon.engines.", "gnomon.logic.", "gnomon.model.", "oxidd")


class Overtaken(Abandoned):
    """The states are listed: whoever is at work may stop."""

    def __init__(self, algebra: Algebra[Any]) -> None:
        """Bring the algebra of the listed states."""
        super().__init__("the states were listed first")
        self.algebra = algebra


class _ListingOver(Abandoned):
    """Listing has had its time."""


class TakingTurns:
    """Lists states now and then while something else is at work.

    It comes by a timer's signal, so that nobody has to look at a clock; Python runs it between two of its own
    instructions, never inside a native call. Where there is no such signal, nobody takes turns.

    An exception out of nowhere is safe only where nothing but the work is lost: in an engine and in the
    logic, not in an import, which would be left half done, nor where objects are finalised, which swallows
    it, nor in what restores a state. Elsewhere, the turn comes a little later.
    """

    def __init__(
        self, explore: Callable[[int, float], Algebra[Any]], turns: tuple[ListingTurn, ...] = TURNS
    ) -> None:
        """Explore states, up to so many and for so many seconds, when it is time for it."""
        self._explore = explore
        self._left = list(turns)
        self._passed = 0.0
        self._listing = False
        self._deaf = True

    @contextmanager
    def during(self) -> Iterator[None]:
        """Take turns with what happens inside; raises `Overtaken` there once the states are listed."""
        if not self._left or not _can_take_turns():
            yield
            return
        self._deaf = False
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._left[0].after - self._passed)
        try:
            try:
                yield
            finally:
                self._deaf = True  # if it rings before this line, what follows is done all the same
        finally:
            rest, _ = signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if self._left:
                self._passed = self._left[0].after - rest

    def _ring(self, number: int, frame: FrameType | None) -> None:
        del number
        if self._deaf:
            return  # setting the timer again would end the process, once nobody hears it
        if not _is_safe(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON)
            return
        if self._listing:
            raise _ListingOver
        if not self._left:
            return
        turn = self._left.pop(0)
        self._passed = turn.after
        found = self._listed(turn)
        if found is not None:
            self._left.clear()
            raise Overtaken(found)
        if self._left:
            signal.setitimer(signal.ITIMER_REAL, self._left[0].after - turn.after)

    def _listed(self, turn: ListingTurn) -> Algebra[Any] | None:
        self._listing = True
        try:
            # One state may have more moves than there is time for, and nobody looks at the clock there.
            signal.setitimer(signal.ITIMER_REAL, turn.seconds)
            try:
                return self._explore(turn.states, turn.seconds)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except (_ListingOver, LimitReached, MemoryError):
            return None
        finally:
            self._listing = False


def _is_safe(frame: FrameType | None) -> bool:
    """Return whether the work may be given up at this point."""
    if frame is None or not frame.f_globals.get("__name__", "").startswith(_WORKING):
        return False
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code.co_filename.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return True


def _can_take_turns() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) in {signal.SIG_DFL, signal.SIG_IGN}
    )
