"""What agents and lines were written out as before, for a program that has changed somewhere.

That depends on how they are written, on the constants, and on which names are relations; and, where an index
is neither a constant nor bound, on all that is declared: where that was looked at, nothing is kept. How much
was written is counted again. Nothing is kept of what had mistakes, and who comes to a limit starts again
without all this, so that the same is said about it.
"""

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from gnomon.language.expand.computed import ComputedIndices
from gnomon.language.expand.ranges import IndexReader
from gnomon.language.expand.size import Size
from gnomon.language.reparse import KeptUnit
from gnomon.text.limits import check_limits

#: After so many lines the limits of time and memory are looked at.
_WATCHED: Final = 512


class _BeforeCopies(NamedTuple):
    """How things stood before something was written out."""

    said: int
    looked: int
    counts: tuple[int, int, int]


class _WrittenOut(NamedTuple):
    """What a line was written out as, under which constants, and how much that was."""

    settings: Hashable
    counts: tuple[int, int, int]
    copies: tuple[KeptUnit, ...]


class KeptCopies:
    """Writes nothing out that was written out before."""

    def __init__(
        self, units: dict[int, KeptUnit], indices: IndexReader, computed: ComputedIndices
    ) -> None:
        """Keep what the units of a program become; the copies become units themselves."""
        self._units = units
        self._indices = indices
        self._computed = computed
        self._settings = (tuple(indices.constants.items()), indices.functions)
        self._work = 0

    def take(self, line: object, how: str) -> tuple[Any, ...] | None:
        """Return what a line becomes, if that is known."""
        unit = self._units.get(id(line))
        if unit is None or unit.node is not line:
            return None
        known: _WrittenOut | None = unit.meaning.get(("copies", how))
        if known is None or known.settings != self._settings:
            return None
        self._work += 1
        if not self._work % _WATCHED:
            check_limits()
        self._indices.size.add(*known.counts)
        place = unit.at + unit.by
        found = tuple([copy.placed(place) for copy in known.copies])
        self._units.update(zip(map(id, found), known.copies, strict=True))
        return found

    def begin(self) -> _BeforeCopies:
        """Note how things stand before a line is written out."""
        diagnostics = self._indices.diagnostics
        return _BeforeCopies(diagnostics.said, self._computed.looked, _counts(self._indices.size))

    def keep(self, line: object, how: str, begun: _BeforeCopies, made: list[Any]) -> None:
        """Keep what a line has become, if nothing was wrong with it."""
        unit = self._units.get(id(line))
        if unit is None or unit.node is not line:
            return
        said, looked, before = begun
        if self._indices.diagnostics.said != said or self._computed.looked != looked:
            return
        one, two, three = _counts(self._indices.size)
        counts = one - before[0], two - before[1], three - before[2]
        place = unit.at + unit.by
        copies = tuple([KeptUnit(None, each, place, 0) for each in made])
        self._units.update(zip(map(id, made), copies, strict=True))
        unit.meaning["copies", how] = _WrittenOut(self._settings, counts, copies)


def _counts(size: Size) -> tuple[int, int, int]:
    return size.copies, size.parts, size.steps
