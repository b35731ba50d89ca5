"""Which views leave somebody in doubt, and which do not, as far as that was found out."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from gnomon.checking.momentary import Doubt, seen_variables
from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.machine import SystemMachine
from gnomon.engines.sat.reachability import Cube
from gnomon.model.domain import Datum, number_of
from gnomon.model.step import State

#: What some of the variables that agents see are worth.
PartOfView: TypeAlias = Mapping[tuple[str, str], Datum]


class SeenRun(NamedTuple):
    """A run that counts, on which something fails from some place on."""

    states: tuple[State, ...]
    loop: int | None
    place: int


class ViewFacts:
    """What is known of views, and of all states that are reached, as circuits."""

    def __init__(self, system: SystemMachine, valid: int) -> None:
        """Know nothing but what holds in the beginning and after every step."""
        self._system = system
        #: What holds in all states that are reached, as far as it is known.
        self.valid = valid
        #: Cubes that no reachable state is in; together they are an invariant.
        self.cubes: dict[Cube, None] = {}
        self._doubtful: dict[tuple[Doubt, State], SeenRun] = {}
        self._sure: dict[Doubt, list[PartOfView]] = {}
        self._circuits: dict[tuple[Doubt, bool], int] = {}

    def known(self, doubt: Doubt, seen: State) -> bool | None:
        """Return whether somebody with this view is in doubt; None if that was not found out yet."""
        if (doubt, seen) in self._doubtful:
            return True
        view = self.view(doubt, seen)
        sure = self._sure.get(doubt, ())
        return False if any(part.items() <= view.items() for part in sure) else None

    def view(self, doubt: Doubt, seen: State) -> dict[tuple[str, str], Datum]:
        """Return what each of the variables that are seen is worth."""
        variables = seen_variables(self._system.system, doubt.agents)
        return dict(zip(variables, seen, strict=True))

    def witness(self, doubt: Doubt, seen: State) -> SeenRun:
        """Return the run that leaves somebody in doubt."""
        return self._doubtful[doubt, seen]

    def circuit(self, doubt: Doubt, *, in_doubt: bool) -> int:
        """Return the views with which somebody surely is in doubt, or surely is not."""
        return self._circuits.get((doubt, in_doubt), FALSE)

    def is_doubtful(self, doubt: Doubt, seen: State, run: SeenRun) -> None:
        """Keep that somebody with this view is in doubt."""
        if (doubt, seen) not in self._doubtful:
            self._doubtful[doubt, seen] = run
            self._learn(doubt, self.view(doubt, seen), in_doubt=True)

    def is_sure(self, doubt: Doubt, part: PartOfView, *, by_invariant: bool) -> None:
        """Keep that nobody who sees this is in doubt; circuits have it where the invariant says so."""
        self._sure.setdefault(doubt, []).append(part)
        if not by_invariant:
            self._learn(doubt, part, in_doubt=False)

    def _learn(self, doubt: Doubt, part: PartOfView, *, in_doubt: bool) -> None:
        graph, found = self._system.graph, TRUE
        for bit, value in self.bits_of(part).items():
            found = graph.both(found, graph.variable(bit) ^ (not value))
        before = self.circuit(doubt, in_doubt=in_doubt)
        self._circuits[doubt, in_doubt] = graph.either(before, found)

    def bits_of(self, part: PartOfView) -> dict[int, bool]:
        """Return the bits of what some variables are worth."""
        system = self._system.system
        found: dict[int, bool] = {}
        for key, value in part.items():
            code = number_of(system.variables[system.position[key]].domain, value)
            bits = self._system.layout.variables[key].now
            for place, bit in enumerate(reversed(bits)):
                found[bit] = bool(code >> place & 1)
        return found

    def strengthen(self, cubes: tuple[Cube, ...], bits: list[int]) -> None:
        """Learn that no reachable state is in any of some cubes."""
        graph = self._system.graph
        for cube in cubes:
            if cube in self.cubes:
                continue
            self.cubes[cube] = None
            inside = TRUE
            for literal in sorted(cube, key=abs):
                value = graph.variable(bits[abs(literal) - 1]) ^ (literal < 0)
                inside = graph.both(inside, value)
            self.valid = graph.minus(self.valid, inside)
