"""Keeps a test from waiting for ever: what takes too long fails."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TookTooLongError(BaseException):
    """Nothing may catch this but the test."""


@contextmanager
def time_limit(seconds: float, what: str = "this") -> Iterator[None]:
    """Fail unless the body ends in time. Where there are no alarms (Windows), just run it."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except TookTooLongError:
        message = f"took more than {seconds} s: {what[:2000]}"
        raise AssertionError(message) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
