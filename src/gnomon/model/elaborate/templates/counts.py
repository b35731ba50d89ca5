"""`count i : Robot (c) <= 1`: how many agents of a template, or values of a type, satisfy a condition.

That there are at least so many is said with as many indices that differ. So a count has no value by itself,
and stands in comparisons with numbers that have bounds.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Final

from gnomon.language import syntax
from gnomon.model import expression as plain
from gnomon.model.elaborate.arrays import bounds_of, equals
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.templates.indices import IndexScope
from gnomon.model.parameterised.condition import (
    FALSE,
    TRUE,
    And,
    Condition,
    Exists,
    Forall,
    Holds,
    Not,
    Or,
    Same,
    positive,
    renamed,
    walk,
)
from gnomon.text.record import Record
from gnomon.text.source import Span

#: No more agents than that are told apart in one condition.
MOST_COUNTED: Final = 10
#: So many sets of values are written out.
_MOST_SETS: Final = 10_000

_TURNED: Final[dict[str, syntax.Comparison]] = {
    "=": "=",
    "<>": "<>",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}
_OPPOSITE: Final = {"<": ">=", "<=": ">", "<>": "="}


class CountedAgents(Record):
    """The agents of a template that satisfy a condition, in which `index` stands for each of them."""

    index: str
    template: str
    body: Condition
    span: Span


#: What is counted: agents, or those of some conditions that hold.
Counted = CountedAgents | tuple[Condition, ...]


def compares_count(binary: syntax.Binary) -> bool:
    """Return whether a count is compared with something that is none."""
    return binary.operator in _TURNED and _is_count(binary.left) != _is_count(binary.right)


def _is_count(expression: syntax.Expression) -> bool:
    return isinstance(expression, syntax.Quantified) and expression.quantifier == "count"


class CountReader:
    """Reads comparisons of counts in one section; `counted` says what a count is of."""

    def __init__(self, scope: IndexScope, counted: Callable[[syntax.Quantified], Counted]) -> None:
        """Read with these names."""
        self.scope = scope
        self.counted = counted

    def compared(self, binary: syntax.Binary) -> Condition:
        """Return what the comparison of a count with a number says of agents or values."""
        count, other, operator = binary.left, binary.right, binary.operator
        if not _is_count(count):
            count, other, operator = other, count, _TURNED[operator]
        assert isinstance(count, syntax.Quantified)
        counted = self.counted(count)
        number = ExpressionReader(self.scope).number(other)
        low, high = bounds_of(number, self.scope)
        if low is None or high is None or self.scope.names.may_be_fraction(number):
            raise self.scope.fail(
                "G0504",
                "a count is compared with a whole number that has bounds",
                other.span,
                label="may be any number",
            )
        self._limit(high + 1, counted, binary.span)
        if low == high:
            return self._compare(operator, low, counted)
        if operator in _OPPOSITE:
            # The opposite looks for agents in one case or another, and is the shorter one to write.
            return Not(self._cases(_OPPOSITE[operator], number, range(low, high + 1), counted))
        return self._cases(operator, number, range(low, high + 1), counted)

    def _cases(
        self, operator: str, number: plain.Expression, values: range, counted: Counted
    ) -> Condition:
        """Return a comparison with a number that has one of some values."""
        return Or(
            tuple(
                And((Holds(equals(number, value)), self._compare(operator, value, counted)))
                for value in values
            )
        )

    def _compare(self, operator: str, number: int, counted: Counted) -> Condition:
        return _compare(operator, number, counted, self._taken)

    @property
    def _taken(self) -> frozenset[str]:
        return frozenset((*self.scope.indices, *self.scope.values, *self.scope.names.agents))

    def _limit(self, most: int, counted: Counted, span: Span) -> None:
        if isinstance(counted, tuple):
            many = sum(comb(len(counted), min(size, len(counted))) for size in (most, most - 1))
            fits = many <= _MOST_SETS
        else:
            fits = most <= MOST_COUNTED
        if not fits:
            raise self.scope.fail(
                "G0323",
                f"agents are counted up to {MOST_COUNTED - 1}, and values where few sets are so large",
                span,
                label="too large",
            )


def _compare(operator: str, number: int, counted: Counted, taken: Iterable[str]) -> Condition:
    def at_least(least: int) -> Condition:
        return _at_least(least, counted, taken)

    def fewer(than: int) -> Condition:
        return positive(at_least(than), wanted=False)

    match operator:
        case ">=":
            return at_least(number)
        case ">":
            return at_least(number + 1)
        case "<":
            return fewer(number)
        case "<=":
            return fewer(number + 1)
        case "=":
            return And((at_least(number), fewer(number + 1)))
        case _:
            return Or((fewer(number), at_least(number + 1)))


def _at_least(number: int, counted: Counted, taken: Iterable[str]) -> Condition:
    """Return that there are so many: as many agents that differ, or all of so many conditions."""
    if number <= 0:
        return TRUE
    if isinstance(counted, tuple):
        sets = tuple(And(chosen) for chosen in combinations(counted, number))
        return Or(sets) if sets else FALSE
    names = list(_fresh(number, counted, taken))
    result: tuple[Condition, ...] = ()
    # Each agent is looked for only where those before it were found: there may be many ways to choose them.
    for place, name in reversed(list(enumerate(names))):
        differs = (Not(Same(name, before)) for before in names[:place])
        body = renamed(counted.body, {counted.index: name})
        inner = (*differs, body, *result)
        whole = inner[0] if len(inner) == 1 else And(inner)
        result = (Exists(name, counted.template, whole, counted.span),)
    return result[0]


def _fresh(number: int, counted: CountedAgents, taken: Iterable[str]) -> Iterator[str]:
    """Yield names for so many agents that mean nothing else around the condition or inside it."""
    bound = {part.index for part in walk(counted.body) if isinstance(part, (Exists, Forall))}
    used = (bound | set(taken)) - {counted.index}
    if number == 1:
        yield counted.index
        return
    base = counted.index
    while any(f"{base}{place}" in used for place in range(1, number + 1)):
        base += "_"
    yield from (f"{base}{place}" for place in range(1, number + 1))
