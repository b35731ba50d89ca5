"""The TextMate grammar in the engine that editors have, where it is at hand.

`npm ci` in `editors/grammar/test` brings it there.
"""

import json
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from typing import NamedTuple

import pytest

from tests.colouring import (
    NAMES_AS_WORDS,
    WORDS_AS_WORDS,
    Piece,
    agrees,
    pieces,
    programs,
    read_program,
)
from tests.support import EXAMPLES, ROOT, shared_models_or_none

GRAMMAR = ROOT / "editors" / "grammar" / "ispl.tmLanguage.json"
HARNESS = ROOT / "editors" / "grammar" / "test"

#: Where programs are; those that others wrote take longer, and need not be there.
FOLDERS = [
    pytest.param(str(EXAMPLES), id="examples"),
    *(
        pytest.param(str(folder), id="shared", marks=pytest.mark.slow)
        for folder in [shared_models_or_none()]
        if folder
    ),
]
#: From the particular to the general.
SORTS = {
    "comment.line.documentation": "remark",
    "comment": "comment",
    "keyword.operator.logical": "operator",
    "keyword.operator.arithmetic": "operator",
    "keyword.operator.comparison": "sign",
    "keyword.operator.range": "sign",
    "keyword.operator.assignment": "sign",
    "punctuation": "sign",
    "keyword": "word",
    "storage": "word",
    "constant.language": "word",
    "support.function": "word",
    "variable.language": "word",
    "constant.numeric": "number",
    "variable.other": "name",
    "entity.name": "name",
}

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (HARNESS / "node_modules").is_dir(),
    reason="no node with the engine of editors",
)


class Coloured(NamedTuple):
    """A piece of text with its scopes, from the outside in."""

    start: int
    end: int
    scopes: tuple[str, ...]

    @property
    def scope(self) -> str:
        """Return the innermost scope, without the name of the language."""
        return self.scopes[-1].removesuffix(".ispl")


def coloured(*texts: str) -> list[list[Coloured]]:
    """Return what the engine makes of texts."""
    done = subprocess.run(
        ["node", str(HARNESS / "tokenize.mjs"), str(GRAMMAR)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        [piece for line in placed(text, found) for piece in line]
        for text, found in zip(texts, json.loads(done.stdout), strict=True)
    ]


def placed(text: str, lines: list[list[tuple[int, int, list[str]]]]) -> list[list[Coloured]]:
    """Return pieces of lines, whose columns count units of UTF-16, as pieces of the text."""
    result = []
    start = 0
    for line, found in zip(text.split("\n"), lines, strict=True):
        units = line.encode("utf-16-le")

        def place(column: int, units: bytes = units, start: int = start) -> int:
            return start + len(units[: 2 * column].decode("utf-16-le"))

        result.append([Coloured(place(a), place(b), tuple(scopes)) for a, b, scopes in found])
        start += len(line) + 1
    return result


def sort(piece: Coloured, text: str) -> str:
    """Return what a piece is coloured as; a comment is one whatever stands in it."""
    comments = [scope for scope in piece.scopes if scope.startswith("comment")]
    scope = comments[0] if comments else piece.scope
    found = next((found for prefix, found in SORTS.items() if scope.startswith(prefix)), scope)
    if found == "operator":
        return "word" if text[piece.start].isalpha() else "sign"
    return found


def disagreements(text: str, found: list[Coloured]) -> list[tuple[Piece, str]]:
    """Return the pieces that do not lie inside one of their sort."""
    by_place = {place: piece for piece in found for place in range(piece.start, piece.end)}
    wrong = []
    for piece in pieces(text):
        there = by_place[piece.start]
        whole = there.start <= piece.start and piece.end <= there.end
        # What stands in a comment for us is told apart from the comment.
        whole |= piece.sort == "remark"
        colour = sort(there, text)
        if not (whole and agrees(piece, colour)):
            wrong.append((piece, colour))
    return wrong


@cache
def all_coloured(folder: str) -> dict[str, tuple[str, list[Coloured]]]:
    """Return the programs below a folder as they are coloured, by one process."""
    texts = {}
    for name, path in programs().items():
        with suppress(pytest.skip.Exception):
            if path.is_relative_to(folder):
                texts[name] = read_program(path)
    found = coloured(*texts.values())
    return {name: (text, each) for (name, text), each in zip(texts.items(), found, strict=True)}


@cache
def scopes_of(*texts: str) -> list[list[tuple[str, str]]]:
    """Return the words of texts with their innermost scopes."""
    return [
        [
            (text[piece.start : piece.end], piece.scope)
            for piece in found
            if text[piece.start : piece.end].strip()
        ]
        for text, found in zip(texts, coloured(*texts), strict=True)
    ]


# Programs


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_token_of_a_program_has_a_scope_of_its_sort(folder: str) -> None:
    wrong = {
        name: bad[:5]
        for name, (text, found) in all_coloured(folder).items()
        if (bad := disagreements(text, found))
    }

    assert {} == wrong


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_program_has_mistakes_or_leaves_a_section_open(folder: str) -> None:
    assert all_coloured(folder)
    for name, (text, found) in all_coloured(folder).items():
        illegal = {text[piece.start : piece.end] for piece in found if "invalid" in piece.scope}
        last = [piece for piece in found if text[piece.start : piece.end].isalpha()][-1]

        assert set() == illegal, name
        # Its last word closes a section, or it would not be coloured as one that does.
        assert last.scope == "keyword.control.section", name


def test_words_that_are_names_are_coloured_as_names() -> None:
    assert [] == disagreements(NAMES_AS_WORDS, coloured(NAMES_AS_WORDS)[0])


def test_words_that_mean_something_are_coloured_as_words() -> None:
    assert [] == disagreements(WORDS_AS_WORDS, coloured(WORDS_AS_WORDS)[0])


# Text that is not finished

REST = """
Agent Bob
  Vars:
    state : { A, E, W };
  end Vars
end Agent
Evaluation
  p if Bob.state = A;
end Evaluation
Formulae
  safe: AG p expect true;
end Formulae
"""

BROKEN = [
    "Agent Ann\n  Vars:\n    x : {",
    "Agent Ann\n  Vars:\n    x : 0..",
    "Agent Ann\n  Actions = { a, b",
    "Agent Ann\n  Protocol:\n    Other : { a",
    "Agent Ann\n  Evolution:\n    x = (if y then",
    "Agent",
    "Semantics =",
    "Constants n",
    "Types\n  T :",
    "Evaluation\n  p if (((",
    "Groups g = {",
    "Formulae\n  A(p U",
    "Formulae\n  <a, b",
    "Formulae\n  for i : 1..n:\n    AG p;",
    "Fairness\n  p;\nend",
    "end Agent",
    '"a string that never ends',
    "/* a comment that never ends",
    "--! expect",
    "((([[{{",
]


def test_what_follows_broken_text_is_coloured_as_ever() -> None:
    [expected], found = scopes_of(REST), scopes_of(*(broken + REST for broken in BROKEN))

    for broken, scopes in zip(BROKEN, found, strict=True):
        assert expected == scopes[-len(expected) :], broken


def test_any_beginning_of_a_program_colours_nothing_behind_it() -> None:
    beginnings = [WORDS_AS_WORDS[:length] for length in range(0, len(WORDS_AS_WORDS), 13)]
    [expected], found = scopes_of(REST), scopes_of(*(text + REST for text in beginnings))

    for beginning, scopes in zip(beginnings, found, strict=True):
        assert expected == scopes[-len(expected) :], beginning[-40:]


# Single scopes


SCOPES = (
    ("Agent Ann", "Ann", "entity.name.type.agent"),
    ("Template Bee [1..*]", "Bee", "entity.name.type.agent"),
    ("Evaluation p if x; end Evaluation", "p", "entity.name.function"),
    ("Formulae safe: AG p; end Formulae", "safe", "entity.name.function"),
    ("Constants n = 3;", "n", "variable.other.constant"),
    ("Vars: x : boolean; end Vars", "boolean", "storage.type"),
    ("Vars: x : int; end Vars", "int", "storage.type"),
    ("Formulae AG p; end Formulae", "AG", "keyword.operator.temporal"),
    ("Formulae K(a, p); end Formulae", "K", "keyword.operator.epistemic"),
    ("Vars: x : { K, A }; end Vars", "K", "variable.other"),
    ("Formulae p; end Formulae", "end", "keyword.control.end"),
    ("x = 12", "12", "constant.numeric.integer"),
    ("-- words", "-- words", "comment.line.double-dash"),
    ("--!drawn", "--!drawn", "comment.line.double-dash"),
    ("--! safe expect false", "safe", "entity.name.function"),
    ("--! safe expect false", "expect", "keyword.control.expectation"),
    ("--! allow G0407", "G0407", "constant.other.code"),
    ("Semantics = MA;", "MA", "constant.language.semantics"),
    ("x // y", "// y", "invalid.illegal"),
)


@pytest.mark.parametrize(("text", "word", "scope"), SCOPES)
def test_a_piece_has_its_scope(text: str, word: str, scope: str) -> None:
    texts = [each for each, _, _ in SCOPES]

    assert (word, scope) in scopes_of(*texts)[texts.index(text)]
