"""What agents see of a cell, alone and together."""

from collections.abc import Collection

from gnomon.engines.abstraction.cell_conditions import CellConditions
from gnomon.engines.abstraction.partition import Partition, reads_of
from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.model.expression import Read
from gnomon.model.system import System


class CellViews:
    """What of a space of cells matters to those who look at them."""

    system: System
    partition: Partition
    layout: BitLayout
    diagrams: Diagrams
    cells: CellConditions

    def shown_to(self, agents: Collection[str]) -> frozenset[Read]:
        """Return the variables that some agents together see."""
        shown: set[Read] = set()
        for name in agents:
            agent = self.system.agent(name)
            shown.update(Read(name, variable.name) for variable in agent.variables)
            shown.update(Read(self.system.environment.name, seen) for seen in agent.sees)
        return frozenset(shown)

    def local_levels(self, agents: Collection[str]) -> frozenset[int]:
        """Return the bits that all of the agents together can tell."""
        shown = self.shown_to(agents)
        levels: set[int] = set()
        for read in shown:
            levels.update(self.layout.variables[read.agent, read.variable].now)
        for quantity in self.partition.relations:
            if shown.issuperset(reads_of(quantity)):
                levels.update(self.cells.bits(quantity).now)
        return frozenset(levels)

    def alike(self, agents: Collection[str], cells: Diagram) -> Diagram:
        """Return what agrees with one of the cells on all that the agents together can tell."""
        seen = self.local_levels(agents)
        hidden = [level for level in self.layout.now if level not in seen]
        return self.diagrams.exists(cells, self.diagrams.cube(hidden))
