"""The server: one port of this machine, a guard before everything, and an end that leaves nothing behind."""

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Final

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gnomon.interfaces.studio.connection import PageConnection
from gnomon.interfaces.studio.guard import COOKIE, PROTOCOL, StudioGuard
from gnomon.interfaces.studio.language import serve_language
from gnomon.interfaces.studio.pages import PageAssets
from gnomon.interfaces.studio.sockets import CROWDED, MOST_BYTES, TextSocket
from gnomon.interfaces.studio.studio import Studio, StudioSettings

#: Nobody else's machine can connect.
HOST: Final = "127.0.0.1"
#: Links that somebody has kept work again, where this port is free.
USUAL_PORT: Final = 7423
#: So many pages at once, each with two web sockets, and so many connections in all.
MOST_PAGES: Final = 16
_MOST_CONNECTIONS: Final = 128
#: So many seconds a connection lasts that is no web socket, and so many the beginning and the end of one.
_VISIT: Final = 30.0
_FAREWELL: Final = 3.0
#: So many bytes wait for somebody who only asks: longer than any answer of ours.
_MOST_UNREAD: Final = 128 * 2**20
#: What a web socket is asked with; nobody looks at anything else.
_HEARD: Final = frozenset(
    {b"host", b"origin", b"cookie", b"connection", b"upgrade", b"sec-fetch-site"}
)


def bound(port: int | None) -> socket.socket:
    """Return a socket at a port of this machine, the usual one or any where none is named; or `OSError`."""
    for candidate in (USUAL_PORT, 0) if port is None else (port,):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, candidate))
            found.listen(128)
        except OSError:
            found.close()
            if port is not None or candidate == 0:
                raise
        else:
            return found
    raise AssertionError


class _Crowd:
    """Connections of one sort; more than so many are sent away."""

    def __init__(self) -> None:
        self._count = 0

    @contextlib.asynccontextmanager
    async def joined(self, socket_: WebSocket) -> AsyncIterator[TextSocket | None]:
        """Accept a connection as long as this lasts; None where it was sent away."""
        await socket_.accept(PROTOCOL if PROTOCOL in socket_.scope["subprotocols"] else None)
        if self._count >= MOST_PAGES:
            await socket_.close(CROWDED, f"{MOST_PAGES} pages are open already")
            yield None
            return
        self._count += 1
        found = TextSocket(socket_)
        try:
            yield found
        finally:
            found.leave()
            self._count -= 1


def application(
    studio: Studio, page: Path, port: int, token: str, once: str | None = None
) -> ASGIApp:
    """Return all that is served, behind its guard."""
    assets, pages, editors = PageAssets(page), _Crowd(), _Crowd()

    async def rpc(socket_: WebSocket) -> None:
        async with pages.joined(socket_) as joined:
            if joined is not None:
                await PageConnection(studio, joined).serve()

    async def lsp(socket_: WebSocket) -> None:
        async with editors.joined(socket_) as joined:
            if joined is not None:
                await serve_language(joined)

    routes = [
        Route("/", assets.page, methods=["GET"]),
        Route("/static/{name:path}", assets.asset, methods=["GET"]),
        WebSocketRoute("/rpc", rpc),
        WebSocketRoute("/lsp", lsp),
    ]
    return StudioGuard(Starlette(routes=routes), port, token, once, keyed=assets.takes_key())


class _StudioSocket(WebSocketsSansIOProtocol):
    """A web socket of which nothing is left when it has ended, whether somebody reads the rest or not."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; who cannot be answered, since nobody understands what was asked, does not stay."""
        super().connection_made(transport)
        self.loop.call_later(_FAREWELL, self._leave_strangers)

    def _leave_strangers(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer a ping, but not somebody who only asks and never listens."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > _MOST_UNREAD:
            self.transport.abort()

    async def run_asgi(self) -> None:
        """Serve it to its end."""
        await super().run_asgi()
        self.loop.call_later(_FAREWELL, self.transport.abort)


class _StudioRequests(H11Protocol):
    """A connection that is no web socket: pages need it for a moment only, and nobody else keeps it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; where there are too many already, that is the end."""
        super().connection_made(transport)
        if len(self.connections) > _MOST_CONNECTIONS:
            transport.abort()
            return
        self._leaving = self.loop.call_later(_VISIT, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stay()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Go on as a web socket, as long as it likes."""
        self._stay()
        # Others on this machine may have set many cookies: they are ours to forget, since headers of web
        # sockets may only be so long.
        self.headers = [
            (name, heard)
            for name, value in self.headers
            if name in _HEARD or name.startswith(b"sec-websocket-")
            if (heard := _our_cookies(value) if name == b"cookie" else value) or name != b"cookie"
        ]
        super().handle_websocket_upgrade(event)

    def _stay(self) -> None:
        if (leaving := getattr(self, "_leaving", None)) is not None:
            leaving.cancel()


def _our_cookies(line: bytes) -> bytes:
    parts = [part.strip() for part in line.split(b";")]
    return b"; ".join(part for part in parts if part.startswith(COOKIE.encode()))


class _StudioServer(uvicorn.Server):
    """A server that hears signals as we do: the first one ends it, the second one at once."""

    heard: int | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear what ends programs, as long as this lasts."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
        heard = [each for each in numbers if signal.getsignal(each) is not signal.SIG_IGN]
        before = {number: signal.getsignal(number) for number in heard}
        for number in heard:
            loop.add_signal_handler(number, self._hear, number)
        try:
            yield
        finally:
            for number in heard:
                loop.remove_signal_handler(number)
                signal.signal(number, before[number])

    def _hear(self, number: int) -> None:
        if self.heard is not None:
            os._exit(128 + number)  # all processes end with this one
        self.heard = number
        self.should_exit = True


async def serve(
    settings: StudioSettings,
    page: Path,
    listening: socket.socket,
    token: str,
    on_ready: Callable[["_StudioServer"], None],
    once: str | None = None,
) -> int | None:
    """Serve until a signal comes, which is returned, or somebody says `should_exit`.

    Whoever has the token gets in, and the first who has `once`.
    """
    # Workers and checks find the same evidence, since ties are broken by hashes.
    os.environ["PYTHONHASHSEED"] = "0"
    port = listening.getsockname()[1]
    studio = Studio(settings)
    try:
        config = uvicorn.Config(
            application(studio, page, port, token, once),
            http=_StudioRequests,
            ws=_StudioSocket,
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=2,
        )
        server = _StudioServer(config)
        await studio.start()
        on_ready(server)
        await server.serve(sockets=[listening])
        return server.heard
    finally:
        await studio.close()
