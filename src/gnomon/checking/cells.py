"""Deciding on cells of states, by predicate abstraction: three truth values, for numbers without bounds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gnomon.checking.attempts import Wanted, at_once, attempts
from gnomon.checking.cell_sanity import reachable_mishap, sane, surely_never_fair
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.first_states import FirstStatesShow, may_be_shown
from gnomon.checking.predicate_abstraction import PredicateAbstraction, perhaps_stuck
from gnomon.checking.proofs import UNDECIDED, Proved, entry_of
from gnomon.checking.refusals import NO_FAIR_START, NO_START, meant, no_initial_state
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.told import Findings
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.model.any import AnySpecification
from gnomon.model.budget import LimitReached
from gnomon.model.evidence import Evidence
from gnomon.model.fragment import coalition_members
from gnomon.model.scheduled import scheduled
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gnomon.checking.cell_evidence import CellDenotation
    from gnomon.checking.cell_profiles import ProfileSearch, PrunedSystem
    from gnomon.checking.exploring import Exploring
    from gnomon.engines.abstraction.refinement import CellDecision

#: A word on deadlocks is worth so many refinements.
_FEW_ROUNDS: Final = 2
#: So many are made to find out whether any initial state starts a fair path.
_ROUNDS_FOR_FAIRNESS: Final = 4
#: After so many that leave a formula open, states that are reached soon are looked at.
_ROUNDS_BEFORE_STATES: Final = 3

_NO_RULE = "there is no rule yet for what was decided on cells of states"
_NO_RULE_FOR_EVENTS = "of profiles there are no rules yet for who chooses an event"


class Cells(Decider):
    """Decides formulae by predicate abstraction; where nobody insists on it, what stays open by exploring."""

    name = "cells of states"

    def __init__(self, shared: SharedWork) -> None:
        """Prepare to cut the states of a system into cells."""
        task, system, budget = shared.task, shared.system, shared.budget
        options = task.options
        asked = [each for _, each in task.asked if isinstance(each, Specification)]
        self._of_choices = [each for each in asked if _is_about_events(system, each)]
        self.found = Findings("abstraction", diagnostics=shared.possible_overlaps())
        self._shared = shared
        self._task = task
        self._system = system
        self._budget = budget
        #: Whether cells are all that is allowed.
        self._alone = options.engine == "abstraction"
        others = [each for each in asked if each not in self._of_choices]
        self._abstraction = self._abstracted(others)
        self._walk = RandomWalk(system)
        self._complete = True
        #: Whether there may be an initial state.
        self._starts = True
        #: Whether one of them starts a fair path, as far as that is to be found out.
        self._counts = not system.fairness
        self._shown: dict[int, Evidence | None] = {}
        self._cells: dict[int, CellDecision[CellDenotation] | None] = {}
        self._profiles: dict[int, ProfileSearch] = {}
        #: What profiles that make formulae true leave of the system.
        self._pruned: dict[int, PrunedSystem] = {}
        #: The states one by one, once they are needed, and unless there are too many.
        self._listed: Exploring | None = None
        self._tried_to_list = False
        self._first_states = FirstStatesShow(shared)

    def _abstracted(
        self, formulae: Sequence[Specification], choosing: Collection[str] = ()
    ) -> PredicateAbstraction:
        system, options = self._system, self._task.options
        return PredicateAbstraction(
            scheduled(system, choosing) if system.interleaved else system,
            tuple(formulae),
            self._budget,
            options.refine,
            options.predicates,
            "perfect" if options.strategies == "uniform-model" else options.strategies,
        )

    @cached_property
    def _with_choices(self) -> PredicateAbstraction:
        """The cells where those who are in some coalition choose; others have no use for what they say."""
        members = coalition_members(each.formula for each in self._of_choices)
        return self._abstracted(self._of_choices, members)

    def _abstraction_for(self, formula: Specification) -> PredicateAbstraction:
        about_events = _is_about_events(self._system, formula)
        return self._with_choices if about_events else self._abstraction

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
                yield from perhaps_stuck(abstraction, source)

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

    def _is_never_fair(self, decision: Decision, formula: Specification) -> bool:
        """Return whether no initial state counts, so that anything is true; asked where it is not known."""
        if self._counts or decision.vacuous == NO_FAIR_START:
            return not self._counts
        abstraction = self._abstraction_for(formula)
        if abstraction.surely_fair_somewhere():
            self._counts = True
            return False
        rounds = self._task.options.refine
        few = _ROUNDS_FOR_FAIRNESS if rounds is None else min(rounds, _ROUNDS_FOR_FAIRNESS)
        try:
            never = surely_never_fair(abstraction, self._budget, few)
        except LimitReached:  # what was decided is decided
            return False
        self._counts = not never
        return never

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
        decision = self._decide(number, formula)
        if decision.value is Value.TRUE and self._is_never_fair(decision, formula):
            decision = decision._replace(vacuous=NO_FAIR_START)
            self._say_it_is_never_fair()
        if decision.value is Value.UNDEFINED and not self._alone:
            decision = self._decide_listed(number, formula) or decision
        if self._task.options.strategies != "uniform-model":  # what is walked is the whole model
            self._walk.compare(decision.value, decision.engine or "abstraction", formula)
        return decision

    def _decide(self, number: int, formula: Specification) -> Decision:
        options, abstraction = self._task.options, self._abstraction_for(formula)
        if options.strategies == "uniform-model":
            return self._decide_pruned(number, formula)
        wanted = options.evidence or options.certificate
        try:
            shown = self._soon_shown(formula, abstraction)
            if shown is not None:
                self._shown[number] = shown.evidence
                return shown
            decision = abstraction.decide(formula, evidence=wanted)
        except (LimitReached, MemoryError):
            self._complete = False
            self.found = self.found._replace(predicates=())
            raise
        if decision.vacuous == NO_START:  # finer cells may tell
            self._say_it_never_starts()
        self._shown[number] = decision.evidence
        if options.certificate:
            self._cells[number] = abstraction.latest
        known = dict.fromkeys((*self.found.predicates, *abstraction.predicates()))
        self.found = self.found._replace(predicates=tuple(known))
        return decision

    def _soon_shown(
        self, formula: Specification, abstraction: PredicateAbstraction
    ) -> Decision | None:
        """Return what states show that are reached soon, where cells do not tell in a few rounds."""
        if not may_be_shown(self._system, formula, self._task.options):
            return None
        if not abstraction.is_open_after(formula, _ROUNDS_BEFORE_STATES):
            return None
        return self._first_states.decide(formula)

    def _decide_pruned(self, number: int, formula: Specification) -> Decision:
        """Decide whether a formula holds in a model that is pruned to some strategies."""
        from gnomon.checking.cell_profiles import ProfileSearch  # few ask for it

        search = self._profiles.get(number)
        if search is None:
            options = self._task.options
            search = ProfileSearch(self._system, formula, options, self._budget)
            self._profiles[number] = search
        decision = search.decide()
        del self._profiles[number]
        if search.found is not None:
            self._pruned[number] = search.found
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
        except LimitReached:
            self._budget.check()  # if the time is over, that is the reason
            return None
        finally:
            self._budget.states = None
        return exploring

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return the evidence as a proof, if the checker accepts it; what was listed is proved as such."""
        assert isinstance(formula, Specification)
        if self._listed is not None and verdict.engine != "abstraction":
            return self._listed.prove(verdict, formula)
        if not self._starts:
            from gnomon.checking.certify_cells import proved_without_start

            entry = entry_of(verdict, formula.logic, "")
            return proved_without_start(self._system, formula, entry, self._budget)
        if verdict.strategies == "uniform-model":
            return self._prove_pruned(verdict, formula)
        shown = self._shown.get(verdict.index)
        proved = self._shared.certifier.shown(verdict, formula, shown, _NO_RULE)
        decision = self._cells.get(verdict.index)
        if proved.entry["proof"] is not None or decision is None:
            return proved
        if verdict.value not in {Value.TRUE, Value.FALSE}:
            return proved
        from gnomon.checking.certify_cells import proved_on_cells  # few ask for proofs

        return proved_on_cells(self._system, formula, proved.entry, decision, self._budget)

    def _prove_pruned(self, verdict: Verdict, formula: Specification) -> Proved:
        """Return a proof of what holds in a model that is pruned to some strategies."""
        from gnomon.checking.profile_proofs import NO_PROFILE, proved_by_profile  # few ask for them

        entry, pruned = entry_of(verdict, formula.logic, UNDECIDED), self._pruned.get(verdict.index)
        if verdict.value is Value.FALSE:
            return Proved({**entry, "reason": NO_PROFILE})
        if verdict.value is not Value.TRUE or pruned is None:
            return Proved(entry)
        if _is_about_events(self._system, formula):
            return Proved({**entry, "reason": _NO_RULE_FOR_EVENTS})
        return proved_by_profile(self._system, formula, entry, pruned, self._budget)

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return the predicates and the refinements, where all of it came to its end."""
        if not self._complete:
            return ()
        more = self._with_choices.rounds if self._of_choices else []
        return (*self._abstraction.account(), *(("refinement", str(each)) for each in more))

    def close(self) -> None:
        """Let go of nothing: there is no other way after this one once it has begun."""


def _is_about_events(system: System, formula: Specification) -> bool:
    """Return whether a formula is about coalitions where one event happens at a time."""
    return system.interleaved and formula.has_coalition
