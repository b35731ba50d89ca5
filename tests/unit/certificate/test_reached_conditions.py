"""Proofs that states are reached, written by hand: what is accepted, and what must not be."""

import json
from copy import deepcopy
from typing import Any

import pytest

from gnomon.certificate.core import spelled
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.formula import All, Globally, Not

#: P counts, unless it waits, and nobody else sees it.
PROGRAM = """
Agent P
  Vars: x : int; y : {range}; end Vars
  Actions = {{count, wait}};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Q
  Vars: idle : boolean; end Vars
  Actions = {{look}};
  Protocol: Other : {{look}}; end Protocol
  Evolution: idle = idle if Action = look; end Evolution
end Agent
InitStates {initial}; end InitStates
{fairness}
Formulae AG !K(Q, P.x < 7); end Formulae
"""
TOLD = {
    "range": "0..3",
    "protocol": "Other : {count, wait};",
    "evolution": "x = x + 1 if Action = count;",
    "initial": "P.x = 0 and P.y = 0",
    "fairness": "",
}
X, Y = {"sum": [[1, "P", "x"]]}, {"sum": [[1, "P", "y"]]}
#: x >= 1, x >= 0, x >= 0 and y = 0, x = 0.
CONDITIONS = [
    [0, [[[[1, None]], True]], False],
    [0, [[[[0, None]], True]], False],
    [1, [[[[0, 0]], 1]], False],
    [0, [[[[0, 0]], True]], False],
]
ONE_LESS = ["+", {"agent": "P", "variable": "x"}, -1]
LINES = [["P", "", [0]], ["Q", "", [0]]]
COUNTED = {
    "step": [True, {"P": "count", "Q": "look"}, LINES],
    "earlier": True,
    "values": [["P", "x", ONE_LESS]],
}
FALLS = {"reason": "falls", "parts": [True], "sums": [[X["sum"], 1]]}
NOTHING_LEFT = {"reason": "leaves", "parts": [False]}
REACHED = {"where": 2, "steps": [COUNTED], "stages": [FALLS, NOTHING_LEFT]}
SEVEN: dict[str, Any] = {"where": True, "agents": ["Q"], "values": [["P", "x", 7], ["P", "y", 0]]}


def verdict(
    reached: dict[str, Any] | None,
    other: dict[str, Any] = SEVEN,
    solver: str = "cvc5",
    **program: Any,
) -> str:
    """Return the solver that accepts a proof."""
    loaded = load_text(PROGRAM.format(**{**TOLD, **program}))
    assert loaded.system is not None, loaded.diagnostics
    [asked] = loaded.system.specifications
    always = asked.formula
    assert isinstance(always, All)
    assert isinstance(always.path, Globally)
    assert isinstance(always.path.body, Not)
    labels = [
        {"formula": spelled(always), "holds": True, "where": True, "moves": []},
        {
            "formula": spelled(always.path.body.body),
            "holds": False,
            "where": True,
            "others": [other],
        },
    ]
    proof: dict[str, Any] = {
        "quantities": [X, Y],
        "conditions": CONDITIONS,
        "invariant": True,
        "state": None,
    }
    data = deepcopy(
        {**proof, "labels": labels, **({} if reached is None else {"reached": reached})}
    )
    told = json.loads(json.dumps(data))
    return check_conditions(loaded.system, asked, told, Budget(20), value=True, solvers=(solver,))


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_is_reached_later_is_not_known_to_be_elsewhere(solver: str) -> None:
    assert verdict(REACHED, solver=solver) == solver


def with_step(**changes: Any) -> dict[str, Any]:
    """Return the proof with something else said of the step back."""
    return {**REACHED, "steps": [{**COUNTED, **changes}]}


def doing(where: Any = True, p: str = "count", lines: Any = LINES) -> dict[str, Any]:
    """Return the proof with another step."""
    return with_step(step=[where, {"P": p, "Q": "look"}, lines])


def ending(*stages: dict[str, Any]) -> dict[str, Any]:
    """Return the proof with another argument."""
    return {**REACHED, "stages": list(stages)}


def falling(bound: int, weight: int = 1) -> dict[str, Any]:
    return {**FALLS, "sums": [[[[weight, "P", "x"]], bound]]}


#: What is said, and why it is refused.
FLAWS: dict[str, tuple[dict[str, Any] | None, str]] = {
    "nothing is said to be reached": (None, "not known to be reached"),
    "none are reached": ({**REACHED, "where": False, "steps": []}, "not known to be reached"),
    "too many are reached": ({**REACHED, "where": True}, "comes from one that is not|a run may"),
    "there is none before": ({**REACHED, "steps": []}, "has none before it"),
    "none for some": (doing(where=3), "has none before it"),
    "none where it was something else": (with_step(earlier=3), "has none before it"),
    "it stays": (with_step(values=[]), "another state than it should"),
    "another one is before": (
        with_step(values=[["P", "x", ["+", ONE_LESS, -1]]]),
        "another state than it should",
    ),
    "something else changes, too": (
        with_step(values=[["P", "x", ONE_LESS], ["P", "y", 1]]),
        "another state than it should",
    ),
    "what was before is no value": (
        with_step(values=[["P", "x", ONE_LESS], ["P", "y", -1]]),
        "no state",
    ),
    "another action": (doing(p="wait"), "cannot be taken"),
    "no line": (doing(lines=[["P", "", []], LINES[1]]), "cannot be taken"),
    "nothing said of a line": (doing(lines=LINES[:1]), "which lines are taken"),
    "no such line": (doing(lines=[["P", "", [1]], LINES[1]]), "no such line"),
    "somebody does nothing": (
        with_step(step=[True, {"P": "count"}, LINES]),
        "not everybody who moves",
    ),
    "it never ends": (ending(NOTHING_LEFT), "a run may stay"),
    "nothing falls": (ending(falling(1, -1), NOTHING_LEFT), "may grow|a run may stay"),
    "it falls without a bound": (ending(falling(5), NOTHING_LEFT), "a run may stay"),
    "something is left": (ending(FALLS), "something is left"),
    "a constraint is not met": (
        ending({"reason": "avoids", "parts": [False], "constraint": 0}),
        "no such constraint",
    ),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_one_flaw_is_enough(flaw: str) -> None:
    reached, why = FLAWS[flaw]
    with pytest.raises(Rejected, match=why):
        verdict(reached)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ({"evolution": "x = x + 1 if Action = count and x < 5;"}, "cannot be taken"),
        ({"evolution": "x = x + 2 if Action = count;"}, "another state"),
        ({"evolution": "x = x + 1 and y = 1 if Action = count;"}, "another state"),
        # Rounded down it would be x + 1, but it is a half more, which is no value of x.
        ({"evolution": "x = (2 * x + 3) / 2 if Action = count;"}, "has no result"),
        ({"protocol": "P.x < 5 : {count, wait}; Other : {wait};"}, "cannot be taken"),
        ({"initial": "P.x = 1 and P.y = 0"}, "comes from one that is not|has none before it"),
        ({"fairness": "Fairness P.x = 0; end Fairness"}, "a fair path starts"),
        # It may be the other line that is taken, but it need not.
        ({"evolution": "x = x + 1 if Action = count; x = x if Action = count;"}, ""),
    ],
)
def test_of_another_program_it_need_not_be_so(program: dict[str, Any], why: str) -> None:
    if why:
        with pytest.raises(Rejected, match=why):
            verdict(REACHED, **program)
    else:
        assert verdict(REACHED, **program)


def test_what_looks_different_is_confused_with_nothing() -> None:
    with pytest.raises(Rejected, match="looks different"):
        verdict(REACHED, {**SEVEN, "values": [*SEVEN["values"], ["Q", "idle", True]]})
