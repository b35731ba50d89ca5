"""The kinds of typed expression, and what each is made of."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias
from typing import Literal as Choice

from gnomon.model.domain import Datum
from gnomon.text.interned import InternedRecord


class Literal(InternedRecord):
    """A constant value."""

    value: Datum


class Read(InternedRecord):
    """The current value of a variable."""

    agent: str
    variable: str


class Does(InternedRecord):
    """Whether an agent's action in the current joint action is `action`."""

    agent: str
    action: str


class Sum(InternedRecord):
    """The sum of its terms."""

    terms: tuple["Expression", ...]


class Negative(InternedRecord):
    """The number with the opposite sign."""

    operand: "Expression"


class Arithmetic(InternedRecord):
    """A product, a quotient (`/` exact, `div` and `mod` Euclidean) or a bitwise integer operation."""

    operator: Choice["*", "/", "div", "mod", "&", "|", "^"]
    left: "Expression"
    right: "Expression"


class BitComplement(InternedRecord):
    """`~` of an integer: all its bits turned round."""

    operand: "Expression"


class Compare(InternedRecord):
    """A comparison of two values of one type."""

    operator: Choice["=", "<>", "<", "<=", ">", ">="]
    left: "Expression"
    right: "Expression"


class Not(InternedRecord):
    """The opposite of a condition."""

    operand: "Expression"


class And(InternedRecord):
    """All of its operands; `And(())` is true."""

    operands: tuple["Expression", ...]


class Or(InternedRecord):
    """At least one of its operands; `Or(())` is false."""

    operands: tuple["Expression", ...]


class Conditional(InternedRecord):
    """One of two values, numbers or names: `then` where the condition holds, `otherwise` where not.

    A choice between two conditions is none of these: it is a condition made of `And` and `Or`.
    """

    __slots__ = ("_inner", "_leaves")

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


class Defined(InternedRecord):
    """What a definition stands for, with its name: its value is that of the body."""

    __slots__ = ("_inner", "_leaves")

    name: str
    body: "Expression"

    def __repr__(self) -> str:
        """Show the name: the body may be of any size."""
        return f"Defined({self.name!r}, …)"


Expression: TypeAlias = (
    Literal
    | Read
    | Does
    | Sum
    | Negative
    | Arithmetic
    | BitComplement
    | Compare
    | Not
    | And
    | Or
    | Conditional
    | Defined
)

TRUE = Literal(True)
FALSE = Literal(False)


def parts(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct subexpressions."""
    return _PARTS[expression.__class__](expression)


def _none(_expression: object) -> tuple[Expression, ...]:
    return ()


def _operand(expression: Any) -> tuple[Expression, ...]:
    return (expression.operand,)


#: By a table, since this is asked for every part of every expression, many times.
_PARTS: Final[Mapping[type, Callable[[Any], tuple[Expression, ...]]]] = {
    **dict.fromkeys((Literal, Read, Does), _none),
    **dict.fromkeys((Negative, BitComplement, Not), _operand),
    **dict.fromkeys((And, Or), attrgetter("operands")),
    **dict.fromkeys((Arithmetic, Compare), attrgetter("left", "right")),
    Sum: attrgetter("terms"),
    Conditional: attrgetter("condition", "then", "otherwise"),
    Defined: lambda expression: (expression.body,),
}


def walk(*expressions: Expression) -> Iterator[Expression]:
    """Yield expressions and all their subexpressions; what is shared is gone through once."""
    waiting = list(expressions)
    seen: set[Expression] = set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, (Conditional, Defined)):
            if current in seen:
                continue
            seen.add(current)
        yield current
        waiting.extend(parts(current))
