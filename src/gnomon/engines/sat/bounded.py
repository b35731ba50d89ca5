"""Bounded search (Biere, Cimatti, Clarke and Zhu 1999): runs that end as wanted, or go round for ever.

A way round is found by guessing a moment whose state comes again: it is copied, and compared with the last
one (as Biere, Artho and Schuppan 2002 do), so that one more moment costs the same however many there are.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple, TypeVar

from gnomon.engines.sat.clauses import NO, Slices
from gnomon.engines.sat.machine import Machine
from gnomon.engines.sat.unrolling import Unrolling

WorkResult = TypeVar("WorkResult")


class FoundRun(NamedTuple):
    """The bits at each moment of a run; where it goes round, the moment that follows the last one."""

    moments: tuple[dict[int, bool], ...]
    loop: int | None = None


class BoundedSearch:
    """Looks for a run of a machine that ends where `stop` holds, or meets all that is `just` for ever.

    Either may be left out: with `stop` None no end counts, with `just` None no way round does. A run that is
    found is in `found`; where `found` is None after the search, there is no such run.
    """

    def __init__(self, machine: Machine, stop: int | None, just: Sequence[int] | None) -> None:
        """Look at no run yet."""
        self._stop = stop
        self._just = just
        self._run = Unrolling(machine)
        self._gates = self._run.gates
        self.found: FoundRun | None = None
        #: So many steps have been looked at.
        self.bound = 0
        if just is not None:
            self._copy = [self._gates.fresh() for _ in machine.bits]
            self._chosen: list[int] = []
            self._inside = NO
            self._met = [NO] * len(just)

    def search(self) -> Slices:
        """Search, slice by slice; return whether a run was found."""
        run, gates = self._run, self._gates
        gates.require(run.last.literal(run.machine.initial))
        if not (yield from gates.solving(())):
            return False
        while True:
            if self._stop is not None:
                end = run.last.literal(self._stop)
                if (yield from gates.solving([end])):
                    self._take(None)
                    return True
                gates.require(-end)
            self._step()
            if not (yield from gates.solving(())):
                return False
            if self._just is not None and (yield from self._goes_round()):
                return True
            yield

    def _step(self) -> None:
        """Go one step further, from where a way round may begin."""
        run, gates = self._run, self._gates
        run.step()
        self.bound += 1
        if self._just is None:
            return
        before = run.moments[-2]
        begins = gates.fresh()
        for bit, copy in zip(run.machine.bits, self._copy, strict=True):
            gates.same(copy, before.variable(bit.now), -begins)
        self._chosen.append(begins)
        self._inside = gates.either(self._inside, begins)
        self._met = [
            gates.either(met, gates.both(self._inside, before.literal(just)))
            for met, just in zip(self._met, self._just, strict=True)
        ]

    def _goes_round(self) -> Slices:
        """Return whether the last state may be one that was there before, with all met in between."""
        run, gates = self._run, self._gates
        closed = gates.fresh()
        for copy, last in zip(self._copy, run.literals(self.bound), strict=True):
            gates.same(copy, last, -closed)
        if (yield from gates.solving([closed, self._inside, *self._met])):
            begun = gates.values(self._chosen)
            self._take(begun.index(True))
            return True
        gates.require(-closed)
        return False

    def _take(self, loop: int | None) -> None:
        last = self.bound if loop is None else self.bound - 1
        self.found = FoundRun(tuple(self._run.values(place) for place in range(last + 1)), loop)


def finished(work: Generator[None, None, WorkResult]) -> WorkResult:
    """Return what comes of work that nobody interrupts."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: WorkResult = end.value
            return found
