"""Assignments to the variables of a system, to decision diagrams."""

from functools import partial

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.condition_encoder import ConditionEncoder
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.linear_constraints import Linear
from gnomon.engines.diagrams.number_encoder import ActionDiagram, chosen_parts
from gnomon.engines.diagrams.quotients import Cleared
from gnomon.engines.diagrams.value_codes import balanced, unsigned
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import Boolean, Enumeration, IntegerRange, contains, size_of, values_of
from gnomon.model.expression import Sharing, shared
from gnomon.model.system import System


class Encoder(ConditionEncoder):
    """Encodes the conditions and the assignments of one system."""

    def __init__(self, system: System, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        super().__init__(system, layout, diagrams)
        self._next: dict[tuple[str, str, typed.Expression], Diagram] = {}
        self._chosen: dict[tuple[str, str], dict[Sharing, Diagram]] = {}

    def becomes(
        self, variable: Variable, value: typed.Expression, doing: ActionDiagram | None = None
    ) -> Diagram:
        """Return which next values the assignment allows: none where the value is out of range.

        `doing` tells what the actions are, where the value depends on them.
        """
        self._doing = doing
        return self._becoming(variable, value)

    def _becoming(self, variable: Variable, value: typed.Expression) -> Diagram:
        key = (variable.agent, variable.name, value)
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = self._becomes(variable, value)
        return found

    def _becomes(self, variable: Variable, value: typed.Expression) -> Diagram:
        d = self.diagrams
        if isinstance(value, (typed.Conditional, typed.Defined)):
            known = self._chosen.setdefault((variable.agent, variable.name), {})
            work = partial(self._becoming, variable)
            return shared(value, known, lambda part: self._decided(part, work), chosen_parts)
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
        known = self._quotients.cleared(value)
        if known is None:
            equal = self._becomes_tried_out(variable, bits, value)
        else:
            equal = self._becomes_whole(unsigned(bits, low), bits, known)
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
