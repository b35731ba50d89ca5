"""Machines that watch their own runs: promises that have to be kept, and states that come again."""

from collections.abc import Hashable, Sequence

from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.machine import Bit, Machine, StepPart


class Promises:
    """A machine with promises: bits that say what is to hold from a moment on.

    What is promised for the next moment is up to whoever looks for a run: a promise that is made has to be
    kept, and one that is not made costs nothing. In the beginning just one is made.
    """

    def __init__(self, machine: Machine) -> None:
        """Watch a copy of a machine."""
        self.machine = machine.copied()
        self._bits: dict[Hashable, Bit] = {}
        self._kept: list[tuple[Bit, int]] = []

    def next(self, what: Hashable) -> tuple[int, bool]:
        """Return that something is promised for the next moment, and whether it is for the first time."""
        new = what not in self._bits
        if new:
            self._bits[what] = self.machine.new_bit()
        return self.machine.graph.variable(self._bits[what].next), new

    def now(self, what: Hashable) -> int:
        """Return that something is promised of this moment."""
        return self.machine.graph.variable(self._bits[what].now)

    def keep(self, what: Hashable, how: int) -> None:
        """Say what a promise comes to: something about this moment and about what is promised next."""
        bit, graph = self._bits[what], self.machine.graph
        kept = graph.either(graph.variable(bit.now) ^ 1, how)
        self._kept.append((bit, kept))

    def begin(self, what: Hashable) -> None:
        """Let nothing but one promise be made in the beginning, and say how all have to be kept."""
        machine, graph = self.machine, self.machine.graph
        for known, bit in self._bits.items():
            made = graph.variable(bit.now)
            machine.starts_with(made if known == what else made ^ 1)
        machine.parts += [StepPart(kept) for _, kept in self._kept]

    def all_kept(self) -> int:
        """Return that all promises are kept at the end of a run, after which nothing is promised."""
        graph = self.machine.graph
        nothing = {bit.next: FALSE for bit in self._bits.values()}
        found = TRUE
        for _, kept in self._kept:
            found = graph.both(found, graph.substitute(kept, nothing))
        return found


def going_round(machine: Machine, just: Sequence[int]) -> tuple[Machine, int]:
    """Return a machine that guesses a moment which comes again, and where it has, with all met in between.

    So that no run goes round like that is an invariant (Biere, Artho and Schuppan 2002).
    """
    graph = machine.graph
    watching = machine.copied()
    begins = graph.variable(watching.new_input())
    changing = [bit for bit in machine.bits if bit.now != bit.next]
    inside = watching.new_bit()
    was = graph.variable(inside.now)
    here = graph.either(was, begins)
    watching.assign(inside, here)
    watching.starts_with(was ^ 1)
    again = was
    for bit in changing:
        copy = watching.new_bit()
        old, now = graph.variable(copy.now), graph.variable(bit.now)
        watching.assign(copy, graph.choose(was, old, graph.both(begins, now)))
        watching.starts_with(old ^ 1)
        again = graph.both(again, graph.differ(old, now) ^ 1)
    for each in just:
        met = watching.new_bit()
        seen = graph.variable(met.now)
        watching.assign(met, graph.either(seen, graph.both(here, each)))
        watching.starts_with(seen ^ 1)
        again = graph.both(again, seen)
    return watching, again
