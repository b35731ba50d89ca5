"""Certificates for what was decided on cells: conditions with the reasons that a solver can check.

A proof has labels for the parts of a formula that need some, the inner ones first. See
`gnomon.certificate.deductive` for what they mean.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from gnomon.certificate.core import FAIR, spelled, unrolled
from gnomon.certificate.deductive.tableau import tableau
from gnomon.certificate.plain import is_plain
from gnomon.certificate.rejection import Unproved
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.label_data import LabelData
from gnomon.checking.proofs import UNFINISHED, ProofAttempt, Proved, first_accepted
from gnomon.engines.abstraction.attractors import EVERY_PATH, SOME_PATH, GameSide
from gnomon.engines.abstraction.cell_assertions import CellAssertions
from gnomon.engines.abstraction.cell_labels import (
    CellLabel,
    LastingLabel,
    arrives_label,
    fairly_arrives_label,
    lasting_label,
    next_label,
    no_path_label,
    stays_label,
)
from gnomon.engines.abstraction.cell_space import Certainty
from gnomon.engines.abstraction.look_alikes import initial_look_alikes
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
    Finally,
    Formula,
    Globally,
    GroupKnows,
    Iff,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    Release,
    StateCondition,
    Until,
    WeakUntil,
    is_path_formula,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.errors import Abandoned

#: The kind of proof, as the checker calls it.
KIND: Final = "conditions"


class NoRule(Abandoned):
    """There is no rule by which a verdict could be proved; the message says of what."""


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


def _is_simple(path: Formula) -> bool:
    """Return whether a path formula is one operator over states."""
    match path:
        case Next(body) | Finally(body) | Globally(body):
            return not is_path_formula(body)
        case Until(left, right) | WeakUntil(left, right) | Release(left, right):
            return not (is_path_formula(left) or is_path_formula(right))
        case _:
            return False


def proved_on_cells(
    system: System,
    asked: Specification,
    entry: dict[str, Any],
    decision: CellDecision[CellDenotation],
    budget: Budget,
) -> Proved:
    """Return the entry of a verdict with a proof that the checker has accepted, or why there is none."""
    value = entry["verdict"] == "true"
    try:
        attempt, unproved = proof_on_cells(
            decision.truth, asked.formula, decision.start, value=value
        )
        accepted, why = first_accepted(system, asked, entry, [attempt], budget)
    except NoRule as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except OutOfReach as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        why = f"there is no rule yet for {unproved[0]}" if unproved else why
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def proof_on_cells(
    truth: CellDenotation, formula: Formula, start: State | None, *, value: bool
) -> tuple[ProofAttempt, list[str]]:
    """Return a proof of a verdict for the checker to look at; raises `NoRule` where there is none.

    With it comes what it has no rule for, where it may be that this is not needed.
    """
    writer = _ProofWriter(truth)
    try:
        writer.label(formula, holds=value)
        return ProofAttempt(writer.proof(start)), writer.unproved
    except Unproved as error:  # no rule of the checker's speaks of such a formula
        raise NoRule(error.args[0]) from error


class _ProofWriter:
    """Writes one proof."""

    def __init__(self, truth: CellDenotation) -> None:
        self._truth = truth
        self._algebra = truth.algebra
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._written = CellAssertions(self._space)
        self._data = LabelData(self._space, self._written)
        self._labels: dict[tuple[str, bool], dict[str, Any]] = {}
        #: What there is no rule for, though less may be enough.
        self.unproved: list[str] = []

    def proof(self, start: State | None) -> dict[str, Any]:
        """Return all of it."""
        if self._truth.constraints:  # which states count is a part of it, with labels of its own
            assert self._unfair is not None
            assert start is None or self._fair is not None
        invariant = self._written.write(self._space.reachable, self._space.all)
        return {
            "kind": KIND,
            "quantities": self._written.quantities,
            "conditions": self._written.nodes,
            "invariant": invariant,
            "labels": list(self._labels.values()),
            "state": None if start is None else list(start),
        }

    def label(self, formula: Formula, *, holds: bool) -> None:
        """Write down why a formula holds where it does, or fails where it does."""
        # Where only some states count, a path starts in each of them that counts.
        endless = self._only_some_count and not self._truth.constraints
        by_steps = unrolled(formula, endless=endless)
        if by_steps is not None:
            self.label(by_steps, holds=holds)
            return
        if endless and formula == FAIR:
            _ = self._fair if holds else self._unfair  # written down with its reason
            return
        if is_path_formula(formula):
            self._temporal(formula, formula, ("surely" if holds else "never", ()), holds=holds)
            return
        match formula:
            case All(body) | Exists(body) if not is_path_formula(body):
                self.label(body, holds=holds)
            case Not(body):
                self.label(body, holds=not holds)
            case And(operands) | Or(operands):
                for part in operands:
                    self.label(part, holds=holds)
            case Implies(left, right):
                self.label(left, holds=not holds)
                self.label(right, holds=holds)
            case Iff(left, right):
                for part in (left, right):
                    self.label(part, holds=True)
                    self.label(part, holds=False)
            case Knows(_, body) | GroupKnows(_, _, body):
                self._known(formula, body, holds=holds)
            case All(path) | Exists(path) | Enforces(_, path):
                members = formula.group.members if isinstance(formula, Enforces) else ()
                surely: Certainty = "surely" if holds != isinstance(formula, Exists) else "never"
                self._temporal(formula, path, (surely, members), holds=holds)
            case Obliged(agent, body):
                self._obliged(formula, agent, body, holds=holds)
            case Constant() | Proposition() | StateCondition() | Norm():
                pass  # the checker looks at the states themselves
            case _:
                raise NoRule(show_formula(formula))

    def _obliged(self, formula: Formula, agent: str, body: Formula, *, holds: bool) -> None:
        self.label(body, holds=holds)
        if holds:
            where = self._states(formula).true
        else:
            green = self._states(Norm(agent, red=False))
            where = self._d.both(green.true, self._states(body).false)
            if self._d.minus(self._states(formula).false, where) != self._d.false:
                raise NoRule(f"{show_formula(formula)}, where it fails in another state")
            where = self._d.both(where, self._said_of(body))
        self._add(formula, {"where": self._written.write(where)}, holds=holds)

    def _known(self, formula: Formula, body: Formula, *, holds: bool) -> None:
        self.label(body, holds=holds)
        found = self._states(formula)
        if holds:
            self._add(formula, {"where": self._written.write(found.true)}, holds=True)
            return
        if isinstance(formula, GroupKnows) and not formula.group.members:
            raise NoRule(show_formula(formula))
        alone = self._d.both(self._states(body).false, self._said_of(body))
        where, others = alone, []
        left = self._d.minus(found.false, alone)
        if left != self._d.false and not self._justice:
            for agents in _confused(formula):
                for each in initial_look_alikes(self._space, agents, left, alone):
                    others.append(self._data.look_alike(each))
                    where = self._d.either(where, each.cells)
                    left = self._d.minus(left, each.cells)
        if left != self._d.false:
            self.unproved.append(
                f"why {show_formula(formula)} fails, where what looks the same is reached later"
            )
        data = {"where": self._written.write(where)}
        self._add(formula, {**data, "others": others} if others else data, holds=False)

    def _said_of(self, body: Formula) -> Diagram:
        """Return where labels surely speak of a formula: where a fair path starts, if not everywhere."""
        everywhere = is_plain(body) or not self._truth.constraints
        return self._space.all if everywhere else self._fair

    def _states(self, formula: Formula) -> ThreeValued:
        return self._truth.states(formula)

    @cached_property
    def _unfair(self) -> Diagram:
        """Where no path starts that counts, which is written down with the reason."""
        nowhere, space = self._d.false, self._space
        if not self._only_some_count:
            return nowhere
        found = fairly_arrives_label(self._algebra, space.reachable, nowhere, self._justice)
        if found is None:
            raise NoRule("where no path starts that counts")
        self._add(FAIR, self._data.fixpoint(found), holds=False)
        return found.cells

    @cached_property
    def _fair(self) -> Diagram:
        """Where a path surely starts that counts, which is written down with the reason."""
        if not self._only_some_count:
            return self._space.reachable
        self._check_constraints()
        found = lasting_label(self._algebra, self._algebra.reachable, self._truth.constraints)
        if found is None:
            raise NoRule("where a path starts that counts")
        self._add(FAIR, self._data.lasting(found), holds=True)
        return found.staying.cells

    @property
    def _only_some_count(self) -> bool:
        return bool(self._truth.constraints) or self._truth.logic != "CTL"

    def _check_constraints(self) -> None:
        for constraint in self._space.system.fairness:
            if not is_plain(constraint.formula):
                raise NoRule(f"the constraint {constraint.text}, which is no condition on states")

    @cached_property
    def _justice(self) -> list[Diagram]:
        """Where each constraint may hold."""
        self._check_constraints()
        return [self._may(each) for each in self._truth.frame().constraints]

    def _may(self, states: ThreeValued) -> Diagram:
        return self._d.minus(self._space.reachable, states.false)

    def _add(self, formula: Formula, data: dict[str, Any], *, holds: bool) -> None:
        text = spelled(formula)
        self._labels[text, holds] = {"formula": text, "holds": holds, **data}

    def _temporal(self, formula: Formula, path: Formula, player: GameSide, *, holds: bool) -> None:
        if (spelled(formula), holds) in self._labels:
            return
        if self._truth.constraints and player[1]:
            raise NoRule(f"{show_formula(formula)} under fairness")
        if _is_simple(path) and self._truth.constraints and player == SOME_PATH:
            lasting = self._lasting(path, holds=holds)
            if lasting is not None:
                self._add(formula, self._data.lasting(lasting), holds=holds)
                return
        if _is_simple(path):
            found, nodes = self._fixpoint(path, player, holds=holds), False
        else:
            found, nodes = self._no_path(path, player, holds=holds), True
        if found is None:
            raise NoRule(show_formula(formula))
        data = self._data.fixpoint(found)
        if nodes:
            data["nodes"] = [self._written.write(each) for each in found.inside]
        self._add(formula, data, holds=holds)

    def _lasting(self, path: Formula, *, holds: bool) -> LastingLabel | None:
        """Return where a fair path stays somewhere for ever, if that is what is asked."""
        match path:
            case Globally(body) if holds:
                held = self._states(body)
            case Finally(body) if not holds:
                found = self._states(body)
                held = ThreeValued(found.false, found.true)
            case _:
                return None
        self.label(body, holds=holds)
        lasting = lasting_label(self._algebra, held, self._truth.constraints)
        if lasting is None:
            raise NoRule(f"{show_formula(path)} on a path that is fair")
        return lasting

    def _no_path(self, path: Formula, player: GameSide, *, holds: bool) -> CellLabel | None:
        """Return from where no path is as it should not be, by a tableau of what it must not be."""
        if player != EVERY_PATH:
            raise NoRule(f"{show_formula(path)} on some path")
        found = tableau(Not(path) if holds else path)
        parts = {part for node in found.nodes for part in node.now}
        for part in parts:
            self.label(part, holds=False)
        may = {part: self._may(self._states(part)) for part in parts}
        conjunction = self._space.cells.conjunction
        reachable = self._space.reachable
        nodes = tuple(
            self._d.both(reachable, conjunction(may[part] for part in node.now))
            for node in found.nodes
        )
        nothing = self._d.false
        late = [
            tuple(nothing if promise in node.late else reachable for node in found.nodes)
            for promise in found.promises
        ]
        everywhere = [(each,) * len(nodes) for each in self._justice]
        justice = [*late, *everywhere]
        return no_path_label(self._algebra, nodes, found.initial, found.following, justice)

    def _fixpoint(self, path: Formula, player: GameSide, *, holds: bool) -> CellLabel | None:
        """Return the cells of a path operator on one side, with what supports them."""
        algebra, d = self._algebra, self._d
        nothing, reachable = d.false, self._space.reachable
        # All paths need not care for states that do not count; some path has to lead to those that do.
        unfair = self._unfair if player == EVERY_PATH else nothing
        fair = self._fair if player == SOME_PATH else reachable

        def side(body: Formula) -> Diagram:
            if is_path_formula(body):
                raise NoRule(show_formula(path))
            self.label(body, holds=holds)
            found = self._truth.states(body)
            return found.true if holds else found.false

        def arrives(left: Diagram, right: Diagram) -> CellLabel | None:
            right = d.either(d.both(right, fair), unfair)
            if self._justice and player == EVERY_PATH:
                return fairly_arrives_label(algebra, left, right, self._justice)
            return arrives_label(algebra, player, left, right)

        def stays(won: Diagram, held: Diagram) -> CellLabel:
            if self._justice and player == SOME_PATH:
                raise NoRule(f"{show_formula(path)} on a path that is fair")
            won = d.both(won, fair)
            won, held = d.either(won, unfair), d.either(held, unfair)
            return stays_label(algebra, player, won, held)

        def until(left: Diagram, right: Diagram) -> CellLabel | None:
            return arrives(left, right) if holds else stays(left, right)

        def weak(held: Diagram, won: Diagram) -> CellLabel | None:
            return stays(won, held) if holds else arrives(won, held)

        match path:
            case Next(body):
                target = d.either(d.both(side(body), fair), unfair)
                return next_label(algebra, player, target)
            case Finally(body):
                return until(reachable if holds else nothing, side(body))
            case Until(left, right):
                return until(side(left), side(right))
            case Globally(body):
                return weak(side(body), nothing if holds else reachable)
            case WeakUntil(left, right):
                won = side(right)
                both = d.either if holds else d.both
                return weak(both(side(left), won), won)
            case Release(left, right):
                held = side(right)
                both = d.both if holds else d.either
                return weak(held, both(held, side(left)))
            case _:
                raise NoRule(show_formula(path))
