"""The language server for the text of a page: one for each connection, as long as that lasts."""

import asyncio
import gc
from collections.abc import Callable
from typing import Any, Final

from gnomon.interfaces.lsp.serve import make_server
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.studio.bucket import MessageBucket
from gnomon.interfaces.studio.frames import BadFrame, read_json
from gnomon.interfaces.studio.sockets import FLOODED, UNREADABLE, TextSocket

#: The page has texts and no folders: what lies on this machine is none of its language server's business.
_PLACES: Final = ("rootUri", "rootPath", "workspaceFolders")
#: Whoever has sent so many characters leaves much behind.
_LARGE: Final = 2**20
_NOT_HEARD: Final = frozenset({"workspace/didChangeWorkspaceFolders", "exit"})


class _SocketWriter:
    """What a server writes, one message a frame."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Send a message."""
        self._send(data.decode())

    def close(self) -> None:
        """Do nothing: whoever has opened the connection closes it."""


async def serve_language(socket: TextSocket) -> None:
    """Serve an editor until it leaves."""
    ls = make_server()
    ls.protocol.set_writer(_SocketWriter(socket.put), include_headers=False)
    bucket = MessageBucket()
    heard = 0
    try:
        while (text := await socket.next_text()) is not None:
            heard += len(text)
            if not bucket.take(len(text)) and bucket.is_flooded:
                await socket.close(FLOODED, "too many messages")
                return
            try:
                message = _kept(read_json(text))
            except BadFrame as error:
                await socket.close(UNREADABLE, str(error)[:100])
                return
            if message is not None:
                _handle(ls, message)
    finally:
        await asyncio.get_running_loop().run_in_executor(None, _end, ls)
        del ls
        if heard > _LARGE:
            gc.collect()  # all that refers to itself, which would stay for long


def _handle(ls: GnomonLanguageServer, message: dict[str, Any]) -> None:
    try:
        ls.protocol.handle_message(ls.protocol.structure_message(message))
    except Exception as error:  # noqa: BLE001 - one message must not end the others
        ls.report_server_error(error, type(error))


def _end(ls: GnomonLanguageServer) -> None:
    ls.end()
    ls.shutdown()  # type: ignore[no-untyped-call]  # the library's own
    # The library remembers what it was asked together with who was, for ever: all texts would stay.
    kind = type(ls.protocol)
    for name in dir(kind):
        forget = getattr(getattr(kind, name), "cache_clear", None)
        if forget is not None:
            forget()


def _kept(message: Any) -> dict[str, Any] | None:
    """Return a message without what names places on this machine; None where nothing is left of it."""
    if not isinstance(message, dict):
        raise BadFrame("a message is one object")
    if message.get("method") in _NOT_HEARD:
        return None
    params = message.get("params")
    if message.get("method") == "initialize" and isinstance(params, dict):
        kept = {name: value for name, value in params.items() if name not in _PLACES}
        return {**message, "params": {**kept, "rootUri": None}}
    return message
