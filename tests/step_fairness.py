"""Fairness on actions by its definition: a path is fair if steps of it meet each constraint again and again.

Nothing is remembered and nobody is added to the system: steps are labelled with the constraints that they
meet, and a component of the graph is fair if there is a step inside it for each of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import TypeAlias

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.observers import looks_at_actions
from gnomon.model.step import JointAction, State
from gnomon.model.system import Logic, System
from tests.oracle import Oracle, States, Uniform, exists, unfolded

#: Where steps lead, each with the numbers of the constraints that it meets.
Labelled: TypeAlias = frozenset[tuple[State, frozenset[int]]]


def met(system: System, formula: f.Formula, state: State, actions: JointAction) -> bool:
    """Return whether a step meets a constraint."""

    def value(part: f.Formula) -> bool:
        return met(system, part, state, actions)

    match formula:
        case f.Constant(constant):
            return constant
        case f.Proposition(name):
            return step.holds(system.propositions[name], system, state)
        case f.StateCondition(expression):
            return step.holds(expression, system, state, actions)
        case f.Norm(agent, red):
            marked = system.agent(agent).red
            return (marked is not None and step.holds(marked, system, state)) is red
        case f.Not(body):
            return not value(body)
        case f.And(operands):
            return all(map(value, operands))
        case f.Or(operands):
            return any(map(value, operands))
        case f.Implies(left, right):
            return value(right) if value(left) else True
        case f.Iff(left, right):
            return value(left) is value(right)
        case _:
            raise AssertionError(formula)


class StepOracle(Oracle):
    """The oracle, where fairness is about steps."""

    #: The same without fairness.
    _read: Oracle | None = None

    def label(self, state: State, actions: JointAction) -> frozenset[int]:
        """The numbers of the constraints that a step meets."""
        return frozenset(
            number
            for number, each in enumerate(self.system.fairness)
            if (
                met(self.system, each.formula, state, actions)
                if looks_at_actions(each.formula)
                else state in self.where_met(each.formula)
            )
        )

    def where_met(self, constraint: f.Formula) -> States:
        """Where a constraint on states holds, read without fairness."""
        plain = replace(self.system, fairness=())
        if self._read is None:
            self._read = Oracle(plain, profile=self.profile)
        return self._read.states(constraint)

    def labelled(self, state: State, actions: JointAction) -> Labelled:
        """Where a joint action may lead."""
        label = self.label(state, actions)
        return frozenset((target, label) for target in self.moves[state][actions])

    def fair_path(
        self, graph: Mapping[State, Labelled], path: f.Formula, logic: Logic = "CTL"
    ) -> States:
        """Where a path of the graph is fair and satisfies a path formula."""
        return self.judged(graph, path, lambda part: self.states(part, logic))

    def judged(
        self,
        graph: Mapping[State, Labelled],
        path: f.Formula,
        states: Callable[[f.Formula], States],
    ) -> States:
        """The same, by whoever says where formulae about the state hold."""
        plain = {s: frozenset(target for target, _ in steps) for s, steps in graph.items()}
        steps = tuple(
            frozenset((s, t) for s, found in graph.items() for t, label in found if number in label)
            for number in range(len(self.system.fairness))
        )
        return exists(plain, path, states, (), steps)

    @cached_property
    def steps(self) -> dict[State, Labelled]:
        """All steps."""
        return {
            s: frozenset().union(*(self.labelled(s, actions) for actions in moves))
            for s, moves in self.moves.items()
        }

    @cached_property
    def universe(self) -> States:
        """The states in which a fair path starts."""
        return self.judged(self.steps, f.Constant(True), lambda _: self.reachable)

    def on_some_path(self, path: f.Formula, logic: Logic) -> States:
        """Where some infinite fair path satisfies it."""
        return self.fair_path(self.steps, unfolded(path), logic)

    def ways(self, state: State, members: tuple[str, ...]) -> dict[JointAction, Labelled]:
        """What each choice of the members may lead to."""
        places = [self.system.agent_index[name] for name in members]
        found: dict[JointAction, Labelled] = {}
        for actions in self.moves[state]:
            choice = tuple(actions[place] for place in places)
            found[choice] = found.get(choice, frozenset()) | self.labelled(state, actions)
        return found

    def won_by_memoryless(self, members: tuple[str, ...], path: f.Formula) -> States:
        """Try every function from states to choices."""
        if isinstance(path, f.Bounded):
            return self.won_by_the_clock(members, path)
        options = []
        for state in sorted(self.reachable, key=repr):
            distinct = set(self.ways(state, members).values()) or {frozenset()}
            options.append([(state, results) for results in distinct])
        self.limit(map(len, options))
        return frozenset().union(
            *(self.not_lost(dict(strategy), path) for strategy in product(*options))
        )

    def won_by_the_clock(self, members: tuple[str, ...], path: f.Bounded) -> States:
        """Try every function from states and the number of steps so far to choices."""
        times = range(path.high + 2)
        options = []
        for state, time in product(sorted(self.reachable, key=repr), times):
            after = min(time + 1, times[-1])
            distinct = set(self.ways(state, members).values()) or {frozenset()}
            options.append(
                [
                    ((*state, time), frozenset(((*t, after), label) for t, label in steps))
                    for steps in distinct
                ]
            )
        self.limit(map(len, options))

        def timed(part: f.Formula) -> States:
            return frozenset((*state, time) for state in self.states(part) for time in times)

        won: set[State] = set()
        for strategy in product(*options):
            lost = self.judged(dict(strategy), f.Not(unfolded(path)), timed)
            won |= {state for state in self.universe if (*state, 0) not in lost}
        return frozenset(won)

    def not_lost(self, graph: Mapping[State, Labelled], path: f.Formula) -> States:
        """Where every fair path of a pruned graph satisfies the formula."""
        return self.universe - self.fair_path(graph, f.Not(unfolded(path)))

    def won_with(self, strategy: Uniform, members: tuple[str, ...], path: f.Formula) -> States:
        """Where one uniform strategy wins."""
        graph: dict[State, Labelled] = {}
        for state in self.reachable:
            wanted = tuple(
                strategy.get((name, step.view(self.system, self.system.agent(name), state)))
                for name in members
            )
            found = self.ways(state, members)
            graph[state] = next((found[c] for c in found if c == wanted), frozenset())
        return self.not_lost(graph, path)
