"""One system as a circuit, and what satisfiability finds out about it, within limits of time."""

import time
from functools import cached_property
from importlib.util import find_spec
from typing import Final

from gnomon.checking.decider import Decision
from gnomon.checking.moment_circuits import condition_of
from gnomon.checking.path_machine import PathMachine, path_machine
from gnomon.checking.path_question import PathAnswer, PathQuestion
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.supported import mishap
from gnomon.checking.verdict import Value
from gnomon.engines.diagrams.bit_layout import bits_needed
from gnomon.engines.sat.clauses import CircuitCopy, Gates, Slices
from gnomon.engines.sat.machine import Machine, SystemMachine
from gnomon.logic.path import TRUE as ANY_PATH
from gnomon.logic.path import Path
from gnomon.model.budget import LimitReached, TryAnother
from gnomon.model.formula import Formula
from gnomon.model.fragment import is_propositional
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.text.errors import GnomonError
from gnomon.text.limits import room_to_recurse

#: More initial states than this are not asked one by one whether a path starts there.
MOST_STARTS: Final = 64
#: A circuit of more bits than this is not made.
_MOST_BITS: Final = 10_000


class NotSolvable(GnomonError):
    """Something cannot be decided by satisfiability, in words for the user."""


class CircuitWork:
    """One system as a circuit, what is asked of it, and how much time there is."""

    def __init__(self, shared: SharedWork) -> None:
        """Encode nothing yet."""
        self.shared = shared
        self.system: System = shared.system
        self._until: float | None = None
        self._seconds = 0.0
        self._fair: dict[State | None, PathQuestion] = {}
        self._checks: dict[str, PathQuestion] = {}

    # Time

    def allow(self, seconds: float) -> None:
        """Stop after so many more seconds of the processor."""
        self._seconds = seconds
        self._until = time.process_time() + seconds

    def limit(self, phase: str, amount: int) -> None:
        """Raise `LimitReached` where a limit is reached, `TryAnother` where a share of the time is over."""
        self.shared.budget.check(phase, amount)
        if self._until is not None and time.process_time() > self._until:
            msg = f"satisfiability had no answer within its share of {self._seconds:.1f} s"
            raise TryAnother(msg)

    def finished(self, work: Slices) -> bool:
        """Return what comes of some work, within the limits."""
        while True:
            self.limit("satisfiability", 0)
            try:
                next(work)
            except StopIteration as end:
                return bool(end.value)

    # The circuit

    @cached_property
    def circuit(self) -> SystemMachine:
        """The system as a circuit."""
        if find_spec("pysat") is None:
            msg = "--engine sat needs the package `python-sat`"
            raise LimitReached(msg)
        if self.shared.task.options.strategies == "uniform-model":
            msg = "models are pruned to strategies state by state: use --engine explicit"
            raise LimitReached(msg)
        if bits_needed(self.system) > _MOST_BITS:
            msg = f"the variables need more than {_MOST_BITS:,} bits: try --engine explicit"
            raise LimitReached(msg)
        with room_to_recurse():
            return SystemMachine(self.system)

    @cached_property
    def machine(self) -> Machine:
        """The machine of the system."""
        with room_to_recurse():
            return self.circuit.machine

    def starts(self) -> bool:
        """Return whether there is an initial state."""
        return self._starts

    @cached_property
    def _starts(self) -> bool:
        gates = Gates()
        copy = CircuitCopy(gates, self.machine.graph, {})
        return self.finished(gates.solving([copy.literal(self.machine.initial)]))

    @cached_property
    def initial(self) -> tuple[State, ...] | None:
        """The initial states, None where there are too many."""
        gates = Gates()
        copy = CircuitCopy(gates, self.machine.graph, {})
        gates.require(copy.literal(self.machine.initial))
        places = [copy.variable(bit.now) for bit in self.machine.bits]
        found: list[State] = []
        while self.finished(gates.solving(())):
            if len(found) == MOST_STARTS:
                return None
            self.limit("initial states", len(found))
            values = gates.values(places)
            bits = {bit.now: each for bit, each in zip(self.machine.bits, values, strict=True)}
            found.append(self.circuit.state(bits))
            gates.require(
                *(-each if value else each for each, value in zip(places, values, strict=True))
            )
        return tuple(found)

    def machine_from(self, state: State | None) -> Machine:
        """Return the machine that starts in one state, in all that are initial if it is None."""
        if state is None:
            return self.machine
        machine = self.machine.copied()
        machine.initial = self.circuit.is_state(state)
        return machine

    @cached_property
    def just(self) -> tuple[int, ...]:
        """The circuits of the constraints of fairness."""
        for each in self.system.fairness:
            if not is_propositional(each.formula):
                msg = f"satisfiability takes conditions on the state as fairness, not `{each.text}`"
                raise NotSolvable(msg)
        return tuple(self.circuit_of(each.formula) for each in self.system.fairness)

    def circuit_of(self, formula: Formula) -> int:
        """Return the circuit of a formula that only looks at the state."""
        with room_to_recurse():
            return condition_of(self.circuit, formula)

    def size(self) -> str:
        """Return how large the circuit is."""
        bits, nodes = len(self.machine.bits), self.machine.graph.total_size()
        return f"{bits} bits, {nodes:,} nodes"

    # Questions

    def question(self, path: Path, state: State | None, *, endless: bool) -> PathQuestion:
        """Return whether a path that counts satisfies something, from a state or from any initial one."""
        start = self.machine_from(state)
        with room_to_recurse():
            found = path_machine(self.circuit, start, path)
        return PathQuestion(start, found, self.just, endless=endless)

    def fair_path(self, state: State | None) -> PathAnswer:
        """Return a fair path from a state, or from any initial one, or that there is none."""
        if state not in self._fair:
            self._fair[state] = self.question(ANY_PATH, state, endless=True)
        return self._fair[state].ask(self.limit)

    def run_of(self, answer: PathAnswer) -> tuple[list[State], int | None]:
        """Return the states of a run that was found, and where it goes on after the last of them."""
        assert answer.run is not None
        states = [self.circuit.state(values) for values in answer.run.moments]
        return states, answer.run.loop

    def sanity(self, check: str) -> tuple[Decision, State | None]:
        """Return whether no deadlock, or no overflow, is reached, and the state in which one is."""
        if not self.circuit.relation.exact:
            msg = "it is not known as a circuit where values leave their ranges"
            raise NotSolvable(msg)
        overflow = check == "overflow"
        if not overflow and self.circuit.may_overflow and self._mishap("overflow").run is not None:
            msg = "where values leave their ranges, deadlocks are not looked for as circuits"
            raise NotSolvable(msg)
        answer = self._mishap(check)
        if answer.run is None:
            return Decision(Value.TRUE), None
        states, _ = self.run_of(answer)
        return Decision(Value.FALSE, evidence=mishap(self.system, states, check)), states[-1]

    def _mishap(self, check: str) -> PathAnswer:
        """Return a run to where something is lost, or to where all are stuck if nothing is lost anywhere."""
        question = self._checks.get(check)
        if question is None:
            bad = self._lost if check == "overflow" else self._stuck
            found = PathMachine(self.machine, bad, (), ends=True, target=bad)
            question = self._checks[check] = PathQuestion(self.machine, found, endless=False)
        return question.ask(self.limit)

    @property
    def _stuck(self) -> int:
        graph, stuck = self.machine.graph, self.circuit.relation.alive ^ 1
        terminal = self.system.terminal
        if terminal is None:
            return int(stuck)
        return graph.minus(stuck, self.circuit.condition(terminal))

    @property
    def _lost(self) -> int:
        graph, relation = self.machine.graph, self.circuit.relation
        found: int = relation.overflow
        if not self.system.interleaved:
            for agent in self.system.agents:
                found = graph.both(found, relation.choices(agent.name))
        return found
