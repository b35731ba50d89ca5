"""A source file: its text and the way between offsets and lines."""

from bisect import bisect_right
from typing import NamedTuple

from gnomon.text.brief import brief


class Span(NamedTuple):
    """A half-open range of characters in one source."""

    start: int
    end: int


NOWHERE = Span(0, 0)


class Location(NamedTuple):
    """A place as people count it: both line and column start from 1."""

    line: int
    column: int


class Source:
    """A named text that can tell the line and column of any offset."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        """Keep `text` under the `name` that messages will show."""
        self.name: str = name
        self.text: str = text
        self._line_starts: list[int] | None = None

    def __repr__(self) -> str:
        """Show its name; the text may be of any size."""
        return f"<source {brief(self.name)}>"

    @property
    def line_starts(self) -> list[int]:
        """Return the offset at which each line starts."""
        if self._line_starts is None:
            starts = [0]
            find = self.text.find
            position = find("\n")
            while position != -1:
                starts.append(position + 1)
                position = find("\n", position + 1)
            self._line_starts = starts
        return self._line_starts

    def location(self, offset: int) -> Location:
        """Return the line and column of `offset`."""
        line = bisect_right(self.line_starts, offset)
        return Location(line, offset - self.line_starts[line - 1] + 1)

    def line_of(self, span: Span) -> int:
        """Return the line in which `span` starts."""
        return self.location(span.start).line

    def line(self, number: int) -> str:
        """Return the text of line `number`, without its end."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def line_span(self, number: int) -> Span | None:
        """Return the place of the text of a line, without the blanks around it and its comment."""
        if not 1 <= number <= len(self.line_starts):
            return None
        text = self.line(number).split("--")[0]
        start = self.line_starts[number - 1] + len(text) - len(text.lstrip())
        return Span(start, start + len(text.strip()))

    def on_one_line(self, span: Span) -> str:
        """Return the characters of `span` on one line, without comments."""
        lines = self.slice(span).split("\n")
        return " ".join(" ".join(line.split("--")[0] for line in lines).split())

    def slice(self, span: Span) -> str:
        """Return the characters of `span`."""
        return self.text[span.start : span.end]
