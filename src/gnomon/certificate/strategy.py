"""A strategy is checked by playing every answer to it."""

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import TypeAlias

from gnomon.certificate.plain import FormulaValue, standing, standing_at
from gnomon.certificate.rejection import TooManyAnswers
from gnomon.model.evidence import Defence, Rule, Strategy
from gnomon.model.formula import (
    Bounded,
    Constant,
    Enforces,
    Globally,
    Next,
    Release,
    WeakUntil,
)
from gnomon.model.step import (
    State,
    alternatives,
    completion_count,
    completions,
    enabled_actions,
    joint_action_count,
    line_choices,
    result_of,
    view,
)
from gnomon.model.system import System
from gnomon.model.views import state_values, view_values

#: Whether a state meets a fairness constraint.
Constraint: TypeAlias = Callable[[State], bool]
#: A state and how the formula stands there: "first" before the one step of X, "open", or "broken"; with
#: bounds, the number of the step where it is open.
PlayNode: TypeAlias = tuple[State, str | int]

#: More joint actions than this in one state are not gone through.
MOST_ANSWERS = 20_000
#: More states than this that outcomes come to are not gone through either.
MOST_OUTCOMES = 30_000


def replay_strategy(
    system: System, strategy: Strategy, truth: FormulaValue, constraints: tuple[Constraint, ...]
) -> bool:
    """Return whether every outcome that counts satisfies what the strategy is for."""
    game = StrategyPlay(system, strategy, truth, constraints)
    first = 0 if isinstance(game.formula.path, Bounded) else "open"
    start = game.enter(strategy.state, first) if strategy.state is not None else None
    if isinstance(game.formula.path, Next) and strategy.state is not None:
        start = (strategy.state, "first")
    if start is None:
        return True
    edges: dict[PlayNode, list[PlayNode]] = {}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node in edges:
            continue
        if node[1] == "broken" and not constraints:
            return False
        targets = game.follow(node)
        if targets is None:
            return False
        edges[node] = targets
        if len(edges) > MOST_OUTCOMES:
            raise TooManyAnswers
        waiting.extend(targets)
    return not any(game.is_bad(cycle) for cycle in cycles(edges))


def rules_agree(strategy: Strategy) -> bool:
    """Return whether the first rule that fits says what each row of the table says."""
    for row in strategy.choices:
        values = dict(row.where)
        for agent, action in row.actions:
            own = [rule for rule in strategy.rules if rule.agent == agent]
            fitting = [rule for rule in own if all(_fits(text, values) for text in rule.conditions)]
            if own and (not fitting or fitting[0].action != action):
                return False
    return True


def answers_agree(system: System, defence: Defence) -> bool:
    """Return whether the first rule that fits says what each of the others does in every answer."""
    if not defence.rules:
        return True
    own: dict[str, list[Rule]] = {}
    for rule in defence.rules:
        own.setdefault(rule.agent, []).append(rule)
    for answer in defence.answers:
        values = dict(state_values(system, answer.state))
        values |= {f"{name}.Action": action for name, action in answer.choice}
        for agent, rules in own.items():
            fitting = (r for r in rules if all(_fits(text, values) for text in r.conditions))
            first = next(fitting, None)
            if first is None or first.action != answer.actions[system.agent_index[agent]]:
                return False
    return True


def _fits(condition: str, values: dict[str, str]) -> bool:
    """Return whether a condition as it is printed holds for values as they are printed."""
    name, operator, value = condition.rsplit(" ", 2)
    found = values[name]
    match operator:
        case "=":
            return found == value
        case "<>":
            return found != value
        case "<=":
            return int(found) <= int(value)
        case _:
            return int(found) >= int(value)


class StrategyPlay:
    """What a strategy is played for, and what may follow in a state."""

    def __init__(
        self,
        system: System,
        strategy: Strategy,
        truth: FormulaValue,
        constraints: tuple[Constraint, ...],
    ) -> None:
        assert strategy.about is not None
        self.formula: Enforces = strategy.about
        self._system = system
        self._strategy = strategy
        self._truth = truth
        self._constraints = constraints
        self._rows: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
        for row in strategy.choices:
            # Agents without variables of their own may see the same.
            self._rows.setdefault(row.where, {}).update(row.actions)

    def enter(self, state: State, mode: str | int) -> PlayNode | None:
        """Return the node an outcome comes to; None where it does not count, or has won."""
        if not self._truth(Constant(True), state):
            return None
        path, stands = self.formula.path, mode
        if isinstance(path, Bounded) and isinstance(mode, int):
            stands = standing_at(path, self._truth, state, mode)
        elif mode != "broken":
            stands = standing(path, self._truth, state)
        return None if stands == "won" else (state, stands)

    def follow(self, node: PlayNode) -> list[PlayNode] | None:
        """Return what may follow; None where the strategy says nothing or what cannot be done."""
        chosen = self._chosen(*node)
        return None if chosen is None else self.after(node, chosen)

    def after(self, node: PlayNode, chosen: dict[str, str]) -> list[PlayNode]:
        """Return what may follow where the members do this."""
        state, mode = node
        following = mode + 1 if isinstance(mode, int) else mode
        found = (self.enter(target, following) for target in self._outcomes(state, chosen))
        return [target for target in found if target is not None]

    def can(self, state: State, chosen: dict[str, str]) -> bool:
        """Return whether these actions are enabled, and everybody else can do something, too."""
        return joint_action_count(self._system, state) > 0 and all(
            action in enabled_actions(self._system, self._system.agent(name), state)
            for name, action in chosen.items()
        )

    def _chosen(self, state: State, mode: str | int) -> dict[str, str] | None:
        """Return the action of each member, each of them enabled."""
        chosen: dict[str, str] = {}
        for name in self._strategy.members:
            agent = self._system.agent(name)
            if self._strategy.reading == "perfect":
                where = state_values(self._system, state)
                if isinstance(mode, int):
                    # Whoever sees everything sees the clock.
                    where = (("step", str(mode)), *where)
            else:
                where = view_values(self._system, name, view(self._system, agent, state))
            action = self._rows.get(where, {}).get(name)
            if action is None or action not in enabled_actions(self._system, agent, state):
                return None
            chosen[name] = action
        return chosen if joint_action_count(self._system, state) else None

    def _outcomes(self, state: State, chosen: dict[str, str]) -> Iterator[State]:
        system = self._system
        if completion_count(system, state, chosen) > MOST_ANSWERS:
            raise TooManyAnswers
        for actions in completions(system, state, chosen):
            groups = [line_choices(system, agent, state, actions)[1] for agent in system.agents]
            if prod(len(group) for each in groups for group in each) > MOST_ANSWERS:
                raise TooManyAnswers
            ways = [alternatives(system, agent, state, actions) for agent in system.agents]
            for local in product(*ways):
                target = result_of(system, state, local)
                if target is not None:
                    yield target

    def is_bad(self, cycle: set[PlayNode]) -> bool:
        """Return whether going round for ever in it is fair and does not win."""
        [mode] = {mode for _, mode in cycle}
        if mode == "open" and isinstance(self.formula.path, Globally | WeakUntil | Release):
            return False
        states = [state for state, _ in cycle]
        return all(any(map(constraint, states)) for constraint in self._constraints)


def cycles(edges: dict[PlayNode, list[PlayNode]]) -> Iterator[set[PlayNode]]:
    """Yield the largest sets of nodes that lead to each other."""
    placed: dict[PlayNode, int] = {}
    lowest: dict[PlayNode, int] = {}
    path: list[PlayNode] = []
    on_path: set[PlayNode] = set()
    for root, first in edges.items():
        stack = [(root, iter(first))] if root not in placed else []
        while stack:
            node, rest = stack[-1]
            if node not in placed:
                placed[node] = lowest[node] = len(placed)
                path.append(node)
                on_path.add(node)
            for target in rest:
                if target not in placed:
                    stack.append((target, iter(edges[target])))
                    break
                if target in on_path:
                    lowest[node] = min(lowest[node], placed[target])
            else:
                stack.pop()
                if stack:
                    lowest[stack[-1][0]] = min(lowest[stack[-1][0]], lowest[node])
                if lowest[node] == placed[node]:
                    place = path.index(node)
                    found = set(path[place:])
                    del path[place:]
                    on_path -= found
                    if len(found) > 1 or node in edges[node]:
                        yield found
