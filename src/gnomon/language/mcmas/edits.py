"""Pieces of a text that become others, and lines that are added to its sections."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from gnomon.language.lexer import Tokens, tokenize
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Bug
from gnomon.text.source import Source, Span

COMMENT: Final = re.compile(r"--[^\n]*")

#: Sections in the order in which MCMAS reads them.
_ORDER: Final = ("Evaluation", "InitStates", "Groups", "Fairness", "Formulae")


class TranslationBug(Bug):
    """The text in MCMAS's words does not say what the text said: it must not be used."""


class Edit(NamedTuple):
    """A piece of text that becomes another."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with pieces that do not overlap replaced."""
    pieces: list[str] = []
    end = 0
    for edit in sorted(edits):
        pieces += (text[end : edit.start], edit.text)
        end = edit.end
    return "".join(pieces) + text[end:]


def instead(source: Source, span: Span, text: str) -> Edit:
    """Return that a text takes the place of another, whose comments stay before it."""
    comments = "".join(f"{note}\n" for note in COMMENT.findall(source.slice(span)))
    return Edit(*span, comments + text)


class Sections:
    """Finds the sections of a text, whose words are reserved."""

    def __init__(self, source: Source) -> None:
        """Read the tokens of a text."""
        self.source = source
        self.tokens: Tokens = tokenize(source, Diagnostics(source))

    def with_lines(self, section: str, lines: str) -> Edit:
        """Return a section with more lines at its end, a new section where there is none."""
        place = self.end_of(section)
        if place is None:
            first = self.place_for(section)
            return Edit(first, first, f"\n{section}\n{lines}end {section}\n")
        begun = self.source.text[:place].rstrip(" \t")[-1:] != "\n"
        return Edit(place, place, f"\n{lines}" if begun else lines)

    def end_of(self, section: str) -> int | None:
        """Return where the `end` of a section stands."""
        kinds = self.tokens.kinds
        for number, kind in enumerate(kinds):
            if kind == "end" and kinds[number + 1] == section:
                return self.tokens.starts[number]
        return None

    def place_for(self, section: str) -> int:
        """Return where a section may begin: before the first of those behind it, or at the end."""
        later = _ORDER[_ORDER.index(section) + 1 :]
        for kind, start in zip(self.tokens.kinds, self.tokens.starts, strict=True):
            if kind in later:
                return start
        return len(self.source.text)
