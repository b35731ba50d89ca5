"""k-induction (Sheeran, Singh and Stålmarck 2000): what is never so after so many other states."""

from itertools import combinations

from gnomon.engines.sat.clauses import Slices
from gnomon.engines.sat.machine import Machine
from gnomon.engines.sat.unrolling import Unrolling

#: Beyond so many steps it seldom helps.
_MOST_STEPS = 24


class Induction:
    """Tries to prove that no run of a machine comes to a bad state."""

    def __init__(self, machine: Machine, bad: int) -> None:
        """Prove nothing yet."""
        self._machine = machine
        self._bad = bad
        self._base = Unrolling(machine)
        self._run = Unrolling(machine)
        self._apart: set[tuple[int, int]] = set()
        #: So many states were good before the next one.
        self.depth = 0

    def prove(self) -> Slices:
        """Try with more and more steps; return whether it is proved, not so if refuted or given up."""
        base, run = self._base, self._run
        base.gates.require(base.last.literal(self._machine.initial))
        while self.depth < _MOST_STEPS:
            bad = base.last.literal(self._bad)
            if (yield from base.gates.solving([bad])):
                return False
            base.gates.require(-bad)
            base.step()
            self.depth += 1
            run.gates.require(run.last.literal(self._machine.valid))
            run.gates.require(-run.last.literal(self._bad))
            run.step()
            if (yield from self._inductive()):
                return True
            yield
        return False

    def _inductive(self) -> Slices:
        """Return whether a bad state cannot follow so many good ones, no two of which are the same."""
        run = self._run
        bad = run.last.literal(self._bad)
        while (yield from run.gates.solving([bad])):
            states = [tuple(run.values(place).values()) for place in range(self.depth + 1)]
            again = [
                pair
                for pair in combinations(range(self.depth + 1), 2)
                if states[pair[0]] == states[pair[1]]
            ]
            if not again:
                return False
            for pair in again:
                run.differ(*pair)
        return True
