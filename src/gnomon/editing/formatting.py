"""Formatting in an editor: the whole text, some lines, and what is typed.

It is the formatter of `gnomon fmt`, of whose changes only those are taken that were asked for. A text that
cannot be read is not formatted: half of a statement has no layout yet.
"""

from typing import Final

from gnomon.editing.edits import TextChange, line_changes
from gnomon.editing.sections import Section, around, sections
from gnomon.language.format import format_text
from gnomon.language.lexer import tokenize
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.source import Source, Span

_INDENT: Final = "  "


def formatted(text: str, name: str) -> list[TextChange] | None:
    """Return the changes that format a text; None where it cannot be read."""
    plain = text.replace("\r\n", "\n")
    try:
        new = format_text(Source(name, plain))
    except InputError:
        return None
    if "\r\n" in text:
        new = new.replace("\n", "\r\n")
    return line_changes(text, new)


def formatted_lines(text: str, name: str, lines: Span) -> list[TextChange] | None:
    """Return only those of the changes that begin in some characters of a text, or change them."""
    found = formatted(text, name)
    if found is None:
        return None
    return [
        change
        for change in found
        if change.span.start < max(lines.end, lines.start + 1) and lines.start <= change.span.end
    ]


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
    return section.word not in ("Semantics", "Actions", "Lobsvars", "Sync")


def _goes_on(text: str, offset: int) -> bool:
    """Return whether the statement before a place has not ended."""
    before = text[:offset].rstrip()
    line = before[before.rfind("\n") + 1 :].split("--")[0].rstrip()
    if not line:
        return False
    last = line.split()[-1]
    whole = line.endswith((";", ":")) or last in _HEADS or _closes(line) or _opens(line)
    return not whole


_HEADS: Final = (
    "Evaluation",
    "InitStates",
    "TerminalStates",
    "Groups",
    "Fairness",
    "Formulae",
    "Constants",
    "Definitions",
    "Types",
    "Relations",
    "Axioms",
    "Predicates",
    "Environment",
)


def _closes(line: str) -> bool:
    words = line.split()
    return len(words) >= 2 and words[-2] == "end"


def _opens(line: str) -> bool:
    return line.split(maxsplit=1)[0] in ("Agent", "Template", "for")
