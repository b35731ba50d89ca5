"""The steps of a system as a partitioned relation: many small parts, quantified as early as possible."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gnomon.engines.diagrams.encode import Encoder
from gnomon.engines.diagrams.image import RelationPart, support
from gnomon.engines.diagrams.interface import Diagram, Diagrams
from gnomon.engines.diagrams.value_codes import balanced
from gnomon.model.agent import Agent, EvolutionLine, Variable
from gnomon.model.domain import contains, size_of
from gnomon.model.expression import Expression, Literal, actors, reads
from gnomon.model.system import System


@dataclass(frozen=True, slots=True)
class ProtocolDiagrams:
    """What one agent may do: where each action is enabled, and where any is.

    A `forced` agent never has more than one enabled action, so its action needs no variables.
    """

    enabled: dict[str, Diagram]
    alive: Diagram
    forced: bool


class Partitioned:
    """A relation in parts, over the levels of a layout."""

    #: Whether it pays to join parts beforehand in order to get rid of actions.
    joins_actions = True

    def __init__(self, system: System, encoder: Encoder) -> None:
        """Start without any part."""
        self.system = system
        self.encoder = encoder
        self.diagrams: Diagrams = encoder.diagrams
        self.protocols: dict[str, ProtocolDiagrams] = {}
        self.parts: list[RelationPart] = []
        #: Products of parts without the action of an agent, which many cases have in common.
        self.products: dict[tuple[Any, ...], RelationPart | None] = {}
        self._actors = {
            level: agent for agent, levels in encoder.layout.actions.items() for level in levels
        }

    def does(self, agent: str, action: str) -> Diagram:
        """Return where an agent does an action: where it is enabled, if that leaves no choice."""
        protocol = self.protocols[agent]
        if protocol.forced:
            return protocol.enabled[action]
        number = self.system.agent(agent).actions.index(action)
        return self.encoder.is_code(self.encoder.layout.actions.get(agent, ()), number)

    def actors(self, levels: Iterable[int]) -> set[str]:
        """Return the agents whose actions are at some of the levels."""
        known = self._actors
        return {known[level] for level in levels if level in known}

    def staying(self, variable: Variable) -> RelationPart:
        """Return the part that says that a variable keeps its value."""
        bits = self.encoder.layout.variables[variable.agent, variable.name]
        return RelationPart(self._stays(variable), frozenset((*bits.now, *bits.next)))

    def stay(self, variables: Iterable[Variable]) -> Diagram:
        """Return where these variables keep their values."""
        d = self.diagrams
        return balanced(d.both, [self._stays(variable) for variable in variables], d.true)

    def _stays(self, variable: Variable) -> Diagram:
        bits = self.encoder.layout.variables[variable.agent, variable.name]
        return self.encoder.equal_bits(bits.now, bits.next)

    def part(
        self,
        diagram: Diagram,
        assigned: tuple[Variable, ...] = (),
        among: Collection[int] | None = None,
    ) -> RelationPart:
        """Return a part with what it depends on; where known, all of that is `among` some levels."""
        return RelationPart(diagram, support(self.diagrams, diagram, among), assigned)


class TransitionRelation(Partitioned):
    """The parts of the transition relation, and what engines ask of them."""

    def __init__(self, system: System, encoder: Encoder) -> None:
        """Encode the protocols and evolutions of all agents."""
        super().__init__(system, encoder)
        self._protocols_read: dict[str, frozenset[int]] = {}
        self.protocols = {agent.name: self._protocol(agent) for agent in system.agents}
        self.overflow = self.alive = self.diagrams.false
        self._encode()

    def _encode(self) -> None:
        """Encode the steps in which everybody moves."""
        evolution = [part for agent in self.system.agents for part in self._evolution(agent)]
        constraints = [self._may_act(agent) for agent in self.system.agents]
        # A variable that may take any value has a part that says nothing: kept, to be known as changing.
        self.parts = [
            part
            for part in (*constraints, *evolution)
            if part.assigned or part.diagram != self.diagrams.true
        ]
        self.alive = balanced(
            self.diagrams.both,
            [protocol.alive for protocol in self.protocols.values()],
            self.diagrams.true,
        )

    # Protocols

    def _protocol(self, agent: Agent) -> ProtocolDiagrams:
        d = self.diagrams
        if not agent.actions:
            return ProtocolDiagrams({}, d.true, forced=True)
        free = agent.is_environment and not agent.protocol and agent.other is None
        conditions = [self.encoder.condition(line.condition) for line in agent.protocol]
        nowhere = d.opposite(balanced(d.either, list(conditions), d.false))
        enabled: dict[str, Diagram] = {}
        for action in agent.actions:
            where = [
                condition
                for line, condition in zip(agent.protocol, conditions, strict=True)
                if action in line.actions
            ]
            if free:
                where.append(d.true)
            elif agent.other is not None and action in agent.other:
                where.append(nowhere)
            enabled[action] = balanced(d.either, where, d.false)
        alive = balanced(d.either, list(enabled.values()), d.false)
        return ProtocolDiagrams(enabled, alive, forced=self._exclusive(list(enabled.values())))

    def _exclusive(self, conditions: list[Diagram]) -> bool:
        """Return whether no two of the conditions hold together."""
        d = self.diagrams
        seen = d.false
        for condition in conditions:
            if d.both(seen, condition) != d.false:
                return False
            seen = d.either(seen, condition)
        return True

    def choices(self, agent: str) -> Diagram:
        """Return which codes of which enabled actions the agent may choose, state by state."""
        d = self.diagrams
        protocol = self.protocols[agent]
        if protocol.forced:
            return protocol.alive
        parts = [
            d.both(self.does(agent, action), where) for action, where in protocol.enabled.items()
        ]
        return balanced(d.either, parts, d.false)

    def _may_act(self, agent: Agent) -> RelationPart:
        return self.part(self.choices(agent.name))

    # Evolution

    def _evolution(self, agent: Agent) -> Iterable[RelationPart]:
        # Not those with bits for their next values: a variable of one value needs none, and still an
        # assignment to it may be without a result.
        named = {item.variable for line in agent.evolution for item in line.assignments}
        assigned = [variable for variable in agent.variables if variable.name in named]
        if not assigned:
            return
        guards = [self.encoder.condition(line.guard, self.does) for line in agent.evolution]
        lines = list(zip(agent.evolution, guards, strict=True))
        self._note_overflow(agent, lines)
        separate = self.system.semantics == "SingleAssignment" or self._exclusive(guards)
        if separate:
            for variable in assigned:
                among = self._looked_at(agent.evolution, [variable])
                yield self.part(self._next_of(variable, lines), self._changing([variable]), among)
        else:
            among = self._looked_at(agent.evolution, assigned)
            yield self.part(self._next_of_all(assigned, lines), self._changing(assigned), among)

    def _looked_at(
        self, lines: Iterable[EvolutionLine], variables: Sequence[Variable]
    ) -> frozenset[int]:
        """Return all levels that the change of some variables may depend on: more than enough."""
        layout = self.encoder.layout
        found: set[int] = set()
        for variable in variables:
            bits = layout.variables[variable.agent, variable.name]
            found.update(bits.now, bits.next)
        names = {variable.name for variable in variables}
        named: list[Expression] = []
        for line in lines:
            if any(assignment.variable in names for assignment in line.assignments):
                named += [line.guard, *(assignment.value for assignment in line.assignments)]
        for name in actors(*named):
            # What an agent without a choice does follows from the state.
            found.update(layout.actions.get(name, ()), self._protocol_levels(name))
        found.update(self._read_levels(named))
        return frozenset(found)

    def _protocol_levels(self, name: str) -> frozenset[int]:
        if name not in self._protocols_read:
            conditions = [line.condition for line in self.system.agent(name).protocol]
            self._protocols_read[name] = self._read_levels(conditions)
        return self._protocols_read[name]

    def _read_levels(self, expressions: Iterable[Expression]) -> frozenset[int]:
        variables = self.encoder.layout.variables
        read = reads(*expressions)
        return frozenset(
            level for each in read for level in variables[each.agent, each.variable].now
        )

    def _changing(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """Return those of some variables that have another value to go to."""
        layout = self.encoder.layout
        return tuple(v for v in variables if layout.variables[v.agent, v.name].next)

    def _next_of(self, variable: Variable, lines: list[tuple[EvolutionLine, Diagram]]) -> Diagram:
        """Return how one variable changes, where its lines do not depend on those of others."""
        d = self.diagrams
        cases: list[Diagram] = []
        touched: list[Diagram] = []
        for line, guard in lines:
            for assignment in line.assignments:
                if assignment.variable == variable.name:
                    cases.append(d.both(guard, self._becomes(variable, assignment.value)))
                    touched.append(guard)
        untouched = d.opposite(balanced(d.either, touched, d.false))
        cases.append(d.both(untouched, self._stays(variable)))
        return balanced(d.either, cases, d.false)

    def _next_of_all(
        self, assigned: list[Variable], lines: list[tuple[EvolutionLine, Diagram]]
    ) -> Diagram:
        """Return how an agent changes where several of its lines may be enabled at once."""
        d = self.diagrams
        cases: list[Diagram] = []
        for line, guard in lines:
            changes = {item.variable: item.value for item in line.assignments}
            parts = [
                self._becomes(variable, changes[variable.name])
                if variable.name in changes
                else self._stays(variable)
                for variable in assigned
            ]
            cases.append(d.both(guard, balanced(d.both, parts, d.true)))
        nothing = d.opposite(balanced(d.either, [guard for _, guard in lines], d.false))
        cases.append(d.both(nothing, self.stay(assigned)))
        return balanced(d.either, cases, d.false)

    def _becomes(self, variable: Variable, value: Expression) -> Diagram:
        return self.encoder.becomes(variable, value, self.does)

    def _note_overflow(self, agent: Agent, lines: list[tuple[EvolutionLine, Diagram]]) -> None:
        """Collect where an enabled line would give a value outside its range."""
        d = self.diagrams
        variables = {variable.name: variable for variable in agent.variables}
        for line, guard in lines:
            for item in line.assignments:
                variable = variables[item.variable]
                bits = self.encoder.layout.variables[agent.name, item.variable].next
                if isinstance(item.value, Literal) and contains(variable.domain, item.value.value):
                    continue
                fits = d.exists(self._becomes(variable, item.value), d.cube(bits))
                if fits != d.true:
                    self.overflow = d.either(self.overflow, d.minus(guard, fits))

    def valid(self) -> Diagram:
        """Return where all variables have codes that stand for values."""
        d = self.diagrams
        parts = [
            self.encoder.valid(
                self.encoder.layout.variables[variable.agent, variable.name].now,
                size_of(variable.domain) or 1,
            )
            for variable in self.system.variables
        ]
        return balanced(d.both, parts, d.true)
