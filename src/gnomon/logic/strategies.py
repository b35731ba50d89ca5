"""What a coalition that wins does, as a table."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeAlias

from gnomon.engines.algebra import Set
from gnomon.engines.game import ViewChoices
from gnomon.logic import atl, window_values
from gnomon.logic.rules import Row
from gnomon.logic.rules import rules as rules_of
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.evidence import Choice, Rule, Strategy
from gnomon.model.formula import (
    Bounded,
    Enforces,
    Finally,
    Formula,
    Globally,
    Next,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Logic, System
from gnomon.model.views import state_values, view_names, view_values
from gnomon.text.errors import Abandoned

Actions: TypeAlias = tuple[tuple[str, str], ...]

#: A table with more rows than this explains nothing.
MOST_ROWS = 2_000
MOST_RINGS = 500


class StrategyTooLarge(Abandoned):
    """The strategy has too many rows to be shown."""


class Tables(Generic[Set]):
    """The tables of winning strategies, for the formulae that a satisfaction relation decided."""

    def __init__(self, truth: Satisfaction[Set], logic: Logic) -> None:
        """Look things up in `truth`, where path formulae are read as `logic` does."""
        self._truth = truth
        self._logic = logic
        self._algebra = truth.algebra
        self._system = truth.algebra.system

    def strategy(self, formula: Enforces, state: State) -> Strategy | None:
        """Return how the group enforces the formula from a state, where a table can be given."""
        if not formula.group.members:
            return None
        try:
            if self._truth.strategies != "perfect":
                return self._uniform(formula, state)
            return self._perfect(formula, state)
        except StrategyTooLarge:
            return None

    def _strategy(
        self,
        formula: Enforces,
        state: State,
        choices: tuple[Choice, ...],
        rules: tuple[Rule, ...],
    ) -> Strategy:
        members = tuple(dict.fromkeys(formula.group.members))
        reading = self._truth.strategies
        return Strategy(show_formula(formula), reading, members, choices, formula, state, rules)

    def _perfect(self, formula: Enforces, state: State) -> Strategy:
        fair = bool(self._truth.frame(self._logic).constraints)
        if isinstance(formula.path, Bounded):
            return self._strategy(formula, state, self._timed(formula, formula.path, state), ())
        table = self._searched(formula, state) if fair else self._table(formula, state)
        rows = tuple(Choice(state_values(self._system, s), actions) for s, actions in table.items())
        rules = state_rules(self._system, table)
        return self._strategy(formula, state, rows, rules)

    def _searched(self, formula: Enforces, state: State) -> dict[State, Actions]:
        """Return a table where unfair outcomes do not count: the fixpoints only tell that there is one."""
        game = self._truth.game(formula, self._logic)
        assert game is not None
        found = self._algebra.informed_strategy(formula.group.members, game, state)
        assert found is not None, "whoever wins wins without memory"
        if len(found) > MOST_ROWS:
            raise StrategyTooLarge
        return found

    def _timed(self, formula: Enforces, path: Bounded, state: State) -> tuple[Choice, ...]:
        """Return what is done in which state at which step."""
        algebra, frame = self._algebra, self._truth.frame(self._logic)
        members = formula.group.members
        if frame.constraints:
            raise StrategyTooLarge  # what is unfair shows only in the long run, after the last step
        window = self._truth.window(path, self._logic)
        values = window_values.enforced(frame, members, window)
        rows: list[Choice] = []
        layer = [state]
        for step in range(path.high):
            won, _ = window.at(step)
            following: dict[State, None] = {}
            for current in layer:
                if algebra.is_subset(algebra.only(current), won):
                    continue
                actions = algebra.choose(members, current, values[step + 1])
                assert actions is not None, "the coalition wins from here"
                where = (("step", str(step)), *state_values(self._system, current))
                rows.append(Choice(where, actions))
                if len(rows) > MOST_ROWS:
                    raise StrategyTooLarge
                following.update(dict.fromkeys(self._after(current, actions)))
            layer = list(following)
        return tuple(rows)

    def _table(self, formula: Enforces, state: State) -> dict[State, Actions]:
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
                raise StrategyTooLarge
            if not isinstance(formula.path, Next):
                waiting.extend(self._after(current, actions))
        return table

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
        algebra = self._algebra
        members = formula.group.members

        def states(part: Formula) -> Set:
            return self._truth.states(part, self._logic)

        def into(target: Set) -> Callable[[State], Actions | None]:
            return lambda state: algebra.choose(members, state, target)

        match formula.path:
            case Next(body):
                return into(states(body))
            case Globally():
                return into(states(formula))
            case WeakUntil(_, right):
                return self._unless(states(right), into(states(formula)))
            case Release(left, right):
                over = algebra.intersection(states(left), states(right))
                return self._unless(over, into(states(formula)))
            case Finally(body):
                return self._closer(formula, self._truth.frame(self._logic).universe, states(body))
            case Until(left, right):
                return self._closer(formula, states(left), states(right))
            case path:
                msg = f"not a path operator: {show_formula(path)}"
                raise ValueError(msg)

    def _unless(
        self, over: Set, decide: Callable[[State], Actions | None]
    ) -> Callable[[State], Actions | None]:
        """Return the choice where it is not over yet."""
        algebra = self._algebra
        return lambda state: None if algebra.is_subset(algebra.only(state), over) else decide(state)

    def _closer(
        self, formula: Enforces, left: Set, right: Set
    ) -> Callable[[State], Actions | None]:
        """Return the choice that gets closer to the goal: into a smaller ring around it."""
        algebra, members = self._algebra, formula.group.members
        rings = atl.rings(self._truth.frame(self._logic), members, left, right)
        if len(rings) > MOST_RINGS:
            raise StrategyTooLarge

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
                if win.choices is None or len(win.choices) > MOST_ROWS:
                    raise StrategyTooLarge
                rows = view_rows(self._system, win.choices)
                rules = view_rules(self._system, win.choices)
                return self._strategy(formula, state, rows, rules)
        return None


def view_rows(system: System, choices: ViewChoices) -> tuple[Choice, ...]:
    """Return one row a view, with the values that the agent sees."""
    return tuple(
        Choice(view_values(system, agent, values), ((agent, action),))
        for (agent, values), action in choices.items()
    )


def view_rules(system: System, choices: ViewChoices) -> tuple[Rule, ...]:
    """Return the same in rules, agent by agent."""
    rows: dict[str, list[Row]] = {}
    for (agent, values), action in choices.items():
        rows.setdefault(agent, []).append(Row(values, action))
    found: list[Rule] = []
    for agent, table in rows.items():
        found += rules_of(agent, view_names(system, agent), table)
    return tuple(found)


def state_rules(system: System, table: Mapping[State, Actions]) -> tuple[Rule, ...]:
    """Return a table by state in rules, agent by agent."""
    names = [f"{variable.agent}.{variable.name}" for variable in system.variables]
    rows: dict[str, list[Row]] = {}
    for state, actions in table.items():
        for agent, action in actions:
            rows.setdefault(agent, []).append(Row(state, action))
    found: list[Rule] = []
    for agent, own in rows.items():
        found += rules_of(agent, names, own)
    return tuple(found)
