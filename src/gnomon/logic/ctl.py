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
    """A[left U right] is not E[not left R not right].

    Which is the greatest Z with Z = not right ∩ (not left ∪ pre(Z)), on the paths that count.
    """
    algebra = frame.algebra
    never = frame.opposite(right)
    if frame.tail is frame.universe and not frame.constraints:
        return frame.opposite(algebra.released(left, never))
    broken = exists_until(frame, never, algebra.difference(never, left))
    return frame.opposite(algebra.union(broken, exists_globally(frame, never)))
