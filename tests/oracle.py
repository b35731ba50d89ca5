"""The definitions once more, by brute force, on what `gnomon.model.step` says and nothing else.

No line is shared with the engines or the logics: states are value tuples, sets are grown by literal
fixpoints, infinite paths are judged by the closure tableau of Lichtenstein and Pnueli, and strategies
are listed one by one. Only for tiny models.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.agent import Agent
from gnomon.model.domain import values_of
from gnomon.model.expression import Expression
from gnomon.model.step import State
from gnomon.model.system import Logic, System
from tests import interleaving

States = frozenset[State]
Graph = Mapping[State, States]
#: A view of an agent, to the action it takes there.
Uniform = Mapping[tuple[str, State], str]


class TooMany(Exception):
    """There are too many strategies to list."""


@dataclass
class Oracle:
    """A system, its reachable states, and the truth about them.

    `profile` prunes the model to one action a view; `strategies` is the reading of coalitions.
    """

    system: System
    strategies: str = "perfect"
    profile: Uniform | None = None
    most: int = 300
    _known: dict[tuple[f.Formula, Logic], States] = field(default_factory=dict)

    @cached_property
    def initial(self) -> States:
        """All states that satisfy the initial condition, out of all states there are."""
        condition = self.system.initial
        return frozenset(s for s in self.everything() if step.holds(condition, self.system, s))

    def everything(self) -> Iterator[State]:
        """Yield every valuation, reachable or not."""
        return product(*(values_of(v.domain) for v in self.system.variables))

    def able(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The actions of an agent; where events are interleaved, one that can do nothing waits."""
        if not self.system.interleaved:
            return step.enabled_actions(self.system, agent, state)
        return tuple(
            a for a in agent.actions if interleaving.allows(self.system, agent, a, state)
        ) or (interleaving.WAITING,)

    def enabled(self, agent: Agent, state: State) -> tuple[str, ...]:
        """The actions of an agent, pruned to the profile."""
        actions = self.able(agent, state)
        if self.profile is None:
            return actions
        chosen = self.profile.get((agent.name, step.view(self.system, agent, state)))
        return actions if chosen is None else tuple(a for a in actions if a == chosen)

    def outcomes(self, state: State) -> dict[tuple[str, ...], set[State]]:
        """What each joint action may lead to."""
        found: dict[tuple[str, ...], set[State]] = {}
        if self.system.interleaved:
            able = {agent.name: self.enabled(agent, state) for agent in self.system.agents}
            return interleaving.outcomes(self.system, state, able)
        for actions in product(*(self.enabled(agent, state) for agent in self.system.agents)):
            found[actions] = set()
            ways = [
                step.alternatives(self.system, agent, state, actions)
                for agent in self.system.agents
            ]
            for chosen in product(*ways):
                if any(local.overflow for local in chosen):
                    continue
                target = list(state)
                for agent, local in zip(self.system.agents, chosen, strict=True):
                    for name, value in local.changes:
                        target[self.system.position[agent.name, name]] = value  # type: ignore[call-overload]
                found[actions].add(tuple(target))
        return found

    @cached_property
    def moves(self) -> dict[State, dict[tuple[str, ...], set[State]]]:
        """The reachable states, and what each joint action may lead to."""
        found: dict[State, dict[tuple[str, ...], set[State]]] = {}
        waiting = sorted(self.initial, key=repr)
        while waiting:
            state = waiting.pop()
            if state not in found:
                found[state] = self.outcomes(state)
                waiting.extend(set().union(*found[state].values()))
        return found

    @cached_property
    def reachable(self) -> States:
        """All reachable states."""
        return frozenset(self.moves)

    @cached_property
    def graph(self) -> Graph:
        """The successors of each state."""
        return {s: frozenset().union(*moves.values()) for s, moves in self.moves.items()}

    # Fairness ---------------------------------------------------------------------------------

    @cached_property
    def constraints(self) -> tuple[States, ...]:
        """Where each constraint holds, read without fairness."""
        return tuple(
            Oracle(_without_fairness(self.system), profile=self.profile).states(each.formula)
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

    # Strategies -------------------------------------------------------------------------------

    def enforces(self, members: tuple[str, ...], path: f.Formula) -> States:
        """Where the coalition wins, by the reading asked for."""
        if not members:
            return self.states(f.All(path))
        if self.strategies == "uniform":
            return self.won_somehow(members, path)
        if self.strategies == "uniform-subjective":
            return self.won_knowingly(members, path)
        if self.system.fairness:
            return self.won_by_memoryless(members, path)
        choices = {s: self.choices(s, members) for s in self.reachable}
        return self.fixpoint(choices, path)

    def choices(self, state: State, members: tuple[str, ...]) -> dict[tuple[str, ...], States]:
        """What each choice of the members that can be completed may lead to."""
        if self.system.interleaved:
            able = [self.enabled(self.system.agent(name), state) for name in members]
            return interleaving.choices(self.system, state, members, able, self.moves[state])
        places = [self.system.agent_index[name] for name in members]
        found: dict[tuple[str, ...], States] = {}
        for actions, targets in self.moves[state].items():
            choice = tuple(actions[place] for place in places)
            found[choice] = found.get(choice, frozenset()) | targets
        return found

    def fixpoint(
        self, choices: Mapping[State, Mapping[tuple[str, ...], States]], path: f.Formula
    ) -> States:
        """The fixpoints of ATL over the choices given."""

        def force(within: States, target: States) -> States:
            return frozenset(s for s in within if any(r <= target for r in choices[s].values()))

        everything, sat = self.universe, self.states
        match path:
            case f.Next(body):
                return force(everything, sat(body))
            case f.Finally(body):
                return least(lambda z: sat(body) | force(everything, z))
            case f.Globally(body):
                return greatest(lambda z: force(sat(body), z), everything)
            case f.Until(left, right):
                return least(lambda z: sat(right) | force(sat(left), z))
            case f.WeakUntil(left, right):
                return greatest(lambda z: sat(right) | force(sat(left), z), everything)
            case f.Release(left, right):
                both = sat(left) & sat(right)
                return greatest(lambda z: both | force(sat(right), z), everything)
            case f.Bounded():
                return self.bounded(path, lambda z: force(everything, z))
            case _:
                raise AssertionError(path)

    def won_by_memoryless(self, members: tuple[str, ...], path: f.Formula) -> States:
        """Fair outcomes only: try every function from states to choices."""
        if isinstance(path, f.Bounded):
            return self.won_by_the_clock(members, path)
        options = []
        for state in sorted(self.reachable, key=repr):
            distinct = set(self.choices(state, members).values()) or {frozenset()}
            options.append([(state, results) for results in distinct])
        self.limit(map(len, options))
        won: States = frozenset()
        for strategy in product(*options):
            won |= self.universe - self.defeats(dict(strategy), path)
        return won

    def won_by_the_clock(self, members: tuple[str, ...], path: f.Bounded) -> States:
        """Fair outcomes only, where what is done may depend on how many steps were taken so far."""
        late = path.high + 1
        options = []
        for state in sorted(self.reachable, key=repr):
            distinct = set(self.choices(state, members).values()) or {frozenset()}
            for time in range(late + 1):
                after = min(time + 1, late)
                options.append(
                    [((*state, time), frozenset((*t, after) for t in r)) for r in distinct]
                )
        self.limit(map(len, options))
        won: set[State] = set()
        times = range(late + 1)

        def timed(states: States) -> States:
            return frozenset((*state, time) for state in states for time in times)

        constraints = tuple(map(timed, self.constraints))
        for strategy in product(*options):
            lost = exists(
                dict(strategy),
                f.Not(unfolded(path)),
                lambda part: timed(self.states(part)),
                constraints,
            )
            won |= {state for state in self.universe if (*state, 0) not in lost}
        return frozenset(won)

    def defeats(self, graph: Graph, path: f.Formula) -> States:
        """Where some fair path of a pruned graph fails the formula."""
        return exists(graph, f.Not(unfolded(path)), self.states, self.constraints)

    def uniform_strategies(self, members: Iterable[str]) -> Iterator[Uniform]:
        """Yield every choice of one action for each view of each member."""
        options = []
        for name in members:
            agent = self.system.agent(name)
            allowed: dict[State, set[str]] = {}
            for state in sorted(self.reachable, key=repr):
                seen = step.view(self.system, agent, state)
                actions = set(self.able(agent, state))
                allowed[seen] = allowed.get(seen, actions) & actions
            for seen, actions in allowed.items():
                if actions:
                    options.append([((name, seen), action) for action in sorted(actions)])
        self.limit(map(len, options))
        yield from (dict(chosen) for chosen in product(*options))

    def limit(self, sizes: Iterable[int]) -> None:
        """Give up where there are too many combinations."""
        total = 1
        for size in sizes:
            total *= size
            if total > self.most:
                raise TooMany

    def won_with(self, strategy: Uniform, members: tuple[str, ...], path: f.Formula) -> States:
        """Where one uniform strategy wins."""
        choices: dict[State, dict[tuple[str, ...], States]] = {}
        for state in self.reachable:
            wanted = tuple(
                strategy.get((name, step.view(self.system, self.system.agent(name), state)))
                for name in members
            )
            choices[state] = {c: r for c, r in self.choices(state, members).items() if c == wanted}
        if self.system.fairness:
            graph = {s: frozenset().union(*results.values()) for s, results in choices.items()}
            return self.universe - self.defeats(graph, path)
        return self.fixpoint(choices, path)

    def won_somehow(self, members: tuple[str, ...], path: f.Formula) -> States:
        """Objective: some uniform strategy wins from here."""
        strategies = self.uniform_strategies(members)
        return frozenset().union(*(self.won_with(each, members, path) for each in strategies))

    def won_knowingly(self, members: tuple[str, ...], path: f.Formula) -> States:
        """Subjective: some uniform strategy wins from every state that a member confuses with it."""
        won: States = frozenset()
        for strategy in self.uniform_strategies(members):
            winning = self.won_with(strategy, members, path)
            won |= self.everywhere(lambda s, t: any(self.same(i, s, t) for i in members), winning)
        return won


def _without_fairness(system: System) -> System:
    return System(
        system.name,
        system.agents,
        system.initial,
        system.semantics,
        system.propositions,
        system.groups,
    )


def least(step_: Callable[[States], Iterable[State]]) -> States:
    """The least fixpoint, from below."""
    found: States = frozenset()
    while (more := frozenset(step_(found))) != found:
        found = more
    return found


def greatest(step_: Callable[[States], States], start: Iterable[State]) -> States:
    """The greatest fixpoint, from above."""
    found = frozenset(start)
    while (less := step_(found)) != found:
        found = less
    return found


# Infinite paths: a node is a state and a guess, for each temporal operator, of its value at the next
# state. The guesses determine the value of every subformula now.

Guess = tuple[bool, ...]
Node = tuple[State, Guess]


def exists(
    graph: Graph,
    path: f.Formula,
    states: Callable[[f.Formula], States],
    constraints: tuple[States, ...],
    steps: tuple[frozenset[tuple[State, State]], ...] = (),
) -> States:
    """Where some infinite path satisfies a path formula and meets each constraint for ever again.

    So it does with sets of steps: it takes one of each for ever again.
    """
    temporal = _temporal(path)
    known: dict[f.Formula, States] = {}

    def value(part: f.Formula, node: Node) -> bool:
        state, guess = node
        if not f.is_path_formula(part):
            if part not in known:
                known[part] = states(part)
            return state in known[part]
        match part:
            case f.Not(body):
                return not value(body, node)
            case f.And(operands):
                return all(value(each, node) for each in operands)
            case f.Or(operands):
                return any(value(each, node) for each in operands)
            case f.Implies(left, right):
                return not value(left, node) or value(right, node)
            case f.Iff(left, right):
                return value(left, node) == value(right, node)
            case f.Next():
                return guess[temporal.index(part)]
            case f.Finally(body):
                return value(body, node) or guess[temporal.index(part)]
            case f.Globally(body):
                return value(body, node) and guess[temporal.index(part)]
            case f.Until(left, right) | f.WeakUntil(left, right):
                later = guess[temporal.index(part)]
                return value(right, node) or (value(left, node) and later)
            case f.Release(left, right):
                later = guess[temporal.index(part)]
                return value(right, node) and (value(left, node) or later)
            case _:
                raise AssertionError(part)

    guesses = list(product((False, True), repeat=len(temporal)))
    comes_true: dict[Node, Guess] = {}
    for node in product(graph, guesses):
        comes_true[node] = tuple(
            value(part.body if isinstance(part, f.Next) else part, node) for part in temporal
        )
    by_value: dict[tuple[State, Guess], list[Node]] = {}
    for node, values in comes_true.items():
        by_value.setdefault((node[0], values), []).append(node)
    edges = {
        (state, guess): [n for t in graph[state] for n in by_value.get((t, guess), [])]
        for state, guess in comes_true
    }
    goals: list[Callable[[Node], bool]] = [lambda node, c=c: node[0] in c for c in constraints]  # type: ignore[misc]
    goals += [lambda node, part=part: _settled(part, node, value) for part in temporal]  # type: ignore[misc]
    good: set[Node] = set()
    for component in components(edges):
        cyclic = len(component) > 1 or any(n in edges[n] for n in component)
        inside = {(n[0], m[0]) for n in component for m in edges[n] if m in component}
        if (
            cyclic
            and all(any(map(goal, component)) for goal in goals)
            and all(map(inside.__and__, steps))
        ):
            good |= component
    while more := {n for n in edges if n not in good and any(t in good for t in edges[n])}:
        good |= more
    return frozenset(node[0] for node in good if value(path, node))


def _settled(part: f.Formula, node: Node, value: Callable[[f.Formula, Node], bool]) -> bool:
    """Whether a promise is not open at a node: kept here, or not made."""
    match part:
        case f.Finally(body):
            return value(body, node) or not value(part, node)
        case f.Until(_, right):
            return value(right, node) or not value(part, node)
        case f.Globally(body):
            return not value(body, node) or value(part, node)
        case f.WeakUntil(left, right):
            broken = not value(left, node) and not value(right, node)
            return broken or value(part, node)
        case f.Release(_, right):
            return not value(right, node) or value(part, node)
        case _:
            return True


def unfolded(path: f.Formula) -> f.Formula:
    """A path formula with every operator with bounds written out, step by step."""
    match path:
        case _ if not f.is_path_formula(path):
            return path
        case f.And(operands) | f.Or(operands):
            return type(path)(tuple(map(unfolded, operands)))
        case f.Not(body) | f.Next(body) | f.Finally(body) | f.Globally(body):
            return type(path)(unfolded(body))
        case f.Implies(left, right) | f.Iff(left, right) | f.Until(left, right):
            return type(path)(unfolded(left), unfolded(right))
        case f.WeakUntil(left, right) | f.Release(left, right):
            return type(path)(unfolded(left), unfolded(right))
        case f.Bounded(inner, low, high):
            return step_by_step(inner, low, high)
        case _:
            raise AssertionError(path)


def step_by_step(path: f.Formula, low: int, high: int) -> f.Formula:
    """What an operator says of the steps from `low` to `high`, by going on step by step."""
    later: Callable[[], f.Formula] = lambda: f.Next(  # noqa: E731
        step_by_step(path, max(low - 1, 0), high - 1)
    )
    match path:
        case f.Finally(body):
            return step_by_step(f.Until(f.Constant(True), body), low, high)
        case f.Globally(body):
            return step_by_step(f.Release(f.Constant(False), body), low, high)
        case f.WeakUntil(left, right):
            return step_by_step(f.Release(right, f.Or((left, right))), low, high)
        case f.Until(left, right):
            left, right = unfolded(left), unfolded(right)
            if low > 0:
                return f.And((left, later()))
            return right if high == 0 else f.Or((right, f.And((left, later()))))
        case f.Release(left, right):
            left, right = unfolded(left), unfolded(right)
            if low > 0:
                return f.Or((left, later()))
            return right if high == 0 else f.And((right, f.Or((left, later()))))
        case _:
            raise AssertionError(path)


def _temporal(path: f.Formula) -> list[f.Formula]:
    """The temporal operators of a path formula outside the state formulae in it."""
    found: list[f.Formula] = []
    waiting = [path]
    while waiting:
        part = waiting.pop()
        if not f.is_path_formula(part):
            continue
        if isinstance(part, f.PathOperator) and part not in found:
            found.append(part)
        waiting.extend(f.parts(part))
    return found


def components(edges: Mapping[Node, list[Node]]) -> list[set[Node]]:
    """The strongly connected components, by Kosaraju's two searches."""
    order: list[Node] = []
    seen: set[Node] = set()
    for root in edges:
        stack = [(root, iter(edges[root]))] if root not in seen else []
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            child = next((n for n in rest if n not in seen), None)
            if child is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(child)
                stack.append((child, iter(edges[child])))
    back: dict[Node, list[Node]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            back[target].append(node)
    found: list[set[Node]] = []
    placed: set[Node] = set()
    for root in reversed(order):
        if root in placed:
            continue
        component, waiting = {root}, [root]
        placed.add(root)
        while waiting:
            for before in back[waiting.pop()]:
                if before not in placed:
                    placed.add(before)
                    component.add(before)
                    waiting.append(before)
        found.append(component)
    return found
