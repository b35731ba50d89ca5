"""Computation tree logic: the existential path operators, and the universal ones as their duals."""

from gnomon.engines.algebra import Set
from gnomon.logic.frame import Frame


def exists_next(frame: Frame[Set], body: Set) -> Set:
    """EX body is pre(body)."""
    algebra = frame.algebra
    return algebra.before(algebra.intersection(body, frame.tail), frame.universe)


def exists_until(frame: Frame[Set], left: Set, right: Set) -> Set:
    """E[left U right] is the least Z with Z = right ∪ (left ∩ pre(Z))."""
    algebra = frame.algebra
    return algebra.leads_to(algebra.intersection(right, frame.tail), left)


def exists_globally(frame: Frame[Set], body: Set) -> Set:
    """EG body is the greatest Z with Z = body ∩ pre(Z), on the paths that count."""
    if frame.constraints and frame.algebra.is_subset(frame.universe, body):
        # Where everything that counts is in it, so is every fair path, and one starts everywhere.
        return frame.universe
    return frame.algebra.fairly_lasting(body, frame.constraints)


def all_next(frame: Frame[Set], body: Set) -> Set:
    """AX body is not EX not body."""
    return frame.opposite(exists_next(frame, frame.opposite(body)))


def all_finally(frame: Frame[Set], body: Set) -> Set:
    """AF body is not EG not body."""
    return frame.opposite(exists_globally(frame, frame.opposite(body)))


def all_globally(frame: Frame[Set], body: Set) -> Set:
    """AG body is not E[true U not body]."""
    return frame.opposite(exists_until(frame, frame.universe, frame.opposite(body)))


def all_until(frame: Frame[Set], left: Set, right: Set) -> Set:
    """A[left U right] is not E[not left R not right]."""
    return frame.opposite(exists_release(frame, frame.opposite(left), frame.opposite(right)))


def exists_release(frame: Frame[Set], free: Set, held: Set) -> Set:
    """E[free R held] is the greatest Z with Z = held ∩ (free ∪ pre(Z)), on the paths that count."""
    algebra = frame.algebra
    if frame.tail is frame.universe and not frame.constraints:
        return algebra.released(free, held)
    freed = exists_until(frame, held, algebra.intersection(held, free))
    return algebra.union(freed, exists_globally(frame, held))
