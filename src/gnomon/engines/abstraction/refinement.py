"""From a formula to a verdict: finer and finer cells until the initial states are decided."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.concretise import Cell, Concretiser, diagram_of, pick_cell
from gnomon.engines.abstraction.copies import copied
from gnomon.engines.abstraction.differences import differences, half_spaces
from gnomon.engines.abstraction.diverge import CutHistory, Divergence
from gnomon.engines.abstraction.drift_signs import drift_signs
from gnomon.engines.abstraction.influence import next_to_show, spoken_of
from gnomon.engines.abstraction.linear import Form
from gnomon.engines.abstraction.partition import (
    Origin,
    Partition,
    Predicate,
    predicates_of,
    reads_of,
)
from gnomon.engines.abstraction.splitting import splits
from gnomon.engines.abstraction.sums import Regular, regular, regular_predicates
from gnomon.engines.abstraction.three_valued import CellAlgebra, CellSemantics
from gnomon.engines.diagrams.interface import Outgrown
from gnomon.engines.solvers.horn import inductive, invariant_atoms
from gnomon.engines.solvers.smt import Satisfiable
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.expression import Expression, Read
from gnomon.model.formula import (
    All,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Knows,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.fragment import state_subformulae
from gnomon.model.step import State
from gnomon.text.record import Record

TruthValue: TypeAlias = Literal["true", "false", "undefined"]
#: The satisfaction relation over an algebra of cells.
#: Holds in the states that count.
FAIR: Final = Exists(Globally(Constant(value=True)))
Semantics = TypeVar("Semantics", bound=CellSemantics)

#: Without a limit of time there has to be some other: most are decided after a few rounds, or never.
MOST_ROUNDS: Final = 40
#: So many initial cells are looked into for a state.
_MOST_CELLS: Final = 200
#: After so many rounds in which steps were told apart, it is told apart what holds at first and ever after.
_KEPT_FIRST: Final = 3
#: After so many, where it is about knowledge, initial states are told from others.
_INITIAL_FIRST: Final = 2
#: After so many rounds in which steps were told apart, a solver is asked for an invariant.
_STEPS_FIRST: Final = 3
_FROM_INVARIANT: Final = "an invariant was found by a solver"
_FROM_STEPS: Final = "what leads to different cells is told apart"
_FROM_SUMS: Final = "what no step changes is told apart"
_FROM_KEPT: Final = "what holds at first and ever after is told apart"
_IN_STEP: Final = "numbers that were cut in step are compared"
_FROM_INITIAL: Final = "initial states are told from others"
_FROM_COPIES: Final = "what is set to other numbers is compared with them"
_FROM_ORDER: Final = "which of two numbers is larger is told apart, since that never changes"
_FROM_DRIFTS: Final = "what makes a number grow is told from what makes it fall"
_RANKED: Final = "what cannot go on for ever, since numbers would run out"


class Round(Record):
    """One refinement: why, and what it added; `cells` are those reachable after it."""

    number: int
    reason: str
    added: tuple[Predicate, ...]
    cells: int

    def __str__(self) -> str:
        """Say what happened."""
        added = ", ".join(map(str, self.added[:4])) + (" …" if len(self.added) > 4 else "")
        return f"round {self.number}: {self.reason}{': ' + added if added else ''}"


@dataclass(frozen=True)
class CellDecision(Generic[Semantics]):
    """A verdict with what it rests on: where formulae hold, and for false an initial state."""

    value: TruthValue
    truth: Semantics
    rounds: tuple[Round, ...] = ()
    start: State | None = None
    #: An initial cell that is not decided.
    open: Cell | None = None
    #: What was told apart without end, where that is why it is not decided.
    endless: Divergence | None = None
    #: Whether it is true because there is no initial state.
    nowhere: bool = False


@dataclass
class _UnderWay(Generic[Semantics]):
    """How far the refinement for one formula has come: it may be interrupted at any point."""

    #: What the next cells are found by, and what is judged next.
    truth: Semantics
    latest: Semantics
    partition: Partition
    history: CutHistory
    rounds: list[Round] = field(default_factory=list)
    #: Whether rankings are looked for.
    ranked: bool = False
    #: What is open, why finer cells may help, what is new in them, and these; None until that is found out.
    finer: tuple[Formula, str, tuple[Predicate, ...], Partition | None] | None = None


class AbstractionRefinement(Generic[Semantics]):
    """Decides the formulae of one system."""

    def __init__(
        self,
        denote: Callable[[CellAlgebra], Semantics],
        partition: Partition,
        formulae: Iterable[Formula],
        budget: Budget | None = None,
        most_rounds: int | None = None,
        on_round: Callable[[Round], None] | None = None,
    ) -> None:
        """Start with a partition; refine at most so often (None: until it is hopeless or out of time)."""
        self.budget = budget or Budget()
        self._formulae = list(formulae)
        self._most = MOST_ROUNDS if most_rounds is None else most_rounds
        self._on_round = on_round
        self.space = CellSpace(partition, self._formulae, self.budget)
        self._denote = denote
        self.truth = denote(CellAlgebra(self.space, ranked=False))
        self.progress = CutHistory(self._start, self._most)
        self._under_way: dict[Formula, _UnderWay[Semantics]] = {}
        self.concretiser = Concretiser(partition.system, partition.context, self.budget)

    def decide(self, formula: Formula) -> CellDecision[Semantics]:
        """Decide a formula, refining for it alone; where that was interrupted, go on from there."""
        found = self.decide_within(formula, self._most)
        assert found is not None, "there are no more rounds to come"
        return found

    def decide_within(self, formula: Formula, rounds: int) -> CellDecision[Semantics] | None:
        """Do the same in so many rounds; None where it is open after them, and more may be made."""
        under_way = self._under_way.get(formula)
        if under_way is None:
            history = CutHistory(self._start, self._most)
            under_way = _UnderWay(self.truth, self.truth, self.space.partition, history)
            self._under_way[formula] = under_way
        self.progress = under_way.history
        while True:
            decision = self._judge(under_way.latest, formula)
            if decision.value != "undefined" or len(under_way.rounds) >= self._most:
                break
            if len(under_way.rounds) >= rounds:
                return None
            if not self._refine(formula, under_way):
                break
        del self._under_way[formula]
        return CellDecision(
            decision.value,
            decision.truth,
            tuple(under_way.rounds),
            decision.start,
            decision.open,
            self.progress.endless() if decision.value == "undefined" else None,
            decision.nowhere,
        )

    def _judge(self, truth: Semantics, formula: Formula) -> CellDecision[Semantics]:
        """Return what is known about the initial states."""
        space, d = truth.algebra.space, truth.algebra.space.diagrams
        found = truth.states(formula)
        fair = truth.fair
        possible = d.minus(space.initial.may, fair.false)
        left = d.minus(possible, found.true)
        for _ in range(_MOST_CELLS):
            if left == d.false:
                return CellDecision("true", truth, nowhere=possible == d.false)
            failing = d.both(d.both(left, found.false), fair.true)
            cell = pick_cell(space, left if failing == d.false else failing)
            answer, state = self.concretiser.state_in(space.partition, cell, space.system.initial)
            if answer is Satisfiable.YES and failing != d.false:
                return CellDecision("false", truth, start=state)
            if state is not None and truth.fails_in(formula, state):
                return CellDecision("false", truth, start=state)
            if answer is not Satisfiable.NO:
                return CellDecision("undefined", truth, open=cell)
            possible, left = (d.minus(cells, diagram_of(space, cell)) for cells in (possible, left))
        return CellDecision("undefined", truth, open=pick_cell(space, left))

    def _refine(self, formula: Formula, under_way: "_UnderWay[Semantics]") -> bool:
        """Go on with finer cells, or return False where nothing helps; all of a step counts, or nothing."""
        if not under_way.ranked:
            under_way.ranked = True
            if under_way.truth.algebra.rankings:
                under_way.truth = self._denote(CellAlgebra(self.space))
                self._add_round(under_way, _RANKED, (), under_way.truth)
                return True
        if under_way.finer is None:
            target = smallest_open(under_way.truth, formula)
            under_way.finer = target, *self._finer(under_way.truth, target, under_way.partition)
        target, reason, added, finer = under_way.finer
        if finer is None:
            return False
        why = f"`{show_formula(target)}` is open; {reason}"
        self.budget.check("refinement", len(under_way.rounds) + 1, lambda: why)
        try:
            space = CellSpace(finer, self._formulae, self.budget)
            space.reachable  # noqa: B018 - it may be too much
        except (OutOfReach, Outgrown):
            return False
        truth = self._denote(CellAlgebra(space))
        self._add_round(under_way, why, added, truth)
        under_way.finer = None
        if reason == _IN_STEP:
            self.progress.compared = True
        else:
            under_way.truth, under_way.partition = truth, finer
        return True

    def _add_round(
        self,
        under_way: "_UnderWay[Semantics]",
        reason: str,
        added: tuple[Predicate, ...],
        truth: Semantics,
    ) -> None:
        space = truth.algebra.space
        number = len(under_way.rounds) + 1
        done = Round(number, reason, added, space.count(space.reachable))
        under_way.rounds.append(done)
        under_way.latest = truth
        if self._on_round is not None:
            self._on_round(done)

    def _start(self, form: Form) -> int | None:
        """Return the only value that a form has in initial states, if there is just one."""
        return None if self._regular is None else self._regular.start(form)

    def _finer(
        self, truth: CellSemantics, target: Formula, partition: Partition
    ) -> tuple[str, tuple[Predicate, ...], Partition | None]:
        """Return a finer partition, what is new in it, and why; None where nothing helps."""
        shown = next_to_show(partition)
        if shown:
            names = ", ".join(sorted(f"{read.agent}.{read.variable}" for read in shown)[:4])
            more = " …" if len(shown) > 4 else ""
            finer = partition.refined((), partition.hidden - shown)
            return f"what was hidden is shown: {names}{more}", (), finer
        for reason, found in self._sources(truth, target):
            added = tuple(dict.fromkeys(p for p in found if not partition.knows(p)))
            if added:
                if reason == _FROM_STEPS:
                    self.progress.record(added)
                return reason, added, partition.refined(added)
        return "", (), None

    def _sources(
        self, truth: CellSemantics, target: Formula
    ) -> Iterator[tuple[str, Iterable[Predicate]]]:
        """Yield where predicates may come from, what is likely to help first.

        What seems to have no end is left for the last, and after some steps a solver is asked anyway.
        """
        partition = truth.algebra.space.partition
        yield _FROM_SUMS, self._from_sums(partition, target)
        if _comes_about(target):
            yield _FROM_DRIFTS, drift_signs(partition)
        # Cuts of what changes make clusters larger. Numbers that run out need them as bounds; otherwise they
        # wait until steps alone were not enough.
        wanted = self.progress.rounds >= _KEPT_FIRST or _comes_about(target)
        yield _FROM_KEPT, (p for p in self._kept if wanted or not self._changes(p))
        if self.progress.rounds == _STEPS_FIRST:
            yield _FROM_ORDER, self._ordered
            yield _FROM_INVARIANT, self._from_invariant(truth, target)
        found = [split.predicate for split in splits(truth, target)]
        known = all(map(partition.knows, found))
        late = known or self.progress.rounds >= _INITIAL_FIRST
        if isinstance(target, (Knows, GroupKnows)) and late:
            # What is not known was reached by others: from where they began, by an induction.
            yield _FROM_INITIAL, _initial_predicates(partition)
            yield _FROM_COPIES, copied(partition)
            yield _FROM_ORDER, self._ordered
        yield _FROM_STEPS, (p for p in found if not self.progress.diverging(p.quantity))
        yield _FROM_KEPT, self._kept
        yield _IN_STEP, self.progress.in_step()
        yield _FROM_INITIAL, _initial_predicates(partition)
        yield _FROM_INVARIANT, self._from_invariant(truth, target)
        yield _FROM_STEPS, found if self.progress.goes_on else ()

    @cached_property
    def _regular(self) -> Regular | None:
        """What is always so about the numbers, by regular distances."""
        return regular(self.space)

    def _from_sums(self, partition: Partition, target: Formula) -> Iterable[Predicate]:
        if self._regular is None:
            return ()
        about = spoken_of(partition.system, target) & partition.coarse
        return regular_predicates(self._regular, partition, about)

    def _changes(self, predicate: Predicate) -> bool:
        """Return whether some step gives a value to what a predicate is about."""
        return bool(self._assigned.intersection(reads_of(predicate.quantity)))

    @cached_property
    def _assigned(self) -> frozenset[Read]:
        return frozenset(
            Read(agent.name, item.variable)
            for agent in self.space.system.agents
            for line in agent.evolution
            for item in line.assignments
        )

    @cached_property
    def _kept(self) -> tuple[Predicate, ...]:
        """The cuts of initial conditions that steps never lead across."""
        partition = self.space.partition
        candidates: dict[Expression, Predicate] = {}
        for predicate in _initial_predicates(partition):
            candidates.update(half_spaces(predicate))
        return tuple(self._surviving(candidates))

    @cached_property
    def _ordered(self) -> tuple[Predicate, ...]:
        """The differences of two numbers that steps never lead across what they are at first."""
        candidates = dict(differences(self.space.partition, self._assigned, self._start))
        if not candidates:
            return ()
        for predicate in self._kept:  # what holds of one number may be why a difference is kept
            candidates.update(half_spaces(predicate))
        return tuple(p for p in self._surviving(candidates) if p not in self._kept)

    def _surviving(self, candidates: Mapping[Expression, Predicate]) -> Iterable[Predicate]:
        """Return the cuts of those conditions that hold at first and ever after."""
        partition = self.space.partition
        kept = inductive(partition.system, candidates, partition.context, self.budget)
        return dict.fromkeys(candidates[each] for each in kept)

    def _from_invariant(self, truth: CellSemantics, target: Formula) -> Iterator[Predicate]:
        """Yield what a solver's invariant tells apart: why something bad, as cells see it, never happens."""
        partition = truth.algebra.space.partition
        bad = condition_of_bad(truth, target)
        if bad is None:
            return
        origin = Origin("an invariant, by Spacer")
        for atom in invariant_atoms(partition.system, bad, partition.context, self.budget):
            for predicate in predicates_of(partition, atom, origin):
                if not partition.knows(predicate):
                    yield predicate


def _comes_about(formula: Formula) -> bool:
    """Return whether a formula says that something comes about in the end."""
    match formula:
        case All(path) | Enforces(_, path):
            return isinstance(path, (Finally, Until))
        case Exists(path):
            return isinstance(path, (Globally, WeakUntil, Release))
        case _:
            return False


def _initial_predicates(partition: Partition) -> Iterator[Predicate]:
    """Yield the predicates of the initial condition that are not there yet."""
    origin = Origin("initial states")
    for predicate in predicates_of(partition, partition.system.initial, origin):
        if not partition.knows(predicate):
            yield predicate


def condition_of_bad(truth: CellSemantics, target: Formula) -> Expression | None:
    """Return a condition that must never hold for a formula to be decided, as far as it is one on states."""
    space, d = truth.algebra.space, truth.algebra.space.diagrams
    match target:
        case All(Globally(body)) | Knows(_, body) | GroupKnows(_, _, body):
            doubtful = d.minus(space.reachable, truth.states(body).true)
        case _:
            doubtful = truth.algebra.undecided(truth.states(target))
    if doubtful == d.false:
        return None
    return pick_cell(space, doubtful).condition(space.partition)


def smallest_open(truth: CellSemantics, formula: Formula) -> Formula:
    """Return a subformula that is open in some reachable cell while all its parts are decided."""
    algebra, d = truth.algebra, truth.algebra.space.diagrams

    def is_open(part: Formula) -> bool:
        undecided = d.minus(algebra.undecided(truth.states(part)), truth.fair.false)
        return bool(undecided != d.false)

    if truth.constraints and not is_open(formula):
        return FAIR
    current = formula
    while True:
        inner = [part for part in state_subformulae(current) if is_open(part)]
        if not inner:
            return current
        current = inner[0]
