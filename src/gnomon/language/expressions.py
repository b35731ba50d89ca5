"""Expressions and conditions: one grammar by precedence, from `<->` (loosest) to `*` (tightest)."""

from typing import Final, Literal, cast

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.lexer import FORMULA_WORDS
from gnomon.text.numbers import read_integer
from gnomon.text.source import Span

_DISJUNCTION: Final = 3
_COMPARISON: Final = 7
_BITS: Final = 8
_SUM: Final = 10
_TIGHTEST: Final = 12

_BINDING: Final = {
    "<->": 1,
    "->": 2,
    "or": _DISJUNCTION,
    "and": 5,
    **dict.fromkeys(("=", "<>", "!=", "<", "<=", ">", ">="), _COMPARISON),
    **dict.fromkeys("|^", _BITS),
    "&": 9,
    **dict.fromkeys("+-", _SUM),
    **dict.fromkeys("*/", 11),
}
_WORDS: Final = {"xor": 4, "in": _COMPARISON, "div": 11, "mod": 11}
_QUANTIFIERS: Final = ("exists", "forall", "sum", "count")


def read_condition(cursor: Cursor) -> syntax.Expression:
    """Read a whole condition or expression."""
    return _read(cursor, 1)


def read_value(cursor: Cursor) -> syntax.Expression:
    """Read an expression that stops before any comparison, `and` or `or`."""
    return _read(cursor, _BITS)


def read_comparison(cursor: Cursor) -> syntax.Expression:
    """Read one comparison, as it may stand inside a formula."""
    return _read(cursor, _COMPARISON)


def continues_value(cursor: Cursor) -> bool:
    """Return whether what was read is the left side of a comparison, or of an operator on values."""
    return _binding(cursor) >= _COMPARISON


def _binding(cursor: Cursor) -> int:
    kind = cursor.kinds[cursor.position]
    if kind == "name":
        return _WORDS.get(cursor.texts[cursor.position], 0)
    return _BINDING.get(kind, 0)


def _read(cursor: Cursor, loosest: int) -> syntax.Expression:
    """Read operands joined by operators that bind at least as tightly as `loosest`."""
    cursor.enter()
    start = cursor.starts[cursor.position]
    left = _read_operand(cursor, loosest)
    levels = 0
    while (binding := _binding(cursor)) >= loosest:
        levels += 1
        cursor.enter_more(levels)
        operator = cursor.texts[cursor.position]
        if operator in ("and", "or"):
            left = _read_chain(cursor, left, operator, binding, start)
        elif binding == _SUM:
            left = _read_sum(cursor, left, start)
        elif operator == "in":
            from gnomon.language.conditionals import read_membership  # rarely used

            left = read_membership(cursor, left, start, read_value)
            _refuse_chain(cursor)
        else:
            left = _read_binary(cursor, left, operator, binding, start)
    cursor.leave()
    return left


def _read_chain(
    cursor: Cursor, left: syntax.Expression, operator: str, binding: int, start: int
) -> syntax.Expression:
    operands = [left]
    while cursor.kinds[cursor.position] == operator:
        cursor.take()
        operands.append(_read(cursor, binding + 1))
    word = cast(Literal["and", "or"], operator)
    return syntax.Chain(word, tuple(operands), cursor.since(start))


def _read_sum(cursor: Cursor, left: syntax.Expression, start: int) -> syntax.Expression:
    terms = [left]
    while (sign := cursor.kinds[cursor.position]) in ("+", "-"):
        sign_start = cursor.starts[cursor.position]
        cursor.take()
        term = _read(cursor, _SUM + 1)
        if sign == "-":
            term = syntax.Unary("-", term, cursor.since(sign_start))
        terms.append(term)
    return syntax.Chain("+", tuple(terms), cursor.since(start))


def _read_binary(
    cursor: Cursor, left: syntax.Expression, operator: str, binding: int, start: int
) -> syntax.Expression:
    cursor.take()
    # `->` groups to the right, all others to the left.
    right = _read(cursor, binding if operator == "->" else binding + 1)
    if binding == _COMPARISON:
        _refuse_chain(cursor)
    normal = "<>" if operator == "!=" else operator
    return syntax.Binary(cast(syntax.BinaryOperator, normal), left, right, cursor.since(start))


def _refuse_chain(cursor: Cursor) -> None:
    """Refuse a comparison right behind another one."""
    if _binding(cursor) == _COMPARISON:
        cursor.fail("`and`, `or` or the end of the condition", "comparisons cannot be chained")


def _read_operand(cursor: Cursor, loosest: int) -> syntax.Expression:
    place = cursor.position
    kind = cursor.kinds[place]
    if kind == "name":
        return _read_named(cursor)
    if kind == "number":
        return read_number(cursor)
    if kind == "(":
        cursor.take()
        applications, cursor.applications = cursor.applications, True
        inner = _read(cursor, 1)
        cursor.applications = applications
        cursor.expect(")")
        return inner
    start = cursor.starts[place]
    if kind in ("true", "false"):
        cursor.take()
        return syntax.Truth(kind == "true", cursor.since(start))
    if kind == "!":
        cursor.take()
        return syntax.Unary("!", _read(cursor, _COMPARISON - 1), cursor.since(start))
    if kind == "~":
        cursor.take()
        return syntax.Unary("~", _read(cursor, _SUM), cursor.since(start))
    if kind == "-":
        return _read_negative(cursor, start)
    if kind == "Action":
        return _read_action(cursor, None, start)
    if kind == "if":
        # Behind arithmetic a whole value follows `else`, as in other languages.
        after_else = min(loosest, _BITS)
        from gnomon.language.conditionals import read_conditional  # rarely used

        return read_conditional(cursor, read_condition, lambda inner: _read(inner, after_else))
    if kind == "Environment":
        return _read_qualified(cursor, read_agent_name(cursor), start)
    if kind in FORMULA_WORDS and cursor.ahead() != ".":
        return syntax.Reference(None, read_value_name(cursor), cursor.since(start))
    cursor.fail("a value or a condition")


def read_number(cursor: Cursor) -> syntax.Expression:
    """Read a number, however long it is."""
    place = cursor.here()
    text = cursor.take()
    if len(text) > 4000:
        cursor.diagnostics.add("G0107", "this number has more than 4000 digits", place)
        return syntax.Number(0, place)
    return syntax.Number(read_integer(text), place)


def _read_negative(cursor: Cursor, start: int) -> syntax.Expression:
    cursor.take()
    operand = _read(cursor, _TIGHTEST)
    if isinstance(operand, syntax.Number):
        return syntax.Number(-operand.value, cursor.since(start))
    return syntax.Unary("-", operand, cursor.since(start))


def at_operator(cursor: Cursor) -> bool:
    """Return whether a name before this place is compared, or calculated with.

    `name = AG p` and `name <group>F p` are formulae that somebody wants to name.
    """
    if cursor.kind == "=":
        return cursor.ahead() in ("name", "number", "true", "false", "(", "-", "~", "Environment")
    if cursor.kind == "<" and cursor.ahead(2) in (">", ","):
        return False
    # `p & q` is a slip: formulae are joined with `and`.
    return _binding(cursor) >= _COMPARISON and cursor.kind not in ("&", "|", "^")


def at_quantifier(cursor: Cursor, words: tuple[str, ...]) -> bool:
    """Return whether a quantifier stands here: its word, an index, and `:` or `,`."""
    return cursor.text in words and cursor.ahead() == "name" and cursor.ahead(2) in (":", ",")


def _read_named(cursor: Cursor) -> syntax.Expression:
    place = cursor.position
    start = cursor.starts[place]
    following = cursor.kinds[place + 1]
    if following == "name" and at_quantifier(cursor, _QUANTIFIERS):
        return _read_quantified(cursor)
    if following == "(" and (cursor.applications or _applies_function(cursor)):
        return _read_application(cursor)
    name = read_name(cursor, "a name")
    if cursor.kinds[cursor.position] == ".":
        return _read_qualified(cursor, name, start)
    return syntax.Reference(None, name, name.span)


def _applies_function(cursor: Cursor) -> bool:
    """Return whether a function is applied in the range of a quantifier, as in `1..max(n, 2) (body)`.

    A constant may be called like it: then what stands in brackets is the body, and no other follows.
    """
    if cursor.text not in syntax.FUNCTIONS:
        return False
    depth, distance = 0, 1
    while (kind := cursor.ahead(distance)) != "end of file":
        depth += (kind == "(") - (kind == ")")
        distance += 1
        if depth == 0:
            break
    word = cursor.texts[min(cursor.position + distance, cursor.last)]
    another = word == "," and cursor.ahead(distance + 2) in (":", ",")
    return another or word in ("(", "where")


def _read_qualified(cursor: Cursor, owner: syntax.Name, start: int) -> syntax.Expression:
    cursor.expect(".", "a variable of another agent is written `Agent.variable`")
    if cursor.kind == "Action":
        return _read_action(cursor, owner, start)
    name = read_name(cursor, "the name of a variable")
    return syntax.Reference(owner, name, cursor.since(start))


def _read_action(cursor: Cursor, owner: syntax.Name | None, start: int) -> syntax.Expression:
    cursor.take()
    operator = cursor.kind
    if operator not in ("=", "<>", "!="):
        return syntax.ActionOf(owner, cursor.since(start))
    following = cursor.ahead()
    if following != "name" and following not in FORMULA_WORDS:
        # Another agent's action, or a value: this is an ordinary comparison.
        return syntax.ActionOf(owner, cursor.since(start))
    place = cursor.position
    cursor.take()
    action = read_name(cursor, "an action")
    if cursor.kind in (".", "("):
        cursor.position = place
        return syntax.ActionOf(owner, Span(start, cursor.ends[place - 1]))
    return syntax.ActionIs(owner, action, operator == "=", cursor.since(start))


def _read_application(cursor: Cursor) -> syntax.Expression:
    start = cursor.starts[cursor.position]
    relation = read_name(cursor, "a relation")
    cursor.expect("(")
    loosest = 1 if relation.text in syntax.FUNCTIONS else _BITS
    arguments = [_read(cursor, loosest)]
    while cursor.accept(","):
        arguments.append(_read(cursor, loosest))
    cursor.expect(")")
    return syntax.Application(relation, tuple(arguments), cursor.since(start))


def _read_quantified(cursor: Cursor) -> syntax.Expression:
    start = cursor.starts[cursor.position]
    word = cast(Literal["exists", "forall", "sum", "count"], cursor.take())
    binders = read_binders(cursor)
    cursor.expect("(", f"the body of `{word}` stands in brackets")
    applications, cursor.applications = cursor.applications, True
    body = _read(cursor, 1)
    cursor.applications = applications
    cursor.expect(")")
    return syntax.Quantified(word, binders, body, cursor.since(start))


# Names


def read_name(cursor: Cursor, what: str) -> syntax.Name:
    """Read a name with its indices."""
    start = cursor.starts[cursor.position]
    text = cursor.identifier(what)
    if cursor.kinds[cursor.position] == "[":
        return syntax.Name(text, read_indices(cursor), cursor.since(start))
    return syntax.Name(text, (), Span(start, cursor.ends[cursor.position - 1]))


def read_value_name(cursor: Cursor) -> syntax.Name:
    """Read the name of a value; words that only formulae use may be one."""
    if cursor.kind in FORMULA_WORDS:
        place = cursor.here()
        return syntax.Name(cursor.take(), (), place)
    return read_name(cursor, "a name for a value")


def read_agent_name(cursor: Cursor) -> syntax.Name:
    """Read the name of an agent; `Environment` is one."""
    if cursor.kind == "Environment":
        place = cursor.here()
        return syntax.Name(cursor.take(), (), place)
    return read_name(cursor, "the name of an agent")


# Families: what an index may be


def read_indices(cursor: Cursor) -> tuple[syntax.Expression | syntax.Binder, ...]:
    """Read `[i, j + 1]` or, where a family is declared or listed, `[i : 1..n]`."""
    cursor.uses_families = True
    cursor.expect("[")
    indices = [_read_index(cursor)]
    levels = int(isinstance(indices[0], syntax.Binder))
    while cursor.accept(","):
        indices.append(_read_index(cursor))
        levels += isinstance(indices[-1], syntax.Binder)
        cursor.enter_more(levels)
    cursor.expect("]")
    return tuple(indices)


def _read_index(cursor: Cursor) -> syntax.Expression | syntax.Binder:
    if cursor.kind == "name" and cursor.ahead() == ":":
        [binder] = read_binders(cursor, single=True)
        return binder
    return _read(cursor, _BITS)


def read_binders(
    cursor: Cursor, *, single: bool = False, body: bool = True
) -> tuple[syntax.Binder, ...]:
    """Read `i : 1..n, j : 1..m where i <> j`, or `x, y : Place`; perhaps a body in brackets follows."""
    cursor.uses_families = True
    # `1..n (body)` must not read `n (body)` as a relation.
    applications, cursor.applications = cursor.applications, single or not body
    binders: list[syntax.Binder] = []
    while True:
        binders.extend(_read_binder_group(cursor, single=single))
        # Each index runs inside the one before.
        cursor.enter_more(len(binders))
        if single or not cursor.accept(","):
            break
    cursor.applications = applications
    return tuple(binders)


def _read_binder_group(cursor: Cursor, *, single: bool) -> list[syntax.Binder]:
    start = cursor.starts[cursor.position]
    variables = [cursor.identifier("the name of an index")]
    while not single and cursor.kind == "," and cursor.ahead(2) in (",", ":"):
        cursor.take()
        variables.append(cursor.identifier("the name of an index"))
    cursor.expect(":", "an index is written `i : 1..n`")
    domain = _read_domain(cursor)
    where = None
    if cursor.at_word("where"):
        cursor.take()
        where = _read(cursor, _DISJUNCTION)
    span = cursor.since(start)
    plain = [syntax.Binder(name, domain, None, span) for name in variables[:-1]]
    return [*plain, syntax.Binder(variables[-1], domain, where, span)]


def _read_domain(cursor: Cursor) -> syntax.RangeType | syntax.Name:
    start = cursor.starts[cursor.position]
    low = _read(cursor, _BITS)
    if cursor.accept(".."):
        high = _read(cursor, _BITS)
        return syntax.RangeType(low, high, cursor.since(start))
    match low:
        case syntax.Reference(None, name):
            return name
        case _:
            cursor.fail("`..`", "an index runs through a range, `1..n`, or through a type")
