"""Whether some path satisfies something: bounded search, induction and IC3, in turns."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gnomon.checking.path_machine import PathMachine
from gnomon.engines.sat.bounded import BoundedSearch, FoundRun
from gnomon.engines.sat.clauses import Slices
from gnomon.engines.sat.induction import Induction
from gnomon.engines.sat.invariant import needed_cubes
from gnomon.engines.sat.machine import Machine
from gnomon.engines.sat.reachability import Cube, Reachability
from gnomon.engines.sat.watched import going_round

#: What is said of a search whose turn it is.
Story = Callable[[], str]


class Limit(Protocol):
    """Raises an exception where it is time to stop."""

    def __call__(self, phase: str, amount: int) -> None:
        """Look at the clock."""


@dataclass(eq=False)
class _Method:
    """One way to answer, with the processor's time it has taken."""

    name: str
    work: Slices
    story: Story
    amount: Callable[[], int]
    #: Whether it answers if it finds, and if it does not.
    answers: dict[bool, bool]
    search: Reachability | None = None
    spent: float = 0.0


class PathAnswer:
    """What came of a question: a run of the machine, or how it was shown that there is none."""

    def __init__(self, run: FoundRun | None, by: str) -> None:
        """Keep it."""
        self.run = run
        self.by = by


#: A method that has taken less than this goes on, whoever has taken less.
_AT_A_TIME: Final = 0.02


class PathQuestion:
    """Whether a path that counts starts where a machine does and satisfies something.

    `just` are the constraints of fairness; `endless` says that only infinite paths count.
    """

    def __init__(
        self,
        start: Machine,
        found: PathMachine,
        just: Sequence[int] = (),
        *,
        endless: bool,
        inductively: bool = True,
    ) -> None:
        """Get ready, and answer nothing yet; `found` runs along the paths from where `start` starts.

        Not `inductively`: what is proved has to leave an invariant.
        """
        self._start = start
        everything = (*found.just, *just)
        finitely = not endless
        infinitely = endless or not found.ends
        self._bounded = BoundedSearch(
            found.machine, found.stop if finitely else None, everything if infinitely else None
        )
        self._methods = [
            _Method(
                "bounded search",
                self._bounded.search(),
                lambda: f"up to {self._bounded.bound} steps",
                lambda: self._bounded.bound,
                {True: True, False: True},
            )
        ]
        self.invariant: Reachability | None = None
        self._clauses: tuple[Cube, ...] | None = None
        if found.target is not None:
            if inductively:
                self._by_induction(found.target)
            self._by_invariant(start, found.target)
        elif found.ends:
            self._by_invariant(found.machine, found.stop)
        if infinitely:
            watching, again = going_round(found.machine, everything)
            bad = again if endless else start.graph.either(found.stop, again)
            self._by_invariant(watching, bad)
        self.answer: PathAnswer | None = None

    def _by_induction(self, bad: int) -> None:
        induction = Induction(self._start, bad)
        self._methods.append(
            _Method(
                "k-induction",
                induction.prove(),
                lambda: f"{induction.depth} steps",
                lambda: induction.depth,
                {True: False},
            )
        )

    def _by_invariant(self, machine: Machine, bad: int) -> None:
        search = Reachability(machine, bad)
        if self.invariant is None and machine is self._start:
            self.invariant = search

        def proving() -> Slices:
            if not (yield from search.search()):
                return False
            assert search.invariant is not None
            found = yield from needed_cubes(machine, search.invariant, bad)
            assert found is not None, "what was found is no invariant"
            search.invariant = found
            if search is self.invariant:
                self._clauses = found
            return True

        self._methods.append(
            _Method(
                "IC3",
                proving(),
                lambda: f"{search.level} frames, {search.clauses} clauses",
                lambda: search.clauses,
                {True: False},
                search,
            )
        )

    def ask(self, limit: Limit) -> PathAnswer:
        """PathAnswer; where the limit raises an exception, what was done is gone on with when asked again."""
        while True:
            answer = self.advance(limit)
            if answer is not None:
                return answer

    def advance(self, limit: Limit) -> PathAnswer | None:
        """Let one method work for a moment; return the answer if there is one."""
        if self.answer is None:
            self._advance(min(self._methods, key=lambda each: each.spent), limit)
        return self.answer

    def _advance(self, method: _Method, limit: Limit) -> None:
        """Let one method work for a moment."""
        started = time.process_time()
        until = started + _AT_A_TIME
        try:
            while time.process_time() < until:
                limit(method.name, method.amount())
                next(method.work)
        except StopIteration as end:
            self._methods.remove(method)
            found: bool = end.value
            if found in method.answers:
                run = self._bounded.found if method.answers[found] and found else None
                self.answer = PathAnswer(run, f"{method.name}, {method.story()}")
        finally:
            method.spent += time.process_time() - started

    def clauses(self, limit: Limit) -> tuple[Cube, ...] | None:
        """Return an invariant that shows that no bad state is reached, where that is what was asked."""
        if self.invariant is None:
            return None
        method = next((each for each in self._methods if each.search is self.invariant), None)
        while method in self._methods:
            assert method is not None
            self._advance(method, limit)
        return self.invariant.invariant

    @property
    def found_clauses(self) -> tuple[Cube, ...] | None:
        """The invariant that shows that no bad state is reached, where it was found and looked at again."""
        return self._clauses

    def story(self) -> str:
        """Return how far each method has come."""
        told = (f"{each.name}: {each.story()}" for each in self._methods)
        return self.answer.by if self.answer is not None else "; ".join(told)
