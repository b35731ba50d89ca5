"""Strategies that go by cells of states, played in single states: each row is a condition on the state."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gnomon.certificate.plain import plain_value
from gnomon.checking.load import Loaded, read_predicate
from gnomon.model.evidence import Strategy
from gnomon.model.formula import And, Formula
from gnomon.model.system import System
from gnomon.results.drawing.outcomes import MetState, PlayedStrategy
from gnomon.text.diagnostic import InputError


class _CellRow(NamedTuple):
    """A cell, and what some members do in it."""

    condition: Formula
    actions: Mapping[str, str]


class PlayedCells(PlayedStrategy):
    """A strategy by cells as it is played: what the members do is said of the cell that a state is in."""

    def __init__(self, system: System, strategy: Strategy, rows: Sequence[_CellRow]) -> None:
        """Play by rows that were read."""
        super().__init__(system, strategy)
        self._cells = rows

    def action(self, name: str, met: MetState) -> str | None:
        """Return what a member does in the cell of a state, None where nothing is said of it."""
        state, _ = met
        for row in self._cells:
            if name in row.actions and plain_value(self.system, row.condition, state):
                return row.actions[name]
        return None


def played_cells(loaded: Loaded, system: System, strategy: Strategy) -> PlayedCells | None:
    """Return a strategy by cells as it is played; None where a cell has no words that can be read."""
    try:
        rows = [
            _CellRow(
                And(tuple(read_predicate(loaded, _said(*each)) for each in row.where)),
                dict(row.actions),
            )
            for row in strategy.choices
        ]
    except InputError:
        return None
    return PlayedCells(system, strategy, rows)


def _said(quantity: str, piece: str) -> str:
    """Return as a condition that a quantity is in one of its pieces: `x - y` and `2..4`, for example."""
    if piece.startswith((">=", "<=")):
        return f"{quantity} {piece}"
    low, dots, high = piece.partition("..")
    if dots:
        return f"{quantity} >= {low} and {quantity} <= {high}"
    if piece in {"true", "false"} and any(sign in quantity for sign in "<>="):
        return quantity if piece == "true" else f"!({quantity})"
    return f"{quantity} = {piece}"
