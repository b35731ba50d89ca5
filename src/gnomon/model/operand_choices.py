"""Choices between values for systems that are built in Python: `If`, `minimum`, `maximum`, `number`."""

from gnomon.model import expression as typed
from gnomon.model.chosen import either, extreme, joined, number_of_truth
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
)
from gnomon.model.operand import Operand, as_condition, as_number, as_operand, shown


def If(  # noqa: N802 - `if` is a word of Python's own
    condition: "Operand | bool", then: "Operand | Datum", otherwise: "Operand | Datum"
) -> Operand:
    """Return one value where a condition holds, and another where it does not.

    Of two names in quotation marks nobody knows of which variable they are values: such a choice is compared
    with a variable, or assigned to one.

    >>> import gnomon
    >>> x = gnomon.SystemBuilder("b").agent("P", ["a"]).integer("x", 0, 3)
    >>> gnomon.If(x < 3, x + 1, 0)
    if P.x < 3 then P.x + 1 else 0
    """
    chosen = as_condition(condition)
    left, right = _domain(then, otherwise), _domain(otherwise, then)
    first, second = as_operand(then, left), as_operand(otherwise, right)
    domain = joined(left, right)
    if domain is None:
        msg = f"{shown(then)} and {shown(otherwise)} are no two values of one type"
        raise TypeError(msg)
    if isinstance(domain, Boolean):
        return Operand(either(chosen, first, second), domain)
    return Operand(typed.Conditional(chosen, first, second), domain)


def minimum(*values: "Operand | int") -> Operand:
    """Return the smallest of some numbers.

    >>> import gnomon
    >>> x = gnomon.SystemBuilder("b").agent("P", ["a"]).integer("x", 0, 3)
    >>> gnomon.minimum(x + 1, 3)
    min(P.x + 1, 3)
    """
    return _extreme(values, smallest=True)


def maximum(*values: "Operand | int") -> Operand:
    """Return the greatest of some numbers.

    >>> import gnomon
    >>> x = gnomon.SystemBuilder("b").agent("P", ["a"]).integer("x", 0, 3)
    >>> gnomon.maximum(x - 1, 0) == 2
    max(P.x - 1, 0) = 2
    """
    return _extreme(values, smallest=False)


def number(condition: "Operand | bool") -> Operand:
    """Return 1 where a condition holds, and 0 elsewhere.

    >>> import gnomon
    >>> p = gnomon.SystemBuilder("b").agent("P", ["a"]).boolean("p")
    >>> gnomon.number(p) + 1
    (if P.p then 1 else 0) + 1
    """
    return Operand(number_of_truth(as_condition(condition)), IntegerRange(0, 1))


def _extreme(values: "tuple[Operand | int, ...]", *, smallest: bool) -> Operand:
    if not values:
        msg = "of no numbers at all, none is the smallest or the greatest"
        raise ValueError(msg)
    return Operand(extreme(tuple(map(as_number, values)), smallest=smallest), Integers())


def _domain(value: object, beside: object) -> Domain:
    """Return what a value is one of; a bare name is a value of the variable that it stands beside."""
    if isinstance(value, Operand):
        return value.domain
    if isinstance(value, bool):
        return Boolean()
    if isinstance(value, int):
        return IntegerRange(value, value)
    if not isinstance(value, str):
        msg = f"{shown(value)} is no value that a variable could have"
        raise TypeError(msg)
    named = isinstance(beside, Operand) and isinstance(beside.domain, Enumeration)
    return _domain(beside, value) if named else Enumeration((value,))
