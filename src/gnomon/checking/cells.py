"""Deciding on cells of states, by predicate abstraction: three truth values, for numbers without bounds."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from gnomon.checking.attempts import Wanted, at_once, attempts
from gnomon.checking.cell_sanity import reachable_mishap, sane
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.proofs import Proved
from gnomon.checking.refusals import NO_FAIR_START, NO_START, meant, no_initial_state
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.model.any import AnySpecification
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.scheduled import scheduled
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gnomon.checking.cell_evidence import CellDenotation
    from gnomon.checking.exploring import Exploring
    from gnomon.engines.abstraction.refinement import CellDecision

#: A word on deadlocks is worth so many refinements.
_FEW_ROUNDS: Final = 2

#: Why states are listed for it although cells are at hand.
_EVENTS: Final = "coalitions are not decided on cells where one event happens at a time"

_NO_RULE = "there is no rule yet for what was decided on cells of states"


class Cells(Decider):
    """Decides formulae by predicate abstraction; where nobody insists on it, what stays open by exploring."""

    name = "cells of states"

    def __init__(self, shared: SharedWork) -> None:
        """Prepare to cut the states of a system into cells."""
        task, system, budget = shared.task, shared.system, shared.budget
        options = task.options
        formulae = tuple(
            each
            for _, each in task.asked
            if isinstance(each, Specification) and not _is_about_events(system, each)
        )
        self.found = Findings("abstraction", diagnostics=shared.possible_overlaps())
        self._shared = shared
        self._task = task
        self._system = system
        self._budget = budget
        #: Whether cells are all that is allowed.
        self._alone = options.engine == "abstraction"
        self._abstraction = PredicateAbstraction(
            scheduled(system) if system.interleaved else system,
            formulae,
            budget,
            options.refine,
            options.predicates,
            options.strategies,
        )
        self._walk = RandomWalk(system)
        self._complete = True
        #: Whether there may be an initial state.
        self._starts = True
        self._shown: dict[int, Evidence | None] = {}
        self._cells: dict[int, CellDecision[CellDenotation] | None] = {}
        #: The states one by one, once they are needed, and unless there are too many.
        self._listed: Exploring | None = None
        self._tried_to_list = False
        #: Which limit was reached when they were listed.
        self._unlisted = ""

    def prepare(self) -> None:
        """Cut the states into cells."""
        if self._abstraction.surely_never_starts():
            self._say_it_never_starts()
        self.found = self.found._replace(states=self._abstraction.states)
        self._add(self._mishaps())

    def _mishaps(self) -> Iterator[Diagnostic]:
        """Yield a word on deadlocks and overflows, as far as they are found or excluded at little cost."""
        abstraction, source = self._abstraction, self._task.source
        if not self._starts:
            return
        for check in ("deadlock", "overflow"):
            decision = sane(self._system, abstraction, check, self._budget, _FEW_ROUNDS)
            if decision.value is Value.FALSE:
                yield reachable_mishap(self._system, source, check, decision.evidence)
            elif decision.value is Value.TRUE or check == "overflow" or self._system.interleaved:
                continue
            else:
                yield from abstraction.perhaps_stuck(source)

    def _add(self, said: Iterable[Diagnostic]) -> None:
        known = dict.fromkeys((*self.found.diagnostics, *said))
        self.found = self.found._replace(diagnostics=tuple(known))

    def _say_it_never_starts(self) -> None:
        self._starts = False
        odd = no_initial_state(self._system, self._task.source)
        self._add((odd,))

    def _say_it_is_never_fair(self) -> None:
        message = f"{NO_FAIR_START}: every formula would be true"
        line = self._system.fairness[0].line
        odd = Diagnostic(
            "G0804",
            message,
            self._task.source,
            self._task.source.line_span(line),
            notes=("no run meets all constraints again and again",),
            help=meant("G0804"),
        )
        self._add((odd,))

    def sanity(self, check: str) -> Decision:
        """Tell whether there is no deadlock, or no overflow, with three values."""
        if not self._starts:
            return Decision(Value.TRUE)
        rounds = self._task.options.refine
        decision = sane(self._system, self._abstraction, check, self._budget, rounds)
        if decision.value is Value.UNDEFINED and not self._alone and self._try_to_list():
            assert self._listed is not None
            decision = self._listed.sanity(check)
        return decision

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula with three values."""
        assert isinstance(formula, Specification)
        if not self._starts:
            return Decision(Value.TRUE, vacuous=NO_START)
        if _is_about_events(self._system, formula):
            listed = self._decide_listed(number, formula)
            return listed or Decision(Value.UNKNOWN, f"{_EVENTS}; {self._unlisted}")
        decision = self._decide(number, formula)
        if decision.value is Value.UNDEFINED and not self._alone:
            decision = self._decide_listed(number, formula) or decision
        self._walk.compare(decision.value, decision.engine or "abstraction", formula)
        return decision

    def _decide(self, number: int, formula: Specification) -> Decision:
        options = self._task.options
        wanted = (options.evidence or options.certificate) and not self._system.interleaved
        try:
            decision = self._abstraction.decide(formula, evidence=wanted)
        except (LimitReached, MemoryError):
            self._complete = False
            self.found = self.found._replace(predicates=())
            raise
        if decision.vacuous == NO_START:  # finer cells may tell
            self._say_it_never_starts()
        if decision.vacuous == NO_FAIR_START:
            self._say_it_is_never_fair()
        self._shown[number] = decision.evidence
        if options.certificate:
            self._cells[number] = self._abstraction.latest
        self.found = self.found._replace(predicates=self._abstraction.predicates())
        return decision

    def _decide_listed(self, number: int, formula: Specification) -> Decision | None:
        """Decide state by state what cells leave open, if there are not too many states."""
        if not self._try_to_list():
            return None
        assert self._listed is not None
        decision = self._listed.decide(number, formula)
        if decision.value is Value.UNKNOWN:
            return None
        return decision._replace(engine=self._listed.found.engine)

    def _try_to_list(self) -> bool:
        """Return whether the states have been listed, which is tried once."""
        if not self._tried_to_list:
            self._listed = self._list_states()
            self._tried_to_list = True
            if self._listed is not None:  # it knows what cells cannot tell
                self.found = self.found._replace(diagnostics=self._listed.found.diagnostics)
        return self._listed is not None

    def _list_states(self) -> "Exploring | None":
        from gnomon.checking.exploring import Exploring  # it is rarely needed

        asked = (each for _, each in self._task.asked if isinstance(each, Specification))
        if at_once(self._system) is None and not any(
            _is_about_events(self._system, each) for each in asked
        ):
            return None
        wanted = Wanted("explicit", max_states=self._task.options.max_states)
        (attempt,) = attempts(self._system, (), wanted)
        exploring = Exploring(self._shared, attempt, None)
        try:
            exploring.prepare()
        except LimitReached as limit:
            self._budget.check()  # if the time is over, that is the reason
            self._unlisted = str(limit)
            return None
        finally:
            self._budget.states = None
        return exploring

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return the evidence as a proof, if the checker accepts it; what was listed is proved as such."""
        assert isinstance(formula, Specification)
        if self._listed is not None and verdict.engine != "abstraction":
            return self._listed.prove(verdict, formula)
        shown = self._shown.get(verdict.index)
        proved = self._shared.certifier.shown(verdict, formula, shown, _NO_RULE)
        decision = self._cells.get(verdict.index)
        if proved.entry["proof"] is not None or decision is None:
            return proved
        if verdict.value not in {Value.TRUE, Value.FALSE}:
            return proved
        from gnomon.checking.certify_cells import proved_on_cells  # few ask for proofs

        return proved_on_cells(self._system, formula, proved.entry, decision, self._budget)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return the predicates and the refinements, where all of it came to its end."""
        return self._abstraction.account() if self._complete else ()

    def close(self) -> None:
        """Let go of nothing: there is no other way after this one once it has begun."""


def _is_about_events(system: System, formula: Specification) -> bool:
    """Return whether a formula is about coalitions where one event happens at a time."""
    return system.interleaved and formula.has_coalition
