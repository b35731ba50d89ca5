"""Comments that MCMAS skips and we read: `--! bypass expect false` before a formula, `--! allow G0407`."""

import re
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias, cast

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.lexer import Tokens, tokenize
from gnomon.language.specifications import read_expectation, read_formula_name
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_MARK: Final = len("--!")
_CODE: Final = re.compile(r"G[0-9]{4}")
_UNREADABLE: Final = "this comment begins like one for Gnomon, and cannot be read"
_HELP: Final = (
    "write `--! name expect false` on the line before a formula, or `-- …` for an ordinary comment"
)


class _Unread(NamedTuple):
    """A comment that cannot be read, and why."""

    reason: str


_Remark: TypeAlias = "syntax.Annotation | tuple[syntax.CodeRule, ...] | _Unread"


def read_remarks(tokens: Tokens, cursor: Cursor) -> tuple[syntax.CodeRule, ...]:
    """Let the cursor know what comments say about formulae, and return what they say about warnings."""
    rules: list[syntax.CodeRule] = []
    for following, span in tokens.remarks:
        found = _read_remark(span, cursor)
        match found:
            case _Unread(reason):
                _warn(cursor, span, _UNREADABLE, reason)
            case syntax.Annotation():
                _note(cursor, following, found)
            case _:
                rules += found
    return tuple(rules)


def report_stray(cursor: Cursor) -> None:
    """Warn of what was said about no formula; lines that could not be read may have been formulae."""
    if cursor.annotations and cursor.diagnostics.has_errors:
        return
    for following, annotation in cursor.annotations.items():
        message = "this comment stands before no formula"
        if cursor.texts[following] == "for":
            message = "this comment stands before `for`, not before a formula inside it"
        _warn(cursor, annotation.span, message)


def _note(cursor: Cursor, following: int, new: syntax.Annotation) -> None:
    """Keep what is said about the formula behind a comment that has its line for itself."""
    if not _begins_line(cursor, new.span):
        _warn(cursor, new.span, "this comment stands behind something, not before a formula")
        return
    before = cursor.annotations.get(following, syntax.Annotation())
    if (before.name and new.name) or (before.expected and new.expected):
        _warn(cursor, new.span, "this comment says again what was said before")
        return
    cursor.annotations[following] = syntax.Annotation(
        before.name or new.name, before.expected or new.expected, new.span
    )


def _begins_line(cursor: Cursor, span: Span) -> bool:
    text = cursor.source.text
    return not text[text.rfind("\n", 0, span.start) + 1 : span.start].strip()


def _read_remark(span: Span, cursor: Cursor) -> _Remark:
    said = Diagnostics(cursor.source)
    inner = Cursor(tokenize(cursor.source, said, Span(span.start + _MARK, span.end)), said)
    inner.context = "the comment"
    found: _Remark | None = None
    with suppress(Reported):
        found = _read_rules(inner) if _at_rule(inner) else _read_annotation(inner, span)
    if found is None or said.items:
        return _Unread(said.items[0].message)
    cursor.uses_families |= inner.uses_families
    return found


def _at_rule(inner: Cursor) -> bool:
    """Return whether this is about codes; `allow` and `deny` may also name formulae."""
    return (
        inner.text in ("allow", "deny") and inner.ahead() == "name" and inner.texts[1] != "expect"
    )


def _read_annotation(inner: Cursor, span: Span) -> syntax.Annotation:
    name = None
    if not _at_expectation(inner):
        name = read_formula_name(inner)
        inner.accept(":")
    expected = read_expectation(inner)
    if inner.kind != "end of file":
        inner.fail("the end of the comment")
    return syntax.Annotation(name, expected, span)


def _at_expectation(inner: Cursor) -> bool:
    """Return whether the name is left out; a formula may be called `expect`."""
    following = inner.texts[min(1, inner.last)]
    return inner.at_word("expect") and following not in ("expect", ":", "[", "")


def _read_rules(inner: Cursor) -> tuple[syntax.CodeRule, ...]:
    word = cast(syntax.RuleWord, inner.take())
    rules: list[syntax.CodeRule] = []
    while inner.kind != "end of file":
        if not _CODE.fullmatch(inner.text):
            inner.fail("a code such as `G0407`")
        place = inner.here()
        rules.append(syntax.CodeRule(word, inner.take(), place))
        inner.accept(",")
    return tuple(rules)


def _warn(cursor: Cursor, span: Span, message: str, reason: str = "") -> None:
    cursor.diagnostics.add("G0417", message, span, notes=(reason,) if reason else (), help=_HELP)
