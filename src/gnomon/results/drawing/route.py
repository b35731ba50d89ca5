"""Lines of a picture, as points."""

from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """A line: where it starts, pieces of one point (straight) or three (curved), and its head."""

    start: Point
    pieces: tuple[tuple[Point, ...], ...]
    head: bool

    @property
    def ends(self) -> list[Point]:
        """Return where it starts, and where each of its pieces ends."""
        return [self.start, *(piece[-1] for piece in self.pieces)]
