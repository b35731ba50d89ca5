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

from gnomon.certificate.deductive import (
    ending,
    knowing,
    moves,
    path_rules,
    proof,
    proof_labels,
    reaching,
    temporal_rules,
)
from gnomon.certificate.deductive.assertions import ALWAYS
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.certify_cells import proof_on_cells
from gnomon.checking.label_data import NoRule
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.formula import Constant, show_formula
from gnomon.model.scheduled import as_written
from gnomon.model.system import Specification, System
from tests import abstraction, duties, event_choices
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
    "fair players": abstraction.fair_play,
    "paths": abstraction.linear,
    "knowledge": abstraction.knowing,
    "hidden": abstraction.hiding,
    "hidden window": abstraction.hiding_without_bounds,
    "in step": abstraction.stepping,
    "ends": abstraction.emptied,
    "events": abstraction.by_events,
    "choices of events": event_choices.by_choices,
    "bargains": event_choices.bargaining,
    "bargain window": event_choices.bargaining_without_bounds,
    "duties": duties.obliged,
}
#: A proof may still be refused where arithmetic is beyond solvers, or where a run may end and should not.
REASONS = ("there is no rule for", "a value may leave its range", "a run may end")


#: The oracle goes through all pairs of states, or three of them.
MOST_STATES = 150


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


def asked_about(found: Cells) -> System:
    """Return the system that a question is about; where one event happens at a time, cells know another."""
    return as_written(found.partition.system)


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
        asked = Specification(formula, show_formula(formula), logic=logic)
        try:
            made, open_ = proof_on_cells(decision.truth, asked, decision.start, value=value)
        except (NoRule, OutOfReach):
            continue
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
                assert claim.check(asked_about(found), (solver,)) == solver
            except (Rejected, TooMuch) as error:
                assert str(error).startswith(REASONS), (solver, claim.asked.text)  # noqa: PT017


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        *(("paths", seed) for seed in (104, 216)),
        *(("ends", seed) for seed in (54, 59, 323, 1298)),
        ("fairness", 776),
        ("events", 731),
    ],
)
def test_proofs_are_accepted_where_runs_end(kind: str, seed: int) -> None:
    # Nobody answers a choice that cannot be completed, and no path has to get on where none starts.
    found = KINDS[kind](Random(seed))
    shown = list(claims(found))

    assert shown
    for claim in shown:
        assert claim.check(found.partition.system)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        *(("fair players", seed) for seed in (5, 26, 379, 520, 1336)),
        ("fairness", 430),
        *(("paths", seed) for seed in (30, 170, 174, 5080)),
    ],
)
def test_few_fair_states_and_paths_of_all_kinds_have_proofs(kind: str, seed: int) -> None:
    # Cells do not tell which states are fair; paths put things off; a tableau has no node at all.
    found = KINDS[kind](Random(seed))
    shown = list(claims(found))

    assert shown
    for claim in shown:
        assert claim.check(asked_about(found))


class Accepted(AssertionError):
    """A proof was accepted for a verdict that is not so."""


def try_elsewhere(kind: str, seed: int) -> Counter[str]:
    """Show proofs for systems that differ in one place; raise where one is accepted that must not be."""
    rng = Random(seed)
    found = KINDS[kind](rng)
    assert isinstance(found, States)
    seen: Counter[str] = Counter()
    others = [Oracle(similar(rng, asked_about(found))) for _ in range(3)]
    for claim in claims(found):
        for other in others:
            try:
                if len(other.reachable) > MOST_STATES:
                    continue
                truth = other.holds(claim.asked.formula, claim.asked.logic)
            except TooMany:
                continue
            try:
                claim.check(other.system)
            except (Rejected, TooMuch):
                seen["refused"] += 1
                continue
            seen["accepted"] += 1
            if truth != claim.value:
                raise Accepted(claim.asked.text)
    return seen


FINITE = [name for name in KINDS if "window" not in name and name != "races"]


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


_LASTING = temporal_rules.check_lasting


def met_by_nothing(*told: Any) -> None:
    """Do not ask whether constraints are met again and again."""
    setting, objective, mover, where, data, _ = told
    _LASTING(setting, objective, mover, where, {**data, "rounds": []}, ())


class EndlessPaths:
    """Ask no path to come to anything."""

    looked_at: frozenset[object] = frozenset()

    def __init__(self, *_: object) -> None:
        """Take whatever is said."""

    def prove(self, *_: object) -> None:
        """Ask nothing."""


def lets_nobody_off(_: object) -> Constant:
    """Let nobody win who makes all outcomes unfair, and take none of them for unfair."""
    return Constant(False)


MISTAKES: dict[str, Planted] = {
    "the invariant is not looked at": (proof._ConditionsProof, "_check_invariant", nothing),
    "nobody asks whether a move can be made": (moves.Moves, "check", nothing),
    "labels may be left": (temporal_rules, "lead_to", nothing),
    "nothing has to come to an end": (ending.Ending, "prove", nothing),
    "what is left out may stay": (ending._StagesOfMove, "leaves", nothing),
    "constraints may be met": (ending._StagesOfMove, "avoids", avoids_anything),
    "constraints are met once": (proof_labels, "check_lasting", met_by_nothing),
    "outcomes need not be fair": (proof_labels, "let_off", lets_nobody_off),
    "a path puts off what it likes": (path_rules, "Ending", EndlessPaths),
    "everybody sees everything": (knowing.Knowing, "alike", nothing),
    "anything is said to be before": (reaching._ProvedStep, "check", nothing),
    "nobody does wrong": (knowing.Knowing, "_green", lambda *_: ALWAYS),
}
#: The systems in which each mistake shows, where it does not in those with players.
WHERE = {
    "what is left out may stay": "phases",
    "nothing has to come to an end": "phases",
    "constraints may be met": "fairness",
    "constraints are met once": "fair players",
    "outcomes need not be fair": "fair players",
    "a path puts off what it likes": "paths",
    "everybody sees everything": "knowledge",
    "anything is said to be before": "hidden",
    "nobody does wrong": "duties",
}


#: Systems in which they showed, where few do: looked at first.
SHOWN_BY = {
    "everybody sees everything": 56,
    "anything is said to be before": 81,
    "constraints are met once": 26,
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_checker_is_found_out(mistake: str) -> None:
    def look() -> None:
        for seed in (SHOWN_BY.get(mistake, 0), *range(400)):
            try_elsewhere(WHERE.get(mistake, "players"), seed)

    with patch.object(*MISTAKES[mistake]), pytest.raises(Accepted):
        look()
