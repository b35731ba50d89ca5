import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.language import lexer
from gnomon.language.lexer import FORMULA_WORDS, KEYWORDS, tokenize
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Source


def tokens(text: str) -> list[str]:
    source = Source("t", text)
    found = tokenize(source, Diagnostics(source))
    assert "end of file" == found.kinds[-1]
    for start, end, piece in zip(found.starts, found.ends, found.texts, strict=True):
        assert piece == text[start:end]
    return found.texts[:-1]


def kinds(text: str) -> list[str]:
    source = Source("t", text)
    return tokenize(source, Diagnostics(source)).kinds[:-1]


def complaints(text: str) -> list[str]:
    source = Source("t", text)
    diagnostics = Diagnostics(source)
    tokenize(source, diagnostics)
    return [f"{item.code} {item.message} / {item.help}" for item in diagnostics.items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x--1", ["x"]),
        ("x- -1", ["x", "-", "-", "1"]),
        ("x---1\ny", ["x", "y"]),
        ("a<-1", ["a", "<", "-", "1"]),
        ("a<=-1", ["a", "<=", "-", "1"]),
        ("a<>b", ["a", "<>", "b"]),
        ("a!=b", ["a", "!=", "b"]),
        ("a! =b", ["a", "!", "=", "b"]),
        ("a->b", ["a", "->", "b"]),
        ("a-->b", ["a"]),
        ("0..3", ["0", "..", "3"]),
        ("0...3", ["0", "..", ".", "3"]),
        ("-3..-1", ["-", "3", "..", "-", "1"]),
        ("1x", ["1", "x"]),
        ("x1_2", ["x1_2"]),
        ("CTL*", ["CTL*"]),
        ("CTL *", ["CTL", "*"]),
        ("CTL*A", ["CTL*", "A"]),
        ("CTLx*", ["CTLx", "*"]),
        ("x\r\ny\f\vz\tw", ["x", "y", "z", "w"]),
        ("", []),
        ("--", []),
        ("-- x\n-- y\n z", ["z"]),
        ("A.x", ["A", ".", "x"]),
    ],
)
def test_a_text_is_cut_into_these_tokens(text: str, expected: list[str]) -> None:
    assert expected == tokens(text)


def test_capital_letters_matter() -> None:
    assert ["Agent", "name", "AG", "name"] == kinds("Agent agent AG ag")


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_a_reserved_word_is_its_own_kind(word: str) -> None:
    assert [word] == kinds(word)


def test_ctl_alone_is_not_reserved() -> None:
    assert ["name"] == kinds("CTL")


@pytest.mark.parametrize("word", "for where int div mod sum exists forall Constants LDL".split())
def test_our_own_words_stay_free_for_names(word: str) -> None:
    assert ["name"] == kinds(word)


def test_words_of_formulae_are_reserved() -> None:
    assert FORMULA_WORDS <= KEYWORDS


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('x = "a"', "quotation marks"),
        ("x = 'a'", "quotation marks"),
        ("x = “a”", "quotation marks"),
        ("_x = 1", "starts with a letter"),
        ("é = 1", "only in comments"),
        ("x ≠ 1", "`x <> 1`"),
        ("x @ 1", ""),
    ],
)
def test_an_unknown_character_is_reported_with_a_hint(text: str, hint: str) -> None:
    found = complaints(text)

    assert found
    assert found[0].startswith("G0101")
    assert hint in found[0]


def test_neighbouring_unknown_characters_are_reported_once() -> None:
    assert 1 == len(complaints("x ∀∃é y"))


def test_unknown_characters_in_comments_are_fine() -> None:
    assert [] == complaints("x -- ∀ é \" '")


@pytest.mark.parametrize("text", ["\x00", "\x1b[31m", "\u202e", "\ufeff", "\n\u2028"])
def test_a_message_never_holds_characters_that_cannot_be_shown(text: str) -> None:
    assert all(item.isprintable() for item in complaints(text))


#: Every sort of piece, and what could be two or more of them.
ODD_PIECES = [
    "<->",
    "->",
    "<",
    "-",
    ">",
    "--",
    "-- a 'b'\n",
    "--! x",
    '"a b"',
    '"',
    "'a'",
    "'",
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "\t",
    "CTL*",
    "CTL",
    "*",
    "ab1",
    "12",
    "..",
    ".",
    ":=",
    "<=",
    "<>",
    "é¬",
    "#",
    "\r\n",
    "/",
    "\\/",
]


@given(st.lists(st.sampled_from(ODD_PIECES), max_size=40), st.integers(8, 40))
def test_how_much_is_cut_at_once_makes_no_difference(pieces: list[str], portion: int) -> None:
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexer, "_PORTION", portion)
        few, said = tokens_and_words(text)

    assert (few, said) == tokens_and_words(text)


def tokens_and_words(text: str) -> tuple[list[object], list[object]]:
    """Return all that the lexer makes of a text."""
    source = Source("<text>", text)
    diagnostics = Diagnostics(source)
    found = tokenize(source, diagnostics)
    tokens: list[object] = list(
        zip(found.kinds, found.texts, found.starts, found.ends, strict=True)
    )
    said: list[object] = [(item.code, item.message, item.span) for item in diagnostics.items]
    return [*tokens, *found.remarks], said
