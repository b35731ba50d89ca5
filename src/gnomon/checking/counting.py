"""Deciding by counting: of agents that may change places it only matters how many are where."""

from typing import Final, NamedTuple

from gnomon.checking.counted_consistency import compare_counts
from gnomon.checking.counted_truth import CountedTruth
from gnomon.checking.crowds import CrowdToCount
from gnomon.checking.deadlocks import real_deadlocks, terminal_states
from gnomon.checking.decider import Decider, Decision
from gnomon.checking.exploring import oddities, without_start
from gnomon.checking.proofs import Proved, entry_of
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.told import Findings
from gnomon.checking.vacuous import told_for_sure
from gnomon.checking.verdict import Value, Verdict
from gnomon.checking.walking import RandomWalk
from gnomon.engines.counting.counted_sets import CountedSets
from gnomon.engines.counting.counted_space import CountedSpace
from gnomon.engines.counting.work import WorkLeft
from gnomon.logic.exact_vacuity import ExactVacuity
from gnomon.model import formula as f
from gnomon.model.any import AnySpecification
from gnomon.model.budget import TryAnother, TurnOver, Unsuited
from gnomon.model.crowd import AlikeCrowd
from gnomon.model.fragment import is_path_formula, is_propositional
from gnomon.model.kept_apart import kept_apart
from gnomon.model.system import Specification

#: More alternatives of one agent than this are not gone through.
_MANY: Final = 10_000
_NO_RULE: Final = "there is no rule yet for what was decided by counting"


class _KeptApart(NamedTuple):
    """Who is kept apart for a formula: those it names, and perhaps one who stands for all others."""

    named: frozenset[int]
    apart: frozenset[int]


class DecidingByCounts(Decider):
    """Decides formulae on states of which it is counted how many of a crowd are where.

    What cannot be decided so is left to others, after what can; if nobody else is wanted, it stays open.
    """

    name = "counting"

    def __init__(self, shared: SharedWork, counted: CrowdToCount) -> None:
        """Count the members of a crowd."""
        self.found = Findings("counting", diagnostics=shared.possible_overlaps())
        self._shared = shared
        self._system = shared.system
        self._counted = counted
        self._work = WorkLeft(counted.work, counted.most_for_one)
        self._options = shared.task.options
        self._leaves_evidence = counted.leaves_evidence and shared.task.options.evidence
        self._spaces: dict[frozenset[int], CountedSpace] = {}
        self._truths: dict[_KeptApart, CountedTruth] = {}
        self._refused_before: set[object] = set()
        self._walk = RandomWalk(self._system)
        self._first: CountedTruth | None = None

    def prepare(self) -> None:
        """Explore what the first formula that can be decided so needs, and see what the model is like."""
        why = "no formula leaves enough agents alone"
        for _, formula in self._shared.task.asked:
            assert isinstance(formula, Specification)
            try:
                self._first = self._truth(formula)
                break
            except Unsuited as refused:
                why = str(refused)
        if self._first is None:
            raise Unsuited(why)
        if self._shared.overlapping is not None:
            msg = "some lines may hold at once, which is looked for in single states"
            raise Unsuited(msg)
        algebra = self._first.algebra
        self.found = self.found._replace(
            states=algebra.count(algebra.reachable),
            initial=algebra.count(algebra.initial),
            terminal=terminal_states(algebra),
            diagnostics=tuple(oddities(self._first, self._system, self._shared.task.source)),
        )

    def _truth(self, formula: Specification) -> CountedTruth:
        """Return where formulae hold that name whom this one names."""
        asked = self._asked(formula)
        if asked not in self._truths:
            family = self._counted.family
            if asked.apart not in self._spaces:
                crowd = AlikeCrowd(self._system, family, asked.apart)
                self._spaces[asked.apart] = space = CountedSpace(
                    crowd, self._shared.budget, self._work, self._counted.most_for_one or _MANY
                )
                compare_counts(self._system, space)
            algebra = CountedSets(
                self._spaces[asked.apart], AlikeCrowd(self._system, family, asked.named)
            )
            truth = CountedTruth(algebra, self._system.fairness)
            truth.frame()  # what is asked of fairness is refused at once
            self._truths[asked] = truth
        return self._truths[asked]

    def _asked(self, formula: Specification) -> _KeptApart:
        """Return who is kept apart for a formula."""
        system, family = self._system, self._counted.family
        if formula.has_coalition and self._options.strategies != "perfect":
            msg = "strategies that go by views are not counted"
            raise Unsuited(msg)
        named = kept_apart(system, family, formula.formula)
        left = [number for number in family.numbers if number not in named]
        if len(left) < self._counted.least:
            msg = "the formula speaks of too many agents by name"
            raise Unsuited(msg)
        if self._leaves_evidence and not _shows_nothing(formula.formula):
            msg = "what is counted is no evidence"
            raise Unsuited(msg)
        apart = named | {left[-1]} if self._stands_for_others(formula.formula, left) else named
        return _KeptApart(named, apart)

    def _stands_for_others(self, formula: f.Formula, left: list[int]) -> bool:
        """Return whether one has to stand for each: by fairness, or in a group that knows something."""
        family = self._counted.family
        if any(
            kept_apart(self._system, family, each.formula) & set(left)
            for each in self._system.fairness
        ):
            return True
        return any(
            number in left
            for part in f.walk(formula)
            if isinstance(part, f.GroupKnows) and part.kind != "distributed"
            for member in part.group.members
            for number in family.found_in("agent", member)
        )

    # What is asked

    def sanity(self, check: str) -> Decision:
        """Say that there is no reachable deadlock, or that no value can leave its range."""
        assert self._first is not None
        algebra = self._first.algebra
        bad = real_deadlocks(algebra) if check == "deadlock" else algebra.overflows
        if algebra.is_empty(bad):
            return Decision(Value.TRUE)
        return self._refused(check, Unsuited("a run that shows it is not counted"))

    def decide(self, number: int, formula: AnySpecification) -> Decision:
        """Decide a formula that leaves the crowd alone."""
        assert isinstance(formula, Specification)
        try:
            return self._decided(formula)
        except Unsuited as why:
            return self._refused(number, why)

    def _decided(self, formula: Specification) -> Decision:
        budget = self._shared.budget
        started = budget.spent()
        truth = self._truth(formula)
        holds = truth.holds(formula.formula, formula.logic)
        if not holds and self._leaves_evidence:
            msg = "what is counted is no evidence"
            raise Unsuited(msg)
        value = Value.TRUE if holds else Value.FALSE
        nothing = without_start(truth)
        if nothing:
            return Decision(value, vacuous=nothing if holds else "")
        self._walk.compare(value, self.found.engine, formula)
        if not holds:
            return Decision(value)
        seconds = budget.spent() - started
        found = ExactVacuity(truth, truth.initial, formula.logic, budget.check)
        return Decision(value, vacuous=told_for_sure(found, formula.formula, budget, seconds))

    def _refused(self, what: object, why: Unsuited) -> Decision:
        """Leave something open if no other engine is wanted; else let one have it, after the others here."""
        if self._counted.alone:
            return Decision(Value.UNKNOWN, str(why))
        if what in self._refused_before:
            raise TryAnother(str(why))
        self._refused_before.add(what)
        raise TurnOver

    def prove(self, verdict: Verdict, formula: AnySpecification) -> Proved:
        """Return that there is no proof."""
        return Proved(entry_of(verdict, formula.logic, _NO_RULE))

    def account(self) -> tuple[tuple[str, str], ...]:
        """Return how much was counted."""
        found = []
        for apart, space in self._spaces.items():
            crowd = len(space.layout.crowd.members)
            text = f"{len(space.counted):,} states, for {crowd} agents that are alike"
            kept = sorted(apart.intersection(self._counted.family.numbers))
            if kept:
                text += f"; kept apart: {', '.join(map(str, kept))}"
            found.append(("counting", text))
        return tuple(found)

    def close(self) -> None:
        """Let go of what was counted."""
        self._spaces.clear()
        self._truths.clear()
        self._first = None


def _shows_nothing(formula: f.Formula, *, value: bool = True) -> bool:
    """Return whether there is no run or strategy to show where a formula has a value."""
    if is_propositional(formula):
        return True
    match formula:
        case f.Not(body):
            return _shows_nothing(body, value=not value)
        case f.And(operands) | f.Or(operands):
            return all(_shows_nothing(operand, value=value) for operand in operands)
        case f.Implies(left, right):
            return _shows_nothing(left, value=not value) and _shows_nothing(right, value=value)
        case f.All(path) | f.Exists(path):
            if not is_path_formula(path):
                return _shows_nothing(path, value=value)
            return isinstance(formula, f.All) == value
        case f.Knows() | f.GroupKnows() | f.Obliged():
            return value
        case _:
            return value and is_path_formula(formula) and not isinstance(formula, f.Enforces)
