"""Text to tokens with their places.

Tokens are four parallel lists, not objects: a megabyte of ISPL has a quarter of a million of them and
reading it should take less time than checking it.
"""

import re
from array import array
from dataclasses import dataclass
from itertools import accumulate, compress, islice, pairwise
from typing import Final

from gnomon.language import words
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits
from gnomon.text.source import Source, Span

#: The words that MCMAS reserves.
KEYWORDS: Final = words.KEYWORDS

#: Reserved words that only formulae use; outside them they may still name a value of a type.
FORMULA_WORDS: Final = words.FORMULA_WORDS

_KIND = {word: word for word in KEYWORDS}

_BLANKS = " \t\r\n\f\v"

_TOKEN = re.compile(
    r"[ \t\r\n\f\v]+|--[^\n]*"
    r"|CTL\*|[A-Za-z][A-Za-z0-9_]*"
    r"|[0-9]+"
    # Comments, conjunctions and strings of other languages, whole, so that each is one mistake.
    r"|/(?:/[^\n]*|\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?|\\)|#[^\n]*|\\/"
    r"|\"[^\"\n]*\"|(?<![A-Za-z0-9_])'[A-Za-z0-9_ ]*'"
    r"|<->|<=|>=|<>|!=|->|:=|\.\.|[()\[\]{}<>=!:,.;+*/&|~^?\\\-]"
    r"|[^ \t\r\n\f\vA-Za-z0-9()\[\]{}<>=!:,.;+*/&|~^?\\\-]+",
)
#: Whatever is neither a word nor a number.
OPERATORS: Final = frozenset(
    ["<->", "<=", ">=", "<>", "!=", "->", ":=", "..", *"()[]{}<>=!:,.;+*/&|~^?\\-"]
)

#: A comment for us, which is none of a row of signs that somebody drew.
#: Without the blank it takes one of our words, which nobody writes by chance.
REMARK: Final = (
    rf"--!(?:[ \t]|(?=[A-Za-z]).*\b(?:{'|'.join(words.words('expectation', 'rule'))})\b)"
)
_REMARK = re.compile(REMARK)

#: Kinds of pieces that are no tokens, and yet something.
_RARE = frozenset(("bad", "remark"))

#: So much of the text is cut into pieces at once.
_PORTION = 1 << 16


@dataclass(slots=True)
class Tokens:
    """The tokens of a text.

    `kinds[k]` is "name", "number", "end of file", or the keyword or operator itself.
    """

    source: Source
    kinds: list[str]
    texts: list[str]
    starts: "array[int]"
    ends: "array[int]"
    #: Comments that begin with `--!`, each with the number of the token behind it.
    remarks: list[tuple[int, Span]]


def tokenize(source: Source, diagnostics: Diagnostics, part: Span | None = None) -> Tokens:
    """Cut a text, or part of it, into tokens; what is no character of ISPL is reported and left out."""
    tokens = Tokens(source, [], [], array("q"), array("q"), [])
    known = _Pieces()
    start, last = part or (0, len(source.text))
    while start < last:
        check_limits()
        pieces = _portion(source.text, start, last)
        kinds = list(map(known.__getitem__, pieces))
        places = list(accumulate(map(len, pieces), initial=start))
        if _RARE.isdisjoint(kinds):
            tokens.kinds.extend(filter(None, kinds))
            tokens.texts.extend(map(known.texts.__getitem__, compress(pieces, kinds)))
            tokens.starts.fromlist(list(compress(places, kinds)))
            tokens.ends.fromlist(list(compress(places[1:], kinds)))
        else:
            for kind, text, place in zip(kinds, pieces, pairwise(places), strict=True):
                _take(tokens, kind, text, Span(*place), diagnostics)
        start = places[-1]
    _add(tokens, "end of file", "", Span(start, start))
    return tokens


class _Pieces(dict[str, str]):
    """What each piece is, blanks and comments ""; `texts` has one string for all occurrences of a piece."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def __missing__(self, piece: str) -> str:
        kind = _kind(piece)
        if kind or piece.isspace():  # comments are mostly all different
            self[piece] = kind
            self.texts[piece] = piece
        return kind


def _take(tokens: Tokens, kind: str, text: str, span: Span, diagnostics: Diagnostics) -> None:
    """Add what stands at a place, whatever it is."""
    if kind == "bad":
        for meant in _report_bad(tokens.source, text, span, diagnostics):
            _add(tokens, _kind(meant), meant, span)
    elif kind == "remark":
        tokens.remarks.append((len(tokens.kinds), span))
    elif kind:
        _add(tokens, kind, text, span)


def _add(tokens: Tokens, kind: str, text: str, span: Span) -> None:
    tokens.kinds.append(kind)
    tokens.texts.append(text)
    tokens.starts.append(span.start)
    tokens.ends.append(span.end)


def _portion(text: str, place: int, length: int) -> list[str]:
    """Return a few thousand pieces of a text, so that not all of them exist at once.

    Whole lines, since no piece goes on in the next one but blanks, which may be cut, and comments of other
    languages. In a line that is longer than that every piece is looked for by itself, which takes longer.
    """
    end = min(place + _PORTION, length)
    if end < length:
        end = text.rfind("\n", place, end) + 1
    pieces: list[str] = _TOKEN.findall(text, place, end) if end else []
    if end < length and pieces and pieces[-1].startswith("/*"):
        pieces.pop()
    if not pieces:
        found = islice(_TOKEN.finditer(text, place, length), _PORTION >> 3)
        pieces = [match.group() for match in found]
        assert pieces, "every character belongs to some piece"
    return pieces


def _kind(piece: str) -> str:
    first = piece[0]
    if first in _BLANKS:
        return ""
    if piece.startswith("--"):
        return "remark" if _REMARK.match(piece) else ""
    if piece in OPERATORS:
        return piece
    if not first.isascii():
        return "bad"
    if first.isalpha():
        return _KIND.get(piece, "name")
    return "number" if first.isdigit() else "bad"


def _report_bad(source: Source, text: str, span: Span, diagnostics: Diagnostics) -> tuple[str, ...]:
    """Report what is no ISPL, and return the tokens that stand for it from here on."""
    # What other tools write is looked up only where there is some of it.
    from gnomon.language.foreign import meant_by, told

    meant = meant_by("" if diagnostics.full else source.text, text, span.start)
    if meant.tokens and told(diagnostics.items[-1:], meant.help):
        return meant.tokens
    shown = text if len(text) <= 12 and text.isprintable() else ascii(text[:12])[1:-1] + "…"
    diagnostics.add(
        "G0101",
        meant.message or f"`{shown}` means nothing in ISPL",
        span,
        label=meant.label,
        help=meant.help,
    )
    return meant.tokens
