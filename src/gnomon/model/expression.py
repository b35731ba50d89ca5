"""Typed expressions over the variables and actions of a system, free of syntax.

Conditions are expressions whose value is a Boolean. Every name has been resolved: `Read` names an
agent and one of its variables, `Does` an agent and one of its actions.
"""

from collections.abc import Iterator, Mapping
from typing import Literal as Choice
from typing import TypeAlias

from gnomon.model.domain import Datum, show_value
from gnomon.text.record import Record


class Literal(Record):
    """A constant value."""

    value: Datum


class Read(Record):
    """The current value of a variable."""

    agent: str
    variable: str


class Does(Record):
    """Whether an agent's action in the current joint action is `action`."""

    agent: str
    action: str


class Sum(Record):
    """The sum of its terms."""

    terms: tuple["Expression", ...]


class Negative(Record):
    """The number with the opposite sign."""

    operand: "Expression"


class Arithmetic(Record):
    """A product, a quotient (`/` exact, `div` and `mod` Euclidean) or a bitwise integer operation."""

    operator: Choice["*", "/", "div", "mod", "&", "|", "^"]
    left: "Expression"
    right: "Expression"


class BitComplement(Record):
    """`~` of an integer: all its bits turned round."""

    operand: "Expression"


class Compare(Record):
    """A comparison of two values of one type."""

    operator: Choice["=", "<>", "<", "<=", ">", ">="]
    left: "Expression"
    right: "Expression"


class Not(Record):
    """The opposite of a condition."""

    operand: "Expression"


class And(Record):
    """All of its operands; `And(())` is true."""

    operands: tuple["Expression", ...]


class Or(Record):
    """At least one of its operands; `Or(())` is false."""

    operands: tuple["Expression", ...]


class Conditional(Record):
    """One of two values, numbers or names: `then` where the condition holds, `otherwise` where not.

    A choice between two conditions is none of these: it is a condition made of `And` and `Or`.
    """

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


class Defined(Record):
    """What a definition stands for, with its name: its value is that of the body."""

    name: str
    body: "Expression"


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
    match expression:
        case Literal() | Read() | Does():
            return ()
        case Sum(terms):
            return terms
        case And(operands) | Or(operands):
            return operands
        case Negative(operand) | BitComplement(operand) | Not(operand):
            return (operand,)
        case Arithmetic(_, left, right) | Compare(_, left, right):
            return (left, right)
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)
        case Defined(_, body):
            return (body,)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield the expression and all its subexpressions."""
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(parts(current))


def reads(expression: Expression) -> frozenset[Read]:
    """Return the variables that the expression looks at."""
    return frozenset(part for part in walk(expression) if isinstance(part, Read))


def actors(expression: Expression) -> frozenset[str]:
    """Return the agents whose actions the expression looks at."""
    return frozenset(part.agent for part in walk(expression) if isinstance(part, Does))


def substituted(
    expression: Expression, values: Mapping[Read, Expression] | Mapping[Does, Expression]
) -> Expression:
    """Return the expression with other expressions in the place of some variables or actions."""

    def inner(part: Expression) -> Expression:
        return substituted(part, values)

    match expression:
        case Read() | Does():
            return values.get(expression, expression)  # type: ignore[arg-type]
        case Literal():
            return expression
        case Sum(terms):
            return Sum(tuple(map(inner, terms)))
        case And(operands) | Or(operands):
            return type(expression)(tuple(map(inner, operands)))
        case Negative(operand) | BitComplement(operand) | Not(operand):
            return type(expression)(inner(operand))
        case Arithmetic(operator, left, right):
            return Arithmetic(operator, inner(left), inner(right))
        case Compare(relation, left, right):
            return Compare(relation, inner(left), inner(right))
        case Conditional(condition, then, otherwise):
            return Conditional(inner(condition), inner(then), inner(otherwise))
        case Defined(_, body):
            changed = inner(body)
            return expression if changed == body else changed


def decided(expression: Expression, doing: Mapping[str, str]) -> Expression:
    """Return the expression where it is known what the agents do that it looks at."""
    acts = {part for part in walk(expression) if isinstance(part, Does)}
    known = {act: TRUE if doing[act.agent] == act.action else FALSE for act in acts}
    return substituted(expression, known) if known else expression


_TIGHTNESS = {
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


def show(expression: Expression, outer: float = 0) -> str:
    """Return the expression as ISPL writes it, with no more brackets than it needs."""
    text, tightness = _show(expression)
    return f"({text})" if tightness < outer else text


def _show(expression: Expression) -> tuple[str, float]:
    atom, negative = 10, 9
    match expression:
        case Literal(value):
            below_zero = isinstance(value, int) and value < 0
            return show_value(value), negative if below_zero else atom
        case Read(agent, variable):
            return f"{agent}.{variable}", atom
        case Does(agent, action):
            return f"{agent}.Action = {action}", _TIGHTNESS["compare"]
        case Sum(terms):
            return _show_sum(terms), _TIGHTNESS["+"]
        case Negative(operand):
            return f"-{show(operand, atom)}", negative
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
            return f"!{show(operand, atom)}", _TIGHTNESS["not"]
        case And(operands):
            return _show_chain("and", operands, "true")
        case Or(operands):
            return _show_chain("or", operands, "false")
        case Conditional(condition, then, otherwise):
            chosen = f"{show(condition)} then {show(then)} else {show(otherwise)}"
            return f"if {chosen}", _TIGHTNESS["if"]
        case Defined(name):
            return name, atom


def _show_chain(word: str, operands: tuple[Expression, ...], empty: str) -> tuple[str, float]:
    if not operands:
        return empty, 10
    level = _TIGHTNESS[word]
    return f" {word} ".join(show(operand, level + 1) for operand in operands), level


def _show_sum(terms: tuple[Expression, ...]) -> str:
    text = ""
    for term in terms:
        match term:
            case Negative(operand) if text:
                text += f" - {show(operand, _TIGHTNESS['+'] + 1)}"
            case _:
                text += (" + " if text else "") + show(term, _TIGHTNESS["+"] + 1)
    return text
