"""Changes of a text: pieces that are replaced by others."""

from collections.abc import Iterable
from typing import NamedTuple

from gnomon.text.source import Span


class TextChange(NamedTuple):
    """Some characters, and what stands there instead."""

    span: Span
    text: str


def changed(text: str, changes: Iterable[TextChange]) -> str:
    """Return a text with its changes; they do not overlap."""
    pieces: list[str] = []
    place = 0
    for (start, end), new in sorted(changes):
        assert place <= start, "changes do not overlap"
        pieces += [text[place:start], new]
        place = end
    return "".join([*pieces, text[place:]])
