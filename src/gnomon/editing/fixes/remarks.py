"""Comments that are read: those that say nothing, and the one that says that a warning is welcome."""

import re
from collections.abc import Iterator

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import indent_at, line_end, lines_behind, removed
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import closest
from gnomon.text.source import Span


def idle_remark(mistake: Mistake) -> Iterator[Fix]:
    """Make an ordinary comment of one that says nothing, or leave it out."""
    start, written = mistake.span.start, mistake.written
    if not written.startswith("--!"):
        return
    yield from _expect(mistake)
    change = TextChange(Span(start, start + len("--!")), "--")
    yield Fix("Make it an ordinary comment", (change,))
    yield Fix("Remove the comment", (removed(mistake.text, mistake.span),))


def _expect(mistake: Mistake) -> Iterator[Fix]:
    """Yield the comment with `expect` where a word is nearly that."""
    for note in mistake.diagnostic.notes:
        found = re.match(
            r"expected (`expect`|`true`, .*|the end of the comment), found `(\w+)`", note
        )
        if found is None:
            continue
        guess = closest(found[2], ["expect", "true", "false", "undefined"])
        word = re.search(rf"\b{found[2]}\b", mistake.written)
        if guess is not None and word is not None:
            start = mistake.span.start
            change = TextChange(Span(start + word.start(), start + word.end()), guess)
            yield Fix(f"Write `{guess}` instead of `{found[2]}`", (change,), preferred=True)


def idle_rule(mistake: Mistake) -> Iterator[Fix]:
    """Leave out a code that is named in vain, and with the last one the comment."""
    code = mistake.written
    if code not in {rule.code for rule in mistake.analysis.program.code_rules}:
        return
    place = mistake.span
    if "this line counts" in mistake.message:
        earlier = [
            rule.span
            for rule in mistake.analysis.program.code_rules
            if rule.code == code and rule.span.start < mistake.span.start
        ]
        place = earlier[-1]
    for _, remark in mistake.analysis.tokens.remarks:
        if remark.start <= place.start < remark.end:
            rules = mistake.analysis.program.code_rules
            if sum(remark.start <= rule.span.start < remark.end for rule in rules) == 1:
                change = removed(mistake.text, remark)
            else:
                behind = re.match(r"[ ,]*", mistake.text[place.end : remark.end])
                end = place.end + (behind.end() if behind else 0)
                change = TextChange(Span(place.start, end), "")
            preferred = "this line counts" not in mistake.message
            yield Fix(f"Remove `{code}`, which says nothing", (change,), preferred)


def allow(mistake: Mistake) -> Iterator[Fix]:
    """Say in the file that a warning is welcome."""
    code = mistake.diagnostic.more_of or mistake.diagnostic.code
    if not CODES[code].allowable:
        return
    rules = mistake.analysis.program.code_rules
    if any(rule.code == code for rule in rules):
        return  # somebody said the opposite
    title = f"Allow `{code}` in this file"
    text, line = mistake.text, f"--! allow {code}"
    before = [rule.span for rule in rules if rule.word == "allow" and _alone(text, rule.span)]
    if before:
        place = before[-1].start
        change = lines_behind(text, place, (f"{indent_at(text, place)}{line}",))
    else:
        change = TextChange(Span(0, 0), f"{line}{line_end(text)}")
    yield Fix(title, (change,))


def _alone(text: str, span: Span) -> bool:
    """Return whether a comment has its line for itself."""
    start = text.rfind("\n", 0, span.start) + 1
    return text[start : span.start].lstrip().startswith("--")
