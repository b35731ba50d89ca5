"""Which sections a place is in, found from there backwards: no more of the text is looked at than it takes.

A text that is being written is broken where it is written, so nothing behind the place counts, and an `end`
that is missing is no reason to give up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

from gnomon.editing.sections import AGENT_SECTIONS, AGENT_WORDS
from gnomon.language.cursor import PROGRAM_SECTIONS, SECTION_WORDS

#: What is one statement, and is over with its `;`.
STATEMENTS: Final = frozenset(("Lobsvars", "Actions", "Sync", "Semantics"))
_HEADS: Final = tuple(dict.fromkeys((*PROGRAM_SECTIONS, *AGENT_SECTIONS, "for")))
#: Words that are reserved, and mean a section wherever they stand.
_CERTAIN: Final = (SECTION_WORDS | {"Semantics"}) - {"Environment"}
#: Without groups and boundaries it is ten times as fast; what it finds is looked at more closely.
_EVENT: Final = re.compile(rf"end\s+[A-Za-z]\w*|{'|'.join(sorted(_HEADS, key=len, reverse=True))}")
_ATTRIBUTE: Final = re.compile(r"\s*\.")
#: So much is looked at first; each further look takes four times as much.
_PORTION: Final = 4096
#: Behind a word that also may be a name: what shows that it is none.
_BEHIND: Final = {
    "Environment": re.compile(r"(?!\s*[,}>)\].\\])"),
    "Sync": re.compile(r"\s*="),
    "Template": re.compile(r"\s+[A-Za-z]|\s*\Z"),
    "for": re.compile(r"\s+[A-Za-z]\w*\s*[:,]|\s*\Z|\s+[A-Za-z]\w*\s*\Z"),
}
_BEGINS_SECTION: Final = re.compile(r"(?!\s*(?:=|:=|\.|if\b|\[|\())")


class _SectionMark(NamedTuple):
    """Where a section begins (`ends` is False) or ends."""

    word: str
    start: int
    end: int
    ends: bool


@dataclass(slots=True)
class Surroundings:
    """What a place is in: a section of the program, one of an agent, and blocks of `for`.

    `top` is "" between the sections of a program, and `part` between those of an agent; `fors` are where
    the words `for` begin, from the outermost on. The statement that the place is in begins behind `start`.
    """

    top: str = ""
    part: str = ""
    fors: list[int] = field(default_factory=list)
    #: Where the words that open `top` and the innermost section end.
    top_end: int = 0
    head_end: int = 0
    #: The sections of the agent before this place.
    seen: set[str] = field(default_factory=set)
    start: int = 0

    @property
    def section(self) -> str:
        """Return the word of the innermost section, `for` not counted."""
        return self.part or self.top

    @property
    def closing(self) -> str:
        """Return the word behind the next `end`."""
        return "for" if self.fors else self.section


def surroundings(text: str, offset: int) -> Surroundings:
    """Return what a place is in."""
    found = _Backwards(text, offset).look()
    found.start = _statement_start(text, offset, found.start)
    return found


def comment_start(text: str, offset: int) -> int:
    """Return where the comment begins that a place is in, or -1."""
    return text.find("--", text.rfind("\n", 0, offset) + 1, offset)


class _Backwards:
    """Goes from a place to where its sections begin."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.found = Surroundings()
        #: Sections whose `end` was met, and whose beginning was not yet.
        self.closed: list[str] = []

    def look(self) -> Surroundings:
        for event in _events(self.text, self.offset):
            behind = event.start if event.word == "for" and not event.ends else event.end
            self.found.start = max(self.found.start, behind)
            if self._ended(event) if event.ends else self._begun(event):
                break
        return self.found

    def _ended(self, event: _SectionMark) -> bool:
        """Note that a section is over; return whether that tells all."""
        word = event.word
        if word in AGENT_SECTIONS:
            self.found.seen.add(word)
        elif word != "for":
            return True  # what contains sections is over, so this is between such things
        self.closed.append(word)
        return False

    def _begun(self, event: _SectionMark) -> bool:
        """Note that a section begins; return whether it is one of the program, in which all others are."""
        word, inner = event.word, self.found
        if word in self.closed:
            del self.closed[len(self.closed) - 1 - self.closed[::-1].index(word) :]
            return False
        if word == "for":
            if not self.closed and not inner.part:
                inner.fors.insert(0, event.start)
            return False
        if word in AGENT_SECTIONS:
            inner.seen.add(word)
            self._begun_part(event)
            return False
        if word == "Semantics" and self._is_over(event):
            return True
        inner.top, inner.top_end = word, event.end
        if not inner.part:
            inner.head_end = event.end
        elif word not in AGENT_WORDS:
            inner.part = ""
        return True

    def _begun_part(self, event: _SectionMark) -> None:
        inner = self.found
        if inner.part or self.closed:
            return
        if event.word in STATEMENTS and self._is_over(event):
            inner.fors.clear()
            self.closed.append("")  # whatever is before it is not around this place
            return
        if any(word in AGENT_SECTIONS for word in inner.seen - {event.word}):
            return  # one without `end`, and another behind it
        inner.part, inner.head_end = event.word, event.end

    def _is_over(self, event: _SectionMark) -> bool:
        return _semicolon(self.text, event.end, self.offset) >= 0


def _events(text: str, offset: int) -> Iterator[_SectionMark]:
    """Yield the words that begin and end sections, from a place backwards."""
    last = offset
    for size in (_PORTION * 4**power for power in count()):
        first = max(text.rfind("\n", 0, max(last - size, 0)) + 1, 0)
        for start, end in reversed([match.span() for match in _EVENT.finditer(text, first, last)]):
            event = _event(text, start, end, offset)
            if event is not None:
                yield event
        last = first
        if last == 0:
            return


def _event(text: str, start: int, end: int, offset: int) -> _SectionMark | None:
    """Return what begins or ends where a word was found, if it is one, and no name or comment."""
    before, behind = text[start - 1 : start], text[end : min(end + 1, offset)]
    if before in (".", "_") or before.isalnum() or behind == "_" or behind.isalnum():
        return None
    if comment_start(text, start) >= 0:
        return None
    if text.startswith("end", start):
        word = text[start:end].split()[1]
        return _SectionMark(word, start, end, ends=True) if word in _HEADS else None
    word = text[start:end]
    return (
        _SectionMark(word, start, end, ends=False) if _is_head(text, word, start, offset) else None
    )


def _is_head(text: str, word: str, start: int, offset: int) -> bool:
    """Return whether a word begins a section, and is no name."""
    end = start + len(word)
    if word in _CERTAIN:
        return not _ATTRIBUTE.match(text, end, offset)
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    if before and not before.endswith((";", ":")) and "end " not in before:
        return False
    return _BEHIND.get(word, _BEGINS_SECTION).match(text, end, offset) is not None


def _semicolon(text: str, first: int, last: int) -> int:
    """Return where the last `;` before `last` is that is not in a comment, or -1."""
    while (place := text.rfind(";", first, last)) >= 0 and comment_start(text, place) >= 0:
        last = place
    return place


def _statement_start(text: str, offset: int, first: int) -> int:
    return max(_semicolon(text, first, offset) + 1, first)
