"""Numbers and comparisons of them as data, where a proof needs more than sums.

A number is an integer, a variable by its agent and name, or an operation and its operands.
"""

from typing import Final

from gnomon.certificate.rejection import Malformed, Rejected, require, shown
from gnomon.certificate.shape import items, row, string
from gnomon.model.domain import IntegerRange, Integers, contains
from gnomon.model.expression import (
    Arithmetic,
    BitComplement,
    Compare,
    Expression,
    Literal,
    Negative,
    Read,
    Sum,
    walk,
)
from gnomon.model.system import System

#: Operations are nested at most so deep.
_DEEPEST: Final = 60
_COMPARISONS: Final = ("=", "<>", "<", "<=", ">", ">=")
_OPERATIONS: Final = ("*", "/", "div", "mod", "&", "|", "^")
_OF_WHOLE_NUMBERS: Final = ("div", "mod", "&", "|", "^", "~")


def of_value(expression: Expression) -> object:
    """Return what a variable is worth as data; None where there are no words for it."""
    if isinstance(expression, Literal):
        return expression.value
    return _of_number(expression)


def read_value(system: System, read: Read, data: object) -> Expression:
    """Return what a variable is said to be worth: a name, a truth value, or a number."""
    domain = system.variables[system.position[read.agent, read.variable]].domain
    if isinstance(domain, Integers | IntegerRange):
        return _number(system, data, _DEEPEST)
    require(contains(domain, data), "a variable has no such value")
    assert isinstance(data, bool | str)
    return Literal(data)


def of_comparison(comparison: Compare) -> list[object] | None:
    """Return a comparison as data; None where it is not one of numbers alone."""
    left, right = _of_number(comparison.left), _of_number(comparison.right)
    return None if left is None or right is None else [comparison.operator, left, right]


def _of_number(expression: Expression) -> object:
    match expression:
        case Literal(value):
            return value if type(value) is int else None
        case Read(agent, variable):
            return {"agent": agent, "variable": variable}
        case Sum(terms):
            found = [_of_number(term) for term in terms]
            return None if None in found else ["+", *found]
        case Negative(operand):
            inner = _of_number(operand)
            return None if inner is None else ["-", inner]
        case BitComplement(operand):
            turned = _of_number(operand)
            return None if turned is None else ["~", turned]
        case Arithmetic(operator, left, right):
            sides = [_of_number(left), _of_number(right)]
            return None if None in sides else [operator, *sides]
        case _:
            return None


def read_comparison(system: System, data: object) -> Compare:
    """Return a comparison of numbers of a system."""
    operator, left, right = row(data, 3)
    if operator not in _COMPARISONS:
        raise Malformed(f"no comparison: {shown(operator)}")
    sides = _number(system, left, _DEEPEST), _number(system, right, _DEEPEST)
    return Compare(operator, *sides)


def _number(system: System, data: object, depth: int) -> Expression:
    require(depth, "operations are nested too deep")
    if type(data) is int:
        return Literal(data)
    if isinstance(data, dict):
        return numeric(system, data.get("agent"), data.get("variable"))
    operator, *operands = items(data)
    inner = [_number(system, each, depth - 1) for each in operands]
    if operator in _OF_WHOLE_NUMBERS:
        require(not any(map(_may_be_fraction, inner)), "a fraction where a whole number is needed")
    if operator == "+" and inner:
        return Sum(tuple(inner))
    if operator == "-" and len(inner) == 1:
        return Negative(inner[0])
    if operator == "~" and len(inner) == 1:
        return BitComplement(inner[0])
    if operator in _OPERATIONS and len(inner) == 2:
        return Arithmetic(operator, *inner)
    raise Malformed(f"no operation: {shown(operator)}")


def _may_be_fraction(expression: Expression) -> bool:
    return any(isinstance(part, Arithmetic) and part.operator == "/" for part in walk(expression))


def numeric(system: System, agent: object, variable: object) -> Read:
    """Return a variable whose values are numbers."""
    read = known_variable(system, agent, variable)
    domain = system.variables[system.position[read.agent, read.variable]].domain
    require(isinstance(domain, Integers | IntegerRange), "a sum of what are no numbers")
    return read


def known_variable(system: System, agent: object, variable: object) -> Read:
    """Return a variable of a system."""
    found = string(agent), string(variable)
    if found not in system.position:
        raise Rejected(f"the model has no variable {found[0]}.{found[1]}")
    return Read(*found)
