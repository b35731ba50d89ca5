"""The way round that cells leave open to a game: neither side is known to get out of it.

One side tries to come somewhere: the coalition to its goal, or the others to where it is broken. In the cells
that are open, it does what leads nearer if all goes well, and the other side does what it likes. What cannot
go on for ever like that, by numbers that run out, is taken away.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.elimination import (
    ONE_NODE,
    Elimination,
    NodeSuccessors,
    Remaining,
)
from gnomon.engines.abstraction.sum_rankings import sum_ranking
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.abstraction.view_cells import acting_otherwise
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.formula import Enforces, show_formula


class GameLeft(NamedTuple):
    """What is left of a game: the space in which all is said of it, cells and moves, and who tries what."""

    space: CellSpace
    remaining: Remaining
    visited: Sequence[tuple[ThreeValued, ...]]
    choosing: tuple[str, ...]
    trying: str
    following: NodeSuccessors = ONE_NODE


def game_left(truth: CellDenotation, formula: Enforces) -> GameLeft | None:
    """Return what is left of the game for a formula; None where it is no question of how long it takes."""
    game = truth.game(formula)
    if game is None or game.kind not in {"until", "weak"} or truth.strategies != "perfect":
        return None
    members, algebra = formula.group.members, truth.algebra
    d = algebra.space.diagrams
    space = acting_otherwise(algebra.space, members, {})
    label = truth.states(formula)
    open_ = d.minus(algebra.undecided(label), truth.fair.false)
    coming = game.kind == "until"
    if coming:
        goal = d.either(label.true, d.minus(space.reachable, game.right.false))
    else:
        goal = d.either(label.false, d.minus(space.reachable, game.left.true))
    others = [name for name in space.moves.enabled if name not in members]
    gone = space.action_levels(members)
    if coming:
        gone = [*space.action_levels(others), *space.choice_levels]
    moves = _nearer(space, open_, goal, gone)
    visited = [(each,) for each in truth.constraints]
    justice = [(d.minus(space.reachable, each.false),) for each in truth.constraints]
    search = Elimination(space, (d.minus(open_, goal),), ONE_NODE, justice, moves)
    remaining = search.run(algebra.rankings, partial(sum_ranking, space))
    if remaining.cells[0] == d.false:
        return None
    what = show_formula(formula.path)
    trying = f"{formula.group} goes for `{what}`" if coming else f"the others try to break `{what}`"
    return GameLeft(space, remaining, visited, tuple(members), trying)


def _nearer(space: CellSpace, within: Diagram, goal: Diagram, gone: list[int]) -> Diagram:
    """Return the moves of one side that may lead nearer to a goal, whatever the other does: `gone`."""
    d = space.diagrams
    found, left, moves = goal, d.minus(within, goal), d.false
    cube = d.cube(gone)
    known = d.cube([*gone, *space.choice_levels, *_actions(space)])
    while left != d.false:
        space.budget.check("looking for a way round")
        leading = d.exists(space.moves_into(left, found), cube)
        new = d.both(left, d.exists(leading, known))
        if new == d.false:
            break
        moves = d.either(moves, d.both(leading, new))
        found, left = d.either(found, new), d.minus(left, new)
    return moves


def _actions(space: CellSpace) -> list[int]:
    return [level for levels in space.layout.actions.values() for level in levels]
