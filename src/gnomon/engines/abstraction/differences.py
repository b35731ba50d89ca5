"""Conditions that may hold at first and ever after: half-spaces, also of differences of two numbers."""

from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Final

from gnomon.engines.abstraction.linear import Form, scaled
from gnomon.engines.abstraction.partition import Origin, Partition, Predicate
from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Read

_ORIGIN: Final = Origin("an order that never changes")
#: Among more numbers, there are too many differences to ask about each.
_MOST_NUMBERS: Final = 6


def half_spaces(predicate: Predicate) -> Iterator[tuple[Expression, Predicate]]:
    """Yield the conditions that a sum is on one side of a cut, or on the other."""
    form = predicate.quantity
    if isinstance(form, Form):
        bound = typed.Literal(predicate.bound)
        for side in ("<=", ">"):
            yield typed.Compare(side, form.expression, bound), predicate


def differences(
    partition: Partition, assigned: Collection[Read], start: Callable[[Form], int | None]
) -> Iterator[tuple[Expression, Predicate]]:
    """Yield that a difference of two numbers is at most, or at least, what it is at first."""
    numbers = [read for read in partition.coarse if read in assigned]
    if len(numbers) > _MOST_NUMBERS:
        return
    for one, two in combinations(sorted(numbers, key=lambda r: (r.agent, r.variable)), 2):
        found = scaled({one: 1, two: -1})
        value = None if found is None else start(found.form)
        if found is not None and value is not None:
            expression = found.form.expression
            for side, bound in (("<=", value), (">", value - 1)):
                predicate = Predicate(found.form, bound, _ORIGIN)
                yield typed.Compare(side, expression, typed.Literal(bound)), predicate  # type: ignore[arg-type]
