"""Fairness on actions by its definition: a path is fair if steps of it meet each constraint again and again.

Nothing is remembered and nobody is added to the system: steps are labelled with the constraints that they
meet, and a component of the graph is fair if there is a step inside it for each of them.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from random import Random
from typing import TypeAlias

from gnomon.model import expression as typed
from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import Agent
from gnomon.model.step import JointAction, State
from gnomon.model.system import Logic, Specification, System
from tests.oracle import Oracle, States, TooMany, Uniform, exists, unfolded
from tests.systems import random_condition

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

    def label(self, state: State, actions: JointAction) -> frozenset[int]:
        """The numbers of the constraints that a step meets."""
        pairs = enumerate(self.system.fairness)
        return frozenset(n for n, each in pairs if met(self.system, each.formula, state, actions))

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
            raise TooMany
        options = []
        for state in sorted(self.reachable, key=repr):
            distinct = set(self.ways(state, members).values()) or {frozenset()}
            options.append([(state, results) for results in distinct])
        self.limit(map(len, options))
        return frozenset().union(
            *(self.not_lost(dict(strategy), path) for strategy in product(*options))
        )

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


def random_step_condition(rng: Random, system: System) -> f.Formula:
    """Return a condition on steps that looks at actions."""
    acting: list[Agent] = [agent for agent in system.agents if agent.actions]
    does: list[f.Formula] = []
    for _ in range(2):
        agent = rng.choice(acting)
        does.append(f.StateCondition(typed.Does(agent.name, rng.choice(agent.actions))))
    state = f.StateCondition(random_condition(rng, system.variables, 1))
    other: f.Formula = rng.choice([state, does[1], f.Norm(rng.choice(system.agents).name, True)])
    match rng.randrange(10):
        case 0:
            return f.Not(does[0])
        case 1:
            return f.And((does[0], other))
        case 2:
            return f.Or((f.Not(does[0]), other))
        case 3:
            return f.Implies(does[0], other)
        case 4:
            return f.Iff(does[0], other)
        case 5 | 6 | 7:
            # A disjunction is met more often, so that more models have fair paths at all.
            return f.Or((does[0], does[1]))
        case _:
            return does[0]


def random_step_fairness(rng: Random, system: System) -> tuple[Specification, ...]:
    """Return up to three constraints, of which the first looks at actions."""
    conditions = [random_step_condition(rng, system) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.3:
        state = f.StateCondition(random_condition(rng, system.variables, 1))
        conditions.insert(rng.randrange(2), state)
    return tuple(Specification(each, f.show_formula(each)) for each in conditions)
