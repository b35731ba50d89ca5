"""The moves of a mover from the states in which a condition holds, case by case, for a solver."""

from collections.abc import Iterable, Iterator

from gnomon.certificate.deductive.assertions import Assertion
from gnomon.certificate.deductive.conduct import Conduct, Entry
from gnomon.certificate.deductive.steps import SymbolicStep, SymbolicSteps
from gnomon.certificate.deductive.symbolic_moment import SymbolicMoment
from gnomon.certificate.deductive.written_conditions import WrittenConditions
from gnomon.certificate.smt_terms import TRUE, SmtText, conj, disj
from gnomon.model.agent import Agent
from gnomon.model.expression import Read


class MoveCase:
    """Some moves: what is known before them, and what comes of them."""

    def __init__(self, step: SymbolicStep, before: Iterable[SmtText], invariant: Assertion) -> None:
        """Look at some steps; the invariant holds before and after each."""
        self._step = step
        self._before = list(before)
        self._invariant = invariant

    @property
    def now(self) -> SymbolicMoment:
        """The moment before the step."""
        return self._step.now

    def after(self, looked_at: frozenset[Read]) -> tuple[SymbolicMoment, list[SmtText]]:
        """Return the moment after the step as far as some variables tell, and what is known of it."""
        reads = looked_at | self._invariant.reads
        after = self._step.after(reads)
        return after, [self._step.known(reads), self._invariant.text(after)]

    def prove(self, given: Iterable[SmtText], goal: SmtText, what: str) -> None:
        """Have it proved that something follows for these moves."""
        if goal != TRUE:
            self._step.now.script.prove([*self._before, *given], goal, what, self._step.everything)


class Moves:
    """The moves of one mover from the states in which a condition holds."""

    def __init__(
        self,
        steps: SymbolicSteps,
        assertions: WrittenConditions,
        conduct: Conduct,
        here: Assertion,
        invariant: Assertion,
    ) -> None:
        """Look at what a mover does where a condition holds, and the invariant."""
        self._steps = steps
        self._script = steps.script
        self._assertions = assertions
        self._conduct = conduct
        self._here = here
        self._invariant = invariant

    def cases(self, looked_at: frozenset[Read]) -> Iterator[MoveCase]:
        """Yield the moves that can change some variables."""
        reads = looked_at | self._invariant.reads
        if not self._conduct.entries:
            for step, known in self._steps.cases(reads):
                yield self._case(step, known)
        for entry in self._conduct.entries:
            watched = self._assertions.agents(entry.where)
            for step, known in self._steps.cases(reads, watched, entry.actions, entry.lines):
                yield self._case(step, known, self._assertions.text(entry.where, step.now))

    def _case(self, step: SymbolicStep, *known: SmtText) -> MoveCase:
        before = [self._invariant.text(step.now), self._here.text(step.now), *known]
        return MoveCase(step, before, self._invariant)

    def check(self) -> None:
        """Have it proved that the mover always has a move."""
        mover = self._conduct.mover
        if mover.forces and not mover.members:
            return
        anything = self._steps.step({})
        given = [self._invariant.text(anything.now), self._here.text(anything.now)]
        members = [agent for agent in self._steps.agents if agent.name in mover.members]
        covered = disj(
            self._assertions.text(entry.where, anything.now) for entry in self._conduct.entries
        )
        if mover.forces:
            self._script.prove(given, covered, "a strategy says nothing about a state")
            self._check_others(anything, given)
        else:
            given += [anything.acting(members), self._is_completed(anything, members)]
            self._script.prove(given, covered, "there is no answer to a choice")
        for entry in self._conduct.entries:
            self._is_possible(entry, members)

    def _check_others(self, anything: SymbolicStep, given: list[SmtText]) -> None:
        """Have it proved that all others can do something, whatever the members do."""
        for agent in self._steps.agents:
            if agent.name not in self._conduct.mover.members:
                alive = disj(anything.may(agent, action) for action in agent.actions)
                self._script.prove(given, alive, "nobody can complete what a strategy says")

    def _is_possible(self, entry: Entry, members: list[Agent]) -> None:
        """Have it proved that what a mover does can be done, and as an answer has a result."""
        if self._conduct.mover.forces:
            step = self._steps.step(entry.actions)
            given = [self._invariant.text(step.now), self._here.text(step.now)]
            given.append(self._assertions.text(entry.where, step.now))
            self._script.prove(given, step.done(), "a strategy says what cannot be done")
            return
        watched = self._assertions.agents(entry.where)
        # What the members do stays open here: asked for each of their actions, it takes so much longer.
        step = self._steps.step(entry.actions, entry.lines)
        able = conj((step.enabled(entry.actions), step.taken()))
        self._script.prove(self._answering(step, entry, members), able, "an answer cannot be given")
        for unit in self._steps.units:
            # What becomes of one unit does not depend on what becomes of the others.
            written = unit.writes
            for step, known in self._steps.cases(written, watched, entry.actions, entry.lines):
                fits = step.fits(written)
                if fits != TRUE:
                    given = [*self._answering(step, entry, members), known, step.choices(written)]
                    self._script.prove(given, fits, "an answer has no result")

    def _answering(self, step: SymbolicStep, entry: Entry, members: list[Agent]) -> list[SmtText]:
        """Return what is known where an answer is to be given."""
        here = self._invariant.text(step.now), self._here.text(step.now)
        chosen = step.acting(members), self._is_completed(step, members)
        return [*here, *chosen, self._assertions.text(entry.where, step.now)]

    def _is_completed(self, step: SymbolicStep, members: list[Agent]) -> SmtText:
        """Return that all others can do something, for else a choice of members is worth nothing.

        Of a path without members it has to be shown.
        """
        if not self._conduct.mover.members:
            return TRUE
        others = [agent for agent in self._steps.agents if agent not in members]
        return conj(disj(step.may(agent, action) for action in agent.actions) for agent in others)
