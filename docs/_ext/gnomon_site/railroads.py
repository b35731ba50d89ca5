"""Rules of the grammar as railroad diagrams, drawn in the colours of the page."""

import io
from typing import Any, Final

import railroad

from gnomon_site.ebnf import (
    AnyTimes,
    AtMostOnce,
    OneAfterAnother,
    OneOf,
    Piece,
    Remark,
    Rule,
    RuleName,
    Word,
)

#: A row of a diagram is about as wide as a column of text.
_WIDEST: Final = 640
#: Comments that are a sign on a line; what it means is said where the rule stands.
_SHORT: Final = 4


def draw_rule(rule: Rule, known: frozenset[str]) -> str:
    """Return the diagram of a rule as SVG, with links to the rules that it names."""
    diagram = railroad.Diagram(_drawn(rule.piece, known), type="complex", css=None)
    out = io.StringIO()
    diagram.writeSvg(out.write)
    label = f"{rule.name}: diagram of the rule"
    return (
        out.getvalue()
        .replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
        .replace("\n", "")
    )


def _drawn(piece: Piece, known: frozenset[str]) -> Any:
    match piece:
        case Word(text):
            return railroad.Terminal(text)
        case RuleName(name, None):
            link = f"#rule-{name.replace('_', '-')}" if name in known else None
            return railroad.NonTerminal(name, link)
        case RuleName(name, argument):
            assert argument is not None
            title = railroad.Comment(f"{name} of", f"#rule-{name}")
            return railroad.Group(_drawn(argument, known), title)
        case OneOf(pieces):
            drawn = [_drawn(each, known) for each in pieces]
            return railroad.Choice(0, *drawn)
        case AtMostOnce(AnyTimes(inner)) | AnyTimes(inner):
            return railroad.ZeroOrMore(_drawn(inner, known))
        case AtMostOnce(inner):
            return railroad.Optional(_drawn(inner, known))
        case Remark(text):
            return railroad.Comment(text) if len(text) <= _SHORT else railroad.Skip()
        case OneAfterAnother(pieces):
            return _sequence(pieces, known)


def _sequence(pieces: tuple[Piece, ...], known: frozenset[str]) -> Any:
    """Return pieces in a row, or in several where they are many; `a { "," a }` is a loop."""
    drawn: list[Any] = []
    rows: list[list[Any]] = [[]]
    width = 0.0
    for at, piece in enumerate(pieces):
        if isinstance(piece, Remark) and len(piece.text) > _SHORT:
            continue
        following = pieces[at + 1] if at + 1 < len(pieces) else None
        if at and _loops(pieces[at - 1], piece):
            continue
        if separator := _loops(piece, following):
            each = railroad.OneOrMore(_drawn(piece, known), _row(separator, known))
        else:
            each = _drawn(piece, known)
        if width + each.width > _WIDEST and rows[-1]:
            rows.append([])
            width = 0.0
        rows[-1].append(each)
        width += each.width + 20
        drawn.append(each)
    if len(rows) == 1:
        return railroad.Sequence(*drawn)
    return railroad.Stack(*(railroad.Sequence(*row) for row in rows))


def _row(pieces: tuple[Piece, ...], known: frozenset[str]) -> Any:
    return _drawn(pieces[0] if len(pieces) == 1 else OneAfterAnother(pieces), known)


def _loops(piece: Piece, following: Piece | None) -> tuple[Piece, ...]:
    """Return what stands between repetitions of a piece, where what follows repeats it."""
    match following:
        case AnyTimes(OneAfterAnother(pieces)) if len(pieces) > 1 and pieces[-1] == piece:
            return pieces[:-1]
        case _:
            return ()
