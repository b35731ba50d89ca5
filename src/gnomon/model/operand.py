"""Expressions written with Python's own operators, for systems that are built in Python."""

from collections.abc import Iterable
from typing import Literal as Choice

from gnomon.model import expression as typed
from gnomon.model.chosen import absolute
from gnomon.model.domain import (
    Boolean,
    Datum,
    Domain,
    Enumeration,
    IntegerRange,
    Integers,
    comparable,
    contains,
    is_number,
)
from gnomon.text.brief import brief
from gnomon.text.numbers import show_integer


class Operand:
    """An expression with Python's operators: `x + 1 == y`, `(x == 1) & ~done`, `x // 2`, `x % 2`.

    >>> import gnomon
    >>> agent = gnomon.SystemBuilder("b").agent("P", ["a"])
    >>> x, done = agent.integer("x", 0, 3), agent.boolean("done")
    >>> (x + 1 == 2) & ~done
    P.x + 1 = 2 and !P.done
    >>> x.is_in([1, 3]), x.is_in(range(1, 3))
    (P.x = 1 or P.x = 3, P.x >= 1 and P.x <= 2)
    >>> x.domain, x.expression
    (IntegerRange(low=0, high=3), Read(agent='P', variable='x'))
    """

    __slots__ = ("domain", "expression")

    def __init__(self, expression: typed.Expression, domain: Domain) -> None:
        """Wrap a typed expression."""
        self.expression: typed.Expression = expression
        self.domain: Domain = domain

    def __hash__(self) -> int:
        """Return a hash that is its own: `==` makes a condition, and tells nothing."""
        return object.__hash__(self)

    def __eq__(self, other: object) -> "Operand":  # type: ignore[override]
        """Return the condition that both are equal."""
        return self._compare("=", other)

    def __ne__(self, other: object) -> "Operand":  # type: ignore[override]
        """Return the condition that they differ."""
        return self._compare("<>", other)

    def __lt__(self, other: "Operand | int") -> "Operand":
        """Return the condition that this is smaller."""
        return self._compare("<", other)

    def __le__(self, other: "Operand | int") -> "Operand":
        """Return the condition that this is at most the other."""
        return self._compare("<=", other)

    def __gt__(self, other: "Operand | int") -> "Operand":
        """Return the condition that this is greater."""
        return self._compare(">", other)

    def __ge__(self, other: "Operand | int") -> "Operand":
        """Return the condition that this is at least the other."""
        return self._compare(">=", other)

    def __add__(self, other: "Operand | int") -> "Operand":
        """Return the sum."""
        return Operand(typed.Sum((as_number(self), as_number(other))), Integers())

    def __radd__(self, other: int) -> "Operand":
        """Return the sum."""
        return Operand(typed.Sum((as_number(other), as_number(self))), Integers())

    def __sub__(self, other: "Operand | int") -> "Operand":
        """Return the difference."""
        return Operand(typed.Sum((as_number(self), typed.Negative(as_number(other)))), Integers())

    def __rsub__(self, other: int) -> "Operand":
        """Return the difference."""
        return Operand(typed.Sum((as_number(other), typed.Negative(as_number(self)))), Integers())

    def __mul__(self, other: "Operand | int") -> "Operand":
        """Return the product."""
        return self._arithmetic("*", other)

    __rmul__ = __mul__

    def __truediv__(self, other: "Operand | int") -> "Operand":
        """Return the exact quotient."""
        return self._arithmetic("/", other)

    def __floordiv__(self, other: "Operand | int") -> "Operand":
        """Return the Euclidean quotient."""
        return self._arithmetic("div", other)

    def __mod__(self, other: "Operand | int") -> "Operand":
        """Return the remainder, never negative."""
        return self._arithmetic("mod", other)

    def __and__(self, other: "Operand | bool") -> "Operand":
        """Return the condition that both hold."""
        return Operand(typed.And((as_condition(self), as_condition(other))), Boolean())

    def __or__(self, other: "Operand | bool") -> "Operand":
        """Return the condition that one of them holds."""
        return Operand(typed.Or((as_condition(self), as_condition(other))), Boolean())

    def __invert__(self) -> "Operand":
        """Return the opposite condition."""
        return Operand(typed.Not(as_condition(self)), Boolean())

    def __xor__(self, other: "Operand | bool") -> "Operand":
        """Return the condition that one of them holds, and not both; that both or none hold is `==`."""
        return Operand(typed.Compare("<>", as_condition(self), as_condition(other)), Boolean())

    def __abs__(self) -> "Operand":
        """Return the number without its sign."""
        return Operand(absolute(as_number(self)), Integers())

    def is_in(self, values: "Iterable[Operand | Datum]") -> "Operand":
        """Return the condition that this is one of some values, such as `[1, 5]` or `range(2, 4)`."""
        if isinstance(values, range) and values.step == 1 and len(values) > 1:
            return (self >= values[0]) & (self <= values[-1])
        return Operand(typed.Or(tuple((self == value).expression for value in values)), Boolean())

    def __bool__(self) -> bool:
        """Refuse: `and`, `or`, `not` and chained comparisons would silently lose a part."""
        msg = "a condition has no value yet: join conditions with &, | and ~, each in brackets"
        raise TypeError(msg)

    def __repr__(self) -> str:
        """Show the expression as ISPL writes it."""
        return brief(typed.show(self.expression))

    def _compare(
        self, operator: Choice["=", "<>", "<", "<=", ">", ">="], other: object
    ) -> "Operand":
        ordered = is_number(self.domain)
        if operator not in ("=", "<>") and not ordered:
            msg = f"only numbers have an order, and {self!r} is none"
            raise TypeError(msg)
        right = as_operand(other, self.domain)
        if operator in ("=", "<>"):
            _refuse_outside(self, right)
            if isinstance(other, Operand):
                _refuse_outside(other, self.expression)
        return Operand(typed.Compare(operator, self.expression, right), Boolean())

    def _arithmetic(
        self, operator: Choice["*", "/", "div", "mod"], other: "Operand | int"
    ) -> "Operand":
        left, right = as_number(self), as_number(other)
        if operator in ("div", "mod") and any(map(typed.may_be_fraction, (left, right))):
            msg = f"{operator} works on whole numbers, and / may give a fraction: use // instead"
            raise TypeError(msg)
        return Operand(typed.Arithmetic(operator, left, right), Integers())


def _refuse_outside(variable: Operand, constant: typed.Expression) -> None:
    """Refuse to compare a variable with a number that it can never be."""
    if isinstance(variable.expression, typed.Read) and isinstance(constant, typed.Literal):
        domain = variable.domain
        if isinstance(domain, IntegerRange) and not contains(domain, constant.value):
            msg = f"{variable!r} is in {domain} and can never be {shown(constant.value)}"
            raise ValueError(msg)


def shown(value: object) -> str:
    """Return anything as a message shows it; Python itself would not show a very long number."""
    return show_integer(value) if type(value) is int else repr(value)


def as_operand(other: object, domain: Domain) -> typed.Expression:
    """Return what is compared with, or assigned to, a value of a domain; refuse what has another type."""
    if isinstance(other, Operand):
        if not comparable(domain, other.domain):
            msg = f"{shown(other)} and a value of {domain} do not go together"
            raise TypeError(msg)
        return other.expression
    if isinstance(domain, Enumeration) and other not in domain.names:
        msg = f"{shown(other)} is not one of the values {domain}"
        raise ValueError(msg)
    number = isinstance(other, int) and not isinstance(other, bool)
    fits = {Boolean: isinstance(other, bool), Enumeration: isinstance(other, str)}
    if not fits.get(type(domain), number):
        msg = f"{shown(other)} cannot be compared with a value of {domain}"
        raise TypeError(msg)
    assert isinstance(other, (bool, int, str))
    return typed.Literal(other)


def as_number(other: object) -> typed.Expression:
    """Return a number, or refuse what is none."""
    if isinstance(other, Operand):
        if not is_number(other.domain):
            msg = f"{shown(other)} is not a number"
            raise TypeError(msg)
        return other.expression
    if not isinstance(other, int) or isinstance(other, bool):
        msg = f"{shown(other)} is not a whole number"
        raise TypeError(msg)
    return typed.Literal(other)


def as_condition(other: object) -> typed.Expression:
    """Return a condition, or refuse what is none."""
    if isinstance(other, Operand):
        if not isinstance(other.domain, Boolean):
            msg = f"{shown(other)} is not a condition"
            raise TypeError(msg)
        return other.expression
    if not isinstance(other, bool):
        msg = f"{shown(other)} is not a condition"
        raise TypeError(msg)
    return typed.Literal(other)
