"""What is said about the place that a reader points at, in Markdown."""

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis, WrittenFormula
from gnomon.editing.describing import describe
from gnomon.editing.word_help import OPERATORS, WORDS
from gnomon.results.formula_reading import read_aloud
from gnomon.text.codes import CODES
from gnomon.text.source import Span

_CODE: Final = re.compile(r"\bG[0-9]{4}\b")


class HoverText(NamedTuple):
    """Words about some characters; where these are of a formula, which one."""

    markdown: str
    span: Span
    formula: WrittenFormula | None = None


def hover(analysis: Analysis, offset: int) -> HoverText | None:
    """Return what there is to say about a place: a code, a name, a word of the language, or a formula."""
    code = _code_at(analysis, offset)
    if code is not None:
        return code
    written = formula_at(analysis, offset)
    named = analysis.symbols.at(offset)
    if named is not None:
        formula = _declared_formula(analysis, named.span, written)
        if formula is not None:
            return HoverText(read_formula(analysis, formula), named.span, formula)
        about = describe(analysis, named.symbol)
        if written is not None:
            about += f"\n\n---\n\n{read_formula(analysis, written)}"
        return HoverText(about, named.span, written)
    word = _word_at(analysis, offset)
    if written is not None and (word is None or not _is_comment(analysis, offset)):
        said = "" if word is None else OPERATORS.get(word[0], "")
        parts = [part for part in (said, read_formula(analysis, written)) if part]
        return HoverText("\n\n".join(parts), written.line.span, written)
    if word is not None:
        said = WORDS.get(word[0]) or OPERATORS.get(word[0], "")
        if said:
            return HoverText(f"**{word[0]}**: {said}", word[1])
    return None


def formula_at(analysis: Analysis, offset: int) -> WrittenFormula | None:
    """Return the line of `Formulae` that a place is in."""
    for written in analysis.written:
        given = written.line.annotation.name
        # A comment before the formula may name it.
        start = written.span.start if given is None else min(written.span.start, given.span.start)
        if start <= offset <= written.span.end:
            return written
    return None


def read_formula(analysis: Analysis, written: WrittenFormula) -> str:
    """Return a formula in words, with what is expected of it."""
    words = read_aloud(written.line, analysis.source)
    name = f"**{written.name}**\n\n" if written.name else ""
    expected = written.line.annotation.expected
    said = f"\n\nExpected: {expected}." if expected else ""
    many = len(written.numbers)
    copies = f"\n\nIt stands for {many} formulae." if many > 1 else ""
    return f"{name}{words}{copies}{said}"


def code_story(code: str) -> str:
    """Return the story of a diagnostic code, in Markdown."""
    entry = CODES[code]
    return f"**{entry.severity} {code}**: {entry.title}\n\n{entry.story.strip()}"


def _declared_formula(
    analysis: Analysis, span: Span, inside: WrittenFormula | None
) -> WrittenFormula | None:
    """Return the formula whose name stands at a place."""
    for written in analysis.written if inside is None else (inside,):
        given = written.line.annotation.name
        if given is not None and given.span.start == span.start:
            return written
    return None


def _code_at(analysis: Analysis, offset: int) -> HoverText | None:
    start = analysis.text.rfind("\n", 0, offset) + 1
    end = analysis.text.find("\n", offset)
    for found in _CODE.finditer(analysis.text, start, len(analysis.text) if end < 0 else end):
        if found.start() <= offset <= found.end() and found.group() in CODES:
            return HoverText(code_story(found.group()), Span(*found.span()))
    return None


def _word_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    tokens = analysis.tokens
    place = bisect_right(tokens.starts, offset) - 1
    for candidate in (place, place - 1):
        if candidate >= 0 and tokens.starts[candidate] <= offset <= tokens.ends[candidate]:
            text = tokens.texts[candidate]
            if text[:1].isalpha():
                return text, Span(tokens.starts[candidate], tokens.ends[candidate])
    return None


def _is_comment(analysis: Analysis, offset: int) -> bool:
    start = analysis.text.rfind("\n", 0, offset) + 1
    return "--" in analysis.text[start:offset]
