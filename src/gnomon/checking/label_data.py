"""Labels of proofs on cells as data: conditions, moves, and arguments, as the checker reads them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

from gnomon.certificate.arithmetic_data import of_value
from gnomon.certificate.core import spelled
from gnomon.engines.abstraction.cell_assertions import CellAssertions, WrittenRef
from gnomon.engines.abstraction.cell_conduct import CellConduct, ConductEntry
from gnomon.engines.abstraction.cell_labels import CellLabel, LastingLabel, bounded_form
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.elimination import (
    CellsByNode,
    EliminationStage,
    NodeSuccessors,
)
from gnomon.engines.abstraction.look_alikes import AlikeState
from gnomon.engines.abstraction.path_labels import PathLabel
from gnomon.engines.abstraction.uniform_labels import UniformLabel
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.expression import Expression, Read
from gnomon.model.formula import Formula
from gnomon.text.errors import Abandoned

WrittenLines: TypeAlias = list[list[object]]
#: So many conditions are written for the steps that an operator with bounds speaks of.
_MOST_STEPS: Final = 200


class NoRule(Abandoned):
    """There is no rule by which a verdict could be proved; the message says of what."""


class LabelBook:
    """The labels of one proof, by formula and side, and the conditions that they are made of."""

    def __init__(self, space: CellSpace, written: CellAssertions | None = None) -> None:
        """Write nothing yet; conditions are those of one proof."""
        self.written = CellAssertions(space) if written is None else written
        self.data = LabelData(space, self.written)
        self.labels: dict[tuple[str, bool], dict[str, Any]] = {}
        #: The cells of labels about paths.
        self.cells: dict[tuple[str, bool], Diagram] = {}

    def add(self, formula: Formula, data: dict[str, Any], *, holds: bool) -> None:
        """Write down a label of a formula."""
        text = spelled(formula)
        self.labels[text, holds] = {"formula": text, "holds": holds, **data}


class WriteCells(Protocol):
    """Writes cells as a condition; what else is given are those that matter."""

    def __call__(self, cells: Diagram, care: Diagram | None = None, /) -> WrittenRef:
        """Return it."""


class LabelData:
    """Writes what supports labels, with the conditions of one proof."""

    def __init__(self, space: CellSpace, written: CellAssertions) -> None:
        """Write about the cells of a space."""
        self._space = space
        self._written = written

    def of_path(self, found: CellLabel | LastingLabel) -> dict[str, Any]:
        """Return what supports a label about paths."""
        return self.lasting(found) if isinstance(found, LastingLabel) else self.fixpoint(found)

    def condition(self, cells: Diagram) -> WrittenRef:
        """Return a set of cells as a condition."""
        return self._written.write(cells)

    def fixpoint(self, found: CellLabel) -> dict[str, Any]:
        """Return where something comes about, by which moves, and why."""
        return {
            "where": self._written.write(found.cells),
            "moves": self._moves(found.conduct, *found.inside[:1]),
            "stages": self.stages(found.inside, found.stages, self._written.write),
        }

    def uniform(self, found: UniformLabel, known: Diagram | None) -> dict[str, Any]:
        """Return where a strategy wins, what each does by what it sees, and why; and where that is known."""
        data = self.fixpoint(found.label)
        views = {
            name: [[self._written.write(each.cells, each.care), each.action] for each in told]
            for name, told in found.views.items()
        }
        told: dict[str, Any] = {"where": data["where"], "views": views}
        if found.steps:
            told["steps"] = self._by_step(found.steps)
        else:
            told["stages"] = data["stages"]
        if found.unfair is not None:
            never = self.fixpoint(found.unfair)
            told["unfair"] = {"where": never["where"], "stages": never["stages"]}
        return told if known is None else {**told, "known": self._written.write(known)}

    def _by_step(self, steps: Sequence[Diagram]) -> list[list[object]]:
        """Return the condition of each step, each with the first step that it is for."""
        found: list[list[object]] = []
        for step, cells in enumerate(steps):
            if step == 0 or cells != steps[step - 1]:
                if len(found) == _MOST_STEPS:
                    raise NoRule(f"more than {_MOST_STEPS} steps that differ")
                found.append([step, self._written.write(cells)])
        return found

    def lasting(self, found: LastingLabel) -> dict[str, Any]:
        """Return how some path stays somewhere and meets all constraints."""
        rounds = []
        for each in found.rounds:
            data = self.fixpoint(each)
            rounds.append({"moves": data["moves"], "stages": data["stages"]})
        data = self.fixpoint(found.staying)
        return {"where": data["where"], "moves": data["moves"], "rounds": rounds}

    def path(self, found: PathLabel, following: NodeSuccessors) -> dict[str, Any]:
        """Return how some path goes through the nodes of a tableau, and comes to each set."""
        rounds = []
        for each in found.rounds:
            moves = map(self._moves, each.conducts, each.inside)
            picks = [
                [
                    self._written.write(pick, found.nodes[after])
                    for after, pick in zip(nodes, picked, strict=True)
                ]
                for nodes, picked in zip(following, each.picks, strict=True)
            ]
            stages = self.stages(each.inside, each.stages, self._written.write)
            rounds.append({"moves": list(moves), "picks": picks, "stages": stages})
        return {
            "where": self._written.write(found.cells),
            "nodes": [self._written.write(each) for each in found.nodes],
            "moves": list(map(self._moves, found.conducts, found.nodes)),
            "rounds": rounds,
        }

    def look_alike(self, found: AlikeState) -> dict[str, Any]:
        """Return where other states look the same."""
        return {
            "where": self._written.write(found.cells),
            "agents": list(found.agents),
            "values": values_data(found.values),
        }

    def _moves(self, conduct: CellConduct, inside: Diagram | None = None) -> list[list[Any]]:
        return [self._entry(entry, inside) for entry in conduct.entries]

    def _entry(self, entry: ConductEntry, inside: Diagram | None) -> list[Any]:
        return [
            self._written.write(entry.where, inside),
            dict(entry.actions),
            lines_data(entry.lines),
        ]

    def stages(
        self, inside: CellsByNode, stages: Iterable[EliminationStage], write: WriteCells
    ) -> list[dict[str, Any]]:
        """Return the argument; quantities that fall in the same cells go together.

        `write` writes what is left, and with cells that matter where something falls.
        """
        found: list[dict[str, Any]] = []
        nodes = len(inside)
        before: EliminationStage | None = None
        for stage in stages:
            if stage.reason != "falls":
                parts = [write(cells) for cells in stage.cells]
                found.append({"reason": stage.reason, "parts": parts})
                if stage.reason == "avoids":
                    found[-1]["constraint"] = stage.justice
                inside = stage.cells
            elif before is not None and before.reason == "falls" and before.cells == stage.cells:
                found[-1]["sums"].append(self._sum(stage))
            else:
                parts = list(map(write, stage.cells, inside))
                found.append({"reason": "falls", "parts": parts, "sums": [self._sum(stage)]})
            before = stage
        return found or [{"reason": "leaves", "parts": [False] * nodes}]

    def _sum(self, stage: EliminationStage) -> list[Any]:
        assert stage.ranking is not None
        found = bounded_form(self._space.partition, stage.ranking)
        return [[list(term) for term in found.terms], found.bound]


def lines_data(lines: Iterable[tuple[str, str, Iterable[int]]]) -> WrittenLines:
    """Return which lines are taken."""
    return [[agent, variable, list(places)] for agent, variable, places in lines]


def values_data(values: Mapping[Read, Expression]) -> list[list[object]]:
    """Return what variables are worth."""
    return [[read.agent, read.variable, of_value(value)] for read, value in values.items()]
