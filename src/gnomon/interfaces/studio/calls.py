"""A request under way: how those who asked hear how far it is."""

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from threading import Thread
from typing import Any, Final, TypeVar

from gnomon.campaign.executor import JobLost
from gnomon.interfaces.studio.frames import CallId, notification_frame
from gnomon.workbench.failure import RequestFailed

T = TypeVar("T")

#: Words about how far it is are collected for so many seconds.
_PAUSE: Final = 0.05


class CallProgress:
    """Tells a page how far one of its requests is: newest words, and all that was found in between."""

    def __init__(self, call: CallId | None, send: Callable[[str], object]) -> None:
        """Send notifications about a request."""
        self._call = call
        self._send = send
        self._said: dict[str, Any] = {}
        self._due: asyncio.TimerHandle | None = None
        self._over = False

    def tell(self, **said: Any) -> None:
        """Say something; what is an object or a list is added to what was not sent yet."""
        for name, value in said.items():
            before = self._said.get(name)
            if isinstance(before, dict) and isinstance(value, dict):
                before.update(value)
            elif isinstance(before, list) and isinstance(value, list):
                before += value
            else:
                self._said[name] = value
        if self._due is None and not self._over:
            self._due = asyncio.get_running_loop().call_later(_PAUSE, self._flush)

    def _flush(self) -> None:
        self._due = None
        said, self._said = self._said, {}
        if said and not self._over:
            self._send(notification_frame("progress", {"id": self._call, **said}))

    def end(self) -> None:
        """Say nothing more: the answer says it all."""
        self._over = True
        if self._due is not None:
            self._due.cancel()


async def settled(future: "Future[T]") -> T:
    """Return what a job comes to; to cancel it ends the job, without waiting until its process is gone."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[None] = loop.create_future()

    def wake() -> None:
        if not waiting.done():
            waiting.set_result(None)

    def done(_: object) -> None:
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(wake)

    future.add_done_callback(done)
    try:
        await waiting
    except asyncio.CancelledError:
        Thread(target=future.cancel, name="gnomon ending a job", daemon=True).start()
        raise
    try:
        return future.result()
    except JobLost as lost:
        raise RequestFailed("limit", f"it came to no end: {lost}") from None
    except CancelledError:
        raise RequestFailed("cancelled", "it was ended") from None
