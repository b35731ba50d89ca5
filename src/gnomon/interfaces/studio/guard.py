"""Nobody else gets in: the token, who asks, and by which name, are looked at before anything is answered.

Other pages in the same browser can send requests to this machine, and a name of theirs may lead to it (DNS
rebinding). So each request has to come by one of our own names (`Host`), from our own page (`Origin`, and
what browsers say about the sort of request), and with a cookie that only the link sets which was printed.
Browsers send cookies to all ports of a machine, and there another user may listen: so the cookie is good for
the page alone, which is no secret. Web sockets need a key, which the link hands to the page behind the `#`:
a page keeps it where no other port gets at it.
"""

import hashlib
import hmac
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Methods that change nothing; browsers send no `Origin` with them.
_HARMLESS: Final = frozenset({"GET", "HEAD"})
#: The code of web sockets for what is against the rules.
REFUSED: Final = 1008
_NOBODY: Final = (
    "This is gnomon studio, and this page does not have its token: open the link that `gnomon studio` "
    "has printed in the terminal.\n"
)
#: How the names of cookies begin; the port follows.
COOKIE: Final = "gnomon-studio-"
#: The protocol of the web sockets; beside it, a page offers one that is its key.
PROTOCOL: Final = "gnomon-studio"
_KEY: Final = "key."
#: What is said with everything, whatever it is.
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(32)


def page_secret(token: str) -> str:
    """Return what a cookie has to hold; nobody can tell the token from it, or the key."""
    return _made_of(token, b"page")


def socket_key(token: str) -> str:
    """Return the key of web sockets."""
    return _made_of(token, b"socket")


def _made_of(token: str, what: bytes) -> str:
    return hmac.new(token.encode(), what, hashlib.sha256).hexdigest()


class StudioGuard:
    """Stands before the application, for requests and web sockets alike."""

    def __init__(
        self, app: ASGIApp, port: int, token: str, once: str | None = None, *, keyed: bool = True
    ) -> None:
        """Guard an application that is served on a port of this machine.

        `once` counts like the token in one link of this user, and then no more: other users of a machine may
        see with which words a browser was started. A page that knows of no key is not `keyed`.
        """
        self._app = app
        self._token = token.encode()
        self._once = None if once is None else once.encode()
        self._secret = page_secret(token).encode()
        self._key = socket_key(token) if keyed else None
        #: Cookies do not know of ports: two studios must not take each other's.
        self.cookie: Final = f"{COOKIE}{port}"
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what may be answered, and refuse the rest."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._is_ours(scope, headers):
            await _refuse(scope, receive, send, "This request does not come from the studio.\n")
        elif self._has_link(scope):
            await self._let_in()(scope, receive, _with_headers(send))
        elif self._has_key(scope) or self._has_cookie(scope, headers):
            await self._app(scope, receive, _with_headers(send))
        else:
            await _refuse(scope, receive, send, _NOBODY)

    def _is_ours(self, scope: Scope, headers: Headers) -> bool:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return False
        own = [f"http://{hosts[0]}"]
        is_socket = scope["type"] == "websocket"
        silent = not is_socket and scope["method"] in _HARMLESS
        if origins != own and not (silent and not origins):
            return False
        sites = headers.getlist("sec-fetch-site")
        return all(site in ("same-origin", "none") for site in sites)

    def _has_link(self, scope: Scope) -> bool:
        """Return whether somebody follows the link; the token counts nowhere else."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return False
        try:
            asked = parse_qs(scope["query_string"].decode("ascii"), max_num_fields=10)
        except ValueError:
            return False
        given = asked.get("token", [])
        return len(given) == 1 and (_same(given[0], self._token) or self._is_first(given[0], scope))

    def _is_first(self, given: str, scope: Scope) -> bool:
        if self._once is None or not _same(given, self._once):
            return False
        # Whoever is quicker than the browser has read it over our shoulder.
        if owner(scope.get("client"), scope.get("server")) not in (None, 0, _own_number()):
            return False
        self._once = None
        return True

    def _has_key(self, scope: Scope) -> bool:
        if scope["type"] != "websocket" or self._key is None:
            return False
        wanted = f"{_KEY}{self._key}".encode()
        return any(_same(each, wanted) for each in scope.get("subprotocols", []))

    def _has_cookie(self, scope: Scope, headers: Headers) -> bool:
        if scope["type"] == "websocket" and self._key is not None:
            return False
        # Another port may have set one of the same name for some paths: then both are sent.
        parts = [part.strip() for line in headers.getlist("cookie") for part in line.split(";")]
        named = [
            value
            for name, _, value in (part.partition("=") for part in parts)
            if name == self.cookie
        ]
        return any(_same(value, self._secret) for value in named)

    def _let_in(self) -> Response:
        answer = RedirectResponse(
            "/" if self._key is None else f"/#key={self._key}", status_code=303
        )
        answer.set_cookie(
            self.cookie, self._secret.decode(), httponly=True, samesite="strict", path="/"
        )
        return answer


def _same(given: str, wanted: bytes) -> bool:
    # Bytes: texts that are not plain ASCII cannot be compared.
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), wanted)


def _own_number() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None


def owner(client: tuple[str, int] | None, server: tuple[str, int] | None) -> int | None:
    """Return which user of this machine has opened a connection to it; None where the system does not say."""
    if client is None or server is None:
        return None
    old = [f"{_number(address)}:{port:04X}" for address, port in (client, server)]
    new = [f"{'0' * 16}{_number('0.0.255.255')}{each}" for each in old]
    for table, ends in (("tcp", old), ("tcp6", new)):
        try:
            rows = [
                line.split() for line in Path("/proc/net", table).read_text("ascii").splitlines()
            ]
        except (OSError, ValueError):
            continue
        for row in rows:
            if row[1:3] == ends:
                return int(row[7])
    return None


def _number(address: str) -> str:
    """Return an address as the kernel writes it: in the order of bytes of the machine."""
    return f"{int.from_bytes(socket.inet_aton(address), sys.byteorder):08X}"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in message.get("headers", [])}
            more = [
                (name.lower().encode(), value.encode())
                for name, value in _HEADERS.items()
                if name.lower().encode() not in known
            ]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, words: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": REFUSED})
        return
    policy: dict[str, Any] = {
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"
    }
    answer = PlainTextResponse(words, status_code=403, headers=policy)
    await answer(scope, receive, _with_headers(send))
