"""Conditions on the variables of a system, to decision diagrams."""

from collections.abc import Mapping

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.number_encoder import ActionDiagram, NumberEncoder
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import Boolean, Datum, IntegerRange, values_of
from gnomon.model.expression import Sharing, nearest, shared, value_parts
from gnomon.model.system import System


class ConditionEncoder(NumberEncoder):
    """Encodes the conditions of one system."""

    def __init__(self, system: System, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        super().__init__(system, layout, diagrams)
        self._conditions: dict[typed.Expression, Diagram] = {}
        #: What is shared, where it is a condition; and by their values, where it is one of some names.
        self._shared: dict[Sharing, Diagram | None] = {}
        self._names: dict[Sharing, Mapping[Datum, Diagram]] = {}
        self._examples: dict[Sharing, typed.Expression] = {}
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

    def _does(self, agent: str, action: str) -> Diagram:
        assert self._doing is not None
        return self._doing(agent, action)

    def _encode(self, expression: typed.Expression) -> Diagram:
        d = self.diagrams
        match expression:
            case typed.Literal(value):
                return d.true if value else d.false
            case typed.Read(agent, name):
                [level] = self.layout.variables[agent, name].now
                return d.variable(level)
            case typed.Does(agent, action):
                return self._does(agent, action)
            case typed.Not(operand):
                return d.opposite(self._condition(operand))
            case typed.And(operands):
                return balanced(d.both, [self._condition(part) for part in operands], d.true)
            case typed.Or(operands):
                return balanced(d.either, [self._condition(part) for part in operands], d.false)
            case typed.Compare(operator, left, right):
                return self._compare(operator, left, right)
            case typed.Defined():
                return shared(expression, self._shared, self._shared_condition)
            case _:
                msg = f"not a condition: {typed.show(expression)}"
                raise AssertionError(msg)

    def _shared_condition(self, expression: Sharing) -> Diagram | None:
        """Return where a definition holds; what is no condition is looked at by those who compare it."""
        if isinstance(expression, typed.Conditional):
            self._condition(expression.condition)  # it is remembered, and needed
            return None
        if self._is_number(expression):
            return None
        return self._condition(expression.body) if self._is_boolean(expression) else None

    def _compare(self, operator: str, left: typed.Expression, right: typed.Expression) -> Diagram:
        d = self.diagrams
        # What decides between values is worked out first, inner ones before: a long chain takes no recursion.
        for part in nearest((left, right)):
            shared(part, self._shared, self._shared_condition)
        if self._is_number(left):
            return self._compare_numbers(operator, left, right)
        if self._is_boolean(left):
            differ = d.differ(self._condition(left), self._condition(right))
            return differ if operator == "<>" else d.opposite(differ)
        equal = self._same_name(left, right)
        return equal if operator == "=" else d.opposite(equal)

    def _is_number(self, expression: typed.Expression) -> bool:
        match typed.example_of(expression, self._examples):
            case typed.Literal(value):
                return isinstance(value, int) and not isinstance(value, bool)
            case typed.Read() as read:
                return isinstance(self.variable(read).domain, IntegerRange)
            case typed.Sum() | typed.Negative() | typed.Arithmetic() | typed.BitComplement():
                return True
            case _:
                return False

    def _is_boolean(self, expression: typed.Expression) -> bool:
        match typed.example_of(expression, self._examples):
            case typed.Literal(value):
                return isinstance(value, bool)
            case typed.Read() as read:
                return isinstance(self.variable(read).domain, Boolean)
            case _:
                return not self._is_number(expression)

    def _same_name(self, left: typed.Expression, right: typed.Expression) -> Diagram:
        """Return where two enumerated values are the same."""
        left, right = typed.body_of(left), typed.body_of(right)
        if isinstance(left, typed.Conditional) or isinstance(right, typed.Conditional):
            return self._same_among(self._name_sets(left), self._name_sets(right))
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

    def _same_among(self, one: Mapping[Datum, Diagram], two: Mapping[Datum, Diagram]) -> Diagram:
        d = self.diagrams
        parts = [d.both(where, two[value]) for value, where in one.items() if value in two]
        return balanced(d.either, parts, d.false)

    def _name_sets(self, expression: typed.Expression) -> Mapping[Datum, Diagram]:
        """Return the names that an expression may be, and where it is each."""
        match expression:
            case typed.Literal(value):
                return {value: self.diagrams.true}
            case typed.Conditional() | typed.Defined():
                return shared(expression, self._names, self._shared_names, value_parts)
            case typed.Read(agent, name):
                variable = self.variable(expression)
                return self._names_at(variable, self.layout.variables[agent, name].now)
            case _:
                msg = f"not a name: {typed.show(expression)}"
                raise AssertionError(msg)

    def _names_at(self, variable: Variable, bits: tuple[int, ...]) -> Mapping[Datum, Diagram]:
        values = values_of(variable.domain)
        return {value: self.is_code(bits, self.code(variable, value)) for value in values}

    def _shared_names(self, expression: Sharing) -> Mapping[Datum, Diagram]:
        if isinstance(expression, typed.Defined):
            return self._name_sets(expression.body)
        d, condition = self.diagrams, self._condition(expression.condition)
        one, two = self._name_sets(expression.then), self._name_sets(expression.otherwise)
        return {
            value: d.choose(condition, one.get(value, d.false), two.get(value, d.false))
            for value in dict.fromkeys((*one, *two))
        }

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
