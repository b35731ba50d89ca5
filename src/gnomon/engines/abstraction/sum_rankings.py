"""Sums that fall although none of their parts does always: found from a few moves, believed of all."""

from typing import Final

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.intervals import Interval
from gnomon.engines.abstraction.linear import Affine, Form, Scaled, scaled
from gnomon.engines.abstraction.rankings import Ranking, ranking_of
from gnomon.engines.diagrams.interface import Diagram
from gnomon.engines.solvers.falling_sums import NumberDrift, falling_sum

#: With more numbers, or sums of more parts, too much would have to be looked at at once.
_MOST_NUMBERS: Final = 24
_MOST_PARTS: Final = 8
#: So many questions about a few moves are asked until a sum falls on all of them.
_MOST_QUESTIONS: Final = 40


def sum_ranking(space: CellSpace, stuck: Diagram) -> Ranking | None:
    """Return a sum that grows by none of some moves, and falls by one of them."""
    forms = list(space.partition.pieces)
    if not 1 < len(forms) <= _MOST_NUMBERS:
        return None
    d = space.diagrams
    if stuck == d.false:
        return None
    steps = [_drifts_at(space, forms, d.pick(stuck))]
    for _ in range(_MOST_QUESTIONS):
        found = _fitting(space, forms, steps)
        if found is None:
            return None
        ranking = ranking_of(space, found.form, 1 if found.factor > 0 else -1)
        growing = d.minus(stuck, ranking.not_more)
        if growing == d.false:
            return ranking if d.both(stuck, ranking.less) != d.false else None
        steps.append(_drifts_at(space, forms, d.pick(growing)))
    return None


def _fitting(space: CellSpace, forms: list[Form], steps: list[list[NumberDrift]]) -> Scaled | None:
    """Return a sum that falls in one of some steps and grows in none."""
    for place, step in enumerate(steps):
        if all(drift.least == drift.most == 0 for drift in step):
            continue
        space.budget.check("looking for a sum that falls")
        weights = falling_sum(steps, place, space.partition.context, space.budget)
        if weights is None:
            continue
        total = Affine({})
        for form, weight in zip(forms, weights, strict=True):
            total = total.plus(Affine(dict(form.terms)), weight)
        if len(total.terms) <= _MOST_PARTS:
            return scaled(total.terms)
    return None


def _drifts_at(space: CellSpace, forms: list[Form], found: dict[int, bool]) -> list[NumberDrift]:
    """Return what one move, in one cell, does to all numbers."""
    levels = [
        *space.layout.now,
        *(each for group in space.layout.actions.values() for each in group),
    ]
    values = [(level, found.get(level, False)) for level in levels]
    return [_drift(space, form, values) for form in forms]


def _drift(space: CellSpace, form: Form, values: list[tuple[int, bool]]) -> NumberDrift:
    def holds(diagram: Diagram) -> bool:
        return space.diagrams.evaluate(diagram, values)

    pieces = space.partition.pieces[form]
    piece = next(
        (each for place, each in enumerate(pieces) if holds(space.cells.is_piece(form, place))),
        Interval(None, None),
    )
    change: Interval | None = None
    for value, where in space.moves.effects_on(form):
        if not holds(where):
            continue
        if value is None:
            change = Interval(0, 0)
            break
        for bounds in (
            case.bounds for case in space.moves.difference(form, value) if holds(case.where)
        ):
            change = bounds if change is None else change.around(bounds)
    if change is None:
        change = Interval(None, None)
    return NumberDrift(change.low, change.high, piece.low is not None, piece.high is not None)
