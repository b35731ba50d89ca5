"""How large things are on the page, before anything is drawn: letters, boxes and labels.

All letters are as wide as those of the widest fixed-width font that a reader is likely to have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gnomon.results.drawing.diagram import WIDE, DiagramEdge, DiagramNode, Look
from gnomon.results.styled import visible, width_of

#: The size of letters and rows, of small ones, and the room around what is in a box.
LETTER: Final = 6.7
SMALL: Final = 6.1
ROW: Final = 15.0
SMALL_ROW: Final = 12.0
PAD: Final = 8.0
#: The room around the name of a class, and between two of them.
CHIP_PAD: Final = 4.0
CHIP_GAP: Final = 5.0
#: How far a loop reaches to the right of its box.
LOOP: Final = 26.0


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A place on the page."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return its right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Return its lower side."""
        return self.top + self.height

    def meets(self, other: "Rectangle") -> bool:
        """Return whether both cover some place."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def text_width(text: str, letter: float = LETTER) -> float:
    """Return the width of a line, as it is printed: hidden signs become visible, and wider."""
    return width_of(visible(text, "")) * letter


def box_size(lines: Sequence[str]) -> tuple[float, float]:
    """Return the width and the height of a box with these lines."""
    widest = max((text_width(line) for line in lines), default=0.0)
    return widest + 2 * PAD, len(lines) * ROW + 2 * PAD - 4


def chip_width(look: Look) -> float:
    """Return the width of the name of a class."""
    return text_width(str(look), SMALL) + 2 * CHIP_PAD


def chip_rows(looks: Sequence[Look]) -> list[list[Look]]:
    """Return the classes of a box, as many in a row as there is room for."""
    rows: list[list[Look]] = []
    used = 0.0
    for look in looks:
        if not rows or used + chip_width(look) > WIDE * LETTER:
            rows.append([])
            used = 0.0
        rows[-1].append(look)
        used += chip_width(look) + CHIP_GAP
    return rows


def node_size(node: DiagramNode) -> tuple[float, float]:
    """Return the width and the height of the box of a node."""
    width, height = box_size([node.title, *node.lines])
    rows = chip_rows(node.looks)
    chips = (sum(chip_width(look) + CHIP_GAP for look in row) - CHIP_GAP for row in rows)
    return max([width, *(wide + 2 * PAD for wide in chips)]), height + ROW * len(rows)


def label_size(edge: DiagramEdge) -> tuple[float, float]:
    """Return the width and the height of the words beside an arrow."""
    widest = max((text_width(line.text, SMALL) for line in edge.label), default=0.0)
    return widest, len(edge.label) * SMALL_ROW


def loop_room(edge: DiagramEdge) -> float:
    """Return what a loop and its label need at the right of the box."""
    return LOOP + label_size(edge)[0] + 6
