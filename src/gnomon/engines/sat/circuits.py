"""The steps of a system as a circuit, on the encoder of the decision diagrams.

The encoder asks its diagrams two things that a circuit cannot tell: whether conditions exclude each other,
which a solver is asked, and whether a value can be out of range, which is said by comparing it.
"""

from typing import Any, Final

from gnomon.engines.diagrams.bit_layout import BitLayout
from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.interleaving import InterleavedRelation
from gnomon.engines.diagrams.quotients import Quotients
from gnomon.engines.diagrams.relation import TransitionRelation
from gnomon.engines.sat.and_inverter import AndInverterGraph
from gnomon.engines.sat.clauses import CircuitCopy, Gates
from gnomon.model import expression as typed
from gnomon.model.agent import Agent, EvolutionLine, Variable
from gnomon.model.budget import Unsuited
from gnomon.model.domain import Boolean, IntegerRange, contains
from gnomon.model.system import System

#: So many conflicts are enough to see that conditions exclude each other, if they do.
_CONFLICTS: Final = 200


class _OnCircuits(TransitionRelation):
    """What is different where diagrams are circuits."""

    #: Whether it is known of each value where it is out of range.
    exact = True
    _gates: Gates | None = None

    def _exclusive(self, conditions: list[Any]) -> bool:
        """Return whether no two conditions hold together; not, where that is too much to find out."""
        d = self.diagrams
        if len(conditions) < 2:
            return True
        if self._gates is None:
            assert isinstance(d, AndInverterGraph)
            self._gates = Gates()
            self._copy = CircuitCopy(self._gates, d, {})
        seen = d.false
        for condition in conditions:
            together = d.both(seen, condition)
            if together == d.true:
                return False
            if together != d.false:
                literal = self._copy.literal(together)
                if self._gates.solver.is_satisfiable([literal], _CONFLICTS) is not False:
                    return False
            seen = d.either(seen, condition)
        return True

    def _note_overflow(self, agent: Agent, lines: list[tuple[EvolutionLine, Any]]) -> None:
        """Collect where an enabled line may give a value outside its range."""
        d = self.diagrams
        variables = {variable.name: variable for variable in agent.variables}
        for line, guard in lines:
            for item in line.assignments:
                fits = self._fits(variables[item.variable], item.value)
                self.overflow = d.either(self.overflow, d.minus(guard, fits))

    def _fits(self, variable: Variable, value: typed.Expression) -> Any:
        """Return where a value is in the range of a variable; nowhere, if that is not known."""
        d = self.diagrams
        match variable.domain, value:
            case Boolean(), _:
                return d.true
            case domain, typed.Literal(known):
                return d.true if contains(domain, known) else d.false
            case IntegerRange(low, high), _ if not Quotients().has_quotient(value):
                above = typed.Compare(">=", value, typed.Literal(low))
                below = typed.Compare("<=", value, typed.Literal(high))
                return self.encoder.condition(typed.And((above, below)), self.does)
        bits = self.encoder.layout.variables[variable.agent, variable.name].next
        try:
            return d.exists(self._becomes(variable, value), d.cube(bits))
        except Unsuited:
            self.exact = False
            return d.false


class CircuitRelation(_OnCircuits):
    """The steps of a system in which everybody moves."""


class InterleavedCircuits(_OnCircuits, InterleavedRelation):
    """The events of an interleaved system."""


def relation_of(
    system: System, layout: BitLayout, graph: AndInverterGraph
) -> CircuitRelation | InterleavedCircuits:
    """Encode the steps of a system."""
    encoder = Encoder(system, layout, graph)
    made = InterleavedCircuits if system.interleaved else CircuitRelation
    return made(system, encoder)
