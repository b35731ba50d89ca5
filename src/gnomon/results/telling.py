"""Evidence in the order in which it is told: each explanation in its place, the runs numbered.

A run of knowledge or of a norm starts anew in an initial state. A run of time inside another goes on
from the state it explains; so the first of its states is a state of the other run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gnomon.model.evidence import Evidence, Explanation, Run, Step
from gnomon.model.step import State


class Place(NamedTuple):
    """A state of a run: the number of the run, from 1, and the position in it, from 0."""

    run: int
    position: int


@dataclass(frozen=True, slots=True)
class Strand:
    """A run and its number; where it goes on from another run, `start` is its first state there."""

    number: int
    run: Run
    start: Place | None = None

    @property
    def last(self) -> Place:
        """Return its last state."""
        return self.place(len(self.run.steps) - 1)

    def place(self, position: int) -> Place:
        """Return one of its states, under the first name that it has."""
        if position == 0 and self.start is not None:
            return self.start
        return Place(self.number, position)


@dataclass(frozen=True, slots=True)
class Telling:
    """An explanation, the state it speaks of, the run it brings along, and its parts."""

    explanation: Explanation
    here: Place | None
    strand: Strand | None
    parts: tuple["Telling", ...]

    def walk(self) -> Iterator["Telling"]:
        """Yield it and all its parts, in the order in which they are told."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True)
class Told:
    """A whole piece of evidence: the outermost telling and all runs, the main one first."""

    telling: Telling | None
    strands: tuple[Strand, ...]

    def state(self, place: Place) -> State:
        """Return the state at a place."""
        return self.strands[place.run - 1].run.steps[place.position].state


def tell(evidence: Evidence) -> Told:
    """Return a piece of evidence with its runs numbered."""
    if evidence.explanation is None:
        return Told(None, ())
    writer = _Writer()
    telling = writer.outermost(evidence.explanation)
    return Told(telling, tuple(writer.strands))


def says_much(evidence: Evidence) -> bool:
    """Return whether there is more to tell than one state."""
    strands = tell(evidence).strands
    moving = any(len(strand.run.steps) > 1 or strand.run.loop is not None for strand in strands)
    tables = evidence.strategies or evidence.defences or evidence.clashes
    return moving or len(strands) > 1 or bool(tables)


class _Writer:
    """Puts explanations in their places; `strands` collects the runs."""

    def __init__(self) -> None:
        self.strands: list[Strand] = []

    def outermost(self, explanation: Explanation) -> Telling:
        """Place the explanation of a whole formula."""
        apart = _is_elsewhere(explanation) or explanation.run is None
        if apart and explanation.state is not None:
            # What it speaks of is a state that no run of its own shows.
            alone = self._strand(Run((Step(explanation.state),)), None)
            return self._telling(explanation, alone.place(0))
        return self._telling(explanation, None)

    def _telling(self, explanation: Explanation, here: Place | None) -> Telling:
        strand = None
        run = explanation.run
        if run is not None and (here is None or _is_elsewhere(explanation)):
            # A state looks like itself: where that is all, another run to it tells nothing.
            if here is None or run.steps[-1].state != self._state(here):
                strand = self._strand(run, None)
        elif run is not None and (len(run.steps) > 1 or run.loop is not None):
            strand = self._strand(run, here)
        if here is None and strand is not None and not _is_elsewhere(explanation):
            here = strand.place(0)
        parts = []
        for branch in explanation.branches:
            place = here if strand is None else strand.place(branch.position)
            parts.append(self._telling(branch.because, place))
        return Telling(explanation, here, strand, tuple(parts))

    def _state(self, place: Place) -> State:
        return self.strands[place.run - 1].run.steps[place.position].state

    def _strand(self, run: Run, start: Place | None) -> Strand:
        strand = Strand(len(self.strands) + 1, run, start)
        self.strands.append(strand)
        return strand


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
