"""A studio in a thread, and pages that talk to it as a browser does."""

import asyncio
import http.client
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from gnomon.interfaces.studio.checks import CheckLimits
from gnomon.interfaces.studio.folder import StudioFolder
from gnomon.interfaces.studio.guard import PROTOCOL, new_token, page_secret, socket_key
from gnomon.interfaces.studio.serving import HOST, bound, serve
from gnomon.interfaces.studio.studio import StudioSettings

#: A server that hangs must not take the tests with it.
PATIENCE = 30.0

INDEX = (
    '<!DOCTYPE html><meta name="studio-key" content="">'
    '<meta name="csp-nonce" content="@NONCE@"><script src="/static/app.js"></script>'
)


def stand_in(folder: Path) -> Path:
    """Make a page that is none, and return its folder."""
    page = folder / "static"
    page.mkdir(parents=True)
    (page / "index.html").write_text(INDEX, encoding="utf-8")
    (page / "app.js").write_text("export {};", encoding="utf-8")
    (page / "sources.sha256").write_text("0", encoding="utf-8")
    return page


@dataclass
class Running:
    """A studio that runs."""

    port: int
    token: str

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def cookie(self) -> str:
        return f"gnomon-studio-{self.port}={self.secret}"

    @property
    def secret(self) -> str:
        return page_secret(self.token)

    @property
    def key(self) -> str:
        return socket_key(self.token)

    def headers(self, **more: str | None) -> dict[str, str]:
        """Return the headers of our own page, with some that are otherwise or missing."""
        usual: dict[str, str | None] = {"Host": self.host, "Cookie": self.cookie}
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return {name: value for name, value in {**usual, **named}.items() if value is not None}

    def get(
        self, path: str, method: str = "GET", body: bytes | None = None, **more: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers(**more).items():
                connection.putheader(name, value.encode("latin-1"))
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, headers, answer.read()
        finally:
            connection.close()

    def socket(
        self, path: str = "/rpc", key: str | None = "", **more: str | None
    ) -> ClientConnection:
        """Return a web socket, to be used in `with`; with another key than ours, or with none."""
        named = {
            "Origin": f"http://{self.host}",
            **{k.replace("_", "-"): v for k, v in more.items()},
        }
        headers = {"Cookie": self.cookie, **named}
        origin = headers.pop("Origin")
        host = headers.pop("Host", None) or self.host
        return connect(
            f"ws://{host}{path}",
            sock=_connected(self.port),
            origin=origin,  # type: ignore[arg-type]
            additional_headers={k: v for k, v in headers.items() if v is not None},
            subprotocols=None if key is None else [PROTOCOL, f"key.{key or self.key}"],  # type: ignore[list-item]
            compression=None,
            proxy=None,
            max_size=2**27,
            open_timeout=PATIENCE,
        )

    @contextmanager
    def page(self) -> Iterator["Page"]:
        """Open a page."""
        with self.socket() as socket:
            yield Page(socket)


def _connected(port: int) -> Any:
    import socket

    return socket.create_connection((HOST, port), timeout=PATIENCE)


class Failed(Exception):
    """A request that has no answer."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.kind: str = error["data"]["kind"]
        self.data: dict[str, Any] = error["data"]


class Page:
    """A page: sends requests, and sorts what comes back."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.answers: dict[int, dict[str, Any]] = {}
        self.notes: list[dict[str, Any]] = []
        self._last = 0

    def send(self, method: str, params: Any) -> int:
        self._last += 1
        self.socket.send(
            json.dumps({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        )
        return self._last

    def cancel(self, number: int) -> None:
        self.socket.send(
            json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}})
        )

    def hear(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """Return the next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(seconds))
        if "method" in message:
            self.notes.append(message)
        elif message.get("id") is not None:
            self.answers[message["id"]] = message
        return message

    def answer(self, number: int) -> Any:
        while number not in self.answers:
            self.hear()
        found = self.answers.pop(number)
        if "error" in found:
            raise Failed(found["error"])
        return found["result"]

    def ask(self, method: str, **params: Any) -> Any:
        return self.answer(self.send(method, params))

    def open(self, text: str, name: str = "model.ispl", **constants: int) -> Any:
        return self.ask("model/open", text=text, name=name, constants=constants)


@contextmanager
def studio(
    page: Path,
    folder: Path | None = None,
    opened: str | None = None,
    store: Path | None = None,
    limits: CheckLimits = CheckLimits(30.0, 2000.0),
    once: str | None = None,
) -> Iterator[Running]:
    """Run a studio in a thread."""
    place = None if folder is None else StudioFolder(str(folder), opened)
    settings = StudioSettings(place, limits, store)
    listening = bound(0)
    token = new_token()
    port = listening.getsockname()[1]
    servers: list[Any] = []
    began = threading.Event()

    def ready(server: Any) -> None:
        servers.append(server)
        began.set()

    failures: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(serve(settings, page, listening, token, ready, once))
        except BaseException as error:  # noqa: BLE001 - told by the test
            failures.append(error)
            began.set()

    thread = threading.Thread(target=run, name="studio", daemon=True)
    before = os.environ.get("PYTHONHASHSEED")
    thread.start()
    try:
        assert began.wait(PATIENCE)
        yield Running(port, token)
    finally:
        for server in servers:
            server.should_exit = True
        thread.join(PATIENCE)
        if before is None:
            os.environ.pop("PYTHONHASHSEED", None)
        assert not thread.is_alive()
        if failures:
            raise failures[0]


# Processes


def children(parent: int | None = None) -> dict[int, str]:
    """Return the processes below one, this one unless another is named, with what they were started as."""
    parents: dict[int, int] = {}
    words: dict[int, str] = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path(f"/proc/{entry}/stat").read_text(encoding="utf-8", errors="replace")
            command = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        state, up = stat.rpartition(")")[2].split()[:2]
        if state != "Z":
            parents[int(entry)] = int(up)
            words[int(entry)] = command
    found: dict[int, str] = {}
    wanted = {parent or os.getpid()}
    while wanted:
        below = {pid for pid, up in parents.items() if up in wanted and pid not in found}
        found.update({pid: words[pid] for pid in below})
        wanted = below
    return found


def workers(parent: int | None = None) -> set[int]:
    """Return the processes of the workbench."""
    return {pid for pid, words in children(parent).items() if "gnomon.workbench.worker" in words}


def jobs(parent: int | None = None) -> set[int]:
    """Return the processes that decide something: those that the prepared process has forked."""
    below = children(parent)
    prepared = {pid for pid, words in below.items() if "gnomon.checking.process.server" in words}
    started = {pid for pid in prepared if _parent(pid) == (parent or os.getpid())}
    return prepared - started


def _parent(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def until(fact: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Return whether something becomes true in time."""
    ends = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > ends:
            return False
        time.sleep(0.01)
    return True
