"""One page: its requests are answered side by side, and all of them end with it."""

import asyncio
import traceback
from contextlib import suppress
from typing import Any, Final

from gnomon.interfaces.studio.bucket import MessageBucket
from gnomon.interfaces.studio.calls import CallProgress
from gnomon.interfaces.studio.frames import (
    NO_METHOD,
    BadFrame,
    CallFrame,
    CallId,
    error_frame,
    failure_frame,
    notification_frame,
    read_call,
    result_frame,
)
from gnomon.interfaces.studio.requests import PageDesk, all_methods, answer
from gnomon.interfaces.studio.sockets import FLOODED, TextSocket
from gnomon.interfaces.studio.studio import Studio
from gnomon.interfaces.studio.telling import tell
from gnomon.interfaces.studio.watching import FolderWatch
from gnomon.workbench.failure import RequestFailed

#: So many requests of one page may be under way.
MOST_UNDER_WAY: Final = 64
#: Longer messages are read and written in a thread of their own.
_LONG: Final = 256 * 1024


class PageConnection:
    """The connection of one page."""

    def __init__(self, studio: Studio, socket: TextSocket) -> None:
        """Answer what comes over a socket."""
        self._studio = studio
        self._socket = socket
        self._bucket = MessageBucket()
        self._under_way: dict[CallId, asyncio.Task[None]] = {}
        self._beside: set[asyncio.Task[Any]] = set()

    async def serve(self) -> None:
        """Answer until the page is gone; then end all that it has asked."""
        quick, slow = self._studio.lanes()
        self._desk = PageDesk(self._studio, quick, slow, self._watch())
        try:
            for lane in (quick, slow):
                self._soon(lane.prepare())
            if self._desk.watch is not None:
                self._soon(self._desk.watch.run())
            while (text := await self._socket.next_text()) is not None:
                if not await self._take(text):
                    return
        finally:
            tasks = [*self._under_way.values(), *self._beside]
            quick.close()
            slow.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _soon(self, work: Any) -> None:
        async def quietly() -> None:
            with suppress(RequestFailed):  # who needs it is told
                await work

        task = asyncio.ensure_future(quietly())
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    def _watch(self) -> FolderWatch | None:
        folder = self._studio.settings.folder
        if folder is None:
            return None
        loop = asyncio.get_running_loop()

        def changed(path: str, version: str | None) -> None:  # in a thread of its own
            frame = notification_frame("files/changed", {"path": path, "version": version})
            with suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(self._socket.put, frame)

        return FolderWatch(folder, changed)

    async def _take(self, text: str) -> bool:
        """Take a message; return whether more are welcome."""
        passes = self._bucket.take(len(text))
        if self._bucket.is_flooded:
            await self._socket.close(FLOODED, "too many messages")
            return False
        try:
            long = len(text) > _LONG
            call = await asyncio.to_thread(read_call, text) if long else read_call(text)
        except BadFrame as bad:
            self._socket.put(error_frame(bad.call, bad.code, str(bad)))
            return True
        if call.method == "cancel" and call.call is None:
            self._cancel(call.params)
        elif call.call is not None:
            self._begin(call, passes=passes)
        return True

    def _cancel(self, params: Any) -> None:
        number = params.get("id") if isinstance(params, dict) else None
        if isinstance(number, int | str) and (task := self._under_way.get(number)) is not None:
            task.cancel()

    def _begin(self, call: CallFrame, *, passes: bool) -> None:
        assert call.call is not None
        refused = None
        if not passes:
            refused = RequestFailed("limit", "these are too many messages in too short a time")
        elif call.call in self._under_way:
            refused = RequestFailed("bad-request", "a request of this number is under way")
        elif len(self._under_way) >= MOST_UNDER_WAY:
            refused = RequestFailed("limit", f"{MOST_UNDER_WAY} requests are under way already")
        if refused is not None:
            self._socket.put(failure_frame(call.call, refused))
        elif call.method not in all_methods():
            said = f"there is no method `{call.method[:100]}`"
            self._socket.put(error_frame(call.call, NO_METHOD, said))
        else:
            task = asyncio.ensure_future(self._answer(call))
            self._under_way[call.call] = task

    async def _answer(self, call: CallFrame) -> None:
        assert call.call is not None
        progress = CallProgress(call.call, self._socket.put)
        try:
            result = await answer(self._desk, call.method, call.params, progress)
            frame = await asyncio.to_thread(result_frame, call.call, result)
        except RequestFailed as failed:
            frame = failure_frame(call.call, failed)
        except asyncio.CancelledError:
            frame = failure_frame(call.call, RequestFailed("cancelled", "it was cancelled"))
        except Exception as error:  # noqa: BLE001 - whoever asked is told that it is our fault
            tell("".join(traceback.format_exception(error)).rstrip())
            said = f"this is a bug in gnomon ({type(error).__name__}: {error})"
            frame = failure_frame(call.call, RequestFailed("bug", said[:1000]))
        finally:
            progress.end()
            self._under_way.pop(call.call, None)
        self._socket.put(frame)
