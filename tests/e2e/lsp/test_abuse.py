"""Messages that nobody should send, ports that anybody may knock at, and ends that come early."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

SERVER = [sys.executable, "-m", "gnomon", "lsp"]
URI = "file:///nowhere/a.ispl"
START = {"line": 0, "character": 0}
SEVERAL = {"uri": URI, "numbers": [1, 2]}


class Wire:
    """The protocol by hand, over any two files."""

    def __init__(self, reading: Any, writing: Any) -> None:
        self.reading, self.writing = reading, writing
        self.last = 0

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.writing.flush()

    def receive(self) -> Any:
        length = 0
        while line := self.reading.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.reading.read(length)) if length else None

    def ask(self, method: str, params: Any = None) -> Any:
        """Return the answer to a request; what else comes in between is left out."""
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        while True:
            message = self.receive()
            assert message is not None, "the server has gone"
            if message.get("id") == self.last and "method" not in message:
                return message

    def begin(self) -> None:
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send(method="initialized", params={})

    def open(self, text: str) -> None:
        item = {"uri": URI, "languageId": "ispl", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*SERVER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with running() as process:
        found = Wire(process.stdout, process.stdin)
        found.begin()
        yield found


@pytest.mark.parametrize(
    "position",
    [{"line": -1, "character": 0}, {"line": 2**40, "character": 0}, None, {"line": "a"}, 7],
)
def test_a_request_that_cannot_be_read_is_answered(wire: Wire, position: Any) -> None:
    wire.open("Agent")
    params = {"textDocument": {"uri": URI}, "position": position}

    assert "error" in wire.ask("textDocument/hover", params)
    assert "result" in wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})


def test_a_change_that_cannot_be_read_ends_what_is_said_of_the_text(wire: Wire) -> None:
    wire.open("Agent")
    bad = {"range": {"start": {"line": -1, "character": 0}, "end": {}}, "text": "x"}
    place = {"uri": URI, "version": 2}
    params = {"textDocument": place, "contentChanges": [bad]}
    wire.send(method="textDocument/didChange", params=params)

    assert [] == wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})["result"]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": {"uri": "file:///other"}, "position": START}),
        ("textDocument/nonsense", {}),
        ("workspace/executeCommand", {"command": "rm -rf", "arguments": []}),
        ("workspace/executeCommand", {"command": "gnomon.check", "arguments": []}),
        ("workspace/executeCommand", {"command": "gnomon.explain", "arguments": [SEVERAL]}),
        ("gnomon/explanation", {"textDocument": {"uri": URI}, "position": {"line": -3, "character": 0}}),
        ("gnomon/formulae", {}),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_and_is_no_bug(wire: Wire, method: str, params: Any) -> None:
    wire.open("Agent")
    answer = wire.ask(method, params)

    assert "error" in answer
    assert answer["error"]["code"] != -32603


def test_nothing_is_answered_before_the_client_has_said_who_it_is() -> None:
    with running() as process:
        wire = Wire(process.stdout, process.stdin)
        wire.open("Agent")
        answer = wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})
        wire.begin()

        assert -32002 == answer["error"]["code"]
        assert [] == wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})["result"]


def test_garbage_between_messages_does_not_end_the_server() -> None:
    with running() as process:
        wire = Wire(process.stdout, process.stdin)
        wire.begin()
        body = b"this is no JSON"
        wire.writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        wire.open("Agent")

        assert "result" in wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_request_to_end_is_heard_while_the_editor_says_nothing(number: int) -> None:
    with running() as process:
        Wire(process.stdout, process.stdin).begin()
        os.kill(process.pid, number)

        assert 128 + number == process.wait(30)


def test_the_end_of_the_editor_is_the_end_of_the_server() -> None:
    with running() as process:
        wire = Wire(process.stdout, process.stdin)
        wire.begin()
        wire.ask("shutdown")
        wire.send(method="exit")

        assert 0 == process.wait(30)


def _port(process: subprocess.Popen[bytes]) -> int:
    assert process.stderr is not None
    return int(process.stderr.readline().rpartition(b":")[2])


@contextmanager
def connected(port: int) -> Iterator[Wire]:
    with (
        socket.create_connection(("127.0.0.1", port), 30) as connection,
        connection.makefile("rwb") as stream,
    ):
        yield Wire(stream, stream)


def test_a_port_serves_several_editors_each_by_itself() -> None:
    with running("--tcp", "0") as process, ExitStack() as stack:
        port = _port(process)
        first = stack.enter_context(ExitStack())
        wires = [first.enter_context(connected(port))]
        wires += [stack.enter_context(connected(port)) for _ in range(2)]
        for number, wire in enumerate(wires):
            wire.begin()
            wire.open(f"Agent A{number}")
        answers = [
            wire.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
            for wire in wires
        ]
        names = [answer[0]["name"] for answer in answers]
        first.close()

        assert ["A0", "A1", "A2"] == names
        assert "result" in wires[1].ask("gnomon/formulae", {"textDocument": {"uri": URI}})


def test_a_web_page_that_posts_to_the_port_is_not_served() -> None:
    with running("--tcp", "0") as process:
        port = _port(process)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
        with socket.create_connection(("127.0.0.1", port), 30) as connection:
            request = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            connection.sendall(request.encode())

            assert b"" == connection.recv(1000)
        with connected(port) as wire:
            wire.begin()


def test_the_port_is_closed_to_other_machines() -> None:
    with running("--tcp", "0") as process:
        port = _port(process)
        own = socket.gethostbyname(socket.gethostname())
        if own.startswith("127."):
            pytest.skip("this machine has no other address")

        with pytest.raises(OSError, match="refused"):
            socket.create_connection((own, port), 5)


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = subprocess.run(
            [*SERVER, "--tcp", str(taken.getsockname()[1])],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert 2 == said.returncode
    assert "in use" in said.stderr


def test_hostile_texts_keep_nobody_waiting(wire: Wire) -> None:
    texts = [
        "Agent A " + "(" * 100_000,
        "Constants n = 1000000000; end Constants\nAgent A[i : 1..n] end Agent",
        "x" * 3_000_000,
        "Formulae\n" + "AG p;\n" * 20_000 + "end Formulae",
        "\0" * 10,
        "\ud800",
    ]
    for text in texts:
        wire.open(text)
        before = time.monotonic()
        answer = wire.ask("gnomon/formulae", {"textDocument": {"uri": URI}})
        assert "result" in answer
        assert time.monotonic() - before < 60


def test_a_text_that_takes_too_long_is_told_so_and_nothing_old_stays() -> None:
    # The limit is in the server's process: it is set where that begins.
    words = (
        "import sys; from gnomon.interfaces.lsp import analysing; analysing._PATIENCE = 0.2; "
        "sys.argv = ['gnomon', 'lsp']; from gnomon.interfaces.cli.entry import run; run()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        wire = Wire(process.stdout, process.stdin)
        wire.begin()
        wire.open("rubbish " * 5)
        wire.open("Formulae\n" + "AG p;\n" * 200_000 + "end Formulae")
        codes: list[str] = []
        while "G0004" not in codes:
            message = wire.receive()
            if message["method"] == "textDocument/publishDiagnostics":
                codes = [each["code"] for each in message["params"]["diagnostics"]]
        answer = wire.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    finally:
        process.kill()
        process.communicate()

    assert ["G0004"] == codes
    assert [] == answer["result"]


def test_without_the_library_it_says_what_to_install() -> None:
    words = (
        "import sys; sys.modules['pygls'] = None; from gnomon.interfaces.cli.entry import run; "
        "sys.argv = ['gnomon', 'lsp']; run()"
    )
    said = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=False, timeout=60
    )

    assert 2 == said.returncode
    assert "pip install 'gnomon[lsp]'" in said.stderr


def test_two_ways_at_once_are_refused() -> None:
    said = subprocess.run(
        [*SERVER, "--tcp", "0", "--stdio"], capture_output=True, text=True, check=False, timeout=60
    )

    assert 2 == said.returncode
