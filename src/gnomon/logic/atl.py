"""Alternating-time logic with perfect information.

Without fairness these are the fixpoints of Alur, Henzinger and Kupferman 2002. With it, the
outcomes that are not fair do not count (Busard, Pecheur, Qu and Raimondi 2013): the coalition wins
where its opponents cannot force a fair path on which the formula fails.
"""

from collections.abc import Collection

from gnomon.engines.algebra import Set
from gnomon.logic.frame import Frame

Coalition = Collection[str]


def enforce_next(frame: Frame[Set], coalition: Coalition, body: Set) -> Set:
    """⟨Γ⟩X body is CPre(Γ, body)."""
    if frame.constraints:
        return frame.opposite(_defeat_next(frame, coalition, body))
    return frame.algebra.controllable(coalition, body, frame.universe)


def enforce_until(frame: Frame[Set], coalition: Coalition, left: Set, right: Set) -> Set:
    """⟨Γ⟩(left U right) is the least Z with Z = right ∪ (left ∩ CPre(Γ, Z))."""
    if frame.constraints:
        return frame.opposite(_defeat_until(frame, coalition, left, right))
    return frame.algebra.attractor(coalition, right, left)


def rings(frame: Frame[Set], coalition: Coalition, left: Set, right: Set) -> tuple[Set, ...]:
    """Return the steps of the fixpoint of ⟨Γ⟩(left U right): `right` first, all of it last. No fairness."""
    algebra = frame.algebra
    found = [right]
    candidates = left
    while True:
        new = algebra.controllable(coalition, found[-1], candidates)
        new = algebra.difference(new, found[-1])
        if algebra.is_empty(new):
            return tuple(found)
        found.append(algebra.union(found[-1], new))
        candidates = algebra.before(new, left)


def enforce_weak(frame: Frame[Set], coalition: Coalition, held: Set, won: Set) -> Set:
    """⟨Γ⟩(won R held) is the greatest Z with Z = held ∩ (won ∪ CPre(Γ, Z)); G is where nothing is won."""
    if frame.constraints:
        return frame.opposite(_defeat_weak(frame, coalition, held, won))
    return frame.algebra.trap(coalition, held, won)


def fair_against(frame: Frame[Set], coalition: Coalition) -> Set:
    """Return where some outcome is fair, whatever the coalition does.

    The greatest Z with Z = ⋂ μY. OPre(Y) ∪ (c ∩ OPre(Z)) over all constraints c.
    """
    key = frozenset(coalition)
    if key not in frame.fair_against:
        frame.fair_against[key] = _kept_fair(frame, coalition)
    return frame.fair_against[key]


def _kept_fair(frame: Frame[Set], coalition: Coalition) -> Set:
    algebra = frame.algebra
    found = frame.universe
    while True:
        before = found
        for constraint in frame.constraints:
            again = _unavoidable(frame, coalition, found, constraint)
            found = algebra.intersection(found, _attract(frame, coalition, again, frame.universe))
        if algebra.is_subset(before, found):
            return found


def _unavoidable(frame: Frame[Set], coalition: Coalition, target: Set, within: Set) -> Set:
    """OPre(target) is where every choice of the coalition may lead into `target`."""
    algebra = frame.algebra
    return algebra.unavoidable(coalition, target, algebra.intersection(within, frame.universe))


def _attract(frame: Frame[Set], coalition: Coalition, target: Set, within: Set) -> Set:
    """The least Y with Y = target ∪ (within ∩ OPre(Y))."""
    algebra = frame.algebra
    return algebra.grow(
        target,
        lambda new, found: algebra.unavoidable(coalition, found, algebra.before(new, within)),
    )


def _defeat_next(frame: Frame[Set], coalition: Coalition, body: Set) -> Set:
    """The opponents defeat X body: OPre(not body and fair against the coalition)."""
    algebra = frame.algebra
    bad = algebra.difference(fair_against(frame, coalition), body)
    return _unavoidable(frame, coalition, bad, frame.universe)


def _defeat_weak(frame: Frame[Set], coalition: Coalition, held: Set, won: Set) -> Set:
    """The opponents defeat (won R held): without `won` they get out of `held`, and then to a fair path."""
    bad = frame.algebra.difference(fair_against(frame, coalition), held)
    return _attract(frame, coalition, bad, frame.opposite(won))


def _defeat_until(frame: Frame[Set], coalition: Coalition, left: Set, right: Set) -> Set:
    """The opponents defeat (left U right): they break it and are fair, or are fair without `right`.

    With E = not right and not left and fair against the coalition, the greatest Z with
    Z = E ∪ (not right ∩ ⋂ μY. E ∪ (not right ∩ ((c ∩ OPre(Z)) ∪ OPre(Y)))).
    """
    algebra = frame.algebra
    never = frame.opposite(right)
    broken = algebra.intersection(never, fair_against(frame, coalition))
    broken = algebra.difference(broken, left)
    found = never
    while True:
        before = found
        for constraint in frame.constraints:
            within = algebra.intersection(never, constraint)
            again = _unavoidable(frame, coalition, found, within)
            start = algebra.union(broken, again)
            found = algebra.intersection(found, _attract(frame, coalition, start, never))
        if algebra.is_subset(before, found):
            return found
