"""Certificates for what was decided on cells: conditions with the reasons that a solver can check.

A proof has labels for the parts of a formula that need some, the inner ones first. See
`gnomon.certificate.deductive` for what they mean.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from gnomon.certificate.core import FAIR, is_unrolled, spelled, unrolled
from gnomon.certificate.plain import is_plain
from gnomon.certificate.rejection import TooMuch, Unproved
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.counting_cells import CountingCells
from gnomon.checking.label_data import LabelBook, NoRule
from gnomon.checking.path_writer import PathWriter
from gnomon.checking.proofs import UNFINISHED, ProofAttempt, Proved, first_accepted
from gnomon.checking.reached_data import ReachedData
from gnomon.checking.uniform_proofs import strategies_as_data
from gnomon.engines.abstraction.cell_assertions import CellAssertions
from gnomon.engines.abstraction.cell_space import Certainty
from gnomon.engines.abstraction.concrete_runs import CellWalks
from gnomon.engines.abstraction.refinement import CellDecision
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.budget import Budget, LimitReached, OutOfReach
from gnomon.model.formula import (
    All,
    And,
    Constant,
    Enforces,
    Exists,
    Formula,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    StateCondition,
    is_path_formula,
    show_formula,
)
from gnomon.model.fragment import state_subformulae
from gnomon.model.step import State
from gnomon.model.system import Logic, Specification, System

#: The kind of proof, as the checker calls it.
KIND: Final = "conditions"
#: A proof is about the system itself.
NOTHING_MORE: Final[Mapping[str, object]] = MappingProxyType({})


def _confused(formula: Formula) -> Iterator[tuple[str, ...]]:
    """Yield agents who together have to take another state for possible."""
    match formula:
        case Knows(agent):
            yield (agent,)
        case GroupKnows("distributed", group):
            yield group.members
        case GroupKnows(_, group):
            yield from ((name,) for name in group.members)
        case _:
            raise AssertionError(formula)


def proved_on_cells(
    system: System,
    asked: Specification,
    entry: dict[str, Any],
    decision: CellDecision[CellDenotation],
    budget: Budget,
    more: Mapping[str, object] = NOTHING_MORE,
) -> Proved:
    """Return the entry of a verdict with a proof that the checker has accepted, or why there is none.

    The cells may be those of what is left of the system; then there is `more` to be told.
    """
    value = entry["verdict"] == "true"
    try:
        attempt, unproved = proof_on_cells(decision.truth, asked, decision.start, value=value)
        attempt = attempt._replace(proof={**attempt.proof, **more})
        accepted, why = first_accepted(system, asked, entry, [attempt], budget)
    except NoRule as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except TooMuch as error:
        return Proved({**entry, "reason": str(error)})
    except OutOfReach as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        why = f"there is no rule yet for {unproved[0]}" if unproved else why
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def proved_without_start(
    system: System, asked: Specification, entry: dict[str, Any], budget: Budget
) -> Proved:
    """Return the entry of a formula that is true since no state is initial, with a proof of that."""
    nothing: dict[str, Any] = {"quantities": [], "conditions": [], "labels": [], "state": None}
    if entry["strategies"] == "uniform-model":  # whoever does nothing, nothing comes of it
        choosing = (each.name for each in system.agents if each.actions and not each.observer)
        nothing["profile"] = {name: [] for name in choosing}
    attempt = ProofAttempt({"kind": KIND, "invariant": False, **nothing})
    try:
        accepted, why = first_accepted(system, asked, entry, [attempt], budget)
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def proof_on_cells(
    truth: CellDenotation, asked: Specification, start: State | None, *, value: bool
) -> tuple[ProofAttempt, list[str]]:
    """Return a proof of a verdict for the checker to look at; raises `NoRule` where there is none.

    With it comes what it has no rule for, where it may be that this is not needed.
    """
    writer, formula = _ProofWriter(truth, asked.logic), asked.formula
    try:
        writer.label(formula, holds=value)
        if (
            start is not None
            and CellWalks(truth.algebra).contains(truth.states(formula), start) is None
        ):
            why = "which fails as only the states next to an initial one show"
            writer.unproved.append(f"{show_formula(formula)}, {why}")
        return ProofAttempt(writer.proof(start)), writer.unproved
    except Unproved as error:  # no rule of the checker's speaks of such a formula
        raise NoRule(error.args[0]) from error


class _ProofWriter:
    """Writes one proof."""

    def __init__(
        self,
        truth: CellDenotation,
        logic: Logic,
        written: CellAssertions | None = None,
        reached: ReachedData | None = None,
    ) -> None:
        self._truth = truth
        self._algebra = truth.algebra
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._book = LabelBook(self._space, written)
        self._written = self._book.written
        self._counting = CountingCells(truth, self._book, logic)
        self._paths = PathWriter(truth, self._book, self._counting, self.label)
        self._reached = (
            ReachedData(self._space, self._written, self._book.data) if reached is None else reached
        )
        #: What there is no rule for, though less may be enough.
        self.unproved: list[str] = []

    def proof(self, start: State | None) -> dict[str, Any]:
        """Return all of it."""
        if self._truth.constraints:  # which states count is a part of it, with labels of its own
            assert self._counting.unfair is not None
            assert start is None or self._counting.fair is not None
        constraints = self._constraints()
        invariant = self._written.write(self._space.reachable, self._space.all)
        reached = self._reached.data()
        return {
            "kind": KIND,
            "quantities": self._written.quantities,
            "conditions": self._written.nodes,
            "invariant": invariant,
            "labels": self.labels,
            **({"constraints": constraints} if any(constraints) else {}),
            "state": None if start is None else list(start),
            **({} if reached is None else {"reached": reached}),
        }

    @property
    def labels(self) -> list[dict[str, Any]]:
        """Return the labels that were written."""
        return list(self._book.labels.values())

    def _constraints(self) -> list[list[dict[str, Any]]]:
        """Return labels for each constraint of fairness, which is itself read without fairness."""
        found = []
        for each, reading in zip(
            self._space.system.fairness, self._truth.without_fairness, strict=True
        ):
            writer = _ProofWriter(reading, each.logic, self._written, self._reached)
            for holds in (True, False):
                try:
                    writer.label(each.formula, holds=holds)
                except (NoRule, Unproved) as error:
                    self.unproved.append(f"the constraint {each.text}: {error}")
            self.unproved.extend(writer.unproved)
            found.append(writer.labels)
        return found

    def label(self, formula: Formula, *, holds: bool) -> None:
        """Write down why a formula holds where it does, or fails where it does."""
        # Where only some states count, a path starts in each of them that counts.
        endless = self._counting.only_some and not self._truth.constraints
        by_steps = None
        if is_unrolled(formula, informed=self._truth.strategies == "perfect", holds=holds):
            by_steps = unrolled(formula, endless=endless, fairly=bool(self._truth.constraints))
        if by_steps is not None:
            self.label(by_steps, holds=holds)
            if isinstance(formula, Enforces) and self._truth.strategies != "perfect":
                self._miss_counting(formula)
            return
        if endless and formula == FAIR:
            _ = (
                self._counting.fair if holds else self._counting.unfair
            )  # written down with its reason
            return
        if is_path_formula(formula):
            self._paths.write(formula, formula, ("surely" if holds else "never", ()), holds=holds)
            return
        match formula:
            case All(body) | Exists(body) if not is_path_formula(body):
                self.label(body, holds=holds)
            case Not(body):
                self.label(body, holds=not holds)
            case And(operands) | Or(operands):
                for part in operands:
                    self._perhaps(part, holds=holds)
            case Implies(left, right):
                self._perhaps(left, holds=not holds)
                self._perhaps(right, holds=holds)
            case Iff(left, right):
                for part in (left, right):
                    self._perhaps(part, holds=True)
                    self._perhaps(part, holds=False)
            case Knows() | GroupKnows():
                self._known(formula, holds=holds)
            case Enforces(group) if holds and group.members and self._truth.strategies != "perfect":
                self._uniformly(formula)
            case All(path) | Exists(path) | Enforces(_, path):
                members = formula.group.members if isinstance(formula, Enforces) else ()
                surely: Certainty = "surely" if holds != isinstance(formula, Exists) else "never"
                self._paths.write(formula, path, (surely, members), holds=holds)
                self._miss_informed(formula, members, holds=holds)
            case Obliged():
                self._obliged(formula, holds=holds)
            case Constant() | Proposition() | StateCondition() | Norm():
                pass  # the checker looks at the states themselves
            case _:
                raise NoRule(show_formula(formula))

    def _perhaps(self, formula: Formula, *, holds: bool) -> None:
        """Do so, or note that there is no rule: of a connective, another part may be enough."""
        try:
            self.label(formula, holds=holds)
        except (NoRule, Unproved) as error:
            self.unproved.append(error.args[0])

    def _obliged(self, formula: Obliged, *, holds: bool) -> None:
        self.label(formula.body, holds=holds)
        if holds:
            where = self._written.write(self._states(formula).true)
            self._book.add(formula, {"where": where}, holds=True)
            return
        green = self._states(Norm(formula.agent, red=False)).true
        self._unknown(formula, self._d.both(green, self._fails(formula.body)), [()])

    def _known(self, formula: Knows | GroupKnows, *, holds: bool) -> None:
        self.label(formula.body, holds=holds)
        if holds:
            where = self._states(formula).true
            if self._truth.constraints:  # nothing is said of what does not count
                where = self._d.minus(where, self._counting.unfair)
            self._book.add(formula, {"where": self._written.write(where)}, holds=True)
            return
        if isinstance(formula, GroupKnows) and not (
            formula.group.members or formula.kind == "distributed"
        ):
            return  # each of nobody knows everything, so it fails nowhere
        self._unknown(formula, self._fails(formula.body), list(_confused(formula)))

    def _fails(self, body: Formula) -> Diagram:
        """Return where labels surely say that a formula fails."""
        return self._d.both(self._states(body).false, self._said_of(body))

    def _unknown(
        self,
        formula: Knows | GroupKnows | Obliged,
        alone: Diagram,
        confused: list[tuple[str, ...]],
    ) -> None:
        """Write down where something is not known: by itself, or as another state looks the same to some."""
        d, where, others = self._d, alone, []
        counted = self._counting.fair if self._truth.constraints else self._space.all
        left = d.minus(self._states(formula).false, alone)
        common = isinstance(formula, GroupKnows) and formula.kind == "common"
        more = left != d.false
        while more:
            # Where it takes one step after the other, those before it are answers, too.
            more, answers = False, d.both(where if common else alone, counted)
            for agents in confused:
                for each in self._reached.look_alikes(agents, left, answers):
                    others.append(self._book.data.look_alike(each))
                    where = d.either(where, each.cells)
                    left = d.minus(left, each.cells)
                    more = common and left != d.false
        if left != d.false:
            self.unproved.append(
                f"why {show_formula(formula)} fails, where what looks the same is reached later"
            )
        data = {"where": self._written.write(where)}
        self._book.add(formula, {**data, "others": others} if others else data, holds=False)

    def _said_of(self, body: Formula) -> Diagram:
        """Return where labels surely speak of a formula: where a fair path starts, if not everywhere."""
        everywhere = is_plain(body) or not self._truth.constraints
        return self._space.all if everywhere else self._counting.fair

    def _states(self, formula: Formula) -> ThreeValued:
        return self._truth.states(formula)

    def _uniformly(self, formula: Enforces) -> None:
        """Write down the strategies that members win by who go by what they see."""
        if (spelled(formula), True) in self._book.labels:
            return
        for part in state_subformulae(formula):
            self.label(part, holds=True)
        fairly, counting = bool(self._truth.constraints), self._counting
        counted = (counting.unfair, counting.justice) if fairly else (self._d.false, [])
        found = strategies_as_data(self._truth, formula, self._book.data, *counted)
        if found is None:
            raise NoRule(f"{show_formula(formula)} with uniform strategies")
        self._miss(formula, found[1], "where no strategy by cells shows it", holds=True)
        self._book.add(formula, found[0], holds=True)

    def _miss_informed(self, formula: Formula, members: tuple[str, ...], *, holds: bool) -> None:
        where = self._book.cells.get((spelled(formula), holds))
        if members and where is not None and self._truth.strategies != "perfect":
            self._miss(formula, where, "where those win who see everything", holds=holds)

    def _miss_counting(self, formula: Enforces) -> None:
        game = self._truth.game(formula, self._truth.logic)
        if formula.group.members and game is not None:
            lost = game.bound.false
            self._miss(
                formula, lost, "where those win who see everything, and can count", holds=False
            )

    def _miss(self, formula: Formula, where: Diagram, why: str, *, holds: bool) -> None:
        """Note that a label says nothing of some cells that are known."""
        found = self._states(formula)
        if self._d.minus(found.true if holds else found.false, where) != self._d.false:
            self.unproved.append(f"{show_formula(formula)}, {why}")
