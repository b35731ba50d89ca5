"""Lifting: of a state in which something is possible, the bits that make it possible.

What was done stays as it was, and so do those next bits that have to be what they are; then all states with
these bits can do the same. Bits that nothing hangs on are left out: a solver finds that they are not needed.
"""

from collections.abc import Generator, Mapping

from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.engines.sat.machine import Machine


class Lifting:
    """Cubes around states of one machine."""

    def __init__(self, machine: Machine, bad: int) -> None:
        """Copy the steps of the machine, without demanding them."""
        self._machine = machine
        self._gates = Gates()
        self._copy = CircuitCopy(self._gates, machine.graph, {})
        self._bad = self._copy.literal(bad)
        self._places = {bit.now: place for place, bit in enumerate(machine.bits, 1)}
        self._parts = [
            (
                part.bits,
                self._copy.literal(part.diagram),
                None if part.able is None else self._copy.literal(part.able),
            )
            for part in machine.parts
        ]

    def of_bad(self, values: Mapping[int, bool]) -> Generator[None, None, frozenset[int]]:
        """Return bits of a bad state with which all states are bad, whatever was done being the same."""
        return (yield from self._lifted(values, [-self._bad]))

    def of_step(
        self, values: Mapping[int, bool], cube: frozenset[int]
    ) -> Generator[None, None, frozenset[int]]:
        """Return bits of a state from which all states have a step into a cube."""
        bits = self._machine.bits
        aimed = {bits[abs(each) - 1].next for each in cube}
        needed = [
            diagram if able is None or not aimed.isdisjoint(touched) else able
            for touched, diagram, able in self._parts
        ]
        found = yield from self._lifted(values, [-each for each in needed])
        # What never changes is what it is to be.
        kept = (each for each in cube if bits[abs(each) - 1].now == bits[abs(each) - 1].next)
        return found.union(kept)

    def _lifted(
        self, values: Mapping[int, bool], broken: list[int]
    ) -> Generator[None, None, frozenset[int]]:
        gates = self._gates
        guess = gates.fresh()
        gates.require(-guess, *broken)
        state: dict[int, int] = {}
        given: list[int] = []
        for number, value in values.items():
            literal = self._copy.variable(number)
            literal = literal if value else -literal
            place = self._places.get(number)
            if place is None:
                given.append(literal)
            else:
                state[literal] = place if value else -place
        possible = yield from gates.solving([guess, *given, *state])
        assert not possible, "what was possible is impossible"
        found = frozenset(state[each] for each in gates.solver.core() if each in state)
        gates.require(-guess)
        return found
