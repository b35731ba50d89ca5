"""The sections of an agent, and the lists and repeated lines that all sections share."""

from collections.abc import Callable
from typing import Literal, TypeVar, cast

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
from gnomon.text.errors import Reported
from gnomon.text.source import Span

Line = TypeVar("Line")


#: Sections whose lines cannot be repeated: what they declare is needed to repeat anything, has one
#: meaning for all agents, or is one condition.
_SINGLE = {
    "Constants": "write one line for each constant",
    "Relations": "write one line for each relation",
    "InitStates": "the initial states have one condition: use `forall i : 1..n (…)`",
    "RedStates": "the red states have one condition: use `exists i : 1..n (…)`",
}


def read_lines(
    cursor: Cursor, section: str, read_line: Callable[[Cursor], Line], after: str
) -> tuple[Line | syntax.Repeat[Line], ...]:
    """Read lines that end in `;`, and `for` blocks of them, up to `end section`."""
    opened = cursor.since(cursor.starts[max(cursor.position - 1, 0)])
    lines: list[Line | syntax.Repeat[Line]] = []
    while cursor.kind not in ("end", "end of file") and cursor.kind not in SECTION_WORDS:
        if cursor.mend_end():
            break
        depth = cursor.depth
        try:
            if cursor.at_word("for") and cursor.ahead() == "name":
                repeat = _read_repeat(cursor, read_line, after)
                if section in _SINGLE:
                    _refuse_repeat(cursor, section, repeat.span)
                else:
                    lines.append(repeat)
            else:
                lines.append(read_line(cursor))
                cursor.expect_semicolon(after)
        except Reported:
            cursor.recover()
            cursor.depth = depth
    close_section(cursor, section, opened)
    return tuple(lines)


def _refuse_repeat(cursor: Cursor, section: str, span: Span) -> None:
    cursor.diagnostics.add(
        "G0115",
        f"`for` cannot stand in `{section}`",
        Span(span.start, span.start + len("for")),
        label="repeats lines",
        help=_SINGLE[section],
    )


def _read_repeat(
    cursor: Cursor, read_line: Callable[[Cursor], Line], after: str
) -> syntax.Repeat[Line]:
    start = cursor.starts[cursor.position]
    cursor.take()
    binders = read_binders(cursor)
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
    from gnomon.text.diagnostic import Label

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


# Variables and types


def read_variable(cursor: Cursor) -> syntax.VariableDeclaration:
    """Read `x : type`."""
    start = cursor.starts[cursor.position]
    name = read_name(cursor, "the name of a variable")
    cursor.expect(":")
    return syntax.VariableDeclaration(name, read_type(cursor), cursor.since(start))


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
    if cursor.at_word("int") and cursor.ahead() == ";":
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


# Protocol and evolution


def read_protocol_line(cursor: Cursor) -> syntax.ProtocolLine:
    """Read `condition : { actions }` or `Other : { actions }`."""
    start = cursor.starts[cursor.position]
    condition = None if cursor.accept("Other") else read_condition(cursor)
    cursor.expect(":", "a protocol line is written `condition : { actions };`")
    actions = read_name_list(cursor, "an action")
    return syntax.ProtocolLine(condition, actions, cursor.since(start))


def read_evolution_line(cursor: Cursor) -> syntax.EvolutionLine:
    """Read `assignments if guard`."""
    start = cursor.starts[cursor.position]
    assignments = _read_assignments(cursor)
    cursor.expect("if", "an evolution line is written `assignments if guard;`")
    guard = read_condition(cursor)
    return syntax.EvolutionLine(tuple(assignments), guard, cursor.since(start))


def _read_assignments(cursor: Cursor) -> list[syntax.Assignment]:
    cursor.enter()
    assignments: list[syntax.Assignment] = []
    while True:
        if cursor.kind == "(":
            cursor.take()
            assignments.extend(_read_assignments(cursor))
            cursor.expect(")")
        else:
            assignments.append(_read_assignment(cursor))
        if not cursor.accept("and"):
            break
    cursor.leave()
    return assignments


def _read_assignment(cursor: Cursor) -> syntax.Assignment:
    start = cursor.starts[cursor.position]
    if cursor.kind == "Environment" or cursor.ahead() == ".":
        cursor.fail("the name of a variable", "an agent can only assign to variables of its own")
    target = read_name(cursor, "the name of a variable")
    cursor.expect("=")
    return syntax.Assignment(target, read_value(cursor), cursor.since(start))


def read_synchronised(cursor: Cursor) -> tuple[syntax.SyncDeclaration, ...]:
    """Read `{ a, b : one, c : all }`."""
    cursor.expect("{")
    declared: list[syntax.SyncDeclaration] = []
    while cursor.kind != "}":
        start = cursor.starts[cursor.position]
        name = read_name(cursor, "an action")
        multiplicity: Literal["some", "one", "all"] = "some"
        if cursor.accept(":"):
            if cursor.text not in ("some", "one", "all"):
                cursor.fail("`some`, `one` or `all`")
            multiplicity = cast(Literal["some", "one", "all"], cursor.take())
        declared.append(syntax.SyncDeclaration(name, multiplicity, cursor.since(start)))
        if not cursor.accept(","):
            break
    cursor.expect("}")
    return tuple(declared)
