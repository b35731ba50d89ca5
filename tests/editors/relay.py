"""A way from web sockets to a language server: text frames on the one side, `Content-Length` on the other.

A browser can open web sockets only, and `gnomon lsp --tcp` speaks plain TCP, as language servers do.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:  # it need not be installed
    from websockets.sync.server import ServerConnection

SECONDS = 10.0


def frame(text: str) -> bytes:
    """Return a message as it goes over TCP."""
    body = text.encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def messages(stream: BinaryIO) -> Iterator[str]:
    """Yield the messages of a stream until it ends."""
    while line := stream.readline():
        length = 0
        while line.strip():
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
            line = stream.readline()
        body = stream.read(length)
        if len(body) < length:
            return
        yield body.decode()


@contextlib.contextmanager
def relay(port: int) -> Iterator[int]:
    """Lead web sockets to the server at a port of this machine; yield the port they go to."""
    from websockets.sync.server import serve

    def carry(outside: ServerConnection) -> None:
        with contextlib.closing(socket.create_connection(("127.0.0.1", port), SECONDS)) as inside:
            inside.settimeout(None)
            _carry(outside, inside)

    with serve(carry, "127.0.0.1", 0, max_size=2**24) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.socket.getsockname()[1]
        finally:
            server.shutdown()
            thread.join(SECONDS)


def _carry(outside: ServerConnection, inside: socket.socket) -> None:
    from websockets.exceptions import ConnectionClosed

    back = threading.Thread(target=_carry_back, args=(outside, inside), daemon=True)
    back.start()
    with contextlib.suppress(ConnectionClosed, OSError):
        for message in outside:
            assert isinstance(message, str)
            inside.sendall(frame(message))
    with contextlib.suppress(OSError):
        inside.shutdown(socket.SHUT_RDWR)
    back.join(SECONDS)


def _carry_back(outside: ServerConnection, inside: socket.socket) -> None:
    from websockets.exceptions import ConnectionClosed

    with contextlib.suppress(ConnectionClosed, OSError), inside.makefile("rb") as stream:
        for message in messages(stream):
            outside.send(message)
    outside.close()
