"""Proofs of what agents are obliged to, and of what nobody knows, written by hand: each flaw is found out.

P sees `x`, Q sees `y`, and nothing ever changes. P does wrong where x > 5.
"""

import json
from typing import Any

import pytest

from gnomon.certificate.core import spelled
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget

PROGRAM = """
Agent P
  Vars: x : int; end Vars
  RedStates: x > 5; end RedStates
  Actions = {{a}};
  Protocol: Other : {{a}}; end Protocol
  Evolution: x = x if Action = a; end Evolution
end Agent
Agent Q
  Vars: y : int; end Vars
  Actions = {{b}};
  Protocol: Other : {{b}}; end Protocol
  Evolution: y = y if Action = b; end Evolution
end Agent
InitStates {initial}; end InitStates
Groups both = {{P, Q}}; nobody = {{}}; end Groups
{fairness}
Formulae {formula}; end Formulae
"""
X, Y = {"sum": [[1, "P", "x"]]}, {"sum": [[1, "Q", "y"]]}
#: 0 to 8: x = 0, ..., x = 8; 9 to 17: y = 0, ..., y = 8; 18: x >= 0; 19: x <> 0; 20: x = 4 or x = 7.
CONDITIONS: list[Any] = [
    *([0, [[[[n, n]], True]], False] for n in range(9)),
    *([1, [[[[n, n]], True]], False] for n in range(9)),
    [0, [[[[0, None]], True]], False],
    [0, [[[[0, 0]], False]], True],
    [0, [[[[4, 4], [7, 7]], True]], False],
]
INITIAL = "P.x >= 0 and P.x <= 9 and Q.y = 0"
START = [4, 0]


def verdict(
    formula: str, *labels: dict[str, Any], value: bool = False, solver: str = "cvc5", **more: Any
) -> str:
    """Return the solver that accepts a proof; a label is about the whole formula unless it says else."""
    program = {"initial": INITIAL, "fairness": "", **more.pop("program", {})}
    system = load_text(PROGRAM.format(**program, formula=formula)).system
    assert system is not None
    [asked] = system.specifications
    told = [{"formula": spelled(asked.formula), **label} for label in labels]
    proof = {"quantities": [X, Y], "conditions": CONDITIONS, "invariant": True}
    proof |= {"labels": told, "state": None if value else START, **more}
    data = json.loads(json.dumps(proof))
    return check_conditions(system, asked, data, Budget(20), value=value, solvers=(solver,))


def other(*values: list[Any], where: Any = True, agents: Any = ()) -> dict[str, Any]:
    """Return another state: what is not told is there what it is here."""
    return {"where": where, "agents": agents, "values": list(values)}


def fails(*others: dict[str, Any], where: Any = True, **more: Any) -> dict[str, Any]:
    """Return a label of what fails since it fails in other states."""
    return {"holds": False, "where": where, "others": list(others), **more}


ITSELF = {"agent": "P", "variable": "x"}
THREE = other(["P", "x", 3], ["Q", "y", 0])


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_obligation_fails_in_another_state(solver: str) -> None:
    assert verdict("O(P, P.x <> 3)", fails(THREE), solver=solver)
    # Here and there, each where it is so.
    here = fails({**THREE, "where": 19}, where=True)
    assert verdict("O(P, P.x <> 3 and P.x <> 0)", here, solver=solver)


#: What is obliged, what is said of another state, and why it is refused.
FLAWS: dict[str, tuple[str, dict[str, Any], str]] = {
    "it is red": ("P.x <> 7", fails(other(["P", "x", 7], ["Q", "y", 0])), "not known to be reached"),
    "it is not reached": (
        "P.x <> -1",
        fails(other(["P", "x", -1], ["Q", "y", 0])),
        "not known to be reached",
    ),
    "it is reached elsewhere": (
        "P.x <> 3",
        fails(other(["P", "x", 3], ["Q", "y", 1])),
        "not known to be reached",
    ),
    "nobody says what y is": ("P.x <> 3", fails(other(["P", "x", 3])), "not known to be reached"),
    "it holds there": (
        "P.x <> 3",
        fails(other(["P", "x", 2], ["Q", "y", 0])),
        "not known to be reached",
    ),
    "it looks so to somebody": (
        "P.x <> 3",
        fails(other(["P", "x", 3], ["Q", "y", 0], agents=["Q"])),
        "another one",
    ),
    "there is none": ("P.x <> 3", fails(), "may hold"),
    "there is none for some": ("P.x <> 3", fails({**THREE, "where": 3}), "may hold"),
    "it is said of no state": ("P.x <> 3", fails({**THREE, "where": False}), "may hold"),
    "nothing is said": ("P.x <> 3", fails(THREE, where=False), "not shown to fail"),
    "nothing is said of this one": ("P.x <> 3", fails(THREE, where=3), "not shown to fail"),
    "it is red where it fails": ("P.x <> 4 and P.x <> 7", fails(where=20), "may hold"),
    "there is no such variable": ("P.x <> 3", fails(other(["P", "z", 3])), "no variable"),
    "two and a half": ("P.x <> 3", fails(other(["P", "x", 2.5])), "well formed"),
    "three as a text": ("P.x <> 3", fails(other(["P", "x", "3"])), "well formed"),
    "three as a truth value": ("P.x <> 1", fails(other(["P", "x", True])), "well formed"),
    "no number": ("P.x <> 3", fails(other(["P", "x", None])), "well formed"),
    "it is its own reason": ("P.x <> 3", fails(other(["P", "x", ITSELF])), "reached"),
}  # fmt: skip


@pytest.mark.parametrize("flaw", FLAWS)
def test_one_flaw_is_enough(flaw: str) -> None:
    body, label, why = FLAWS[flaw]

    with pytest.raises(Rejected, match=why):
        verdict(f"O(P, {body})", label)


def test_an_obligation_holds_in_all_green_states() -> None:
    for formula, whole in (("O(P, P.x <= 5)", True), ("O(P, P.x <= 4)", False)):
        if whole:
            assert verdict(formula, {"holds": True, "where": True}, value=True)
        else:
            with pytest.raises(Rejected, match="an obligation may fail"):
                verdict(formula, {"holds": True, "where": True}, value=True)
    # Q does no wrong anywhere, so that all states are green for it.
    with pytest.raises(Rejected, match="an obligation may fail"):
        verdict("O(Q, P.x <= 5)", {"holds": True, "where": True}, value=True)
    assert verdict("O(Q, P.x >= 0)", {"holds": True, "where": True}, value=True, invariant=18)
    # A label that says nothing needs no reason, and is none.
    with pytest.raises(Rejected, match="not shown of every initial state"):
        verdict("O(P, P.x <= 4)", {"holds": True, "where": False}, value=True)


def test_an_obligation_may_fail_inside_other_operators() -> None:
    duty = "O(P, (P.x <> 3))"
    inner = {"formula": duty, **fails(THREE)}
    always = {"holds": True, "where": True, "moves": []}

    assert verdict(f"AG !{duty}", always, inner, value=True)
    assert verdict(f"K(Q, !{duty})", {"holds": True, "where": True}, inner, value=True)
    assert verdict(f"!{duty}", inner, value=True)
    for outer, label in ((f"AG !{duty}", always), (f"K(Q, !{duty})", always)):
        with pytest.raises(Rejected):
            verdict(outer, label, {**inner, "others": []}, value=True)
        with pytest.raises(Rejected):
            verdict(outer, label, value=True)
    nested = "O(Q, O(P, P.x <> 3))"
    assert verdict(nested, fails(THREE), inner)
    with pytest.raises(Rejected):
        verdict(nested, fails(THREE))


# Where only some states count, a witness has to.

ZERO = {"fairness": "Fairness P.x = 0; end Fairness"}
AT_ZERO = other(["P", "x", 0], ["Q", "y", 0])
STAYS = [[True, {"P": "a", "Q": "b"}, []]]
NOTHING_LEFT = {"reason": "leaves", "parts": [False]}
ROUND = {"moves": STAYS, "stages": [NOTHING_LEFT]}
FAIR = {"formula": "EG true", "holds": True, "where": 0, "moves": STAYS, "rounds": [ROUND]}
UNFAIR: dict[str, Any] = {
    "formula": "EG true",
    "holds": False,
    "where": 19,
    "moves": [],
    "stages": [{"reason": "avoids", "parts": [False], "constraint": 0}],
}


def test_what_fails_in_a_fair_state_fails() -> None:
    told: dict[str, Any] = {"program": ZERO, "state": [0, 0]}

    for formula in ("O(P, P.x <> 0)", "O(Q, P.x <> 0)"):
        assert verdict(formula, fails(AT_ZERO), FAIR, **told)
    seen = {**AT_ZERO, "values": [["P", "x", 0]], "agents": ["Q"]}
    told = {**told, "conditions": [*CONDITIONS, [1, [[[[0, 0]], 0]], False]]}
    # Nobody knows which state it is, but it is a fair one.
    assert verdict("K(Q, P.x <> 0)", fails(seen, where=9), FAIR, **told)
    assert verdict("O(P, P.x <> 0)", fails(where=0), FAIR, **told)


@pytest.mark.parametrize(
    ("formula", "witness", "agents"),
    [("O(P, P.x <> 3)", THREE, []), ("K(Q, P.x <> 3)", other(["P", "x", 3]), ["Q"])],
)
@pytest.mark.parametrize(
    ("fair", "why"),
    [
        ([FAIR], "a fair path starts there"),
        ([], "not shown to fail"),
        ([{**FAIR, "where": False}], "not shown to fail"),
        ([{**FAIR, "where": True}], "stay where it should not"),
        ([{**FAIR, "where": True, "rounds": []}], "not a list of 1"),
    ],
)
def test_a_state_that_is_not_fair_shows_nothing(
    formula: str, witness: dict[str, Any], agents: Any, fair: Any, why: str
) -> None:
    label = fails({**witness, "agents": agents}, where=9)

    with pytest.raises(Rejected, match=why):
        verdict(formula, label, *fair, program=ZERO, state=[0, 0])


def test_what_fails_in_unfair_states_only_is_an_obligation() -> None:
    label = {"holds": True, "where": True}

    assert verdict("O(P, P.x = 0)", label, UNFAIR, value=True, program=ZERO)
    for unfair in ([], [{**UNFAIR, "where": False}], [{**UNFAIR, "stages": [NOTHING_LEFT]}]):
        with pytest.raises(Rejected):
            verdict("O(P, P.x = 0)", label, *unfair, value=True, program=ZERO)


# What nobody at all knows, and what takes more than one step.


def test_what_fails_somewhere_is_not_known_to_nobody_together() -> None:
    assert verdict("DK(nobody, P.x <> 7)", fails(other(["P", "x", 7], ["Q", "y", 0])))
    with pytest.raises(Rejected, match="reached"):
        verdict("DK(nobody, P.x <> 11)", fails(other(["P", "x", 11], ["Q", "y", 0])))
    # Each of nobody knows everything.
    for kind in ("GK", "GCK"):
        with pytest.raises(Rejected, match=r"nothing proves|another one"):
            verdict(f"{kind}(nobody, P.x <> 7)", fails(other(["P", "x", 7], ["Q", "y", 0])))
        with pytest.raises(Rejected, match="nothing proves"):
            verdict(f"{kind}(nobody, P.x <> 4)", fails(where=4))


#: Each x is initial with the same y, and with the one before.
STEPS = {"initial": "P.x >= 0 and P.x <= 3 and (Q.y = P.x or Q.y + 1 = P.x)"}
CHAIN = [
    other(["P", "x", 3], where=11, agents=["Q"]),  # y = 2, and x = 3
    other(["Q", "y", 2], where=2, agents=["P"]),
    other(["P", "x", 2], where=10, agents=["Q"]),
    other(["Q", "y", 1], where=1, agents=["P"]),
    other(["P", "x", 1], where=9, agents=["Q"]),
]


def common(chain: list[Any], *, where: Any = 9, kind: str = "GCK") -> str:
    """Return the solver that accepts that x <= 2 is not commonly known where x = y = 0, with others."""
    return verdict(
        f"{kind}(both, P.x <= 2)", fails(*chain, where=where), program=STEPS, state=[0, 0],
        conditions=[*CONDITIONS, [0, [[[[1, None]], True]], 9]],
    )  # fmt: skip


def test_common_knowledge_fails_at_the_end_of_a_chain() -> None:
    # Of all states on the way it is said, too: x >= 1, or y = 0. Where x > 2 it fails at once.
    assert common(CHAIN, where=21)


@pytest.mark.parametrize(
    ("chain", "where", "kind"),
    [
        (CHAIN[::-1], 21, "GCK"),
        (CHAIN[1:], 21, "GCK"),
        (CHAIN, 9, "GCK"),  # nothing is said of those on the way
        ([other(agents=["P"])], 21, "GCK"),  # it looks like itself
        ([*CHAIN[:4], other(["P", "x", 3], where=9, agents=["Q"])], 21, "GCK"),
        ([*CHAIN[:4], other(["P", "x", 1], where=9, agents=[])], 21, "GCK"),
        (CHAIN, 21, "GK"),  # one step it must be
        (CHAIN, 21, "DK"),
    ],
)
def test_a_chain_with_a_flaw_is_refused(chain: list[Any], where: Any, kind: str) -> None:
    with pytest.raises(Rejected):
        common(chain, where=where, kind=kind)
