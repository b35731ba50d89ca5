"""What is expected of a formula, written down beside it."""

import re
from typing import Final

from gnomon.editing.analysis import Analysis, WrittenFormula
from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.writing import token_at
from gnomon.text.source import Span

_EXPECTED: Final = re.compile(r"\bexpect(\s+)(true|false|undefined)\b")


def expectation_change(
    analysis: Analysis, written: WrittenFormula, value: str
) -> TextChange | None:
    """Return the change that says that a verdict is expected; None where that is said already.

    It is written behind the formula, unless a comment in front of it says what is expected.
    """
    said = written.line.annotation.expected
    if said == value or value not in ("true", "false", "undefined"):
        return None
    if said is None:
        end = written.line.span.end
        return TextChange(Span(end, end), f" expect {value}")
    behind = _behind(analysis, written)
    place = behind or _in_comment(analysis, written)
    return None if place is None else TextChange(place, value)


def _behind(analysis: Analysis, written: WrittenFormula) -> Span | None:
    """Return the place of the verdict that is expected behind a formula."""
    tokens, place = analysis.tokens, token_at(analysis, written.line.span.end)
    if tokens.texts[place] != "expect":
        return None
    return Span(tokens.starts[place + 1], tokens.ends[place + 1])


def _in_comment(analysis: Analysis, written: WrittenFormula) -> Span | None:
    """Return the place of the verdict that is expected in a comment in front of a formula."""
    first = min(written.line.span.start, written.line.annotation.span.start)
    number = token_at(analysis, first)
    for following, remark in reversed(analysis.tokens.remarks):
        at_formula = following == number
        found = _EXPECTED.search(analysis.text, remark.start, remark.end)
        if at_formula and found is not None:
            return Span(*found.span(2))
    return None
