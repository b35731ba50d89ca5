"""The lines of `Formulae`: `name : formula expect false`, either of which may be left out."""

from typing import Final, cast

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expressions import read_name
from gnomon.language.formulae import read_formula_line
from gnomon.language.lexer import KEYWORDS
from gnomon.text.diagnostic import Label, closest
from gnomon.text.numbers import show_integer

_EXPECTATIONS: Final = ("true", "false", "undefined")
#: What people write for a verdict, in small letters.
_VERDICTS: Final = (*_EXPECTATIONS, "unknown", "open", "yes", "no")
_ONLY_FORMULAE: Final = "names and expectations are for the lines of `Formulae`"


def read_specification(cursor: Cursor) -> syntax.FormulaLine:
    """Read one formula with what is said about it, in its line and in the comment before it."""
    start = cursor.starts[cursor.position]
    noted = cursor.annotations.pop(cursor.position, None)
    name = None
    if _at_label(cursor):
        name = read_formula_name(cursor)
        cursor.expect(":")
    line = read_formula_line(cursor)
    expected = read_expectation(cursor)
    annotation = syntax.Annotation(name, expected, cursor.since(start))
    if noted is not None:
        annotation = _together(cursor, annotation, noted)
    return syntax.FormulaLine(line.logic, line.formula, line.span, annotation)


def read_fairness(cursor: Cursor) -> syntax.FormulaLine:
    """Read one fairness constraint, which has neither a name nor an expectation."""
    start = cursor.here()
    if _at_label(cursor):
        raise cursor.diagnostics.fail(
            "G0102", "a fairness constraint has no name", start, help=_ONLY_FORMULAE
        )
    line = read_formula_line(cursor)
    if _at_expectation(cursor):
        raise cursor.diagnostics.fail(
            "G0102",
            "nothing is expected of a fairness constraint",
            cursor.here(),
            help=_ONLY_FORMULAE,
        )
    return line


def read_formula_name(cursor: Cursor) -> syntax.Name:
    """Read the name of a formula; a reserved word is refused."""
    if cursor.kind in KEYWORDS:
        cursor.refuse_reserved("the name of a formula")
        place = cursor.here()
        return syntax.Name(cursor.take(), (), place)
    before = cursor.uses_families
    name = read_name(cursor, "the name of a formula")
    numbers = [_number(index) for index in name.indices]
    if not numbers or None in numbers:
        return name
    # A name alone makes no family of a program: exported ones have `sure[2]`.
    cursor.uses_families = before
    return syntax.Name(f"{name.text}[{','.join(filter(None, numbers))}]", (), name.span)


def _number(index: syntax.Expression | syntax.Binder) -> str | None:
    """Return an index that is a plain number, as it is shown."""
    match index:
        case syntax.Number(value):
            return show_integer(value)
        case syntax.Unary("-", syntax.Number(value)):
            return show_integer(-value)
        case _:
            return None


def _at_label(cursor: Cursor) -> bool:
    """Return whether a name and `:` stand here; no formula begins like that."""
    if cursor.kind in KEYWORDS:
        return cursor.ahead() == ":"
    if cursor.kind != "name":
        return False
    distance = 1
    if cursor.ahead() == "[":
        depth = 0
        while True:
            kind = cursor.ahead(distance)
            if kind in (";", "end of file"):
                return False
            depth += (kind == "[") - (kind == "]")
            distance += 1
            if not depth:
                break
    return cursor.ahead(distance) == ":"


def _at_expectation(cursor: Cursor) -> bool:
    """Return whether `expect` stands here, behind a formula, or something like it and a verdict."""
    if cursor.at_word("expect"):
        return cursor.ahead() not in (":", "[")
    following = cursor.texts[min(cursor.position + 1, cursor.last)]
    return (
        cursor.kind == "name"
        and following.lower() in _VERDICTS
        and closest(cursor.text, ["expect"]) is not None
    )


def read_expectation(cursor: Cursor) -> syntax.Expectation | None:
    """Read `expect false` where it stands."""
    if not _at_expectation(cursor):
        return None
    if not cursor.at_word("expect"):
        found = cursor.text[:40]
        raise cursor.diagnostics.fail(
            "G0102",
            f"expected `expect`, found `{found}` in {cursor.context}",
            cursor.here(),
            label="expected `expect`",
            help="write `expect true`, `expect false` or `expect undefined`",
        )
    cursor.take()
    if cursor.text not in _EXPECTATIONS:
        _refuse_expectation(cursor)
    return cast(syntax.Expectation, cursor.take())


def _refuse_expectation(cursor: Cursor) -> None:
    text = cursor.text
    why = "an expectation is one of the verdicts"
    guess = closest(text, _EXPECTATIONS) if cursor.kind == "name" else None
    if text.lower() in ("unknown", "open"):
        guess, why = None, "what stays open depends on time and memory, and cannot be expected"
    cursor.fail("`true`, `false` or `undefined`", why, f"did you mean `{guess}`?" if guess else "")


def _together(
    cursor: Cursor, own: syntax.Annotation, noted: syntax.Annotation
) -> syntax.Annotation:
    """Return what a line says about itself and what the comment before it says; both may say the same."""
    for here, there, what in (
        (own.name, noted.name, "name"),
        (own.expected, noted.expected, "expectation"),
    ):
        if here is not None and there is not None and here != there:
            cursor.diagnostics.add(
                "G0608",
                f"the comment before this formula gives it another {what}",
                own.span,
                label="the formula",
                related=(Label(noted.span, "the comment"),),
                help="say it in one place",
            )
    return syntax.Annotation(own.name or noted.name, own.expected or noted.expected, own.span)
