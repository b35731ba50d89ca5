"""IC3 (Bradley 2011; Eén, Mishchenko and Brayton 2011): an invariant, clause by clause, if there is one.

A cube is a set of bits with their values, each as a place in the list of bits, counted from 1 and negative
where the bit is false. Frame k has clauses that hold of all states that are reached in at most k steps.
"""

from collections.abc import Generator, Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from gnomon.engines.sat.clauses import CircuitCopy, Gates, Slices
from gnomon.engines.sat.lifting import Lifting
from gnomon.engines.sat.machine import Machine

#: Bits with their values.
Cube: TypeAlias = frozenset[int]
_CubeWork: TypeAlias = Generator[None, None, Cube | None]
#: After so many literals in a row that cannot be left out, no more are tried.
_MOST_FAILURES = 6


class Reachability:
    """Finds out whether a machine comes to a bad state.

    After the search, `invariant` has cubes that no reachable state is in, among them all that is bad; it is
    None where a bad state is reached.
    """

    def __init__(self, machine: Machine, bad: int) -> None:
        """Search nothing yet."""
        self._machine = machine
        self._gates = Gates()
        self._copy = CircuitCopy(self._gates, machine.graph, {})
        self._now = [self._copy.variable(bit.now) for bit in machine.bits]
        self._next = [self._copy.variable(bit.next) for bit in machine.bits]
        #: A bad state need not have a step: there is one only where that is assumed.
        self._moves = self._gates.fresh()
        for part in machine.parts:
            self._gates.require(-self._moves, self._copy.literal(part.diagram))
        self._gates.require(self._copy.literal(machine.valid))
        self._bad = self._copy.literal(bad)
        self._starts = self._gates.fresh()
        self._gates.require(-self._starts, self._copy.literal(machine.initial))
        self._first = _First(machine)
        self._lifting = Lifting(machine, bad)
        #: The cubes of each frame that are in no later one; the first has none.
        self.frames: list[set[Cube]] = [set(), set()]
        self._active = [self._starts, self._gates.fresh()]
        self._order = count()
        self.invariant: tuple[Cube, ...] | None = None
        self.questions = 0

    @property
    def level(self) -> int:
        """The last frame."""
        return len(self.frames) - 1

    @property
    def clauses(self) -> int:
        """How many clauses there are in all frames."""
        return sum(map(len, self.frames))

    def search(self) -> Slices:
        """Search, slice by slice; return whether no bad state is reached."""
        if (yield from self._solving([self._starts, self._bad])):
            return False
        while True:
            while (yield from self._solving([*self._active[self.level :], self._bad])):
                values = self._values()
                cube = yield from self._lifting.of_bad(values)
                if not (yield from self._block(cube)):
                    return False
            self.frames.append(set())
            self._active.append(self._gates.fresh())
            if (yield from self._propagate()):
                return True
            yield

    # Questions

    def _solving(self, assumed: Sequence[int]) -> Slices:
        self.questions += 1
        return (yield from self._gates.solving(assumed))

    def _values(self) -> dict[int, bool]:
        """Return the values of all variables of the circuits in the solution that was found last."""
        inputs = self._copy.inputs
        values = self._gates.values(inputs.values())
        return dict(zip(inputs, values, strict=True))

    def _literals(self, cube: Iterable[int], places: list[int]) -> list[int]:
        return [places[bit - 1] if bit > 0 else -places[-bit - 1] for bit in cube]

    def _relative(self, cube: Cube, level: int) -> _CubeWork:
        """Return what of a cube no step leads to from outside it in the frame before; None if one does."""
        gates = self._gates
        outside = gates.fresh()
        gates.require(-outside, *(-each for each in self._literals(cube, self._now)))
        after = dict(zip(self._literals(cube, self._next), cube, strict=True))
        frame = [self._starts] if level == 1 else self._active[level - 1 :]
        possible = yield from self._solving([self._moves, *frame, outside, *after])
        if possible:
            return None
        found = frozenset(after[each] for each in gates.solver.core() if each in after)
        gates.require(-outside)
        return (yield from self._first.beside(found, cube))

    # Obligations

    def _block(self, bad: Cube) -> Slices:
        """Return whether a cube is unreachable in as many steps as there are frames."""
        waiting: list[tuple[int, int, Cube]] = []

        def ask(level: int, cube: Cube) -> None:
            heappush(waiting, (level, next(self._order), cube))

        ask(self.level, bad)
        while waiting:
            level, _, cube = heappop(waiting)
            if (yield from self._first.meets(cube)):
                return False
            if self._is_blocked(cube, level):
                continue
            found = yield from self._relative(cube, level)
            if found is None:
                before = yield from self._lifting.of_step(self._values(), cube)
                ask(level, cube)
                ask(level - 1, before)
                continue
            found = yield from self._smaller(found, level)
            while level < self.level:
                pushed = yield from self._relative(found, level + 1)
                if pushed is None:
                    break
                level += 1
            self._add(found, level)
            if level < self.level:
                ask(level + 1, cube)
            yield
        return True

    def _is_blocked(self, cube: Cube, level: int) -> bool:
        return any(known <= cube for frame in self.frames[level:] for known in frame)

    def _smaller(self, cube: Cube, level: int) -> Generator[None, None, Cube]:
        """Return a cube with fewer literals that is unreachable as well."""
        failures = 0
        for literal in sorted(cube, key=abs):
            if literal not in cube or len(cube) == 1:
                continue
            smaller = cube - {literal}
            found = None
            if not (yield from self._first.meets(smaller)):
                found = yield from self._relative(smaller, level)
            if found is None:
                failures += 1
                if failures >= _MOST_FAILURES:
                    break
            else:
                cube = found
                failures = 0
        return cube

    def _add(self, cube: Cube, level: int) -> None:
        for frame in self.frames[1 : level + 1]:
            frame -= {known for known in frame if cube <= known}
        self.frames[level].add(cube)
        opposite = (-each for each in self._literals(cube, self._now))
        self._gates.require(-self._active[level], *opposite)

    def _propagate(self) -> Slices:
        """Move clauses to later frames; return whether a frame is an invariant."""
        for level in range(1, self.level):
            for cube in sorted(self.frames[level], key=lambda each: (len(each), sorted(each))):
                if cube not in self.frames[level]:
                    continue
                frame = self._active[level:]
                after = self._literals(cube, self._next)
                if not (yield from self._solving([self._moves, *frame, *after])):
                    self.frames[level].discard(cube)
                    self._add(cube, level + 1)
            if not self.frames[level]:
                later = self.frames[level + 1 :]
                self.invariant = tuple(cube for frame in later for cube in frame)
                return True
        return False


class _First:
    """The initial states."""

    def __init__(self, machine: Machine) -> None:
        self._gates = Gates()
        copy = CircuitCopy(self._gates, machine.graph, {})
        self._now = [copy.variable(bit.now) for bit in machine.bits]
        self._gates.require(copy.literal(machine.initial))

    def _literals(self, cube: Iterable[int]) -> dict[int, int]:
        now = self._now
        return {(now[bit - 1] if bit > 0 else -now[-bit - 1]): bit for bit in cube}

    def meets(self, cube: Cube) -> Slices:
        """Return whether some initial state is in a cube."""
        return (yield from self._gates.solving(list(self._literals(cube))))

    def beside(self, part: Cube, cube: Cube) -> Generator[None, None, Cube]:
        """Return a part of a cube, with as much more of it as keeps out the initial states."""
        if not (yield from self.meets(part)):
            return part
        literals = self._literals(cube)
        possible = yield from self._gates.solving(list(literals))
        assert not possible, "an initial state was to be kept out"
        return part | {literals[each] for each in self._gates.solver.core() if each in literals}
