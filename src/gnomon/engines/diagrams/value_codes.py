"""Values of variables as bits: where bits give a code, or a valid one."""

from collections.abc import Callable, Mapping

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.linear_constraints import Linear, LinearConstraints
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import Datum, number_of
from gnomon.model.system import System


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


class ValueCodes:
    """The values of the variables of one system, in bits."""

    def __init__(self, system: System, layout: BitLayout, diagrams: Diagrams) -> None:
        """Use the bits of this layout."""
        self.system = system
        self.layout = layout
        self.diagrams = diagrams
        self._linear = LinearConstraints(diagrams)
        self._codes: dict[tuple[tuple[int, ...], int], Diagram] = {}

    def variable(self, read: typed.Read) -> Variable:
        """Return the variable that is read."""
        return self.system.variables[self.system.position[read.agent, read.variable]]

    def code(self, variable: Variable, value: Datum) -> int:
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
        return self._linear.at_most(unsigned(levels), size - 1)

    def equal_bits(self, left: tuple[int, ...], right: tuple[int, ...]) -> Diagram:
        """Return where two lists of bits agree."""
        d = self.diagrams
        parts = [
            d.opposite(d.differ(d.variable(one), d.variable(two)))
            for one, two in zip(left, right, strict=True)
        ]
        return balanced(d.both, parts, d.true)

    def assignment(self, values: Mapping[typed.Read, Datum]) -> Diagram:
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


def unsigned(levels: tuple[int, ...], low: int = 0) -> Linear:
    """Return the number, from `low` on, that bits give, the highest first."""
    highest = len(levels) - 1
    return Linear({level: 1 << highest - place for place, level in enumerate(levels)}, low)
