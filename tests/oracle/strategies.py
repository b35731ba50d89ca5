"""Strategies, listed one by one, and the fixpoints of those who see everything."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product

from gnomon.model import formula as f
from gnomon.model import step
from gnomon.model.step import State
from gnomon.model.system import Logic
from tests import interleaving
from tests.oracle.explored import Explored, Uniform
from tests.oracle.fixpoints import Graph, States, TooMany, greatest, least
from tests.oracle.paths import exists, unfolded


class Strategic(Explored):
    """What coalitions can enforce, given where formulae hold."""

    @cached_property
    def constraints(self) -> tuple[States, ...]:
        """Where each fairness constraint holds."""
        raise NotImplementedError

    @cached_property
    def universe(self) -> States:
        """The states that count."""
        raise NotImplementedError

    def states(self, formula: f.Formula, logic: Logic = "CTL") -> States:
        """The states that count and satisfy the formula."""
        raise NotImplementedError

    def bounded(self, path: f.Bounded, lead: Callable[[States], States]) -> States:
        """Where an operator with bounds holds, given from where one step leads into a set."""
        raise NotImplementedError

    def same(self, agent: str, left: State, right: State) -> bool:
        """Whether an agent cannot tell two states apart."""
        raise NotImplementedError

    def everywhere(self, related: Callable[[State, State], bool], body: States) -> States:
        """Where `body` holds in every state that counts and is related."""
        raise NotImplementedError

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
