"""Evidence in the order in which it is told: each explanation in its place, the runs numbered.

A run of knowledge or of a norm starts anew in an initial state. A run of time inside another goes on
from the state it explains; so the first of its states is a state of the other run. What an earlier run has
shown is not shown again: the state that is looked for is one of that run then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.step import State

#: A picture with more boxes is none that anybody could read.
MOST_BOXES: Final = 400


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
    """An explanation, the state it speaks of, the run it brings along, and its parts.

    `there` is the other state that knowledge and norms are about; None where it is the state itself. Where
    an earlier run is all that is to be shown, it is `again`, and no run is brought along.
    """

    explanation: Explanation
    here: RunPosition | None
    numbered: NumberedRun | None
    parts: tuple["PlacedExplanation", ...]
    there: RunPosition | None = None
    again: NumberedRun | None = None

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


def evidence_size(evidence: Evidence) -> int:
    """Return about how many boxes a picture of a piece of evidence would have, strategies left out."""
    states = sum(len(numbered.run.steps) for numbered in evidence_tree(evidence).runs)
    return states + sum(len({each.state for each in item.answers}) for item in evidence.defences)


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
        #: Where each state of the runs so far was shown first.
        self._shown: dict[State, RunPosition] = {}

    def outermost(self, explanation: Explanation) -> PlacedExplanation:
        """Place the explanation of a whole formula."""
        apart = _is_elsewhere(explanation) or explanation.run is None
        if apart and explanation.state is not None:
            # What it speaks of is a state that no run of its own shows.
            alone = self._numbered(Run((Step(explanation.state),)), None)
            return self._placed(explanation, alone.place(0))
        return self._placed(explanation, None)

    def _placed(self, explanation: Explanation, here: RunPosition | None) -> PlacedExplanation:
        run = explanation.run
        if run is not None and _is_elsewhere(explanation):
            return self._elsewhere(explanation, run, here)
        numbered = again = None
        if run is not None and (here is None or len(run.steps) > 1 or run.loop is not None):
            again = self._same(run, here)
            numbered = again or self._numbered(run, here)
            here = here or numbered.place(0)
        places = [
            here if numbered is None else numbered.place(branch.position)
            for branch in explanation.branches
        ]
        parts = self._parts(explanation, places)
        return PlacedExplanation(explanation, here, None if again else numbered, parts, None, again)

    def _elsewhere(
        self, explanation: Explanation, run: Run, here: RunPosition | None
    ) -> PlacedExplanation:
        """Place what is about the last state of a run, which may have been shown already."""
        numbered, there = None, self._met(explanation, run, here)
        if there is None:
            numbered = self._numbered(run, None)
            there = numbered.last
        # All that is said of the run is said of its last state.
        parts = self._parts(explanation, [there] * len(explanation.branches))
        return PlacedExplanation(
            explanation, here, numbered, parts, None if there == here else there
        )

    def _parts(
        self, explanation: Explanation, places: Sequence[RunPosition | None]
    ) -> tuple[PlacedExplanation, ...]:
        return tuple(
            self._placed(branch.because, place)
            for branch, place in zip(explanation.branches, places, strict=True)
        )

    def _met(
        self, explanation: Explanation, run: Run, here: RunPosition | None
    ) -> RunPosition | None:
        """Return where an earlier run shows the last state of a run: here itself, if it is this state."""
        state = run.steps[-1].state
        if here is not None and explanation.about is None:
            # Of any number of agents, what else is so (who is related to whom) may differ between runs.
            main = self.runs[here.run - 1]
            return here if main.run == run and main.last == here else None
        if here is not None and self._state(here) == state:
            return here
        return self._shown.get(state)

    def _same(self, run: Run, start: RunPosition | None) -> NumberedRun | None:
        """Return an earlier run that is the same one, from the same place."""
        return next((each for each in self.runs if (each.run, each.start) == (run, start)), None)

    def _state(self, place: RunPosition) -> State:
        return self.runs[place.run - 1].run.steps[place.position].state

    def _numbered(self, run: Run, start: RunPosition | None) -> NumberedRun:
        numbered = NumberedRun(len(self.runs) + 1, run, start)
        self.runs.append(numbered)
        for position, step in enumerate(run.steps):
            self._shown.setdefault(step.state, numbered.place(position))
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
