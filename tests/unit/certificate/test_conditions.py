"""Proofs by conditions that somebody wrote by hand: what is accepted, and what must not be."""

import json
from copy import deepcopy
from typing import Any

import pytest

from gnomon.certificate.core import spelled
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.system import Specification, System

#: One agent with two numbers; `{evolution}` says what becomes of them.
PROGRAM = """
Agent P
  Vars: x : int; y : int; end Vars
  Actions = {{a, b}};
  Protocol: P.x > 0 : {{a, b}}; Other : {{a}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Q
  Vars: c : {{on, off}}; end Vars
  Actions = {{s, t}};
  Protocol: Other : {{s, t}}; end Protocol
  Evolution: c = on if Action = s; end Evolution
end Agent
InitStates P.x = 3 and P.y = 2 and Q.c = off; end InitStates
Groups p = {{P}}; end Groups
Formulae {formula}; end Formulae
"""
X = {"sum": [[1, "P", "x"]]}
#: x <= 0, x >= 1.
CONDITIONS = [[0, [[[[None, 0]], True]], False], [0, [[[[1, None]], True]], False]]


def asked(formula: str, evolution: str) -> tuple[System, Specification]:
    loaded = load_text(PROGRAM.format(formula=formula, evolution=evolution))
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system, loaded.system.specifications[0]


def proof(*labels: dict[str, Any], **more: Any) -> dict[str, Any]:
    whole = {"kind": "conditions", "quantities": [X], "conditions": CONDITIONS, "invariant": True}
    return deepcopy({**whole, "labels": list(labels), "state": None, **more})


def falls(bound: int = 1, part: Any = True) -> dict[str, Any]:
    """Say that x falls where it is at least so large."""
    return {"reason": "falls", "parts": [part], "sums": [[X["sum"], bound]]}


NOTHING_LEFT = {"reason": "leaves", "parts": [False]}


def comes(*stages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Say that x <= 0 comes about everywhere."""
    label: dict[str, Any] = {"formula": None, "holds": True, "where": True, "moves": []}
    return {**label, "stages": list(stages), **more}


def verdict(formula: str, evolution: str, data: dict[str, Any], *, value: bool = True) -> str:
    system, specification = asked(formula, evolution)
    found = json.loads(json.dumps(data))
    for label in found["labels"]:
        label["formula"] = label["formula"] or spelled(specification.formula)
    return check_conditions(system, specification, found, Budget(20), value=value)


FALLING = "x = x - 1 if P.x > 0 or P.x <= 0;"


def test_what_falls_from_a_bound_comes_to_an_end() -> None:
    assert verdict("AF P.x <= 0", FALLING, proof(comes(falls(), NOTHING_LEFT)))


@pytest.mark.parametrize(
    ("evolution", "label", "why"),
    [
        # It falls, and it falls for ever.
        (FALLING, comes(NOTHING_LEFT), "may stay"),
        (FALLING, comes(falls(bound=3), NOTHING_LEFT), "may stay"),
        # It need not fall.
        ("x = x - 1 if Action = a;", comes(falls(), NOTHING_LEFT), "may stay"),
        ("x = x - 1 if Q.Action = s;", comes(falls(), NOTHING_LEFT), "may stay"),
        # It may grow.
        ("x = x - 1 if Action = a; x = x + 1 if Action = b;", comes(falls(), NOTHING_LEFT), "grow"),
        ("x = P.y if P.x = 1; x = x - 1 if P.x <> 1;", comes(falls(), NOTHING_LEFT), "grow"),
        # Nothing is said of what is left.
        (FALLING, comes(falls()), "something is left"),
        (FALLING, comes(), "something is left"),
        (FALLING, comes(NOTHING_LEFT, {"reason": "leaves", "parts": [True]}), "something is left"),
        # Where it does not grow is left, and come back to.
        (
            "x = x - 1 if P.x = 2; x = 2 if P.x <> 2;",
            comes(falls(bound=1, part=2), {"reason": "leaves", "parts": [3]}, NOTHING_LEFT),
            "a part of an argument may be left",
        ),
        # There is no fairness.
        (FALLING, comes({"reason": "avoids", "parts": [False], "constraint": 0}), "no such constraint"),
    ],
)  # fmt: skip
def test_an_argument_that_does_not_hold_is_refused(
    evolution: str, label: dict[str, Any], why: str
) -> None:
    more = [*CONDITIONS, [0, [[[[2, 2]], True]], False], [0, [[[[2, 2]], False]], True]]

    with pytest.raises(Rejected, match=why):
        verdict("AF P.x <= 0", evolution, proof(label, conditions=more))


ALWAYS_LEAST: dict[str, Any] = {"formula": None, "holds": True, "where": True, "moves": []}


@pytest.mark.parametrize(
    ("evolution", "invariant", "where", "accepted"),
    [
        ("x = x + 1 if Action = a;", 2, True, True),
        ("x = x + 1 if Action = a;", True, 2, True),
        ("x = x + 1 if Action = a;", True, True, False),
        ("x = x - 1 if Action = a;", 2, True, False),
        ("x = x - 1 if Action = a;", True, 2, False),
        # The guard keeps it above.
        ("x = x - 1 if Action = b;", 2, True, True),
        ("x = x - 2 if Action = b;", 2, True, False),
        # It holds after every step, but not at first.
        ("x = 9 if Action = a or Action = b;", 3, True, False),
    ],
)
def test_an_invariant_holds_at_first_and_after_every_step(
    evolution: str, invariant: Any, where: Any, *, accepted: bool
) -> None:
    more = [*CONDITIONS, [0, [[[[0, None]], True]], False], [0, [[[[9, None]], True]], False]]
    data = proof({**ALWAYS_LEAST, "where": where}, conditions=more, invariant=invariant)

    if accepted:
        assert verdict("AG P.x >= 0", evolution, data)
    else:
        with pytest.raises(Rejected):
            verdict("AG P.x >= 0", evolution, data)


def enforced(where: Any, *moves: list[Any]) -> dict[str, Any]:
    """Say that P can keep x above zero."""
    return {"formula": None, "holds": True, "where": where, "moves": list(moves)}


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ([[True, {"P": "a"}, []]], ""),
        ([[1, {"P": "a"}, []]], ""),
        ([[True, {"P": "b"}, []]], "a label is left"),
        ([[0, {"P": "a"}, []]], "says nothing about a state"),
        ([], "says nothing about a state"),
        ([[True, {"P": "c"}, []]], "no such action"),
        ([[True, {"Q": "s"}, []]], "not everybody"),
        ([[True, {"P": "a", "Q": "s"}, []]], "not everybody"),
        ([[True, {"P": "a"}, [["P", "", [0]]]]], "no such choice"),
        ([[2, {"P": "a"}, []]], "what others do"),
    ],
)
def test_a_strategy_is_one_that_wins(moves: list[Any], why: str) -> None:
    more = [*CONDITIONS, [1, [[["s"], True]], False]]
    quantities = [X, {"action": "Q"}]
    data = proof(enforced(1, *moves), conditions=more, quantities=quantities)
    evolution = "x = x - 1 if Action = b;"

    if why:
        with pytest.raises(Rejected, match=why):
            verdict("<p>G P.x >= 1", evolution, data)
    else:
        assert verdict("<p>G P.x >= 1", evolution, data)


def test_what_cannot_be_done_is_no_strategy() -> None:
    data = proof(enforced(True, [True, {"P": "b"}, []]))

    with pytest.raises(Rejected, match="what cannot be done"):
        verdict("<p>G P.x >= 1", "x = x + 1 if Action = b;", data)


def prevented(*moves: list[Any]) -> dict[str, Any]:
    return {"formula": None, "holds": False, "where": True, "moves": list(moves)}


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ([[True, {"Q": "t"}, []]], ""),
        ([[True, {"Q": "s"}, []]], "a next state"),
        ([[0, {"Q": "s"}, []], [1, {"Q": "t"}, []]], ""),
        ([[0, {"Q": "t"}, []]], "no answer"),
        ([[True, {"P": "a"}, []]], "not everybody"),
    ],
)
def test_there_is_an_answer_to_every_choice(moves: list[Any], why: str) -> None:
    by_action = [[0, [[["a"], True]], False], [0, [[["b"], True]], False]]
    data = proof(
        prevented(*moves), quantities=[{"action": "P"}], conditions=by_action, state=[3, 2, "off"]
    )
    # What P does only matters together with Q.
    evolution = "x = 0 if Action = b and Q.Action = s; x = 5 if Action = a or Q.Action = t;"

    if why:
        with pytest.raises(Rejected, match=why):
            verdict("<p>X P.x <= 0", evolution, data, value=False)
    else:
        assert verdict("<p>X P.x <= 0", evolution, data, value=False)


def test_what_is_known_is_known_wherever_it_looks_the_same() -> None:
    label: dict[str, Any] = {"formula": None, "holds": True, "where": True}
    formula, evolution = "K(Q, P.x >= 1)", "x = x + 1 if Action = a;"

    assert verdict(formula, evolution, proof(label, invariant=1))
    with pytest.raises(Rejected, match="looks the same"):
        verdict(formula, evolution, proof({**label, "where": 1}))
    own = {**label, "where": 1}
    assert verdict("K(P, P.x >= 1)", evolution, proof(own))


def test_a_false_verdict_names_an_initial_state() -> None:
    label: dict[str, Any] = {"formula": None, "holds": False, "where": 1}
    data = proof({**label, "moves": [[True, {"P": "a", "Q": "s"}, []]]})
    evolution = "x = x + 1 if Action = a;"

    assert verdict("AX P.x <= 0", evolution, {**data, "state": [3, 2, "off"]}, value=False)
    for state in (None, [], [3, 2], [4, 2, "off"], [3, 2, "up"], [True, 2, "off"], ["x", 2, "off"]):
        with pytest.raises(Rejected):
            verdict("AX P.x <= 0", evolution, {**data, "state": state}, value=False)


def test_a_label_for_another_formula_proves_nothing() -> None:
    other = comes(falls(), NOTHING_LEFT, formula="AF (P.x <= 0)")

    assert verdict("AF P.x <= 0", FALLING, proof(other))
    with pytest.raises(Rejected, match="not shown of every initial state"):
        verdict("AF P.x <= -1", FALLING, proof(other))


def test_arithmetic_without_a_rule_is_neither_proved_nor_refuted() -> None:
    with pytest.raises(TooMuch, match="bits of two numbers without bounds"):
        verdict("AG P.x >= 0", "x = P.x & P.y if Action = a;", proof({**ALWAYS_LEAST, "where": 1}))


@pytest.mark.parametrize(
    ("evolution", "accepted"),
    [
        # A number that is no whole one comes of nothing, and half of a whole one that is at least 2 is one.
        ("x = P.x / 2 if Action = a;", True),
        ("x = 3 / P.x if Action = a;", True),
        ("x = (P.x - 2) / 2 if Action = a;", False),
        ("x = P.x | 4 if Action = a;", True),
        ("x = P.x & 2 if Action = a;", False),
    ],
)
def test_fractions_and_bits_are_those_of_the_model(evolution: str, *, accepted: bool) -> None:
    label = proof({**ALWAYS_LEAST, "where": 1})

    if accepted:
        assert verdict("AG P.x >= 0", evolution, label)
    else:
        with pytest.raises(Rejected, match="a label is left"):
            verdict("AG P.x >= 0", evolution, label)


def test_what_a_proof_does_not_look_at_may_be_any_arithmetic() -> None:
    evolution = "y = P.y & P.x if Action = a;"

    assert verdict("AG P.x >= 0", evolution, proof({**ALWAYS_LEAST, "where": 1}))


@pytest.mark.parametrize(
    "path", ["LTL G F P.x <= 0", "LTL F G P.x <= 0", "LTL G (P.x <= 0 or X P.x <= 2)"]
)
def test_a_tableau_wants_a_condition_for_each_node(path: str) -> None:
    label: dict[str, Any] = {
        "formula": None,
        "holds": True,
        "where": True,
        "moves": [],
        "stages": [NOTHING_LEFT],
    }

    for nodes in ([], [True], [True] * 40):
        with pytest.raises(Rejected):
            verdict(path, FALLING, proof({**label, "nodes": nodes}))


TOGGLES = "x = P.x if P.x = 0;"


def fairly(formula: str, constraints: str) -> tuple[System, Specification]:
    """Return a system in which Q may change its mind for ever, and only some paths count."""
    text = PROGRAM.format(formula=formula, evolution=TOGGLES)
    text = text.replace("c = on if Action = s;", "c = on if Action = s; c = off if Action = t;")
    text = text.replace("Groups p", f"Fairness {constraints} end Fairness Groups p")
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system, loaded.system.specifications[0]


def lasting(*rounds: str) -> dict[str, Any]:
    """Say that a fair path starts everywhere: Q comes to each constraint by an action of its own."""
    there = [
        {"moves": [[True, {"P": "a", "Q": action}, []]], "stages": [NOTHING_LEFT]}
        for action in rounds
    ]
    stays: list[Any] = [[True, {"P": "a", "Q": "s"}, []]]
    return {"formula": "EG true", "holds": True, "where": True, "moves": stays, "rounds": there}


@pytest.mark.parametrize(
    ("constraints", "rounds", "why"),
    [
        ("Q.c = on; Q.c = off;", "st", ""),
        ("Q.c = off; Q.c = on;", "ts", ""),
        # It comes to the other one.
        ("Q.c = on; Q.c = off;", "ts", "may stay"),
        ("Q.c = on; Q.c = off;", "ss", "may stay"),
        # One of them is left out, or there is one too many.
        ("Q.c = on; Q.c = off;", "s", "not a list of 2"),
        ("Q.c = on; Q.c = off;", "sts", "not a list of 2"),
        # It is never met.
        ("Q.c = on; P.x = 7;", "st", "may stay"),
    ],
)
def test_a_fair_path_comes_to_each_constraint(constraints: str, rounds: str, why: str) -> None:
    label = {"formula": "EX (P.x >= 1)", "holds": True, "where": 1, "moves": []}
    label["moves"] = [[True, {"P": "a", "Q": "s"}, []]]
    system, specification = fairly("EX P.x >= 1", constraints)
    unfair = {"formula": "EG true", "holds": False, "where": False, "moves": []}
    unfair["stages"] = [NOTHING_LEFT]
    data = proof(label, lasting(*rounds), unfair)
    if not why:
        assert check_conditions(system, specification, data, Budget(20), value=True)
        return
    with pytest.raises(Rejected, match=why):
        check_conditions(system, specification, data, Budget(20), value=True)


def test_some_path_does_not_meet_constraints_by_itself() -> None:
    # Nothing is assumed of a path that is to be made: that it "avoids" a constraint is no reason.
    system, specification = fairly("EF P.x >= 9", "P.x = 7;")
    avoids = {"reason": "avoids", "parts": [False], "constraint": 0}
    label = {"formula": "EF (P.x >= 9)", "holds": True, "where": True}
    moves: list[Any] = [[True, {"P": "a", "Q": "s"}, []]]
    data = proof({**label, "moves": moves, "stages": [avoids]})

    with pytest.raises(Rejected, match="no such constraint"):
        check_conditions(system, specification, data, Budget(20), value=True)


@pytest.mark.parametrize(
    ("agents", "values", "why"),
    [
        (["Q"], [["P", "x", 2]], ""),
        (["Q"], [["P", "x", 3]], "not known to be reached"),
        (["Q"], [["P", "x", -1]], "not known to be reached"),
        (["Q"], [["P", "x", ["+", {"agent": "P", "variable": "x"}, -1]]], ""),
        (["Q"], [["P", "x", 2], ["Q", "c", "off"]], "looks different"),
        (["P"], [["P", "x", 2]], "another one"),
        (["P", "Q"], [["P", "x", 2]], "another one"),
        (["Nobody"], [["P", "x", 2]], "no such agent"),
        (["Q"], [["P", "z", 2]], "no variable"),
        (["Q"], [["P", "x", "two"]], "not a list"),
    ],
)
def test_another_initial_state_looks_the_same(
    agents: list[str], values: list[Any], why: str
) -> None:
    text = PROGRAM.format(formula="K(Q, P.x >= 3)", evolution=TOGGLES)
    text = text.replace("P.x = 3 and P.y = 2", "P.x >= 2 and P.x <= 3 and P.y = 2")
    loaded = load_text(text)
    assert loaded.system is not None, loaded.diagnostics
    unseen = [] if "P" in agents else [["P", "y", 2]]
    other = {"where": True, "agents": agents, "values": [*values, *unseen]}
    # It is said of the state in which it holds that x is at least three.
    label = {"formula": "K(Q, (P.x >= 3))", "holds": False, "where": 3, "others": [other]}
    more = [*CONDITIONS, [0, [[[[3, 3]], True]], False], [1, [[["off"], 2]], False]]
    quantities = [X, {"variable": ["Q", "c"]}]
    data = proof(label, conditions=more, quantities=quantities, state=[3, 2, "off"], invariant=1)
    asked_ = loaded.system.specifications[0]

    if why:
        with pytest.raises(Rejected, match=why):
            check_conditions(loaded.system, asked_, data, Budget(20), value=False)
    else:
        assert check_conditions(loaded.system, asked_, data, Budget(20), value=False)


def test_what_nobody_can_complete_is_no_choice() -> None:
    text = PROGRAM.format(formula="<p>X P.x >= 0", evolution=TOGGLES)
    loaded = load_text(text.replace("Protocol: Other : {s, t};", "Protocol: c = on : {s, t};"))
    assert loaded.system is not None, loaded.diagnostics
    label = {"formula": "<{P}>X (P.x >= 0)", "holds": False, "moves": []}
    asked_ = loaded.system.specifications[0]
    where = {"quantities": [X, {"variable": ["Q", "c"]}], "state": [3, 2, "off"]}
    off = [*CONDITIONS, [1, [[["off"], True]], False]]
    data = proof({**label, "where": 2}, conditions=off, **where)
    everywhere = proof({**label, "where": True}, conditions=off, **where)

    assert check_conditions(loaded.system, asked_, data, Budget(20), value=False)
    with pytest.raises(Rejected, match="no answer"):
        check_conditions(loaded.system, asked_, everywhere, Budget(20), value=False)
    # Of some path that is not enough: there has to be a step.
    some = load_text(
        text.replace("Protocol: Other : {s, t};", "Protocol: c = on : {s, t};").replace(
            "<p>X P.x >= 0", "AX P.x >= 5"
        )
    )
    assert some.system is not None
    step = {"formula": "AX (P.x >= 5)", "holds": False, "where": 2, "moves": []}
    with pytest.raises(Rejected, match="no answer"):
        check_conditions(
            some.system,
            some.system.specifications[0],
            proof(step, conditions=off, **where),
            Budget(20),
            value=False,
        )
