"""The server on its streams, or on a port of this machine where each client has a server of its own."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from threading import Event
from typing import Final

from pygls.io_ import run_async

from gnomon.interfaces.lsp import (
    check_features,
    configuring,
    reading_features,
    workspace_names,
    writing_features,
)
from gnomon.interfaces.lsp.refusing import ContentModified, Refused
from gnomon.interfaces.lsp.server import GnomonLanguageServer

#: Nobody else's machine can connect.
HOST: Final = "127.0.0.1"
#: How the protocol begins; a web page that sends us something begins otherwise.
_HEADERS: Final = (b"content-length:", b"content-type:")


def make_server() -> GnomonLanguageServer:
    """Return a server with all that it offers."""
    ls = GnomonLanguageServer()
    configuring.register(ls)
    reading_features.register(ls)
    workspace_names.register(ls)
    writing_features.register(ls)
    check_features.register(ls)
    return ls


def serve_streams() -> None:
    """Serve the editor that has started this process, until it ends."""
    _log_to_standard_error()
    # Whatever prints something must not do so in the middle of the protocol.
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    ls = make_server()
    _end_when_asked(ls)
    try:
        ls.start_io(stdin, stdout)
    finally:
        ls.end()


def _log_to_standard_error() -> None:
    """Write what goes wrong to standard error; a request that was refused has not gone wrong."""
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)

    def is_news(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, ContentModified | Refused)

    for handler in logging.getLogger().handlers:
        handler.addFilter(is_news)


def _end_when_asked(ls: GnomonLanguageServer) -> None:
    """End at once on a request of the system: a thread waits for the next message, and would not hear it."""

    def leave(number: int, _: object) -> None:
        ls.end()
        os._exit(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def serve_port(port: int, on_listening: Callable[[int], None]) -> None:
    """Serve whoever connects to a port of this machine; 0 takes a free one, which is told."""
    _log_to_standard_error()
    asyncio.run(_listen(port, on_listening))


async def _listen(port: int, on_listening: Callable[[int], None]) -> None:
    server = await asyncio.start_server(serve_client, HOST, port, limit=2**20)
    on_listening(server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()


async def serve_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one client until it leaves."""
    try:
        first = await reader.readline()
    except (ConnectionError, ValueError):  # it has left, or its first line has no end
        first = b""
    if not first.lower().startswith(_HEADERS):
        writer.close()
        return
    ls = make_server()
    ls.protocol.set_writer(_Connection(writer))
    try:
        await run_async(
            stop_event=Event(),
            reader=_Pushed(first, reader),
            protocol=ls.protocol,
            error_handler=ls.report_server_error,
        )
    except (asyncio.IncompleteReadError, ConnectionError, SystemExit):
        pass  # the client has left
    finally:
        await asyncio.get_running_loop().run_in_executor(None, ls.end)
        ls.shutdown()  # type: ignore[no-untyped-call]  # the library's own
        writer.close()


class _Pushed:
    """A stream with a line that was read already."""

    def __init__(self, line: bytes, reader: asyncio.StreamReader) -> None:
        self._line = line
        self._reader = reader

    async def readline(self) -> bytes:
        """Return the next line."""
        line, self._line = self._line, b""
        return line or await self._reader.readline()

    async def readexactly(self, n: int) -> bytes:
        """Return so many bytes."""
        return await self._reader.readexactly(n)


class _Connection:
    """What is sent to one client, in the order in which it is sent."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Send something."""
        if not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        """Send nothing more."""
        self._writer.close()
