"""Texts of an editor: changes, positions, and what another thread sees of them."""

import pytest
from lsprotocol import types

from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.pages import PageFiles
from gnomon.interfaces.lsp.positions import Encoding, TextLines
from gnomon.interfaces.lsp.reading import TextReader
from gnomon.interfaces.lsp.settings import EditorSettings, read_settings
from gnomon.text.source import Span

ODD = "a\u00e9\U0001d11e\r\nb\u2028c\x0cd\re\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_every_offset_is_a_position_and_back(encoding: Encoding) -> None:
    lines = TextLines(ODD, encoding)
    inside = ODD.index("\r\n") + 1
    for offset in range(len(ODD) + 1):
        if offset != inside:
            assert offset == lines.offset(lines.position(offset))


def test_lines_end_where_the_protocol_says() -> None:
    lines = TextLines(ODD)
    starts = [lines.offset(types.Position(line, 0)) for line in range(5)]

    assert [0, 5, 11, 13, 13] == starts
    assert types.Position(0, 4) == lines.position(3)


@pytest.mark.parametrize(
    ("position", "offset"),
    [((0, 99), 3), ((9, 0), 13), ((0, 3), 2), ((1, 2), 7)],
    ids=["behind the line", "behind the text", "inside a sign", "plain"],
)
def test_positions_that_are_nowhere_are_the_nearest_before(
    position: tuple[int, int], offset: int
) -> None:
    assert offset == TextLines(ODD).offset(types.Position(*position))


def test_half_a_sign_is_counted_as_one() -> None:
    lines = TextLines("x\ud800y\U0001d11ez")

    assert 3 == lines.offset(types.Position(0, 3))
    assert types.Position(0, 5) == lines.position(4)


def test_what_another_thread_sees_does_not_change() -> None:
    document = OpenDocument("file:///a.ispl", "Agent A", 1, "utf-16")
    still = document.frozen()
    place = types.Range(types.Position(0, 6), types.Position(0, 7))
    document.change([types.TextDocumentContentChangePartial(place, "B")], 2)

    assert ("Agent A", 1) == (still.text, still.version)
    assert ("Agent B", 2) == (document.text, document.version)
    assert still.revision != document.revision
    assert still.book is not document.book


def test_a_text_that_was_not_read_has_no_formulae() -> None:
    document = OpenDocument("untitled:Untitled-1", "Agent A", 1, "utf-16")

    assert [] == document.status("perfect")
    assert "untitled:Untitled-1" == document.name


def test_only_a_few_texts_are_remembered() -> None:
    reader = TextReader()
    for number in range(20):
        reader.read(f"file:///{number}", "Agent A", "a.ispl", keys=True)
    reader.forget("file:///19")

    assert len(reader._reloaders) < 10


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * (33 * 2**20)], ids=["NUL", "half", "large"])
def test_what_is_no_text_is_told(text: str) -> None:
    found = TextReader().read("file:///a", text, "a.ispl", keys=True)

    assert {"G0002", "G0003"} & {item.code for item in found.analysis.diagnostics}
    assert {} == dict(found.keys)


def test_settings_are_taken_as_far_as_they_can_be() -> None:
    found, wrong = read_settings({"check": {"timeout": 5, "memory": "much"}, "lenses": False})

    assert EditorSettings(timeout=5, lenses=False) == found
    assert 1 == len(wrong)
    assert (EditorSettings(), []) == read_settings(None)
    assert Span(0, 0) == TextLines("").span(types.Range(types.Position(3, 3), types.Position(0, 0)))


def test_a_code_leads_to_the_site_where_one_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = PageFiles()
    monkeypatch.setenv("GNOMON_DOCS", "https://gnomon.example/docs")

    assert "https://gnomon.example/docs/reference/codes/G0206.html" == pages.address("G0206")
    monkeypatch.setenv("GNOMON_DOCS", "mailto:someone")
    assert str(pages.address("G0206")).endswith("/G0206.md")
    pages.close()
