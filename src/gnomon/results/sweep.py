"""A family at many sizes: which formulae belong together from one size to the next, and how each came out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gnomon.checking.verdict import Result, Verdict
from gnomon.results import phrases
from gnomon.results.columns import title_of
from gnomon.text.diagnostic import Diagnostic


class SweptFormula(NamedTuple):
    """A formula at one size: its number, name, line and text, and the verdict that its author expects."""

    number: int
    name: str
    line: int
    text: str
    expected: str | None = None


class FormulaKey(NamedTuple):
    """What tells the formulae of a file apart at every size.

    Numbers shift where a `for` has more to write out; the line and the name without indices stay.
    """

    line: int
    stem: str
    #: Only for formulae that stand in no file.
    number: int = 0


class FormulaColumn(NamedTuple):
    """A formula of the file: its key, what to call it, and how it reads at the first size that has it."""

    key: FormulaKey
    title: str
    text: str
    #: Whether it may be several formulae at once.
    several: bool
    expected: str | None = None


class SizeOutcome(NamedTuple):
    """How the formulae of one column came out at one size."""

    verdicts: tuple[Verdict, ...]

    @property
    def as_expected(self) -> bool:
        """Return whether all of them came out as they should."""
        return all(verdict.as_expected for verdict in self.verdicts)

    @property
    def is_open(self) -> bool:
        """Return whether what is not as expected was only not decided."""
        standings = {verdict.standing for verdict in self.verdicts}
        return "open" in standings and "unexpected" not in standings


class SizeRow(NamedTuple):
    """One size: its constants, and all that was found."""

    constants: Mapping[str, int]
    result: Result

    def outcome(self, column: FormulaColumn) -> SizeOutcome:
        """Return how the formulae of a column came out."""
        return SizeOutcome(
            tuple(verdict for verdict in self.result if key_of(verdict) == column.key)
        )


def key_of(formula: SweptFormula | Verdict) -> FormulaKey:
    """Return what tells a formula from the others of its file."""
    number = formula.number if isinstance(formula, SweptFormula) else formula.index
    stem = formula.name.partition("[")[0]
    return FormulaKey(formula.line, stem, 0 if formula.line else number)


def columns(asked: Iterable[Sequence[SweptFormula]]) -> tuple[FormulaColumn, ...]:
    """Return a column for each formula of a file, from what is asked at every size."""
    found: dict[FormulaKey, list[SweptFormula]] = {}
    several: set[FormulaKey] = set()
    for formulae in asked:
        here: set[FormulaKey] = set()
        for formula in formulae:
            key = key_of(formula)
            found.setdefault(key, []).append(formula)
            if key in here:
                several.add(key)
            here.add(key)
    return tuple(
        FormulaColumn(
            key,
            _title(members, several=key in several),
            members[0].text,
            key in several,
            members[0].expected,
        )
        for key, members in sorted(found.items())
    )


def _title(members: Sequence[SweptFormula], *, several: bool) -> str:
    """Return what to call formulae that stand in one place: their name, their number, or else the line."""
    first = members[0]
    names = {member.name for member in members}
    if len(names) == 1 and first.name:
        return first.name
    if first.name:
        return f"{first.name.partition('[')[0]}[…]"
    numbers = {member.number for member in members}
    return str(first.number) if len(numbers) == 1 and not several else f"line {first.line}"


def record_of(result: Result, verdict: Verdict) -> dict[str, Any]:
    """Return what is known of one formula at one size, under the titles that its columns have in CSV."""
    return {
        "model": result.model,
        **{title_of(name): value for name, value in result.constants},
        "index": verdict.index,
        "name": verdict.name,
        "formula": verdict.formula,
        "verdict": str(verdict.value),
        "expected": str(verdict.expected),
        "as_expected": verdict.as_expected,
        "strategies": verdict.strategies,
        "engine": verdict.engine,
        "states": result.states,
        "seconds": verdict.seconds,
        "reason": verdict.reason,
        "vacuous": verdict.vacuous,
    }


def steady(sizes: Sequence[Mapping[str, int]], apart: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return the constants that are the same at every size, but for those that have a column.

    >>> steady([{"n": 1, "m": 2}, {"n": 3, "m": 2}], ["n"])
    (('m', 2),)
    """
    first = sizes[0] if sizes else {}
    left = [name for name in first if name not in set(apart)]
    return tuple(
        (name, first[name]) for name in left if all(each.get(name) == first[name] for each in sizes)
    )


def said_once(rows: Iterable[SizeRow]) -> list[Diagnostic]:
    """Return what is said of a model at any size, each of it once, with the first size it is said of."""
    found: dict[object, Diagnostic] = {}
    for row in rows:
        note = f"first with {phrases.setting(row.constants.items())}"
        for item in row.result.diagnostics:
            key = (item.source.name, item.code, item.message, item.span)
            if key not in found:
                found[key] = replace(item, notes=(*item.notes, note))
    return list(found.values())


def changing_constants(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the constants that have several values; the one with most of them comes first."""
    values: dict[str, set[int]] = {}
    for row in rows:
        for name, value in row["constants"].items():
            values.setdefault(name, set()).add(value)
    several = [name for name, found in values.items() if len(found) > 1]
    return sorted(several, key=lambda name: -len(values[name]))
