"""Where a change has just one next value, as far as cells tell."""

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.diagrams.image import RelationPart
from gnomon.engines.diagrams.interface import Diagram


def certain(space: CellSpace, part: RelationPart) -> Diagram:
    """Return where a change has just one next value, and this value."""
    d = space.diagrams
    # All next bits, also those that the diagram does not look at: they may be anything.
    names = [(variable.agent, variable.name) for variable in part.assigned]
    levels = [level for name in names for level in space.layout.variables[name].next]
    doubtful = d.false
    # Two values differ in some bit: where both values of a bit are possible, it is not certain.
    for level in levels:
        others = d.cube(other for other in levels if other != level)
        seen = d.exists(part.diagram, others)
        bit = d.variable(level)
        cube = d.cube([level])
        both = d.both(d.exists(d.both(seen, bit), cube), d.exists(d.minus(seen, bit), cube))
        doubtful = d.either(doubtful, both)
    return d.minus(part.diagram, doubtful)
