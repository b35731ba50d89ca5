"""Whether some path satisfies something, where it matters what agents know on it.

A path is looked for on which they may know or doubt what they have to. What is open on the path that was
found is settled, one moment after the other: what is known of views by then leaves fewer paths, until one is
as it was wanted, or there is none.
"""

import time

from gnomon.checking.circuit_work import CircuitWork
from gnomon.checking.known_views import KnownViews
from gnomon.checking.moment_circuits import MomentCircuits
from gnomon.checking.open_moments import OpenMoments
from gnomon.checking.path_machine import PathMachine, path_machine
from gnomon.checking.path_question import Limit, PathAnswer, PathQuestion
from gnomon.checking.view_facts import PartOfView
from gnomon.engines.sat.machine import Machine
from gnomon.engines.sat.reachability import Cube
from gnomon.logic.path import Path, StateLiteral
from gnomon.model.step import State
from gnomon.text.limits import room_to_recurse


class RefinedQuestion:
    """A question about paths from one state, or from any initial one if it is None."""

    def __init__(
        self,
        alike: KnownViews,
        path: Path,
        state: State | None,
        *,
        endless: bool,
        fair: bool = True,
        inductively: bool = True,
        within: PartOfView | None = None,
    ) -> None:
        """Ask nothing yet; `fair` paths are meant unless it is said otherwise.

        `within` are bits of the states to be reached where nothing but a moment is asked of paths.

        Not `inductively`: what is proved has to leave an invariant.
        """
        self._alike = alike
        self._path = path
        self._state = state
        self._endless = endless
        self._fair = fair
        self._inductively = inductively
        self._within = within
        self._question: PathQuestion | None = None
        #: So many runs were looked into.
        self.rounds = 0
        #: The processor's time that it took.
        self.spent = 0.0

    @property
    def _work(self) -> CircuitWork:
        return self._alike.work

    def ask(self, limit: Limit) -> PathAnswer:
        """Answer, within limits; when asked again, what was done is gone on with."""
        while True:
            answer = self.advance(limit)
            if answer is not None:
                return answer

    def advance(self, limit: Limit) -> PathAnswer | None:
        """Go on for a moment; return the answer if there is one."""
        started = time.process_time()
        try:
            if self._question is None:
                self._question = self._fresh()
            answer = self._question.advance(limit)
            if answer is None or answer.run is None or self._is_as_wanted(answer, limit):
                return answer
            self._question = None
            self.rounds += 1
            return None
        finally:
            self.spent += time.process_time() - started

    def _fresh(self) -> PathQuestion:
        work = self._work
        start = work.machine_from(self._state).copied()
        start.valid = self._alike.facts.valid
        if self._within is not None:
            return self._reaching(start, self._within)
        with room_to_recurse():
            found = path_machine(work.circuit, start, self._path, self._alike.facts)
        just = work.just if self._fair else ()
        return PathQuestion(
            start, found, just, endless=self._endless, inductively=self._inductively
        )

    def _reaching(self, start: Machine, within: PartOfView) -> PathQuestion:
        facts, circuit = self._alike.facts, self._work.circuit
        assert isinstance(self._path, StateLiteral)
        with room_to_recurse():
            there = MomentCircuits(circuit, start, facts)(self._path.formula)
        bad = circuit.graph.both(there, facts.inside(within))
        found = PathMachine(start, bad, (), ends=True, target=bad)
        return PathQuestion(start, found, endless=False, inductively=self._inductively)

    def _is_as_wanted(self, answer: PathAnswer, limit: Limit) -> bool:
        """Return whether a run satisfies what it has to, after all has been settled that this takes."""
        states, loop = self._work.run_of(answer)
        self._alike.note(states, loop, counts=self._fair or not self._alike.fair)
        if self._within is not None:
            states = states[-1:]
        while True:
            run = OpenMoments(states, loop, self._alike.value)
            if not run.is_possible(self._path):
                return False
            left = run.open_moment(self._path)
            if left is None:
                return True
            limit("knowledge", self.rounds)
            self._alike.settle(*left)

    def story(self) -> str:
        """Return how it was answered, or how far that has come."""
        told = self._question.story() if self._question is not None else ""
        return f"{told}; {self.rounds} runs looked into" if self.rounds else told

    @property
    def found_clauses(self) -> tuple[Cube, ...] | None:
        """The invariant that shows, beside what was known, that there is no such path, if one was found."""
        return None if self._question is None else self._question.found_clauses

    def clauses(self, limit: Limit) -> tuple[Cube, ...] | None:
        """Return that invariant, looked for until it is found, if that is what was asked."""
        return None if self._question is None else self._question.clauses(limit)
