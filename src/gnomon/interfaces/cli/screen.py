"""Where text goes: a stream, whether it can show colours and signs, and how wide it is."""

import os
import re
import sys
from typing import IO, TextIO

import click

from gnomon.results.styled import Styled, StyledText, visible
from gnomon.text.addresses import code_address
from gnomon.text.errors import Abandoned

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
        "✓": "+",
        "✗": "x",
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


#: How a message names its code.
_CODED = re.compile(r"(?P<head>(?:error|warning)\[)(?P<code>G\d{4})(?P<tail>\])")
_CODED_STYLES = frozenset({"error", "warning"})

#: A page is never narrower than this, and not wider than anybody can mean.
_NARROWEST = 40
_WIDEST = 10_000


class OutputLost(click.ClickException):
    """Standard output cannot be written to: what was to be said is lost."""


class ReaderGone(Abandoned):
    """Whoever read our output has closed it: there is nobody left to talk to."""


class Screen:
    """A stream and what it can show.

    Where it is not `needed`, what cannot be written is left unsaid: results do not depend on it.
    """

    __slots__ = ("_encoding", "_needed", "colour", "links", "stream", "unicode", "width")

    def __init__(self, stream: TextIO, *, colour: bool | None = None, needed: bool = True) -> None:
        """Look at the stream and the environment; `colour` overrules both where it is given."""
        self.stream = stream
        self.colour = wants_colour(stream) if colour is None else colour
        #: Whether codes may be links: a file or a pipe may be coloured, but nobody can click there.
        self.links = self.colour and is_terminal(stream)
        self.width = width_of(stream)
        self._needed = needed
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self.unicode = _can_show(self._encoding)

    def write(self, text: StyledText | str) -> None:
        """Write words for people and flush, in colour where that is wanted.

        Nothing in them acts on the terminal but our own colours, and links from codes to their pages. An
        output that has only ASCII gets other signs.
        """
        words = visible(text) if isinstance(text, str) else self._drawn(text)
        if not self.unicode:
            words = words.translate(_ASCII)
        shown = words.encode(self._encoding, "backslashreplace").decode(self._encoding)
        self._send(shown, shown.encode(self._encoding))

    def _drawn(self, text: StyledText) -> str:
        return _coloured(text, links=self.links) if self.colour else text.plain()

    def put(self, document: str) -> None:
        """Write what programs read and flush: not a sign of it changes, and it is UTF-8 everywhere."""
        data = document.encode("utf-8", "backslashreplace")
        self._send(data.decode(), data)

    def put_bytes(self, data: bytes) -> None:
        """Write what is no text, as it is."""
        self._send(data.decode("utf-8", "replace"), data)

    def _send(self, text: str, data: bytes) -> None:
        """Write all of the data, or the text where the stream has no bytes below it."""
        try:
            buffer = getattr(self.stream, "buffer", None)
            _flush(self.stream)
            if buffer is None:
                self.stream.write(text)
            else:
                _write_all(buffer, data)
            _flush(self.stream)
        except BrokenPipeError as error:
            if self._needed:
                raise ReaderGone from error
        except OSError as error:
            if self._needed:
                raise OutputLost(_lost(error)) from error


def standard_output(*, no_color: bool = False) -> Screen:
    """Return standard output."""
    return Screen(sys.stdout, colour=False if no_color else None)


def standard_error(*, no_color: bool = False) -> Screen:
    """Return standard error."""
    return Screen(sys.stderr, colour=False if no_color else None, needed=False)


def _write_all(buffer: IO[bytes], data: bytes) -> None:
    """Write everything. Without a buffer (PYTHONUNBUFFERED) a write may stop half-way and not say so."""
    left = memoryview(data)
    while left:
        try:
            done: int | None = buffer.write(left)
        except BlockingIOError as busy:  # somebody made the stream so that it does not wait
            done = busy.characters_written
        if not done:
            _wait_for(buffer)
        left = left[done or 0 :]


def _flush(stream: TextIO) -> None:
    while True:
        try:
            stream.flush()
        except BlockingIOError:
            _wait_for(stream)
        else:
            return


def _wait_for(stream: TextIO | IO[bytes]) -> None:
    """Wait until something can be written."""
    from select import select

    select([], [stream], [])


def _lost(error: OSError) -> str:
    return f"cannot write to standard output: {(error.strerror or str(error)).lower()}"


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
    if asked.isdecimal() and asked.strip("0"):
        # Python refuses to read a number of thousands of digits.
        wide = len(asked) > len(str(_WIDEST))
        return _WIDEST if wide else min(_WIDEST, max(_NARROWEST, int(asked)))
    try:
        return max(_NARROWEST, os.get_terminal_size(stream.fileno()).columns or 80)
    except (OSError, ValueError):
        return 80


def _can_show(encoding: str) -> bool:
    try:
        "✓✗│╭▸".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _coloured(text: StyledText, *, links: bool) -> str:
    lines = []
    for spans in text.lines:
        parts = [
            f"\x1b[{COLOURS[span.style]}m{_linked(span) if links else span.text}\x1b[0m"
            if span.style
            else span.text
            for span in spans
        ]
        lines.append("".join(parts) + "\n")
    return "".join(lines)


def _linked(span: Styled) -> str:
    """Return a piece of a message in which the code is a link (OSC 8), where it is known where that leads."""
    found = _CODED.fullmatch(span.text) if span.style in _CODED_STYLES else None
    address = code_address(found["code"]) if found else None
    if not found or address is None:
        return span.text
    return f"{found['head']}\x1b]8;;{address}\x1b\\{found['code']}\x1b]8;;\x1b\\{found['tail']}"
