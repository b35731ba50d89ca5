"""Comments that MCMAS skips and we read: `--! bypass expect false` before a formula, `--! allow G0407`."""

from typing import cast

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expressions import read_name
from gnomon.language.formulae import read_expectation
from gnomon.language.lexer import Tokens, tokenize
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

_MARK = len("--!")
_HELP = (
    "write `--! name expect false` on the line before a formula, or `-- …` for an ordinary comment"
)


def read_remarks(tokens: Tokens, cursor: Cursor) -> tuple[syntax.CodeRule, ...]:
    """Let the cursor know what comments say about formulae, and return what they say about warnings."""
    rules: list[syntax.CodeRule] = []
    for following, span in tokens.remarks:
        found = _read_remark(span, cursor)
        match found:
            case None:
                _warn(cursor, span, "this comment begins like one for Gnomon, and cannot be read")
            case syntax.Annotation():
                _note(cursor, following, found)
            case _:
                rules += found
    return tuple(rules)


def report_stray(cursor: Cursor) -> None:
    """Warn of what was said about no formula."""
    for annotation in cursor.annotations.values():
        _warn(cursor, annotation.span, "this comment stands before no formula")


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


def _read_remark(
    span: Span, cursor: Cursor
) -> syntax.Annotation | tuple[syntax.CodeRule, ...] | None:
    """Return what a comment says, None where it cannot be read."""
    said = Diagnostics(cursor.source)
    inner = Cursor(tokenize(cursor.source, said, Span(span.start + _MARK, span.end)), said)
    try:
        if _at_rule(inner):
            return _read_rules(inner)
        annotation = _read_annotation(inner, span)
    except Reported:
        return None
    if said.has_errors:
        return None
    cursor.uses_families |= inner.uses_families
    return annotation


def _at_rule(inner: Cursor) -> bool:
    """Return whether this is about codes; `allow` and `deny` may also name formulae."""
    return (
        inner.text in ("allow", "deny") and inner.ahead() == "name" and inner.texts[1] != "expect"
    )


def _read_annotation(inner: Cursor, span: Span) -> syntax.Annotation:
    name = None
    if not (inner.at_word("expect") and inner.ahead() in ("true", "false", "name")):
        name = read_name(inner, "the name of a formula")
        inner.accept(":")
    expected = read_expectation(inner)
    if inner.kind != "end of file":
        inner.fail("the end of the comment")
    return syntax.Annotation(name, expected, span)


def _read_rules(inner: Cursor) -> tuple[syntax.CodeRule, ...]:
    word = inner.take()
    rules: list[syntax.CodeRule] = []
    while True:
        place = inner.here()
        code = inner.identifier("a code such as `G0407`")
        rules.append(syntax.CodeRule(cast("syntax.RuleWord", word), code, place))
        inner.accept(",")
        if inner.kind == "end of file":
            return tuple(rules)


def _warn(cursor: Cursor, span: Span, message: str) -> None:
    cursor.diagnostics.add("G0417", message, span, help=_HELP)
