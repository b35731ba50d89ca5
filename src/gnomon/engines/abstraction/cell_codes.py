"""Cells of states as codes: the bits of quantities, actions, and what is hidden.

A variable that is kept exactly has the codes of its values; any other quantity has the number of the
piece it is in.
"""

from collections.abc import Iterable
from functools import cached_property

from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import Partition, Quantity
from gnomon.engines.diagrams.bit_layout import BitLayout, VariableBits
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.interface import Diagram, Diagrams, QuantifiedSet
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model.domain import size_of

#: The name under which a layout keeps what is not just a variable.
RELATION = ""


def key_of(quantity: Quantity) -> tuple[str, str]:
    """Return the name of a quantity in a layout."""
    if isinstance(quantity, Form) and quantity.single is not None:
        return quantity.single.agent, quantity.single.variable
    return RELATION, str(quantity)


class CellCodes:
    """The codes of one partition."""

    def __init__(self, partition: Partition, layout: BitLayout, diagrams: Diagrams) -> None:
        """Encode over this layout."""
        self.partition = partition
        self.system = partition.system
        self.layout = layout
        self.diagrams = diagrams
        self.encoder = Encoder(self.system, layout, diagrams)

    def bits(self, quantity: Quantity) -> VariableBits:
        """Return the levels of a quantity."""
        return self.layout.variables[key_of(quantity)]

    def is_piece(self, quantity: Quantity, number: int, *, after: bool = False) -> Diagram:
        """Return where a quantity has its number-th piece (in the next cell, with `after`)."""
        bits = self.bits(quantity)
        return self.encoder.is_code(bits.next if after else bits.now, number)

    def disjunction(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the disjunction."""
        return balanced(self.diagrams.either, list(parts), self.diagrams.false)

    def conjunction(self, parts: Iterable[Diagram]) -> Diagram:
        """Return the conjunction."""
        return balanced(self.diagrams.both, list(parts), self.diagrams.true)

    def does(self, agent: str, action: str) -> Diagram:
        """Return where the agent does the action."""
        number = self.system.agent(agent).actions.index(action)
        return self.encoder.is_code(self.layout.actions.get(agent, ()), number)

    # What is hidden

    def for_some_hidden(self, cells: Diagram) -> Diagram:
        """Return where something is so for some values of what is hidden."""
        if not self.partition.hidden:
            return cells
        return self.diagrams.both_exists(cells, self._hidden_values, self._hidden)

    def for_all_hidden(self, cells: Diagram) -> Diagram:
        """Return where something is so for all values of what is hidden."""
        if not self.partition.hidden:
            return cells
        return self.diagrams.opposite(self.for_some_hidden(self.diagrams.opposite(cells)))

    @cached_property
    def _hidden(self) -> QuantifiedSet:
        reads = self.partition.hidden
        levels = [self.layout.variables[read.agent, read.variable].now for read in reads]
        return self.diagrams.cube(level for several in levels for level in several)

    @cached_property
    def _hidden_values(self) -> Diagram:
        return self.conjunction(
            self.encoder.valid(
                self.layout.variables[read.agent, read.variable].now,
                size_of(self.encoder.variable(read).domain) or 1,
            )
            for read in self.partition.hidden
        )
