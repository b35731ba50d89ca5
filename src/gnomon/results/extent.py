"""How much of a piece of evidence is told."""

from typing import Final, NamedTuple

#: How to see what was left out. Nothing is left out silently: what is cut is counted, with these words.
HOW: Final = "--full shows all"

#: Unless somebody asks for more, evidence has so many runs, and a run or a table so many lines.
MOST_RUNS: Final = 3
MOST_LINES: Final = 30


class Extent(NamedTuple):
    """The most runs, the most lines of a run or table, and the most letters of a formula in a sentence.

    None leaves nothing out. Where it is `brief`, one sentence and one run or table are all.
    """

    runs: int | None = MOST_RUNS
    lines: int | None = MOST_LINES
    letters: int | None = 72
    brief: bool = False


FULL: Final = Extent(None, None, None)
