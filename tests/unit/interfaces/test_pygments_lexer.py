"""ISPL in Pygments: nothing of a text is lost, and every piece is coloured as what it is."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.language import words
from gnomon.language.lexer import OPERATORS
from tests.colouring import (
    NAMES_AS_WORDS,
    OURS,
    WORDS_AS_WORDS,
    Piece,
    agrees,
    pieces,
    programs,
    read_program,
)

pytest.importorskip("pygments")

from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    Token,
    Whitespace,
)

from gnomon.interfaces.pygments_lexer import TOKENS, IsplLexer

#: From the particular to the general.
SORTS = (
    (Comment.Special, "remark"),
    (Comment, "comment"),
    (Operator.Word, "word"),
    (Keyword, "word"),
    (Name.Builtin, "word"),
    (Name, "name"),
    (Number, "number"),
    (Operator, "sign"),
    (Punctuation, "sign"),
)
PROGRAMS = programs()
#: Words and signs that a text may have in any order.
PARTS = [
    *sorted(words.KEYWORDS | OURS | OPERATORS),
    *("x", "0", "12", "\n", "\r\n", "\t", "--", "--! ", '"', "'", "//", "#", "_", "é", "\x00"),
]


def tokens(text: str) -> list[tuple[int, Any, str]]:
    return list(IsplLexer().get_tokens_unprocessed(text))


def sort(token: Any) -> str:
    return next((sort for kind, sort in SORTS if token in kind), str(token))


def disagreements(text: str) -> list[tuple[Piece, str]]:
    """Return the pieces that do not lie inside one token of their sort."""
    by_place = {
        place: (start, start + len(part), sort(kind))
        for start, kind, part in tokens(text)
        for place in range(start, start + len(part))
    }
    wrong = []
    for piece in pieces(text):
        start, end, found = by_place[piece.start]
        if not (start <= piece.start and piece.end <= end and agrees(piece, found)):
            wrong.append((piece, found))
    return wrong


def kinds(text: str, word: str) -> set[Any]:
    return {kind for _, kind, part in tokens(text) if part == word}


# Nothing is lost


@pytest.mark.parametrize("path", PROGRAMS.values(), ids=PROGRAMS)
def test_every_token_of_a_program_lies_in_one_of_its_sort(path: Path) -> None:
    text = read_program(path)

    assert [] == disagreements(text)


@pytest.mark.parametrize("path", PROGRAMS.values(), ids=PROGRAMS)
def test_no_program_has_mistakes_and_all_of_it_is_there(path: Path) -> None:
    text = read_program(path)
    found = tokens(text)

    assert text == "".join(part for _, _, part in found)
    assert [] == [part for _, kind, part in found if kind in Error]


@given(st.text())
def test_nothing_of_any_text_is_lost(text: str) -> None:
    assert text == "".join(part for _, _, part in tokens(text))


@given(st.lists(st.sampled_from(PARTS)))
def test_nothing_of_a_row_of_words_is_lost(parts: list[str]) -> None:
    text = " ".join(parts)

    assert text == "".join(part for _, _, part in tokens(text))


# What words are


def test_words_that_are_names_are_coloured_as_names() -> None:
    assert [] == disagreements(NAMES_AS_WORDS)


def test_words_that_mean_something_are_coloured_as_words() -> None:
    assert [] == disagreements(WORDS_AS_WORDS)


def test_a_word_of_the_register_is_coloured_as_it_is_there() -> None:
    assert TOKENS.keys() == words.RESERVED.keys() | words.CONTEXTUAL.keys()
    for role, texts in words.RESERVED.items():
        for word in texts:
            allowed = {TOKENS[each] for each in TOKENS if word in words.words(each)}
            found = kinds(f"Formulae\n ({word} p", word)

            assert found <= {*allowed, Keyword.Pseudo}, (role, word)


@pytest.mark.parametrize("word", sorted(words.FORMULA_WORDS))
def test_words_of_formulae_are_names_elsewhere(word: str) -> None:
    assert {Name} == kinds(f"Agent a\n Vars: x : {{ {word}, b }}; end Vars", word)
    assert {Keyword.Reserved} == kinds(f"Formulae {word} (p); end Formulae", word)


def test_what_is_declared_has_a_colour_of_its_own() -> None:
    text = "Agent Sam end Agent Evaluation p if x; end Evaluation Formulae q: AG p; end Formulae"

    assert {Name.Class} == kinds(text, "Sam")
    assert Name.Function in kinds(text, "p")
    assert {Name.Function} == kinds(text, "q")


@pytest.mark.parametrize(
    ("text", "kind"),
    [("// x", Error), ('"x"', Error), ("/* x */", Error), ("-- x", Comment.Single)],
)
def test_what_other_languages_write_is_one_mistake(text: str, kind: Any) -> None:
    assert [(0, kind, text)] == tokens(text)


# Text that is not finished


@pytest.mark.parametrize(
    "broken",
    [
        "Vars: x : {",
        "Protocol: Other : { a",
        "Evaluation p if (",
        "Actions = { a",
        "Types T :",
        "Formulae A(",
    ],
)
def test_what_follows_an_unfinished_section_is_coloured_as_ever(broken: str) -> None:
    rest = "\nAgent Bob\n  Vars:\n    E : boolean;\n  end Vars\nend Agent\n"
    found = [(kind, part) for _, kind, part in tokens(broken + rest) if kind not in Whitespace]

    assert [each[1:] for each in tokens(rest) if each[1] not in Whitespace] == found[-12:]
    assert (Name, "E") in found


def test_pygments_knows_it_by_its_names() -> None:
    assert ("ISPL", ["ispl", "gnomon"]) == (IsplLexer.name, IsplLexer.aliases)
    assert ["*.ispl", "*.pmas"] == IsplLexer.filenames
    assert Token not in {kind for _, kind, _ in tokens(WORDS_AS_WORDS)}
