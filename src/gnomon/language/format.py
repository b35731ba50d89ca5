"""Text back to canonical ISPL: the same tokens and comments, laid out afresh.

Only blanks and line breaks change. A user's file depends on it, so what was written is read back and
compared with what was there before anybody gets it.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from gnomon.language import syntax
from gnomon.language.lexer import KEYWORDS
from gnomon.language.parse import parse
from gnomon.language.spacing import Spacing, must_be_apart
from gnomon.text.diagnostic import InputError
from gnomon.text.errors import Bug
from gnomon.text.limits import check_limits, paused_collection
from gnomon.text.record import same, walk
from gnomon.text.source import Source

WIDTH: Final = 100
_INDENT: Final = "  "

_PIECE: Final = re.compile(
    r"(?P<blank>[ \t\r\f\v]+)|(?P<newline>\n)|(?P<comment>--[^\n]*)"
    r"|(?P<word>CTL\*|[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<operator><=|>=|<>|!=|->|\.\.|.)"
)

#: What is left out at the end of a comment.
_BLANKS: Final = " \t\r\f\v"

#: Sections whose body is a list of lines; those with a colon are only sections when it follows.
_COLON_SECTIONS: Final = frozenset("Obsvars Vars RedStates Protocol Evolution".split())
_PLAIN_SECTIONS: Final = frozenset(
    "Constants Types Relations Axioms Predicates Evaluation InitStates Groups Fairness "
    "Formulae".split()
)
_BREAK_BEFORE: Final = frozenset(["and", "or", "->", "if", "+", "U"])


class FormattingBug(Bug):
    """The formatted text does not say what the text said: it must not be used."""


def format_text(source: Source) -> str:
    """Return the text in its canonical form; one that cannot be read raises `InputError`.

    The canonical form has the tokens, the tree and the comments of the text; otherwise this raises
    `FormattingBug`.
    """
    with paused_collection():
        return _formatted(source)


def _formatted(source: Source) -> str:
    program = _read(source)
    pieces = _pieces(source.text)
    _mark_coalitions(pieces, program)
    tokens = [piece for piece in pieces if piece.kind != "comment"]
    layout = _Layout(short_constants=_has_short_constants(tokens))
    following = iter([*tokens[1:], _Piece("end of file", "", 0, spaced=False)])
    for number, piece in enumerate(pieces):
        if not number & 0xFFF:
            check_limits()
        layout.add(piece, "" if piece.kind == "comment" else next(following).kind)
    result = layout.finish()
    _compare(source, program, pieces, result)
    return result


def _read(source: Source) -> syntax.Program:
    parsed = parse(source)
    if parsed.diagnostics.has_errors:
        raise InputError(parsed.diagnostics.sorted())
    return parsed.program


def _compare(source: Source, program: syntax.Program, pieces: list["_Piece"], result: str) -> None:
    """See that a formatted text says what the text said."""
    what = ""
    if [piece.text for piece in pieces] != [piece.text for piece in _pieces(result)]:
        what = "its tokens and comments"
    else:
        try:
            what = "" if same(program, _read(Source(source.name, result))) else "its meaning"
        except InputError:
            what = "what can be read"
    if what:
        msg = f"formatting `{source.name}` would change {what}; it is left as it is"
        raise FormattingBug(msg)


def _mark_coalitions(pieces: list["_Piece"], program: syntax.Program) -> None:
    """Give the brackets around coalitions kinds of their own: `<` and `>` also compare."""
    opening: dict[int, str] = {}
    closing: set[int] = set()
    for coalition in walk((program.fairness, program.formulae)):
        if not isinstance(coalition, syntax.Coalition):
            continue
        opening[coalition.span.start] = "coalition" if coalition.members else "empty coalition"
        if coalition.members:
            closing.add(coalition.members[-1].span.end)
    if not opening:
        return
    ended = False
    for piece in pieces:
        if piece.kind == "comment":
            continue
        if ended:
            piece.kind = "coalition end"
        else:
            piece.kind = opening.get(piece.start, piece.kind)
        ended = piece.start + len(piece.text) in closing


def _has_short_constants(tokens: list["_Piece"]) -> bool:
    """Return whether the constants are one line, `Constants n = 3;`, without an end of their own."""
    texts = [token.text for token in tokens]
    if "Constants" not in texts:
        return False
    tail = texts[texts.index("Constants") :]
    if ";" not in tail or tail.count("Constants") > 1:
        return False
    return [*tail, "end"][tail.index(";") + 1] != "end"


@dataclass(slots=True)
class _Piece:
    """A token or a comment, with what stood before it."""

    kind: str
    text: str
    newlines: int
    spaced: bool
    start: int = 0


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    newlines, spaced = 0, False
    for match in _PIECE.finditer(text):
        group = match.lastgroup
        content = match.group()
        if group == "newline":
            newlines += 1
            spaced = True
        elif group == "blank":
            spaced = True
        else:
            kind = "name" if group == "word" else group
            if group == "operator" or content in KEYWORDS:
                kind = content
            text = content.rstrip(_BLANKS) if group == "comment" else content
            pieces.append(_Piece(kind or "", text, newlines, spaced, match.start()))
            newlines, spaced = 0, False
    return pieces


@dataclass(slots=True)
class _Item:
    """A token of the line that is being put together."""

    text: str
    space: bool
    depth: float
    breakable: bool
    comment: bool = False


@dataclass(slots=True)
class _Layout:
    """Puts lines together and writes them at their indentation."""

    lines: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    spacing: Spacing = field(default_factory=Spacing)
    depth: int = 0
    kinds: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    blank_wanted: bool = False
    line_finished: bool = True
    short_constants: bool = False

    def add(self, piece: _Piece, following: str) -> None:
        if piece.kind == "comment":
            self._add_comment(piece)
            return
        if not self.items:
            self._note_blank(piece)
        self._add_token(piece)
        if self._ends_line(piece, following):
            self._flush()

    def finish(self) -> str:
        self._flush()
        return "\n".join(self.lines) + "\n" if self.lines else ""

    # Comments

    def _add_comment(self, piece: _Piece) -> None:
        if self.items:
            self.items.append(_Item(piece.text, True, self.depth, False, comment=True))
        elif piece.newlines == 0 and self.lines and self.line_finished:
            self.lines[-1] += f"  {piece.text}"
            self.line_finished = False
        else:
            self._note_blank(piece)
            self._write_blank()
            self.lines.append(self._indentation() + piece.text)
            self.line_finished = False

    # Blank lines

    def _note_blank(self, piece: _Piece) -> None:
        self.blank_wanted = self.blank_wanted or piece.newlines > 1

    def _write_blank(self) -> None:
        if self.blank_wanted and self.lines and self.lines[-1]:
            self.lines.append("")
        self.blank_wanted = False

    # Tokens

    def _add_token(self, piece: _Piece) -> None:
        kind = piece.kind
        if kind in (")", "]", "}"):
            self.depth -= 1
        header_colon = kind == ":" and self._is_header_colon()
        space = not header_colon and self.spacing.space_before(kind, was_spaced=piece.spaced)
        # A list may be broken after a comma, but not the ranges of a quantifier.
        after_comma = bool(self.kinds) and self.kinds[-1] == "," and self.depth > 0
        breakable = kind in _BREAK_BEFORE or after_comma
        # Between `and` and `+` inside the same brackets, `and` is the better place to break.
        outside = self.depth + (0.5 if kind in ("+", "U") else 0)
        self.items.append(_Item(piece.text, space, outside, breakable))
        self.kinds.append(kind)
        self.texts.append(piece.text)
        if kind in ("(", "[", "{"):
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

    def _ends_line(self, piece: _Piece, following: str) -> bool:
        texts = self.texts
        if piece.kind == ";" and self.depth == 0:
            return True
        if texts[0] == "end":
            return len(texts) == 2
        if not self.open:
            return self._opens_top_level(following)
        if texts[0] == "for" and self.kinds[1:2] == ["name"]:
            return piece.kind == ":" and self._header_done()
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


def _wrap(items: list[_Item], indentation: str) -> list[str]:
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


def _join(items: list[_Item]) -> str:
    texts = [items[0].text]
    for item in items[1:]:
        apart = item.space or must_be_apart(texts[-1], item.text)
        texts.append("  " if item.comment else (" " if apart else ""))
        texts.append(item.text)
    return "".join(texts)


def _fitting(items: list[_Item], start: int, width: int) -> int:
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
