"""The satisfaction relation: the states in which a formula holds, one case an operator.

It is written over the modal algebra, so it serves sets that are exact and pairs of approximations alike.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property, reduce
from typing import Final, Generic, Literal, TypeAlias

from gnomon.engines.algebra import ModalAlgebra, Set
from gnomon.engines.game import CoalitionGame, GameKind, Win, Window
from gnomon.logic import atl, ctl, epistemic, window_values
from gnomon.logic.frame import Frame
from gnomon.model import expression as expressions
from gnomon.model.expression import Expression
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    PathOperator,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.fragment import is_ctl_path, is_path_formula
from gnomon.model.system import Logic
from gnomon.model.windows import at_step

#: What a coalition operator quantifies over.
Reading: TypeAlias = Literal["perfect", "uniform", "uniform-subjective"]
#: Finds uniform strategies of a coalition for a game: as many as it takes to win wherever one can.
UniformSearch: TypeAlias = Callable[[Collection[str], CoalitionGame[Set], Set], Iterable[Win[Set]]]

#: Formulae that take a fixpoint; the others take a step or two, and are only remembered for a while.
_COSTLY: Final = (All, Exists, Enforces, GroupKnows, PathOperator)
_RECENT: Final = 64


class Denotation(Generic[Set]):
    """The states of one algebra in which formulae hold; those that take long are computed once.

    Path formulae are those of CTL and ATL, and all paths count; `Satisfaction` knows of others.
    """

    def __init__(
        self,
        algebra: ModalAlgebra[Set],
        strategies: Reading = "perfect",
        search: UniformSearch[Set] | None = None,
    ) -> None:
        """Read formulae over `algebra`; strategies that are uniform need a search for them."""
        self.algebra = algebra
        self.strategies = strategies
        self._search = search
        #: For each coalition formula read with uniform strategies, those that were found.
        self.wins: dict[Enforces, list[Win[Set]]] = {}
        self._games: dict[tuple[Enforces, bool], CoalitionGame[Set] | None] = {}
        self._known: dict[tuple[Formula, bool], Set] = {}
        self._recent: dict[tuple[Formula, bool], Set] = {}

    @property
    def remembers(self) -> bool:
        """Whether sets are remembered that took long to compute."""
        return bool(self._known or self.wins)

    @cached_property
    def _all_paths(self) -> Frame[Set]:
        reachable = self.algebra.reachable
        return Frame(self.algebra, reachable, reachable)

    def frame(self, logic: Logic = "CTL") -> Frame[Set]:  # noqa: ARG002 - it matters to others
        """Return the states and paths that a logic ranges over."""
        return self._all_paths

    def states(self, formula: Formula, logic: Logic = "CTL") -> Set:
        """Return the states that count and satisfy a formula."""
        key = (formula, logic == "CTL")
        for known in (self._known, self._recent):
            if key in known:
                return known[key]
        found = self._states(formula, logic)
        if isinstance(formula, _COSTLY):
            self._known[key] = found
        else:
            if len(self._recent) >= _RECENT:
                del self._recent[next(iter(self._recent))]
            self._recent[key] = found
        return found

    def _states(self, formula: Formula, logic: Logic) -> Set:
        algebra, frame = self.algebra, self.frame(logic)

        def states(part: Formula) -> Set:
            return self.states(part, logic)

        condition = self._condition(formula)
        if condition is not None:
            return algebra.intersection(algebra.where(condition), frame.universe)
        match formula:
            case Not(body):
                return frame.opposite(states(body))
            case And(operands):
                return reduce(algebra.intersection, map(states, operands), frame.universe)
            case Or(operands):
                return reduce(algebra.union, map(states, operands), algebra.empty)
            case Implies(left, right):
                return algebra.union(frame.opposite(states(left)), states(right))
            case Iff(left, right):
                first, second = states(left), states(right)
                neither = frame.opposite(algebra.union(first, second))
                return algebra.union(algebra.intersection(first, second), neither)
            case Knows(agent, body):
                return epistemic.jointly_known(frame, (agent,), states(body))
            case GroupKnows(kind, group, body):
                of_group = {
                    "everybody": epistemic.known_to_each,
                    "common": epistemic.commonly_known,
                    "distributed": epistemic.jointly_known,
                }[kind]
                return of_group(frame, group.members, states(body))
            case Obliged(agent, body):
                return epistemic.obliged(frame, states(Norm(agent, red=False)), states(body))
            case Exists(path):
                return self._exists(path, logic)
            case All(path):
                return self._all(path, logic)
            case Enforces():
                return self._enforces(formula, logic)
            case Next() | Finally() | Globally() | Until() | WeakUntil() | Release() | Bounded():
                # LTL says it of every path, also inside K.
                return states(All(formula))
            case Constant() | Proposition() | StateCondition() | Norm():
                raise AssertionError(formula)  # a condition, decided above

    def _condition(self, formula: Formula) -> Expression | None:
        """Return a formula that only looks at the state as one condition: cheaper than many sets."""
        system = self.algebra.system
        match formula:
            case Constant(value):
                return expressions.Literal(value)
            case Proposition(name):
                return system.propositions[name]
            case StateCondition(expression):
                return expression
            case Norm(agent, wanted):
                red = system.agent(agent).red or expressions.FALSE
                return red if wanted else expressions.Not(red)
            case Not(body):
                inner = self._condition(body)
                return None if inner is None else expressions.Not(inner)
            case And(operands) | Or(operands):
                found = [self._condition(operand) for operand in operands]
                known = tuple(part for part in found if part is not None)
                if len(known) < len(found):
                    return None
                return expressions.And(known) if isinstance(formula, And) else expressions.Or(known)
            case Implies(left, right):
                return self._condition(Or((Not(left), right)))
            case Iff(left, right):
                first, second = self._condition(left), self._condition(right)
                if first is None or second is None:
                    return None
                return expressions.Compare("=", first, second)
            case _:
                return None

    def _objective(
        self, path: Formula, logic: Logic
    ) -> tuple[GameKind, Set, Set] | Window[Set] | None:
        """Return what a temporal operator wants of some sets; None for any other formula."""
        algebra, nothing = self.algebra, self.algebra.empty
        match path:
            case Next(body):
                return "next", nothing, self.states(body, logic)
            case Finally(body):
                return "until", self.frame(logic).universe, self.states(body, logic)
            case Globally(body):
                return "weak", self.states(body, logic), nothing
            case Until(left, right):
                return "until", self.states(left, logic), self.states(right, logic)
            case Release(left, right):
                held = self.states(right, logic)
                return "weak", held, algebra.intersection(held, self.states(left, logic))
            case WeakUntil(left, right):
                won = self.states(right, logic)
                return "weak", algebra.union(self.states(left, logic), won), won
            case Bounded():
                return self.window(path, logic)
            case _:
                return None

    def window(self, path: Bounded, logic: Logic) -> Window[Set]:
        """Return where an operator with bounds is won and where it goes on, step by step."""

        def states(step: int) -> tuple[Set, Set]:
            won, kept = at_step(path, step)
            return self.states(won, logic), self.states(kept, logic)

        low, high = path.low, path.high
        return Window(low, high, states(0), states(min(low, high)), states(high))

    def _exists(self, path: Formula, logic: Logic) -> Set:
        frame = self.frame(logic)
        objective = self._objective(path, logic) if is_ctl_path(path) else None
        if isinstance(objective, Window):
            return window_values.some_path(frame, objective)[0]
        match objective:
            case ("next", _, body):
                return ctl.exists_next(frame, body)
            case ("until", left, right):
                return ctl.exists_until(frame, left, right)
            case (_, held, won):
                return ctl.exists_weak(frame, held, won)
            case None if is_path_formula(path):
                return self._exists_path(path, logic)
            case None:
                return self.states(path, logic)

    def _all(self, path: Formula, logic: Logic) -> Set:
        frame = self.frame(logic)
        objective = self._objective(path, logic) if is_ctl_path(path) else None
        if isinstance(objective, Window):
            return window_values.every_path(frame, objective)[0]
        match objective:
            case ("next", _, body):
                return ctl.all_next(frame, body)
            case ("until", left, right) if left is frame.universe:
                return ctl.all_finally(frame, right)
            case ("until", left, right):
                return ctl.all_until(frame, left, right)
            case (_, held, won):
                return ctl.all_weak(frame, held, won)
            case None if is_path_formula(path):
                return frame.opposite(self._exists(Not(path), logic))
            case None:
                return self.states(path, logic)

    def _exists_path(self, path: Formula, logic: Logic) -> Set:
        """Return where some path satisfies a path formula of LTL."""
        msg = f"{logic} needs sets that are exact: {show_formula(path)}"
        raise NotImplementedError(msg)

    def _enforces(self, formula: Enforces, logic: Logic) -> Set:
        if not formula.group.members:
            return self.states(All(formula.path), logic)
        if self.strategies != "perfect":
            return self._uniformly(formula, self.frame(logic).universe, logic)
        return self._enforced(formula, logic)

    def _enforced(self, formula: Enforces, logic: Logic) -> Set:
        """Return where a coalition wins that sees everything."""
        members, frame = formula.group.members, self.frame(logic)
        objective = self._objective(formula.path, logic)
        if isinstance(objective, Window):
            return window_values.enforced(frame, members, objective)[0]
        match objective:
            case ("next", _, body):
                return atl.enforce_next(frame, members, body)
            case ("until", left, right):
                return atl.enforce_until(frame, members, left, right)
            case (_, held, won):
                return atl.enforce_weak(frame, members, held, won)
            case None:
                return self.states(formula.path, logic)

    def _uniformly(self, formula: Enforces, within: Set, logic: Logic) -> Set:
        """Return where one uniform strategy for each member wins."""
        algebra = self.algebra
        game = self.game(formula, logic)
        if game is None:
            return algebra.intersection(within, self.states(formula.path, logic))
        assert self._search is not None
        found = algebra.empty
        wins = list(self._search(formula.group.members, game, within))
        for win in wins:
            found = algebra.union(found, win.states)
        # All of them or none: a search that is interrupted will find the same ones again.
        self.wins.setdefault(formula, []).extend(wins)
        return algebra.intersection(found, within)

    def game(self, formula: Enforces, logic: Logic = "CTL") -> CoalitionGame[Set] | None:
        """Return what a coalition plays for; None where it is not about paths."""
        key = (formula, logic == "CTL")
        if key not in self._games:
            objective = self._objective(formula.path, logic)
            if isinstance(objective, Window):
                self._games[key] = self._play_window(formula, objective, logic)
            else:
                self._games[key] = objective and self._play(formula, *objective, logic)
        return self._games[key]

    def _play(
        self, formula: Enforces, kind: GameKind, left: Set, right: Set, logic: Logic
    ) -> CoalitionGame[Set]:
        """Return a game with what is won by those who see everything."""
        bound = self._enforced(formula, logic)
        return CoalitionGame(kind, left, right, bound, self.frame(logic).universe, {})

    def _play_window(
        self, formula: Enforces, window: Window[Set], logic: Logic
    ) -> CoalitionGame[Set]:
        """Return a game against the clock."""
        nothing, universe = self.algebra.empty, self.frame(logic).universe
        bound = self._enforced(formula, logic)
        return CoalitionGame("window", nothing, nothing, bound, universe, {}, window=window)
