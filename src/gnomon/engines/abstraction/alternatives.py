"""Values that are one of two, told apart by the conditions that decide.

`x < if c then a else b` is `(c and x < a) or (!c and x < b)`: then each comparison is of linear terms, and
cells can be cut where its value changes.
"""

from collections.abc import Iterator
from typing import Final

from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Sharing, shared, value_parts

#: A comparison that falls into more cases is not written out by them.
MOST_ALTERNATIVES: Final = 64


def deciding(value: Expression) -> Expression | None:
    """Return a condition that decides what a value is; None where there is none."""
    return next(
        (part.condition for part in _values(value) if isinstance(part, typed.Conditional)), None
    )


def _values(value: Expression) -> Iterator[Expression]:
    """Yield what a value is made of, without what is in conditions; the outermost parts first."""
    waiting, seen = [value], set[Expression]()
    for part in waiting:
        if part not in seen:
            seen.add(part)
            yield part
            is_shared = isinstance(part, (typed.Conditional, typed.Defined))
            waiting.extend(value_parts(part) if is_shared else typed.parts(part))  # type: ignore[arg-type]


def assuming(value: Expression, condition: Expression, *, holds: bool) -> Expression:
    """Return what a value is where a condition that decides it holds, or where it does not."""
    known: dict[Sharing, Expression] = {}

    def inner(part: Expression) -> Expression:
        if isinstance(part, (typed.Conditional, typed.Defined)):
            return shared(part, known, decided, value_parts)
        return typed.with_parts(part, inner)

    def decided(part: Sharing) -> Expression:
        if isinstance(part, typed.Defined):
            return inner(part.body)
        if part.condition == condition:
            return inner(part.then if holds else part.otherwise)
        return typed.Conditional(part.condition, inner(part.then), inner(part.otherwise))

    return inner(value)


def by_alternatives(atom: typed.Compare) -> Expression | None:
    """Return a comparison in which no side is one of several values any more; None where it has no such side.

    Also where it would fall into too many cases.
    """
    if deciding(atom) is None:
        return None
    cases: list[tuple[tuple[Expression, ...], Expression]] = [((), atom)]
    done: list[Expression] = []
    while cases:
        when, case = cases.pop()
        condition = deciding(case)
        if condition is None:
            done.append(typed.And((*when, case)))
        else:
            for holds in (True, False):
                decides = condition if holds else typed.Not(condition)
                cases.append(((*when, decides), assuming(case, condition, holds=holds)))
        if len(cases) + len(done) > MOST_ALTERNATIVES:
            return None
    return typed.Or(tuple(done))
