"""Conditions on the variables of a system, to decision diagrams."""

from collections.abc import Callable, Iterable
from itertools import product
from math import lcm
from typing import Final, TypeAlias

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.circuits import BitVector as Number
from gnomon.engines.diagrams.circuits import Circuits
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.linear_constraints import Linear, total
from gnomon.engines.diagrams.quotients import cleared, has_quotient
from gnomon.engines.diagrams.value_codes import ValueCodes, balanced, unsigned
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.budget import Unsuited
from gnomon.model.domain import Boolean, Datum, IntegerRange, size_of, values_of
from gnomon.model.evaluation import evaluate
from gnomon.model.system import System

#: Where an action is looked at: the diagram for "this agent does this action".
ActionDiagram: TypeAlias = Callable[[str, str], Diagram]

#: Quotients by what is not known beforehand are tried out value by value, up to so many cases.
_MOST_CASES: Final = 1 << 16


class ConditionEncoder(ValueCodes):
    """Encodes the conditions of one system."""

    def __init__(self, system: System, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        super().__init__(system, layout, diagrams)
        self._circuits = Circuits(diagrams)
        self._conditions: dict[typed.Expression, Diagram] = {}
        self._doing: ActionDiagram | None = None

    def condition(
        self, expression: typed.Expression, doing: ActionDiagram | None = None
    ) -> Diagram:
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
                return unsigned(self.layout.variables[agent, name].now, domain.low)
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
        blank: list[Datum] = [False] * len(self.system.variables)
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
