"""A diagram: boxes with lines of text, arrows with labels, and notes, as data.

What is drawn (reachable states, outcomes of a strategy, answers to it) becomes a diagram once; every format
draws diagrams, and knows nothing of what they show.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

#: What a box stands for, beyond a state: where a goal is reached, lost, or no step leads on.
BoxKind: TypeAlias = Literal["plain", "goal", "lost", "stuck"]

#: How wide the words in a box and beside an arrow may get before they go on below, or are cut.
WIDE: Final = 34
LABEL_WIDE: Final = 30
_LONGEST: Final = 48


@dataclass(frozen=True, slots=True)
class Look:
    """A class of boxes that look the same to an agent: those with the same number."""

    agent: str
    number: int

    def __str__(self) -> str:
        """Show both, as in `≈ Sender 2`."""
        return f"≈ {self.agent} {self.number}"


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A box: its title, the lines below, and the classes it belongs to."""

    number: int
    title: str
    lines: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()
    initial: bool = False
    kind: BoxKind = "plain"


class LabelLine(NamedTuple):
    """A line beside an arrow, and whether it tells what a coalition chose."""

    text: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class DiagramEdge:
    """An arrow: what is said beside it, and all that could be said."""

    source: int
    target: int
    label: tuple[LabelLine, ...] = ()
    full: str = ""


@dataclass(frozen=True, slots=True)
class BoxDiagram:
    """Boxes, arrows, and notes that say what is left out and what signs mean.

    Where it is `layered`, boxes at one distance from the initial ones mean the same, and are in one row.
    """

    title: str
    nodes: tuple[DiagramNode, ...]
    edges: tuple[DiagramEdge, ...] = ()
    notes: tuple[str, ...] = ()
    layered: bool = False


def shortened(text: str, wide: int = _LONGEST) -> str:
    """Return a text that fits beside an arrow; three dots stand for what does not.

    >>> shortened("a_very_long_name", 8)
    'a_very_…'
    """
    return text if len(text) <= wide else f"{text[: wide - 1]}…"
