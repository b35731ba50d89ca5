"""Which cells a coalition wins from by what its members see: both ways, as far as cells tell.

Members are bound to choices in the views where that matters, as a SAT solver proposes. Bound like that, they
win surely: then that is a strategy. Or they lose surely, even if they saw everything in all views that they
are not bound in: then no strategy wins that makes these choices, and a clause says so for all of them at
once. That holds of strategies for states only where a cell shows a member no more than one view; in other
views nobody is bound when it is about losing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from gnomon.engines.abstraction.attractors import GameSide
from gnomon.engines.abstraction.concretise import diagram_of, pick_cell
from gnomon.engines.abstraction.demanded_starts import OwnStarts
from gnomon.engines.abstraction.local_strategies import (
    LocalPlay,
    LocalStrategy,
    NotFollowed,
    SightConflict,
)
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.view_cells import LocalCell, LocalChoices, ViewCells
from gnomon.engines.abstraction.view_choices import TriedChoices
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame
from gnomon.text.errors import Abandoned

#: So many ways of binding members are tried for one formula on the same cells, and for one set of cells.
_MOST_TRIED: Final = 400
_MOST_AT_ONCE: Final = 120
#: Where so many strategies may win or lose, for a set of cells or for all, finer cells are needed.
MOST_OPEN: Final = 8
MOST_OPEN_AT_ALL: Final = 32
#: So many cells are asked about one by one.
_MOST_STARTS: Final = 50
#: Members are bound in so many views at most.
_MOST_VIEWS: Final = 300

#: How a coalition fares from some cells.
UniformAnswer: TypeAlias = Literal["won", "lost", "open"]


class PathLabels(NamedTuple):
    """Where a game is won: on every path of an algebra, and by members as they are bound to at present."""

    every_path: Callable[[CellAlgebra], ThreeValued]
    enforced: Callable[[], ThreeValued]
    #: Whether paths count only where they are fair.
    fair: bool


@dataclass
class UniformAnswers:
    """The cells that are surely won and surely lost, by which strategies, and what remained open."""

    won: Diagram
    lost: Diagram
    strategies: list[LocalStrategy] = field(default_factory=list)
    #: Labels of the model pruned to strategies that neither surely win nor surely lose.
    open: list[ThreeValued] = field(default_factory=list)
    #: Why not all strategies were tried, if they were not.
    unfinished: str = ""


class _GivenUp(Abandoned):
    """There are too many strategies, or too many views."""


class _DemandedStarts(NamedTuple):
    """The cells a strategy has to win from, and those of which each speaks against it if it loses there."""

    everywhere: Diagram
    telling: Diagram


def uniform_answers(
    algebra: CellAlgebra,
    members: tuple[str, ...],
    game: CoalitionGame[ThreeValued],
    labels: PathLabels,
    starts: OwnStarts | None = None,
) -> UniformAnswers:
    """Look for strategies by local cells from all cells where those might win who see everything.

    Whoever cannot win seeing everything cannot win seeing less.
    """
    starts = starts or OwnStarts(algebra.space)
    return _UniformAnswering(algebra, members, game, labels, starts).run()


class _UniformAnswering:
    def __init__(
        self,
        algebra: CellAlgebra,
        members: tuple[str, ...],
        game: CoalitionGame[ThreeValued],
        labels: PathLabels,
        demanded: OwnStarts,
    ) -> None:
        self._algebra = algebra
        self._demanded = demanded
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._members = tuple(dict.fromkeys(members))
        self._game = game
        self._labels = labels
        self._views = ViewCells(algebra.space, self._members)
        self._tried = 0
        self._until = 0
        self._open = 0
        self._open_at_all = 0
        self._choices = TriedChoices(algebra.space.budget)
        self._found = UniformAnswers(self._d.false, demanded.lost(game.bound.false))

    def run(self) -> UniformAnswers:
        d, found = self._d, self._found
        for start in self._starts():
            left = d.minus(d.minus(start, found.won), found.lost)
            if left == d.false:
                continue
            self._until = min(self._tried + _MOST_AT_ONCE, _MOST_TRIED)
            try:
                answer = self._answer(left)
            except (_GivenUp, NotFollowed) as limit:
                found.unfinished = str(limit) or found.unfinished
                continue
            if answer == "lost" and self._is_one(left):
                found.lost = d.either(found.lost, left)
        return found

    def _wanted(self, start: Diagram) -> _DemandedStarts:
        """Return what is asked of a strategy from some cells; what is found of one cell is told of it."""
        starts = self._demanded
        telling = starts.telling(start) if self._is_one(start) else start
        return _DemandedStarts(starts.demanded(start), telling)

    def _starts(self) -> Iterator[Diagram]:
        """Yield sets of cells to win from: all at once, the initial ones, then, if they are few, each.

        Where it is open what those can do who see everything, it mostly is open for the others, too: this
        is only looked into where it matters most, and when rankings have their say.
        """
        space, d = self._space, self._d
        asked = self._demanded.known(d.both(self._game.bound.true, space.reachable))
        first = d.both(asked, space.initial.may)
        yield from dict.fromkeys((asked, first))
        doubtful = d.minus(space.reachable, self._game.bound.false)
        initial = d.both(doubtful, space.initial.may) if self._algebra.ranked else first
        singles = 0
        for cells in (initial, d.minus(asked, initial)):
            left = cells
            while left != d.false and singles < _MOST_STARTS:
                one = diagram_of(space, pick_cell(space, left))
                left = d.minus(left, one)
                singles += 1
                yield one

    def _is_one(self, cells: Diagram) -> bool:
        return bool(cells == diagram_of(self._space, pick_cell(self._space, cells)))

    def _answer(self, start: Diagram) -> UniformAnswer:
        """Try choices until one wins, or none is left."""
        self._choices = TriedChoices(self._space.budget)
        self._open = 0
        wanted = self._wanted(start)
        while (bound := self._choices.propose()) is not None:
            self._tried += 1
            self._space.budget.check("uniform strategies", self._tried)
            if self._tried > self._until:
                raise _GivenUp("there are more uniform strategies than are tried")
            if self._wins(wanted, bound):
                return "won"
            if self._open > MOST_OPEN or self._open_at_all > MOST_OPEN_AT_ALL:
                many = self._open if self._open > MOST_OPEN else self._open_at_all
                neither = "neither that they win nor that they lose"
                raise _GivenUp(f"cells tell of {many} uniform strategies {neither}")
        return "lost" if self._choices.is_lost() else "open"

    def _wins(self, wanted: _DemandedStarts, bound: dict[LocalCell, str]) -> bool:
        """Return whether a strategy that makes these choices was found; learn something where not."""
        start, telling = wanted
        if not self._labels.fair and self._game.kind != "window":
            play = LocalPlay(self._algebra, self._views, self._members, self._game, bound)
            if self._d.minus(start, play.region) == self._d.false:
                return self._plays(start, play)
        exact = {sight: action for sight, action in bound.items() if self._views.is_exact(sight)}
        if self._loses(telling, exact):
            self._choices.refute(self._fewest(telling, exact))
            return False
        return self._wins_completed(wanted, bound)

    def _plays(self, start: Diagram, play: LocalPlay) -> bool:
        try:
            done, cells = play.follow(start)
        except SightConflict as conflict:
            self._choose_for(conflict.sight, conflict.action)
            return False
        if not self._views.is_allowed(done):
            self._doubt(done)
            return False
        self._win(start if self._game.kind == "next" else self._d.either(start, cells), done)
        return True

    def _win(self, cells: Diagram, choices: LocalChoices) -> None:
        found = self._found
        cells = self._demanded.known(cells)
        found.won = self._d.either(found.won, cells)
        states = ThreeValued(cells, self._game.bound.false)
        found.strategies.append(LocalStrategy(states, None, choices))

    def _doubt(self, choices: LocalChoices) -> None:
        for sight in choices:
            if sight not in self._choices:
                self._choose_for(sight, choices[sight])
        self._choices.doubt(choices)

    def _choose_for(self, sight: LocalCell, first: str | None = None) -> str:
        """Have the solver choose for one more view; return what it is likely to choose."""
        options = self._views.options(sight)
        if first in options:
            options.remove(first)
            options.insert(0, first)
        self._choices.add(sight, options)
        if not options:
            raise _GivenUp("in some view nothing can be done")
        return options[0]

    # Losing

    def _loses(self, start: Diagram, bound: LocalChoices) -> bool:
        """Return whether from some cell the others surely win against all that keeps to some choices."""
        space = self._space
        space.bound_to = self._views.binding(bound)
        try:
            return bool(self._d.both(start, self._lost()) != self._d.false)
        finally:
            space.bound_to = {}

    def _lost(self) -> Diagram:
        """Return where the others surely win, as the members are bound to at present."""
        algebra, game = self._algebra, self._game
        others: GameSide = ("never", self._members)
        if self._labels.fair or game.kind == "window":
            return self._labels.enforced().false
        if game.kind == "next":
            return algebra.preimage(others, game.right.false)
        if game.kind == "until":
            return algebra.confine(others, game.left.false, game.right.false)
        return algebra.attraction(others, game.right.false, game.left.false).cells

    def _fewest(self, start: Diagram, bound: LocalChoices) -> LocalChoices:
        """Return few of some choices that lose already, dropping half of them, a quarter, one."""
        kept = list(bound.items())
        size = len(kept)
        while size:
            place = 0
            while place < len(kept):
                fewer = kept[:place] + kept[place + size :]
                if self._loses(start, dict(fewer)):
                    kept = fewer
                else:
                    place += size
            size //= 2
        return dict(kept)

    # Everything chosen

    def _wins_completed(self, wanted: _DemandedStarts, bound: LocalChoices) -> bool:
        """Choose in all views that outcomes come to, and look at the paths that are left."""
        d, (start, telling) = self._d, wanted
        choices, cells = self._completed(start, bound)
        algebra = self._views.pruned(self._algebra, choices)
        label = self._labels.every_path(algebra)
        surely = d.minus(start, label.true) == d.false
        if surely and self._goes_on(algebra, cells) and self._is_possible(choices, cells):
            won = start if self._game.kind == "next" else d.both(label.true, cells)
            self._win(d.either(start, won), choices)
            return True
        passed = choices
        if self._forgetful():
            there = d.both(cells, label.false)
            passed = {
                s: a for s, a in choices.items() if d.both(self._views.where(s), there) != d.false
            }
        fails = d.both(telling, label.false) != d.false
        if fails and all(map(self._views.is_exact, passed)):
            self._choices.refute(passed)
            return False
        if not fails:
            self._found.open.append(label)
        self._open += 1
        self._open_at_all += 1
        # Where only these choices were bound it could not be shown either, and it is the same for all others
        # that make them.
        by_layers = bool(bound) and not self._labels.fair and self._game.kind != "window"
        self._choices.doubt(bound if by_layers else choices)
        return False

    def _forgetful(self) -> bool:
        """Return whether a path that fails stays in the cells where it surely does until it has failed."""
        return self._game.kind in ("until", "weak") and not self._labels.fair

    def _completed(
        self, start: Diagram, bound: LocalChoices
    ) -> tuple[dict[LocalCell, str], Diagram]:
        """Return choices for all views that outcomes come to, and the cells they come to."""
        d, space = self._d, self._space
        choices: dict[LocalCell, str] = {}
        known = dict(bound)
        waiting, seen = start, d.false
        while True:
            waiting = d.minus(d.minus(waiting, seen), self._over())
            if waiting == d.false:
                return choices, seen
            for sight in self._views.new(waiting, choices):
                if sight not in self._choices:
                    known[sight] = self._choose_for(sight)
                choices[sight] = known[sight]
                if len(choices) > _MOST_VIEWS:
                    raise _GivenUp(f"members act on more than {_MOST_VIEWS} views")
            seen = d.either(seen, waiting)
            if self._game.kind == "next" and not self._labels.fair:
                return choices, seen
            done = d.both(waiting, self._views.bound(choices))
            waiting = space.successors(done, {}, self._views.deciding)

    def _over(self) -> Diagram:
        """Return the cells after which nothing matters any more.

        Under fairness everything matters: what is broken may be saved, where nothing is fair from then on.
        """
        d, game = self._d, self._game
        if game.kind not in ("until", "weak") or self._labels.fair:
            return d.false
        return d.either(game.right.true, d.both(game.left.false, game.right.false))

    def _is_possible(self, choices: LocalChoices, cells: Diagram) -> bool:
        """Return whether all that is chosen surely is enabled wherever outcomes come to."""
        enabled = all(
            self._views.is_enabled(sight, action, cells) for sight, action in choices.items()
        )
        return enabled and self._views.is_allowed(choices)

    def _goes_on(self, algebra: CellAlgebra, cells: Diagram) -> bool:
        """Return whether something can happen in all cells that outcomes come to."""
        d, space = self._d, algebra.space
        return bool(
            d.both(space.stuck, cells) == d.false and d.minus(cells, space.lively) == d.false
        )
