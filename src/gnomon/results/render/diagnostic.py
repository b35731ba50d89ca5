"""A diagnostic drawn on the user's own lines; the only place that draws `^^^`."""

from dataclasses import dataclass
from typing import NamedTuple

from gnomon.results.styled import Styled, StyledText, character_width, pad, width_of, wrap
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source, Span

TAB_STOP = 4
#: What is left of the user's line has to be worth reading, however narrow the terminal is.
_NARROWEST = 24


#: Only so much of a line is looked at: some are megabytes long.
_LONGEST = 2000


class _Underline(NamedTuple):
    """An underline on one line: from one character to another (from 0), with a few words."""

    line: int
    start: int
    end: int
    text: str
    primary: bool


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A line of the source as the terminal shows it: text, and the column of every character."""

    text: str
    columns: tuple[int, ...]


def render(diagnostics: "tuple[Diagnostic, ...] | list[Diagnostic]", width: int = 80) -> StyledText:
    """Return all the diagnostics, a blank line after each."""
    text = StyledText()
    for diagnostic in diagnostics:
        text.extend(render_one(diagnostic, width))
        text.add()
    return text


def render_one(diagnostic: Diagnostic, width: int = 80) -> StyledText:
    """Return one diagnostic: what, where, why, and what next."""
    text = StyledText()
    severity = diagnostic.severity.value
    text.add(
        Styled(f"{severity}[{diagnostic.code}]", severity),
        Styled(f": {diagnostic.message}", "strong"),
    )
    marks = _marks(diagnostic)
    gutter = len(str(max((mark.line for mark in marks), default=1)))
    margin = " " * gutter
    text.add(Styled(f"{margin} ┌─ ", "place"), where(diagnostic))
    _draw_lines(text, diagnostic.source, marks, gutter, width)
    for note in diagnostic.notes:
        _add_note(text, margin, Styled(""), note, width)
    if diagnostic.help:
        _add_note(text, margin, Styled("help: ", "help"), diagnostic.help, width)
    return text


def in_one_line(diagnostic: Diagnostic) -> StyledText:
    """Return one diagnostic as compilers print it: where, how serious, and what."""
    text = StyledText()
    severity = diagnostic.severity.value
    head = Styled(f"{severity}[{diagnostic.code}]", severity)
    text.add(f"{where(diagnostic)}: ", head, f": {diagnostic.message}")
    return text


def where(diagnostic: Diagnostic) -> str:
    """Return the place of a diagnostic as `file:line:column`."""
    name = diagnostic.source.name
    return f"{name}:{diagnostic.line}:{diagnostic.column}" if diagnostic.span else name


def _add_note(text: StyledText, margin: str, head: Styled, body: str, width: int) -> None:
    room = max(_NARROWEST, width - len(margin) - 3 - len(head.text))
    first, *more = wrap(body, room)
    text.add(Styled(f"{margin} = ", "place"), head, first)
    for rest in more:
        text.add(" " * (len(margin) + 3 + len(head.text)), rest)


def _marks(diagnostic: Diagnostic) -> list[_Underline]:
    """Return every underline, in the order of the text, the primary one first on its line."""
    if diagnostic.span is None:
        return []
    marks = _marks_of(diagnostic.source, diagnostic.span, diagnostic.label, primary=True)
    for label in diagnostic.related:
        marks += _marks_of(diagnostic.source, label.span, label.text, primary=False)
    return sorted(marks, key=lambda mark: (mark.line, not mark.primary, mark.start))


def _marks_of(source: Source, span: Span, label: str, *, primary: bool) -> list[_Underline]:
    """Return the underline of one span; one that goes over lines is marked at both its ends."""
    start = source.location(span.start)
    end = source.location(max(span.start, span.end))
    if end.line > start.line and end.column == 1:  # it ends with the line end before
        end = source.location(max(span.start, span.end - 1))
    if end.line == start.line:
        return [_Underline(start.line, start.column - 1, end.column - 1, label, primary)]
    first, last = source.line(start.line), source.line(end.line)
    indent = len(last) - len(last.lstrip())
    return [
        _Underline(start.line, start.column - 1, len(first.rstrip()), "", primary),
        _Underline(end.line, min(indent, end.column - 2), end.column - 1, label, primary),
    ]


def _draw_lines(
    text: StyledText, source: Source, marks: list[_Underline], gutter: int, width: int
) -> None:
    margin = " " * gutter
    room = max(_NARROWEST, width - gutter - 3)
    shown = 0
    for number in sorted({mark.line for mark in marks}):
        if shown and number > shown + 1:
            text.add(Styled(f"{margin} ⋮", "place"))
        shown = number
        here = [mark for mark in marks if mark.line == number]
        line, here = _near(source.line(number), here)
        drawn = draw(line)
        offset, cut = _window(drawn, here, room)
        bar = Styled(f"{number:>{gutter}} │ ", "place")
        text.add(bar, cut)
        for mark in here:
            _draw_mark(text, Styled(f"{margin} │ ", "place"), drawn, mark, (offset, room))


def _near(line: str, marks: list[_Underline]) -> tuple[str, list[_Underline]]:
    """Return the part of a very long line around its first mark, and the marks moved with it."""
    if len(line) <= _LONGEST:
        return line, marks
    mark = next((mark for mark in marks if mark.primary), marks[0])
    start = max(0, min(mark.start, len(line)) - _LONGEST // 2)
    moved = [
        item._replace(start=max(0, item.start - start), end=max(0, item.end - start))
        for item in marks
    ]
    return ("…" if start else "") + line[start + bool(start) : start + _LONGEST], moved


def _draw_mark(
    text: StyledText, bar: Styled, drawn: _Drawn, mark: _Underline, window: tuple[int, int]
) -> None:
    offset, room = window
    last = len(drawn.columns) - 1
    start = drawn.columns[min(mark.start, last)] + max(0, mark.start - last) - offset
    end = drawn.columns[min(max(mark.end, mark.start), last)] - offset
    start = min(max(start, 0), room - 1)
    length = max(1, min(end, room) - start)
    style = "error" if mark.primary else "note"
    rule = ("^" if mark.primary else "-") * length
    label = f" {mark.text}" if mark.text else ""
    if start + length + width_of(label) <= room or not label:
        text.add(bar, " " * start, Styled(rule + label, style))
        return
    text.add(bar, " " * start, Styled(rule, style))
    for part in wrap(mark.text, max(_NARROWEST, room - 2)):
        text.add(bar, "  ", Styled(part, style))


def draw(line: str) -> _Drawn:
    """Return a line with tabs as spaces and unprintable characters made visible.

    `columns` has one entry more than the line has characters: where the next one would stand.
    """
    shown: list[str] = []
    columns: list[int] = []
    at = 0
    for character in line:
        columns.append(at)
        if character == "\t":
            piece = " " * (TAB_STOP - at % TAB_STOP)
        elif character.isprintable() or character in "\u200c\u200d":
            piece = character
        else:
            piece = "�"
        shown.append(piece)
        at += width_of(piece)
    return _Drawn("".join(shown), (*columns, at))


def _window(drawn: _Drawn, marks: list[_Underline], room: int) -> tuple[int, str]:
    """Return the part of a long line that shows the first mark, and the column it starts at."""
    total = drawn.columns[-1]
    if total <= room:
        return 0, drawn.text
    last = len(drawn.columns) - 1
    mark = next((mark for mark in marks if mark.primary), marks[0])
    start = drawn.columns[min(mark.start, last)]
    end = drawn.columns[min(max(mark.end, mark.start), last)]
    # A third of the room before the place: what is wrong is mostly explained by what precedes it.
    offset = 0 if end <= room - 1 else max(0, min(start - room // 3, total - room))
    return offset, _cut(drawn.text, offset, room, more=offset + room < total)


def _cut(text: str, offset: int, room: int, *, more: bool) -> str:
    """Return `room` columns from `offset` on, with an ellipsis where something is missing."""
    piece, at = "", 0
    for character in text:
        wide = character_width(character)
        if at >= offset and at + wide <= offset + room:
            piece = pad(piece, at - offset) + character
        at += wide
    if offset:
        piece = "…" + " " * (character_width(piece[:1] or " ") - 1) + piece[1:]
    return piece[:-1] + "…" if more else piece
