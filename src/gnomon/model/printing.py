"""Expressions as ISPL writes them, with no more brackets than they need.

A choice that `min`, `max` or `abs` stands for is written as that: each says its operands twice, and so what
is nested would double from level to level.
"""

from typing import Final, TypeAlias

from gnomon.model.domain import show_value
from gnomon.model.node import (
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    parts,
)
from gnomon.model.sharing import Sharing, shared
from gnomon.text.limits import room_to_recurse

#: A text, and how tightly what it says holds together.
_Text: TypeAlias = tuple[str, float]

_ATOM: Final = 10
_NEGATIVE: Final = 9
_EXTREMES: Final = {"<=": "min", ">=": "max"}
_TIGHTNESS: Final = {
    "if": 0.5,
    "or": 1,
    "and": 2,
    "not": 3,
    "compare": 4,
    "|": 5,
    "^": 5,
    "&": 6,
    "~": 6.5,
    "+": 7,
    "*": 8,
}


def show(expression: Expression) -> str:
    """Return the expression as ISPL writes it, with no more brackets than it needs."""
    with room_to_recurse():
        return _ValueText().show(expression)


def shown_size(expression: Expression) -> int:
    """Return how many parts an expression has as it is written: a definition is its name."""
    sizes: dict[Sharing, int] = {}

    def size(part: Expression) -> int:
        if isinstance(part, Conditional):
            return shared(part, sizes, inside, shown_parts)
        return inside(part)

    def inside(part: Expression) -> int:
        return 1 + sum(map(size, shown_parts(part)))

    return size(expression)


def shown_parts(expression: Expression) -> tuple[Expression, ...]:
    """Return the parts of an expression that are written where it is."""
    if isinstance(expression, Conditional):
        return function_of(expression)[1] or parts(expression)
    return () if isinstance(expression, Defined) else parts(expression)


def function_of(chosen: Conditional) -> tuple[str, tuple[Expression, ...]]:
    """Return the function that a choice stands for, with its operands; no name where it is none.

    >>> from gnomon.model.chosen import extreme
    >>> x, y, z = (Read("A", name) for name in "xyz")
    >>> function_of(extreme((x, y, z), smallest=True)) == ("min", (x, y, z))
    True
    """
    match chosen:
        case Conditional(Compare("<", value, Literal(0)), Negative(same), other):
            return ("abs", (value,)) if value is same is other else ("", ())
        case Conditional(Compare("<=" | ">=" as sign, first, second), then, otherwise):
            if first is then and second is otherwise:
                return _EXTREMES[sign], (first, second)
        case Conditional(
            And((Compare("<=" | ">=" as sign, first), *_) as tests), then, Conditional() as others
        ):
            # The other operands are a function themselves, and each of them is compared with the first.
            name, rest = function_of(others)
            unbeaten = tuple(Compare(sign, first, item) for item in rest)
            if first is then and name == _EXTREMES[sign] and unbeaten == tests:
                return name, (first, *rest)
    return "", ()


class _ValueText:
    """Writes expressions; what is chosen in choices is written first, so that depth takes no recursion."""

    def __init__(self) -> None:
        self._texts: dict[Sharing, _Text] = {}

    def show(self, expression: Expression, outer: float = 0) -> str:
        text, tightness = self._text(expression)
        return f"({text})" if tightness < outer else text

    def _text(self, expression: Expression) -> _Text:
        show = self.show
        match expression:
            case Literal(value):
                below_zero = isinstance(value, int) and value < 0
                return show_value(value), _NEGATIVE if below_zero else _ATOM
            case Read(agent, variable):
                return f"{agent}.{variable}", _ATOM
            case Does(agent, action):
                return f"{agent}.Action = {action}", _TIGHTNESS["compare"]
            case Sum(terms):
                return self._sum(terms), _TIGHTNESS["+"]
            case Negative(operand):
                return f"-{show(operand, _ATOM)}", _NEGATIVE
            case BitComplement(operand):
                # `~` takes a whole sum: inside one it needs brackets.
                return f"~{show(operand, _TIGHTNESS['+'])}", _TIGHTNESS["~"]
            case Arithmetic(operator, left, right):
                level = _TIGHTNESS.get(operator, _TIGHTNESS["*"])
                return f"{show(left, level)} {operator} {show(right, level + 1)}", level
            case Compare(operator, left, right):
                level = _TIGHTNESS["compare"] + 1
                return f"{show(left, level)} {operator} {show(right, level)}", level - 1
            case Not(operand):
                return f"!{show(operand, _ATOM)}", _TIGHTNESS["not"]
            case And(operands):
                return self._chain("and", operands, "true")
            case Or(operands):
                return self._chain("or", operands, "false")
            case Conditional():
                return shared(expression, self._texts, self._choice, shown_parts)
            case Defined(name):
                return name, _ATOM

    def _choice(self, chosen: Sharing) -> _Text:
        if isinstance(chosen, Defined):
            return chosen.name, _ATOM
        function, operands = function_of(chosen)
        if function:
            return f"{function}({', '.join(map(self.show, operands))})", _ATOM
        condition, then, otherwise = map(self.show, parts(chosen))
        return f"if {condition} then {then} else {otherwise}", _TIGHTNESS["if"]

    def _chain(self, word: str, operands: tuple[Expression, ...], empty: str) -> _Text:
        if not operands:
            return empty, _ATOM
        level = _TIGHTNESS[word]
        return f" {word} ".join(self.show(operand, level + 1) for operand in operands), level

    def _sum(self, terms: tuple[Expression, ...]) -> str:
        text = ""
        for term in terms:
            match term:
                case Negative(operand) if text:
                    text += f" - {self.show(operand, _TIGHTNESS['+'] + 1)}"
                case _:
                    text += (" + " if text else "") + self.show(term, _TIGHTNESS["+"] + 1)
        return text
