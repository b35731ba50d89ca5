"""Which views leave somebody in doubt, and which do not, as far as that was found out."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from gnomon.checking.momentary import Doubt, seen_variables
from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.machine import SystemMachine
from gnomon.engines.sat.reachability import Cube
from gnomon.model.domain import number_of
from gnomon.model.step import State

#: Bits of what agents see, with their values.
PartOfView: TypeAlias = Mapping[int, bool]


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
        view = self.bits_of(doubt, seen).items()
        sure = self._sure.get(doubt, ())
        return False if any(part.items() <= view for part in sure) else None

    def bits_of(self, doubt: Doubt, seen: State) -> dict[int, bool]:
        """Return the bits that a view consists of, of each number the highest first."""
        system = self._system.system
        found: dict[int, bool] = {}
        variables = seen_variables(system, doubt.agents)
        for variable, value in zip(variables, seen, strict=True):
            code = number_of(system.variables[system.position[variable]].domain, value)
            bits = self._system.layout.variables[variable].now
            for place, bit in enumerate(bits, 1):
                found[bit] = bool(code >> (len(bits) - place) & 1)
        return found

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
            self._learn(doubt, self.bits_of(doubt, seen), in_doubt=True)

    def is_sure(self, doubt: Doubt, part: PartOfView, *, by_invariant: bool) -> None:
        """Keep that nobody who sees this is in doubt; circuits have it where the invariant says so."""
        self._sure.setdefault(doubt, []).append(part)
        if not by_invariant:
            self._learn(doubt, part, in_doubt=False)

    def _learn(self, doubt: Doubt, part: PartOfView, *, in_doubt: bool) -> None:
        before = self.circuit(doubt, in_doubt=in_doubt)
        self._circuits[doubt, in_doubt] = self._system.graph.either(before, self.inside(part))

    def inside(self, part: PartOfView) -> int:
        """Return the circuit of where bits are like this."""
        graph, found = self._system.graph, TRUE
        for bit, value in part.items():
            found = graph.both(found, graph.variable(bit) ^ (not value))
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
