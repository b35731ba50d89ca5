"""The language server for the text of a page: one for each connection, as long as that lasts."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from gnomon.interfaces.lsp.serve import make_server
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.studio.bucket import MessageBucket
from gnomon.interfaces.studio.frames import BadFrame, read_json
from gnomon.interfaces.studio.sockets import FLOODED, UNREADABLE, TextSocket

#: The page has texts and no folders: what lies on this machine is none of its language server's business.
_PLACES: Final = ("rootUri", "rootPath", "workspaceFolders")
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
    try:
        while (text := await socket.next_text()) is not None:
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


def _handle(ls: GnomonLanguageServer, message: dict[str, Any]) -> None:
    try:
        ls.protocol.handle_message(ls.protocol.structure_message(message))
    except Exception as error:  # noqa: BLE001 - one message must not end the others
        ls.report_server_error(error, type(error))


def _end(ls: GnomonLanguageServer) -> None:
    ls.end()
    ls.shutdown()  # type: ignore[no-untyped-call]  # the library's own


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
