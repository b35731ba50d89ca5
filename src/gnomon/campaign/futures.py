"""Futures of jobs: to cancel one ends its job, whatever that is doing."""

import contextlib
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

T = TypeVar("T")


class EndedWhenCancelled(Future[T]):
    """A future that can be cancelled at any time: it never counts as running."""

    def __init__(self, end: Callable[["EndedWhenCancelled[T]"], object]) -> None:
        """Call `end` when it is cancelled, to have its job ended."""
        super().__init__()
        self._end = end

    def cancel(self) -> bool:
        """End the job; return whether that was in time."""
        if self.cancelled():
            return True
        if not super().cancel():
            return False
        self._end(self)
        tell_waiting(self)
        return True


def settle(future: Future[T], answer: T | None = None, error: BaseException | None = None) -> None:
    """Say what a job has come to, unless it is not wanted any more."""
    with contextlib.suppress(InvalidStateError):  # it was cancelled in this very moment
        if error is not None:
            future.set_exception(error)
        elif answer is not None:
            future.set_result(answer)


def give_up(future: Future[T]) -> None:
    """Cancel a future whose job is gone already, unless somebody else has."""
    if not future.cancelled():
        Future.cancel(future)
        tell_waiting(future)


def tell_waiting(future: Future[T]) -> None:
    """Tell those who wait for several futures that this one was cancelled."""
    with contextlib.suppress(InvalidStateError, RuntimeError):
        future.set_running_or_notify_cancel()
