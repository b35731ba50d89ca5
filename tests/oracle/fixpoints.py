"""Sets of states, grown by literal fixpoints."""

from collections.abc import Callable, Iterable, Mapping

from gnomon.model.step import State

States = frozenset[State]
Graph = Mapping[State, States]


class TooMany(Exception):
    """There are too many strategies, or paths, to list."""


def least(step_: Callable[[States], Iterable[State]]) -> States:
    """The least fixpoint, from below."""
    found: States = frozenset()
    while (more := frozenset(step_(found))) != found:
        found = more
    return found


def greatest(step_: Callable[[States], States], start: Iterable[State]) -> States:
    """The greatest fixpoint, from above."""
    found = frozenset(start)
    while (less := step_(found)) != found:
        found = less
    return found
