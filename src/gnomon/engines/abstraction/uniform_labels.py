"""Why members enforce something by what they see: the cells a strategy wins from, and what each does by it.

Once they do what the strategy says it is about all paths: the model is pruned to it, and labels of all paths
are those of the strategy.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.engines.abstraction.attractors import EVERY_PATH
from gnomon.engines.abstraction.cell_conduct import nothing_done
from gnomon.engines.abstraction.cell_labels import (
    CellLabel,
    arrives_label,
    fairly_arrives_label,
    next_label,
    stays_label,
)
from gnomon.engines.abstraction.local_strategies import LocalStrategy
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.view_cells import LocalChoices, ViewCells, looks_at_its_view
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame, Window

#: So many strategies are told for one formula.
_MOST_STRATEGIES: Final = 12


class SeenCells(NamedTuple):
    """Where a member does something, by what it sees, and among which cells that has to be right."""

    cells: Diagram
    care: Diagram
    action: str


class UniformLabel(NamedTuple):
    """Where one strategy wins and why, and what each member does.

    With bounds on steps, `steps` are the cells from which it wins at each step. Where outcomes have to be
    fair, `unfair` is from where the strategy makes none of them fair, if that is of use.
    """

    label: CellLabel
    views: Mapping[str, tuple[SeenCells, ...]]
    steps: tuple[Diagram, ...] = ()
    unfair: CellLabel | None = None


def uniform_labels(
    algebra: CellAlgebra,
    members: Collection[str],
    game: CoalitionGame[ThreeValued],
    wins: Iterable[object],
    unfair: Diagram,
    justice: Sequence[Diagram],
) -> Iterator[UniformLabel]:
    """Yield why strategies that were found win, as far as each adds cells.

    Cells that are `unfair` do not count, and on paths that do each set of `justice` may be met for ever.
    """
    d = algebra.space.diagrams
    seen, count = d.false, 0
    for win in wins:
        if not isinstance(win, LocalStrategy) or d.minus(win.states.true, seen) == d.false:
            continue
        found = _Labelling(algebra, members, game, win.actions).found(unfair, justice)
        if found is not None and d.minus(found.label.cells, seen) != d.false:
            seen, count = d.either(seen, found.label.cells), count + 1
            yield found
        if count >= _MOST_STRATEGIES:
            return


class _Labelling:
    def __init__(
        self,
        algebra: CellAlgebra,
        members: Collection[str],
        game: CoalitionGame[ThreeValued],
        choices: LocalChoices,
    ) -> None:
        self._space = algebra.space
        self._d = algebra.space.diagrams
        self._members = members
        self._game = game
        self._choices = choices
        self._views = ViewCells(algebra.space, tuple(dict.fromkeys(members)))
        self._pruned = self._views.pruned(algebra, choices)

    def _acting(self, name: str) -> dict[str, Diagram]:
        """Return where a member does what."""
        found: dict[str, Diagram] = {}
        for sight, action in self._choices.items():
            if sight[0] == name:
                here = self._views.where(sight)
                found[action] = self._d.either(found.get(action, self._d.false), here)
        return found

    def _told(self) -> Diagram:
        """Return the cells in which each member surely does something, and surely can, as all others can."""
        space = self._space
        others = [name for name in space.moves.enabled if name not in self._members]
        parts = [space.moves.able(others)]
        for name in self._views.deciding:
            enabled = space.moves.enabled[name].actions
            parts.append(
                space.cells.disjunction(
                    self._d.both(where, enabled[action].must)
                    for action, where in self._acting(name).items()
                )
            )
        return space.cells.conjunction(parts)

    def found(self, unfair: Diagram, justice: Sequence[Diagram]) -> UniformLabel | None:
        """Return where the strategy wins, and why; None where no argument is found."""
        d, told = self._d, self._told()
        found = self._found(told, unfair, justice)
        if not justice or found is None or self._game.kind == "until":
            return found  # that outcomes are unfair is a part of the argument where something has to come
        never = fairly_arrives_label(self._pruned, told, unfair, justice)
        if never is None:
            return found
        more = self._found(told, never.cells, justice, never)
        saved = more is not None and d.minus(more.label.cells, found.label.cells) != d.false
        return more if saved else found

    def _found(
        self,
        told: Diagram,
        unfair: Diagram,
        justice: Sequence[Diagram],
        never: CellLabel | None = None,
    ) -> UniformLabel | None:
        window, steps = self._game.window, tuple[Diagram, ...]()
        if window is None:
            label = self._label(told, unfair, justice)
        else:
            label, steps = self._by_the_clock(window, told, unfair)
        if label is None:
            return None
        inside = label.inside[0]
        if never is not None:
            inside = self._d.either(inside, never.inside[0])
        views = {name: self._seen(name, inside) for name in self._views.deciding}
        return UniformLabel(label, views, steps, never)

    def _label(
        self, told: Diagram, unfair: Diagram, justice: Sequence[Diagram]
    ) -> CellLabel | None:
        d, game = self._d, self._game
        right = d.either(game.right.true, unfair)
        if game.kind == "next":
            cells = d.both(told, next_label(self._pruned, EVERY_PATH, right).cells)
            return CellLabel(cells, (cells,), nothing_done(self._space))
        left = d.both(game.left.true, told)
        if game.kind == "weak":
            return stays_label(self._pruned, EVERY_PATH, right, d.either(left, right))
        if justice:
            return fairly_arrives_label(self._pruned, left, right, justice)
        return arrives_label(self._pruned, EVERY_PATH, left, right)

    def _by_the_clock(
        self, window: Window[ThreeValued], told: Diagram, unfair: Diagram
    ) -> tuple[CellLabel, tuple[Diagram, ...]]:
        """Return where the strategy wins, and from which cells at each step, back from the last one."""
        d, inside = self._d, self._d.false
        steps = [d.either(window.last[0].true, unfair)]
        for step in reversed(range(window.high)):
            self._space.budget.check("steps", step)
            pair = window.at(step)
            same = step + 2 <= window.high and pair is window.at(step + 1)
            if same and steps[-1] == steps[-2]:
                steps.append(steps[-1])
                continue
            over = d.either(pair[0].true, unfair)
            before = self._pruned.preimage(EVERY_PATH, steps[-1])
            goes_on = d.minus(d.both(d.both(pair[1].true, told), before), over)
            inside = d.either(inside, goes_on)
            steps.append(d.either(over, goes_on))
        label = CellLabel(steps[-1], (inside,), nothing_done(self._space))
        return label, tuple(reversed(steps))

    def _seen(self, name: str, inside: Diagram) -> tuple[SeenCells, ...]:
        # Who goes by what it sees can do there what it can do where outcomes come to.
        care = inside if looks_at_its_view(self._space, name) else self._space.reachable
        told = sorted(self._acting(name).items())
        return tuple(SeenCells(where, care, action) for action, where in told)
