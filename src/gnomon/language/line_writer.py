"""The layout of formatted programs: where lines begin, how far they are indented, where they are broken."""

from dataclasses import dataclass, field
from typing import Final

from gnomon.language.spacing import Spacing, must_be_apart

WIDTH: Final = 100
_INDENT: Final = "  "

#: Sections whose body is a list of lines; those with a colon are only sections when it follows.
_COLON_SECTIONS: Final = frozenset("Obsvars Vars RedStates Protocol Evolution".split())
_PLAIN_SECTIONS: Final = frozenset(
    "Constants Parameters Assume Definitions Types Relations Axioms Predicates Evaluation InitStates "
    "TerminalStates Groups Fairness Formulae".split()
)
_BREAK_BEFORE: Final = frozenset(
    ["and", "or", "xor", "->", "<->", "if", "else", "+", "U", "expect"]
)


@dataclass(slots=True)
class SourceToken:
    """A token or a comment, with what stood before it."""

    kind: str
    text: str
    newlines: int
    spaced: bool
    start: int = 0


@dataclass(slots=True)
class _Word:
    """A token of the line that is being put together."""

    text: str
    space: bool
    depth: float
    breakable: bool
    comment: bool = False


@dataclass(slots=True)
class LineWriter:
    """Puts lines together and writes them at their indentation."""

    lines: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    items: list[_Word] = field(default_factory=list)
    spacing: Spacing = field(default_factory=Spacing)
    depth: int = 0
    kinds: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    blank_wanted: bool = False
    line_finished: bool = True
    short_constants: bool = False

    def add(self, token: SourceToken, following: str) -> None:
        """Lay out a token; `following` is the kind of the next one."""
        if token.kind == "comment":
            self._add_comment(token)
            return
        if not self.items:
            self._note_blank(token)
        self._add_token(token)
        if self._ends_line(token, following):
            self._flush()

    def finish(self) -> str:
        """Return the text."""
        self._flush()
        return "\n".join(self.lines) + "\n" if self.lines else ""

    # Comments

    def _add_comment(self, token: SourceToken) -> None:
        if self.items:
            self.items.append(_Word(token.text, True, self.depth, False, comment=True))
        elif token.newlines == 0 and self.lines and self.line_finished:
            self.lines[-1] += f"  {token.text}"
            self.line_finished = False
        else:
            self._note_blank(token)
            self._write_blank()
            self.lines.append(self._indentation() + token.text)
            self.line_finished = False

    # Blank lines

    def _note_blank(self, token: SourceToken) -> None:
        self.blank_wanted = self.blank_wanted or token.newlines > 1

    def _write_blank(self) -> None:
        if self.blank_wanted and self.lines and self.lines[-1]:
            self.lines.append("")
        self.blank_wanted = False

    # Tokens

    def _add_token(self, token: SourceToken) -> None:
        kind = token.kind
        if kind in (")", "]", "}"):
            self.depth -= 1
        header_colon = kind == ":" and self._is_header_colon()
        space = not header_colon and self.spacing.space_before(kind, was_spaced=token.spaced)
        # A list may be broken after a comma, but not the ranges of a quantifier.
        after_comma = bool(self.kinds) and self.kinds[-1] == "," and self.depth > 0
        breakable = kind in _BREAK_BEFORE or after_comma
        # Between `and` and `+` inside the same brackets, `and` is the better place to break; what is
        # expected of a formula stands outside of all of it.
        outside = -1.0 if kind == "expect" else self.depth + (0.5 if kind in ("+", "U") else 0)
        self.items.append(_Word(token.text, space, outside, breakable))
        self.kinds.append(kind)
        self.texts.append(token.text)
        if token.text in ("(", "[", "{"):
            self.depth += 1

    def _is_header_colon(self) -> bool:
        if self.texts[:1] == ["for"] and self.kinds[1:2] == ["name"]:
            # The colon that follows the last range, not those after its indices.
            return self.depth == 0 and self._binder_is_complete()
        return len(self.texts) == 1 and self.texts[0] in (_COLON_SECTIONS | _PLAIN_SECTIONS)

    def _binder_is_complete(self) -> bool:
        tail = self.kinds[1:]
        since = len(tail) - tail[::-1].index(",") if "," in tail else 0
        return ":" in tail[since:]

    def _ends_line(self, token: SourceToken, following: str) -> bool:
        texts = self.texts
        if token.kind == ";" and self.depth == 0:
            return True
        if texts[0] == "end":
            return len(texts) == 2
        if not self.open:
            return self._opens_top_level(following)
        if texts[0] == "for" and self.kinds[1:2] == ["name"]:
            return token.kind == ":" and self._header_done()
        inside_agent = self.open[-1] in ("Agent", "Template", "Environment")
        return inside_agent and len(texts) == 2 and texts[0] in _COLON_SECTIONS

    def _header_done(self) -> bool:
        kinds, self.kinds = self.kinds, self.kinds[:-1]
        done = self.depth == 0 and self._binder_is_complete()
        self.kinds = kinds
        return done

    def _opens_top_level(self, following: str) -> bool:
        first = self.texts[0]
        if first in _PLAIN_SECTIONS:
            # A colon after the name of a section is allowed and stays with it.
            return following != ":" and not self._is_short(first)
        if first == "Environment":
            return True
        named = first in ("Agent", "Template") and len(self.texts) > 1
        return named and self.depth == 0 and following != "["

    def _is_short(self, first: str) -> bool:
        return first == "Constants" and self.short_constants

    # Writing

    def _indentation(self) -> str:
        return _INDENT * len(self.open)

    def _flush(self) -> None:
        if not self.items:
            return
        first = self.texts[0] if self.texts else ""
        closing = first == "end" and bool(self.open)
        opening = self._opening(first)
        if closing:
            self.open.pop()
            self.blank_wanted = False
        if not self.open and not closing and self._wants_room(opening=opening):
            self.blank_wanted = True
        self._write_blank()
        self.lines.extend(_wrap(self.items, self._indentation()))
        self.line_finished = not self.items[-1].comment
        if opening:
            self.open.append(first)
        self.items, self.kinds, self.texts = [], [], []
        self.spacing = Spacing()
        self.depth = 0

    def _wants_room(self, *, opening: bool) -> bool:
        """Return whether a top-level line stands apart from the one before; a comment belongs to it."""
        before = self.lines[-1] if self.lines else ""
        return not before.startswith("--") and (opening or before.startswith("end "))

    def _opening(self, first: str) -> bool:
        if first == "for":
            return self.kinds[1:2] == ["name"] and self.texts[-1] == ":"
        if self.open:
            return first in _COLON_SECTIONS and self.texts[1:] == [":"]
        if first in _PLAIN_SECTIONS:
            return not self._is_short(first)
        return first in ("Agent", "Template", "Environment")


def _wrap(items: list[_Word], indentation: str) -> list[str]:
    """Lay out one logical line, broken where it is too long and after comments inside it."""
    lines: list[str] = []
    start = 0
    margin = indentation
    while start < len(items):
        count = _fitting(items, start, WIDTH - len(margin))
        lines.append(margin + _join(items[start : start + count]))
        start += count
        margin = indentation + 2 * _INDENT
    return lines


def _join(items: list[_Word]) -> str:
    texts = [items[0].text]
    for item in items[1:]:
        apart = item.space or must_be_apart(texts[-1], item.text)
        texts.append("  " if item.comment else (" " if apart else ""))
        texts.append(item.text)
    return "".join(texts)


def _fitting(items: list[_Word], start: int, width: int) -> int:
    """Return how many items go on the next line: as many as fit, broken as far outside as possible."""
    length = 0
    best, best_depth = 0, None
    for count in range(len(items) - start):
        item = items[start + count]
        if item.comment:
            return count + 1
        if count and item.breakable and (best_depth is None or item.depth <= best_depth):
            best, best_depth = count, item.depth
        length += len(item.text) + (item.space and count > 0)
        if length > width and best:
            return best
    return len(items) - start
