"""Invariants as clauses: that they are some is looked at once more, and which of them it takes."""

from collections.abc import Generator, Sequence

from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.engines.sat.machine import Machine
from gnomon.engines.sat.reachability import Cube


def needed_cubes(
    machine: Machine, cubes: Sequence[Cube], bad: int
) -> Generator[None, None, tuple[Cube, ...] | None]:
    """Return those of some cubes that it takes to show that nothing bad is reached; None if they do not.

    No initial state is in any of them, no step leads into one from outside all of them, and what is bad is in
    one. Solvers say what they needed for that; what nobody needed is left out.
    """
    checking = _Checking(machine, cubes)
    if not (yield from checking.valid()):
        return None
    used = yield from checking.not_outside(bad)
    if used is None:
        return None
    found: set[int] = set()
    waiting = sorted(used)
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        found.add(number)
        used = yield from checking.never_entered(number)
        if used is None:
            return None
        waiting.extend(sorted(used - found))
    return tuple(cubes[number] for number in sorted(found))


class _Checking:
    """One solver that knows the cubes, each behind a switch."""

    def __init__(self, machine: Machine, cubes: Sequence[Cube]) -> None:
        self._machine = machine
        self._cubes = cubes
        self._gates = Gates()
        self._copy = CircuitCopy(self._gates, machine.graph, {})
        self._now = [self._copy.variable(bit.now) for bit in machine.bits]
        self._next = [self._copy.variable(bit.next) for bit in machine.bits]
        self._starts, self._moves = self._gates.fresh(), self._gates.fresh()
        self._gates.require(-self._starts, self._copy.literal(machine.initial))
        for part in machine.parts:
            self._gates.require(-self._moves, self._copy.literal(part.diagram))
        self._inside = self._copy.literal(machine.valid)
        self._switches: dict[int, int] = {}
        for number, cube in enumerate(cubes):
            switch = self._gates.fresh()
            self._switches[switch] = number
            self._gates.require(-switch, *(-each for each in self._literals(cube, self._now)))

    def _literals(self, cube: Cube, places: list[int]) -> list[int]:
        return [places[bit - 1] if bit > 0 else -places[-bit - 1] for bit in cube]

    def _excluded(self, assumed: list[int]) -> Generator[None, None, set[int] | None]:
        """Return the cubes that it takes to exclude something; None where it may be outside all of them."""
        if (yield from self._gates.solving([*self._switches, *assumed])):
            return None
        return {
            self._switches[each] for each in self._gates.solver.core() if each in self._switches
        }

    def valid(self) -> Generator[None, None, bool]:
        """Return whether bits have values that stand for something, at first and after every step."""
        graph = self._machine.graph
        renamed = graph.renaming(bit for bit in self._machine.bits if bit.now != bit.next)
        after = self._copy.literal(graph.rename(self._machine.valid, renamed))
        if (yield from self._gates.solving([self._starts, -self._inside])):
            return False
        return not (yield from self._gates.solving([self._moves, self._inside, -after]))

    def not_outside(self, bad: int) -> Generator[None, None, set[int] | None]:
        """Return the cubes that it takes to have all that is bad in one of them."""
        literal = self._copy.literal(bad)
        if literal == -1:
            return set()
        return (yield from self._excluded([self._inside, literal]))

    def never_entered(self, number: int) -> Generator[None, None, set[int] | None]:
        """Return the cubes outside of which no step leads into one of them, in which no initial state is."""
        cube = self._cubes[number]
        if (yield from self._gates.solving([self._starts, *self._literals(cube, self._now)])):
            return None
        after = self._literals(cube, self._next)
        return (yield from self._excluded([self._moves, self._inside, *after]))
