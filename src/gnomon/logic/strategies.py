"""What a coalition that wins does, as a table."""

from collections.abc import Callable
from typing import Generic, TypeAlias

from gnomon.engines.algebra import Set
from gnomon.engines.game import ViewChoices
from gnomon.logic.evidence import Choice, Strategy
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.domain import show_value
from gnomon.model.formula import Enforces, Finally, Globally, Next, Until, show_formula
from gnomon.model.step import State
from gnomon.model.system import System

Actions: TypeAlias = tuple[tuple[str, str], ...]

#: A table with more rows than this explains nothing.
MOST_ROWS = 2_000
MOST_RINGS = 500


class TooLarge(Exception):
    """The strategy has too many rows to be shown."""


class Tables(Generic[Set]):
    """The tables of winning strategies, for the formulae that a satisfaction relation decided."""

    def __init__(self, truth: Satisfaction[Set]) -> None:
        """Look things up in `truth`."""
        self._truth = truth
        self._algebra = truth.algebra
        self._system = truth.algebra.system

    def strategy(self, formula: Enforces, state: State) -> Strategy | None:
        """Return how the group enforces the formula from a state, where a table can be given."""
        if not formula.group.members:
            return None
        try:
            if self._truth.strategies != "perfect":
                return self._uniform(formula, state)
            # The fixpoints of fair games tell who wins, but not by one table in an obvious way.
            return None if self._truth.frame().constraints else self._perfect(formula, state)
        except TooLarge:
            return None

    def _strategy(self, formula: Enforces, state: State, choices: tuple[Choice, ...]) -> Strategy:
        members = tuple(dict.fromkeys(formula.group.members))
        reading = self._truth.strategies
        return Strategy(show_formula(formula), reading, members, choices, formula, state)

    def _perfect(self, formula: Enforces, state: State) -> Strategy:
        decide = self._decision(formula)
        table: dict[State, Actions] = {}
        waiting = [state]
        while waiting:
            current = waiting.pop()
            actions = None if current in table else decide(current)
            if actions is None:
                continue
            table[current] = actions
            if len(table) > MOST_ROWS:
                raise TooLarge
            if not isinstance(formula.path, Next):
                waiting.extend(self._after(current, actions))
        rows = tuple(Choice(_all_values(self._system, s), actions) for s, actions in table.items())
        return self._strategy(formula, state, rows)

    def _after(self, state: State, actions: Actions) -> list[State]:
        """Return what may follow where the members do `actions`."""
        found = []
        left = self._algebra.results(state, dict(actions))
        while not self._algebra.is_empty(left):
            found.append(self._algebra.pick(left))
            left = self._algebra.difference(left, self._algebra.only(found[-1]))
        return found

    def _decision(self, formula: Enforces) -> Callable[[State], Actions | None]:
        """Return what the members do in a state; None where nothing needs to be done any more."""
        algebra, states = self._algebra, self._truth.states
        members = formula.group.members

        def into(target: Set) -> Callable[[State], Actions | None]:
            return lambda state: algebra.choose(members, state, target)

        match formula.path:
            case Next(body):
                return into(states(body))
            case Globally():
                return into(states(formula))
            case Finally(body):
                return self._closer(formula, self._truth.frame().universe, states(body))
            case Until(left, right):
                return self._closer(formula, states(left), states(right))
            case path:
                msg = f"not a path operator: {show_formula(path)}"
                raise ValueError(msg)

    def _closer(
        self, formula: Enforces, left: Set, right: Set
    ) -> Callable[[State], Actions | None]:
        """Return the choice that gets closer to the goal: into a smaller ring around it."""
        algebra, members = self._algebra, formula.group.members
        rings = [right]
        candidates = left
        while True:
            new = algebra.controllable(members, rings[-1], candidates)
            new = algebra.difference(new, rings[-1])
            if algebra.is_empty(new):
                break
            rings.append(algebra.union(rings[-1], new))
            if len(rings) > MOST_RINGS:
                raise TooLarge
            candidates = algebra.before(new, left)

        def decide(state: State) -> Actions | None:
            here = algebra.only(state)
            if algebra.is_subset(here, right):
                return None
            rank = next(n for n, ring in enumerate(rings) if algebra.is_subset(here, ring))
            return algebra.choose(members, state, rings[rank - 1])

        return decide

    def _uniform(self, formula: Enforces, state: State) -> Strategy | None:
        here = self._algebra.only(state)
        for win in self._truth.wins.get(formula, []):
            if self._algebra.is_subset(here, win.states):
                if len(win.choices) > MOST_ROWS:
                    raise TooLarge
                rows = view_rows(self._system, win.choices)
                return self._strategy(formula, state, rows)
        return None


def view_rows(system: System, choices: ViewChoices) -> tuple[Choice, ...]:
    """Return one row a view, with the values that the agent sees."""
    return tuple(
        Choice(view_values(system, agent, values), ((agent, action),))
        for (agent, values), action in choices.items()
    )


def view_values(system: System, name: str, values: State) -> tuple[tuple[str, str], ...]:
    """Return the names and values of what an agent sees."""
    agent = system.agent(name)
    names = [f"{name}.{variable.name}" for variable in agent.variables]
    names += [f"{system.environment.name}.{seen}" for seen in agent.sees]
    return tuple((n, show_value(value)) for n, value in zip(names, values, strict=True))


def _all_values(system: System, state: State) -> tuple[tuple[str, str], ...]:
    pairs = zip(system.variables, state, strict=True)
    return tuple((f"{v.agent}.{v.name}", show_value(value)) for v, value in pairs)
