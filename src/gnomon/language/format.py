"""Text back to canonical ISPL: the same tokens and comments, laid out afresh.

Only blanks and line breaks change. A user's file depends on it, so what was written is read back and
compared with what was there before anybody gets it.
"""

import re
from bisect import bisect_left
from typing import Final

from gnomon.language import syntax
from gnomon.language.lexer import KEYWORDS
from gnomon.language.line_writer import LineWriter, SourceToken
from gnomon.language.parse import parse
from gnomon.language.syntax import each_line
from gnomon.text.diagnostic import InputError
from gnomon.text.errors import Bug
from gnomon.text.limits import check_limits, paused_collection
from gnomon.text.record import same, walk
from gnomon.text.source import Source

_PIECE: Final = re.compile(
    r"(?P<blank>[ \t\r\f\v]+)|(?P<newline>\n)|(?P<comment>--[^\n]*)"
    r"|(?P<word>CTL\*|[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<operator><->|<=|>=|<>|!=|->|:=|\.\.|.)"
)

#: What is left out at the end of a comment.
_BLANKS: Final = " \t\r\f\v"


class FormattingBug(Bug):
    """The formatted text does not say what the text said: it must not be used."""


def format_text(source: Source) -> str:
    """Return the text in its canonical form; one that cannot be read raises `InputError`.

    The canonical form has the tokens, the tree and the comments of the text; otherwise this raises
    `FormattingBug`.
    """
    with paused_collection():
        program = read_whole(source)
        return laid_out(source, program, tokens_and_comments(source.text))


def laid_out(source: Source, program: syntax.Program, pieces: list[SourceToken]) -> str:
    """Return tokens and comments of a program in their canonical form, read back and found to be the same."""
    _mark_coalitions(pieces, program)
    _mark_expectations(pieces, program)
    _mark_choices(pieces, program)
    tokens = [piece for piece in pieces if piece.kind != "comment"]
    layout = LineWriter(short_constants=_has_short_constants(tokens))
    following = iter([*tokens[1:], SourceToken("end of file", "", 0, spaced=False)])
    for number, piece in enumerate(pieces):
        if not number & 0xFFF:
            check_limits()
        layout.add(piece, "" if piece.kind == "comment" else next(following).kind)
    result = layout.finish()
    _compare(source, program, pieces, result)
    return result


def read_whole(source: Source) -> syntax.Program:
    """Return the tree of a text; one that cannot be read raises `InputError`."""
    parsed = parse(source)
    if parsed.diagnostics.has_errors:
        raise InputError(parsed.diagnostics.sorted())
    return parsed.program


def _compare(
    source: Source, program: syntax.Program, pieces: list[SourceToken], result: str
) -> None:
    """See that a formatted text says what the text said."""
    what = ""
    if [piece.text for piece in pieces] != [piece.text for piece in tokens_and_comments(result)]:
        what = "its tokens and comments"
    else:
        try:
            what = "" if same(program, read_whole(Source(source.name, result))) else "its meaning"
        except InputError:
            what = "what can be read"
    if what:
        msg = f"formatting `{source.name}` would change {what}; it is left as it is"
        raise FormattingBug(msg)


def _mark_coalitions(pieces: list[SourceToken], program: syntax.Program) -> None:
    """Give the brackets around coalitions kinds of their own: `<` and `>` also compare.

    The same of the sign that opens the bounds of an operator, `<=` or `[`.
    """
    opening: dict[int, str] = {}
    closing: set[int] = set()
    for part in walk((program.fairness, program.formulae)):
        if isinstance(part, syntax.Bounds):
            opening[part.span.start] = "bounds"
        elif isinstance(part, syntax.Coalition):
            opening[part.span.start] = "coalition" if part.members else "empty coalition"
            if part.members:
                closing.add(part.members[-1].span.end)
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


def _mark_expectations(pieces: list[SourceToken], program: syntax.Program) -> None:
    """Give `expect` behind a formula a kind of its own: the word may also name something."""
    behind = {
        line.span.end: line.annotation.span.end
        for line in each_line(program.formulae or ())
        if line.annotation.span.end > line.span.end
    }
    end = 0
    for piece in pieces:
        if piece.kind == "comment":
            continue
        if piece.text == "expect" and piece.start < end:
            piece.kind, end = "expect", 0
        end = behind.get(piece.start + len(piece.text), end)


def _mark_choices(pieces: list[SourceToken], program: syntax.Program) -> None:
    """Give the words of a choice kinds of their own: `then` and `else` may also name something."""
    choices = [part for part in walk(program) if isinstance(part, syntax.IfThenElse)]
    if not choices:
        return
    starts = {choice.span.start for choice in choices}
    # Each word stands between two parts of its choice, with nothing but brackets around it.
    gaps = [
        gap
        for choice in choices
        for gap in (
            (choice.condition.span.end, choice.then.span.start, "then"),
            (choice.then.span.end, choice.otherwise.span.start, "else"),
        )
    ]
    words = [piece for piece in pieces if piece.text in ("then", "else", "if")]
    places = [piece.start for piece in words]
    for piece in words:
        if piece.text == "if" and piece.start in starts:
            piece.kind = "choice"
    for begin, end, word in gaps:
        for piece in words[bisect_left(places, begin) : bisect_left(places, end)]:
            if piece.text == word:
                piece.kind = word


def _has_short_constants(tokens: list[SourceToken]) -> bool:
    """Return whether the constants are one line, `Constants n = 3;`, without an end of their own."""
    texts = [token.text for token in tokens]
    if "Constants" not in texts:
        return False
    tail = texts[texts.index("Constants") :]
    if ";" not in tail or tail.count("Constants") > 1:
        return False
    return [*tail, "end"][tail.index(";") + 1] != "end"


def tokens_and_comments(text: str) -> list[SourceToken]:
    """Return all of a text but its blanks."""
    pieces: list[SourceToken] = []
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
            pieces.append(SourceToken(kind or "", text, newlines, spaced, match.start()))
            newlines, spaced = 0, False
    return pieces
