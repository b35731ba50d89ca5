"""Paths through a window: what some fair path surely does, and what none can do.

A path that goes round inside the window is a path; and where nothing ever leaves the window, its paths are
all there are. Of other states nothing is known. Infinite paths alone count, as in LTL, in CTL* and under
fairness.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from gnomon.model import formula as f
from tests.oracle import Graph, TooMany, exists, unfolded
from tests.window import Shapes, Truth, Window


class PathWindow(Window):
    """A window that judges path formulae, and under fairness counts fair paths only."""

    def truth(self, formula: f.Formula) -> Truth:
        """Return where a formula surely holds, and where it might; of fair states only."""
        match formula:
            case f.All(path) | f.Exists(path) if not f.is_path_formula(path):
                return self.truth(path)
            case f.Exists(path):
                return self._once(formula, lambda: self._some_path(path))
            case f.All(path):
                return self._opposite(self.truth(f.Exists(f.Not(path))))
            case _:
                return super().truth(formula)

    def verdict(self, formula: f.Formula) -> tuple[bool, bool]:
        """Return whether a formula could hold in all initial states that count, and whether it must."""
        truth, fair = self.truth(formula), self.fair
        inside = self.initial & frozenset(self._explored)
        return inside & fair.low <= truth.high, self.initial & fair.high <= truth.low

    @cached_property
    def fair(self) -> Truth:
        """The states that surely count, and those that might."""
        if not self.system.fairness:
            return Truth(self._everything, self._everything)
        return self.truth(f.Exists(f.Globally(f.Constant(True))))

    def _once(self, formula: f.Formula, find: Callable[[], Truth]) -> Truth:
        if formula not in self._known:
            self._known[formula] = find()
        return self._known[formula]

    @cached_property
    def _constraints(self) -> tuple[Truth, ...]:
        plain = Window(replace(self.system, fairness=()), self.first, self.last, self.most)
        return tuple(plain.truth(each.formula) for each in self.system.fairness)

    def _some_path(self, path: f.Formula) -> Truth:
        path = positive(unfolded(path))
        try:
            low = exists(
                self._inner,
                path,
                lambda part: self.truth(part).low,
                tuple(each.low for each in self._constraints),
            )
            high = exists(
                self._closed,
                path,
                lambda part: self.truth(part).high,
                tuple(each.high for each in self._constraints),
            )
        except TooMany:
            return Truth(frozenset(), self._everything)
        return Truth(low, high | (self._everything - frozenset(self._closed)))

    @cached_property
    def _inner(self) -> Graph:
        """What follows inside the window."""
        seen = frozenset(self._explored)
        after = {s: frozenset().union(*moves.values()) for s, moves in self._explored.items()}
        return {state: targets & seen for state, targets in after.items()}

    @cached_property
    def _closed(self) -> Graph:
        """The same where the window is never left."""
        after = {s: frozenset().union(*moves.values()) for s, moves in self._explored.items()}
        closed: Shapes = frozenset(after)
        while (fewer := frozenset(s for s in closed if after[s] <= closed)) != closed:
            closed = fewer
        return {state: after[state] for state in closed}


def positive(path: f.Formula, *, holds: bool = True) -> f.Formula:
    """Return a path formula, or its opposite, in which only formulae about states are negated."""
    if not f.is_path_formula(path):
        return path if holds else f.Not(path)

    def inner(part: f.Formula, agrees: bool = True) -> f.Formula:
        return positive(part, holds=holds == agrees)

    match path:
        case f.Not(body):
            return inner(body, False)
        case f.And(operands) | f.Or(operands):
            kind = f.And if isinstance(path, f.And) == holds else f.Or
            return kind(tuple(map(inner, operands)))
        case f.Implies(left, right):
            return inner(f.Or((f.Not(left), right)))
        case f.Iff(left, right):
            same = (f.And((left, right)), f.And((f.Not(left), f.Not(right))))
            return inner(f.Or(same))
        case f.Next(body):
            return f.Next(inner(body))
        case f.Finally(body) | f.Globally(body):
            return (f.Finally if isinstance(path, f.Finally) == holds else f.Globally)(inner(body))
        case f.Until(left, right) | f.Release(left, right):
            until = isinstance(path, f.Until) == holds
            return (f.Until if until else f.Release)(inner(left), inner(right))
        case f.WeakUntil(left, right):
            return inner(f.Release(right, f.Or((left, right))))
        case _:
            raise AssertionError(path)
