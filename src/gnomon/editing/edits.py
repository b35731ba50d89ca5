"""Changes of a text: pieces that are replaced by others."""

from collections.abc import Iterable
from difflib import SequenceMatcher
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


def line_changes(old: str, new: str) -> list[TextChange]:
    """Return the changes, line by line, that make one text of another."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, before, after, autojunk=len(before) > 2000)
    return [
        TextChange(Span(starts[first], starts[last]), "".join(after[new_first:new_last]))
        for kind, first, last, new_first, new_last in matcher.get_opcodes()
        if kind != "equal"
    ]
