"""Numbers over the variables of a system, and comparisons of them, to decision diagrams.

A number that is one of two is never written out by cases: where a comparison has it alone on one side, both
numbers are compared and the condition decides between the diagrams; elsewhere it decides bit by bit.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from math import lcm
from typing import Final, TypeAlias

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.circuits import BitVector as Number
from gnomon.engines.diagrams.circuits import Circuits
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.linear_constraints import Linear, total
from gnomon.engines.diagrams.quotients import Quotients
from gnomon.engines.diagrams.value_codes import ValueCodes, balanced, unsigned
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.budget import Unsuited
from gnomon.model.domain import Datum, IntegerRange, size_of, values_of
from gnomon.model.evaluation import value_by
from gnomon.model.expression import Sharing, shared, value_parts
from gnomon.model.system import System

#: Where an action is looked at: the diagram for "this agent does this action".
ActionDiagram: TypeAlias = Callable[[str, str], Diagram]

#: Quotients by what is not known beforehand are tried out value by value, up to so many cases.
_MOST_CASES: Final = 1 << 16
#: What is one of two numbers is compared by cases so many times, and from then on by its bits.
_MOST_COMPARED: Final = 32


class NumberEncoder(ValueCodes):
    """Encodes the numbers of one system; what conditions are, others say."""

    def __init__(self, system: System, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        super().__init__(system, layout, diagrams)
        self._circuits = Circuits(diagrams)
        self._quotients = Quotients()
        self._linears: dict[Sharing, Linear | None] = {}
        self._numbers: dict[Sharing, Number] = {}
        #: Comparisons of what is shared, by the operator and the other side.
        self._compared: dict[tuple[str, typed.Expression, bool], dict[Sharing, Diagram]] = {}
        #: How often each of two numbers was compared by cases.
        self._times: Counter[typed.Expression] = Counter()

    def _condition(self, expression: typed.Expression) -> Diagram:
        """Return where a condition holds."""
        raise NotImplementedError

    def _does(self, agent: str, action: str) -> Diagram:
        """Return where an agent does an action."""
        raise NotImplementedError

    def _compare_numbers(
        self, operator: str, left: typed.Expression, right: typed.Expression
    ) -> Diagram:
        left, right = typed.body_of(left), typed.body_of(right)
        one, two = self.linear(left), self.linear(right)
        if one is not None and two is not None:
            return self._linear.compare(operator, one, two)
        whole = not self._quotients.has_quotient(left) and not self._quotients.has_quotient(right)
        choices = [side for side in (left, right) if isinstance(side, typed.Conditional)]
        by_bits = whole and (len(choices) == 2 or any(map(self._often, choices)))
        if choices and not by_bits:
            return self._compare_choice(operator, left, right, flipped=left not in choices)
        for first, second, flipped in ((left, two, False), (right, one, True)):
            match first:
                case typed.Arithmetic("mod", body, typed.Literal(int(modulus))) if modulus > 0:
                    inner = self.linear(body)
                    if inner is not None and second is not None:
                        return self._compare_residue(
                            operator, inner, modulus, second, flipped=flipped
                        )
        if whole:
            return self._circuits.compare(operator, self._number(left), self._number(right))
        first_side, second_side = self._quotients.cleared(left), self._quotients.cleared(right)
        if first_side is not None and second_side is not None:
            common = lcm(first_side.divisor, second_side.divisor)
            sides = [each.times(common // each.divisor) for each in (first_side, second_side)]
            return self._compare_numbers(operator, *sides)
        return self._try_out(typed.Compare(operator, left, right))  # type: ignore[arg-type]

    def _compare_choice(
        self, operator: str, left: typed.Expression, right: typed.Expression, *, flipped: bool
    ) -> Diagram:
        """Compare one of two numbers: both are compared, and the condition decides."""
        chosen, other = (right, left) if flipped else (left, right)
        assert isinstance(chosen, typed.Conditional)
        whole = not self._quotients.has_quotient(chosen) and not self._quotients.has_quotient(other)

        def compare(part: typed.Expression) -> Diagram:
            if isinstance(part, (typed.Conditional, typed.Defined)) and part in known:
                return known[part]
            return self._compare_numbers(operator, *((other, part) if flipped else (part, other)))

        def decide(part: Sharing) -> Diagram:
            self._times[part] += 1
            return self._decided(part, compare)

        def below(part: Sharing) -> tuple[typed.Expression, ...]:
            return tuple(each for each in chosen_parts(part) if not whole or not self._often(each))

        known = self._compared.setdefault((operator, other, flipped), {})
        return shared(chosen, known, decide, below)

    def _often(self, number: typed.Expression) -> bool:
        """Return whether one of two numbers has been compared many times: its bits serve all comparisons."""
        return self._times[typed.body_of(number)] >= _MOST_COMPARED

    def _decided(self, expression: Sharing, work: Callable[[typed.Expression], Diagram]) -> Diagram:
        """Return what becomes of an expression, given what becomes of those it may be worth."""
        if isinstance(expression, typed.Defined):
            return work(expression.body)
        condition = self._condition(expression.condition)
        then, otherwise = work(expression.then), work(expression.otherwise)
        return self.diagrams.choose(condition, then, otherwise)

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
            case typed.Conditional() | typed.Defined():
                return shared(expression, self._linears, self._shared_linear, value_parts)
            case _:
                return None

    def _shared_linear(self, expression: Sharing) -> Linear | None:
        return self.linear(expression.body) if isinstance(expression, typed.Defined) else None

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
            case typed.Conditional() | typed.Defined():
                return shared(expression, self._numbers, self._shared_number, value_parts)
            case _:
                msg = f"not a number: {typed.show(expression)}"
                raise AssertionError(msg)

    def _shared_number(self, expression: Sharing) -> Number:
        if isinstance(expression, typed.Defined):
            return self._number(expression.body)
        condition = self._condition(expression.condition)
        then, otherwise = self._number(expression.then), self._number(expression.otherwise)
        return self._circuits.choose(condition, then, otherwise)

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

    def _try_out(self, condition: typed.Expression) -> Diagram:
        """Return where a condition with exact quotients holds, found case by case."""
        parts = [where for holds, where in self._cases(condition) if holds]
        return balanced(self.diagrams.either, parts, self.diagrams.false)

    def _cases(self, expression: typed.Expression) -> Iterable[tuple[object, Diagram]]:
        """Return every case of what an expression looks at: its result, and where it is that case."""
        d = self.diagrams
        read = sorted(typed.reads(expression), key=str)
        acts = sorted({p for p in typed.walk(expression) if isinstance(p, typed.Does)}, key=str)
        self._refuse_many([self.variable(item) for item in read], len(acts))
        for values in product(*(values_of(self.variable(item).domain) for item in read)):
            known: dict[typed.Read | typed.Does, Datum] = dict(zip(read, values, strict=True))
            here = self.assignment(dict(zip(read, values, strict=True)))
            for done in product((False, True), repeat=len(acts)):
                where = here
                for act, is_done in zip(acts, done, strict=True):
                    doing = self._does(act.agent, act.action)
                    where = d.both(where, doing) if is_done else d.minus(where, doing)
                    known[act] = is_done
                yield value_by(expression, known.__getitem__), where

    def _refuse_many(self, variables: list[Variable], actions: int) -> None:
        cases = 1 << actions
        for variable in variables:
            cases *= size_of(variable.domain) or 1
        if cases > _MOST_CASES:
            msg = (
                "a condition divides numbers of too many values: the symbolic engine cannot take it"
            )
            raise Unsuited(msg)


def chosen_parts(expression: Sharing) -> tuple[typed.Expression, ...]:
    """Return what an expression may be worth, as far as that is again shared."""
    return tuple(
        part
        for part in value_parts(expression)
        if isinstance(part, (typed.Conditional, typed.Defined))
    )
