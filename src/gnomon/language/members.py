r"""Who acts or knows, and for how many steps: `all \ { A, B }`, and the bounds of temporal operators."""

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expressions import read_agent_name, read_name, read_number, read_value


def read_members(cursor: Cursor, what: str) -> syntax.Members:
    r"""Read an agent or a group, or a group without some: `all \ { A }`, `all \ crew`."""
    start = cursor.starts[cursor.position]
    environment = cursor.kind == "Environment"
    name = read_agent_name(cursor) if environment else read_name(cursor, what)
    if not cursor.accept("\\"):
        return name
    listed = cursor.kind == "{"
    removed = read_agent_names(cursor) if listed else (read_agent_name(cursor),)
    return syntax.GroupDifference(name, removed, cursor.since(start))


def read_agent_names(cursor: Cursor) -> tuple[syntax.Name, ...]:
    """Read `{ A, B }`, possibly empty."""
    cursor.expect("{")
    names: list[syntax.Name] = []
    if cursor.accept("}"):
        return ()
    names.append(read_agent_name(cursor))
    while cursor.accept(","):
        names.append(read_agent_name(cursor))
    cursor.expect("}")
    return tuple(names)


def read_bounds(cursor: Cursor) -> syntax.Bounds | None:
    """Read `<=5`, `<=n`, `<=(n + 1)` or `[2, 7]`; None where there are none.

    Two brackets are the start of `[[g]]`, not of bounds.
    """
    start = cursor.starts[cursor.position]
    if cursor.accept("<="):
        high = _read_bound(cursor)
        span = cursor.since(start)
        return syntax.Bounds(syntax.Number(0, span), high, span)
    if cursor.kind != "[" or cursor.ahead() == "[":
        return None
    cursor.take()
    low = _constant(cursor, read_value(cursor))
    cursor.expect(",", "bounds are written `[2, 7]`: the first and the last step that count")
    high = _constant(cursor, read_value(cursor))
    cursor.expect("]")
    return syntax.Bounds(low, high, cursor.since(start))


def _read_bound(cursor: Cursor) -> syntax.Expression:
    """Read a number or a constant, or a calculation in brackets: what follows is a formula."""
    start = cursor.starts[cursor.position]
    if cursor.kind == "(":
        cursor.take()
        inner = read_value(cursor)
        cursor.expect(")")
        return _constant(cursor, inner)
    if cursor.kind == "number":
        return read_number(cursor)
    name = cursor.identifier("a number of steps")
    span = cursor.since(start)
    return _constant(cursor, syntax.Reference(None, syntax.Name(name, (), span), span))


def _constant(cursor: Cursor, bound: syntax.Expression) -> syntax.Expression:
    """Have what is no number worked out with the constants."""
    if not isinstance(bound, syntax.Number):
        cursor.uses_families = True
    return bound
