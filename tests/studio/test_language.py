"""The language server of a page: one for each connection, over text frames; it knows texts and no folders."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from gnomon.interfaces.studio.gallery import read_example
from tests.studio.running import PATIENCE, Running, jobs, until

URI = "file:///model.ispl"


class Editor:
    """A client of the language server."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.notes: list[dict[str, Any]] = []
        self._last = 0

    def send(self, method: str, params: Any, **more: Any) -> None:
        self.socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))

    def ask(self, method: str, params: Any) -> Any:
        self._last += 1
        self.send(method, params, id=self._last)
        while (message := self.hear()).get("id") != self._last or "method" in message:
            pass
        return message.get("result", message.get("error"))

    def hear(self) -> dict[str, Any]:
        text = self.socket.recv(PATIENCE)
        assert isinstance(text, str)
        message: dict[str, Any] = json.loads(text)
        if "method" in message:
            self.notes.append(message)
            if "id" in message:
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": None}
                self.socket.send(json.dumps(answer))
        return message

    def begin(self, **params: Any) -> Any:
        found = self.ask("initialize", {"processId": None, "capabilities": {}, **params})
        self.send("initialized", {})
        return found

    def open(self, text: str, uri: str = URI) -> None:
        item = {"uri": uri, "languageId": "ispl", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def diagnostics(self) -> list[Any]:
        while True:
            said = self.hear()
            if said.get("method") == "textDocument/publishDiagnostics":
                found: list[Any] = said["params"]["diagnostics"]
                return found


def test_an_editor_is_served(running: Running) -> None:
    with running.socket("/lsp") as socket:
        editor = Editor(socket)
        editor.begin()
        editor.open("Agent")
        wrong = editor.diagnostics()
        place = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}}

        assert wrong
        assert isinstance(editor.ask("textDocument/completion", place), dict | list)


def test_two_editors_have_servers_of_their_own(running: Running) -> None:
    with running.socket("/lsp") as one, running.socket("/lsp") as other:
        first, second = Editor(one), Editor(other)
        first.begin()
        second.begin()
        first.open("Agent")
        second.open(read_example("bit_transmission.ispl"))

        assert first.diagnostics()
        assert [] == [each for each in second.diagnostics() if each["severity"] == 1]


def test_no_folder_of_this_machine_is_looked_at(running: Running, tmp_path: Path) -> None:
    (tmp_path / "secret.ispl").write_text(read_example("bit_transmission.ispl"), encoding="utf-8")
    uri = tmp_path.as_uri()
    folder = {"uri": uri, "name": "x"}
    with running.socket("/lsp") as socket:
        editor = Editor(socket)
        editor.begin(rootUri=uri, rootPath=str(tmp_path), workspaceFolders=[folder])
        change = {"event": {"added": [folder], "removed": []}}
        editor.send("workspace/didChangeWorkspaceFolders", change)

        assert not editor.ask("workspace/symbol", {"query": ""})


def test_a_wish_to_end_ends_nobody_else(running: Running) -> None:
    with running.socket("/lsp") as socket:
        editor = Editor(socket)
        editor.begin()
        editor.ask("shutdown", None)
        editor.send("exit", None)
    with running.page() as page:
        assert "gnomon" in page.ask("hello")


def test_checks_of_an_editor_end_with_it(running: Running) -> None:
    from tests.studio.test_ending import slow_model

    with running.socket("/lsp") as socket:
        editor = Editor(socket)
        editor.begin()
        editor.open(slow_model())
        editor.diagnostics()
        arguments = [{"uri": URI}]
        params = {"command": "gnomon.check", "arguments": arguments}
        editor.send("workspace/executeCommand", params, id=77)
        assert until(lambda: bool(jobs()))
    assert until(lambda: not jobs())


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 5000, "method": "initialize", "params": 7},
        {"jsonrpc": "2.0", "id": 5000, "method": "textDocument/hover", "params": {}},
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"x": 1}},
        {"jsonrpc": "2.0", "id": 9, "result": 1},
        {},
        {"id": 5000},
    ],
)
def test_messages_that_make_no_sense_disturb_nobody(running: Running, message: Any) -> None:
    with running.socket("/lsp") as socket:
        socket.send(json.dumps(message))
        editor = Editor(socket)

        assert "capabilities" in editor.begin()
