"""What path formulae are worth along one run, moment by moment."""

from collections.abc import Callable, Sequence

from gnomon.logic.path import (
    Both,
    Either,
    Path,
    PathConstant,
    PathNext,
    PathRelease,
    PathUntil,
    PathWindow,
    StateLiteral,
)
from gnomon.model.formula import Formula
from gnomon.model.step import State


class PathValues:
    """Path formulae along a run, which goes on from `loop` after its end; else nothing comes after it."""

    def __init__(
        self, states: Sequence[State], loop: int | None, holds: Callable[[Formula, State], bool]
    ) -> None:
        """Read formulae about one moment as `holds` says."""
        self._states = tuple(states)
        self._loop = loop
        self._holds = holds
        self._values: dict[Path, list[bool]] = {}

    def along(self, path: Path) -> list[bool]:
        """Return where on the run a path formula holds of the rest of it."""
        found = self._values.get(path)
        if found is None:
            found = self._values[path] = self._worked_out(path)
        return found

    def _later(self, values: list[bool]) -> list[bool]:
        """Return what comes one step later; after the end of a run nothing does."""
        return [*values[1:], self._loop is not None and values[self._loop]]

    def _worked_out(self, path: Path) -> list[bool]:
        match path:
            case PathConstant(value):
                return [value] * len(self._states)
            case StateLiteral(formula):
                return [self._holds(formula, state) for state in self._states]
            case Both(left, right):
                return [a and b for a, b in self._pairs(left, right)]
            case Either(left, right):
                return [a or b for a, b in self._pairs(left, right)]
            case PathNext(body):
                return self._later(self.along(body))
            case PathUntil(left, right):
                return self._fixpoint(left, right, start=False)
            case PathRelease(left, right):
                return self._fixpoint(left, right, start=True)
            case PathWindow(0, 0):
                return self.along(path.last)
            case PathWindow():
                won, kept = path.early if path.low else path.inside
                later = self._later(self.along(path.rest()))
                pairs = zip(self._pairs(won, kept), later, strict=True)
                return [a or (b and after) for (a, b), after in pairs]

    def _pairs(self, left: Path, right: Path) -> list[tuple[bool, bool]]:
        return list(zip(self.along(left), self.along(right), strict=True))

    def _fixpoint(self, left: Path, right: Path, *, start: bool) -> list[bool]:
        pairs = self._pairs(left, right)
        found = [start] * len(pairs)
        while True:
            later = self._later(found)
            if start:
                new = [b and (a or after) for (a, b), after in zip(pairs, later, strict=True)]
            else:
                new = [b or (a and after) for (a, b), after in zip(pairs, later, strict=True)]
            if new == found:
                return found
            found = new
