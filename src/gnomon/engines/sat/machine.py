"""A machine of bits: how it may start, and what holds of its steps, as circuits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from gnomon.engines.diagrams.bit_layout import Structure, lay_out, structure_of
from gnomon.engines.diagrams.interleaving import InterleavedRelation
from gnomon.engines.sat.and_inverter import TRUE, AndInverterGraph
from gnomon.engines.sat.circuits import relation_of
from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.model.budget import Unsuited
from gnomon.model.domain import Datum, value_at
from gnomon.model.expression import Expression
from gnomon.model.step import State
from gnomon.model.system import System

#: So many conflicts are enough to see that no value leaves its range, if that is plain.
_CONFLICTS: Final = 1_000


class Bit(NamedTuple):
    """A bit of the state and its next value, as variables of circuits: one where it never changes."""

    now: int
    next: int


class StepPart(NamedTuple):
    """A condition on steps, and the next bits that no other part speaks of.

    Where it is known for which bits and inputs there are such next bits, whatever they are, that is `able`.
    """

    diagram: int
    bits: frozenset[int] = frozenset()
    able: int | None = None


@dataclass
class Machine:
    """Bits, the circuits of their initial values and of steps, and how many variables circuits have."""

    graph: AndInverterGraph
    bits: list[Bit]
    initial: int
    parts: list[StepPart]
    variables: int
    #: What holds in the beginning and after every step.
    valid: int = TRUE

    def copied(self) -> "Machine":
        """Return the same machine, to be made larger."""
        return Machine(
            self.graph,
            list(self.bits),
            self.initial,
            list(self.parts),
            self.variables,
            self.valid,
        )

    def new_bit(self) -> Bit:
        """Add a bit to the state, of which nothing is said yet."""
        bit = Bit(self.variables, self.variables + 1)
        self.variables += 2
        self.bits.append(bit)
        return bit

    def new_input(self) -> int:
        """Return a variable that may have any value in every step."""
        self.variables += 1
        return self.variables - 1

    def starts_with(self, condition: int) -> None:
        """Demand something of the initial values."""
        self.initial = self.graph.both(self.initial, condition)

    def assign(self, bit: Bit, value: int) -> None:
        """Say what a bit becomes."""
        graph = self.graph
        becomes = graph.differ(graph.variable(bit.next), value) ^ 1
        self.parts.append(StepPart(becomes, frozenset((bit.next,)), TRUE))


@dataclass
class SystemMachine:
    """The machine of a system, and states and conditions of the one in terms of the other."""

    system: System
    graph: AndInverterGraph = field(default_factory=AndInverterGraph)

    def __post_init__(self) -> None:
        """Encode the system."""
        # Nothing depends on the order: things stay as they are written.
        found = structure_of(self.system, ())
        self.layout = lay_out(self.system, Structure(found.items, [], found.partners), "written")
        self.relation = relation_of(self.system, self.layout, self.graph)
        self._encoder = self.relation.encoder

    @cached_property
    def machine(self) -> Machine:
        """The machine."""
        bits = [
            Bit(now, after)
            for each in self.layout.variables.values()
            for now, after in zip(each.now, each.next or each.now, strict=True)
        ]
        valid = self.relation.valid()
        initial = self.graph.both(self._encoder.condition(self.system.initial), valid)
        parts = [*self._parts()]
        return Machine(self.graph, bits, initial, parts, self.layout.size, valid)

    def _parts(self) -> Iterator[StepPart]:
        relation, layout = self.relation, self.layout
        if isinstance(relation, InterleavedRelation):
            yield StepPart(self._some_event(relation))
            return
        for part in relation.parts:
            levels = [
                level for v in part.assigned for level in layout.variables[v.agent, v.name].next
            ]
            yield StepPart(part.diagram, frozenset(levels), self._able(part.diagram, levels))

    def _able(self, diagram: int, levels: Sequence[int]) -> int | None:
        """Return where next values satisfy a part of the relation, if that is no large circuit."""
        if not levels:
            return None
        if not self.may_overflow:
            return TRUE
        try:
            return self.graph.exists(diagram, self.graph.cube(levels))
        except Unsuited:
            return None

    def _some_event(self, relation: InterleavedRelation) -> int:
        """Return that one event happens, and all variables of others stay as they are."""
        graph, layout = self.graph, self.layout
        changing = [v for v in self.system.variables if layout.variables[v.agent, v.name].next]
        found = graph.false
        for event in relation.events:
            moved = {variable for part in event.parts for variable in part.assigned}
            happens = relation.stay(variable for variable in changing if variable not in moved)
            for part in event.parts:
                happens = graph.both(happens, part.diagram)
            found = graph.either(found, happens)
        return found

    def condition(self, expression: Expression) -> int:
        """Return the circuit of a condition on states."""
        found: int = self._encoder.condition(expression, self.relation.does)
        return found

    def state(self, values: Mapping[int, bool]) -> State:
        """Return the state that the values of some bits are."""
        found: list[Datum] = []
        for variable in self.system.variables:
            code = 0
            for level in self.layout.variables[variable.agent, variable.name].now:
                code = 2 * code + values[level]
            found.append(value_at(variable.domain, code))
        return tuple(found)

    def is_state(self, state: State) -> int:
        """Return the circuit that is true in one state."""
        found = TRUE
        for variable, value in zip(self.system.variables, state, strict=True):
            bits = self.layout.variables[variable.agent, variable.name].now
            here = self._encoder.is_code(bits, self._encoder.code(variable, value))
            found = self.graph.both(found, here)
        return found

    @cached_property
    def may_overflow(self) -> bool:
        """Whether some value may leave its range in some state, reachable or not, if that is not plain."""
        gates = Gates()
        copy = CircuitCopy(gates, self.graph, {})
        bad = [copy.literal(self.relation.overflow), copy.literal(self.relation.valid())]
        return gates.solver.is_satisfiable(bad, _CONFLICTS) is not False
