"""Operators that MCMAS does not have: `if` between values, and `in` a set of them."""

from collections.abc import Callable
from typing import TypeAlias

from gnomon.language import syntax
from gnomon.language.cursor import Cursor

#: Reads an expression.
_Reader: TypeAlias = Callable[[Cursor], syntax.Expression]


def read_conditional(
    cursor: Cursor, read_condition: _Reader, read_last: _Reader
) -> syntax.Expression:
    """Read `if condition then value else value`.

    What stands before `else` is enclosed by words. What follows is what `read_last` reads: all up to the
    `and` that joins assignments, and up to their own `if`.
    """
    start = cursor.starts[cursor.position]
    cursor.expect("if")
    applications, cursor.applications = cursor.applications, True
    condition = read_condition(cursor)
    _expect_word(cursor, "then")
    then = read_condition(cursor)
    cursor.applications = applications
    _expect_word(cursor, "else")
    otherwise = read_last(cursor)
    return syntax.IfThenElse(condition, then, otherwise, cursor.since(start))


def _expect_word(cursor: Cursor, word: str) -> None:
    """Go past a word that is special only here."""
    if not cursor.at_word(word):
        cursor.fail(f"`{word}`", "a choice of two values is written `if condition then a else b`")
    cursor.take()


def read_membership(
    cursor: Cursor, value: syntax.Expression, start: int, read_value: _Reader
) -> syntax.Expression:
    """Read `in { 1, 3..5, n }` behind a value."""
    cursor.take()
    cursor.expect("{", "the values are listed: `x in { 1, 3..5 }`")
    applications, cursor.applications = cursor.applications, True
    members = [_read_member(cursor, read_value)]
    while cursor.accept(","):
        members.append(_read_member(cursor, read_value))
    cursor.applications = applications
    cursor.expect("}")
    return syntax.Membership(value, tuple(members), cursor.since(start))


def _read_member(cursor: Cursor, read_value: _Reader) -> syntax.Expression | syntax.RangeType:
    start = cursor.starts[cursor.position]
    low = read_value(cursor)
    if not cursor.accept(".."):
        return low
    return syntax.RangeType(low, read_value(cursor), cursor.since(start))
