"""Where a formula holds in a model whose states are known: with fairness, path formulae and verdicts."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import CoalitionGame, GameKind, Win, Window
from gnomon.logic import ltl, uniform_games
from gnomon.logic.denotation import Denotation, Reading
from gnomon.logic.frame import Frame
from gnomon.logic.uniform_games import UniformPlay
from gnomon.model.formula import (
    All,
    And,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Not,
    Or,
)
from gnomon.model.fragment import is_path_formula
from gnomon.model.system import Logic, Specification

if TYPE_CHECKING:
    from gnomon.logic.nested_coalitions import NestedCoalitions  # loads what only few formulae need

__all__ = ["Reading", "Satisfaction"]


class Satisfaction(Denotation[Set]):
    """The satisfaction relation over exact sets, on the paths that meet all fairness constraints."""

    algebra: Algebra[Set]

    def __init__(
        self,
        algebra: Algebra[Set],
        fairness: tuple[Specification, ...] = (),
        strategies: Reading = "perfect",
    ) -> None:
        """Read formulae over `algebra`, on the paths that meet all fairness constraints."""
        super().__init__(algebra, strategies, self._wins)
        self._fairness = fairness
        self._plays: dict[int, UniformPlay[Set]] = {}
        self._coalitions: dict[bool, NestedCoalitions[Set]] = {}

    @cached_property
    def constraints(self) -> tuple[Set, ...]:
        """Return the states of each fairness constraint, which is itself read without fairness."""
        plain = Satisfaction(self.algebra)
        return tuple(plain.states(each.formula, each.logic) for each in self._fairness)

    @cached_property
    def _finite_frame(self) -> Frame[Set]:
        """The paths of CTL: without fairness, also those that end."""
        if self._fairness:
            return self._infinite_frame
        reachable = self.algebra.reachable
        return Frame(self.algebra, reachable, reachable)

    @cached_property
    def _infinite_frame(self) -> Frame[Set]:
        """The paths of LTL and CTL*: the infinite, fair ones."""
        algebra, reachable = self.algebra, self.algebra.reachable
        if self._fairness:
            fair = algebra.fairly_lasting(reachable, self.constraints)
            return Frame(algebra, fair, fair, self.constraints)
        if algebra.is_empty(algebra.deadlocks):
            return Frame(algebra, reachable, reachable)
        return Frame(algebra, reachable, algebra.lasting(reachable))

    def frame(self, logic: Logic = "CTL") -> Frame[Set]:
        """Return the states and paths that a logic ranges over."""
        return self._finite_frame if logic == "CTL" else self._infinite_frame

    @property
    def initial(self) -> Set:
        """Return the initial states that count."""
        return self.algebra.intersection(self.algebra.initial, self.frame().universe)

    def holds(self, formula: Formula, logic: Logic = "CTL") -> bool:
        """Return whether a formula holds in the model: in all its initial states that count."""
        algebra, frame = self.algebra, self.frame(logic)
        match formula:
            case And(operands):
                return all(self.holds(operand, logic) for operand in operands)
            case Globally() if logic != "CTL":
                return self.holds(All(formula), logic)
            case All(Globally(body)) if not is_path_formula(body):
                # Every state that counts is on a path from an initial one: no need to go back to it.
                if self._has_nested(formula, logic):
                    return self._nested(logic).everywhere(body, frame.tail)
                return algebra.is_subset(frame.tail, self.states(body, logic))
            case Exists(Finally(body)) if not is_path_formula(body) and self._starts_once:
                if self._has_nested(formula, logic):
                    return not self._nested(logic).everywhere(Not(body), frame.tail)
                ends = algebra.intersection(frame.tail, self.states(body, logic))
                return not algebra.is_empty(ends)
            case _ if self._has_nested(formula, logic):
                return self._nested(logic).everywhere(formula, self.initial)
            case Enforces() if self._is_lost_to_all(formula, logic):
                return False
            case _:
                within = self.states_within(formula, self.initial, logic)
                return algebra.is_subset(self.initial, within)

    def _has_nested(self, formula: Formula, logic: Logic) -> bool:
        """Whether a search is needed for coalitions inside other operators, and bounds can be told."""
        if self.strategies == "perfect" or self.is_settled(formula, logic):
            return False
        from gnomon.logic.coalition_bounds import has_nested_coalition, is_bounded_from_both_sides

        return has_nested_coalition(formula) and is_bounded_from_both_sides(formula)

    def is_settled(self, formula: Formula, logic: Logic) -> bool:
        """Return whether all states are known in which a formula holds."""
        return (formula, logic == "CTL") in self._known

    def _nested(self, logic: Logic) -> "NestedCoalitions[Set]":
        from gnomon.logic.nested_coalitions import NestedCoalitions

        is_ctl = logic == "CTL"
        if is_ctl not in self._coalitions:
            self._coalitions[is_ctl] = NestedCoalitions(self, logic)
        return self._coalitions[is_ctl]

    def note(self, formula: Enforces, wins: Iterable[Win[Set]]) -> None:
        """Keep strategies that were found, to be shown."""
        self.wins.setdefault(formula, []).extend(wins)

    def _is_lost_to_all(self, formula: Enforces, logic: Logic) -> bool:
        """Whether no search is needed: not even those who see everything win from each initial state."""
        if self.strategies == "perfect" or not formula.group.members:
            return False
        game = self.game(formula, logic)
        return game is not None and not self.algebra.is_subset(self.initial, game.bound)

    @cached_property
    def _starts_once(self) -> bool:
        """Whether there is just one initial state that counts."""
        return self.algebra.count(self.initial) == 1

    @cached_property
    def may_overflow(self) -> bool:
        """Whether a value can leave its range in a state that is reached."""
        return not self.algebra.is_empty(self.algebra.overflows)

    def states_within(self, formula: Formula, within: Set, logic: Logic = "CTL") -> Set:
        """Return the states of `within` that satisfy a formula, without deciding it elsewhere.

        That saves work where a search is needed for every single state: for uniform strategies.
        """
        algebra = self.algebra
        match formula:
            case _ if self._has_nested(formula, logic):
                return self._nested(logic).within(formula, within)
            case Not(body):
                return algebra.difference(within, self.states_within(body, within, logic))
            case And(operands):
                for operand in operands:
                    within = self.states_within(operand, within, logic)
                return within
            case Or(operands):
                inner = And(tuple(Not(operand) for operand in operands))
                return algebra.difference(within, self.states_within(inner, within, logic))
            case Implies(left, right):
                return self.states_within(Or((Not(left), right)), within, logic)
            case Iff(left, right):
                first = self.states_within(left, within, logic)
                second = self.states_within(right, within, logic)
                neither = algebra.difference(within, algebra.union(first, second))
                return algebra.union(algebra.intersection(first, second), neither)
            case Enforces(group) if self.strategies != "perfect" and group.members:
                return self._uniformly(formula, within, logic)
            case _:
                return algebra.intersection(within, self.states(formula, logic))

    def forget(self) -> None:
        """Drop the sets computed so far: those of a large model take much memory."""
        self._known.clear()
        self._recent.clear()
        self.wins.clear()
        self._games.clear()
        self._plays.clear()
        self._coalitions.clear()
        if "_infinite_frame" in vars(self):
            self._infinite_frame.fair_against.clear()

    def _exists_path(self, path: Formula, logic: Logic) -> Set:
        """Return where some path satisfies a path formula of LTL."""
        frame = self.frame(logic)
        return ltl.exists_path(self.algebra, frame, path, lambda part: self.states(part, logic))

    def _wins(
        self, coalition: Collection[str], game: CoalitionGame[Set], within: Set
    ) -> Iterable[Win[Set]]:
        return self.play(coalition, game).wins(within)

    def play(self, coalition: Collection[str], game: CoalitionGame[Set]) -> UniformPlay[Set]:
        """Return a coalition that acts on what it sees, in a game: the same one for the same game."""
        # What is kept holds the game, so that no other one gets its number.
        found = self._plays.get(id(game))
        if found is None:
            subjective = self.strategies == "uniform-subjective"
            found = UniformPlay(self.algebra, coalition, game, subjective=subjective)
            self._plays[id(game)] = found
        return found

    def _play(
        self, formula: Enforces, kind: GameKind, left: Set, right: Set, logic: Logic
    ) -> CoalitionGame[Set]:
        """Return a game with what may be come to without losing it, for the search."""
        return uniform_games.game_of(self.frame(logic), formula.group.members, kind, left, right)

    def _play_window(
        self, formula: Enforces, window: Window[Set], logic: Logic
    ) -> CoalitionGame[Set]:
        """Return a game against the clock, with what may be come to at each step."""
        return uniform_games.window_game(self.frame(logic), formula.group.members, window)
