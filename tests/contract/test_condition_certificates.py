"""Every proof by conditions is accepted, by either solver, and none for a verdict that is not so.

That none is accepted is tried with proofs about systems that differ in one place. Mistakes that the checker
might make are planted in it, and have to be found out by that.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.deductive import ending, knowing, moves, proof, temporal_rules
from gnomon.certificate.deductive.assertions import ALWAYS
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.certify_cells import NoRule, proof_on_cells
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.formula import show_formula
from gnomon.model.system import Specification, System
from tests import abstraction
from tests.abstraction import Cells, States
from tests.oracle import Oracle, TooMany
from tests.similar import similar
from tests.systems import examples, seeds

#: Systems with formulae, by what is special about them.
KINDS: dict[str, Callable[[Random], Cells]] = {
    "states": abstraction.finite,
    "window": abstraction.unbounded,
    "players": abstraction.playing,
    "races": abstraction.racing,
    "phases": abstraction.waning,
    "fairness": abstraction.fair,
    "paths": abstraction.linear,
    "knowledge": abstraction.knowing,
    "in step": abstraction.stepping,
    "ends": abstraction.emptied,
}
#: A proof may still be refused where arithmetic is beyond solvers, or where a run may end and should not.
REASONS = ("there is no rule for", "a value may leave its range", "a run may end")


class Claim(NamedTuple):
    """A verdict with its proof, as it comes out of a file."""

    asked: Specification
    value: bool
    data: Any

    def check(self, system: System, solvers: tuple[str, ...] = SOLVERS) -> str:
        """Return the solver that accepts it for a system."""
        return check_conditions(
            system, self.asked, self.data, Budget(60), value=self.value, solvers=solvers
        )


def claims(found: Cells) -> Iterator[Claim]:
    """Yield the verdicts that cells give and that there are rules for."""
    system, logic = found.partition.system, found.logic
    decider = AbstractionRefinement(
        partial(CellDenotation, fairness=system.fairness, logic=logic),
        found.partition,
        found.formulae,
        most_rounds=3,
    )
    for formula in found.formulae:
        decision = decider.decide(formula)
        if decision.value == "undefined":
            continue
        value = decision.value == "true"
        try:
            made, open_ = proof_on_cells(decision.truth, formula, decision.start, value=value)
        except (NoRule, OutOfReach):
            continue
        asked = Specification(formula, show_formula(formula), logic=logic)
        if not open_:
            yield Claim(asked, value, json.loads(json.dumps(made.proof)))


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(15)
def test_every_proof_is_accepted_by_either_solver(kind: str, seed: int) -> None:
    found = KINDS[kind](Random(seed))
    for claim in claims(found):
        for solver in SOLVERS:
            try:
                assert claim.check(found.partition.system, (solver,)) == solver
            except (Rejected, TooMuch) as error:
                assert str(error).startswith(REASONS), (solver, claim.asked.text)  # noqa: PT017


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        *(("paths", seed) for seed in (104, 216)),
        *(("ends", seed) for seed in (54, 59, 323, 1298)),
        ("fairness", 776),
    ],
)
def test_proofs_are_accepted_where_runs_end(kind: str, seed: int) -> None:
    # Nobody answers a choice that cannot be completed, and no path has to get on where none starts.
    found = KINDS[kind](Random(seed))
    shown = list(claims(found))

    assert shown
    for claim in shown:
        assert claim.check(found.partition.system)


class Accepted(AssertionError):
    """A proof was accepted for a verdict that is not so."""


def try_elsewhere(kind: str, seed: int) -> Counter[str]:
    """Show proofs for systems that differ in one place; raise where one is accepted that must not be."""
    rng = Random(seed)
    found = KINDS[kind](rng)
    assert isinstance(found, States)
    seen: Counter[str] = Counter()
    others = [similar(rng, found.partition.system) for _ in range(3)]
    for claim in claims(found):
        for other in others:
            try:
                truth = Oracle(other).holds(claim.asked.formula, claim.asked.logic)
            except TooMany:
                continue
            try:
                claim.check(other)
            except (Rejected, TooMuch):
                seen["refused"] += 1
                continue
            seen["accepted"] += 1
            if truth != claim.value:
                raise Accepted(claim.asked.text)
    return seen


FINITE = [name for name in KINDS if name not in {"window", "races"}]


@pytest.mark.parametrize("kind", FINITE)
@given(seed=seeds)
@examples(15)
def test_no_proof_is_accepted_for_a_verdict_that_is_not_so(kind: str, seed: int) -> None:
    try_elsewhere(kind, seed)


def test_proofs_of_other_systems_are_accepted_and_refused() -> None:
    seen: Counter[str] = Counter()
    for seed in range(20):
        seen += try_elsewhere("states", seed)

    assert seen["accepted"] > 10
    assert seen["refused"] > 10


# Mistakes that are planted in the checker. Those about quantities show in proofs that are written by hand.


#: Where a mistake is planted, under which name, and what stands there instead.
Planted: TypeAlias = tuple[Any, str, Any]


def nothing(*_: object, **__: object) -> None:
    """Check nothing."""


_AVOIDS = ending._StagesOfMove.avoids


def avoids_anything(self: Any, stage: Any, _fails: Any) -> None:
    """Do not ask whether a constraint is met."""
    _AVOIDS(self, stage, (ALWAYS,) * len(self.inside))


MISTAKES: dict[str, Planted] = {
    "the invariant is not looked at": (proof._ConditionsProof, "_check_invariant", nothing),
    "nobody asks whether a move can be made": (moves.Moves, "check", nothing),
    "labels may be left": (temporal_rules, "_lead_to", nothing),
    "nothing has to come to an end": (ending.Ending, "prove", nothing),
    "what is left out may stay": (ending._StagesOfMove, "leaves", nothing),
    "constraints may be met": (ending._StagesOfMove, "avoids", avoids_anything),
    "everybody sees everything": (knowing.Knowing, "_alike", nothing),
}
#: The systems in which each mistake shows, where it does not in those with players.
WHERE = {
    "what is left out may stay": "phases",
    "nothing has to come to an end": "phases",
    "constraints may be met": "fairness",
    "everybody sees everything": "knowledge",
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_checker_is_found_out(mistake: str) -> None:
    def look() -> None:
        for seed in range(400):
            try_elsewhere(WHERE.get(mistake, "players"), seed)

    with patch.object(*MISTAKES[mistake]), pytest.raises(Accepted):
        look()
