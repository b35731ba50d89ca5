"""Typed expressions over the variables and actions of a system, free of syntax.

Conditions are expressions whose value is a Boolean. Every name has been resolved: `Read` names an
agent and one of its variables, `Does` an agent and one of its actions.

Equal expressions are one object, and parts may be shared by many: see `gnomon.model.sharing`, and
docs/decisions/0027-interned-expressions.md.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gnomon.model.node import (
    FALSE,
    TRUE,
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
    walk,
)
from gnomon.model.printing import show
from gnomon.model.sharing import (
    Sharing,
    all_parts,
    body_of,
    example_of,
    nearest,
    sending,
    shared,
    value_parts,
    written_size,
)

__all__ = [
    "FALSE",
    "TRUE",
    "And",
    "Arithmetic",
    "BitComplement",
    "Compare",
    "Conditional",
    "Defined",
    "Does",
    "Expression",
    "Literal",
    "Negative",
    "Not",
    "Or",
    "Read",
    "Sharing",
    "Sum",
    "actors",
    "all_parts",
    "body_of",
    "decided",
    "example_of",
    "may_be_fraction",
    "nearest",
    "parts",
    "reads",
    "sending",
    "shared",
    "show",
    "substituted",
    "value_parts",
    "walk",
    "with_leaves",
    "with_parts",
    "written_size",
]


def reads(*expressions: Expression) -> frozenset[Read]:
    """Return the variables that expressions look at."""
    return frozenset(part for part in _leaves(expressions) if isinstance(part, Read))


def actors(*expressions: Expression) -> frozenset[str]:
    """Return the agents whose actions expressions look at."""
    return frozenset(part.agent for part in _leaves(expressions) if isinstance(part, Does))


class _Leaves:
    """What is shared remembers what it looks at."""

    def __contains__(self, expression: object) -> bool:
        return hasattr(expression, "_leaves")

    def __getitem__(self, expression: Sharing) -> frozenset[Read | Does]:
        return expression._leaves  # type: ignore[union-attr,no-any-return]  # noqa: SLF001

    def __setitem__(self, expression: Sharing, leaves: frozenset[Read | Does]) -> None:
        _LEAVES[expression.__class__].__set__(expression, leaves)


_LEAVES: Final[Mapping[type, Any]] = {
    kind: kind.__dict__["_leaves"] for kind in (Conditional, Defined)
}
_LOOKED_AT: Final = _Leaves()


def _leaves(expressions: tuple[Expression, ...]) -> set[Read | Does]:
    found: set[Read | Does] = set()
    waiting = list(expressions)
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Read, Does)):
            found.add(part)
        elif isinstance(part, (Conditional, Defined)):
            leaves: frozenset[Read | Does] = shared(part, _LOOKED_AT, _shared_leaves)
            found |= leaves
        else:
            waiting.extend(parts(part))
    return found


def _shared_leaves(expression: Sharing) -> frozenset[Read | Does]:
    """Return what is looked at; the set of a part, where it has everything, serves once more."""
    found = frozenset(_leaves(parts(expression)))
    inner = (_LOOKED_AT[part] for part in nearest(parts(expression)))
    return next((leaves for leaves in inner if len(leaves) == len(found)), found)


def may_be_fraction(number: Expression) -> bool:
    """Return whether a number is made with `/`, which is exact; what conditions compare does not count."""
    waiting = [number]
    seen: set[Sharing] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, Arithmetic) and part.operator == "/":
            return True
        if not isinstance(part, (Conditional, Defined)):
            waiting.extend(parts(part))
        elif part not in seen:
            seen.add(part)
            waiting.extend(value_parts(part))
    return False


def substituted(
    expression: Expression, values: Mapping[Read, Expression], *, definitions: bool = True
) -> Expression:
    """Return the expression with other expressions in the place of some variables.

    Also in what definitions stand for, unless those are to stay as they are.
    """

    def change(part: Read | Does) -> Expression:
        return values.get(part, part) if isinstance(part, Read) else part

    return with_leaves(expression, change, definitions=definitions)


def with_leaves(
    expression: Expression,
    change: Callable[[Read | Does], Expression],
    *,
    definitions: bool = True,
) -> Expression:
    """Return the expression with something else for each variable, and each action, that it looks at."""
    known: dict[Sharing, Expression] = {}

    def inner(part: Expression) -> Expression:
        if isinstance(part, (Read, Does)):
            return change(part)
        if isinstance(part, (Conditional, Defined)):
            return shared(part, known, new, below)
        return with_parts(part, inner)

    def below(part: Sharing) -> tuple[Expression, ...]:
        return parts(part) if definitions or isinstance(part, Conditional) else ()

    def new(part: Sharing) -> Expression:
        if isinstance(part, Defined) and not definitions:
            return part
        return with_parts(part, inner)

    return inner(expression)


def with_parts(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Return an expression with its direct subexpressions changed."""
    match expression:
        case Literal() | Read() | Does():
            return expression
        case Sum(terms):
            return Sum(tuple(map(change, terms)))
        case And(operands) | Or(operands):
            return type(expression)(tuple(map(change, operands)))
        case Negative(operand) | BitComplement(operand) | Not(operand):
            return type(expression)(change(operand))
        case Arithmetic(operator, left, right):
            return Arithmetic(operator, change(left), change(right))
        case Compare(relation, left, right):
            return Compare(relation, change(left), change(right))
        case Conditional(condition, then, otherwise):
            return Conditional(change(condition), change(then), change(otherwise))
        case Defined(name, body):
            return Defined(name, change(body))


def decided(expression: Expression, doing: Mapping[str, str]) -> Expression:
    """Return the expression where it is known what the agents do that it looks at."""

    def known(part: Read | Does) -> Expression:
        return part if isinstance(part, Read) else Literal(doing[part.agent] == part.action)

    return with_leaves(expression, known)
