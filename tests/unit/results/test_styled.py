from unicodedata import category, east_asian_width

import pytest

from gnomon.results import styled
from gnomon.results.styled import (
    STYLES,
    Styled,
    StyledText,
    fill,
    line,
    pad,
    squeeze,
    visible,
    width_of,
    wrap,
)


def test_plain_text_has_no_spaces_at_line_ends() -> None:
    text = StyledText()
    text.add("a", Styled("b  ", "strong"))
    text.add()

    assert text.plain() == "ab\n\n"


def test_empty_spans_are_left_out_of_a_line() -> None:
    assert line("", Styled("x", "dim"), Styled("", "strong")) == (Styled("x", "dim"),)


def test_indentation_leaves_blank_lines_blank() -> None:
    inner = StyledText([line("a"), ()])
    outer = StyledText()
    outer.extend(inner, "  ")

    assert outer.lines == [(Styled("  "), Styled("a")), ()]


def test_wide_and_combining_characters_count_as_terminals_count_them() -> None:
    assert (width_of("abc"), width_of("漢字"), width_of("e\u0301")) == (3, 4, 1)
    assert pad("漢", 4) == "漢  "


def test_squeezing_puts_a_text_on_one_line() -> None:
    assert squeeze(" a\n  b\tc ") == "a b c"


def test_wrapping_cuts_at_spaces_and_indents_what_follows() -> None:
    assert wrap("aa bb cc", 5, "  ") == ["aa bb", "  cc"]


def test_a_word_longer_than_the_line_stays_whole() -> None:
    assert wrap("a bbbbbbbb c", 4) == ["a", "bbbbbbbb", "c"]


def test_wrapping_nothing_gives_one_empty_line() -> None:
    assert wrap("", 10) == [""]


def test_filling_keeps_pieces_whole() -> None:
    assert fill(["x = 1", "y = 2", "z = 3"], 12, joint=", ") == ["x = 1,", "y = 2, z = 3"]


def test_every_style_has_a_colour_in_the_terminal() -> None:
    from gnomon.interfaces.cli.screen import COLOURS

    assert set(COLOURS) == STYLES


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ✓ é 漢", "plain ✓ é 漢"),
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\rb", r"a\x0db"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202egnp\u2066", r"\u202egnp\u2066"),
        ("\udcff", r"\xff"),
        ("\ud800", r"\ud800"),
        ("\u200b\ufeff\U000e0041", r"\u200b\ufeff\U000e0041"),
        ("\ufffe\uffff", r"\ufffe\uffff"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\tb\nc", "a\tb\nc"),
    ],
)
def test_nothing_visible_acts_on_a_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_has_no_line_ends_in_it() -> None:
    page = StyledText()
    page.add("a\nb", Styled("\x1b[1m", "strong"))

    assert page.plain() == "a\\x0ab\\x1b[1m\n"


def test_our_own_signs_are_one_column_wide() -> None:
    signs = styled._OURS

    assert {1} == {styled.character_width(sign) for sign in signs}
    assert set() == {sign for sign in signs if east_asian_width(sign) in "WF"}
    assert set() == {sign for sign in signs if category(sign) in {"Mn", "Me", "Cf"}}


def test_pieces_flow_into_lines_of_whole_pieces() -> None:
    pieces = [styled.line("6 formulae: "), styled.line("5 true, "), styled.line("1 false")]

    assert [styled.plain(each) for each in styled.flow(pieces, 20, "  ")] == [
        "6 formulae: 5 true,",
        "  1 false",
    ]
    assert [styled.plain(each) for each in styled.flow(pieces, 5)] == [
        "6 formulae:",
        "5 true,",
        "1 false",
    ]
