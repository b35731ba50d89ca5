"""Weak until, release and bounds in the operators that MCMAS has: X, F, G and U.

What coalitions can keep up with `W` or `R` cannot be said in them (Laroussinie, Markey and Oreiby 2008): it
stays as it is.
"""

from collections.abc import Callable
from typing import Final

from gnomon.model import formula as logic
from gnomon.model.fold.systems import mapped
from gnomon.model.formula import Formula
from gnomon.model.fragment import is_ctl_path
from gnomon.model.system import Logic
from gnomon.model.windows import at_step, dual, opposite

#: More steps than this are not written one inside the other.
MOST_NESTED: Final = 30


def in_mcmas_operators(formula: Formula, kind: Logic) -> Formula:
    """Return the same formula in operators that MCMAS has, as far as that can be said."""

    def inner(part: Formula) -> Formula:
        return in_mcmas_operators(part, kind)

    match formula:
        # In LTL no quantifier is written, and there as in CTL* only infinite paths count: more quantifiers
        # would ask of finite runs as well. So paths are said in operators on paths.
        case logic.Exists(path) if is_ctl_path(path) and kind == "CTL":
            return _some_path(mapped(path, inner))
        case logic.All(path) if is_ctl_path(path) and kind == "CTL":
            return _every_path(mapped(path, inner))
        case logic.Enforces(group, logic.Bounded() as path) if path.high <= MOST_NESTED:
            path = mapped(path, inner)
            return _nested(path, lambda later: logic.Enforces(group, later))
        case logic.Enforces(group, path):
            return logic.Enforces(group, mapped(path, inner))
        case logic.WeakUntil() | logic.Release() | logic.Bounded():
            return _of_path(mapped(formula, inner))
        case _:
            return mapped(formula, inner)


def counts_coalition_steps(formula: Formula) -> bool:
    """Return whether bounds of a coalition are among what is said in other operators."""
    return any(
        isinstance(part, logic.Enforces)
        and part.group.members != ()
        and isinstance(part.path, logic.Bounded)
        and part.path.high <= MOST_NESTED
        for part in logic.walk(formula)
    )


def _some_path(path: Formula) -> Formula:
    match path:
        case logic.WeakUntil(left, right):
            lasts = logic.Exists(logic.Globally(left))
            return logic.Or((logic.Exists(logic.Until(left, right)), lasts))
        case logic.Release(left, right):
            comes = logic.Exists(logic.Until(right, logic.And((left, right))))
            return logic.Or((comes, logic.Exists(logic.Globally(right))))
        case logic.Bounded() if path.high <= MOST_NESTED:
            return _nested(path, logic.Exists)
        case _:
            return logic.Exists(path)


def _every_path(path: Formula) -> Formula:
    match path:
        case logic.WeakUntil() | logic.Release():
            return logic.Not(logic.Exists(dual(path)))
        case logic.Bounded() if path.high <= MOST_NESTED:
            return _nested(path, logic.All)
        case _:
            return logic.All(path)


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


def _nested(path: Formula, quantify: Callable[[Formula], Formula]) -> Formula:
    """Return bounds as steps, one inside the other."""
    assert isinstance(path, logic.Bounded)
    found: Formula = logic.Constant(False)
    for step in reversed(range(path.high + 1)):
        won, kept = at_step(path, step)
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
