"""Vacuity where every state is known: runs that end, coalitions that win anything, views of one state.

In addition to what `vacuity` finds, and as there with what is put in the place of what:

- `AX f` is asked only in deadlocks: `AX false`.
- `AF f` or `A(e U f)` is asked only where every run ends, with `e` up to its end: `AF false`, `A(e U false)`.
- No infinite run starts where a path formula of LTL or CTL* is asked of all paths: `A X false`.
- `EF (a -> b)` is true by `EF !a` alone, though `a` can be true: `EF !a`; the same of `EX`, `<g>F`, and `U`
  with an implication on its right. `AF (a -> b)` is left alone: `a` may be meant to pass.
- A coalition can see to it that no outcome is fair: `<g>G false`, for `<g>F f` and all others.
- It can end the run by a move that has no result: `<g>F false` for `<g>F f`; the same of `X` and `U`.
- It can do so while `f` holds, and cannot keep `f` for ever by moves that have results: `<g>(f U false)` for
  `<g>G f`.

The empty coalition is `A`. Strategies are read as they are in the formula; where uniform ones have to be
searched for, the search is short, and `<g>G f` is left alone.
"""

from collections.abc import Collection, Iterator
from functools import cached_property
from math import prod
from typing import Final

from gnomon.engines.algebra import Algebra, Set
from gnomon.engines.game import SearchTooLong
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.settled import settled
from gnomon.logic.uniform_games import FEW_STATES, MOST_VISITS
from gnomon.logic.vacuity import FALSE, Note, Vacuity
from gnomon.model import formula as f
from gnomon.model.fragment import has_coalition, is_ctl_path, is_path_formula

#: Where a coalition has more choices than this, they are not gone through one by one.
_MOST_CHOICES: Final = 64


class ExactVacuity(Vacuity[Set]):
    """Looks for what is vacuous about true formulae where sets of states are exact."""

    _truth: Satisfaction[Set]
    _algebra: Algebra[Set]

    def _next(self, asked: Set) -> Set:
        return self._algebra.intersection(self._algebra.after(asked), self._frame.tail)

    def _alike(self, agents: Collection[str], asked: Set) -> Set:
        universe = self._frame.universe
        if asked is universe:
            return universe
        return self._algebra.intersection(self._algebra.indistinguishable(agents, asked), universe)

    def _alone(self, agents: Collection[str], asked: Set) -> bool:
        """There are as many views as states; where there cannot be as many, nobody has to count them."""
        if super()._alone(agents, asked):
            return True
        algebra, universe = self._algebra, self._frame.universe
        most = self._sight.views(agents)
        if asked is universe and most is not None and most < self._size:
            return False
        alike = self._alike(agents, asked)
        count = self._size if alike is universe else algebra.count(alike)
        return algebra.is_subset(alike, asked) and count == algebra.views(agents, alike)

    @cached_property
    def _size(self) -> int:
        """How many states count."""
        return self._algebra.count(self._frame.universe)

    # Runs that end

    def _quantified(self, whole: f.All | f.Exists, path: f.Formula, asked: Set) -> Iterator[Note]:
        note = None
        if self._is_open(path):
            if isinstance(whole, f.All):
                note = self._ended(whole, path, asked)
            else:
                note = self._avoided(whole, path, asked)
        if note is None:
            yield from super()._quantified(whole, path, asked)
        else:
            yield note

    def _is_open(self, path: f.Formula) -> bool:
        """Return whether it is worth a look what is said of paths; `AX false` is a way to say deadlock."""
        return is_path_formula(path) and settled(goal_of(path)) is None and self._may_look()

    def _ended(self, whole: f.All | f.Enforces, path: f.Formula, asked: Set) -> Note | None:
        """Return the note that nothing is said of paths, since there are none that could break it."""
        algebra, truth = self._algebra, self._truth
        if self._frame.constraints or algebra.is_empty(algebra.deadlocks):
            return None
        if self._logic != "CTL":
            if not algebra.is_empty(algebra.intersection(asked, self._frame.tail)):
                return None
            what = f"no run{self._from(asked, whole)} is infinite"
            text = f"{what}, so nothing is said of {self._name(path)}"
            return Note(text, whole, f.All(f.Next(FALSE)))
        if not is_ctl_path(path) or not isinstance(path, _COMING):
            return None
        stuck = algebra.is_subset(asked, algebra.deadlocks)
        if isinstance(path, f.Next):
            what = f"{self._name(whole)} is asked only in deadlocks"
        else:
            what = f"every run{self._from(asked, whole)} ends in a deadlock"
            endless = truth.frame("CTL*").tail
            stuck = stuck or algebra.is_empty(algebra.intersection(asked, endless))
        instead = f.All(_without_goal(path))
        if not stuck or not algebra.is_subset(asked, truth.states(instead)):
            return None
        return Note(f"{what}, so nothing is said of {self._name(goal_of(path))}", whole, instead)

    def _from(self, asked: Set, whole: f.Formula) -> str:
        everywhere = asked is self._initial or asked is self._frame.universe
        return "" if everywhere else f" from where {self._name(whole)} is asked"

    # Implications to be come to

    def _avoided(self, whole: f.Exists | f.Enforces, path: f.Formula, asked: Set) -> Note | None:
        """Return the note that `EF (a -> b)` is true wherever `EF !a` is; who writes it means `a and b`."""
        reached = goal_of(path)
        if not isinstance(reached, f.Implies) or isinstance(path, f.Globally):
            return None
        if isinstance(path, f.Next) and isinstance(whole, f.Enforces):
            return None  # of all that follows, one means an implication
        left, right = reached.left, reached.right
        written = settled(left) is not None or settled(right) is not None
        if written or not is_ctl_path(path) or not self._possible(left, self._frame.tail):
            return None
        other = _with_goal(path, f.Not(left))
        if isinstance(whole, f.Enforces):
            instead: f.Exists | f.Enforces = f.Enforces(whole.group, other)
        else:
            instead = f.Exists(other)
        if not self._is_true(instead, asked):
            return None
        text = f"{self._name(instead)} is true already, so nothing is said of {self._name(right)}"
        return Note(text, whole, instead)

    def _is_true(self, formula: f.Exists | f.Enforces, asked: Set) -> bool:
        if isinstance(formula, f.Enforces):
            return self._wins(formula, asked)
        if self._truth.strategies != "perfect" and has_coalition(formula):
            return False
        return self._algebra.is_subset(asked, self._truth.states(formula, self._logic))

    # Coalitions

    def _enforced(self, formula: f.Enforces, asked: Set) -> Iterator[Note]:
        note = None
        if self._is_open(formula.path):
            note = self._won_anyway(formula, asked)
            if note is None and formula.group.members:
                note = self._avoided(formula, formula.path, asked)
        if note is None:
            yield from super()._enforced(formula, asked)
        else:
            yield note

    def _won_anyway(self, formula: f.Enforces, asked: Set) -> Note | None:
        """Return the note that a coalition wins whatever it plays for."""
        algebra, group, path = self._algebra, formula.group, formula.path
        if not group.members:
            return self._ended(formula, path, asked)
        fair = bool(self._frame.constraints)
        if not fair and algebra.is_empty(algebra.overflows):
            return None  # every move has a result
        if not fair and isinstance(path, f.Globally):
            return self._kept_by_ending(formula, path.body, asked)
        if not fair and not isinstance(path, _COMING):
            return None
        # On an infinite path, each of them is false: all that counts is whether one is left that is fair.
        instead = f.Enforces(group, f.Globally(FALSE) if fair else _without_goal(path))
        if not self._wins(instead, asked):
            return None
        what = (
            "see to it that no outcome is fair" if fair else "end the run by a move without result"
        )
        text = f"{group} can {what}, so nothing is said of {self._name(goal_of(path))}"
        return Note(text, formula, instead)

    def _wins(self, formula: f.Enforces, asked: Set) -> bool:
        """Return whether a coalition surely wins a game in every state that is asked about."""
        algebra, truth = self._algebra, self._truth
        if truth.strategies == "perfect":
            return algebra.is_subset(asked, truth.states(formula, self._logic))
        if has_coalition(formula.path):
            return False
        game = truth.game(formula, self._logic)
        if game is None or not algebra.is_subset(asked, game.bound):
            return False
        if algebra.count(asked) > FEW_STATES:
            return False
        search = algebra.uniform_search(formula.group.members, game)
        subjective = truth.strategies == "uniform-subjective"
        won = algebra.empty
        try:
            for win in search.each(asked, subjective=subjective, most=MOST_VISITS):
                won = algebra.union(won, win.states)
        except SearchTooLong:
            return False
        return algebra.is_subset(asked, won)

    def _kept_by_ending(self, formula: f.Enforces, body: f.Formula, asked: Set) -> Note | None:
        """Return the note that a coalition keeps something only by ending the run."""
        actions = (self._algebra.system.agent(name).actions for name in formula.group.members)
        if self._truth.strategies != "perfect" or prod(map(len, actions)) > _MOST_CHOICES:
            return None
        instead = f.Enforces(formula.group, f.Until(body, FALSE))
        if not self._wins(instead, asked):
            return None
        kept = self._kept_with_results(formula.group.members, self._truth.states(body, self._logic))
        if not self._algebra.is_empty(self._algebra.intersection(asked, kept)):
            return None
        text = f"{formula.group} can keep {self._name(body)} only up to a move without result"
        return Note(text, formula, instead)

    def _kept_with_results(self, coalition: Collection[str], within: Set) -> Set:
        """Return where the coalition can stay within a set by choices that have at least one result each."""
        algebra = self._algebra
        idle: dict[tuple[str, ...], Set] = {}
        for choice, states in algebra.forcing_choices(coalition, algebra.empty, within):
            idle[choice] = algebra.union(idle.get(choice, algebra.empty), states)
        found = within
        while True:
            kept = algebra.empty
            for choice, states in algebra.forcing_choices(coalition, found, found):
                lively = algebra.difference(states, idle.get(choice, algebra.empty))
                kept = algebra.union(kept, lively)
            if algebra.is_subset(found, kept):
                return found
            found = kept


#: The operators that ask for something to come.
_COMING: Final = (f.Next, f.Finally, f.Until)


def goal_of(path: f.Formula) -> f.Formula:
    """Return what a coalition, or every path, has to come to."""
    match path:
        case f.Next(body) | f.Finally(body) | f.Globally(body) | f.Until(_, body):
            return body
        case _:
            return path


def _without_goal(path: f.Formula) -> f.Formula:
    """Return a path formula with `false` for what has to be come to."""
    return _with_goal(path, FALSE)


def _with_goal(path: f.Formula, goal: f.Formula) -> f.Formula:
    match path:
        case f.Next() | f.Finally():
            return type(path)(goal)
        case f.Until(left):
            return f.Until(left, goal)
        case _:
            return path
