"""Web sockets: what comes over them, what is sent in its order, and how they end."""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

#: Why a connection is closed, by the codes of web sockets: data of the wrong sort, messages that cannot be
#: read, too many of them, and too many connections.
BINARY: Final = 1003
UNREADABLE: Final = 1007
FLOODED: Final = 1008
CROWDED: Final = 1013
#: The longest message, in bytes.
MOST_BYTES: Final = 16 * 2**20
#: So many characters may wait to be read, for so many seconds.
_MOST_WAITING: Final = 96 * 2**20
_PATIENCE: Final = 60.0


class TextSocket:
    """A connection that was accepted: texts come and go; who sends other things, or reads none, is left."""

    def __init__(self, socket: WebSocket) -> None:
        """Take over a connection."""
        self._socket = socket
        self._texts: deque[str] = deque()
        self._waiting = 0
        self._ready = asyncio.Event()
        self._sending: asyncio.Task[None] = asyncio.ensure_future(self._send_all())

    def put(self, text: str) -> None:
        """Send a message some time soon."""
        self._texts.append(text)
        self._waiting += len(text)
        self._ready.set()
        if self._waiting > _MOST_WAITING:
            self._texts.clear()
            self._sending.cancel()  # whoever reads nothing is left

    async def _send_all(self) -> None:
        """Send all messages until nobody reads them."""
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._texts:
                    text = self._texts.popleft()
                    async with asyncio.timeout(_PATIENCE):
                        await self._socket.send_text(text)
                    self._waiting -= len(text)

    async def next_text(self) -> str | None:
        """Return the next message; None where there will be no more."""
        if self._sending.done():
            return None
        receiving = asyncio.ensure_future(self._socket.receive())
        try:
            await asyncio.wait({receiving, self._sending}, return_when=asyncio.FIRST_COMPLETED)
            message: Any = receiving.result() if receiving.done() else {"type": "gone"}
        finally:
            receiving.cancel()
        if message["type"] != "websocket.receive":
            return None
        text = message.get("text")
        if text is None:
            await self.close(BINARY, "messages are texts")
            return None
        return str(text)

    async def close(self, code: int, reason: str) -> None:
        """End the connection for a reason, after what was said before."""
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(1):
                while self._texts:
                    await self._socket.send_text(self._texts.popleft())
                await self._socket.close(code, reason)

    def leave(self) -> None:
        """Send nothing more."""
        self._sending.cancel()
