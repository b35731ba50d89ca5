import io

import pytest

from gnomon.interfaces.cli.screen import OutputLost, Screen, wants_colour, width_of
from gnomon.results.styled import Styled, StyledText


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def text() -> StyledText:
    return StyledText([(Styled("✓ ", "true"), Styled("AG p"))])


def test_a_terminal_gets_colours() -> None:
    stream = Terminal()
    Screen(stream).write(text())

    assert stream.getvalue() == "\x1b[32m✓ \x1b[0mAG p\n"


def test_a_file_gets_none() -> None:
    stream = io.StringIO()
    Screen(stream).write(text())

    assert stream.getvalue() == "✓ AG p\n"


@pytest.mark.parametrize(
    ("variable", "value", "colour"),
    [("NO_COLOR", "1", False), ("TERM", "dumb", False), ("NO_COLOR", "", True)],
)
def test_the_environment_can_refuse_colours(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, colour: bool
) -> None:
    monkeypatch.setenv(variable, value)

    assert wants_colour(Terminal()) is colour


def test_colours_can_be_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert wants_colour(io.StringIO()) is True


def test_an_ascii_terminal_gets_other_signs() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Screen(stream).write("✓ ✗ │ ┌─ … é\n")

    assert raw.getvalue() == b"+ x | ,- ... \\xe9\n"


def test_the_width_is_that_of_the_environment_or_80(monkeypatch: pytest.MonkeyPatch) -> None:
    assert width_of(io.StringIO()) == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert width_of(io.StringIO()) == 132
    monkeypatch.setenv("COLUMNS", "wide")
    assert width_of(io.StringIO()) == 80


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_result_that_is_lost_is_an_error_and_a_remark_is_not() -> None:
    with pytest.raises(OutputLost, match="no space left on device"):
        Screen(Full()).write("a result")
    with pytest.raises(OutputLost):
        Screen(Full()).put("{}")
    Screen(Full(), needed=False).write("a remark")


def test_a_document_is_never_translated() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    Screen(stream).write("…\n")
    Screen(stream).put('{"a": "✓ \udcff"}\n')

    assert raw.getvalue() == '...\n{"a": "✓ \\udcff"}\n'.encode()


def test_words_never_act_on_a_terminal() -> None:
    stream = Terminal()
    words = StyledText()
    words.add(Styled("\x1b[2J", "error"))
    Screen(stream).write(words)
    Screen(stream).write("a\x1b]0;x\x07\n")

    assert stream.getvalue() == "\x1b[1;31m\\x1b[2J\x1b[0m\na\\x1b]0;x\\x07\n"


@pytest.mark.parametrize(
    ("columns", "width"), [("9" * 5000, 10_000), ("99999", 10_000), ("1", 40), ("000", 80)]
)
def test_any_width_may_be_asked_for(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    assert width_of(io.StringIO()) == width


def message() -> StyledText:
    return StyledText([(Styled("error[G0206]", "error"), Styled(": hidden", "strong"))])


def test_a_code_is_a_link_where_the_site_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_DOCS", "https://gnomon.example")
    stream = Terminal()
    Screen(stream).write(message())

    page = "https://gnomon.example/reference/codes/G0206.html"
    link = f"\x1b]8;;{page}\x1b\\G0206\x1b]8;;\x1b\\"
    assert f"\x1b[1;31merror[{link}]\x1b[0m\x1b[1m: hidden\x1b[0m\n" == stream.getvalue()


@pytest.mark.parametrize("site", ["", "javascript:alert(1)", "https://x/\x1b]0;y\x07"])
def test_a_code_is_no_link_without_a_site(monkeypatch: pytest.MonkeyPatch, site: str) -> None:
    monkeypatch.setenv("GNOMON_DOCS", site)
    stream = Terminal()
    Screen(stream).write(message())

    assert "\x1b[1;31merror[G0206]\x1b[0m\x1b[1m: hidden\x1b[0m\n" == stream.getvalue()


def test_files_and_pipes_get_no_links_even_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_DOCS", "https://gnomon.example")
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    Screen(stream).write(message())

    assert "\x1b[1;31merror[G0206]\x1b[0m\x1b[1m: hidden\x1b[0m\n" == stream.getvalue()


def test_what_a_model_says_becomes_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOMON_DOCS", "https://gnomon.example")
    stream = Terminal()
    Screen(stream).write(StyledText([(Styled("^^^ see error[G0206]", "error"),)]))

    assert "\x1b]8" not in stream.getvalue()
