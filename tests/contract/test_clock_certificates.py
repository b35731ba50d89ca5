"""Proofs of uniform strategies with bounds on steps, and such proofs with a flaw."""

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import pytest

from gnomon.certificate.core import core, spelled
from gnomon.certificate.deductive import clock, uniform
from gnomon.certificate.deductive.clock import ClockObjective, StandingSides
from gnomon.certificate.rejection import Rejected
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.certify_cells import proof_on_cells
from gnomon.engines.abstraction.partition import first_partition
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.logic.denotation import Reading
from gnomon.model.formula import Enforces, walk
from gnomon.model.system import Specification, System
from tests.contract.test_condition_certificates import Claim, Planted, nothing
from tests.contract.test_uniform_certificates import (
    FLAWS,
    PUMP,
    accepts,
    act_the_other_way,
    decided,
    every_reading,
    say_nothing,
    strategies,
    system_of,
)
from tests.counting import HERE

CLOCKED = PUMP.split("Formulae", maxsplit=1)[0] + "Formulae WANTED; end Formulae"
#: What holds with these bounds, and what is not so with others.
BOUNDS = (
    ("<p>F<=5 full", "<p>F<=4 full"),
    ("<p>G<=40 fine", "<p>G<=40 kept"),
    ("<p>F[2,5] full", "<p>F[2,4] full"),
    ("<p>(Environment.level <= 4 U<=5 full)", "<p>(Environment.level <= 4 U[6,6] full)"),
    ("<p>(kept R<=3 fine)", "<p>(full R<=3 kept)"),
    ("<p>(Environment.level <= 3 W<=9 kept)", "<p>(Environment.level <= 2 W<=9 full)"),
    ("AG (kept -> <p>G<=3 kept)", "AG (fine -> <p>G<=3 kept)"),
    ("!<p>G<=2 full", "!<p>G[5,6] fine"),
    ("K(Pump, <p>F<=5 full)", "K(Pump, <p>F<=4 full)"),
    ("<p>F<=4 <p>G<=30 kept", "<p>F<=3 <p>G<=30 kept"),
)


def timed(formula: str, reading: Reading) -> tuple[System, Claim]:
    """Return the system and the proof of a formula with bounds."""
    system, asked, proof = _timed(formula, reading)
    return system, Claim(asked, True, json.loads(proof))


@cache
def _timed(formula: str, reading: Reading) -> tuple[System, Specification, str]:
    system = system_of(CLOCKED.replace("WANTED", formula))
    found = decided(system, 0, reading)
    assert found.value == "true"
    asked = system.specifications[0]
    made, open_ = proof_on_cells(found.truth, asked, None, value=True)
    assert not open_
    return system, asked, json.dumps(made.proof)


@every_reading
@pytest.mark.parametrize(("formula", "other"), BOUNDS)
def test_a_proof_goes_with_its_bounds(formula: str, other: str, reading: Reading) -> None:
    system, claim = timed(formula, reading)
    untrue = system_of(CLOCKED.replace("WANTED", other))
    labels = [{**each, "formula": again(each["formula"], untrue)} for each in claim.data["labels"]]
    forged = Claim(untrue.specifications[0], True, {**claim.data, "labels": labels})

    assert accepts(claim, system, reading)
    assert decided(untrue, 0, reading).value == "false"
    with pytest.raises(Rejected):
        accepts(forged, untrue, reading)


def again(told: str, system: System) -> str:
    """Return what a label is said to be about: the operator with bounds, wherever there is one."""
    parts = [each for each in walk(system.specifications[0].formula) if isinstance(each, Enforces)]
    return spelled(parts[0]) if "<=" in told or "[" in told else told


def steps_of(claim: Claim) -> list[list[Any]]:
    """Return the conditions of the steps, the first strategy's."""
    found: list[list[Any]] = strategies(claim)[0]["steps"]
    return found


def leave_out_a_step(claim: Claim) -> None:
    for each in steps_of(claim)[1:]:
        each[0] -= 1
    del steps_of(claim)[0]
    steps_of(claim)[0][0] = 0


def come_a_step_late(claim: Claim) -> None:
    for each in steps_of(claim)[1:]:
        each[0] += 1


def begin_late(claim: Claim) -> None:
    steps_of(claim)[0][0] = 1


def go_back(claim: Claim) -> None:
    steps_of(claim)[1:] = reversed(steps_of(claim)[1:])


def have_no_steps(claim: Claim) -> None:
    steps_of(claim).clear()


def win_everywhere(claim: Claim) -> None:
    for each in steps_of(claim):
        each[1] = True


def win_everywhere_in_the_end(claim: Claim) -> None:
    steps_of(claim)[-1][1] = True


def let_nothing_count(claim: Claim) -> None:
    stages = [{"reason": "leaves", "parts": [False]}]
    strategies(claim)[0]["unfair"] = {"where": True, "stages": stages}


def win_everywhere_in_between(claim: Claim) -> None:
    for each in steps_of(claim)[1:-1]:
        each[1] = True


CLOCK_FLAWS: list[tuple[Callable[[Claim], None], str]] = [
    *FLAWS[1:],
    (act_the_other_way, "a label is left|should not have"),
    (leave_out_a_step, "a label is left|should not have"),
    (come_a_step_late, "a label is left|not a condition for each step"),
    (begin_late, "not a condition for each step"),
    (go_back, "not a condition for each step"),
    (have_no_steps, "not a condition for each step"),
    (win_everywhere, "a state that it should not have"),
    (win_everywhere_in_the_end, "a state that it should not have"),
    (win_everywhere_in_between, "a label is left"),
    (let_nothing_count, "all outcomes count"),
]


@every_reading
@pytest.mark.parametrize(("flaw", "why"), CLOCK_FLAWS)
def test_a_proof_with_bounds_and_a_flaw_is_refused(
    flaw: Callable[[Claim], None], why: str, reading: Reading
) -> None:
    system, claim = timed("<p>F<=5 full", reading)
    flaw(claim)

    with pytest.raises(Rejected, match=why):
        accepts(claim, system, reading)


def test_what_the_protocol_forbids_is_no_strategy_with_bounds_either() -> None:
    _, claim = timed("<p>F<=5 full", "uniform")
    never = "Protocol: Environment.level <= 2 : {fill, stop}; Other : {stop}; end Protocol"
    told = CLOCKED.replace("WANTED", "<p>F<=5 full")
    lines = "Protocol: Other : {fill, stop}; end Protocol"
    first, _, second = told.rpartition(lines)
    other = system_of(first + never + second)

    assert decided(other, 0, "uniform").value == "false"
    with pytest.raises(Rejected, match="what cannot be done"):
        accepts(claim, other, "uniform")


FAIR_CLOCKED = CLOCKED.replace("Groups", "Fairness Environment.level = 3; end Fairness Groups", 1)


@every_reading
def test_a_strategy_may_make_all_outcomes_unfair_before_the_last_step(reading: Reading) -> None:
    # Whoever fills never comes back to 3, and need not be full in time.
    system = system_of(FAIR_CLOCKED.replace("WANTED", "<p>F<=1 full"))
    found = decided(system, 0, reading)
    asked = system.specifications[0]
    made, open_ = proof_on_cells(found.truth, asked, None, value=True)
    claim = Claim(asked, True, json.loads(json.dumps(made.proof)))
    assert found.value == "true"
    assert not open_

    assert "unfair" in strategies(claim)[0]
    assert accepts(claim, system, reading)
    for constraint in ("Environment.level >= 0", "Environment.level = 3 or Pump.on = true"):
        told = FAIR_CLOCKED.replace("Fairness Environment.level = 3", f"Fairness {constraint}")
        with pytest.raises(Rejected):
            accepts(claim, system_of(told.replace("WANTED", "<p>F<=1 full")), reading)
    del strategies(claim)[0]["unfair"]
    with pytest.raises(Rejected):
        accepts(claim, system, reading)


CLOCKLESS = """
Agent Environment
  Vars: s : int; end Vars
  Actions = {e};
  Protocol: Other : {e}; end Protocol
  Evolution:
    s = 1 if s = 0 and P.Action = a;
    s = 2 if s = 1 and P.Action = b;
    s = 5 if s = 0 and P.Action = b or s = 1 and P.Action = a;
  end Evolution
end Agent
Agent P
  Vars: x : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: x = x if x; end Evolution
end Agent
Evaluation p if Environment.s = 2; end Evaluation
InitStates Environment.s = 0 and P.x = true; end InitStates
Groups g = {P}; end Groups
Formulae WANTED; end Formulae
"""


@pytest.mark.parametrize("outside", ["", "AF<=0 ", "!EG<=0 !"])
def test_who_cannot_count_cannot_inside_other_bounds_either(outside: str) -> None:
    # First a, then b: whoever does not see the number does the same twice.
    system = system_of(CLOCKLESS.replace("WANTED", f"{outside}<g>F<=2 p"))
    asked = system.specifications[0]
    as_if = Specification(core(asked.formula), "<g>X inside <g>X")
    partition = first_partition(system, [(as_if.formula, HERE)])
    denote = partial(CellDenotation, strategies="uniform")
    found = AbstractionRefinement(denote, partition, [as_if.formula]).decide(as_if.formula)
    made, _ = proof_on_cells(found.truth, as_if, None, value=True)
    proof = json.loads(json.dumps(made.proof))

    assert decided(system, 0, "uniform").value == "false"
    assert accepts(Claim(as_if, True, proof), system, "uniform")
    with pytest.raises(Rejected):
        accepts(Claim(asked, True, proof), system, "uniform")


# Mistakes that are planted in the checker.


def never_early(self: ClockObjective, step: int) -> StandingSides:
    """Let something be won before the first step at which that counts."""
    return self.last if step == self.high else self.inside


every_pair = clock._alike


def the_first_only(objective: ClockObjective, told: Any) -> Any:
    """Look at the first step only."""
    return tuple(every_pair(objective, told))[:1]


#: What is planted, a formula with a proof, a flaw, and a formula that is not so.
MISTAKES: dict[str, tuple[Planted, str, Callable[[Claim], None], str]] = {
    "it is never too early": (
        (ClockObjective, "at", never_early),
        "Environment.level <> 1 or <p>F<=1 (Environment.level = 1)",
        lambda _: None,
        "Environment.level <> 1 or <p>F[1,1] (Environment.level = 1)",
    ),
    "the first step is all": (
        (clock, "_alike", the_first_only),
        "<p>F<=5 full",
        win_everywhere_in_between,
        "<p>F<=5 full",
    ),
    "what is chosen can be done": (
        (uniform.UniformMoves, "check", nothing),
        "<p>F<=5 full",
        say_nothing,
        "<p>F<=5 full",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_checker_lets_a_flaw_through(mistake: str) -> None:
    planted, formula, flaw, other = MISTAKES[mistake]
    _, claim = timed(formula, "uniform")
    flaw(claim)
    system = system_of(CLOCKED.replace("WANTED", other))
    labels = [{**each, "formula": again(each["formula"], system)} for each in claim.data["labels"]]
    forged = Claim(system.specifications[0], True, {**claim.data, "labels": labels})

    with pytest.raises(Rejected):
        accepts(forged, system, "uniform")
    with patch.object(*planted):
        assert accepts(forged, system, "uniform")
