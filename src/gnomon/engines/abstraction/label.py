"""What is said of a formula over cells, as data."""

from typing import NamedTuple, TypeAlias

from gnomon.engines.abstraction.space import Mode
from gnomon.engines.diagrams.interface import Diagram


class Label(NamedTuple):
    """Where a formula surely holds and where it surely fails."""

    true: Diagram
    false: Diagram


class Layer(NamedTuple):
    """Cells, and the moves that lead on from there: over cells, actions, choices and next cells."""

    cells: Diagram
    moves: Diagram


#: A step back: from the next cells that are wanted (over the bits of now) to the cells that lead there.
Step: TypeAlias = tuple[Mode, tuple[str, ...]]
