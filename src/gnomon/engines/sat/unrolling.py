"""Runs of a machine, moment by moment, as clauses."""

from collections.abc import Sequence

from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.engines.sat.machine import Machine


class Unrolling:
    """The moments of a run: each is a copy of the machine, and a step leads from each to the next."""

    def __init__(self, machine: Machine, gates: Gates | None = None) -> None:
        """Begin with one moment, of which nothing is demanded."""
        self.machine = machine
        self.gates = gates or Gates()
        self._changing = [bit for bit in machine.bits if bit.now != bit.next]
        first = {bit.now: self.gates.fresh() for bit in machine.bits}
        self._frozen = {bit.now: first[bit.now] for bit in machine.bits if bit.now == bit.next}
        self.moments: list[CircuitCopy] = []
        self._append(first)

    def _append(self, now: dict[int, int]) -> None:
        after = {bit.next: self.gates.fresh() for bit in self._changing}
        copy = CircuitCopy(self.gates, self.machine.graph, {**now, **after})
        self.moments.append(copy)

    @property
    def last(self) -> CircuitCopy:
        """The last moment."""
        return self.moments[-1]

    def step(self) -> None:
        """Demand one more step."""
        last = self.last
        for part in self.machine.parts:
            self.gates.require(last.literal(part.diagram))
        now = {bit.now: last.variable(bit.next) for bit in self._changing}
        self._append({**self._frozen, **now})

    def literals(self, moment: int) -> list[int]:
        """Return the literals of the bits at one moment."""
        copy = self.moments[moment]
        return [copy.variable(bit.now) for bit in self.machine.bits]

    def values(self, moment: int) -> dict[int, bool]:
        """Return the values of the bits at one moment of the run that was found last."""
        found = self.gates.values(self.literals(moment))
        return {bit.now: value for bit, value in zip(self.machine.bits, found, strict=True)}

    def differ(self, one: int, other: int) -> None:
        """Demand that two moments are not the same."""
        gates = self.gates
        pairs: Sequence[tuple[int, int]] = [
            *zip(self.literals(one), self.literals(other), strict=True)
        ]
        parts = []
        for left, right in pairs:
            same = gates.both(-gates.both(left, -right), -gates.both(-left, right))
            parts.append(-same)
        gates.require(*parts)
