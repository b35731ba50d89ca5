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


def exists_weak(frame: Frame[Set], held: Set, won: Set) -> Set:
    """E[won R held] is the greatest Z with Z = held ∩ (won ∪ pre(Z)), on the paths that count.

    What is won is held, too.
    """
    algebra = frame.algebra
    if algebra.is_empty(won):
        return exists_globally(frame, held)
    if frame.tail is frame.universe and not frame.constraints:
        return algebra.released(frame.opposite(won), held)
    comes = exists_until(frame, held, won)
    return algebra.union(comes, exists_globally(frame, held))


def all_next(frame: Frame[Set], body: Set) -> Set:
    """AX body is not EX not body."""
    return frame.opposite(exists_next(frame, frame.opposite(body)))


def all_finally(frame: Frame[Set], body: Set) -> Set:
    """AF body is not EG not body."""
    return frame.opposite(exists_globally(frame, frame.opposite(body)))


def all_weak(frame: Frame[Set], held: Set, won: Set) -> Set:
    """A[won R held] is not E[not won U not held]."""
    return frame.opposite(exists_until(frame, frame.opposite(won), frame.opposite(held)))


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
