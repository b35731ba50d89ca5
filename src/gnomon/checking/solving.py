"""Deciding by satisfiability: nothing is explored, and what cannot be asked of one path is refused."""

import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Final

from gnomon.checking.circuit_work import CircuitWork, NotSolvable
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.exploring import gets_stuck, leaves_a_range
from gnomon.checking.linear_paths import is_linear
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import NO_FAIR_START, NO_START, meant, no_initial_state
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.solved_formulae import SolvedFormulae
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.model.any import AnySpecification
from gnomon.model.budget import OutOfReach, TryAnother, TurnOver
from gnomon.model.fragment import is_propositional
from gnomon.model.system import Specification
from gnomon.text.diagnostic import Diagnostic

#: The seconds of a first turn among others, and the part of all that have passed of a later one.
_FIRST: Final = 1.0
_SHARE: Final = 0.25
_NO_RULE: Final = "there is no rule yet for what was decided by satisfiability, but for invariants"


class Solving(Decider):
    """Decides formulae by SAT solvers, within a share of the processor's time if others are to have theirs.

    What was worked out is kept between turns, and between deciders that share it.
    """

    def __init__(
        self, shared: SharedWork, solved: SolvedFormulae, seconds: float | None = None
    ) -> None:
        """Decide what there are verdicts of, for so many seconds if that is given."""
        self.name = "satisfiability"
        if seconds is not None:
            self.name += f", {seconds:.1f} s"
        self.found = Findings("sat", diagnostics=shared.possible_overlaps())
        self._shared = shared
        self._solved = solved
        self._work = solved.work
        self._seconds = seconds
        self._walk = RandomWalk(shared.system)
        self._asked_before: set[int] = set()
        self._notes: list[tuple[str, str]] = []

    def prepare(self) -> None:
        """Encode the system, and see whether anything starts."""
        if self._seconds is not None:
            self._work.allow(self._seconds)
        if not self._work.starts():
            self._add(no_initial_state(self._shared.system, self._shared.task.source))

    def _add(self, said: Diagnostic) -> None:
        known = dict.fromkeys((*self.found.diagnostics, said))
        self.found = self.found._replace(diagnostics=tuple(known))

    def sanity(self, check: str) -> Decision:
        """Look for a deadlock or an overflow that is reached."""
        try:
            decision, found = self._work.sanity(check)
        except NotSolvable as why:
            return self._refused(-1 - len(check), why)
        if found is not None:
            say = gets_stuck if check == "deadlock" else leaves_a_range
            self._add(say(self._shared.system, self._shared.task.source, found))
        return decision

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula that can be asked of one path."""
        assert isinstance(formula, Specification)
        if not self._work.starts():
            return Decision(Value.TRUE, vacuous=NO_START)
        try:
            solved = self._solved.of(number, formula)
            decision = solved.decision(evidence=self._shared.task.options.evidence)
        except OutOfReach as why:
            return self._refused(number, NotSolvable(str(why)))
        except NotSolvable as why:
            return self._refused(number, why)
        if decision.vacuous == NO_FAIR_START:
            self._add(self._never_fair())
        if self._shared.task.options.account:
            self._notes.append((f"formula {number}", solved.story()))
        self._walk.compare(decision.value, "sat", formula)
        return decision

    def _refused(self, number: int, why: NotSolvable) -> Decision:
        """Leave something open if no other engine is wanted; else let one have it, after the others here."""
        if self._seconds is None:
            return Decision(Value.UNKNOWN, str(why))
        if number in self._asked_before:
            raise TryAnother(str(why))
        self._asked_before.add(number)
        raise TurnOver

    def _never_fair(self) -> Diagnostic:
        source = self._shared.task.source
        line = self._shared.system.fairness[0].line
        return Diagnostic(
            "G0804",
            f"{NO_FAIR_START}: every formula would be true",
            source,
            source.line_span(line),
            notes=("no run meets all constraints again and again",),
            help=meant("G0804"),
        )

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return a run as a proof, or an invariant as clauses, if the checker accepts it."""
        assert isinstance(formula, Specification)
        certifier, number = self._shared.certifier, verdict.index
        solved = self._solved.known(number)
        shown = solved.evidence() if solved is not None else None
        proved = certifier.shown(verdict, formula, shown, _NO_RULE)
        if proved.entry["proof"] is not None or solved is None or verdict.value is not Value.TRUE:
            return proved
        from gnomon.checking.certify_clauses import proved_by_clauses  # few ask for proofs

        return proved_by_clauses(self._shared, formula, proved.entry, solved)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return the size of the circuit, and how each formula was decided."""
        return (("circuit", self._work.size()), *self._notes)

    def close(self) -> None:
        """Keep everything: it is gone on with."""


def in_between(exploring: Iterable[Decider], shared: SharedWork) -> Iterator[Decider]:
    """Yield ways to explore, and after each whose diagrams outgrew their room, what a solver can tell.

    It has a part of the time that has passed; what it has found out by then, it goes on from the next time.
    """
    formulae = None
    for decider in exploring:
        yield decider
        if decider.found.engine == "bdd" and is_worth_solving(shared):
            formulae = formulae or SolvedFormulae(CircuitWork(shared))
            yield Solving(shared, formulae, max(_FIRST, _SHARE * time.process_time()))


def is_worth_solving(shared: SharedWork) -> bool:
    """Return whether some formula is asked of single paths, and solvers are at hand."""
    if shared.task.options.strategies == "uniform-model":
        return False
    if find_spec("pysat") is None or not all(
        is_propositional(each.formula) for each in shared.system.fairness
    ):
        return False
    asked = (each for _, each in shared.task.asked if isinstance(each, Specification))
    return any(is_linear(each.formula) for each in asked)


def alone(shared: SharedWork) -> Solving:
    """Return the decider for those who want no other engine."""
    return Solving(shared, SolvedFormulae(CircuitWork(shared)))
