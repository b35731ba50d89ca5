"""Nobody else gets in: the token, who asks, and by which name, are looked at before anything is answered.

Other pages in the same browser can send requests to this machine, and a name of theirs may lead to it (DNS
rebinding). So each request has to come by one of our own names (`Host`), from our own page (`Origin`, and
what browsers say about the sort of request), and with a cookie that only the link sets which was printed.
"""

import hmac
import secrets
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
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


class StudioGuard:
    """Stands before the application, for requests and web sockets alike."""

    def __init__(self, app: ASGIApp, port: int, token: str, once: str | None = None) -> None:
        """Guard an application that is served on a port of this machine.

        `once` counts like the token in one link, and then no more: other users of a machine may see with
        which words a browser was started.
        """
        self._app = app
        self._token = token.encode()
        self._once = None if once is None else once.encode()
        #: Cookies do not know of ports: two studios must not take each other's.
        self.cookie: Final = f"gnomon-studio-{port}"
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
        elif self._has_cookie(headers):
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
        return len(given) == 1 and (self._is_token(given[0]) or self._is_first(given[0]))

    def _has_cookie(self, headers: Headers) -> bool:
        for line in headers.getlist("cookie"):
            given = cookie_parser(line).get(self.cookie)
            if given is not None and self._is_token(given):
                return True
        return False

    def _is_token(self, given: str) -> bool:
        # Bytes: texts that are not plain ASCII cannot be compared.
        return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._token)

    def _is_first(self, given: str) -> bool:
        once = self._once
        if once is None or not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), once):
            return False
        self._once = None
        return True

    def _let_in(self) -> Response:
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(
            self.cookie, self._token.decode(), httponly=True, samesite="strict", path="/"
        )
        return answer


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
