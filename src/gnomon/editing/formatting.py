"""Formatting in an editor: the whole text, some lines, and what is typed.

It is the formatter of `gnomon fmt`, of whose changes only those are taken that were asked for. A text that
cannot be read is not formatted: half of a statement has no layout yet.
"""

from collections.abc import Iterator
from typing import Final

from gnomon.editing.edits import TextChange
from gnomon.editing.sections import Section, around, sections
from gnomon.language.format import format_text, tokens_and_comments
from gnomon.language.lexer import tokenize
from gnomon.language.words import words
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.source import Source, Span

_INDENT: Final = "  "


def formatted(text: str, name: str) -> list[TextChange] | None:
    """Return the changes that format a text, each of blanks alone; None where it cannot be read."""
    try:
        new = format_text(Source(name, text))
    except InputError:
        return None
    ends = "\r\n" if "\r\n" in text else "\n"
    changes = []
    for old_gap, new_gap in zip(_gaps(text), _gaps(new), strict=True):
        wanted = new[new_gap.start : new_gap.end].replace("\n", ends)
        if text[old_gap.start : old_gap.end] != wanted:
            changes.append(TextChange(old_gap, wanted))
    return changes


def _gaps(text: str) -> Iterator[Span]:
    """Yield what stands before, between and behind the tokens and comments of a text: blanks."""
    before = 0
    for piece in tokens_and_comments(text):
        yield Span(before, piece.start)
        before = piece.start + len(piece.text)
    yield Span(before, len(text))


def formatted_lines(text: str, name: str, lines: Span) -> list[TextChange] | None:
    """Return only those of the changes that are before something that stands in some lines of a text."""
    found = formatted(text, name)
    if found is None:
        return None
    return [change for change in found if lines.start <= change.span.end <= lines.end]


def indentation(text: str, offset: int) -> str:
    """Return the blanks that a new line begins with: as many as sections, and brackets, are open."""
    source = Source("", text)
    tokens = tokenize(source, Diagnostics(source))
    inside = [section for section in around(sections(tokens), offset) if _indents(section)]
    rest = text[offset : text.find("\n", offset) if "\n" in text[offset:] else len(text)]
    depth = len(inside)
    if rest.lstrip().startswith("end ") and depth:
        depth -= 1
    if not rest.lstrip().startswith("end ") and _goes_on(text, offset):
        depth += 1
    return _INDENT * depth


def _indents(section: Section) -> bool:
    return section.word not in words("setting", "list")


def _goes_on(text: str, offset: int) -> bool:
    """Return whether the statement before a place has not ended."""
    before = text[:offset].rstrip()
    line = before[before.rfind("\n") + 1 :].split("--")[0].rstrip()
    if not line:
        return False
    last = line.split()[-1]
    whole = line.endswith((";", ":")) or last in _HEADS or _closes(line) or _opens(line)
    return not whole


#: What stands alone in the line that opens a section.
_HEADS: Final = frozenset((*words("section"), "Environment"))


def _closes(line: str) -> bool:
    words = line.split()
    return len(words) >= 2 and words[-2] == "end"


def _opens(line: str) -> bool:
    return line.split(maxsplit=1)[0] in ("Agent", "Template", "for")
