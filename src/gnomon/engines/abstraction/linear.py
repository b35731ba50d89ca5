"""Linear terms over the variables of a system, and the form that all multiples of one have in common."""

from collections.abc import Iterable, Mapping
from math import gcd
from typing import NamedTuple

from gnomon.engines.abstraction.intervals import Interval, point
from gnomon.model import expression as typed
from gnomon.model.expression import Expression, Read, Sharing, shared, value_parts
from gnomon.text.record import Record


class Affine(NamedTuple):
    """`constant` plus the multiples of variables."""

    terms: Mapping[Read, int]
    constant: int = 0

    def plus(self, other: "Affine", factor: int = 1) -> "Affine":
        """Return the sum with a multiple of another."""
        terms = dict(self.terms)
        for read, weight in other.terms.items():
            terms[read] = terms.get(read, 0) + factor * weight
        left = {read: weight for read, weight in terms.items() if weight}
        return Affine(left, self.constant + factor * other.constant)

    def times(self, factor: int) -> "Affine":
        """Return a multiple."""
        return Affine({}).plus(self, factor)


class Form(Record):
    """A sum of multiples of variables without a common divisor, the first of them positive."""

    terms: tuple[tuple[Read, int], ...]

    def __str__(self) -> str:
        """Show it as an expression."""
        return typed.show(self.expression)

    @property
    def expression(self) -> Expression:
        """The form as an expression."""
        parts = [_multiple(read, weight) for read, weight in self.terms]
        return parts[0] if len(parts) == 1 else typed.Sum(tuple(parts))

    @property
    def reads(self) -> tuple[Read, ...]:
        """The variables in it."""
        return tuple(read for read, _ in self.terms)

    @property
    def single(self) -> Read | None:
        """The variable, where it is nothing but one."""
        return self.terms[0][0] if len(self.terms) == 1 else None


class Scaled(NamedTuple):
    """A multiple of a form: what is left of a term when its constant is taken away."""

    form: Form
    factor: int


def form_of(read: Read) -> Form:
    """Return the form that is just a variable."""
    return Form(((read, 1),))


def scaled(terms: Mapping[Read, int]) -> Scaled | None:
    """Return some multiples of variables as a multiple of a form; None where there are none."""
    if not terms:
        return None
    ordered = sorted(terms.items(), key=lambda term: (term[0].agent, term[0].variable))
    factor = gcd(*terms.values()) * (1 if ordered[0][1] > 0 else -1)
    return Scaled(Form(tuple((read, weight // factor) for read, weight in ordered)), factor)


def affine(expression: Expression) -> Affine | None:
    """Return a number as a linear term, where it is one."""
    return _affine(expression, {})


def _affine(expression: Expression, known: dict[Sharing, Affine | None]) -> Affine | None:
    match expression:
        case typed.Literal(value) if not isinstance(value, str):
            return Affine({}, int(value))
        case Read():
            return Affine({expression: 1})
        case typed.Sum(terms):
            return _total(terms, known)
        case typed.Negative(operand):
            inner = _affine(operand, known)
            return None if inner is None else inner.times(-1)
        case typed.Arithmetic("*", left, right):
            return _product(_affine(left, known), _affine(right, known))
        case typed.Defined():
            return shared(expression, known, lambda part: _shared_affine(part, known), value_parts)
        case _:
            return None


class Quotient(NamedTuple):
    """`(factor * t + constant) div divisor` for a variable t, which is no larger a part of it than all."""

    factor: int
    constant: int
    divisor: int

    def growth(self, number: int) -> int:
        """Return by how much a number grows that becomes this of itself; a larger one never grows by more."""
        return (self.factor * number + self.constant) // self.divisor - number


def part_of_itself(form: Form, value: Expression) -> Quotient | None:
    """Return how a variable is divided, where a value is a part of what it was.

    What is no integer is no value; so with `/` a variable gets the same as with `div`, or nothing.
    """
    match typed.body_of(value):
        case typed.Arithmetic("div" | "/", body, typed.Literal(int(divisor))) if divisor > 0:
            term, read = affine(body), form.single
            factor = 0 if term is None or read is None else term.terms.get(read, 0)
            if term is None or len(term.terms) != 1 or not 0 < factor <= divisor:
                return None
            return Quotient(factor, term.constant, divisor)
        case _:
            return None


def _shared_affine(expression: Sharing, known: dict[Sharing, Affine | None]) -> Affine | None:
    return _affine(expression.body, known) if isinstance(expression, typed.Defined) else None


def _total(terms: Iterable[Expression], known: dict[Sharing, Affine | None]) -> Affine | None:
    result = Affine({})
    for term in terms:
        part = _affine(term, known)
        if part is None:
            return None
        result = result.plus(part)
    return result


def _product(one: Affine | None, two: Affine | None) -> Affine | None:
    if one is None or two is None:
        return None
    if not one.terms:
        return two.times(one.constant)
    return None if two.terms else one.times(two.constant)


def _multiple(read: Read, weight: int) -> Expression:
    if weight == 1:
        return read
    if weight == -1:
        return typed.Negative(read)
    return typed.Arithmetic("*", typed.Literal(weight), read)


class SolutionRange(NamedTuple):
    """What a comparison with zero leaves of a form: the numbers of an interval, or all others."""

    interval: Interval
    outside: bool = False

    def possible(self, values: Interval) -> bool:
        """Return whether some of the values are in it."""
        return not values.inside(self.interval) if self.outside else values.meets(self.interval)

    def certain(self, values: Interval) -> bool:
        """Return whether all of the values are in it."""
        return not SolutionRange(self.interval, not self.outside).possible(values)

    @property
    def cuts(self) -> tuple[int, ...]:
        """Where values on one side are in it, and on the other are not."""
        if self.interval.empty:
            return ()
        below = () if self.interval.low is None else (self.interval.low - 1,)
        above = () if self.interval.high is None else (self.interval.high,)
        return (*below, *above)


def solve(operator: str, factor: int, constant: int) -> SolutionRange:
    """Return for which t it holds that `factor * t + constant operator 0`."""
    match operator:
        case "=" | "<>":
            wanted = point(-constant).times(1 if factor > 0 else -1).divided(abs(factor))
            return SolutionRange(wanted, outside=operator == "<>")
        case "<=":
            signed = Interval(None, -constant).divided(abs(factor))
            return SolutionRange(signed if factor > 0 else signed.times(-1))
        case "<":
            return solve("<=", factor, constant + 1)
        case ">":
            return solve("<=", -factor, 1 - constant)
        case ">=":
            return solve("<=", -factor, -constant)
        case _:
            raise AssertionError(operator)


def image(factor: int, values: Interval, constant: int, target: Interval) -> bool:
    """Return whether `factor * t + constant` is in the target for some t among the values."""
    shifted = target.plus(point(-constant))
    sources = (shifted if factor > 0 else shifted.times(-1)).divided(abs(factor))
    return not sources.empty and values.meets(sources)
