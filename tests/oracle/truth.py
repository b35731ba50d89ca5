"""Where formulae hold: fairness, knowledge, norms and time."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.expression import Expression
from gnomon.model.step import State
from gnomon.model.system import Logic
from tests.oracle.fixpoints import States, greatest, least
from tests.oracle.paths import exists, unfolded
from tests.oracle.strategies import Strategic


class Oracle(Strategic):
    """A system, its reachable states, and the truth about them."""

    # Fairness ---------------------------------------------------------------------------------

    @cached_property
    def constraints(self) -> tuple[States, ...]:
        """Where each constraint holds, read without fairness."""
        return tuple(
            Oracle(replace(self.system, fairness=()), profile=self.profile).states(each.formula)
            for each in self.system.fairness
        )

    @cached_property
    def universe(self) -> States:
        """The states that count: those where a fair path starts."""
        if not self.system.fairness:
            return self.reachable
        return exists(self.graph, f.Constant(True), lambda _: self.reachable, self.constraints)

    def holds(self, formula: f.Formula, logic: Logic = "CTL") -> bool:
        """Whether the formula holds in every initial state that counts."""
        if self.strategies == "uniform-model" and self.profile is None:
            names = [agent.name for agent in self.system.agents]
            return any(
                type(self)(self.system, profile=profile).holds(formula, logic)
                for profile in self.uniform_strategies(names)
            )
        return self.initial & self.universe <= self.states(formula, logic)

    # Formulae ---------------------------------------------------------------------------------

    def states(self, formula: f.Formula, logic: Logic = "CTL") -> States:
        """The states that count and satisfy the formula."""
        key = formula, logic
        if key not in self._known:
            self._known[key] = self._states(formula, logic) & self.universe
        return self._known[key]

    def _states(self, formula: f.Formula, logic: Logic) -> States:
        def sat(part: f.Formula) -> States:
            return self.states(part, logic)

        match formula:
            case f.Constant(value):
                return self.reachable if value else frozenset()
            case f.Proposition(name):
                return self.where(self.system.propositions[name])
            case f.StateCondition(expression):
                return self.where(expression)
            case f.Norm(agent, red):
                condition = self.system.agent(agent).red
                marked = frozenset() if condition is None else self.where(condition)
                return marked if red else self.reachable - marked
            case f.Not(body):
                return self.universe - sat(body)
            case f.And(operands):
                return self.universe.intersection(*map(sat, operands))
            case f.Or(operands):
                return frozenset().union(*map(sat, operands))
            case f.Implies(left, right):
                return (self.universe - sat(left)) | sat(right)
            case f.Iff(left, right):
                return self.universe - (sat(left) ^ sat(right))
            case f.Knows(agent, body):
                return self.everywhere(lambda s, t: self.same(agent, s, t), sat(body))
            case f.GroupKnows("everybody", group, body):
                return self.everywhere(
                    lambda s, t: any(self.same(i, s, t) for i in group.members), sat(body)
                )
            case f.GroupKnows("distributed", group, body):
                return self.everywhere(
                    lambda s, t: all(self.same(i, s, t) for i in group.members), sat(body)
                )
            case f.GroupKnows(_, group, body):
                return self.everywhere(self.confusion(group.members), sat(body))
            case f.Obliged(agent, body):
                green = self.states(f.Norm(agent, red=False), logic)
                return self.everywhere(lambda _, t: t in green, sat(body))
            case f.All(path) | f.Exists(path) if not f.is_path_formula(path):
                return sat(path)
            case f.Exists(path):
                return self.exists(path, logic)
            case f.All(path):
                return self.all(path, logic)
            case f.Enforces(group, path):
                return self.enforces(tuple(dict.fromkeys(group.members)), path)
            case _:
                return sat(f.All(formula))

    def where(self, condition: Expression) -> States:
        """The reachable states in which a condition holds."""
        return frozenset(s for s in self.reachable if step.holds(condition, self.system, s))

    def same(self, agent: str, left: State, right: State) -> bool:
        """Whether an agent cannot tell two states apart."""
        seer = self.system.agent(agent)
        return step.view(self.system, seer, left) == step.view(self.system, seer, right)

    def everywhere(self, related: Callable[[State, State], bool], body: States) -> States:
        """Where `body` holds in every state that counts and is related."""
        return frozenset(
            s for s in self.universe if all(t in body for t in self.universe if related(s, t))
        )

    def confusion(self, agents: Iterable[str]) -> Callable[[State, State], bool]:
        """The transitive closure of what some of the agents confuse, in one or more steps."""
        near = {
            s: {t for t in self.universe if any(self.same(i, s, t) for i in agents)}
            for s in self.universe
        }
        far = {s: set(near[s]) for s in near}
        changed = True
        while changed:
            changed = False
            for reached in far.values():
                more = set().union(*(near[t] for t in reached)) - reached if reached else set()
                reached.update(more)
                changed = changed or bool(more)
        return lambda s, t: t in far[s]

    # Time -------------------------------------------------------------------------------------

    def exists(self, path: f.Formula, logic: Logic) -> States:
        """Some path satisfies it: a fixpoint for CTL, the tableau where paths are infinite."""
        if self.system.fairness or logic != "CTL":
            return self.on_some_path(path, logic)
        graph, sat = self.graph, self.states
        match path:
            case f.Next(body):
                return frozenset(s for s in graph if graph[s] & sat(body))
            case f.Globally(body):
                return greatest(lambda z: frozenset(s for s in sat(body) if graph[s] & z), graph)
            case f.Finally(body):
                return least(lambda z: sat(body) | {s for s in graph if graph[s] & z})
            case f.Until(left, right):
                return least(lambda z: sat(right) | {s for s in sat(left) if graph[s] & z})
            case f.WeakUntil(left, right):
                weak = sat(left)
                return greatest(lambda z: sat(right) | {s for s in weak if graph[s] & z}, graph)
            case f.Release(left, right):
                free = sat(left)
                return greatest(
                    lambda z: frozenset(s for s in sat(right) if s in free or graph[s] & z), graph
                )
            case f.Bounded():
                return self.bounded(path, lambda z: frozenset(s for s in graph if graph[s] & z))
            case _:
                return self.on_some_path(path, logic)

    def all(self, path: f.Formula, logic: Logic) -> States:
        """Every path satisfies it, finite ones that end in a deadlock too where this is CTL."""
        if self.system.fairness or logic != "CTL":
            return self.universe - self.on_some_path(f.Not(path), logic)
        graph, sat = self.graph, self.states
        match path:
            case f.Next(body):
                return frozenset(s for s in graph if graph[s] <= sat(body))
            case f.Globally(body):
                return greatest(lambda z: frozenset(s for s in sat(body) if graph[s] <= z), graph)
            case f.Finally(body):
                return least(lambda z: sat(body) | {s for s in graph if graph[s] <= z})
            case f.Until(left, right):
                return least(lambda z: sat(right) | {s for s in sat(left) if graph[s] <= z})
            case f.WeakUntil(left, right):
                weak = sat(left)
                return greatest(lambda z: sat(right) | {s for s in weak if graph[s] <= z}, graph)
            case f.Release(left, right):
                free = sat(left)
                return greatest(
                    lambda z: frozenset(s for s in sat(right) if s in free or graph[s] <= z), graph
                )
            case f.Bounded():
                return self.bounded(path, lambda z: frozenset(s for s in graph if graph[s] <= z))
            case _:
                return self.universe - self.on_some_path(f.Not(path), logic)

    def on_some_path(self, path: f.Formula, logic: Logic) -> States:
        """Where some infinite fair path satisfies it."""
        path = unfolded(path)
        return exists(self.graph, path, lambda part: self.states(part, logic), self.constraints)

    def bounded(self, path: f.Bounded, lead: Callable[[States], States]) -> States:
        """Where an operator with bounds holds, given from where one step leads into a set."""

        def sat(part: f.Formula) -> States:
            match part:
                case f.Next(body) if f.is_path_formula(part):
                    return lead(sat(body)) & self.universe
                case f.And(operands) if f.is_path_formula(part):
                    return self.universe.intersection(*map(sat, operands))
                case f.Or(operands) if f.is_path_formula(part):
                    return frozenset().union(*map(sat, operands))
                case _:
                    return self.states(part)

        return sat(unfolded(path))
