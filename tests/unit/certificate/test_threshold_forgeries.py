"""Proofs about programs with parameters that show too little."""

from collections.abc import Mapping

from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget
from gnomon.model.parameterised.given import given, query_with_values
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.certificates import verified
from tests.populations import read

PAIRS = """
Parameters n; end Parameters

Template Guest [n]
  Vars: inside : boolean; end Vars
  Actions = { enter };
  Protocol: inside = false : { enter }; end Protocol
  Evolution: inside = true if Action = enter; end Evolution
end Template

Evaluation
  crowd if exists i, j : Guest (i <> j and i.inside = true and j.inside = true);
end Evaluation

InitStates Guest.inside = false; end InitStates

Formulae AG !crowd; end Formulae
"""
ONE = {"n": 1}


def invariant_for(values: dict[str, int]) -> tuple[OpenSystem, object]:
    """Return a model that is unsafe, and an invariant that shows it safe with some parameters."""
    model = read(PAIRS)
    here = given(model, values)
    query = query_with_values(model.questions[0].query, values)
    assert isinstance(query, Safety)
    found = decide_safety(CompiledPopulation(here, Budget()), query.bad, Budget())
    assert found.invariant is not None
    return model, found.invariant


def test_what_never_happens_with_some_parameters_may_with_others() -> None:
    model, invariant = invariant_for(ONE)
    question = model.questions[0]
    entry = {
        "index": 1,
        "name": None,
        "formula": question.text,
        "parsed": question.parsed,
        "logic": "CTL",
        "verdict": "true",
        "strategies": None,
        "reason": "",
        "proof": {"kind": "invariant", "invariant": invariant, "parameters": ONE},
    }
    [outcome] = verified(model, {"verdicts": [entry]}, model.questions)

    assert not outcome.accepted
    assert "some parameters" in outcome.why


LADDER = """
Parameters n; end Parameters

Template Guest [n]
  Vars: at : { low, middle, high }; end Vars
  Actions = { rise, jump, climb, wait };
  Protocol:
    at = low : { rise };
    at = low and count j : Guest (j.at <> low) >= 1 : { jump };
    at = middle and count j : Guest (j.at = high) >= 1 : { climb };
    true : { wait };
  end Protocol
  Evolution:
    at = middle if Action = rise;
    at = high if Action = jump or Action = climb;
  end Evolution
end Template

InitStates Guest.at = low; end InitStates

Formulae
  AG !(count i : Guest (i.at = high) >= 2);
  AG !(count i : Guest (i.at = high) >= 1 and n < 2);
  AF exists i : Guest (i.at = high);
end Formulae
"""


def claimed(number: int, verdict: str, proof: Mapping[str, object]) -> tuple[bool | None, str]:
    """Return whether the checker believes a verdict, and why not."""
    model = read(LADDER)
    question = model.questions[number - 1]
    entry = {
        "index": 1,
        "name": None,
        "formula": question.text,
        "parsed": question.parsed,
        "logic": "CTL",
        "verdict": verdict,
        "strategies": None,
        "reason": "",
        "proof": proof,
    }
    [outcome] = verified(model, {"verdicts": [entry]}, (question,))
    return outcome.accepted, outcome.why


def test_that_there_is_no_run_is_found_out_by_the_checker() -> None:
    assert claimed(2, "true", {"kind": "thresholds"})[0]
    for number in (1, 3):
        accepted, why = claimed(number, "true", {"kind": "thresholds"})
        assert not accepted
        assert "numbers that may be those of a run" in why
    assert not claimed(2, "false", {"kind": "thresholds"})[0]


def test_a_run_is_one_with_its_parameters_only() -> None:
    run = {
        "facts": [],
        "start": [[], [["low"], ["low"]]],
        "events": [[None, ["rise", None]], [None, [None, "jump"]], [None, ["climb", None]]],
    }
    proof = {"kind": "population-run", "members": ["Guest", "Guest"], "agent": None, "runs": [run]}

    assert claimed(1, "false", {**proof, "parameters": {"n": 2}})[0]
    assert not claimed(1, "false", {**proof, "parameters": {"n": 3}})[0]
    assert not claimed(1, "false", {**proof, "parameters": {"m": 2}})[0]
    assert not claimed(1, "false", {**proof, "parameters": {"n": -2}})[0]
    assert not claimed(1, "false", proof)[0]
    early = {**run, "events": [[None, ["rise", "jump"]], [None, ["climb", None]]]}
    assert not claimed(1, "false", {**proof, "runs": [early], "parameters": {"n": 2}})[0]
