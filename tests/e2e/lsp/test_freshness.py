"""Whatever is typed while checks begin, go on, are cancelled and end: what is fresh is true of the text."""

import asyncio
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from gnomon.checking.load import load_text
from gnomon.interfaces.lsp import check_progress
from tests.editor import Editor, Session, example, session, soon

pytestmark = pytest.mark.asyncio

MODEL = """Agent Ann
  Vars: k : 0..4; end Vars
  Actions = { up };
  Protocol: Other : { up }; end Protocol
  Evolution: k = k + 1 if k < MOST; end Evolution
end Agent
Evaluation
  high if Ann.k = 2;
end Evaluation
InitStates Ann.k = 0; end InitStates
Formulae
  reached : EF high;
  never : AG !high;
  ADDED
end Formulae
"""
ADDED = ("", "-- a comment", "third : EG !high;", "EF high;")


def _text(most: int, added: str) -> str:
    return MODEL.replace("MOST", str(most)).replace("ADDED", added)


def _truth(most: int) -> dict[str, str]:
    up = most >= 2
    return {
        "reached": "true" if up else "false",
        "never": "false" if up else "true",
        "third": "false" if up else "true",
        "3": "true" if up else "false",
    }


def _replace_all(editor: Editor, text: str) -> None:
    editor.text = text
    editor.version += 1
    editor.client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(editor.version, editor.uri),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
    )


def _answers_late(server: Session) -> asyncio.Event:
    """Let the client say where progress is shown only once the event is set."""
    answered = asyncio.Event()

    async def late(_: object) -> None:
        await answered.wait()

    server.client.protocol.fm.features[types.WINDOW_WORK_DONE_PROGRESS_CREATE] = late
    return answered


async def test_an_edit_while_a_check_begins_leaves_nothing_old_fresh() -> None:
    async with session(panel=True) as server:
        answered = _answers_late(server)
        editor = await server.open(_text(1, ""))
        asked = asyncio.ensure_future(editor.command("gnomon.check", numbers=None))
        await asyncio.sleep(0.3)
        _replace_all(editor, _text(3, ""))
        await editor.diagnostics()
        answered.set()
        await soon(asked)
        found = await editor.ask("gnomon/formulae")

    assert "fresh" not in {each["state"] for each in found}


async def test_a_comment_that_is_written_while_the_first_check_begins_makes_nothing_stale() -> None:
    async with session(panel=True) as server:
        answered = _answers_late(server)
        editor = await server.open(_text(1, ""))
        asked = asyncio.ensure_future(editor.command("gnomon.check", numbers=None))
        await asyncio.sleep(0.3)
        _replace_all(editor, "-- a comment\n" + _text(1, ""))
        await editor.diagnostics()
        answered.set()
        await soon(asked)
        found = await editor.ask("gnomon/formulae")

    assert {"fresh"} == {each["state"] for each in found}


async def test_a_client_that_answers_very_late_has_its_check_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check_progress, "_PATIENCE", 0.1)
    async with session(panel=True) as server:
        answered = _answers_late(server)
        editor = await server.open(_text(1, ""))
        found = await editor.command("gnomon.check", numbers=None)
        answered.set()
        again = await editor.ask("gnomon/formulae")

    assert {"fresh"} == {each["state"] for each in found["formulae"]}
    assert found["formulae"] == again
    assert [] == server.client.messages


class _Hurry:
    """Somebody who types and checks at once."""

    def __init__(self, editor: Editor, seed: int) -> None:
        self.editor = editor
        self.random = Random(seed)
        self.most = 1
        self.asked: list[asyncio.Future[Any]] = []
        self.fresh = 0

    async def act(self) -> None:
        """Do something, and look at what is shown."""
        act = self.random.choice(("type", "type", "check", "check", "look", "cancel", "wait"))
        if act == "type":
            self.most = self.random.choice((1, 2, 3))
            _replace_all(self.editor, _text(self.most, self.random.choice(ADDED)))
        elif act == "check":
            numbers = self.random.choice((None, [1], [2], [1, 2]))
            self.asked.append(
                asyncio.ensure_future(self.editor.command("gnomon.check", numbers=numbers))
            )
        elif act == "cancel":
            await self.editor.command("gnomon.cancel")
        elif act == "wait":
            await asyncio.sleep(self.random.random() * 0.3)
        await self.look()

    async def look(self) -> None:
        """Compare all that is fresh with what is true of the text as it is now."""
        version, most = self.editor.version, self.most
        with suppress(JsonRpcException):
            found = await self.editor.ask("gnomon/formulae")
            assert version == self.editor.version

            for each in found:
                if each["state"] == "fresh" and each["verdict"]["value"] != "unknown":
                    self.fresh += 1
                    assert _truth(most)[each["label"]] == each["verdict"]["value"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
async def test_whoever_types_and_checks_at_once_sees_nothing_old_as_fresh(seed: int) -> None:
    async with session(panel=True) as server:
        typist = _Hurry(await server.open(_text(1, "")), seed)
        for _ in range(60):
            await typist.act()
        await soon(asyncio.gather(*typist.asked, return_exceptions=True))
        await typist.look()
        await typist.editor.command("gnomon.check", numbers=None)
        await typist.look()
        told_by_versions(server, typist.editor)

    assert typist.fresh


def told_by_versions(server: Session, editor: Editor) -> None:
    """See that the last word to a client with a panel is about the text as it is."""
    last = [each for each in server.told if each["uri"] == editor.uri][-1]
    labels = [each["label"] for each in last["formulae"]]

    assert ["reached", "never"] == labels[:2]


async def test_versions_that_do_not_rise_are_versions_all_the_same() -> None:
    async with session(panel=True) as server:
        editor = await server.open(_text(1, ""))
        await editor.command("gnomon.check", numbers=None)
        editor.version = 0  # the next one is 1 again
        _replace_all(editor, _text(3, ""))
        found = await editor.ask("gnomon/formulae")
        editor.version = -7
        _replace_all(editor, "rubbish")
        said = await editor.diagnostics()

    assert {"stale"} == {each["state"] for each in found}
    assert said


async def test_after_many_edits_at_once_the_server_has_the_text_of_the_editor() -> None:
    random = Random(5)
    async with session(own_process=True) as server:
        editor = await server.open(example("tickets.ispl").replace("\n", "\r\n"))
        for _ in range(8):
            for _ in range(40):
                start = _before_line_end(editor.text, random.randrange(len(editor.text) + 1))
                end = start
                if random.random() < 0.4:
                    end = _before_line_end(editor.text, min(len(editor.text), start + 7))
                editor.replace(start, end, random.choice(("x", ";", "\r\n", "𝄞", "-- ü\u2028", "")))
            said = await editor.diagnostics()
            found = {(each.code, editor.offset(each.range.start)) for each in said}
            expected = {
                (each.code, each.span.start)
                for each in load_text(editor.text).diagnostics
                if each.span is not None and each.span.start < each.span.end
            }

            assert expected <= found


def _before_line_end(text: str, offset: int) -> int:
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset
