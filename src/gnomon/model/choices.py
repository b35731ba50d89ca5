"""What a condition plainly leaves to variables and agents, without trying out anything."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from gnomon.model import expression as typed
from gnomon.model.domain import Datum
from gnomon.model.expression import Compare, Does, Expression, Literal, Read

#: A variable, or an agent where it is about its action.
Key: TypeAlias = Read | str
#: What a condition leaves to some of them; what has no entry may be anything.
Choices: TypeAlias = Mapping[Key, frozenset[Datum]]
#: The least and the greatest number that are left, None where there is no bound.
Bounds: TypeAlias = tuple[int | None, int | None]

_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def choices_left(condition: Expression) -> Choices | None:
    """Return what a condition plainly leaves to variables and agents; None where it never holds.

    >>> x, y = Read("P", "x"), Read("P", "y")
    >>> one, two = Compare("=", x, Literal(1)), Compare("=", x, Literal(2))
    >>> sorted(choices_left(typed.And((typed.Or((one, two)), y)))[x])
    [1, 2]
    """
    match condition:
        case Compare("=", Read() as read, Literal(value)) | Compare(
            "=", Literal(value), Read() as read
        ):
            return {read: frozenset((value,))}
        case Read():
            return {condition: frozenset((True,))}
        case typed.Not(Read() as read):
            return {read: frozenset((False,))}
        case Does(agent, action):
            return {agent: frozenset((action,))}
        case typed.And(operands):
            return _all_choices(operands)
        case typed.Or(operands):
            return _some_choices(operands)
        case _:
            return {}


def _all_choices(operands: tuple[Expression, ...]) -> Choices | None:
    found: dict[Key, frozenset[Datum]] = {}
    for operand in operands:
        choices = choices_left(operand)
        if choices is None:
            return None
        for key, of in choices.items():
            found[key] = found.get(key, of) & of
            if not found[key]:
                return None
    return found


def _some_choices(operands: tuple[Expression, ...]) -> Choices | None:
    possible = [choices for choices in map(choices_left, operands) if choices is not None]
    if not possible:
        return None
    return {
        key: frozenset().union(*(choices[key] for choices in possible))
        for key in possible[0]
        if all(key in choices for choices in possible)
    }


def bounds_left(condition: Expression, key: Key) -> Bounds:
    """Return between which numbers a condition plainly leaves a variable.

    >>> x = Read("P", "x")
    >>> bounds_left(typed.And((Compare("<", x, Literal(5)), typed.Not(Compare("<", x, Literal(2))))), x)
    (2, 4)
    """
    low: int | None = None
    high: int | None = None
    for operator, number in _ordered(condition, key):
        if operator in (">", ">="):
            bound = number + (operator == ">")
            low = bound if low is None else max(low, bound)
        else:
            bound = number - (operator == "<")
            high = bound if high is None else min(high, bound)
    return low, high


def _ordered(condition: Expression, key: Key) -> Iterator[tuple[str, int]]:
    """Yield every `key operator number` among the conjuncts."""
    for conjunct in condition.operands if isinstance(condition, typed.And) else (condition,):
        opposite = isinstance(conjunct, typed.Not)
        inner = conjunct.operand if isinstance(conjunct, typed.Not) else conjunct
        match inner:
            case Compare(operator, left, Literal(number)) if left == key and operator in _OPPOSITE:
                sign: str = operator
            case Compare(operator, Literal(number), right) if (
                right == key and operator in _OPPOSITE
            ):
                sign = _MIRRORED[operator]
            case _:
                continue
        if type(number) is int:
            yield _OPPOSITE[sign] if opposite else sign, number
