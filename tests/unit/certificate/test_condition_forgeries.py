"""Proofs by conditions for verdicts that are not so: each obeys the rules but in one place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gnomon.certificate.core import spelled
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected, TooMuch
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.formula import All, Formula, Not
from gnomon.text.limits import room_to_recurse

#: The agent of each program: `x` is a number, and nobody sees `Environment.h`.
PROGRAM = """
Agent Environment
  Vars: h : int; end Vars
  Actions = {{e}};
  Protocol: {environment} : {{e}}; end Protocol
  Evolution: h = h if Action = e; end Evolution
end Agent
Agent P
  Vars: x : int; n : int; end Vars
  Actions = {{a, b}};
  Protocol: {protocol} : {{a, b}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
InitStates {initial}; end InitStates
{fairness}
Formulae {formula}; end Formulae
"""
X = {"sum": [[1, "P", "x"]]}
#: x = 0.
ZERO = [0, [[[[0, 0]], True]], False]
STAYS = "x = x if Action = a;"


def whole(formula: Formula) -> Formula:
    """Return the formula itself."""
    return formula


def verdict(
    formula: str,
    label: dict[str, Any],
    *,
    value: bool,
    part: Callable[[Formula], Formula] = whole,
    program: dict[str, str] | None = None,
    further: tuple[dict[str, Any], ...] = (),
    **more: Any,
) -> str:
    """Return the solver that accepts a proof with a label of the formula or of a part of it."""
    told = {"environment": "Other", "protocol": "Other", "evolution": STAYS, "fairness": ""}
    start = {"initial": "P.x = 0 and P.n = 0 and Environment.h = 0"}
    loaded = load_text(PROGRAM.format(**{**told, **start, **(program or {})}, formula=formula))
    assert loaded.system is not None, loaded.diagnostics
    [asked] = loaded.system.specifications
    proof = {"quantities": [X], "conditions": [ZERO], "invariant": True, "state": None, **more}
    labels = [{"formula": spelled(part(asked.formula)), "moves": [], **label}, *further]
    data = json.loads(json.dumps({**proof, "labels": labels}))
    return check_conditions(loaded.system, asked, data, Budget(20), value=value)


@pytest.mark.parametrize("quantifier", ["A", "E"])
def test_an_until_does_not_fail_where_its_end_has_come(quantifier: str) -> None:
    moves = [[True, {"Environment": "e", "P": "a"}, []]] if quantifier == "A" else []
    label = {"holds": False, "where": True, "moves": moves}

    def shown(end: str) -> str:
        formula = f"{quantifier} (P.x < 0 U {end})"
        return verdict(formula, label, value=False, state=[0, 0, 0])

    with pytest.raises(Rejected, match="a state that it should not have"):
        shown("P.x = 0")
    assert shown("false")


def test_a_condition_on_states_does_not_look_at_what_is_done() -> None:
    # For each action: what is so as long as nothing else is done.
    up, down = {"sum": [[1, "P", "x"], [-1, "P", "n"]]}, {"sum": [[1, "P", "x"], [1, "P", "n"]]}
    quantities = [{"action": "P"}, up, down]
    among = [[1, [[[[0, 0]], True]], False], [2, [[[[0, 0]], True]], False]]
    conditions = [*among, [0, [[["a"], 0], [["b"], 1]], False]]
    evolution = "x = x + 1 and n = n + 1 if Action = a; x = x - 1 and n = n + 1 if Action = b;"
    for invariant in (2, True):
        with pytest.raises(Rejected, match="looks at what is done"):
            verdict(
                "AG (P.n = 0 or P.x <> 0)",
                {"holds": True, "where": 2},
                value=True,
                program={"evolution": evolution},
                quantities=quantities,
                conditions=conditions,
                invariant=invariant,
            )


@pytest.mark.parametrize(("logic", "accepted"), [("", False), ("LTL ", True)])
def test_a_tableau_says_nothing_of_runs_that_end(logic: str, *, accepted: bool) -> None:
    # x is 1 where the run ends: LTL does not speak of that, and CTL does.
    falls = {"reason": "falls", "parts": [True] * 3, "sums": [[[[-1, "P", "x"]], -5]]}
    leaves = [{"reason": "leaves", "parts": [part] * 3} for part in (0, False)]
    label = {"holds": True, "where": True, "nodes": [True] * 3, "stages": [falls, *leaves]}
    program = {"protocol": "P.x = 0", "evolution": "x = 1 if Action = a or Action = b;"}
    formula = "LTL G P.x = 0" if logic else "AG P.x = 0"

    def check() -> str:
        return verdict(formula, label, value=True, program=program)

    if accepted:
        assert check()
    else:
        with pytest.raises(Rejected, match="paths without an end"):
            check()


def of_not(formula: Formula) -> Formula:
    """Return what is denied."""
    formula = formula.path if isinstance(formula, All) else formula
    assert isinstance(formula, Not)
    return formula.body


@pytest.mark.parametrize(
    ("program", "logic", "why"),
    [
        ({"fairness": "Fairness Environment.h = 0; end Fairness"}, "", "a fair path starts"),
        ({}, "", ""),
        ({}, "LTL ", ""),
        ({"environment": "Environment.h = 0"}, "", ""),
        # A state where no run goes on counts in each logic, but for what is said of paths.
        ({"environment": "Environment.h = 0"}, "LTL ", ""),
    ],
)
def test_a_state_that_is_not_fair_is_confused_with_none(
    program: dict[str, str], logic: str, why: str
) -> None:
    other = {"where": True, "agents": ["P"], "values": [["Environment", "h", 7]]}
    label = {"holds": False, "where": True, "others": [other]}
    initial = {"initial": "P.x = 0 and P.n = 0 and Environment.h >= 0"}

    def check() -> str:
        return verdict(
            f"{logic}!K(P, Environment.h <> 7)",
            label,
            value=True,
            part=of_not,
            program={**program, **initial},
            conditions=[ZERO, [1, [[[[0, 0]], 0]], False]],
            quantities=[X, {"sum": [[1, "P", "n"]]}],
            invariant=1,
        )

    if why:
        with pytest.raises(Rejected, match=why):
            check()
    else:
        assert check()


def test_where_no_path_goes_on_there_is_none_that_is_as_it_should_be() -> None:
    # LTL says nothing of such states, but CTL* says that there is a path.
    falls = {"reason": "falls", "parts": [True], "sums": [[[[-1, "P", "x"]], -5]]}
    leaves = [{"reason": "leaves", "parts": [part]} for part in (0, False)]
    label = {"formula": "EG true", "holds": False, "where": True, "stages": [falls, *leaves]}
    program = {"protocol": "P.x = 0", "evolution": "x = 1 if Action = a or Action = b;"}

    assert verdict("CTL* !E G true", label, value=True, program=program)
    of_states = ("CTL* P.x = 5", "CTL* A P.x = 5", "CTL* A K(P, P.x = 5)")
    for formula in ("CTL* E F P.x = 5", *of_states):
        with pytest.raises(Rejected, match="not shown of every initial state"):
            verdict(formula, label, value=True, program=program)


@pytest.mark.parametrize(("nodes", "accepted"), [(5_000, True), (5_001, False), (90_000, False)])
def test_a_long_chain_of_conditions_is_too_much(nodes: int, *, accepted: bool) -> None:
    chain: list[Any] = [[0, [[[[0, 0]], True]], False]]
    chain += [[0, [[[[place, place]], True]], place - 1] for place in range(1, nodes)]
    label = {"holds": True, "where": len(chain) - 1}

    def check() -> str:
        with room_to_recurse():
            return verdict("AG P.x >= 0", label, value=True, conditions=chain)

    if accepted:
        assert check()
    else:
        with pytest.raises(TooMuch, match="in a row"):
            check()


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("CTL* E F<=1 P.x = 0", True),
        ("CTL* E G<=0 P.x = 0", True),
        ("CTL* A G<=1 P.x <> 0", False),
        ("CTL* <none>G<=1 P.x <> 0", False),
        ("LTL G<=1 P.x <> 0", False),
    ],
)
def test_where_no_path_goes_on_none_comes_to_anything_at_once(formula: str, *, value: bool) -> None:
    # It would come to that within no step, if only there were a path.
    ends = {"protocol": "P.x = 0", "evolution": "x = 1 if Action = a or Action = b;"}
    stays = [[True, {"Environment": "e", "P": "a"}, []]]
    label = {"formula": "EG true", "holds": True, "where": True, "moves": stays, "rounds": []}
    state = None if value else [0, 0, 0]

    def check(program: dict[str, str], label: dict[str, Any]) -> str:
        more = {"fairness": "Groups none = {}; end Groups", **program}
        return verdict(formula, label, value=value, program=more, state=state)

    assert check({}, label)
    for program, proved in ((ends, {**label, "holds": False, "stages": []}), (ends, label)):
        with pytest.raises(Rejected):
            check(program, proved)


def test_what_follows_of_a_step_need_not_follow_where_there_is_none() -> None:
    # The same is asked twice: of a step that nobody can take, and whether somebody can take it.
    at_once = {"moves": [], "stages": [{"reason": "leaves", "parts": [False]}]}
    ends = {"formula": "EG true", "holds": False, "where": True, **at_once}
    moves = [[True, {"Environment": "e", "P": "a"}, []]]
    lasts = {
        "formula": "EG true",
        "holds": True,
        "where": True,
        "moves": moves,
        "rounds": [at_once],
    }

    def check(protocol: str, *further: dict[str, Any]) -> str:
        program = {"fairness": "Fairness P.x = 0; end Fairness", "protocol": protocol}
        program["evolution"] = "x = x if P.x = 0;"  # whatever is done
        label = {"holds": False, "where": True}
        told: dict[str, Any] = {
            "program": program,
            "further": further,
            "state": [0, 0, 0],
            "invariant": 0,
        }
        return verdict("EX P.x <> 0", label, value=False, **told)

    assert check("Other", {**ends, "where": False}, lasts)
    with pytest.raises(Rejected, match="an answer cannot be given"):
        check("false", ends, lasts)


@pytest.mark.parametrize(
    ("environment", "why"),
    [("false", ""), ("Environment.h = 0", "no answer"), ("Other", "no answer")],
)
def test_a_choice_takes_no_answer_only_where_nobody_can_complete_it(
    environment: str, why: str
) -> None:
    program = {"environment": environment, "fairness": "Groups p = {P}; end Groups"}
    label = {"holds": False, "where": 0, "stages": [{"reason": "leaves", "parts": [False]}]}

    def check(formula: str) -> str:
        return verdict(formula, label, value=False, program=program, state=[0, 0, 0])

    for path in ("G P.x = 0", "F P.x = 5", "X true"):
        if why:
            with pytest.raises(Rejected, match=why):
                check(f"<p>{path}")
        else:
            assert check(f"<p>{path}")
    with pytest.raises(Rejected):  # a path has to be there
        check("A G P.x = 0")
