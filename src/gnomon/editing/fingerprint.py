"""What a verdict depends on, so that an edit that cannot change it does not make it old.

The verdict on a formula depends on the tokens outside `Formulae`, on the formula itself, and on what comments
say about warnings; not on blanks, other comments, other formulae, names of formulae and expectations.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from typing import Final, NamedTuple

from gnomon.editing.analysis import Analysis, WrittenFormula
from gnomon.text.source import Span

_COMMENT: Final = re.compile(r"--(?!!)")
_LINE_ENDS: Final = re.compile(r"[\r\n]")


class VerdictKey(NamedTuple):
    """What tells questions apart: the model, the formula as it was read, and how strategies are read."""

    model: str
    formula: str
    strategies: str = ""


def formula_keys(analysis: Analysis) -> dict[int, VerdictKey]:
    """Return what the verdict on each formula depends on, by its number; nothing where there are mistakes."""
    if analysis.loaded.model is None:
        return {}
    model = _digest(_model_tokens(analysis))
    return {
        number: VerdictKey(model, _digest([formula.logic, formula.parsed, text]))
        for written in analysis.written
        for text in (_text(analysis, written),)
        for number, formula in zip(written.numbers, written.formulae, strict=True)
    }


class ModelPlaces:
    """Places outside `Formulae` by the number of their token, which stays as long as the model does."""

    def __init__(self, analysis: Analysis) -> None:
        """Number the tokens of a text."""
        tokens = analysis.tokens
        self._source = analysis.source
        away = _formulae(analysis)
        self._spans = [
            Span(start, end)
            for start, end in zip(tokens.starts, tokens.ends, strict=True)
            if not any(span.start <= start < span.end for span in away)
        ]
        self._starts = [span.start for span in self._spans]

    def number_at(self, line: int, column: int = 1) -> int:
        """Return the number of the first token that does not end before a line and column, from 1."""
        starts = self._source.line_starts
        offset = starts[min(line, len(starts)) - 1] + column - 1
        return bisect_left(self._starts, offset)

    def span(self, number: int) -> Span | None:
        """Return where a token is now."""
        return self._spans[number] if 0 <= number < len(self._spans) else None


def _formulae(analysis: Analysis) -> list[Span]:
    return [section.span for section in analysis.sections if section.word == "Formulae"]


def _text(analysis: Analysis, written: WrittenFormula) -> str:
    return analysis.source.on_one_line(written.line.span)


def _model_tokens(analysis: Analysis) -> Iterator[str]:
    """Yield the tokens outside `Formulae`, and what the file says about warnings."""
    tokens = analysis.tokens
    away = _formulae(analysis)
    for text, start in zip(tokens.texts, tokens.starts, strict=True):
        if not any(span.start <= start < span.end for span in away):
            yield text
    for rule in analysis.program.code_rules:
        yield f"{rule.word} {rule.code}"
    yield from chain.from_iterable(
        (name, str(value)) for name, value in sorted(analysis.loaded.constants.items())
    )


def _digest(parts: "Iterator[str] | list[str]") -> str:
    # A sign that is in no token keeps them apart.
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()


def is_harmless(text: str, span: Span, new: str) -> bool:
    """Return whether a change only rewrites part of an ordinary comment, so that no verdict can change."""
    if _LINE_ENDS.search(new) or _LINE_ENDS.search(text, *span):
        return False
    start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    comment = text.find("--", start, span.start)
    # The two signs and what follows them must stay, or the comment could become one that is read.
    if comment < 0 or comment + 2 >= span.start or not _COMMENT.match(text, comment):
        return False
    return span.start > comment + 3
