"""Proofs of uniform strategies are accepted, and none for a verdict that is not so."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.deductive import knowing, uniform
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.certify_cells import proof_on_cells
from gnomon.checking.label_data import NoRule
from gnomon.checking.load import load_text
from gnomon.engines.abstraction.partition import first_partition
from gnomon.engines.abstraction.refinement import AbstractionRefinement, CellDecision
from gnomon.logic.denotation import Reading
from gnomon.model.budget import Budget, OutOfReach
from gnomon.model.expression import Read
from gnomon.model.formula import show_formula
from gnomon.model.scheduled import as_written
from gnomon.model.system import Specification, System
from tests.contract.test_condition_certificates import (
    REASONS,
    Accepted,
    Claim,
    Planted,
    nothing,
)
from tests.counting import HERE
from tests.event_choices import bargaining
from tests.oracle import Oracle, TooMany
from tests.similar import similar
from tests.systems import examples, seeds
from tests.uniform import Groping, by_the_clock, counting_blindly, groping, groping_fairly, read_as


def by_events(rng: Random) -> Groping:
    """Return what two agents can do where one event happens at a time."""
    found = bargaining(rng)
    return Groping(found.partition, found.formulae)


KINDS: dict[str, Callable[[Random], Groping]] = {
    "games": groping,
    "fair games": groping_fairly,
    "numbers": counting_blindly,
    "events": by_events,
    "clocks": by_the_clock,
}
READINGS: tuple[Reading, ...] = ("uniform", "uniform-subjective")
#: Where somebody cannot count steps, what is inside another operator fails in more states than is shown.
BOUNDED = ("there is no answer to a choice",)
every_kind = pytest.mark.parametrize("kind", KINDS)
every_reading = pytest.mark.parametrize("reading", READINGS)


def claims(found: Groping) -> Iterator[Claim]:
    """Yield the verdicts that cells give and that there are rules for."""
    system = found.partition.system
    denote = partial(CellDenotation, strategies=found.reading, fairness=system.fairness)
    decider = AbstractionRefinement(denote, found.partition, found.formulae, most_rounds=2)
    for formula in found.formulae:
        decision = decider.decide(formula)
        value, asked = decision.value == "true", Specification(formula, show_formula(formula))
        try:
            made, open_ = proof_on_cells(decision.truth, asked, decision.start, value=value)
        except (NoRule, OutOfReach):
            continue
        if decision.value != "undefined" and not open_:
            yield Claim(asked, value, json.loads(json.dumps(made.proof)))


def accepts(
    claim: Claim, system: System, reading: Reading, solvers: tuple[str, ...] = SOLVERS
) -> str:
    """Return the solver that accepts a proof; raise where there is a mistake in it."""
    budget = Budget(60)
    return check_conditions(
        system,
        claim.asked,
        claim.data,
        budget,
        value=claim.value,
        reading=reading,
        solvers=solvers,
    )


@every_kind
@every_reading
@given(seed=seeds)
@examples(6)
def test_every_proof_is_accepted_by_either_solver(reading: Reading, kind: str, seed: int) -> None:
    found = read_as(reading, KINDS[kind](Random(seed)))
    for claim in claims(found):
        for solver in SOLVERS:
            try:
                system = as_written(found.partition.system)
                assert accepts(claim, system, reading, (solver,)) == solver
            except (Rejected, TooMuch) as error:
                assert str(error).startswith((*REASONS, *BOUNDED)), (solver, claim.asked.text)  # noqa: PT017


def try_elsewhere(kind: str, reading: Reading, seed: int) -> Counter[str]:
    """Show proofs for systems that differ in one place; raise where one is accepted that must not be."""
    rng = Random(seed)
    found = read_as(reading, KINDS[kind](rng))
    seen: Counter[str] = Counter()
    others = [similar(rng, as_written(found.partition.system)) for _ in range(3)]
    for claim in claims(found):
        for other in others:
            try:
                truth = Oracle(other, reading).holds(claim.asked.formula)
            except TooMany:
                continue
            try:
                accepts(claim, other, reading)
            except (Rejected, TooMuch):
                seen["refused"] += 1
                continue
            seen["accepted"] += 1
            if truth != claim.value:
                raise Accepted(claim.asked.text)
    return seen


@every_kind
@every_reading
@given(seed=seeds)
@examples(6)
def test_no_proof_is_accepted_for_a_verdict_that_is_not_so(
    reading: Reading, kind: str, seed: int
) -> None:
    try_elsewhere(kind, reading, seed)


# By hand: one flaw at a time.

PUMP = """
Agent Environment
  Vars: level : int; lid : boolean; end Vars
  Actions = {leak, hold};
  Protocol: Other : {leak, hold}; end Protocol
  Evolution:
    level = level + 2 if Pump.Action = fill and Action = hold;
    level = level + 1 if Pump.Action = fill and Action = leak;
    level = level - 1 if level > 0 and Pump.Action = stop and Action = leak;
  end Evolution
end Agent
Agent Pump
  Lobsvars = {level};
  Vars: on : boolean; end Vars
  Actions = {fill, stop};
  Protocol: Other : {fill, stop}; end Protocol
  Evolution: on = true if Action = fill; end Evolution
end Agent
Evaluation
  full if Environment.level >= 5;
  kept if Environment.level >= 4 and Environment.level <= 9;
  fine if Environment.level >= 0 and Environment.level <= 9;
end Evaluation
InitStates Environment.level >= 0 and Environment.level <= 3 and Pump.on = false; end InitStates
Groups p = {Pump}; end Groups
Formulae <p>F full; <p>G fine; Environment.level <= 2 or <p>X (Environment.level >= 4);
  <p>F <p>G kept; end Formulae
"""


def system_of(text: str) -> System:
    """Return the system of a program."""
    found = load_text(text).system
    assert found is not None
    return found


def decided(system: System, number: int, reading: Reading) -> CellDecision[CellDenotation]:
    """Return the verdict on one of its formulae."""
    formula = system.specifications[number].formula
    partition = first_partition(system, [(formula, HERE)])
    denote = partial(CellDenotation, strategies=reading, fairness=system.fairness)
    return AbstractionRefinement(denote, partition, [formula]).decide(formula)


def pumped(number: int, reading: Reading) -> tuple[System, Claim]:
    """Return the system and the proof of one of its formulae."""
    system = system_of(PUMP)
    truth = decided(system, number, reading)
    assert truth.value == "true"
    asked = system.specifications[number]
    made, open_ = proof_on_cells(truth.truth, asked, None, value=True)
    assert not open_
    return system, Claim(asked, True, json.loads(json.dumps(made.proof)))


def strategies(claim: Claim) -> list[Any]:
    """Return what a proof says of strategies."""
    found: list[Any] = claim.data["labels"][-1]["strategies"]
    return found


@pytest.mark.parametrize(
    ("formula", "open_"),
    [("fine or <p>F<=9 full", True), ("fine <-> GCK(none, full)", False)],
)
def test_a_part_without_a_rule_is_no_matter_where_others_are_enough(
    formula: str, open_: bool
) -> None:
    text = PUMP.replace("Formulae <p>F full;", f"Formulae {formula};")
    system = system_of(text.replace("Groups p", "Groups none = {}; p"))
    asked = system.specifications[0]
    made, unproved = proof_on_cells(decided(system, 0, "uniform").truth, asked, None, value=True)

    assert bool(unproved) == open_
    assert accepts(Claim(asked, True, json.loads(json.dumps(made.proof))), system, "uniform")


def act_the_other_way(claim: Claim) -> None:
    for row in strategies(claim)[0]["views"]["Pump"]:
        row[1] = {"fill": "stop", "stop": "fill"}[row[1]]


def go_by_what_is_hidden(claim: Claim) -> None:
    claim.data["quantities"].append({"variable": ["Environment", "lid"]})
    claim.data["conditions"].append([len(claim.data["quantities"]) - 1, [[[True], True]], False])
    rows = strategies(claim)[0]["views"]["Pump"]
    rows.insert(0, [len(claim.data["conditions"]) - 1, rows[0][1]])


def do_something_else(claim: Claim) -> None:
    strategies(claim)[0]["views"]["Pump"][0][1] = "leak"


def say_nothing(claim: Claim) -> None:
    strategies(claim)[0]["views"]["Pump"] = []


def leave_a_member_out(claim: Claim) -> None:
    strategies(claim)[0]["views"] = {}


def have_none(claim: Claim) -> None:
    strategies(claim).clear()


FLAWS: list[tuple[Callable[[Claim], None], str]] = [
    (act_the_other_way, "a label is left"),
    (go_by_what_is_hidden, "Pump goes by what it does not see"),
    (do_something_else, "there is no such action"),
    (say_nothing, "a strategy says nothing about a state"),
    (leave_a_member_out, "not a strategy for each member"),
    (have_none, "no strategy wins from a state"),
]


@every_reading
@pytest.mark.parametrize("number", [0, 1])
def test_a_proof_by_thresholds_is_accepted(number: int, reading: Reading) -> None:
    system, claim = pumped(number, reading)

    assert accepts(claim, system, reading)


@every_reading
@pytest.mark.parametrize(("flaw", "why"), FLAWS)
def test_a_proof_with_a_flaw_is_refused(
    flaw: Callable[[Claim], None], why: str, reading: Reading
) -> None:
    system, claim = pumped(1, reading)
    flaw(claim)

    with pytest.raises(Rejected, match=why):
        accepts(claim, system, reading)


def test_a_proof_for_those_who_need_not_know_is_none_for_those_who_have_to() -> None:
    system, claim = pumped(0, "uniform")

    with pytest.raises(Rejected, match="known"):
        accepts(claim, system, "uniform-subjective")


def test_what_is_known_is_checked() -> None:
    system, claim = pumped(2, "uniform-subjective")
    blind = system_of(PUMP.replace("Lobsvars = {level};", ""))

    assert accepts(claim, system, "uniform-subjective")
    with pytest.raises(Rejected, match="looks the same"):
        accepts(claim, blind, "uniform-subjective")


# Mistakes that are planted in the checker, where members see less than those the proof is about.


def all_variables(system: System, _agents: object) -> frozenset[Read]:
    """Let everybody see everything."""
    return frozenset(Read(each.agent, each.name) for each in system.variables)


#: What is planted, and of which formula a proof is accepted then for those who do not see the level.
MISTAKES: dict[str, tuple[Planted, int, Reading]] = {
    "members see everything": ((uniform, "seen_by", all_variables), 3, "uniform"),
    "members need not know": ((knowing.Knowing, "alike", nothing), 2, "uniform-subjective"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_checker_is_found_out(mistake: str) -> None:
    planted, number, reading = MISTAKES[mistake]
    _, claim = pumped(number, reading)
    blind = system_of(PUMP.replace("Lobsvars = {level};", ""))

    assert decided(blind, number, reading).value == "false"
    with pytest.raises(Rejected):
        accepts(claim, blind, reading)
    with patch.object(*planted):
        assert accepts(claim, blind, reading)


def test_it_is_found_out_if_nobody_asks_who_can_do_it() -> None:
    # A proof that was accepted for a system in which a protocol is another one.
    with patch.object(uniform.UniformMoves, "check", nothing), pytest.raises(Accepted):
        try_elsewhere("numbers", "uniform", 63)
