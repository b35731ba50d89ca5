"""Uniform strategies that win on cells, as data for a proof: where each wins, and who does what there."""

from collections.abc import Sequence
from typing import Any

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.label_data import LabelData
from gnomon.checking.uniform_cells import starts_of
from gnomon.engines.abstraction.uniform_labels import uniform_labels
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.formula import Enforces


def strategies_as_data(
    truth: CellDenotation,
    formula: Enforces,
    data: LabelData,
    unfair: Diagram,
    justice: Sequence[Diagram],
) -> tuple[dict[str, Any], Diagram] | None:
    """Return the label of what members enforce, and the cells of which it says so.

    `unfair` cells do not count, nor do paths that do not meet all sets of `justice`. There is no label where
    a coalition plays for nothing on paths.
    """
    game, d = truth.game(formula, truth.logic), truth.algebra.space.diagrams
    if game is None:
        return None
    truth.states(formula)  # which finds strategies
    members, reading = formula.group.members, truth.strategies
    starts = starts_of(truth.frame(truth.logic), truth.algebra, members, reading)
    where, told = d.false, []
    for each in uniform_labels(
        truth.algebra, members, game, truth.wins.get(formula, ()), unfair, justice
    ):
        known = starts.known(each.label.cells)
        told.append(data.uniform(each, known if reading == "uniform-subjective" else None))
        where = d.either(where, known)
    return {"where": data.condition(where), "strategies": told}, where
