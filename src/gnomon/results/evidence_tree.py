"""Evidence in the order in which it is told: each explanation in its place, the runs numbered.

A run of knowledge or of a norm starts anew in an initial state. A run of time inside another goes on
from the state it explains; so the first of its states is a state of the other run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.step import State


class RunPosition(NamedTuple):
    """A state of a run: the number of the run, from 1, and the position in it, from 0."""

    run: int
    position: int


@dataclass(frozen=True, slots=True)
class NumberedRun:
    """A run and its number; where it goes on from another run, `start` is its first state there."""

    number: int
    run: Run
    start: RunPosition | None = None

    @property
    def last(self) -> RunPosition:
        """Return its last state."""
        return self.place(len(self.run.steps) - 1)

    def place(self, position: int) -> RunPosition:
        """Return one of its states, under the first name that it has."""
        if position == 0 and self.start is not None:
            return self.start
        return RunPosition(self.number, position)


@dataclass(frozen=True, slots=True)
class PlacedExplanation:
    """An explanation, the state it speaks of, the run it brings along, and its parts."""

    explanation: Explanation
    here: RunPosition | None
    numbered: NumberedRun | None
    parts: tuple["PlacedExplanation", ...]

    def walk(self) -> Iterator["PlacedExplanation"]:
        """Yield it and all its parts, in the order in which they are told."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True)
class EvidenceTree:
    """A whole piece of evidence: its outermost explanation and all runs, the main one first."""

    root: PlacedExplanation | None
    runs: tuple[NumberedRun, ...]

    def state(self, place: RunPosition) -> State:
        """Return the state at a place."""
        return self.runs[place.run - 1].run.steps[place.position].state


def evidence_tree(evidence: Evidence) -> EvidenceTree:
    """Return a piece of evidence with its runs numbered."""
    if evidence.explanation is None:
        return EvidenceTree(None, ())
    writer = _Writer()
    placed = writer.outermost(evidence.explanation)
    return EvidenceTree(placed, tuple(writer.runs))


def says_much(evidence: Evidence) -> bool:
    """Return whether there is more to tell than one state."""
    runs = evidence_tree(evidence).runs
    moving = any(len(numbered.run.steps) > 1 or numbered.run.loop is not None for numbered in runs)
    tables = evidence.strategies or evidence.defences or evidence.clashes
    return moving or len(runs) > 1 or bool(tables)


class _Writer:
    """Puts explanations in their places; `runs` collects the runs."""

    def __init__(self) -> None:
        self.runs: list[NumberedRun] = []

    def outermost(self, explanation: Explanation) -> PlacedExplanation:
        """Place the explanation of a whole formula."""
        apart = _is_elsewhere(explanation) or explanation.run is None
        if apart and explanation.state is not None:
            # What it speaks of is a state that no run of its own shows.
            alone = self._numbered(Run((Step(explanation.state),)), None)
            return self._placed(explanation, alone.place(0))
        return self._placed(explanation, None)

    def _placed(self, explanation: Explanation, here: RunPosition | None) -> PlacedExplanation:
        numbered = None
        run = explanation.run
        if run is not None and (here is None or _is_elsewhere(explanation)):
            # A state looks like itself: where that is all, another run to it tells nothing.
            if here is None or run.steps[-1].state != self._state(here):
                numbered = self._numbered(run, None)
        elif run is not None and (len(run.steps) > 1 or run.loop is not None):
            numbered = self._numbered(run, here)
        if here is None and numbered is not None and not _is_elsewhere(explanation):
            here = numbered.place(0)
        parts = []
        for branch in explanation.branches:
            place = here if numbered is None else numbered.place(branch.position)
            parts.append(self._placed(branch.because, place))
        return PlacedExplanation(explanation, here, numbered, tuple(parts))

    def _state(self, place: RunPosition) -> State:
        return self.runs[place.run - 1].run.steps[place.position].state

    def _numbered(self, run: Run, start: RunPosition | None) -> NumberedRun:
        numbered = NumberedRun(len(self.runs) + 1, run, start)
        self.runs.append(numbered)
        return numbered


def _is_elsewhere(explanation: Explanation) -> bool:
    """Return whether the run leads to another state than the one that is explained."""
    return explanation.relation in {"knowledge", "norm"}


def bare(formula: str) -> str:
    """Return a formula as part of a sentence, without the outermost brackets.

    >>> bare("(p -> q)"), bare("(p) and (q)")
    ('p -> q', '(p) and (q)')
    """
    if not (formula.startswith("(") and formula.endswith(")")):
        return formula
    depth = 0
    for place, sign in enumerate(formula):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(formula) - 1:
            return formula
    return formula[1:-1]
