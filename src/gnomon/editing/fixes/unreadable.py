"""Lines and sections that cannot be read: signs that are missing or too many, and ends of sections."""

import re
from collections.abc import Iterator
from typing import Final

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import (
    body_end,
    indent_at,
    lines_behind,
    token_at,
    token_span,
    tokens_in,
    tokens_named,
)
from gnomon.language.cursor import Cursor
from gnomon.language.expressions import read_binders
from gnomon.language.lexer import tokenize
from gnomon.language.words import SECTION_WORDS, words
from gnomon.text.diagnostic import Diagnostics, closest
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: Signs that may simply have been forgotten.
_SIGNS: Final = (";", ")", "]", "}", ":", "=", ",", "(", "{", "if", "..")
_EXPECTED: Final = re.compile(r"expected `([^`]+)`(?: after [^,]+)?, found ")
_AGENTS: Final = ("Agent", "Environment", "Template")
#: Words that stand between others, or behind all of them.
_JOINING: Final = ("and", "or", "if", "then", "else", "end", "Other", "true", "false")
#: What does not bind more tightly than `and` or `or`: it needs brackets beside them.
_LOOSER: Final = {"and": {"or", "xor", "->", "<->", "else"}, "or": {"->", "<->", "else"}}


def add_semicolon(mistake: Mistake) -> Iterator[Fix]:
    """End a line."""
    end = mistake.span.end
    yield Fix("Add the missing `;`", (TextChange(Span(end, end), ";"),), preferred=True)


# Something else was expected


def small_words(mistake: Mistake) -> Iterator[Fix]:
    """Write words that were nearly right: `end`, `expect`, the name of a semantics, `Action`."""
    message, written = mistake.message, mistake.written
    if message.startswith("expected `end`"):
        yield mistake.replace("end", preferred=True)
    elif message.startswith("expected `expect`"):
        yield mistake.replace("expect", preferred=True)
    elif message.startswith("expected `MultiAssignment`"):
        guess = closest(written, list(words("semantics")))
        if guess is not None:
            yield mistake.replace(guess, preferred=True)
    else:
        yield from _misspelt_word(mistake)


def _misspelt_word(mistake: Mistake) -> Iterator[Fix]:
    """Write the word that was expected for one that is like it, or one that joins what stands around it."""
    place = token_at(mistake.analysis, mistake.span.start)
    wanted = _EXPECTED.match(mistake.message)
    if mistake.analysis.tokens.kinds[place] != "name" or mistake.help:
        return
    known = [wanted[1]] if wanted is not None and wanted[1].isalpha() else []
    guess = closest(mistake.written, [*known, *_JOINING])
    if guess is not None:
        yield mistake.replace(guess, preferred=True)


def section_signs(mistake: Mistake) -> Iterator[Fix]:
    """Open a section with the sign that it has."""
    if mistake.help.startswith("this section is written with"):
        yield mistake.replace("=" if mistake.written == ":" else ":", preferred=True)


def name_with_colon(mistake: Mistake) -> Iterator[Fix]:
    """Put a colon between a name and its formula."""
    if not mistake.help.startswith("a formula is named with a colon"):
        return
    if mistake.written == "=":
        yield mistake.replace(":", preferred=True)
        return
    place = mistake.analysis.tokens.ends[token_at(mistake.analysis, mistake.span.start) - 1]
    yield Fix("Put `:` behind the name", (TextChange(Span(place, place), " :"),), preferred=True)


def only_of_formulae(mistake: Mistake) -> Iterator[Fix]:
    """Leave out the name of a fairness constraint, and what is expected of it."""
    analysis = mistake.analysis
    place = token_at(analysis, mistake.span.start)
    if mistake.message == "a fairness constraint has no name":
        while analysis.tokens.texts[place] not in (":", ";", ""):
            place += 1
        end = analysis.tokens.starts[place + 1] if analysis.tokens.texts[place] == ":" else 0
        if end:
            change = TextChange(Span(mistake.span.start, end), "")
            yield Fix("Leave the name out", (change,), preferred=True)
    elif mistake.message == "nothing is expected of a fairness constraint":
        start = analysis.tokens.ends[place - 1]
        change = TextChange(Span(start, analysis.tokens.ends[place + 1]), "")
        yield Fix("Leave the expectation out", (change,), preferred=True)


def own_variable(mistake: Mistake) -> Iterator[Fix]:
    """Assign to a variable without the name of its agent, which is the agent itself."""
    agent, analysis = mistake.agent(), mistake.analysis
    place = token_at(analysis, mistake.span.start)
    own = agent is not None and agent.name.text == mistake.written
    if own and mistake.message.startswith("expected the name of a variable"):
        if analysis.tokens.texts[place + 1] != ".":
            return
        change = TextChange(Span(mistake.span.start, analysis.tokens.ends[place + 1]), "")
        yield Fix(f"Leave `{mistake.written}.` out", (change,), preferred=True)


def assign_in_brackets(mistake: Mistake) -> Iterator[Fix]:
    """Put brackets around a condition that is assigned."""
    if not any("stands in brackets" in note for note in mistake.diagnostic.notes):
        return
    tokens, place = mistake.analysis.tokens, token_at(mistake.analysis, mistake.span.start)
    first = place
    while first and tokens.texts[first - 1] not in ("=", ";"):
        first -= 1
    last = place
    while tokens.texts[last + 1] not in ("if", "and", ";", ""):
        last += 1
    start, end = tokens.starts[first], tokens.ends[last]
    changes = (TextChange(Span(start, start), "("), TextChange(Span(end, end), ")"))
    yield Fix("Put the condition in brackets", changes, preferred=True)


def forgotten_sign(mistake: Mistake) -> Iterator[Fix]:
    """Write the sign that was expected, or leave out what was found: where all can be read then."""
    if mistake.help and mistake.help != "ISPL compares with a single `=`":
        return  # there is something better to do
    found = _EXPECTED.match(mistake.message)
    analysis = mistake.analysis
    place = token_at(analysis, mistake.span.start)
    if found is not None and found[1] in _SIGNS and place:
        end = analysis.tokens.ends[place - 1]
        # What stands behind something in a list is more often another item than none.
        items = found[1] == "}" and analysis.tokens.kinds[place] == "name"
        sign = "," if items else found[1]
        apart = sign in ("=", "if", "{") or (sign == ":" and analysis.tokens.texts[place] == "{")
        change = TextChange(Span(end, end), f" {sign}" if apart else sign)
        yield Fix(f"Add the missing `{sign}`", (change,))
    written, (start, stop) = mistake.written, mistake.span
    if written and mistake.message.startswith("expected"):
        blanks = mistake.text[start - 1 : start] == " " == mistake.text[stop : stop + 1]
        change = TextChange(Span(start, stop + blanks), "")
        yield Fix(f"Remove `{written}`", (change,))


# Sections


def close_section(mistake: Mistake) -> Iterator[Fix]:
    """Write the `end` that is missing, or the word that belongs to one."""
    wanted = re.match(r"expected `end (\w+)`", mistake.message)
    if wanted is None:
        return
    word, analysis = wanted[1], mistake.analysis
    tokens, place = analysis.tokens, token_at(analysis, mistake.span.start)
    following = tokens.texts[place + 1] if place + 1 < len(tokens.texts) else ""
    if list(misspelt_end(mistake)):
        yield from misspelt_end(mistake)
        return
    if tokens.texts[place] == word:
        change = TextChange(Span(mistake.span.start, mistake.span.start), "end ")
        yield Fix(f"Write `end {word}`", (change,), preferred=True)
    if tokens.texts[place] == "end":
        beside = "\n" not in mistake.text[tokens.ends[place] : tokens.starts[place + 1]]
        other = following if beside and tokens.kinds[place + 1] != "end of file" else ""
        if not other:
            end = tokens.ends[place]
            change = TextChange(Span(end, end), f" {word}")
            yield Fix(f"Write `end {word}`", (change,), preferred=True)
        elif not _closes_what_is_around(word, other):
            change = TextChange(token_span(analysis, place + 1), word)
            title = f"Write `end {word}` instead of `end {other}`"
            yield Fix(title, (change,), preferred=True)
            return
    yield _end_added(mistake, word, place)


def misspelt_end(mistake: Mistake) -> Iterator[Fix]:
    """Write `end` for a word like it, where the section that it ends stands behind it."""
    analysis = mistake.analysis
    tokens, place = analysis.tokens, token_at(analysis, mistake.span.start)
    if mistake.diagnostic.code == "G0105":
        place -= 1
    if place < 1 or tokens.texts[place] not in (*SECTION_WORDS, "for", *_AGENTS):
        return
    wrong = tokens.texts[place - 1]
    if tokens.kinds[place - 1] == "name" and closest(wrong, ["end"]):
        change = TextChange(token_span(analysis, place - 1), "end")
        yield Fix(f"Write `end` instead of `{wrong}`", (change,), preferred=True)


def _closes_what_is_around(word: str, other: str) -> bool:
    """Return whether `end other` belongs to what the section that is not closed stands in."""
    if word == "for":
        return other != "for" and other in SECTION_WORDS
    if word in _AGENTS:
        return False
    return other in _AGENTS


def _end_added(mistake: Mistake, word: str, place: int) -> Fix:
    """Return the fix that adds the end of a section behind its last line."""
    text, tokens = mistake.text, mistake.analysis.tokens
    title = f"Close the section with `end {word}`"
    last = tokens.ends[place - 1] if place else 0
    if "\n" not in text[last : mistake.span.start] and place < len(tokens.texts) - 1:
        change = TextChange(Span(last, last), f" end {word}")
        return Fix(title, (change,), preferred=True)
    opened = mistake.diagnostic.related[0].span.start if mistake.diagnostic.related else 0
    line = f"{indent_at(text, opened)}end {word}"
    return Fix(title, (lines_behind(text, last, (line,)),), preferred=True)


def misspelt_section(mistake: Mistake) -> Iterator[Fix]:
    """Write the name of a section as it is, where it begins and where it ends."""
    wrong, analysis = mistake.written, mistake.analysis
    if not mistake.help and closest(wrong, ["end"]):
        yield mistake.replace("end", preferred=True)
    if not mistake.help.startswith("did you mean") or not mistake.advised:
        return
    word, tokens = mistake.advised[0], analysis.tokens
    changes = [TextChange(mistake.span, word)]
    for place in range(token_at(analysis, mistake.span.end), len(tokens.texts) - 1):
        if tokens.texts[place : place + 2] == ["end", wrong]:
            changes.append(TextChange(token_span(analysis, place + 1), word))
            break
        if tokens.texts[place] == wrong:
            break  # another one of the kind
    yield Fix(f"Write `{word}` instead of `{wrong}`", tuple(changes), preferred=True)


def join_conditions(mistake: Mistake) -> Iterator[Fix]:
    """Make one condition of several."""
    if not mistake.sections:
        return
    section, analysis = mistake.sections[-1], mistake.analysis
    inside = Span(section.head.end, body_end(analysis, section))
    texts, ends = analysis.tokens.texts, tokens_named(analysis, inside, ";")
    numbers = list(tokens_in(analysis, inside))
    if len(ends) < 2 or not numbers:
        return
    first = numbers[texts[numbers[0]] == ":"]
    starts = [
        analysis.tokens.starts[first],
        *(analysis.tokens.starts[token_at(analysis, each.end)] for each in ends[:-1]),
    ]
    for operator in ("and", "or"):
        changes: list[TextChange] = []
        for start, end in zip(starts, ends, strict=True):
            inner = {texts[each] for each in tokens_in(analysis, Span(start, end.start))}
            loose = inner.isdisjoint(_LOOSER[operator])
            joint = ";" if end is ends[-1] else f" {operator}"
            changes += [] if loose else [TextChange(Span(start, start), "(")]
            changes += [TextChange(end, joint if loose else f"){joint}")]
        yield Fix(f"Join the conditions with `{operator}`", tuple(changes))


def quantify(mistake: Mistake) -> Iterator[Fix]:
    """Write `forall` or `exists` for a `for` with one condition in it."""
    word = re.search(r"use `(forall|exists) ", mistake.help)
    if word is None:
        return
    source, start = mistake.analysis.source, mistake.span.end
    tokens = tokenize(source, Diagnostics(source), Span(start, len(source.text)))
    cursor = Cursor(tokens, Diagnostics(source))
    try:
        read_binders(cursor, body=False)
    except Reported:
        return
    colon, texts = cursor.position, tokens.texts
    end = texts.index(";", colon) if ";" in texts[colon:] else len(texts)
    if texts[colon] != ":" or texts[end + 1 : end + 3] != ["end", "for"]:
        return  # it has several lines
    starts, ends = tokens.starts, tokens.ends
    gap = "" if mistake.text[starts[colon] - 1].isspace() else " "
    opening, closing = Span(starts[colon], starts[colon + 1]), Span(starts[end], ends[end + 2])
    if any("--" in mistake.text[each.start : each.end] for each in (opening, closing)):
        opening = Span(starts[colon], ends[colon])
        closing = Span(starts[end + 1], ends[end + 2])
    changes = (
        TextChange(mistake.span, word[1]),
        TextChange(opening, f"{gap}("),
        *(() if closing.start == starts[end] else (TextChange(Span(starts[end], ends[end]), ""),)),
        TextChange(closing, ");"),
    )
    yield Fix(f"Write it with `{word[1]}`", changes, preferred=True)
