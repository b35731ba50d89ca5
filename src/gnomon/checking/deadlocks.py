"""Deadlocks to complain of: reachable states without a successor in which no run should end."""

from typing import TypeVar

from gnomon.engines.algebra import Algebra

Set = TypeVar("Set")


def real_deadlocks(algebra: Algebra[Set]) -> Set:
    """Return the reachable states in which nothing can happen although no run should end there."""
    terminal = algebra.system.terminal
    if terminal is None or algebra.is_empty(algebra.deadlocks):
        return algebra.deadlocks
    return algebra.difference(algebra.deadlocks, algebra.where(terminal))


def terminal_states(algebra: Algebra[Set]) -> int | None:
    """Return how many reachable states are terminal; None where the program says nothing about them."""
    terminal = algebra.system.terminal
    return None if terminal is None else algebra.count(algebra.where(terminal))
