"""Uniform strategies over cells: what the search asks of the logic, and what single states add to it."""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import islice
from typing import Final

from gnomon.engines.abstraction.concretise import cell_state, diagram_of, pick_cell
from gnomon.engines.abstraction.demanded_starts import KnownStarts, OwnStarts
from gnomon.engines.abstraction.fair_games import FairGames
from gnomon.engines.abstraction.lookahead import refuted, won_nearby
from gnomon.engines.abstraction.three_valued import CellAlgebra, ThreeValued
from gnomon.engines.abstraction.uniform_search import PathLabels, UniformAnswers, uniform_answers
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.game import CoalitionGame
from gnomon.logic import atl, ctl, window_values
from gnomon.logic.denotation import Reading
from gnomon.logic.frame import Frame
from gnomon.model.formula import And, Enforces, Formula, Iff, Implies, Not, Or
from gnomon.model.step import State

#: So many cells of one state each are looked ahead from.
_MOST_STATES: Final = 8


def uniform_on_cells(
    frame: Frame[ThreeValued],
    algebra: CellAlgebra,
    members: Collection[str],
    game: CoalitionGame[ThreeValued],
    starts: OwnStarts,
) -> UniformAnswers:
    """Return what is known about uniform strategies in a game, by cells and by what follows single states."""
    fair = bool(frame.constraints)

    def everywhere(pruned: CellAlgebra) -> ThreeValued:
        return _on_every_path(_frame_of(frame, pruned), game)

    def enforced() -> ThreeValued:
        if not fair:
            return _enforced(frame, members, game)
        # As the members are bound to at present, and never where somebody has nothing to do.
        games = FairGames(algebra, tuple(members), frame.universe, frame.constraints)
        if game.window is not None and algebra.space.may_end:
            nothing = algebra.space.diagrams.false
            return ThreeValued(nothing, nothing)
        if game.window is not None:
            against = {frozenset(members): games.against}
            return _enforced(replace(frame, fair_against=against), members, game)
        match game.kind:
            case "next":
                return games.next(game.right)
            case "until":
                return games.until(game.left, game.right)
            case _:
                return games.weak(game.left, game.right)

    labels = PathLabels(everywhere, enforced, fair)
    found = uniform_answers(algebra, tuple(members), game, labels, starts)
    d = algebra.space.diagrams
    if not is_settled(algebra, game):
        return found
    for cells, state in _single_states(algebra, found):
        counting = frame.fair if fair else None
        if refuted(algebra, tuple(members), game, starts.alike(state), counting):
            found.lost = d.either(found.lost, cells)
        elif (all_ := starts.all_alike(state)) and won_nearby(algebra, tuple(members), game, all_):
            found.won = d.either(found.won, cells)
    return found


def starts_of(
    frame: Frame[ThreeValued], algebra: CellAlgebra, members: Collection[str], reading: Reading
) -> OwnStarts:
    """Return from where a strategy has to win, as a reading has it."""
    if reading != "uniform-subjective":
        return OwnStarts(algebra.space)
    counting = frame.universe if frame.fair is None else frame.fair
    return KnownStarts(algebra, members, counting)


def is_settled(algebra: CellAlgebra, game: CoalitionGame[ThreeValued]) -> bool:
    """Return whether labels will not get better by rankings alone: until then nothing need be looked into."""
    return algebra.ranked or game.kind != "until"


def _single_states(algebra: CellAlgebra, found: UniformAnswers) -> list[tuple[Diagram, State]]:
    """Return some open cells that are one state each, initial ones first."""
    space, d = algebra.space, algebra.space.diagrams
    open_ = d.minus(d.minus(space.reachable, found.won), found.lost)
    first = d.both(open_, space.initial.may)
    single: list[tuple[Diagram, State]] = []
    for cells in (first, d.minus(open_, first)):
        left = cells
        for _ in range(_MOST_STATES):
            if left == d.false:
                break
            cell = pick_cell(space, left)
            here = diagram_of(space, cell)
            left = d.minus(left, here)
            state = cell_state(space, cell)
            if state is not None:
                single.append((here, state))
    return list(islice(single, _MOST_STATES))


def _frame_of(frame: Frame[ThreeValued], pruned: CellAlgebra) -> Frame[ThreeValued]:
    """Return the paths that count in a model pruned to a strategy."""
    everything = pruned.reachable
    if not frame.constraints:
        return Frame(pruned, everything, everything)
    fair = pruned.fairly_lasting(everything, frame.constraints)
    return Frame(pruned, everything, fair, frame.constraints, fair)


def _on_every_path(frame: Frame[ThreeValued], game: CoalitionGame[ThreeValued]) -> ThreeValued:
    if game.window is not None:
        return window_values.every_path(frame, game.window)[0]
    match game.kind:
        case "next":
            return ctl.all_next(frame, game.right)
        case "until" if frame.constraints:
            return _fairly_until(frame, game.left, game.right)
        case "until":
            return ctl.all_until(frame, game.left, game.right)
        case _:
            return ctl.all_weak(frame, game.left, game.right)


def _fairly_until(frame: Frame[ThreeValued], left: ThreeValued, right: ThreeValued) -> ThreeValued:
    """A[left U right] on fair paths, where states may start none: a strategy may see to that."""
    algebra, never = frame.algebra, frame.opposite(right)
    broken = ctl.exists_until(frame, never, algebra.difference(never, left))
    endless = algebra.fairly_lasting(never, frame.constraints)
    return frame.opposite(algebra.union(broken, endless))


def _enforced(
    frame: Frame[ThreeValued], members: Collection[str], game: CoalitionGame[ThreeValued]
) -> ThreeValued:
    if game.window is not None:
        return window_values.enforced(frame, members, game.window)[0]
    match game.kind:
        case "next":
            return atl.enforce_next(frame, members, game.right)
        case "until":
            return atl.enforce_until(frame, members, game.left, game.right)
        case _:
            return atl.enforce_weak(frame, members, game.left, game.right)


def value_of(
    formula: Formula,
    known: Callable[[Formula], bool | None],
    refutes: Callable[[Enforces], bool],
) -> bool | None:
    """Return the value of a formula in one state, where some parts are known and others refuted there."""
    value = known(formula)
    if value is not None:
        return value

    def inside(part: Formula) -> bool | None:
        return value_of(part, known, refutes)

    match formula:
        case Enforces():
            return False if refutes(formula) else None
        case Not(body):
            value = inside(body)
            return None if value is None else not value
        case And(operands):
            return _all([inside(each) for each in operands])
        case Or(operands):
            return inside(Not(And(tuple(map(Not, operands)))))
        case Implies(left, right):
            return inside(Not(And((left, Not(right)))))
        case Iff(left, right):
            one, two = inside(left), inside(right)
            return None if one is None or two is None else one is two
        case _:
            return None


def _all(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True
