"""Coalitions inside other operators, asked about only where the whole formula still depends on the answer.

To ask whether members have uniform strategies is a search for every state. Before any search it is known
where not even those who see everything win, and every search settles one state more. All operators around a
coalition are monotone, up to negation; so what is known bounds the whole formula from both sides, and where
both bounds agree nothing more is asked. Where they differ, few states are asked about first, and then more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from gnomon.engines.algebra import Set
from gnomon.engines.game import CoalitionGame, Win
from gnomon.logic.coalition_bounds import (
    BoundSide,
    FormulaBounds,
    SearchedTruth,
    has_coalition_inside,
    is_coalition,
)
from gnomon.logic.uniform_games import UniformPlay
from gnomon.model.formula import (
    And,
    Enforces,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Obliged,
    Or,
    PathOperator,
    parts,
)
from gnomon.model.fragment import is_path_formula
from gnomon.model.system import Logic

#: So many states are asked about before the bounds are looked at again, and so many times as many next time.
_FIRST: Final = 1
_MORE: Final = 8
#: Where more states than this are to be asked about, what sets alone tell is looked at first.
FEW_STATES: Final = 1_000


@dataclass
class _AskedCoalition(Generic[Set]):
    """What is known of a coalition formula, and the game, which is right for starts in some states."""

    won: Set
    lost: Set
    play: UniformPlay[Set] | None = None
    #: Where those who see everything win, as far as is known.
    possible: Set | None = None
    #: The starts for which the game is right, where it is not for all.
    region: Set | None = None
    by_sets: bool = False


class NestedCoalitions(Generic[Set]):
    """The bounds of formulae with coalitions that act on what they see, as far as something was asked."""

    def __init__(self, truth: SearchedTruth[Set], logic: Logic) -> None:
        """Ask `truth` about what has no such coalition, and search for strategies as it says."""
        self._truth = truth
        self._logic: Logic = logic
        self._algebra = truth.algebra
        self._frame = truth.frame(logic)
        self._asked: dict[Enforces, _AskedCoalition[Set]] = {}
        self._known: dict[Formula, FormulaBounds[Set]] = {}
        self._under = self._side(lambda part: self.bounds(part).sure)
        self._over = self._side(lambda part: self.bounds(part).possible)

    def _side(self, states: Callable[[Formula], Set]) -> BoundSide[Set]:
        return BoundSide(self._algebra, self._truth.strategies, self._frame, states)

    # Questions

    def everywhere(self, formula: Formula, states: Set) -> bool:
        """Return whether a formula holds in all of some states."""
        algebra, most = self._algebra, _FIRST
        while True:
            sure, possible = self.bounds(formula)
            if not algebra.is_subset(states, possible):
                return False
            if algebra.is_subset(states, sure):
                return True
            self._ask(formula, states, most)
            most *= _MORE

    def within(self, formula: Formula, states: Set) -> Set:
        """Return those of some states in which a formula holds."""
        algebra, most = self._algebra, _FIRST
        while True:
            sure, possible = self.bounds(formula)
            held = algebra.intersection(states, sure)
            if algebra.is_subset(algebra.intersection(states, possible), held):
                return held
            self._ask(formula, states, most)
            most *= _MORE

    # What is known

    def bounds(self, formula: Formula) -> FormulaBounds[Set]:
        """Return where a formula surely holds and where it may, as far as that is known."""
        settled = self._truth.is_settled(formula, self._logic)
        if settled or not has_coalition_inside(formula):
            states = self._truth.states(formula, self._logic)
            return FormulaBounds(states, states)
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = self._bounds(formula)
        return found

    def _bounds(self, formula: Formula) -> FormulaBounds[Set]:
        frame = self._frame
        match formula:
            case Not(body):
                sure, possible = self.bounds(body)
                return FormulaBounds(frame.opposite(possible), frame.opposite(sure))
            case Implies(left, right):
                return self.bounds(Or((Not(left), right)))
            case Iff(left, right):
                return self.bounds(Or((And((left, right)), And((Not(left), Not(right))))))
            case Enforces(_, path) if not is_path_formula(path):
                return self.bounds(path)
            case Enforces() if is_coalition(formula):
                return self._coalition(formula)
            case _:
                sure = self._under.operator(formula, self._logic)
                return FormulaBounds(sure, self._over.operator(formula, self._logic))

    def _coalition(self, formula: Enforces) -> FormulaBounds[Set]:
        """At least what was won; at most what is won by those who see everything, and was not lost."""
        algebra, asked = self._algebra, self._asked_of(formula)
        if asked.possible is None:
            informed = (
                asked.play.possible if asked.play else self._over.enforced(formula, self._logic)
            )
            asked.possible = algebra.intersection(informed, self._frame.universe)
        return FormulaBounds(asked.won, algebra.difference(asked.possible, asked.lost))

    def _asked_of(self, formula: Enforces) -> _AskedCoalition[Set]:
        found = self._asked.get(formula)
        if found is None:
            found = self._asked[formula] = _AskedCoalition(self._algebra.empty, self._algebra.empty)
            if not any(map(has_coalition_inside, parts(formula.path))):
                found.play = self._play(formula, self._truth.game(formula, self._logic))
        return found

    def _play(self, formula: Enforces, game: CoalitionGame[Set] | None) -> UniformPlay[Set]:
        assert game is not None, "it is about paths"
        return self._truth.play(formula.group.members, game)

    # What is asked

    def _ask(self, formula: Formula, states: Set, most: int) -> None:
        """Ask in a few of the states on which it depends whether a formula holds in some states."""
        needed: dict[Enforces, Set] = {}
        self._need(formula, states, needed)
        assert needed, "what is open depends on some coalition"
        for coalition, wanted in needed.items():
            self._search(coalition, wanted, most)
        self._known.clear()

    def _need(self, formula: Formula, states: Set, needed: dict[Enforces, Set]) -> None:
        """Collect where coalitions are to be asked about, to decide a formula in some states."""
        if not has_coalition_inside(formula):
            return
        algebra = self._algebra
        if not is_path_formula(formula):
            sure, possible = self.bounds(formula)
            states = algebra.difference(algebra.intersection(states, possible), sure)
        if algebra.is_empty(states):
            return
        match formula:
            case Enforces(_, path) if is_coalition(formula) and is_path_formula(path):
                needed[formula] = algebra.union(needed.get(formula, algebra.empty), states)
                return
        elsewhere = self._looked_at(formula, states)
        for part in parts(formula):
            self._need(part, elsewhere, needed)

    def _looked_at(self, formula: Formula, states: Set) -> Set:
        """Return the states that an operator looks at from some states, or more."""
        algebra, universe = self._algebra, self._frame.universe
        match formula:
            case Knows(agent, _):
                found = algebra.indistinguishable((agent,), states)
            case GroupKnows("distributed", group, _):
                found = algebra.indistinguishable(group.members, states)
            case GroupKnows("everybody", group, _):
                found = algebra.confused(group.members, states)
            case GroupKnows() | Obliged():
                return universe
            case Next():
                found = algebra.after(states)
            case _ if isinstance(formula, PathOperator):
                found = self._later(states)
            case _:
                return states
        return algebra.intersection(found, universe)

    def _later(self, states: Set, through: Set | None = None) -> Set:
        """Return the states themselves and all that follow, step by step, those that are passed `through`."""
        algebra = self._algebra
        if through is None and algebra.is_subset(algebra.initial, states):
            return algebra.reachable

        def step(new: Set, _: Set) -> Set:
            return algebra.after(new if through is None else algebra.intersection(new, through))

        return algebra.grow(states, step)

    def _search(self, formula: Enforces, wanted: Set, most: int) -> None:
        """Settle a few of the states that are wanted, and what is settled by that."""
        algebra, asked = self._algebra, self._asked_of(formula)
        play = asked.play
        if play is None or (
            asked.region is not None and not algebra.is_subset(wanted, asked.region)
        ):
            asked.region = wanted
            play = asked.play = self._exact_game(formula, wanted)
            assert asked.possible is not None, "it was looked at for what is wanted"
            hopeless = algebra.difference(wanted, play.possible)
            asked.possible = algebra.difference(asked.possible, hopeless)
            return
        few = self._few(formula, wanted, most)
        wins = play.briefly(few) if most == _FIRST else None
        if wins is None and not asked.by_sets and algebra.count(wanted) > FEW_STATES:
            asked.by_sets = True
            sure = play.surely(wanted)
            if sure is not None:
                self._note(formula, [sure])
                return
        if wins is None:
            wins = list(play.wins(few))
        won = self._note(formula, wins)
        lost = self._alike(formula, algebra.difference(few, won))
        asked.lost = algebra.union(asked.lost, lost)

    def _note(self, formula: Enforces, wins: Sequence[Win[Set]]) -> Set:
        """Keep what was won, and return it."""
        algebra, asked, won = self._algebra, self._asked_of(formula), self._algebra.empty
        self._truth.note(formula, wins)
        for win in wins:
            won = algebra.union(won, win.states)
        asked.won = algebra.union(asked.won, won)
        return won

    def _few(self, formula: Enforces, wanted: Set, most: int) -> Set:
        """Return some of the states wanted, not two that are settled by the same search."""
        algebra, found, left = self._algebra, self._algebra.empty, wanted
        if algebra.count(wanted) <= most:
            return wanted
        for _ in range(most):
            if algebra.is_empty(left):
                break
            here = algebra.only(algebra.pick(left))
            found = algebra.union(found, here)
            left = algebra.difference(left, self._alike(formula, here))
        return found

    def _alike(self, formula: Enforces, states: Set) -> Set:
        """Return the states whose answer is the same: a strategy has to win from the same states."""
        if self._truth.strategies != "uniform-subjective" or self._algebra.is_empty(states):
            return states
        alike = self._algebra.indistinguishable(formula.group.members, states)
        return self._algebra.intersection(alike, self._frame.universe)

    def _exact_game(self, formula: Enforces, starts: Set) -> UniformPlay[Set]:
        """Return a game that is right from some states, where what is played for has coalitions inside.

        Outcomes that are not lost stay, until they are won, where those win who see everything; the
        subjective reading starts from what looks alike as well.
        """
        algebra = self._algebra
        if self._truth.strategies == "uniform-subjective":
            starts = algebra.union(starts, algebra.confused(formula.group.members, starts))
        region = self._later(starts, self._over.enforced(formula, self._logic))
        region = algebra.intersection(region, self._frame.universe)
        exact = self._side(lambda part: self.within(part, region))
        return self._play(formula, exact.game(formula, self._logic))
