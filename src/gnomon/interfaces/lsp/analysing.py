"""Reading in a thread of its own, so that typing never waits.

What was asked about a version of a text that is no more is given up in the middle: the reader looks at its
limits every few thousand tokens, and these say so.
"""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, Final, TypeVar

from gnomon.text.errors import Unable
from gnomon.text.limits import watch

T = TypeVar("T")

#: What a text may take that is read while somebody types.
_PATIENCE: Final = 30.0
#: How long the thread may keep others waiting, in seconds: it computes, they only take messages.
_SWITCH: Final = 0.002
#: Deep trees are walked by recursion.
_STACK: Final = 64 * 2**20


class Superseded(Unable):
    """The text has changed since this was asked."""


class TooSlow(Unable):
    """The text takes longer to read than anybody would wait."""


@dataclass
class _AnalysisTask:
    uri: str
    version: int
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"
    urgent: bool


class AnalysisThread:
    """Does one thing after the other, what is urgent first; what has been superseded it gives up."""

    def __init__(self) -> None:
        """Start the thread."""
        self._tasks: deque[_AnalysisTask] = deque()
        self._changed = Condition()
        self._versions: dict[str, int] = {}
        self._closed = False
        self._began = 0.0
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH))
        import threading

        before = threading.stack_size(_STACK)
        try:
            self._thread = Thread(target=self._serve, name="gnomon reading", daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(before)

    def now(self, uri: str, version: int) -> None:
        """Know of the newest version of a text: what is about older ones is not wanted any more."""
        self._versions[uri] = version

    def forget(self, uri: str) -> None:
        """Give up all that is about a text."""
        self._versions.pop(uri, None)

    def run(
        self, uri: str, version: int, work: Callable[[], T], *, urgent: bool = False
    ) -> "asyncio.Future[T]":
        """Have something worked out about a version of a text; it may raise `Superseded`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        task = _AnalysisTask(uri, version, work, loop, future, urgent)
        with self._changed:
            if urgent:
                self._tasks.appendleft(task)
            else:
                self._tasks.append(task)
            self._changed.notify()
        return future

    def close(self) -> None:
        """Do nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._tasks and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                task = self._tasks.popleft()
            self._do(task)
            del task

    def _do(self, task: _AnalysisTask) -> None:
        self._began = time.monotonic()

        def look() -> None:
            if self._closed or self._versions.get(task.uri) != task.version:
                raise Superseded("the text has changed")
            if task.future.cancelled():
                raise Superseded("nobody wants to know any more")
            if time.monotonic() - self._began > _PATIENCE:
                raise TooSlow(f"reading the text took more than {_PATIENCE:g} s")

        token = watch.set(look)
        value: Any = None
        error: BaseException | None = None
        try:
            look()
            value = task.work()
        except Exception as raised:  # noqa: BLE001 - whoever asked hears of it
            error = raised
        finally:
            watch.reset(token)
        with suppress(RuntimeError):  # the loop may be closed by now
            task.loop.call_soon_threadsafe(_settle, task.future, value, error)


def _settle(future: "asyncio.Future[Any]", value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
