"""A text that was cut into tokens before and has changed somewhere: only what changed is cut again.

No token goes on in the next line, so lines that are the same before and behind the change have the same
tokens, further on or not. Comments of other languages do go on, and characters that mean nothing are reported
with what stands around them: where there is any of that, all of the text is cut again, as if for the first
time.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from gnomon.language.lexer import Tokens, tokenize
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits
from gnomon.text.source import Source, Span


class ChangedLines(NamedTuple):
    """The lines in which two texts differ: where they begin in both, and where they end in each."""

    start: int
    old_end: int
    new_end: int

    @property
    def by(self) -> int:
        """Return how far what stands behind has moved."""
        return self.new_end - self.old_end


class Cut(NamedTuple):
    """The tokens of a text, and how many at its beginning and at its end are those that were there before."""

    tokens: Tokens
    before: int
    after: int
    #: Whether characters were reported.
    reported: bool


def recut(old: Cut, source: Source, diagnostics: Diagnostics) -> Cut:
    """Cut a text into tokens, with those of another text at hand that is mostly the same."""
    change = changed_lines(old.tokens.source.text, source.text)
    before = bisect_left(old.tokens.starts, change.start)
    after = len(old.tokens.starts) - bisect_left(old.tokens.starts, change.old_end)
    if not old.reported:
        lines = Diagnostics(source)
        middle = tokenize(source, lines, Span(change.start, change.new_end))
        if not lines.items:
            tokens = _joined(old.tokens, middle, before, after, change)
            return Cut(tokens, before, after, reported=False)
    tokens = tokenize(source, diagnostics)
    same_before, same_after = _same(old.tokens, tokens, before, after, change.by)
    return Cut(tokens, same_before, same_after, bool(diagnostics.items))


def changed_lines(old: str, new: str) -> ChangedLines:
    """Return the lines in which two texts differ; those before and behind them are the same."""
    most = min(len(old), len(new))
    same = _common(most, lambda start, end: old[start:end] == new[start:end])
    start = new.rfind("\n", 0, same) + 1
    ends = len(old), len(new)
    tail = _common(
        most - same,
        lambda start, end: (
            old[ends[0] - end : ends[0] - start] == new[ends[1] - end : ends[1] - start]
        ),
    )
    line = new.find("\n", ends[1] - tail) + 1
    if not line:
        return ChangedLines(start, *ends)
    return ChangedLines(start, line - ends[1] + ends[0], line)


def _common(most: int, equal: Callable[[int, int], bool]) -> int:
    """Return how much is equal, by halves: comparing is quick, and going through characters is not."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if equal(least, middle):
            least = middle
        else:
            most = middle - 1
    return least


def _joined(old: Tokens, middle: Tokens, before: int, after: int, change: ChangedLines) -> Tokens:
    """Return the tokens before a change, in it, and behind it, where these are now."""
    check_limits()
    cut, by = len(old.starts) - after, change.by
    between = len(middle.starts) - 1  # the last is the end of the file
    kinds = [*old.kinds[:before], *middle.kinds[:between], *old.kinds[cut:]]
    texts = [*old.texts[:before], *middle.texts[:between], *old.texts[cut:]]
    starts = old.starts[:before] + middle.starts[:between] + _further(old.starts[cut:], by)
    ends = old.ends[:before] + middle.ends[:between] + _further(old.ends[cut:], by)
    more = before + between - cut
    remarks = [
        *(item for item in old.remarks if item[1].start < change.start),
        *((before + following, span) for following, span in middle.remarks),
        *(
            (following + more, Span(span.start + by, span.end + by))
            for following, span in old.remarks
            if span.start >= change.old_end
        ),
    ]
    return Tokens(middle.source, kinds, texts, starts, ends, remarks)


def _further(places: "array[int]", by: int) -> "array[int]":
    return array("q", [place + by for place in places]) if by else places


def _same(old: Tokens, new: Tokens, before: int, after: int, by: int) -> tuple[int, int]:
    """Return how many tokens are the same, where all were cut again; none where some are not."""
    cut, end = len(old.starts) - after, len(new.starts) - after
    if (
        old.kinds[:before] != new.kinds[:before]
        or old.texts[:before] != new.texts[:before]
        or old.starts[:before] != new.starts[:before]
        or old.ends[:before] != new.ends[:before]
    ):
        before = 0
    if (
        end < before
        or old.kinds[cut:] != new.kinds[end:]
        or old.texts[cut:] != new.texts[end:]
        or _further(old.starts[cut:], by) != new.starts[end:]
        or _further(old.ends[cut:], by) != new.ends[end:]
    ):
        after = 0
    return before, after
