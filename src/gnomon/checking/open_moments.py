"""Runs of which it is open what is known in some moments: which of them decide whether a run is as wanted."""

from collections.abc import Callable, Sequence

from gnomon.checking.path_values import PathValues
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


class OpenMoments:
    """A run, and what formulae about one moment are worth on it as far as that is known."""

    def __init__(
        self,
        states: Sequence[State],
        loop: int | None,
        value: Callable[[Formula, State], bool | None],
    ) -> None:
        """Look at a run; `value` is None where it is open."""
        self._states = tuple(states)
        self._loop = loop
        self._surely = PathValues(states, loop, lambda part, state: value(part, state) is True)
        self._maybe = PathValues(states, loop, lambda part, state: value(part, state) is not False)
        self._seen: set[tuple[Path, int]] = set()

    def is_possible(self, path: Path) -> bool:
        """Return whether the run may satisfy something, whatever is open."""
        return self._maybe.along(path)[0]

    def open_moment(self, path: Path) -> tuple[Formula, State] | None:
        """Return what has to be settled first where the run may satisfy something; None if it surely does."""
        self._seen.clear()
        return self._first(path, 0)

    def _first(self, path: Path, place: int | None) -> tuple[Formula, State] | None:
        if place is None or (path, place) in self._seen:
            return None
        self._seen.add((path, place))
        if self._surely.along(path)[place] or not self._maybe.along(path)[place]:
            return None
        after = place + 1 if place + 1 < len(self._states) else self._loop
        match path:
            case PathConstant():
                return None
            case StateLiteral(formula):
                return formula, self._states[place]
            case Both(left, right) | Either(left, right):
                return self._first(left, place) or self._first(right, place)
            case PathNext(body):
                return self._first(body, after)
            case PathUntil(left, right):
                return (
                    self._first(right, place)
                    or self._first(left, place)
                    or self._first(path, after)
                )
            case PathRelease(left, right):
                return (
                    self._first(right, place)
                    or self._first(left, place)
                    or self._first(path, after)
                )
            case PathWindow(0, 0):
                return self._first(path.last, place)
            case PathWindow():
                won, kept = path.early if path.low else path.inside
                return (
                    self._first(won, place)
                    or self._first(kept, place)
                    or self._first(path.rest(), after)
                )
