"""One question for many values of the constants: a family at all of its sizes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from gnomon.checking.question import Asked, Question
from gnomon.checking.selection import FormulaChoice, missing, no_formula
from gnomon.model.any import AnySpecification
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

#: Nobody reads a longer table.
MOST_SIZES: Final = 10_000
_PART: Final = re.compile(
    r"\s*([+-]?\d{1,4000})\s*(?:\.\.\s*([+-]?\d{1,4000})\s*(?:step\s+(\d{1,4000})\s*)?)?"
)


def too_many_values() -> ValueError:
    """Return what to raise where one constant has more values than there may be sizes."""
    return ValueError(f"these are more than {MOST_SIZES:,} values")


def read_values(text: str) -> tuple[int, ...]:
    """Return the numbers that `3`, `1..20` or `1, 2, 4..20 step 4` stands for; `ValueError` where it is none.

    >>> read_values("1..3,10"), read_values("-1"), read_values("2..9 step 3")
    ((1, 2, 3, 10), (-1,), (2, 5, 8))
    """
    found: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            msg = f"`{part.strip()[:40]}` is no whole number and no range such as 1..20"
            raise ValueError(msg)
        low = int(match[1])
        high = low if match[2] is None else int(match[2])
        if high < low:
            msg = f"the range {part.strip()[:40]} is empty"
            raise ValueError(msg)
        step = 1 if match[3] is None else int(match[3])
        if step == 0:
            msg = f"the range {part.strip()[:40]} has a step of 0"
            raise ValueError(msg)
        if (high - low) // step >= MOST_SIZES - len(found):
            raise too_many_values()
        found += range(low, high + 1, step)
    return tuple(dict.fromkeys(found))


def sizes(values: Mapping[str, Sequence[int]]) -> Iterator[dict[str, int]]:
    """Yield every combination of values, the last constant changing fastest; too many are an `InputError`."""
    empty = [name for name, given in values.items() if not given]
    count = prod(len(given) for given in values.values())
    wrong = [f"there is no value for the constant {name}" for name in empty]
    if count > MOST_SIZES:
        wrong.append(f"these are {count:,} combinations of values, and {MOST_SIZES:,} are the most")
    if wrong:
        source = Source("<constants>", "")
        raise InputError(tuple(Diagnostic("G0816", each, source) for each in wrong))
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def family(question: Question, values: Mapping[str, Sequence[int]]) -> tuple[Question, ...]:
    """Return the question for each combination of values; other constants stay as they are."""
    before = dict(question.constants)
    return tuple(
        replace(question, constants=tuple(sorted({**before, **chosen}.items())))
        for chosen in sizes(values)
    )


def missing_everywhere(
    only: Sequence[FormulaChoice], sizes_of: Sequence[Sequence[AnySpecification]]
) -> set[FormulaChoice]:
    """Return the choices that choose no formula at any size; at some sizes there may be none."""
    found = set(only)
    for own in sizes_of:
        found &= missing(only, own)
    return found


def at_some_size(asked: Sequence[Asked]) -> list[Asked]:
    """Return what is asked at every size, without a word on formulae that are there at another one."""
    only = next((each.question.only for each in asked if each.question.only), ())
    nowhere = missing_everywhere(only, [_own(each) for each in asked])
    return [_without_elsewhere(each, nowhere) for each in asked] if only else list(asked)


def _without_elsewhere(asked: Asked, nowhere: set[FormulaChoice]) -> Asked:
    if asked.loaded is None:
        return asked
    own, source = _own(asked), asked.loaded.source
    elsewhere = missing(asked.question.only, own) - nowhere
    said = [no_formula(choice, own, source) for choice in elsewhere]
    kept = tuple(item for item in asked.diagnostics if item not in said)
    return replace(asked, diagnostics=kept)


def _own(asked: Asked) -> Sequence[AnySpecification]:
    model = None if asked.loaded is None else asked.loaded.model
    return () if model is None else model.specifications
