"""Where text goes: a stream, whether it can show colours and signs, and how wide it is."""

import os
import sys
from typing import TextIO

from gnomon.results.styled import Text

#: What each style looks like, as the numbers of ANSI's "select graphic rendition".
COLOURS = {
    "agent": "36",
    "dim": "2",
    "error": "1;31",
    "false": "1;31",
    "help": "32",
    "note": "34",
    "place": "34",
    "strong": "1",
    "true": "32",
    "unknown": "33",
    "warning": "1;33",
}

#: The signs we draw with, for an output that has only ASCII.
_ASCII = str.maketrans(
    {
        "✓": "T",
        "✗": "F",
        "┌": ",",
        "─": "-",
        "│": "|",
        "⋮": ":",
        "·": "-",
        "…": "...",
        "→": "->",
        "″": '"',
        "↓": "v",
        "╭": ",",
        "╰": "`",
        "▸": ">",
        "⊨": "|=",
        "×": "x",
    }
)


class Screen:
    """A stream and what it can show."""

    __slots__ = ("_encoding", "colour", "stream", "unicode", "width")

    def __init__(self, stream: TextIO, *, colour: bool | None = None) -> None:
        """Look at the stream and the environment; `colour` overrules both where it is given."""
        self.stream = stream
        self.colour = wants_colour(stream) if colour is None else colour
        self.width = width_of(stream)
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self.unicode = _can_show(self._encoding)

    def write(self, text: Text | str) -> None:
        """Write and flush, in colour where that is wanted."""
        if isinstance(text, Text):
            text = _coloured(text) if self.colour else text.plain()
        shown = text
        if not self.unicode:
            shown = shown.translate(_ASCII)
            shown = shown.encode(self._encoding, "backslashreplace").decode(self._encoding)
        self.stream.write(shown)
        self.stream.flush()


def standard_output(*, no_color: bool = False) -> Screen:
    """Return standard output."""
    return Screen(sys.stdout, colour=False if no_color else None)


def standard_error(*, no_color: bool = False) -> Screen:
    """Return standard error."""
    return Screen(sys.stderr, colour=False if no_color else None)


def wants_colour(stream: TextIO) -> bool:
    """Return whether colours are welcome (https://no-color.org, https://force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO) -> bool:
    """Return whether somebody is watching."""
    try:
        return stream.isatty()
    except ValueError:  # it is closed
        return False


def width_of(stream: TextIO) -> int:
    """Return the columns of the page: COLUMNS, the terminal's own, or 80."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return max(40, int(asked))
    try:
        return max(40, os.get_terminal_size(stream.fileno()).columns or 80)
    except (OSError, ValueError):
        return 80


def _can_show(encoding: str) -> bool:
    try:
        "✓✗│╭▸".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _coloured(text: Text) -> str:
    lines = []
    for spans in text.lines:
        parts = [
            f"\x1b[{COLOURS[style]}m{piece}\x1b[0m" if style else piece for piece, style in spans
        ]
        lines.append("".join(parts) + "\n")
    return "".join(lines)
