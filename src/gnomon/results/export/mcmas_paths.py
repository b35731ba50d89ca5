"""Weak until, release, bounds and the empty coalition in the operators that MCMAS has: X, F, G and U.

What coalitions can keep up with `W` or `R` cannot be said in them (Laroussinie, Markey and Oreiby 2008): it
stays as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from gnomon.language.mcmas.beyond import MOST_NESTED
from gnomon.model import formula as logic
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula, Group
from gnomon.model.fragment import is_ctl_path
from gnomon.model.system import Logic
from gnomon.model.windows import FALSE, at_step, dual, opposite

#: The most parts of what one operator becomes; each of its sides may be said many times.
MOST_PARTS: Final = 2_000


def is_said(formula: Formula) -> bool:
    """Return whether MCMAS has all operators of a formula."""
    beyond = (logic.WeakUntil, logic.Release, logic.Bounded)
    return not any(isinstance(part, beyond) for part in logic.walk(formula))


@dataclass(frozen=True, slots=True)
class McmasOperators:
    """Says formulae in operators that MCMAS has, as far as it can be said and is not too large.

    `fair` says that only fair paths count, `in_coalition` that it is part of what a coalition can do: that is
    written as in CTL.
    """

    kind: Logic
    fair: bool = False
    in_coalition: bool = False

    @property
    def as_in_ctl(self) -> bool:
        """Whether paths are written only behind what speaks of them, `A`, `E` or a coalition."""
        return self.kind == "CTL" or self.in_coalition

    def formula(self, formula: Formula) -> Formula:
        """Return the same formula in other operators."""
        match formula:
            # In LTL no quantifier is written. So paths are said in operators on paths.
            case logic.Exists(path) if is_ctl_path(path) and self.as_in_ctl:
                path = self.inside(path)
                return _unless_large(self._some_path(path), logic.Exists(path))
            case logic.All(path) if is_ctl_path(path) and self.as_in_ctl:
                path = self.inside(path)
                return _unless_large(self._every_path(path), logic.All(path))
            # In LTL and CTL*, `A` would speak of infinite paths alone.
            case logic.Enforces(Group(()), path) if self.kind == "CTL":
                return self.formula(logic.All(path))
            case logic.Enforces(group, path):
                path = replace(self, in_coalition=True).inside(path)
                return _unless_large(self._enforced(group, path), logic.Enforces(group, path))
            case logic.WeakUntil() | logic.Release() | logic.Bounded():
                path = self.inside(formula)
                return _unless_large(_of_path(path), path)
            case _:
                return self.inside(formula)

    def inside(self, formula: Formula) -> Formula:
        """Return a formula with its parts in other operators."""
        return mapped(formula, self.formula)

    def _some_path(self, path: Formula) -> Formula:
        match path:
            case logic.WeakUntil(left, right):
                lasts = logic.Exists(logic.Globally(left))
                return logic.Or((logic.Exists(logic.Until(left, right)), lasts))
            case logic.Release(left, right):
                comes = logic.Exists(logic.Until(right, logic.And((left, right))))
                return logic.Or((comes, logic.Exists(logic.Globally(right))))
            case logic.Bounded() if self._counts(path):
                return _nested(path, logic.Exists)
            case _:
                return logic.Exists(path)

    def _every_path(self, path: Formula) -> Formula:
        match path:
            case logic.WeakUntil() | logic.Release():
                return logic.Not(logic.Exists(dual(path)))
            case logic.Bounded() if self._counts(path):
                return _nested(path, logic.All)
            case _:
                return logic.All(path)

    def _enforced(self, group: Group, path: Formula) -> Formula:
        if not isinstance(path, logic.Bounded) or path.high > MOST_NESTED:
            return logic.Enforces(group, path)
        # Who can see to it that no outcome is fair wins anything, at each step.
        unfair = logic.Enforces(group, logic.Next(FALSE)) if self.fair else FALSE
        return _nested(path, lambda later: logic.Enforces(group, later), unfair)

    def _counts(self, path: logic.Bounded) -> bool:
        """Return whether quantifiers can count steps, which they cannot where only infinite paths count."""
        return path.high <= MOST_NESTED and self.kind == "CTL"


def _unless_large(found: Formula, otherwise: Formula) -> Formula:
    size = sum(1 for _ in islice(logic.walk(found), MOST_PARTS + 1))
    return found if size <= MOST_PARTS else otherwise


def counts_coalition_steps(formula: Formula) -> bool:
    """Return whether bounds of a coalition are among what is said in other operators."""
    return any(
        isinstance(part, logic.Enforces)
        and part.group.members != ()
        and isinstance(part.path, logic.Bounded)
        and part.path.high <= MOST_NESTED
        for part in logic.walk(formula)
    )


def _of_path(path: Formula) -> Formula:
    """Return a path formula of LTL or CTL*."""
    match path:
        case logic.WeakUntil(left, right):
            return logic.Or((logic.Until(left, right), logic.Globally(left)))
        case logic.Release(left, right):
            return logic.Not(logic.Until(opposite(left), opposite(right)))
        case logic.Bounded() if path.high <= MOST_NESTED:
            found = _nested(path, lambda later: later)
            # A question of paths stays one: of a state it would be asked where no infinite path starts, too.
            return found if logic.is_path_formula(found) else logic.Until(found, found)
        case _:
            return path


def _nested(
    path: logic.Bounded, quantify: Callable[[Formula], Formula], always_wins: Formula = FALSE
) -> Formula:
    """Return bounds as steps, one inside the other."""
    found: Formula = FALSE
    for step in reversed(range(path.high + 1)):
        won, kept = at_step(path, step)
        won = _either(won, always_wins)
        found = _either(won, _both(kept, quantify(logic.Next(found))))
    return found


def _both(left: Formula, right: Formula) -> Formula:
    match left:
        case logic.Constant(value):
            return right if value else left
        case _:
            return logic.And((left, right))


def _either(left: Formula, right: Formula) -> Formula:
    if isinstance(right, logic.Constant) and not right.value:
        return left
    match left:
        case logic.Constant(value):
            return left if value else right
        case _:
            return logic.Or((left, right))
