"""Formulae that are given to a builder: their text, and what is said about them in it or beside it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from gnomon.language import syntax
from gnomon.language.expand import expand_formula
from gnomon.language.parse import parse_formula
from gnomon.model.elaborate import elaborate_fairness, elaborate_formula
from gnomon.model.operand import shown
from gnomon.model.system import Expectation, Specification, System
from gnomon.text.diagnostic import Diagnostic, Diagnostics, InputError
from gnomon.text.source import Source

#: What may be expected of a formula: a truth value, or the verdict by its word.
ExpectedVerdict: TypeAlias = bool | Expectation | None


#: What reads a formula with the names of a system.
_Elaborated: TypeAlias = Callable[[syntax.FormulaLine, System, Diagnostics], Specification | None]


class BuiltFormula(NamedTuple):
    """A formula that was given, with its name and what is expected of it."""

    text: str
    name: str = ""
    expected: Expectation | None = None


def expectation(given: object) -> Expectation | None:
    """Return what is expected as a verdict, or refuse it."""
    if given is None or given == "undefined":
        return "undefined" if given else None
    if given is True or given == "true":
        return "true"
    if given is False or given == "false":
        return "false"
    msg = f'{shown(given)} cannot be expected: a formula is True, False or "undefined"'
    raise ValueError(msg)


def specification(text: str, system: System) -> Specification:
    """Return a formula, read with the names of a system."""
    return _read(text, system, elaborate_formula)


def _read(text: str, system: System, elaborated: _Elaborated) -> Specification:
    line, diagnostics = parse_formula(Source("<formula>", text))
    if line is not None:
        # Names may have indices: `p[1]` is one name then, as it is in a family written out.
        line = expand_formula(line, syntax.Program(), {}, diagnostics)
    found = None if line is None else elaborated(line, system, diagnostics)
    if found is None or diagnostics.has_errors:
        raise InputError(diagnostics.sorted())
    return found


def constraint(text: str, system: System) -> Specification:
    """Return a fairness constraint, which has neither a name nor an expectation."""
    found = _read(text, system, elaborate_fairness)
    if found.name or found.expected:
        raise _refused("G0102", "a fairness constraint has no name and no expectation", text)
    return found


def specifications(given: Iterable[BuiltFormula], system: System) -> Iterator[Specification]:
    """Yield formulae with what is said about them; no two may have the same name."""
    names: set[str] = set()
    for item in given:
        found = _with(item, specification(item.text, system))
        if found.name and found.name in names:
            raise _refused("G0607", f"a second formula is named `{found.name}`", item.text)
        names.add(found.name)
        yield found


def _with(item: BuiltFormula, found: Specification) -> Specification:
    for beside, within, what in (
        (item.name, found.name, "name"),
        (item.expected, found.expected, "expectation"),
    ):
        if beside and within and beside != within:
            message = f"the text of this formula gives it another {what} than `{beside}`"
            raise _refused("G0608", message, item.text)
    return replace(found, name=item.name or found.name, expected=item.expected or found.expected)


def _refused(code: str, message: str, text: str) -> InputError:
    return InputError((Diagnostic(code, message, Source("<formula>", text)),))
