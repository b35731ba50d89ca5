"""Statements of other tools, and signs that are none of ISPL, written as ISPL has them."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from gnomon.editing.edits import TextChange
from gnomon.editing.fixes.fix import Fix, Mistake
from gnomon.editing.fixes.writing import indent_at, line_end, line_stop
from gnomon.language.foreign import statement_around
from gnomon.text.source import Span

_COMMENT: Final = re.compile(r"--[^\n]*")
_STATEMENT: Final = re.compile(r"(?s).*: `(?P<statement>[^`]+)`")


def rewrite_statement(mistake: Mistake) -> Iterator[Fix]:
    """Write the whole statement as the help has it."""
    found = _STATEMENT.fullmatch(mistake.help)
    if found is None or "…" in found["statement"] or found["statement"].startswith("--"):
        return
    text, new = mistake.text, found["statement"]
    whole = statement_around(text, mistake.span.start)
    old, places = _squeezed(text, whole)
    changed = _difference(old, new)
    if changed is None:
        return
    first, last, middle = changed
    place = Span(places[first], places[last - 1] + 1 if last > first else places[first])
    if _COMMENT.search(text[place.start : place.end]):
        return  # a comment inside would be lost
    # Of two lines that one becomes, each has a line of its own.
    middle = middle.replace("; ", f";{line_end(text)}{indent_at(text, place.start)}")
    shown = new if len(new) <= 60 else f"{new[:59]}…"
    yield Fix(f"Write `{shown}`", (TextChange(place, middle),), preferred=True)


def _squeezed(text: str, span: Span) -> tuple[str, list[int]]:
    """Return a statement on one line without comments, and where each of its characters stands."""
    piece = _COMMENT.sub(lambda found: " " * len(found[0]), text[span.start : span.end])
    characters: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(piece, span.start):
        if sign.isspace():
            if characters and characters[-1] != " ":
                characters.append(" ")
                places.append(place)
            continue
        characters.append(sign)
        places.append(place)
    if characters and characters[-1] == " ":
        characters.pop()
        places.pop()
    end = places[-1] + 1 if places else span.end
    return "".join(characters), [*places, end]


def _difference(old: str, new: str) -> tuple[int, int, str] | None:
    """Return the part of a text that differs from another one, and what stands there instead."""
    if old == new:
        return None
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    behind = 0
    most = min(len(old), len(new)) - first
    while behind < most and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    return first, len(old) - behind, new[first : len(new) - behind]


def write_signs(mistake: Mistake) -> Iterator[Fix]:
    """Write words for signs of logic books, with blanks around them."""
    found = re.fullmatch(r"write `([^`]+)`", mistake.help)
    if found is None:
        return
    text, (start, end) = mistake.text, mistake.span
    before = " " if text[start - 1 : start].isalnum() else ""
    behind = " " if text[end : end + 1].isalnum() and found[1][-1].isalnum() else ""
    change = TextChange(mistake.span, f"{before}{found[1]}{behind}")
    title = f"Write `{found[1]}` instead of `{mistake.written}`"
    yield Fix(title, (change,), preferred=True)


def write_comment(mistake: Mistake) -> Iterator[Fix]:
    """Write comments of other languages as those of ISPL."""
    if not mistake.help.startswith("a comment starts with `--`"):
        return
    text, (start, end), written = mistake.text, mistake.span, mistake.written
    title = "Write a comment with `--`"
    if written.startswith("/*"):
        rest = text[end : line_stop(text, end)]
        if not written.endswith("*/") or rest.strip():
            return  # what stands behind it would be a comment, too
        lines = written[2:-2].split("\n")
        marked = [f"-- {lines[0].strip()}".rstrip() + ("\r" if lines[0].endswith("\r") else "")]
        marked += [re.sub(r"^([ \t]*)\*?[ \t]*", r"\1-- ", line) for line in lines[1:]]
        if len(marked) > 1 and not marked[-1].strip("- \t\r"):
            marked.pop()
        new = "\n".join(marked).rstrip()
        yield Fix(title, (TextChange(mistake.span, new),), preferred=True)
        return
    sign = re.match(r"//+|#+|%+", written)
    if sign is not None:
        place = Span(start, start + sign.end())
        yield Fix(title, (TextChange(place, "--"),), preferred=True)


def without_quotes(mistake: Mistake) -> Iterator[Fix]:
    """Write a name without quotation marks."""
    if mistake.help.startswith("ISPL has no strings") and len(mistake.advised) == 1:
        yield mistake.replace(mistake.advised[0], preferred=True)


def plain_letters(mistake: Mistake) -> Iterator[Fix]:
    """Write names with the letters that there are: `cafe` for `café`, `x` for `_x`, wherever they stand."""
    text, (start, end) = mistake.text, mistake.span
    before = re.search(r"\w*$", text[:start])
    behind = re.match(r"\w*", text[end:])
    assert before is not None, "any text ends so"
    assert behind is not None, "any text begins so"
    old = before[0] + mistake.written + behind[0]
    new = unicodedata.normalize("NFKD", old).encode("ascii", "ignore").decode().lstrip("_")
    if not re.fullmatch(r"[A-Za-z]\w*", new) or not re.fullmatch(r"\w+", old) or new == old:
        return
    if re.search(rf"\b{new}\b", text):
        return  # something else has that name
    commented = [found.span() for found in _COMMENT.finditer(text)]
    changes = tuple(
        TextChange(Span(*found.span()), new)
        for found in re.finditer(rf"(?<!\w){old}(?!\w)", text)
        if not any(first <= found.start() < last for first, last in commented)
    )
    yield Fix(f"Write `{new}` instead of `{old}`, everywhere", changes)
