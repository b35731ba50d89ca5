import io

import pytest

from gnomon.interfaces.cli.screen import Screen, wants_colour, width_of
from gnomon.results.styled import Span, Text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def text() -> Text:
    return Text([(Span("✓ ", "true"), Span("AG p"))])


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

    assert raw.getvalue() == b"T F | ,- ... \\xe9\n"


def test_the_width_is_that_of_the_environment_or_80(monkeypatch: pytest.MonkeyPatch) -> None:
    assert width_of(io.StringIO()) == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert width_of(io.StringIO()) == 132
    monkeypatch.setenv("COLUMNS", "wide")
    assert width_of(io.StringIO()) == 80
