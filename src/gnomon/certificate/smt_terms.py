"""Formulae as SMT-LIB texts, with what is trivially true or false left out."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    OpenEnumeration,
    values_of,
)
from gnomon.text.numbers import show_integer

SmtText: TypeAlias = str

TRUE: Final = "true"
FALSE: Final = "false"


def conj(parts: Iterable[SmtText]) -> SmtText:
    """Return that all hold."""
    kept = list(dict.fromkeys(part for part in parts if part != TRUE))
    if FALSE in kept:
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else f"(and {' '.join(kept)})"


def disj(parts: Iterable[SmtText]) -> SmtText:
    """Return that one holds."""
    kept = list(dict.fromkeys(part for part in parts if part != FALSE))
    if TRUE in kept:
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else f"(or {' '.join(kept)})"


def neg(part: SmtText) -> SmtText:
    """Return the opposite."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"(not {part})")


def implies(left: SmtText, right: SmtText) -> SmtText:
    """Return that the one leads to the other."""
    return disj((neg(left), right))


def same(left: SmtText, right: SmtText) -> SmtText:
    """Return that two values are equal."""
    if TRUE in (left, right):
        return right if left == TRUE else left
    if FALSE in (left, right):
        return neg(right if left == FALSE else left)
    if left == right:
        return TRUE
    return FALSE if left.isdecimal() and right.isdecimal() else f"(= {left} {right})"


def number(value: int) -> SmtText:
    """Return an integer."""
    return show_integer(value) if value >= 0 else f"(- {show_integer(-value)})"


class Vocabulary:
    """Values as the solver has them: Booleans and integers are themselves, names are numbered."""

    def __init__(self, domains: Iterable[Domain]) -> None:
        """Number the names of some types, those of one type in a row."""
        self._numbers: dict[str, int] = {}
        for domain in domains:
            if isinstance(domain, Enumeration):
                for name in domain.names:
                    self._code(name)
        self._names: dict[int, str] = {}

    def _code(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def value(self, value: Datum) -> SmtText:
        """Return a value."""
        if isinstance(value, bool):
            return TRUE if value else FALSE
        return number(self._code(value) if isinstance(value, str) else value)

    def found(self, domain: Domain, code: bool | int) -> Datum:  # noqa: FBT001
        """Return the value of a type that the solver means."""
        if not isinstance(domain, Enumeration):
            return code
        if len(self._names) != len(self._numbers):
            self._names = {number: name for name, number in self._numbers.items()}
        return self._names.get(int(code), "")

    def among(self, term: SmtText, values: Iterable[Datum]) -> SmtText:
        """Return that a term has one of these values."""
        listed = list(values)
        if any(isinstance(value, bool) for value in listed):
            return disj(term if value else neg(term) for value in listed)
        codes = sorted({self._code(v) if isinstance(v, str) else int(v) for v in listed})
        ranges: list[list[int]] = []
        for code in codes:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
        return disj(
            same(term, number(low)) if low == high else f"(<= {number(low)} {term} {number(high)})"
            for low, high in ranges
        )

    def member(self, domain: Domain, term: SmtText) -> SmtText:
        """Return that a term has a value of a type."""
        match domain:
            case Boolean() | Integers() | OpenEnumeration():
                return TRUE
            case IntegerRange(low, high):
                return f"(<= {number(low)} {term} {number(high)})" if low <= high else FALSE
            case Enumeration():
                return self.among(term, values_of(domain))


def sort_of(domain: Domain) -> SmtText:
    """Return the solver's type for a type."""
    return "Bool" if isinstance(domain, Boolean) else "Int"


def includes(wide: Domain, narrow: Domain) -> bool:
    """Return whether all values of one type are surely values of another."""
    match wide, narrow:
        case (OpenEnumeration(), _) | (_, OpenEnumeration()):
            return wide == narrow
        case Enumeration(names), Enumeration(others):
            return set(others) <= set(names)
        case IntegerRange(low, high), IntegerRange(least, most):
            return low <= least and most <= high
        case Integers(), IntegerRange():
            return True
        case _:
            return wide == narrow
