"""A table of what is done where, said in a few rules.

A list of rules, the first that fits counts. Each rule is grown condition by condition until it covers rows
of one action only, and the one that covers most is taken (after Rivest's decision lists, 1987). What the
rules say is what the table says, for every row of it.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gnomon.model.domain import Datum, show_value
from gnomon.model.evidence import Rule

#: A longer table takes too long to be worth a few words.
MOST_ROWS: Final = 2_000
#: More values of one variable than this give no conditions of their own.
_MOST_VALUES: Final = 24


class Row(NamedTuple):
    """The values of some variables, and what is done where they have them."""

    values: tuple[Datum, ...]
    action: str


class _Test(NamedTuple):
    """A condition, and the rows it holds in: bit n for row n."""

    text: str
    rows: int


def rules(agent: str, names: Sequence[str], rows: Sequence[Row]) -> tuple[Rule, ...]:
    """Return rules for what an agent does; none where the table is too long."""
    if len(rows) > MOST_ROWS:
        return ()
    tests = _tests(names, rows)
    actions: dict[str, int] = {}
    for number, row in enumerate(rows):
        actions[row.action] = actions.get(row.action, 0) | 1 << number
    left = (1 << len(rows)) - 1
    found: list[Rule] = []
    while left:
        alone = [action for action, where in actions.items() if not left & ~where]
        if alone:
            found.append(Rule(agent, (), alone[0]))
            break
        grown = [_grow(tests, left, where, action) for action, where in actions.items()]
        best, conditions, action = max(
            ((covered, texts, name) for covered, texts, name in grown if covered),
            key=lambda rule: (rule[0].bit_count() / (len(rule[1]) + 1), rule[2]),
        )
        found.append(Rule(agent, conditions, action))
        left &= ~best
    return tuple(found)


def _tests(names: Sequence[str], rows: Sequence[Row]) -> list[_Test]:
    """Return the conditions that tell rows apart."""
    tests: list[_Test] = []
    for place, name in enumerate(names):
        holding: dict[Datum, int] = {}
        for number, row in enumerate(rows):
            value = row.values[place]
            holding[value] = holding.get(value, 0) | 1 << number
        if len(holding) > 1:
            tests += _of_variable(name, holding)
    return tests


def _of_variable(name: str, holding: Mapping[Datum, int]) -> list[_Test]:
    numbers = [v for v in holding if isinstance(v, int) and not isinstance(v, bool)]
    tests: list[_Test] = []
    if len(holding) <= _MOST_VALUES:
        tests += [_Test(f"{name} = {show_value(v)}", rows) for v, rows in holding.items()]
    if len(numbers) > 2:
        below = 0
        ordered = sorted(numbers)
        everything = sum(holding.values())
        for value, following in pairwise(ordered):
            below |= holding[value]
            tests.append(_Test(f"{name} <= {value}", below))
            tests.append(_Test(f"{name} >= {following}", everything & ~below))
    elif 2 < len(holding) <= _MOST_VALUES:
        everything = sum(holding.values())
        tests += [
            _Test(f"{name} <> {show_value(v)}", everything & ~rows) for v, rows in holding.items()
        ]
    return tests


def _grow(
    tests: Sequence[_Test], left: int, where: int, action: str
) -> tuple[int, tuple[str, ...], str]:
    """Return conditions that only rows of one action meet, as many of those left as can be had."""
    covered, conditions = left, []
    if not covered & where:
        return 0, (), action
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
            return 0, (), action
        covered &= best.rows
        conditions.append(best.text)
    return covered, tuple(conditions), action
