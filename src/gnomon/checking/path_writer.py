"""Labels of proofs on cells that speak of paths: of all, of some, and of those that a coalition leaves."""

from typing import Any, NamedTuple, Protocol

from gnomon.certificate.core import let_off, spelled
from gnomon.certificate.deductive.tableau import tableau
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.counting_cells import CountingCells
from gnomon.checking.label_data import LabelBook, NoRule
from gnomon.engines.abstraction.attractors import EVERY_PATH, SOME_PATH, GameSide
from gnomon.engines.abstraction.cell_labels import (
    CellLabel,
    LastingLabel,
    arrives_label,
    enforced_label,
    fairly_arrives_label,
    lasting_label,
    next_label,
    no_path_label,
    stays_label,
)
from gnomon.engines.abstraction.path_labels import path_label
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.formula import (
    Bounded,
    Enforces,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.fragment import is_ctl_path


class CellObjective(NamedTuple):
    """What has to come about, in cells: see `gnomon.certificate.deductive.temporal_rules.Objective`."""

    kind: str
    left: Diagram
    right: Diagram


class LabelInner(Protocol):
    """Writes down why a part of a formula holds, or fails."""

    def __call__(self, formula: Formula, /, *, holds: bool) -> None:
        """Write it down."""


class PathWriter:
    """Writes labels about paths into a book, after those of the parts in them."""

    def __init__(
        self, truth: CellDenotation, book: LabelBook, counting: CountingCells, label: LabelInner
    ) -> None:
        """Write about what is true in cells, given which of them count."""
        self._truth = truth
        self._algebra = truth.algebra
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._book = book
        self._counting = counting
        self._label = label

    def _states(self, formula: Formula) -> ThreeValued:
        return self._truth.states(formula)

    def write(self, formula: Formula, path: Formula, player: GameSide, *, holds: bool) -> None:
        """Write down why a formula about the paths of a player holds where it does, or fails."""
        if (spelled(formula), holds) in self._book.labels:
            return
        if isinstance(path, Bounded) or not is_ctl_path(path):
            self._book.add(formula, self._by_nodes(formula, path, player, holds=holds), holds=holds)
            return
        wanted = self._wanted(path, holds=holds)
        if self._truth.constraints and isinstance(formula, Enforces) and player[1]:
            self._support(formula, self._fair_game(formula, wanted, holds=holds), holds=holds)
        elif self._truth.constraints and player == SOME_PATH:
            self._some_fair_path(formula, wanted, holds=holds)
        else:
            self._support(formula, self._fixpoint(wanted, player), holds=holds)

    def _support(
        self, formula: Formula, found: CellLabel | LastingLabel | None, *, holds: bool, **more: bool
    ) -> None:
        """Write down why something holds, or fails, in some cells."""
        if found is None:
            raise NoRule(show_formula(formula))
        self._book.cells[spelled(formula), holds] = found.cells
        self._book.add(formula, {**self._book.data.of_path(found), **more}, holds=holds)

    def _some_fair_path(self, formula: Formula, wanted: CellObjective, *, holds: bool) -> None:
        """Write down where some fair path is as it should be, or all are, of which there is one."""
        d, found = self._d, self._on_some_path(wanted)
        sides = self._states(formula)
        missing = sides.true if holds else sides.false
        if found is None or d.minus(missing, found.cells) != d.false:
            every = self._fixpoint(wanted, EVERY_PATH)
            if every is not None and d.minus(missing, every.cells) == d.false:
                self._support(formula, every, holds=holds, every=True)
                return
        self._support(formula, found, holds=holds)

    def _on_some_path(self, wanted: CellObjective) -> CellLabel | LastingLabel | None:
        if wanted.kind != "weak":
            return self._fixpoint(wanted, SOME_PATH)
        exits = self._d.both(wanted.right, self._counting.fair)
        return lasting_label(self._algebra, SOME_PATH, wanted.left, exits, self._counting.met)

    def _by_nodes(
        self, formula: Formula, path: Formula, player: GameSide, *, holds: bool
    ) -> dict[str, Any]:
        if player == SOME_PATH:
            return self._some_path(formula, path, holds=holds)
        found = self._no_path(path, player, holds=holds)
        if found is None:
            raise NoRule(show_formula(formula))
        nodes = [self._book.written.write(each) for each in found.inside]
        return {**self._book.data.fixpoint(found), "nodes": nodes}

    def _some_path(self, formula: Formula, path: Formula, *, holds: bool) -> dict[str, Any]:
        """Return how some path is as it should be, by a tableau of that."""
        found = tableau(path if holds else Not(path))
        for part in {part for node in found.nodes for part in node.now}:
            self._label(part, holds=True)
        d, conjunction = self._d, self._space.cells.conjunction
        sure = [
            conjunction([self._space.reachable, *(self._states(part).true for part in node.now)])
            for node in found.nodes
        ]
        on_time = [
            tuple(
                d.false if promise in node.late else self._space.reachable for node in found.nodes
            )
            for promise in found.promises
        ]
        everywhere = [(each,) * len(sure) for each in self._counting.met]
        sets = [*on_time, *everywhere]
        label = path_label(self._algebra, tuple(sure), found.initial, found.following, sets)
        if label is None:
            raise NoRule(f"{show_formula(formula)} on some path")
        return self._book.data.path(label, found.following)

    def _no_path(self, path: Formula, player: GameSide, *, holds: bool) -> CellLabel | None:
        """Return from where no path is as it should not be, by a tableau of what it must not be."""
        if player != EVERY_PATH:
            raise NoRule(f"{show_formula(path)} on some path")
        found = tableau(Not(path) if holds else path)
        parts = {part for node in found.nodes for part in node.now}
        for part in parts:
            self._label(part, holds=False)
        may = {part: self._counting.may(self._states(part)) for part in parts}
        conjunction = self._space.cells.conjunction
        reachable = self._space.reachable
        nodes = tuple(
            self._d.both(reachable, conjunction(may[part] for part in node.now))
            for node in found.nodes
        )
        nothing = self._d.false
        late = [
            tuple(nothing if promise in node.late else reachable for node in found.nodes)
            for promise in found.promises
        ]
        everywhere = [(each,) * len(nodes) for each in self._counting.justice]
        justice = [*late, *everywhere]
        return no_path_label(self._algebra, nodes, found.initial, found.following, justice)

    def _wanted(self, path: Formula, *, holds: bool) -> CellObjective:
        """Return what it takes that a path operator holds, or fails, after labels for what is in it."""
        d, nothing, reachable = self._d, self._d.false, self._space.reachable

        def side(body: Formula) -> Diagram:
            self._label(body, holds=holds)
            found = self._truth.states(body)
            return found.true if holds else found.false

        def until(left: Diagram, right: Diagram) -> CellObjective:
            # That `left` fails is of no use where `right` holds.
            weak = CellObjective("weak", right, d.both(left, right))
            return CellObjective("until", left, right) if holds else weak

        def weak(held: Diagram, won: Diagram) -> CellObjective:
            fails = CellObjective("until", won, held)
            return CellObjective("weak", held, won) if holds else fails

        match path:
            case Next(body):
                return CellObjective("next", nothing, side(body))
            case Finally(body):
                return until(reachable if holds else nothing, side(body))
            case Until(left, right):
                return until(side(left), side(right))
            case Globally(body):
                return weak(side(body), nothing if holds else reachable)
            case WeakUntil(left, right):
                won = side(right)
                both = d.either if holds else d.both
                return weak(both(side(left), won), won)
            case Release(left, right):
                held = side(right)
                both = d.both if holds else d.either
                return weak(held, both(held, side(left)))
            case _:
                raise NoRule(show_formula(path))

    def _fixpoint(self, wanted: CellObjective, player: GameSide) -> CellLabel | None:
        """Return the cells of a path operator on one side, with what supports them."""
        algebra, d = self._algebra, self._d
        # All paths need not care for states that do not count; some path has to lead to those that do.
        unfair = self._counting.unfair if player == EVERY_PATH else d.false
        fair = self._counting.fair if player == SOME_PATH else self._space.reachable
        kind, left, right = wanted
        target = d.either(d.both(right, fair), unfair)
        if kind == "next":
            return next_label(algebra, player, target)
        if kind == "weak":
            return stays_label(algebra, player, target, d.either(left, unfair))
        if self._counting.justice and player == EVERY_PATH:
            return fairly_arrives_label(algebra, left, target, self._counting.justice)
        return arrives_label(algebra, player, left, target)

    def _fair_game(
        self, formula: Enforces, wanted: CellObjective, *, holds: bool
    ) -> CellLabel | LastingLabel | None:
        """Return where a coalition enforces something on fair outcomes, or where it does not."""
        algebra, d, members = self._algebra, self._d, formula.group.members
        games = self._truth.fair_games(members)
        player: GameSide = ("surely" if holds else "never", members)
        known = self._let_off(formula, holds=holds)
        kind, left, right = wanted
        if holds:
            free = d.either(self._counting.unfair, known)
            target = d.either(right, free)
            if kind == "next":
                moving = d.minus(self._space.reachable, free)
                found = next_label(algebra, player, target, moving)
                return found._replace(cells=d.either(found.cells, free))
            if kind == "weak":
                return stays_label(algebra, player, target, d.either(left, free))
            return enforced_label(
                algebra, player, games.reaching(left, target), self._counting.justice
            )
        target, left = d.both(right, known), games.alive(left)
        if kind == "next":
            return next_label(algebra, player, target, games.alive(self._space.reachable))
        if kind == "weak":
            return lasting_label(algebra, player, left, target, self._counting.met)
        return arrives_label(algebra, player, left, target)

    def _let_off(self, formula: Enforces, *, holds: bool) -> Diagram:
        """Return where a coalition can make all outcomes unfair, or cannot, which has a label of its own."""
        off = let_off(formula.group)
        if spelled(off) == spelled(formula):
            return self._d.false
        self._label(off, holds=holds)
        return self._book.cells[spelled(off), holds]
