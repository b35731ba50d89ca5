"""An editor at random: whatever is typed, the server knows the text, and says what `gnomon check` would."""

import os
import re
from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest
from lsprotocol import types

from gnomon.checking.load import decoded
from gnomon.checking.question import Question, read
from gnomon.editing.analysis import Analysis
from gnomon.editing.colouring import coloured
from gnomon.editing.completion import complete
from gnomon.editing.fingerprint import formula_keys, is_harmless
from gnomon.editing.formatting import indentation
from gnomon.editing.hints import code_links, hints
from gnomon.editing.hover import hover
from gnomon.editing.outline import folds, grown, outline
from gnomon.editing.rename import RenameRefused, rename
from gnomon.editing.signatures import signature_at
from gnomon.interfaces.lsp.documents import OpenDocument
from gnomon.interfaces.lsp.positions import Encoding
from gnomon.interfaces.lsp.reading import TextReader
from gnomon.language.lexer import tokenize
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError
from gnomon.text.source import Source, Span
from tests.editor import example

#: What people type, and what texts are hard to count in.
PIECES = (
    "a", " ", "\n", "\r\n", "\r", ";", "-", "--", "--! ", "=", "(", ")", "{", "}", "<", ">", ".",
    ",", ":", "[",
    "end ", "Agent ", "Vars:\n", "Formulae\n", "Other : { none };\n", "-- ü → 𝄞\n", "é", "𝄞", "\u2028",
    "\x0c", "\t", "x = x + 1 if true;\n", "AG p;\n", "K(Ann, ", "<all>F ", "--! allow G0407\n", "\ufeff",
    "for i : 1..2: ", "end for\n", "1..3", "true", "boolean",
)  # fmt: skip

#: So many typists, and so many edits of each; with `make fuzz` there are more of both.
SEEDS = range(10 if os.environ.get("GNOMON_HYPOTHESIS") == "fuzz" else 6)
EDITS = {"fast": 20, "fuzz": 1_000}.get(os.environ.get("GNOMON_HYPOTHESIS", ""), 80)

NAMES = (
    "bit_transmission.ispl",
    "dining_cryptographers.ispl",
    "nim.ispl",
    "parameterised/rooms.ispl",
    "unbounded/tunnels.ispl",
)


class _Typist:
    """Types, pastes, deletes and undoes, and knows what the text must be."""

    def __init__(self, seed: int, encoding: Encoding) -> None:
        self.random = Random(seed)
        self.encoding = encoding
        text = example(self.random.choice(NAMES))
        if self.random.random() < 0.5:
            text = text.replace("\n", "\r\n")
        self.texts = [text]
        self.harmless = 0
        self.other = example(self.random.choice(NAMES))
        self.document = OpenDocument("file:///a.ispl", text, 1, encoding)

    def edit(self) -> None:
        """Make one change, as the protocol says it."""
        old = self.texts[-1]
        chance = self.random.random()
        if chance < 0.4 and len(self.texts) > 1:
            # Undoes one change or all: most of the time the text should nearly be one that can be read.
            self.texts = self.texts[: 1 if chance < 0.08 else -1]
            whole = types.TextDocumentContentChangeWholeDocument(self.texts[-1])
            self._change(whole)
            return
        start = self.random.randrange(len(old) + 1)
        end = start
        if self.random.random() < 0.5:
            end = min(len(old), start + self.random.choice((1, 1, 1, 3, 20, 200)))
        new = self.random.choice((self._typed, self._pasted, lambda: ""))()
        start, end = _between_signs(old, start), _between_signs(old, end)
        self.texts.append(old[:start] + new + old[end:])
        if is_harmless(old, Span(start, end), new):
            self.harmless += 1
            assert _read_by_us(old) == _read_by_us(self.texts[-1])

        del self.texts[1:-6]
        place = types.Range(self._position(old, start), self._position(old, end))
        self._change(types.TextDocumentContentChangePartial(place, new))

    def _change(self, change: types.TextDocumentContentChangeEvent) -> None:
        self.document.change([change], self.document.version + 1)

    def _typed(self) -> str:
        return self.random.choice(PIECES)

    def _pasted(self) -> str:
        start = self.random.randrange(len(self.other))
        return self.other[start : start + self.random.choice((5, 40, 300))]

    def _position(self, text: str, offset: int) -> types.Position:
        """Return a place as a client counts it: slowly, and line by line."""
        lines = re.split(r"\r\n|\r|\n", text[:offset])
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        name = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        return types.Position(len(lines) - 1, len(lines[-1].encode(name)) // size)


def _read_by_us(text: str) -> tuple[object, ...]:
    """Return the tokens of a text, and the comments that say something to us."""
    source = Source("a.ispl", text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = tokenize(source, Diagnostics(source))
    return tokens.texts, [source.slice(span) for _, span in tokens.remarks]


def _between_signs(text: str, offset: int) -> int:
    """Return a place that is not inside the end of a line: no client has its cursor there."""
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


def _said_by_the_command(text: str) -> tuple[Diagnostic, ...]:
    """Return what `gnomon check` says of a file before it decides anything."""
    try:
        source = decoded("a.ispl", text.encode())
    except InputError as error:
        return error.diagnostics
    return read(Question(source.text, "a.ispl")).diagnostics


def _comparable(said: tuple[Diagnostic, ...], moved: int) -> list[tuple[object, ...]]:
    """Return diagnostics without the text that they are about; a mark at its beginning moves all places."""
    return [
        (
            each.code,
            each.message,
            each.severity,
            None if each.span is None else (each.span.start + moved, each.span.end + moved),
            each.label,
            each.notes,
            each.help,
            tuple((label.span.start + moved, label.text) for label in each.related),
        )
        for each in said
    ]


def _ask_everything(analysis: Analysis, document: OpenDocument, random: Random) -> None:
    """Ask all that an editor asks; whatever the text is, there is an answer."""
    offset = random.randrange(len(document.text) + 1)
    position = document.lines.position(offset)
    assert document.lines.offset(position) <= offset

    outline(analysis)
    list(folds(analysis))
    list(hints(analysis))
    list(code_links(analysis))
    formula_keys(analysis)
    hover(analysis, offset)
    spans = grown(analysis, offset)
    assert all(a.start >= b.start and a.end <= b.end for a, b in pairwise(spans))

    tokens = [token.span for token in coloured(analysis, 0, len(document.text))]
    assert all(a.end <= b.start for a, b in pairwise(tokens))

    complete(document.text, offset, analysis, snippets=True)
    signature_at(document.text, offset, analysis)
    indentation(document.text, offset)
    with suppress(RenameRefused):
        rename(analysis, offset, "quite_new")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_typed_the_diagnostics_are_those_of_the_command(seed: int) -> None:
    encodings: tuple[Encoding, ...] = ("utf-16", "utf-8", "utf-32")
    typist = _Typist(seed, encodings[seed % 3])
    reader = TextReader()
    for number in range(EDITS):
        typist.edit()
        document, text = typist.document, typist.texts[-1]
        assert text == document.text

        found = reader.read(document.uri, text, "a.ispl", keys=bool(number % 2)).analysis
        marked = int(text.startswith("\ufeff"))
        expected = _comparable(_said_by_the_command(text), marked)
        assert expected == _comparable(found.diagnostics, 0)

        if number % 5 == 0:
            _ask_everything(found, document, typist.random)
    assert typist.harmless or EDITS < 80
