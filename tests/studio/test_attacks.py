"""What somebody could try who has written a model, is another user of the machine, or floods a studio."""

import asyncio
import json
import os
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from gnomon.campaign.local import LocalPool
from gnomon.checking.options import Options
from gnomon.interfaces.lsp.server import GnomonLanguageServer
from gnomon.interfaces.studio import serving, sockets
from gnomon.interfaces.studio.finding_groups import StoppableJobs, _read
from gnomon.interfaces.studio.models import KnownModel
from gnomon.interfaces.studio.serving import HOST
from gnomon.model.budget import LimitReached
from gnomon.text.ending import Terminated
from gnomon.workbench.parameters import Parameters
from tests.studio.running import PATIENCE, Failed, Page, Running, studio, until
from tests.studio.test_ending import slow_model

# Models that take long to read


def read_groups(jobs: StoppableJobs, timeout: float, population: dict[str, int] | None) -> None:
    """Read a model as `model/who` does."""
    many = "\n".join(slow_model().replace("Player", f"Player{each}") for each in range(3))
    model = KnownModel(many, "x.ispl", {}, 0, population=population)
    _read(model, Parameters({"goal": "F full"}), Options(timeout=timeout), jobs)


@pytest.mark.parametrize("population", [None, {"Process": 3}])
def test_nobody_reads_on_when_nobody_wants_to_know(population: dict[str, int] | None) -> None:
    jobs = StoppableJobs(LocalPool(1))
    jobs.close()

    with pytest.raises(Terminated):
        read_groups(jobs, 60.0, population)


@pytest.mark.parametrize("population", [None, {"Process": 3}])
def test_groups_are_read_within_the_limits(population: dict[str, int] | None) -> None:
    with pytest.raises(LimitReached):
        read_groups(StoppableJobs(LocalPool(1)), 1e-9, population)


def test_names_are_no_place_to_hide_texts(page: Page) -> None:
    with pytest.raises(Failed) as failed:
        page.ask("model/open", text="", name="x" * 1_001, constants={})

    assert "limit" == failed.value.kind


def test_constants_count_among_what_is_remembered() -> None:
    known = KnownModel("text", "name", {"n": "1" * 100, "m": 5}, 0)

    assert len("text") + len("n") + 100 + len("m") + len("5") == known.size


# Others on the same machine


def test_nobody_else_reads_what_is_kept(static: Path, tmp_path: Path) -> None:
    store = tmp_path / "studio.store"
    before = os.umask(0)
    try:
        with studio(static, store=store) as running, running.page() as page:
            opened = page.open("Agent A end Agent")
            page.ask("hello")
            modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    finally:
        os.umask(before)

    assert opened["has_errors"]
    assert store.name in modes
    assert {0o600} == set(modes.values())


def is_left(connection: socket.socket) -> bool:
    """Return whether the other end goes within some seconds."""
    connection.settimeout(5)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHost: x", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n"]
)
def test_whoever_says_nothing_is_left(
    static: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(serving, "_VISIT", 0.3)
    with studio(static) as running, running.page() as page:
        with socket.create_connection((HOST, running.port), timeout=PATIENCE) as connection:
            connection.sendall(said)

            assert is_left(connection)
        time.sleep(0.5)

        assert "gnomon" in page.ask("hello")


def test_a_crowd_that_says_nothing_takes_no_more_than_its_places(
    static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_MOST_CONNECTIONS", 5)
    with studio(static) as running, ExitStack() as crowd:
        address = (HOST, running.port)
        for _ in range(5):
            crowd.enter_context(socket.create_connection(address, timeout=PATIENCE))
        with socket.create_connection(address, timeout=PATIENCE) as one_more:
            assert is_left(one_more)


# Those who do not read


def test_what_nobody_reads_does_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "_MOST_WAITING", 1_000)

    class Silent:
        async def send_text(self, text: str) -> None:
            await asyncio.sleep(PATIENCE)

        async def receive(self) -> None:
            await asyncio.sleep(PATIENCE)

    async def flood() -> tuple[str | None, int]:
        found = sockets.TextSocket(Silent())  # type: ignore[arg-type]
        hearing = asyncio.ensure_future(found.next_text())
        for _ in range(30):
            found.put("x" * 100)
            await asyncio.sleep(0)
        return await asyncio.wait_for(hearing, 5), len(found._texts)

    heard, left = asyncio.run(flood())

    assert heard is None
    assert left <= 20


def frame(sort: int, data: bytes) -> bytes:
    """Return a frame as a browser sends it."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([0x80 | sort]) + size + bytes(4) + data


def handshake(running: Running, *more: str) -> list[str]:
    """Return what begins a web socket."""
    return [
        "GET /rpc HTTP/1.1",
        f"Host: {running.host}",
        f"Origin: http://{running.host}",
        f"Sec-WebSocket-Protocol: gnomon-studio, key.{running.key}",
        *more,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
        "",
    ]


def entered(running: Running) -> socket.socket:
    """Return a web socket that reads nothing unless it is told to."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.settimeout(PATIENCE)
    found.connect((HOST, running.port))
    found.sendall("\r\n".join(handshake(running)).encode())
    assert b"101" in found.recv(4096)
    return found


def ends_here(port: int, other: int) -> int:
    """Return how many connections from a port the server has open; what the kernel keeps is little."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split()[1:4] for line in table][1:]
    wanted = (f":{port:04X}", f":{other:04X}")
    return sum(
        here.endswith(wanted[0]) and there.endswith(wanted[1]) and state in ("01", "08")
        for here, there, state in rows
    )


def test_nothing_is_kept_for_those_who_read_nothing(
    static: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_FAREWELL", 0.3)
    large = folder / "large.ispl"
    large.write_text("-" * 4_000_000, encoding="utf-8")
    try:
        with studio(static, folder) as running, entered(running) as reader:
            own = reader.getsockname()[1]
            for number in range(10):
                asked = {"id": number, "method": "files/read", "params": {"path": large.name}}
                reader.sendall(frame(1, json.dumps(asked).encode()))
            time.sleep(0.5)
            before = ends_here(running.port, own)
            reader.sendall(frame(2, b"no text"))

            assert 1 == before
            assert until(lambda: not ends_here(running.port, own))
    finally:
        large.unlink()


@pytest.mark.parametrize(
    "more",
    [
        ["Cookie: " + "a=b; " * 5_000],
        [f"Cookie: n{each}={'v' * 100}" for each in range(200)],
        [f"X-{each}: y" for each in range(500)],
    ],
    ids=["long", "many", "others"],
)
def test_cookies_that_neighbours_have_set_do_not_keep_a_page_out(
    running: Running, more: list[str]
) -> None:
    with socket.create_connection((HOST, running.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join(handshake(running, *more)).encode())

        assert b"HTTP/1.1 101" == connection.recv(12)


def test_a_web_socket_that_nobody_understands_does_not_stay(
    static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_FAREWELL", 0.3)
    many = [f"Sec-WebSocket-Nonsense: {each}" for each in range(500)]
    with studio(static) as running:
        with socket.create_connection((HOST, running.port), timeout=PATIENCE) as connection:
            connection.sendall("\r\n".join(handshake(running, *many)).encode())

            assert is_left(connection)
        with running.page() as page:
            time.sleep(0.5)

            assert "gnomon" in page.ask("hello")


def test_whoever_pings_and_never_listens_is_left(
    static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_MOST_UNREAD", 100_000)
    pings = frame(9, b"x" * 100) * 1_000
    with studio(static) as running, entered(running) as flooder, pytest.raises(ConnectionError):
        flooder.sendall(pings * 1_000)


# What other tests have left behind is collected, too.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_of_an_editor_that_is_gone_nothing_is_left(running: Running) -> None:
    import gc

    def servers() -> int:
        gc.collect()
        return sum(type(each) is GnomonLanguageServer for each in gc.get_objects())

    before = servers()
    for _ in range(3):
        with running.socket("/lsp") as found:
            asked: Any = {"processId": None, "rootUri": None, "capabilities": {}}
            found.send(
                json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked})
            )
            found.recv(PATIENCE)

    assert until(lambda: servers() <= before)
