"""The views with which it is certain that something is known, as an invariant says: labels for a proof.

Who sees one of them sees it in every state that looks the same. So it is enough that no state in which the
invariant holds has such a view while that fails which is to be known.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gnomon.checking.known_views import KnownViews
from gnomon.checking.linear_paths import without_idle_quantifiers
from gnomon.checking.moment_circuits import MomentCircuits
from gnomon.checking.momentary import (
    Doubt,
    KnowledgeFormula,
    doubts_of,
    is_momentary,
    known_parts,
    seen_variables,
)
from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.bounded import finished
from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.engines.sat.invariant import needed_cubes
from gnomon.engines.sat.reachability import Cube
from gnomon.model.formula import Formula

#: More views than this are not listed.
_MOST_VIEWS: Final = 500
#: Looks at the clock.
Clock = Callable[[str, int], None]


class CertainViews:
    """Cubes of what agents see, and an invariant that makes them certain of something."""

    def __init__(self, alike: KnownViews, cubes: Iterable[Cube]) -> None:
        """Know no view yet, and of all reachable states that they are in none of some cubes."""
        self._alike = alike
        self._cubes = tuple(cubes)
        self._machine = alike.work.machine
        self._graph = self._machine.graph
        self._gates = Gates()
        self._copy = CircuitCopy(self._gates, self._graph, {})
        self._now = [self._copy.variable(bit.now) for bit in self._machine.bits]
        self._gates.require(self._copy.literal(self._machine.valid))
        for cube in self._cubes:
            self._gates.require(*(-each for each in self._places(cube)))
        #: Bits with their values that agents see, each enough for them to be certain.
        self.views: dict[Doubt, list[Cube]] = {}
        self._circuits: dict[Doubt, int] = {}

    def invariant_for(self, formula: Formula) -> tuple[Cube, ...] | None:
        """Return what it takes of the invariant for a formula to hold in all states; None if that is more."""
        formula = without_idle_quantifiers(formula)
        if not is_momentary(formula):
            return None
        while self._solves(self._fails(formula)):
            if not self._extend(known_parts(formula)):
                return None
        bad = self._fails(formula)
        for doubt, certain in self._circuits.items():
            bad = self._graph.either(bad, self._graph.both(certain, self._fails(doubt.body)))
        return finished(needed_cubes(self._machine, self._cubes, bad))

    def certain(self, doubt: Doubt) -> int:
        """Return where there surely is no doubt."""
        return self._circuits.get(doubt, FALSE)

    def _places(self, cube: Cube) -> list[int]:
        now = self._now
        return [now[bit - 1] if bit > 0 else -now[-bit - 1] for bit in cube]

    def _fails(self, formula: Formula) -> int:
        """Return where it is not certain that a formula holds."""
        return _Uncertain(self._alike, self).may_fail(formula)

    def _solves(self, circuit: int, *assumed: int) -> bool:
        """Return whether something is so in a state in which the invariant holds."""
        self._alike.work.limit("views", sum(map(len, self.views.values())))
        literal = self._copy.literal(circuit)
        return self._alike.work.finished(self._gates.solving([literal, *assumed]))

    def _extend(self, parts: Iterable[KnowledgeFormula]) -> bool:
        """Add the views of the state that was found; return whether with one of them somebody is certain."""
        values = self._gates.values(self._now)
        doubts = [doubt for part in parts for doubt in doubts_of(part) or ()]
        added = [self._add(doubt, values) for doubt in doubts]
        return any(added)

    def _add(self, doubt: Doubt, values: list[bool]) -> bool:
        if not is_momentary(doubt.body):
            return False
        known = self.views.setdefault(doubt, [])
        seen = self._seen(doubt, values)
        if any(cube <= seen.keys() for cube in known):
            return False
        literals = {self._places(frozenset((each,)))[0]: each for each in seen}
        while self._solves(self._fails(doubt.body), *literals):
            if not self._extend(known_parts(doubt.body)):
                return False
        core = self._gates.solver.core()
        cube = frozenset(literals[each] for each in core if each in literals)
        if len(known) == _MOST_VIEWS:
            return False
        known.append(cube)
        inside = TRUE
        for each in sorted(cube, key=abs):
            bit = self._graph.variable(self._machine.bits[abs(each) - 1].now)
            inside = self._graph.both(inside, bit ^ (each < 0))
        self._circuits[doubt] = self._graph.either(self.certain(doubt), inside)
        return True

    def _seen(self, doubt: Doubt, values: list[bool]) -> Mapping[int, None]:
        """Return the bits that are seen, with their values."""
        work = self._alike.work
        layout = work.circuit.layout
        seen = {
            level
            for variable in seen_variables(work.system, doubt.agents)
            for level in layout.variables[variable].now
        }
        return {
            place if value else -place: None
            for place, (bit, value) in enumerate(zip(self._machine.bits, values, strict=True), 1)
            if bit.now in seen
        }


class _Uncertain(MomentCircuits):
    """Where formulae may fail for all that views say: they never say that something is not known."""

    def __init__(self, alike: KnownViews, views: CertainViews) -> None:
        super().__init__(alike.work.circuit, alike.work.machine, alike.facts)
        self._views = views

    def may_fail(self, formula: Formula) -> int:
        return self._of(formula, {}, wanted=False)

    def _doubtful(self, doubt: Doubt, here: dict[Doubt, int]) -> int:
        del here
        return self._views.certain(doubt) ^ 1

    def _sure(self, doubt: Doubt, here: dict[Doubt, int]) -> int:
        del doubt, here
        return TRUE
