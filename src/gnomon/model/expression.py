"""Typed expressions over the variables and actions of a system, free of syntax.

Conditions are expressions whose value is a Boolean. Every name has been resolved: `Read` names an
agent and one of its variables, `Does` an agent and one of its actions.

Equal expressions are one object (docs/decisions/0027-interned-expressions.md). Much may be shared below
`Defined` and `Conditional`, and below these two alone: written out, such an expression may be larger than
any memory. Whoever goes through expressions by recursion asks `shared` for what these two come to.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Literal as Choice
from typing import TypeAlias, TypeVar

from gnomon.model.domain import Datum, show_value
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

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


class Defined(InternedRecord):
    """What a definition stands for, with its name: its value is that of the body."""

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
    """Yield the expression and all its subexpressions; what is shared is gone through once."""
    waiting = [expression]
    seen: set[Expression] = set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, (Conditional, Defined)):
            if current in seen:
                continue
            seen.add(current)
        yield current
        waiting.extend(parts(current))


# What is shared

Result = TypeVar("Result")
#: The two kinds of expression that may be used many times.
Sharing: TypeAlias = Conditional | Defined


def all_parts(expression: Sharing) -> tuple[Expression, ...]:
    """Return all direct parts of what is shared."""
    return parts(expression)


def value_parts(expression: Sharing) -> tuple[Expression, ...]:
    """Return the parts of what is shared that it may be worth, without the condition that decides."""
    return parts(expression)[-2:]


def shared(
    expression: Sharing,
    known: MutableMapping[Sharing, Result],
    work: Callable[[Sharing], Result],
    below: Callable[[Sharing], tuple[Expression, ...]] = all_parts,
) -> Result:
    """Return what an expression comes to, worked out once for all its uses.

    `known` remembers. What the expression is made of is worked out first, so that definitions of
    definitions, thousands deep, take no recursion. `below` says in which parts to look for that.
    """
    if expression not in known:
        for part in _inner_first(expression, known, below):
            known[part] = work(part)
    return known[expression]


def _inner_first(
    expression: Sharing,
    known: MutableMapping[Sharing, Result],
    below: Callable[[Sharing], tuple[Expression, ...]],
) -> Iterator[Sharing]:
    """Yield what is shared in an expression and not known, each after what it is made of."""
    waiting = [(expression, _nearest(below(expression)))]
    while waiting:
        part, inner = waiting[-1]
        new = next((each for each in inner if each not in known), None)
        if new is not None:
            waiting.append((new, _nearest(below(new))))
            continue
        waiting.pop()
        yield part


def _nearest(expressions: tuple[Expression, ...]) -> Iterator[Sharing]:
    """Yield what is shared in expressions, with nothing else that is shared around it."""
    waiting = list(expressions)
    while waiting:
        current = waiting.pop()
        if isinstance(current, (Conditional, Defined)):
            yield current
        else:
            waiting.extend(parts(current))


def body_of(expression: Expression) -> Expression:
    """Return what a definition stands for, and any other expression as it is."""
    while isinstance(expression, Defined):
        expression = expression.body
    return expression


def written_size(expression: Expression, known: dict[Sharing, int] | None = None) -> int:
    """Return how many parts an expression has where nothing is shared; it may be a very large number."""
    sizes: dict[Sharing, int] = {} if known is None else known

    def size(part: Expression) -> int:
        if isinstance(part, (Conditional, Defined)):
            return shared(part, sizes, inside)
        return inside(part)

    def inside(part: Expression) -> int:
        return 1 + sum(map(size, parts(part)))

    return size(expression)


def example_of(expression: Expression) -> Expression:
    """Return one of the expressions that an expression may be worth: all of them are of one type."""
    while isinstance(expression, (Conditional, Defined)):
        expression = parts(expression)[-1]
    return expression


# What an expression looks at


def reads(expression: Expression) -> frozenset[Read]:
    """Return the variables that the expression looks at."""
    return frozenset(part for part in walk(expression) if isinstance(part, Read))


def actors(expression: Expression) -> frozenset[str]:
    """Return the agents whose actions the expression looks at."""
    return frozenset(part.agent for part in walk(expression) if isinstance(part, Does))


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
            return shared(part, known, new)
        return with_parts(part, inner)

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
