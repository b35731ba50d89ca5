"""Labels of proofs on cells as data: conditions, moves, and arguments, as the checker reads them."""

from typing import Any

from gnomon.certificate.arithmetic_data import of_value
from gnomon.engines.abstraction.cell_assertions import CellAssertions
from gnomon.engines.abstraction.cell_conduct import ConductEntry
from gnomon.engines.abstraction.cell_labels import CellLabel, LastingLabel, bounded_form
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.elimination import EliminationStage
from gnomon.engines.abstraction.look_alikes import InitialLookAlike
from gnomon.engines.diagrams.interface import Diagram


class LabelData:
    """Writes what supports labels, with the conditions of one proof."""

    def __init__(self, space: CellSpace, written: CellAssertions) -> None:
        """Write about the cells of a space."""
        self._space = space
        self._written = written

    def fixpoint(self, found: CellLabel) -> dict[str, Any]:
        """Return where something comes about, by which moves, and why."""
        return {
            "where": self._written.write(found.cells),
            "moves": [self._entry(entry, found.inside[0]) for entry in found.conduct.entries],
            "stages": self._stages(found),
        }

    def lasting(self, found: LastingLabel) -> dict[str, Any]:
        """Return how some path stays somewhere and meets all constraints."""
        rounds = []
        for each in found.rounds:
            data = self.fixpoint(each)
            rounds.append({"moves": data["moves"], "stages": data["stages"]})
        data = self.fixpoint(found.staying)
        return {"where": data["where"], "moves": data["moves"], "rounds": rounds}

    def look_alike(self, found: InitialLookAlike) -> dict[str, Any]:
        """Return where initial states look the same."""
        values = [[read.agent, read.variable, of_value(v)] for read, v in found.values.items()]
        return {
            "where": self._written.write(found.cells),
            "agents": list(found.agents),
            "values": values,
        }

    def _entry(self, entry: ConductEntry, inside: Diagram) -> list[Any]:
        lines = [[agent, variable, list(places)] for agent, variable, places in entry.lines]
        return [self._written.write(entry.where, inside), dict(entry.actions), lines]

    def _stages(self, label: CellLabel) -> list[dict[str, Any]]:
        """Return the argument; quantities that fall in the same cells go together."""
        found: list[dict[str, Any]] = []
        inside = label.inside
        before: EliminationStage | None = None
        for stage in label.stages:
            if stage.reason != "falls":
                parts = [self._written.write(cells) for cells in stage.cells]
                found.append({"reason": stage.reason, "parts": parts})
                if stage.reason == "avoids":
                    found[-1]["constraint"] = stage.justice
                inside = stage.cells
            elif before is not None and before.reason == "falls" and before.cells == stage.cells:
                found[-1]["sums"].append(self._sum(stage))
            else:
                parts = list(map(self._written.write, stage.cells, inside))
                found.append({"reason": "falls", "parts": parts, "sums": [self._sum(stage)]})
            before = stage
        return found or [{"reason": "leaves", "parts": [False] * len(inside)}]

    def _sum(self, stage: EliminationStage) -> list[Any]:
        assert stage.ranking is not None
        found = bounded_form(self._space.partition, stage.ranking)
        return [[list(term) for term in found.terms], found.bound]
