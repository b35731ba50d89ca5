"""Circuits of formulae about one moment: exact but for what is known, where they say what is possible.

Somebody may be in doubt where a state looks the same in which something may fail: its unseen bits are inputs,
and all that is known of reachable states is demanded of it. Views that were looked into are left out.
"""

from gnomon.checking.momentary import (
    Doubt,
    KnowledgeFormula,
    doubts_of,
    is_momentary,
    seen_variables,
)
from gnomon.checking.view_facts import ViewFacts
from gnomon.engines.sat.and_inverter import FALSE, TRUE
from gnomon.engines.sat.machine import Machine, SystemMachine
from gnomon.model import expression as typed
from gnomon.model.formula import (
    And,
    Constant,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    StateCondition,
)
from gnomon.model.fragment import is_propositional


def condition_of(system: SystemMachine, formula: Formula) -> int:
    """Return the circuit of a formula that only looks at the state."""
    graph = system.graph

    def of(part: Formula) -> int:
        match part:
            case Constant(value):
                return TRUE if value else FALSE
            case Proposition(name):
                return system.condition(system.system.propositions[name])
            case StateCondition(expression):
                return system.condition(expression)
            case Norm(agent, red):
                found = system.condition(system.system.agent(agent).red or typed.FALSE)
                return found if red else found ^ 1
            case Not(body):
                return of(body) ^ 1
            case And(operands):
                found = TRUE
                for operand in operands:
                    found = graph.both(found, of(operand))
                return found
            case Or(operands):
                return of(And(tuple(Not(operand) for operand in operands))) ^ 1
            case Implies(left, right):
                return graph.either(of(left) ^ 1, of(right))
            case Iff(left, right):
                return graph.differ(of(left), of(right)) ^ 1
            case _:
                raise AssertionError(part)

    return of(formula)


#: The circuits of doubts about one state; elsewhere the same doubt takes other inputs.
_Here = dict[Doubt, int]


class MomentCircuits:
    """Where formulae about one moment may hold, for a machine to which inputs are added."""

    def __init__(self, system: SystemMachine, machine: Machine, facts: ViewFacts) -> None:
        """Say it with what is known of views by now."""
        self._system = system
        self._machine = machine
        self._facts = facts
        self._here: _Here = {}

    def __call__(self, formula: Formula) -> int:
        """Return the circuit of where a formula may hold."""
        return self._of(formula, self._here, wanted=True)

    def fails(self, doubt: Doubt) -> int:
        """Return where a state may look the same in which something fails, whatever was looked into."""
        graph, machine = self._system.graph, self._machine
        may = TRUE
        if is_momentary(doubt.body):
            may = self._of(doubt.body, {}, wanted=False)
        there = graph.both(may, machine.valid)
        layout = self._system.layout
        seen = {
            bit
            for variable in seen_variables(self._system.system, doubt.agents)
            for bit in layout.variables[variable].now
        }
        bits = {bit for each in layout.variables.values() for bit in each.now} - seen
        hidden = sorted(bits & graph.support(there))
        return graph.substitute(there, {bit: graph.variable(machine.new_input()) for bit in hidden})

    def _of(self, part: Formula, here: _Here, *, wanted: bool) -> int:
        graph = self._system.graph
        if is_propositional(part):
            return condition_of(self._system, part) ^ (not wanted)
        match part:
            case Not(body):
                return self._of(body, here, wanted=not wanted)
            case And(operands) | Or(operands):
                every = isinstance(part, And) == wanted
                found = TRUE if every else FALSE
                for operand in operands:
                    circuit = self._of(operand, here, wanted=wanted)
                    found = (graph.both if every else graph.either)(found, circuit)
                return found
            case Implies(left, right):
                return self._of(Or((Not(left), right)), here, wanted=wanted)
            case Iff(left, right):
                cases = ((one, one == wanted) for one in (True, False))
                one, other = (
                    graph.both(
                        self._of(left, here, wanted=first), self._of(right, here, wanted=second)
                    )
                    for first, second in cases
                )
                return graph.either(one, other)
            case Knows() | GroupKnows() | Obliged():
                return self._knowledge(part, here, wanted=wanted)
            case _:
                raise AssertionError(part)

    def _knowledge(self, part: KnowledgeFormula, here: _Here, *, wanted: bool) -> int:
        graph = self._system.graph
        found = TRUE if wanted else FALSE
        for doubt in doubts_of(part) or ():
            if wanted:
                found = graph.both(found, self._sure(doubt, here))
            else:
                found = graph.either(found, self._doubtful(doubt, here))
        return found

    def _doubtful(self, doubt: Doubt, here: _Here) -> int:
        if doubt not in here:
            here[doubt] = self._system.graph.minus(
                self.fails(doubt), self._facts.circuit(doubt, in_doubt=False)
            )
        return here[doubt]

    def _sure(self, doubt: Doubt, here: _Here) -> int:
        """Return where there may be no doubt: a state looks like itself."""
        may = TRUE
        if is_momentary(doubt.body):
            may = self._of(doubt.body, here, wanted=True)
        return self._system.graph.minus(may, self._facts.circuit(doubt, in_doubt=True))
