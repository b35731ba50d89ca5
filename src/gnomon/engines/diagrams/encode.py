"""Typed expressions to decision diagrams."""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from math import lcm
from typing import TypeAlias

from gnomon.engines.diagrams.circuits import Bits as Number
from gnomon.engines.diagrams.circuits import Circuits
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.layout import Layout
from gnomon.engines.diagrams.linear import Linear, LinearConstraints, total
from gnomon.engines.diagrams.quotients import Cleared, cleared, has_quotient
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.budget import Unsuited
from gnomon.model.domain import (
    Boolean,
    Enumeration,
    IntegerRange,
    Value,
    contains,
    number_of,
    size_of,
    values_of,
)
from gnomon.model.evaluation import evaluate
from gnomon.model.system import System

#: Where an action is looked at: the diagram for "this agent does this action".
Doing: TypeAlias = Callable[[str, str], Diagram]

#: Quotients by what is not known beforehand are tried out value by value, up to so many cases.
_MOST_CASES = 1 << 16


def balanced(
    join: Callable[[Diagram, Diagram], Diagram], parts: list[Diagram], empty: Diagram
) -> Diagram:
    """Join many diagrams in pairs, so that small ones meet small ones."""
    if not parts:
        return empty
    while len(parts) > 1:
        paired = [join(one, two) for one, two in zip(parts[::2], parts[1::2], strict=False)]
        parts = paired + parts[len(parts) & ~1 :]
    return parts[0]


class Encoder:
    """Encodes the expressions of one system."""

    def __init__(self, system: System, layout: Layout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        self.system = system
        self.layout = layout
        self.diagrams = diagrams
        self._linear = LinearConstraints(diagrams)
        self._circuits = Circuits(diagrams)
        self._conditions: dict[typed.Expression, Diagram] = {}
        self._codes: dict[tuple[tuple[int, ...], int], Diagram] = {}
        self._next: dict[tuple[str, str, typed.Expression], Diagram] = {}
        self._doing: Doing | None = None

    # Values

    def variable(self, read: typed.Read) -> Variable:
        """Return the variable that is read."""
        return self.system.variables[self.system.position[read.agent, read.variable]]

    def code(self, variable: Variable, value: Value) -> int:
        """Return the number that stands for a value."""
        return number_of(variable.domain, value)

    def is_code(self, levels: tuple[int, ...], code: int) -> Diagram:
        """Return where the bits at these levels, highest first, give a code."""
        key = (levels, code)
        found = self._codes.get(key)
        if found is None:
            found = self._codes[key] = self._is_code(levels, code)
        return found

    def _is_code(self, levels: tuple[int, ...], code: int) -> Diagram:
        d = self.diagrams
        result = d.true
        for place, level in enumerate(reversed(levels)):
            bit = d.variable(level)
            result = d.both(result, bit) if code >> place & 1 else d.minus(result, bit)
        return result

    def valid(self, levels: tuple[int, ...], size: int) -> Diagram:
        """Return where the bits give one of the first `size` codes."""
        if size == 1 << len(levels):
            return self.diagrams.true
        return self._linear.at_most(_unsigned(levels), size - 1)

    def equal_bits(self, left: tuple[int, ...], right: tuple[int, ...]) -> Diagram:
        """Return where two lists of bits agree."""
        d = self.diagrams
        parts = [
            d.opposite(d.differ(d.variable(one), d.variable(two)))
            for one, two in zip(left, right, strict=True)
        ]
        return balanced(d.both, parts, d.true)

    # Conditions

    def condition(self, expression: typed.Expression, doing: Doing | None = None) -> Diagram:
        """Return where a condition holds; `doing` tells what the actions are, for guards."""
        self._doing = doing
        return self._condition(expression)

    def _condition(self, expression: typed.Expression) -> Diagram:
        found = self._conditions.get(expression)
        if found is None:
            found = self._conditions[expression] = self._encode(expression)
        return found

    def _encode(self, expression: typed.Expression) -> Diagram:
        d = self.diagrams
        match expression:
            case typed.Literal(value):
                return d.true if value else d.false
            case typed.Read(agent, name):
                [level] = self.layout.variables[agent, name].now
                return d.variable(level)
            case typed.Does(agent, action):
                assert self._doing is not None
                return self._doing(agent, action)
            case typed.Not(operand):
                return d.opposite(self._condition(operand))
            case typed.And(operands):
                return balanced(d.both, [self._condition(part) for part in operands], d.true)
            case typed.Or(operands):
                return balanced(d.either, [self._condition(part) for part in operands], d.false)
            case typed.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case _:
                msg = f"not a condition: {typed.show(expression)}"
                raise AssertionError(msg)

    def _compare(self, operator: str, left: typed.Expression, right: typed.Expression) -> Diagram:
        d = self.diagrams
        if self._is_number(left):
            return self._compare_numbers(operator, left, right)
        if self._is_boolean(left):
            differ = d.differ(self._condition(left), self._condition(right))
            return differ if operator == "<>" else d.opposite(differ)
        equal = self._same_name(left, right)
        return equal if operator == "=" else d.opposite(equal)

    def _is_number(self, expression: typed.Expression) -> bool:
        match expression:
            case typed.Literal(value):
                return isinstance(value, int) and not isinstance(value, bool)
            case typed.Read():
                return isinstance(self.variable(expression).domain, IntegerRange)
            case typed.Sum() | typed.Negative() | typed.Arithmetic() | typed.BitComplement():
                return True
            case _:
                return False

    def _is_boolean(self, expression: typed.Expression) -> bool:
        match expression:
            case typed.Literal(value):
                return isinstance(value, bool)
            case typed.Read():
                return isinstance(self.variable(expression).domain, Boolean)
            case _:
                return True

    def _same_name(self, left: typed.Expression, right: typed.Expression) -> Diagram:
        """Return where two enumerated values are the same."""
        if isinstance(left, typed.Literal):
            left, right = right, left
        if isinstance(left, typed.Literal) and isinstance(right, typed.Literal):
            return self.diagrams.true if left.value == right.value else self.diagrams.false
        assert isinstance(left, typed.Read)
        variable = self.variable(left)
        bits = self.layout.variables[left.agent, left.variable].now
        if isinstance(right, typed.Literal):
            if right.value not in values_of(variable.domain):
                return self.diagrams.false
            return self.is_code(bits, self.code(variable, right.value))
        assert isinstance(right, typed.Read)
        return self._same_variable_value(variable, bits, right)

    def _same_variable_value(
        self, variable: Variable, bits: tuple[int, ...], right: typed.Read
    ) -> Diagram:
        d = self.diagrams
        other = self.variable(right)
        other_bits = self.layout.variables[right.agent, right.variable].now
        if variable.domain == other.domain:
            return self.equal_bits(bits, other_bits)
        shared = [value for value in values_of(variable.domain) if value in values_of(other.domain)]
        parts = [
            d.both(
                self.is_code(bits, self.code(variable, value)),
                self.is_code(other_bits, self.code(other, value)),
            )
            for value in shared
        ]
        return balanced(d.either, parts, d.false)

    # Numbers

    def _compare_numbers(
        self, operator: str, left: typed.Expression, right: typed.Expression
    ) -> Diagram:
        d = self.diagrams
        one, two = self.linear(left), self.linear(right)
        if one is not None and two is not None:
            return self._linear.compare(operator, one, two)
        for first, second, flipped in ((left, two, False), (right, one, True)):
            match first:
                case typed.Arithmetic("mod", body, typed.Literal(int(modulus))) if modulus > 0:
                    inner = self.linear(body)
                    if inner is not None and second is not None:
                        return self._compare_residue(
                            operator, inner, modulus, second, flipped=flipped
                        )
        if not has_quotient(left) and not has_quotient(right):
            return self._circuits.compare(operator, self._number(left), self._number(right))
        first_side, second_side = cleared(left), cleared(right)
        if first_side is not None and second_side is not None:
            common = lcm(first_side.divisor, second_side.divisor)
            sides = [each.times(common // each.divisor) for each in (first_side, second_side)]
            return self._compare_numbers(operator, *sides)
        return self._try_out(typed.Compare(operator, left, right), d)  # type: ignore[arg-type]

    def _compare_residue(
        self, operator: str, inner: Linear, modulus: int, other: Linear, *, flipped: bool
    ) -> Diagram:
        """Compare a remainder: one constraint for each value that it may have."""
        d = self.diagrams
        parts: list[Diagram] = []
        for residue in self._residues(operator, inner, modulus, other):
            here = self._linear.congruent(inner, residue, modulus)
            value = Linear({}, residue)
            sides = (other, value) if flipped else (value, other)
            parts.append(d.both(here, self._linear.compare(operator, *sides)))
        return balanced(d.either, parts, d.false)

    @staticmethod
    def _residues(operator: str, inner: Linear, modulus: int, other: Linear) -> Iterable[int]:
        """Return the remainders that may occur and can matter."""
        low, high = inner.range()
        if operator == "=" and not other.weights:
            return [other.constant] if 0 <= other.constant < modulus else []
        if high - low + 1 < modulus:
            return {value % modulus for value in range(low, high + 1)}
        return range(modulus)

    def linear(self, expression: typed.Expression) -> Linear | None:
        """Return a number as a sum of weighted bits, where it is one."""
        match expression:
            case typed.Literal(value):
                return Linear({}, int(value))
            case typed.Read(agent, name):
                domain = self.variable(expression).domain
                assert isinstance(domain, IntegerRange)
                return _unsigned(self.layout.variables[agent, name].now, domain.low)
            case typed.Sum(terms):
                parts = [self.linear(term) for term in terms]
                known = [part for part in parts if part is not None]
                return total(known) if len(known) == len(parts) else None
            case typed.Negative(operand):
                inner = self.linear(operand)
                return None if inner is None else inner.times(-1)
            case typed.Arithmetic("*", left, right):
                return self._linear_product(left, right)
            case _:
                return None

    def _linear_product(self, left: typed.Expression, right: typed.Expression) -> Linear | None:
        one, two = self.linear(left), self.linear(right)
        if one is None or two is None:
            return None
        if not one.weights:
            return two.times(one.constant)
        return one.times(two.constant) if not two.weights else None

    def _number(self, expression: typed.Expression) -> Number:
        """Return a number as the bits of a circuit."""
        c = self._circuits
        match expression:
            case typed.Literal(value):
                return c.constant(int(value))
            case typed.Read(agent, name):
                domain = self.variable(expression).domain
                assert isinstance(domain, IntegerRange)
                levels = reversed(self.layout.variables[agent, name].now)
                bits = c.unsigned([self.diagrams.variable(level) for level in levels])
                return c.add(bits, c.constant(domain.low)) if domain.low else bits
            case typed.Sum(terms):
                result = c.constant(0)
                for term in terms:
                    result = c.add(result, self._number(term))
                return result
            case typed.Negative(operand):
                return c.negate(self._number(operand))
            case typed.BitComplement(operand):
                return c.complement(self._number(operand))
            case typed.Arithmetic(operator, left, right):
                return self._operation(operator, self._number(left), self._number(right))
            case _:
                msg = f"not a number: {typed.show(expression)}"
                raise AssertionError(msg)

    def _operation(self, operator: str, left: Number, right: Number) -> Number:
        match operator:
            case "*":
                return self._circuits.multiply(left, right)
            case "div":
                return self._circuits.euclidean(left, right)[0]
            case "mod":
                return self._circuits.euclidean(left, right)[1]
            case _:
                return self._circuits.bitwise(operator, left, right)

    def _try_out(self, condition: typed.Expression, d: Diagrams) -> Diagram:
        """Return where a condition with exact quotients holds, found case by case."""
        parts = [where for holds, where in self._cases(condition) if holds]
        return balanced(d.either, parts, d.false)

    def _cases(self, expression: typed.Expression) -> Iterable[tuple[object, Diagram]]:
        """Return every case of what an expression looks at: its result, and where it is that case."""
        read = sorted(typed.reads(expression), key=str)
        self._refuse_many([self.variable(item) for item in read])
        blank: list[Value] = [False] * len(self.system.variables)
        for values in product(*(values_of(self.variable(item).domain) for item in read)):
            for item, value in zip(read, values, strict=True):
                blank[self.system.position[item.agent, item.variable]] = value
            result = evaluate(expression, self.system, tuple(blank))
            yield result, self.assignment(dict(zip(read, values, strict=True)))

    def _refuse_many(self, variables: list[Variable]) -> None:
        cases = 1
        for variable in variables:
            cases *= size_of(variable.domain) or 1
        if cases > _MOST_CASES:
            msg = (
                "a condition divides numbers of too many values: the symbolic engine cannot take it"
            )
            raise Unsuited(msg)

    def assignment(self, values: Mapping[typed.Read, Value]) -> Diagram:
        """Return where variables have these values."""
        d = self.diagrams
        parts = [
            self.is_code(
                self.layout.variables[read.agent, read.variable].now,
                self.code(self.variable(read), value),
            )
            for read, value in values.items()
        ]
        return balanced(d.both, parts, d.true)

    # Assignments

    def becomes(self, variable: Variable, value: typed.Expression) -> Diagram:
        """Return which next values the assignment allows: none where the value is out of range."""
        key = (variable.agent, variable.name, value)
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = self._becomes(variable, value)
        return found

    def _becomes(self, variable: Variable, value: typed.Expression) -> Diagram:
        d = self.diagrams
        bits = self.layout.variables[variable.agent, variable.name].next
        match variable.domain:
            case Boolean():
                differ = d.differ(d.variable(bits[0]), self._condition(value))
                return d.opposite(differ)
            case Enumeration():
                return self._becomes_name(variable, bits, value)
            case IntegerRange():
                return self._becomes_number(variable, bits, value)
            case _:
                msg = "an unbounded integer has no bits"
                raise AssertionError(msg)

    def _becomes_name(
        self, variable: Variable, bits: tuple[int, ...], value: typed.Expression
    ) -> Diagram:
        if isinstance(value, typed.Literal):
            if value.value not in values_of(variable.domain):
                return self.diagrams.false
            return self.is_code(bits, self.code(variable, value.value))
        assert isinstance(value, typed.Read)
        return self._same_variable_value(variable, bits, value)

    def _becomes_number(
        self, variable: Variable, bits: tuple[int, ...], value: typed.Expression
    ) -> Diagram:
        d = self.diagrams
        assert isinstance(variable.domain, IntegerRange)
        low, size = variable.domain.low, size_of(variable.domain) or 0
        if isinstance(value, typed.Literal):
            code = int(value.value) - low
            return self.is_code(bits, code) if 0 <= code < size else d.false
        known = cleared(value)
        if known is None:
            equal = self._becomes_tried_out(variable, bits, value)
        else:
            equal = self._becomes_whole(_unsigned(bits, low), bits, known)
        return d.both(equal, self.valid(bits, size))

    def _becomes_whole(self, target: Linear, bits: tuple[int, ...], value: Cleared) -> Diagram:
        """Return where the next value, times the divisor, is the number: nowhere for a fraction."""
        d, c = self.diagrams, self._circuits
        linear = self.linear(value.number)
        if linear is not None:
            return self._linear.compare("=", target.times(value.divisor), linear)
        levels = [d.variable(level) for level in reversed(bits)]
        wanted = c.add(c.unsigned(levels), c.constant(target.constant))
        if value.divisor > 1:
            wanted = c.multiply(wanted, c.constant(value.divisor))
        return c.compare("=", wanted, self._number(value.number))

    def _becomes_tried_out(
        self, variable: Variable, bits: tuple[int, ...], value: typed.Expression
    ) -> Diagram:
        """Return the next values of an exact quotient, found case by case; a fraction is none."""
        d = self.diagrams
        parts = [
            d.both(where, self.is_code(bits, self.code(variable, result)))
            for result, where in self._cases(value)
            if isinstance(result, int) and contains(variable.domain, result)
        ]
        return balanced(d.either, parts, d.false)


def _unsigned(levels: tuple[int, ...], low: int = 0) -> Linear:
    highest = len(levels) - 1
    return Linear({level: 1 << highest - place for place, level in enumerate(levels)}, low)
