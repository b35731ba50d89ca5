"""Which section a place is in, told from the tokens alone: also while half of a program is missing."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from gnomon.language.cursor import MAX_NESTING
from gnomon.language.lexer import Tokens
from gnomon.language.words import PROGRAM_SECTIONS, SECTION_WORDS, words
from gnomon.text.source import Span

#: The sections of an agent, and what has them.
AGENT_SECTIONS: Final = words("part", "list")
AGENT_WORDS: Final = words("agent")
#: What is one statement, and ends with its `;`.
_STATEMENTS: Final = frozenset(words("list", "setting"))
#: Reserved words: wherever they stand, a section begins.
_CERTAIN: Final = SECTION_WORDS.union(words("setting"))


@dataclass(slots=True)
class Section:
    """A part of a program, such as `Agent`, `Vars`, `Formulae` or `for`.

    `head` is the place of its word, with the name of an agent; `span` reaches to its end, or to the next
    section where there is none.
    """

    word: str
    head: Span
    span: Span
    name: str = ""
    closed: bool = False
    children: list["Section"] = field(default_factory=list)

    @property
    def is_agent(self) -> bool:
        """Return whether it is an agent, the environment or a template."""
        return self.word in AGENT_WORDS

    def walk(self) -> Iterator["Section"]:
        """Yield it and all in it, in their order."""
        waiting = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting.extend(reversed(section.children))


def sections(tokens: Tokens) -> list[Section]:
    """Return the sections of a text, with those in them."""
    return _Scan(tokens).all()


def around(found: list[Section], offset: int) -> list[Section]:
    """Return the sections that an offset is in, from the outermost on."""
    path: list[Section] = []
    inside = found
    while True:
        for section in inside:
            start, end = section.span
            if start < offset and (offset < end or (offset == end and not section.closed)):
                path.append(section)
                inside = section.children
                break
        else:
            return path


class _Scan:
    """Goes through the tokens once, with the sections that are open."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.open: list[Section] = []
        self.found: list[Section] = []
        self.position = 0

    def all(self) -> list[Section]:
        last = len(self.tokens.kinds) - 1
        while self.position < last:
            self._step()
        while self.open:
            self._close(self.tokens.starts[last])
        return self.found

    def _step(self) -> None:
        tokens, place = self.tokens, self.position
        text = tokens.texts[place]
        if text == "end" and self._ends(tokens.texts[place + 1]):
            self.position += 2
            return
        if self._begins(text):
            self._begin(text)
            return
        if text == ";" and self.open and self.open[-1].word in _STATEMENTS:
            self._close(tokens.ends[place], closed=True)
        self.position += 1

    def _ends(self, word: str) -> bool:
        """Close the section that `end word` closes, and those in it; return whether there is one."""
        if not any(section.word == word for section in self.open):
            return False
        while True:
            section = self.open[-1]
            if section.word == word:
                self._close(self.tokens.ends[self.position + 1], closed=True)
                return True
            self._close(self.tokens.starts[self.position])

    def _begins(self, text: str) -> bool:
        tokens, place = self.tokens, self.position
        before = tokens.texts[place - 1] if place else ""
        following = tokens.texts[place + 1]
        if before == "." or following == ".":
            return False
        if text in _CERTAIN:
            return True
        if text == "for":
            deep = len(self.open) >= MAX_NESTING
            named = tokens.kinds[place + 1] == "name"
            return bool(self.open) and named and before != "end" and not deep
        if text == "Sync":
            return bool(self.open) and self.open[-1].is_agent
        return not self.open and text in PROGRAM_SECTIONS

    def _begin(self, text: str) -> None:
        tokens, place = self.tokens, self.position
        start = tokens.starts[place]
        if text != "for":
            inner = text in AGENT_SECTIONS
            while self.open and not (inner and self.open[-1].is_agent):
                self._close(start)
        head, name = Span(start, tokens.ends[place]), ""
        self.position += 1
        following = tokens.texts[place + 1]
        # Also a reserved word, which is a mistake and yet meant as its name.
        named = following[:1].isalpha() and following not in _CERTAIN and following != "end"
        if text in ("Agent", "Template") and named:
            name = following
            head = Span(start, tokens.ends[place + 1])
            self.position += 1
        elif text == "Environment":
            name = text
        section = Section(text, head, Span(start, start), name)
        (self.open[-1].children if self.open else self.found).append(section)
        self.open.append(section)

    def _close(self, end: int, *, closed: bool = False) -> None:
        section = self.open.pop()
        section.span = Span(section.span.start, end)
        section.closed = closed
