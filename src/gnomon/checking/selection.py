"""Which of a model's formulae are asked: by number, by name, or by a pattern that names fit.

In a pattern, `*` stands for any characters and `?` for one. Brackets stand for themselves: `safe[1]` is one
formula, `safe[*]` a family of them.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from gnomon.model.any import AnySpecification
from gnomon.text.diagnostic import Diagnostic, closest
from gnomon.text.source import Source

FormulaChoice: TypeAlias = int | str

_PATTERN: Final = re.compile(r"[A-Za-z*?][A-Za-z0-9_*?]*(\[[-0-9,*?]+\])?")
#: More digits than any number of formulae has.
_MOST_DIGITS: Final = 18


def as_choice(given: FormulaChoice) -> FormulaChoice:
    """Return a choice as it is told from others: numbers as numbers, indices without blanks."""
    if not isinstance(given, str):
        return given
    name, bracket, indices = given.partition("[")
    bare = name.strip() + bracket + "".join(indices.split())
    if bare.isascii() and bare.isdecimal() and len(bare) <= _MOST_DIGITS:
        return int(bare)
    return bare


def is_choice(choice: object) -> bool:
    """Return whether something can choose formulae."""
    if isinstance(choice, str):
        return _PATTERN.fullmatch(choice) is not None
    return type(choice) is int and choice >= 1


def chosen(
    only: Sequence[FormulaChoice], own: Sequence[AnySpecification], source: Source
) -> tuple[list[tuple[int, AnySpecification]], list[Diagnostic]]:
    """Return the formulae that are chosen, in the order of the file, and what is said of choices of none."""
    listed = list(enumerate(own, 1))
    if not only:
        return listed, []
    numbers: set[int] = set()
    said: list[Diagnostic] = []
    for choice in dict.fromkeys(only):
        found = _numbers(choice, own)
        numbers |= found
        if not found:
            said.append(no_formula(choice, own, source))
    return [item for item in listed if item[0] in numbers], said


def missing(only: Sequence[FormulaChoice], own: Sequence[AnySpecification]) -> set[FormulaChoice]:
    """Return the choices that choose none of the formulae."""
    return {choice for choice in only if not _numbers(choice, own)}


def _numbers(choice: FormulaChoice, own: Sequence[AnySpecification]) -> set[int]:
    if isinstance(choice, int):
        return {choice} if 1 <= choice <= len(own) else set()
    fits = _fits(choice)
    return {number for number, item in enumerate(own, 1) if item.name and fits.match(item.name)}


def _fits(pattern: str) -> re.Pattern[str]:
    # It knows how to look for many stars without trying all of their places.
    from fnmatch import translate

    return re.compile(translate(pattern.replace("[", "[[]")))


def no_formula(
    choice: FormulaChoice, own: Sequence[AnySpecification], source: Source
) -> Diagnostic:
    """Return what is said of a choice of no formula."""
    if isinstance(choice, int):
        count = f"{len(own)} formula{'' if len(own) == 1 else 'e'}"
        message = f"there is no formula {choice}: `{source.name}` has {count}"
        return Diagnostic("G0818", message, source)
    names = [item.name for item in own if item.name]
    message = f"no formula of `{source.name}` is named `{choice}`"
    if not names:
        notes: tuple[str, ...] = ("its formulae have no names: choose them by their numbers",)
        return Diagnostic("G0818", message, source, notes=notes)
    families = [f"{name.partition('[')[0]}[*]" for name in names if "[" in name]
    guess = f"{choice}[*]" if f"{choice}[*]" in families else closest(choice, names)
    return Diagnostic(
        "G0818",
        message,
        source,
        notes=(f"its names: {_some(names)}",),
        help=f"did you mean `{guess}`?" if guess else "",
    )


def _some(names: Sequence[str], most: int = 12) -> str:
    more = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more])
