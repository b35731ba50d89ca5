"""The value of an expression in one concrete state: part of the reference semantics, nothing fast.

A state is the tuple of the values of `system.variables`; a joint action is the tuple of the actions
of `system.agents`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import TypeAlias

from gnomon.model import arithmetic
from gnomon.model.domain import Datum
from gnomon.model.expression import (
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
    Sharing,
    Sum,
    parts,
    shared,
)
from gnomon.model.system import System

State: TypeAlias = tuple[Datum, ...]
JointAction: TypeAlias = tuple[str, ...]
Operation: TypeAlias = Not | Compare | Sum | Negative | BitComplement | Arithmetic


def value_by(expression: Expression, look: Callable[[Read | Does], object]) -> object:
    """Return the value of an expression; `look` tells that of variables, and which actions are done."""
    return _value(expression, look, {})


def _value(
    expression: Expression, look: Callable[[Read | Does], object], known: dict[Sharing, object]
) -> object:
    match expression:
        case Literal(constant):
            return constant
        case Read() | Does():
            return look(expression)
        case And(operands):
            return all(_value(operand, look, known) for operand in operands)
        case Or(operands):
            return any(_value(operand, look, known) for operand in operands)
        case Conditional() | Defined():
            if expression in known:
                return known[expression]
            return shared(expression, known, lambda part: _shared_value(part, look, known))
        case _:
            return combine(expression, [_value(part, look, known) for part in parts(expression)])


def _shared_value(
    expression: Sharing, look: Callable[[Read | Does], object], known: dict[Sharing, object]
) -> object:
    if isinstance(expression, Defined):
        return _value(expression.body, look, known)
    chosen = _value(expression.condition, look, known)
    return _value(expression.then if chosen else expression.otherwise, look, known)


def evaluate(
    expression: Expression, system: System, state: State, actions: JointAction | None = None
) -> object:
    """Return the value of an expression in a state (and, for guards, under a joint action)."""
    return Moment(system, state, actions).value(expression)


class Moment:
    """A state and what is done in it: several expressions have their values there, shared parts once."""

    def __init__(self, system: System, state: State, actions: JointAction | None = None) -> None:
        """Look at a state, and perhaps a joint action."""
        self._system = system
        self._state = state
        self._actions = actions
        self._known: dict[Sharing, object] = {}

    def value(self, expression: Expression) -> object:
        """Return the value of an expression."""
        return _value(expression, self._look, self._known)

    def holds(self, condition: Expression) -> bool:
        """Return whether a condition holds."""
        return bool(self.value(condition))

    def _look(self, part: Read | Does) -> object:
        if isinstance(part, Read):
            return self._state[self._system.position[part.agent, part.variable]]
        if self._actions is None:
            msg = "an action was asked for where no joint action is being taken"
            raise ValueError(msg)
        return self._actions[self._system.agent_index[part.agent]] == part.action


def value_of(expression: Expression, known: Mapping[str, Datum]) -> object:
    """Return the value of an expression over the variables of one agent, whose values are known by name."""

    def look(part: Read | Does) -> object:
        if isinstance(part, Read):
            return known[part.variable]
        msg = "an action is not a condition on a state"
        raise ValueError(msg)

    return value_by(expression, look)


def every(values: Iterable[object]) -> bool | None:
    """Return whether all are true, None where that is open."""
    result: bool | None = True
    for value in values:
        if value is False:
            return False
        if value is None:
            result = None
    return result


def some(values: Iterable[object]) -> bool | None:
    """Return whether one is true, None where that is open."""
    result: bool | None = False
    for value in values:
        if value is True:
            return True
        if value is None:
            result = None
    return result


def combine(expression: Operation, values: Sequence[object]) -> object:
    """Return the value of an operation, given the values of its parts."""
    match expression:
        case Not():
            return not values[0]
        case Compare(operator):
            return compare(operator, values[0], values[1])
        case Sum():
            total: arithmetic.Number = 0
            for term in values:
                total = arithmetic.add(total, _number(term))
            return total
        case Negative():
            return arithmetic.multiply(-1, _number(values[0]))
        case BitComplement():
            return _bits("~", values[0], values[0])
        case Arithmetic("&" | "|" | "^" as operator):
            return _bits(operator, values[0], values[1])
        case Arithmetic(operator):
            return _calculate(operator, _number(values[0]), _number(values[1]))


def compare(operator: str, left: object, right: object) -> bool:
    """Return whether `left operator right` holds; only numbers have an order."""
    match operator:
        case "=":
            return left == right
        case "<>":
            return left != right
        case _:
            order = {"<": lt, "<=": le, ">": gt, ">=": ge}[operator]
            return bool(order(_number(left), _number(right)))


def _number(value: object) -> arithmetic.Number:
    assert not isinstance(value, (bool, str)), value
    return value  # type: ignore[return-value]


def _bits(operator: str, left: object, right: object) -> object:
    """Return a bit operation: on Booleans their logic, on integers bit by bit."""
    assert isinstance(left, int) and isinstance(right, int)
    match operator:
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case _:
            return (not left) if isinstance(left, bool) else ~left


def _calculate(
    operator: str, left: arithmetic.Number, right: arithmetic.Number
) -> arithmetic.Number:
    match operator:
        case "*":
            return arithmetic.multiply(left, right)
        case "/":
            return arithmetic.divide(left, right)
        case _:
            assert isinstance(left, int) and isinstance(right, int)
            euclidean = {"div": arithmetic.euclidean_div, "mod": arithmetic.euclidean_mod}
            return euclidean[operator](left, right)


def holds(
    condition: Expression, system: System, state: State, actions: JointAction | None = None
) -> bool:
    """Return whether a condition holds in a state."""
    return bool(evaluate(condition, system, state, actions))
