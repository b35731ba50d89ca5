r"""Places as the protocol counts them: lines, and units of the client's encoding in a line.

Lines end as the protocol says (`\n`, `\r\n` or `\r`) and nowhere else: other signs that Python takes for
the end of a line stand in the middle of one.
"""

from bisect import bisect_right
from contextlib import suppress
from typing import Literal, TypeAlias

from lsprotocol import types

from gnomon.text.source import Span

#: What a client counts characters of a line in.
Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]


class TextLines:
    """A text with the way between offsets and the client's positions."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        """Count in the units of an encoding."""
        self.text = text
        self.encoding: Encoding = encoding
        self._starts = _line_starts(text)
        # Where every sign is one unit, nothing has to be counted.
        self._plain = text.isascii() or encoding == "utf-32"

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position; one behind the end of its line is the end of that line."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(position.line, 0)]
        end = self._line_end(max(position.line, 0))
        if self._plain:
            return min(start + max(position.character, 0), end)
        return start + _signs(self.text[start:end], position.character, self.encoding)

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._plain:
            return types.Position(line, offset - start)
        return types.Position(line, _units(self.text[start:offset], self.encoding))

    def span(self, place: types.Range) -> Span:
        """Return a range in offsets."""
        start = self.offset(place.start)
        return Span(start, max(start, self.offset(place.end)))

    def range(self, span: Span) -> types.Range:
        """Return a span as a range."""
        return types.Range(self.position(span.start), self.position(span.end))

    def units(self, span: Span) -> int:
        """Return how long a piece of one line is for the client."""
        if self._plain:
            return span.end - span.start
        return _units(self.text[span.start : span.end], self.encoding)

    def line_range(self, line: int) -> types.Range:
        """Return a whole line, from 0, without its end."""
        if line >= len(self._starts):
            return self.range(Span(len(self.text), len(self.text)))
        return self.range(Span(self._starts[line], self._line_end(line)))

    def _line_end(self, line: int) -> int:
        if line + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[line + 1]
        while end > self._starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end


def _line_starts(text: str) -> list[int]:
    """Return the offset at which each line starts."""
    starts = [0]
    place = text.find("\n")
    while place >= 0:
        starts.append(place + 1)
        place = text.find("\n", place + 1)
    if "\r" in text:
        place = text.find("\r")
        alone = []
        while place >= 0:
            if not text.startswith("\n", place + 1):
                alone.append(place + 1)
            place = text.find("\r", place + 1)
        if alone:
            starts = sorted({*starts, *alone})
    return starts


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(sign > "\uffff" for sign in text)


def _signs(line: str, units: int, encoding: Encoding) -> int:
    """Return how many signs of a line so many units are; a sign that would be cut in two is left out."""
    name, size = ("utf-8", 1) if encoding == "utf-8" else ("utf-16-le", 2)
    with suppress(UnicodeEncodeError):  # half a sign, which no text should have
        return len(line.encode(name)[: size * max(units, 0)].decode(name, "ignore"))
    counted = 0
    for place, sign in enumerate(line):
        size = _units(sign, encoding)
        if counted + size > units:
            return place
        counted += size
    return len(line)
