"""A table of what is done where, said in a few rules.

A list of rules, the first that fits counts. Each rule is grown condition by condition until it covers rows
of one action only, and the one that covers most is taken (after Rivest's decision lists, 1987). What the
rules say is what the table says, for every row of it.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Generic, NamedTuple, TypeVar

from gnomon.model.domain import Datum, show_value
from gnomon.model.evidence import Rule

#: A longer table takes too long to be worth a few words.
MOST_ROWS: Final = 2_000
#: More values of one variable than this give no conditions of their own.
_MOST_VALUES: Final = 24

Label = TypeVar("Label")


class Row(NamedTuple):
    """The values of some variables, and what is done where they have them."""

    values: tuple[Datum, ...]
    action: str


class RuleTest(NamedTuple):
    """A condition, and the rows it holds in: bit n for row n."""

    text: str
    rows: int


class ListedDecision(NamedTuple, Generic[Label]):
    """What is done where some conditions hold and no decision before fits; bit n of `rows` for row n."""

    conditions: tuple[str, ...]
    label: Label
    rows: int


def rules(agent: str, names: Sequence[str], rows: Sequence[Row]) -> tuple[Rule, ...]:
    """Return rules for what an agent does; none where the table is too long."""
    if len(rows) > MOST_ROWS:
        return ()
    allowed: dict[str, int] = {}
    for number, row in enumerate(rows):
        allowed[row.action] = allowed.get(row.action, 0) | 1 << number
    found = decisions(names, [row.values for row in rows], allowed)
    return tuple(Rule(agent, each.conditions, each.label) for each in found)


def decisions(
    names: Sequence[str], rows: Sequence[tuple[Datum, ...]], allowed: Mapping[Label, int]
) -> list[ListedDecision[Label]]:
    """Return few decisions that do for every row something that is allowed in it.

    `allowed` has the rows of each thing to do, bit n for row n; every row has one at least.
    """
    return decisions_by(_tests(names, rows), len(rows), allowed)


def decisions_by(
    tests: Sequence[RuleTest], count: int, allowed: Mapping[Label, int]
) -> list[ListedDecision[Label]]:
    """Return few decisions for so many rows, by some conditions that tell them apart."""
    left = (1 << count) - 1
    found: list[ListedDecision[Label]] = []
    while left:
        alone = [label for label, where in allowed.items() if not left & ~where]
        if alone:
            found.append(ListedDecision((), alone[0], left))
            break
        grown = [_grow(tests, left, where, label) for label, where in allowed.items()]
        best = max(
            (each for each in grown if each.rows),
            key=lambda each: (each.rows.bit_count() / (len(each.conditions) + 1), str(each.label)),
        )
        found.append(best)
        left &= ~best.rows
    return found


def _tests(names: Sequence[str], rows: Sequence[tuple[Datum, ...]]) -> list[RuleTest]:
    """Return the conditions that tell rows apart."""
    tests: list[RuleTest] = []
    for place, name in enumerate(names):
        holding: dict[Datum, int] = {}
        for number, row in enumerate(rows):
            value = row[place]
            holding[value] = holding.get(value, 0) | 1 << number
        if len(holding) > 1:
            tests += _of_variable(name, holding)
    return tests


def _of_variable(name: str, holding: Mapping[Datum, int]) -> list[RuleTest]:
    numbers = [v for v in holding if isinstance(v, int) and not isinstance(v, bool)]
    tests: list[RuleTest] = []
    if len(holding) <= _MOST_VALUES:
        tests += [RuleTest(f"{name} = {show_value(v)}", rows) for v, rows in holding.items()]
    if len(numbers) > 2:
        below = 0
        ordered = sorted(numbers)
        everything = sum(holding.values())
        for value, following in pairwise(ordered):
            below |= holding[value]
            tests.append(RuleTest(f"{name} <= {value}", below))
            tests.append(RuleTest(f"{name} >= {following}", everything & ~below))
    elif 2 < len(holding) <= _MOST_VALUES:
        everything = sum(holding.values())
        tests += [
            RuleTest(f"{name} <> {show_value(v)}", everything & ~rows)
            for v, rows in holding.items()
        ]
    return tests


def _grow(tests: Sequence[RuleTest], left: int, where: int, label: Label) -> ListedDecision[Label]:
    """Return conditions that only rows of one kind meet, as many of those left as can be had."""
    covered, conditions = left, []
    if not covered & where:
        return ListedDecision((), label, 0)
    while covered & ~where:
        best, best_score = None, (0.0, 0)
        for test in tests:
            inside = covered & test.rows
            hits = (inside & where).bit_count()
            if hits and inside != covered:
                score = (hits / inside.bit_count(), hits)
                if score > best_score:
                    best, best_score = test, score
        if best is None:
            return ListedDecision((), label, 0)
        covered &= best.rows
        conditions.append(best.text)
    return ListedDecision(tuple(conditions), label, covered)
