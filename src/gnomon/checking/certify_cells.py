"""Certificates for what was decided on cells: conditions with the reasons that a solver can check.

A proof has labels for the parts of a formula that need some, the inner ones first. See
`gnomon.certificate.deductive` for what they mean.
"""

from typing import Any, Final

from gnomon.certificate.core import spelled
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.proofs import UNFINISHED, ProofAttempt, Proved, first_accepted
from gnomon.engines.abstraction.attractors import GameSide
from gnomon.engines.abstraction.cell_assertions import CellAssertions
from gnomon.engines.abstraction.cell_conduct import ConductEntry
from gnomon.engines.abstraction.cell_labels import (
    CellLabel,
    arrives_label,
    bounded_form,
    next_label,
    stays_label,
)
from gnomon.engines.abstraction.elimination import EliminationStage
from gnomon.engines.abstraction.refinement import CellDecision
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
        attempt = proof_on_cells(decision.truth, asked.formula, decision.start, value=value)
        accepted, why = first_accepted(system, asked, entry, [attempt], budget)
    except NoRule as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except OutOfReach as error:
        return Proved({**entry, "reason": f"there is no rule yet for {error}"})
    except LimitReached:
        return Proved({**entry, "reason": UNFINISHED})
    if accepted is None:
        return Proved({**entry, "reason": why})
    return Proved({**entry, "proof": accepted.proof, "reason": ""})


def proof_on_cells(
    truth: CellDenotation, formula: Formula, start: State | None, *, value: bool
) -> ProofAttempt:
    """Return a proof of a verdict for the checker to look at; raises `NoRule` where there is none."""
    writer = _ProofWriter(truth)
    writer.label(formula, holds=value)
    return ProofAttempt(writer.proof(start))


class _ProofWriter:
    """Writes one proof."""

    def __init__(self, truth: CellDenotation) -> None:
        self._truth = truth
        self._algebra = truth.algebra
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._assertions = CellAssertions(self._space)
        self._labels: dict[tuple[str, bool], dict[str, Any]] = {}

    def proof(self, start: State | None) -> dict[str, Any]:
        """Return all of it."""
        invariant = self._assertions.write(self._space.reachable, self._space.all)
        return {
            "kind": KIND,
            "quantities": self._assertions.quantities,
            "conditions": self._assertions.nodes,
            "invariant": invariant,
            "labels": list(self._labels.values()),
            "state": None if start is None else list(start),
        }

    def label(self, formula: Formula, *, holds: bool) -> None:
        """Write down why a formula holds where it does, or fails where it does."""
        match formula:
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
                self.label(body, holds=holds)
                found = self._truth.states(formula)
                looking = found.true if holds else self._truth.states(body).false
                self._add(formula, {"where": self._assertions.write(looking)}, holds=holds)
            case All(path) | Exists(path) | Enforces(_, path):
                members = formula.group.members if isinstance(formula, Enforces) else ()
                surely = holds != isinstance(formula, Exists)
                self._temporal(formula, path, ("surely" if surely else "never", members), holds)
            case Next() | Finally() | Globally() | Until() | WeakUntil() | Release():
                self._temporal(formula, formula, ("surely" if holds else "never", ()), holds)
            case Constant() | Proposition() | StateCondition() | Norm():
                pass  # the checker looks at the states themselves
            case _:
                raise NoRule(show_formula(formula))

    def _add(self, formula: Formula, data: dict[str, Any], *, holds: bool) -> None:
        text = spelled(formula)
        self._labels[text, holds] = {"formula": text, "holds": holds, **data}

    def _temporal(self, formula: Formula, path: Formula, player: GameSide, holds: bool) -> None:  # noqa: FBT001
        if (spelled(formula), holds) in self._labels:
            return
        found = self._fixpoint(path, player, holds=holds)
        if found is None:
            raise NoRule(show_formula(formula))
        data = {
            "where": self._assertions.write(found.cells),
            "moves": [self._entry(entry, found.inside) for entry in found.conduct.entries],
        }
        data["stages"] = self._stages(found)
        self._add(formula, data, holds=holds)

    def _entry(self, entry: ConductEntry, inside: Diagram) -> list[Any]:
        lines = [[agent, variable, list(places)] for agent, variable, places in entry.lines]
        return [self._assertions.write(entry.where, inside), dict(entry.actions), lines]

    def _stages(self, label: CellLabel) -> list[dict[str, Any]]:
        """Return the argument; quantities that fall in the same cells go together."""
        found: list[dict[str, Any]] = []
        (inside,) = (label.inside,)
        before: EliminationStage | None = None
        for stage in label.stages:
            (cells,) = stage.cells
            if stage.reason != "falls":
                part = self._assertions.write(cells)
                found.append({"reason": stage.reason, "part": part})
                inside = cells
            elif before is not None and before.reason == "falls" and before.cells == stage.cells:
                found[-1]["sums"].append(self._sum(stage))
            else:
                part = self._assertions.write(cells, inside)
                found.append({"reason": "falls", "part": part, "sums": [self._sum(stage)]})
            before = stage
        return found or [{"reason": "leaves", "part": False}]

    def _sum(self, stage: EliminationStage) -> list[Any]:
        assert stage.ranking is not None
        found = bounded_form(self._space.partition, stage.ranking)
        return [[list(term) for term in found.terms], found.bound]

    def _fixpoint(self, path: Formula, player: GameSide, *, holds: bool) -> CellLabel | None:
        """Return the cells of a path operator on one side, with what supports them."""
        algebra, d = self._algebra, self._d
        nothing, reachable = d.false, self._space.reachable

        def side(body: Formula) -> Diagram:
            if is_path_formula(body):
                raise NoRule(show_formula(path))
            self.label(body, holds=holds)
            found = self._truth.states(body)
            return found.true if holds else found.false

        def until(left: Diagram, right: Diagram) -> CellLabel | None:
            if holds:
                return arrives_label(algebra, player, left, right)
            return stays_label(algebra, player, left, right)

        def weak(held: Diagram, won: Diagram) -> CellLabel | None:
            if holds:
                return stays_label(algebra, player, won, held)
            return arrives_label(algebra, player, won, held)

        match path:
            case Next(body):
                return next_label(algebra, player, side(body))
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
