"""Formulae. Plain ones (CTL, ATL, knowledge) and those after `LTL` or `CTL*` differ in where `U` stands.

Precedence, from loose to tight: `<->`, `->` (to the right), `or`, `xor`, `and`, `!`, `U`, `W` and `R` (to the
left; only in LTL and CTL*), and then every prefix: `AG`, `<g>F`, `K(…)`, `X`, `A`. So `AG p -> q` is
`(AG p) -> q`.
"""

from typing import Final, Literal, NoReturn, cast

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expressions import (
    at_operator,
    at_quantifier,
    continues_value,
    read_agent_name,
    read_binders,
    read_comparison,
)
from gnomon.language.members import read_agent_names, read_bounds, read_members
from gnomon.text.errors import Reported

_CTL_PREFIXES: Final = ("AG", "AF", "AX", "EG", "EF", "EX")


def read_formula_line(cursor: Cursor) -> syntax.FormulaLine:
    """Read one formula with the logic in front of it."""
    start = cursor.starts[cursor.position]
    logic: syntax.Logic = "CTL"
    if cursor.at_word("LDL") and cursor.ahead() in ("[", "<"):
        _refuse_ldl(cursor)
    if cursor.kind in ("LTL", "CTL*"):
        logic = cast(syntax.Logic, cursor.take())
    formula = read_formula(cursor, logic)
    return syntax.FormulaLine(logic, formula, cursor.since(start))


def _refuse_ldl(cursor: Cursor) -> NoReturn:
    cursor.diagnostics.add(
        "G0111",
        "LDL formulae are not read",
        cursor.here(),
        label="LDL",
        notes=("MCMAS 1.3.0 does not read them either, although it ships an example",),
        help="say it in LTL or CTL*",
    )
    depth = 0
    while cursor.kind != "end of file" and not (cursor.kind == ";" and depth <= 0):
        depth += (cursor.kind in ("[", "<")) - (cursor.kind in ("]", ">"))
        cursor.take()
    raise Reported


def read_formula(cursor: Cursor, logic: syntax.Logic) -> syntax.Formula:
    """Read a formula of a logic."""
    start = cursor.starts[cursor.position]
    left = _read_implication(cursor, logic)
    levels = 0
    while cursor.accept("<->"):
        levels += 1
        cursor.enter_more(levels)
        right = _read_implication(cursor, logic)
        left = syntax.Equivalence(left, right, cursor.since(start))
    return left


def _read_implication(cursor: Cursor, logic: syntax.Logic) -> syntax.Formula:
    cursor.enter()
    start = cursor.starts[cursor.position]
    left = _read_chain(cursor, logic, "or")
    if cursor.accept("->"):
        right = _read_implication(cursor, logic)
        left = syntax.Implication(left, right, cursor.since(start))
    cursor.leave()
    return left


def _read_chain(cursor: Cursor, logic: syntax.Logic, word: Literal["and", "or"]) -> syntax.Formula:
    start = cursor.starts[cursor.position]
    operands = [_read_part(cursor, logic, word)]
    while cursor.accept(word):
        operands.append(_read_part(cursor, logic, word))
    if len(operands) == 1:
        return operands[0]
    return syntax.Connective(word, tuple(operands), cursor.since(start))


def _read_part(cursor: Cursor, logic: syntax.Logic, word: Literal["and", "or"]) -> syntax.Formula:
    if word == "or":
        return _read_exclusive(cursor, logic)
    return _read_until(cursor, logic)


def _read_exclusive(cursor: Cursor, logic: syntax.Logic) -> syntax.Formula:
    start = cursor.starts[cursor.position]
    left = _read_chain(cursor, logic, "and")
    levels = 0
    while cursor.at_word("xor"):
        cursor.take()
        levels += 2
        cursor.enter_more(levels)
        right = _read_chain(cursor, logic, "and")
        span = cursor.since(start)
        left = syntax.Negation(syntax.Equivalence(left, right, span), span)
    return left


def _read_until(cursor: Cursor, logic: syntax.Logic) -> syntax.Formula:
    start = cursor.starts[cursor.position]
    left = _read_prefixed(cursor, logic)
    if logic == "CTL":
        return left
    levels = 0
    while _at_until(cursor):
        levels += 1
        cursor.enter_more(levels)
        operator, bounds = cursor.take(), read_bounds(cursor)
        right = _read_prefixed(cursor, logic)
        left = _joined(cursor, start, operator, bounds, (left, right))
    return left


def _at_until(cursor: Cursor) -> bool:
    """Return whether `U`, `W` or `R` comes next; no name can stand there, so `W` and `R` may be names."""
    return cursor.kind == "U" or cursor.at_word("W") or cursor.at_word("R")


def _joined(
    cursor: Cursor,
    start: int,
    operator: str,
    bounds: syntax.Bounds | None,
    sides: tuple[syntax.Formula, syntax.Formula],
) -> syntax.Formula:
    """Return `left U right`, or the same with `W` or `R`."""
    span = cursor.since(start)
    path: syntax.UntilFormula | syntax.WeakFormula = syntax.UntilFormula(*sides, span)
    if operator != "U":
        path = syntax.WeakFormula(cast(Literal["W", "R"], operator), *sides, span)
    return path if bounds is None else syntax.BoundedFormula(path, bounds, span)


def _read_prefixed(cursor: Cursor, logic: syntax.Logic) -> syntax.Formula:
    """Read a formula that no `and`, `or`, `->` or `U` of its own joins."""
    cursor.enter()
    start = cursor.starts[cursor.position]
    kind = cursor.kind
    formula: syntax.Formula
    if kind == "!":
        cursor.take()
        # In LTL and CTL*, `! a U b` is `!(a U b)`.
        formula = syntax.Negation(_read_until(cursor, logic), cursor.since(start))
    elif kind in _CTL_PREFIXES:
        formula = _read_ctl_prefix(cursor, logic, start)
    elif kind in ("A", "E"):
        formula = _read_quantifier(cursor, logic, start)
    elif kind in ("X", "F", "G"):
        formula = _read_temporal(cursor, logic, start)
    elif kind in ("K", "O", "GK", "GCK", "DK"):
        formula = _read_modality(cursor, logic, start)
    elif kind in ("<", "<>"):
        formula = _read_coalition(cursor, start)
    elif kind == "[" and cursor.ahead() == "[":
        formula = _read_cannot_avoid(cursor, start)
    else:
        formula = _read_atom(cursor, logic, start)
    cursor.leave()
    return formula


def _read_ctl_prefix(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    letters = cursor.take()
    if logic == "LTL":
        cursor.position -= 1
        cursor.fail(
            "an LTL formula", "LTL has no path quantifiers: it speaks of every path already"
        )
    path = _read_temporal_body(cursor, logic, letters[1], start)
    quantifier = cast(Literal["A", "E"], letters[0])
    return syntax.PathQuantifier(quantifier, path, cursor.since(start))


def _read_temporal_body(
    cursor: Cursor, logic: syntax.Logic, letter: str, start: int
) -> syntax.Formula:
    """Read what follows `X`, `F` or `G`: perhaps bounds, and then a formula."""
    place = cursor.position
    bounds = read_bounds(cursor)
    if bounds is not None and letter == "X":
        cursor.position = place
        cursor.fail("a formula", "`X` is one step: only `F`, `G`, `U`, `W` and `R` have bounds")
    if cursor.kind in ("<", ">=", ">") and cursor.ahead() == "number":
        cursor.fail("a formula", f"bounds are written `{letter}<=5` or `{letter}[2, 7]`")
    body = _read_prefixed(cursor, logic)
    span = cursor.since(start)
    path = syntax.Temporal(cast(Literal["X", "F", "G"], letter), body, span)
    return path if bounds is None else syntax.BoundedFormula(path, bounds, span)


def _read_quantifier(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    if logic == "LTL":
        cursor.fail(
            "an LTL formula", "LTL has no path quantifiers: it speaks of every path already"
        )
    quantifier = cast(Literal["A", "E"], cursor.take())
    plain = logic == "CTL"
    body = _read_plain_path(cursor, quantifier) if plain else _read_prefixed(cursor, logic)
    return syntax.PathQuantifier(quantifier, body, cursor.since(start))


def _read_plain_path(cursor: Cursor, operator: str) -> syntax.Formula:
    """Read what may follow `A`, `E` or a coalition: `X f`, `F f`, `G f` or `(f U g)`, `W` or `R` for `U`."""
    start = cursor.starts[cursor.position]
    if cursor.kind in ("X", "F", "G"):
        return _read_temporal_body(cursor, "CTL", cursor.take(), start)
    cursor.expect("(", f"after `{operator}` comes `X`, `F`, `G` or `(f U g)`")
    left = read_formula(cursor, "CTL")
    if not _at_until(cursor):
        why = f"after `{operator}` comes `(f U g)`, or `W` or `R` for `U`"
        cursor.expect("U", f"{why}; other path formulae need `CTL*` in front")
    until, bounds = cursor.take(), read_bounds(cursor)
    right = read_formula(cursor, "CTL")
    cursor.expect(")")
    return _joined(cursor, start, until, bounds, (left, right))


def _read_temporal(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    if logic == "CTL":
        cursor.fail(
            "a formula",
            f"`{cursor.text}` needs a path quantifier (`A{cursor.text}`, `E{cursor.text}`), a coalition "
            f"(`<g>{cursor.text}`), or `LTL` or `CTL*` in front of the whole formula",
        )
    return _read_temporal_body(cursor, logic, cursor.take(), start)


def _read_modality(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    operator = cast(Literal["K", "O", "GK", "GCK", "DK"], cursor.take())
    cursor.expect("(", f"write `{operator}(who, formula)`")
    who: syntax.Members | syntax.GroupList
    who = read_agent_name(cursor) if operator in ("K", "O") else _read_group(cursor)
    cursor.expect(",")
    body = read_formula(cursor, logic)
    cursor.expect(")")
    return syntax.Modality(operator, who, body, cursor.since(start))


def _read_group(cursor: Cursor) -> syntax.Members | syntax.GroupList:
    if cursor.kind == "{":
        start = cursor.starts[cursor.position]
        return syntax.GroupList(read_agent_names(cursor), cursor.since(start))
    return read_members(cursor, "the name of a group")


def _read_coalition(cursor: Cursor, start: int) -> syntax.Formula:
    members: list[syntax.Members] = []
    if cursor.take() == "<":
        members = _read_all_members(cursor)
        cursor.expect(">", "a coalition is written `<group>` or `<agent, agent>`")
    body = _read_plain_path(cursor, "<…>")
    return syntax.Coalition(tuple(members), body, cursor.since(start))


def _read_cannot_avoid(cursor: Cursor, start: int) -> syntax.Formula:
    """Read `[[group]] path`, or `[[]] path` of nobody."""
    cursor.take()
    cursor.take()
    members = [] if cursor.kind == "]" else _read_all_members(cursor)
    cursor.expect("]", "who cannot avoid something is written `[[group]]` or `[[agent, agent]]`")
    cursor.expect("]", "who cannot avoid something is written `[[group]]` or `[[agent, agent]]`")
    body = _read_plain_path(cursor, "[[…]]")
    return syntax.CannotAvoid(tuple(members), body, cursor.since(start))


def _read_all_members(cursor: Cursor) -> list[syntax.Members]:
    members = [read_members(cursor, "the name of an agent")]
    while cursor.accept(","):
        members.append(read_members(cursor, "the name of an agent"))
    return members


def _read_atom(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    kind = cursor.kind
    if kind == "(":
        return _read_bracketed(cursor, logic, start)
    if kind in ("true", "false"):
        cursor.take()
        return syntax.Truth(kind == "true", cursor.since(start))
    if kind == "name" and at_quantifier(cursor, ("exists", "forall")):
        return _read_indexed(cursor, logic, start)
    if kind in ("number", "-", "if") or (kind == "name" and _begins_value(cursor)):
        return syntax.StateCondition(read_comparison(cursor), cursor.since(start))
    if kind in ("name", "Environment"):
        return _read_named_atom(cursor, start)
    cursor.fail("a formula")


def _begins_value(cursor: Cursor) -> bool:
    """Return whether a name begins a value that is worked out: `sum i : 1..n (…)`, `min(…)`."""
    applied = cursor.ahead() == "(" and cursor.text in syntax.FUNCTIONS
    return applied or at_quantifier(cursor, ("sum", "count"))


def _read_bracketed(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    """Read a formula in brackets, or a comparison that begins with a value in brackets."""
    place = cursor.position
    cursor.take()
    inner = read_formula(cursor, logic)
    cursor.expect(")")
    if isinstance(inner, syntax.StateCondition) and continues_value(cursor):
        cursor.position = place
        return syntax.StateCondition(read_comparison(cursor), cursor.since(start))
    return inner


def _read_indexed(cursor: Cursor, logic: syntax.Logic, start: int) -> syntax.Formula:
    word = cast(Literal["exists", "forall"], cursor.take())
    binders = read_binders(cursor)
    cursor.expect("(", f"the body of `{word}` stands in brackets")
    body = read_formula(cursor, logic)
    cursor.expect(")")
    return syntax.IndexedFormula(word, binders, body, cursor.since(start))


def _read_named_atom(cursor: Cursor, start: int) -> syntax.Formula:
    place = cursor.position
    name = read_agent_name(cursor)
    if at_operator(cursor):
        # A definition that is compared, or two indices that may stand for one agent.
        cursor.position = place
        return syntax.StateCondition(read_comparison(cursor), cursor.since(start))
    if cursor.kind != ".":
        if name.text == "Environment":
            cursor.fail("`.`", "write `Environment.GreenStates` or a condition on its variables")
        return syntax.Atom(name, cursor.since(start))
    if cursor.ahead() in ("GreenStates", "RedStates"):
        cursor.take()
        colour = cast(Literal["GreenStates", "RedStates"], cursor.take())
        return syntax.Norm(name, colour, cursor.since(start))
    cursor.position = place
    condition = read_comparison(cursor)
    return syntax.StateCondition(condition, cursor.since(start))
