"""One side of what is known of formulae with coalitions inside, read by the operators around them."""

from collections.abc import Callable, Collection, Iterable
from typing import Generic, NamedTuple, Protocol

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import CoalitionGame, GameKind, Win
from gnomon.logic import uniform_games
from gnomon.logic.denotation import Denotation, Reading
from gnomon.logic.frame import Frame
from gnomon.logic.uniform_games import UniformPlay
from gnomon.model.formula import (
    All,
    And,
    Bounded,
    Enforces,
    Exists,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    PathOperator,
    parts,
    walk,
)
from gnomon.model.fragment import is_ctl_path, is_path_formula
from gnomon.model.system import Logic


class FormulaBounds(NamedTuple, Generic[Set]):
    """States in which a formula surely holds, and those in which it may."""

    sure: Set
    possible: Set


def is_coalition(formula: Formula) -> bool:
    """Return whether a formula is about somebody's strategies."""
    return isinstance(formula, Enforces) and bool(formula.group.members)


def has_coalition_inside(formula: Formula) -> bool:
    """Return whether somebody's strategies occur in a formula."""
    return any(map(is_coalition, walk(formula)))


def has_nested_coalition(formula: Formula) -> bool:
    """Return whether somebody's strategies occur below an operator that looks beyond the state."""
    match formula:
        case Not() | And() | Or() | Implies() | Iff():
            return any(map(has_nested_coalition, parts(formula)))
        case Enforces(_, path) if is_coalition(formula):
            inside = parts(path) if is_path_formula(path) else (path,)
            return any(map(has_coalition_inside, inside))
        case _:
            return has_coalition_inside(formula)


def is_bounded_from_both_sides(formula: Formula) -> bool:
    """Return whether every operator around a coalition is one that `NestedCoalitions` knows."""
    if not has_coalition_inside(formula):
        return True
    match formula:
        case All(path) | Exists(path) | Enforces(_, path) if is_path_formula(path):
            return is_bounded_from_both_sides(path)
        case Bounded():
            return False
        case _ if isinstance(formula, PathOperator) and not is_ctl_path(formula):
            return False
        case And() | Or() | Not() | Implies() | Iff() if is_path_formula(formula):
            return False
        case _:
            return all(map(is_bounded_from_both_sides, parts(formula)))


class SearchedTruth(Protocol[Set]):
    """What is asked of the satisfaction relation: formulae without such coalitions, and strategies."""

    algebra: Algebra[Set]
    strategies: Reading

    def frame(self, logic: Logic) -> Frame[Set]:
        """Return the states and paths that a logic ranges over."""

    def states(self, formula: Formula, logic: Logic) -> Set:
        """Return the states that count and satisfy a formula."""

    def is_settled(self, formula: Formula, logic: Logic) -> bool:
        """Return whether all states are known in which a formula holds."""

    def game(self, formula: Enforces, logic: Logic) -> CoalitionGame[Set] | None:
        """Return what a coalition plays for; None where it is not about paths."""

    def play(self, coalition: Collection[str], game: CoalitionGame[Set]) -> UniformPlay[Set]:
        """Return a coalition that acts on what it sees, in a game."""

    def note(self, formula: Enforces, wins: Iterable[Win[Set]]) -> None:
        """Keep strategies that were found, to be shown."""


class BoundSide(Denotation[Set]):
    """Reads operators over states that are given for what stands below them."""

    def __init__(
        self,
        algebra: Algebra[Set],
        strategies: Reading,
        frame: Frame[Set],
        states: Callable[[Formula], Set],
    ) -> None:
        """Take the states of what an operator is over from `states`."""
        super().__init__(algebra, strategies)
        self._given_frame = frame
        self._given = states

    def frame(self, logic: Logic = "CTL") -> Frame[Set]:  # noqa: ARG002 - it is that of one logic
        """Return the states and paths that the logic ranges over."""
        return self._given_frame

    def states(self, formula: Formula, logic: Logic = "CTL") -> Set:  # noqa: ARG002 - the same
        """Return the states that were given."""
        return self._given(formula)

    def operator(self, formula: Formula, logic: Logic) -> Set:
        """Return what an operator makes of what it is over."""
        return self._states(formula, logic)

    def enforced(self, formula: Enforces, logic: Logic) -> Set:
        """Return where a coalition wins that sees everything."""
        return self._enforced(formula, logic)

    def _play(
        self, formula: Enforces, kind: GameKind, left: Set, right: Set, logic: Logic
    ) -> CoalitionGame[Set]:
        """Return a game with what may be come to without losing it, for the search."""
        return uniform_games.game_of(self.frame(logic), formula.group.members, kind, left, right)
