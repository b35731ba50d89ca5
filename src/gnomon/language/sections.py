"""The sections of an agent, and the lists and repeated lines that all sections share."""

from collections.abc import Callable

from gnomon.language import syntax
from gnomon.language.cursor import SECTION_WORDS, Cursor
from gnomon.language.expressions import (
    read_agent_name,
    read_binders,
    read_condition,
    read_name,
    read_value,
    read_value_name,
)
from gnomon.text.diagnostic import Label, closest
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: Sections whose lines cannot be repeated: what they declare is needed to repeat anything, has one
#: meaning for all agents, or is one condition.
_SINGLE = {
    "Constants": "write one line for each constant",
    "Relations": "write one line for each relation",
    "InitStates": "the initial states have one condition: use `forall i : 1..n (…)`",
    "TerminalStates": "the terminal states have one condition: use `forall i : 1..n (…)`",
    "RedStates": "the red states have one condition: use `exists i : 1..n (…)`",
}


def read_lines(
    cursor: Cursor, section: str, read_line: Callable[[Cursor], syntax.Line], after: str
) -> tuple[syntax.Line | syntax.Repeat[syntax.Line], ...]:
    """Read lines that end in `;`, and `for` blocks of them, up to `end section`."""
    opened = cursor.since(cursor.starts[max(cursor.position - 1, 0)])
    lines: list[syntax.Line | syntax.Repeat[syntax.Line]] = []
    read = _read_one if cursor.kept is None else _read_again
    while cursor.kind not in ("end", "end of file") and cursor.kind not in SECTION_WORDS:
        if cursor.mend_end():
            break
        depth = cursor.depth
        try:
            line = read(cursor, section, read_line, after)
            if line is not None:
                lines.append(line)
        except Reported:
            cursor.recover()
            cursor.depth = depth
    close_section(cursor, section, opened)
    return tuple(lines)


def _read_one(
    cursor: Cursor, section: str, read_line: Callable[[Cursor], syntax.Line], after: str
) -> syntax.Line | syntax.Repeat[syntax.Line] | None:
    """Read a line, or a `for` block of them; None where that cannot stand in a section."""
    if cursor.texts[cursor.position] == "for" and cursor.ahead() == "name":
        repeat = _read_repeat(cursor, read_line, after)
        if section in _SINGLE:
            _refuse_repeat(cursor, section, repeat.span)
            return None
        return repeat
    line = read_line(cursor)
    cursor.expect_semicolon(after)
    return line


def _read_again(
    cursor: Cursor, section: str, read_line: Callable[[Cursor], syntax.Line], after: str
) -> syntax.Line | syntax.Repeat[syntax.Line] | None:
    """Read a line or a `for` block, unless it was read before."""
    kept, key = cursor.kept, (section, read_line)
    assert kept is not None, "somebody keeps what was read"
    known: syntax.Line | None = kept.take(cursor, key)
    if known is not None:
        return known
    mark = kept.begin(cursor)
    try:
        line = _read_one(cursor, section, read_line, after)
    except Reported:
        kept.abandon(cursor, mark)
        raise
    kept.end(cursor, mark, key, line)
    return line


def _refuse_repeat(cursor: Cursor, section: str, span: Span) -> None:
    cursor.diagnostics.add(
        "G0115",
        f"`for` cannot stand in `{section}`",
        Span(span.start, span.start + len("for")),
        label="repeats lines",
        help=_SINGLE[section],
    )


def _read_repeat(
    cursor: Cursor, read_line: Callable[[Cursor], syntax.Line], after: str
) -> syntax.Repeat[syntax.Line]:
    start = cursor.starts[cursor.position]
    cursor.take()
    binders = read_binders(cursor, body=False)
    cursor.expect(":", "write `for i : 1..n: … end for`")
    cursor.enter()
    depth = cursor.depth
    lines = read_lines(cursor, "for", read_line, after)
    cursor.depth = depth - 1
    return syntax.Repeat(binders, lines, cursor.since(start))


def close_section(cursor: Cursor, section: str, opened: Span) -> None:
    """Go past `end section`; a missing or wrong one is reported once and supposed."""
    closed = cursor.kind == "end"
    following = cursor.texts[cursor.position + 1] if closed else ""
    if closed and following == section:
        cursor.take()
        cursor.take()
        return
    _report_unclosed(cursor, section, opened)
    # `end Protocol` where `end Evolution` belongs is a slip of the pen, unless what it closes is still
    # open: agents are what contains sections, and sections contain `for`.
    encloses = following == "Agent" or section == "for"
    if closed and not encloses:
        cursor.take()
        if not cursor.starts_line() and (cursor.kind in SECTION_WORDS or cursor.kind == "name"):
            cursor.take()


def _report_unclosed(cursor: Cursor, section: str, opened: Span) -> None:
    found = "the end of the file" if cursor.kind == "end of file" else f"`{cursor.text}"
    if cursor.kind == "end":
        found += f" {cursor.texts[cursor.position + 1]}"
    cursor.diagnostics.add(
        "G0105",
        f"expected `end {section}`, found {found}{'' if found.startswith('the') else '`'}",
        cursor.here(),
        label=f"`end {section}` belongs before this",
        related=(Label(opened, "the section starts here"),),
    )


def read_name_list(cursor: Cursor, what: str, *, agents: bool = False) -> tuple[syntax.Name, ...]:
    """Read `{ a, b, c }`, possibly empty."""
    cursor.expect("{")
    names: list[syntax.Name] = []
    if cursor.accept("}"):
        return ()
    while True:
        names.append(read_agent_name(cursor) if agents else read_name(cursor, what))
        if not cursor.accept(","):
            break
    cursor.expect("}")
    return tuple(names)


def meant_section(cursor: Cursor, words: list[str]) -> str | None:
    """Return the section that the word here was probably meant to open."""
    if cursor.kind != "name" or cursor.diagnostics.full:
        return None
    return closest(cursor.text, words)


def only_condition(
    cursor: Cursor,
    section: str,
    lines: tuple[syntax.Expression | syntax.Repeat[syntax.Expression], ...],
) -> syntax.Expression | None:
    """Return the one condition of a section that has room for one."""
    if len(lines) > 1:
        cursor.diagnostics.add(
            "G0110",
            f"{section} has more than one condition",
            lines[1].span,
            label="a second condition",
            help="join them with `and` or `or`",
        )
    for line in lines:
        assert not isinstance(line, syntax.Repeat), "`for` is refused in such a section"
        return line
    return None


# Variables and types


def read_variable(cursor: Cursor) -> syntax.VariableDeclaration:
    """Read `x : type`, and `x : type = value` where its value at the start is given."""
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a variable")
    cursor.expect(":")
    type_ = read_type(cursor)
    initial = read_condition(cursor) if cursor.accept("=") else None
    return syntax.VariableDeclaration(name, type_, cursor.since(start), initial)


def _read_values(cursor: Cursor) -> tuple[tuple[syntax.Name, ...], bool]:
    """Read `{ a, b }`, or `{ a, b, .. }` and `{ .. }`, where there are more values than are named."""
    cursor.expect("{")
    values: list[syntax.Name] = []
    more = False
    while not more:
        more = cursor.accept("..")
        if not more:
            values.append(read_value_name(cursor))
        if not cursor.accept(","):
            break
    cursor.expect("}")
    return tuple(values), more


def read_type(cursor: Cursor) -> syntax.Type:
    """Read a type."""
    start = cursor.starts[cursor.position]
    if cursor.accept("boolean"):
        return syntax.BooleanType(cursor.since(start))
    if cursor.kind == "{":
        values, more = _read_values(cursor)
        return syntax.EnumerationType(values, more, cursor.since(start))
    if cursor.at_word("int") and cursor.ahead() in (";", "="):
        cursor.take()
        return syntax.IntegerType(cursor.since(start))
    low = read_value(cursor)
    if cursor.accept(".."):
        high = read_value(cursor)
        if not (isinstance(low, syntax.Number) and isinstance(high, syntax.Number)):
            # Bounds that are computed are written out together with the families.
            cursor.uses_families = True
        return syntax.RangeType(low, high, cursor.since(start))
    match low:
        case syntax.Reference(None, name):
            return syntax.NamedType(name, cursor.since(start))
        case _:
            cursor.fail("`..`", "a range is written `0..3`")
