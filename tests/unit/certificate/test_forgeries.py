"""Certificates made by hand for verdicts that are not so: each was accepted once, or might have been."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.check import check
from gnomon.checking.load import load_text
from gnomon.model.step import moves
from gnomon.model.system import System
from tests.certificates import verified
from tests.e2e.cli import gnomon

#: Two players and what they make of a number; `{rest}` are sections that differ.
MODEL = """
Agent Environment
  Vars: w : 0..3; seen : 0..1; end Vars
  Actions = {{n, m}};
  Protocol: w = 3 : {{m}}; Other : {{n}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Pa
  Vars: a : boolean; end Vars
  Lobsvars = {{seen}};
  RedStates: a; end RedStates
  Actions = {{x, y}};
  Protocol: Other : {{x, y}}; end Protocol
  Evolution: a = a if a; end Evolution
end Agent
Agent Pb
  Vars: b : boolean; end Vars
  Actions = {{x, y}};
  Protocol: Other : {{x, y}}; end Protocol
  Evolution: b = b if b; end Evolution
end Agent
Evaluation win if Environment.w = 1; small if Environment.w <= 3; even if Environment.w <> 2; end Evaluation
InitStates {initial}; end InitStates
Groups g = {{Pa, Pb}}; none = {{}}; {groups} end Groups
{fairness}
Formulae {formula}; end Formulae
"""
BOTH = """
w = 1 if w = 0 and Pa.Action = x and Pb.Action = y;
w = 2 if w = 0 and !(Pa.Action = x and Pb.Action = y);"""


def system_of(
    formula: str,
    evolution: str = BOTH,
    groups: str = "",
    fairness: str = "",
    initial: str = "Environment.w = 0",
) -> System:
    rest = "Environment.seen = 0 and Pa.a and Pb.b"
    loaded = load_text(
        MODEL.format(
            formula=formula,
            evolution=evolution,
            groups=groups,
            fairness=f"Fairness {fairness}; end Fairness" if fairness else "",
            initial=f"({initial}) and {rest}",
        )
    )
    assert loaded.system is not None, [item.message for item in loaded.diagnostics]
    return loaded.system


def leaf(formula: str, state: list[Any], *, value: bool = False, **more: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "relation": "here",
        "agents": [],
        "run": None,
        "onward": None,
        "branches": [],
    }
    return {"formula": formula, "value": value, "state": state, **empty, **more}


def evidence(tree: dict[str, Any], **more: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "tree": tree,
        "counts": None,
        "strategies": [],
        "defences": [],
        "refutations": [],
    }
    return {"kind": "evidence", "evidence": [{**shown, **more}]}


def judged(
    system: System,
    verdict: str,
    proof: dict[str, Any],
    strategies: str | None = None,
    space: dict[str, Any] | None = None,
) -> ProofOutcome:
    """Return what the checker says of one entry, which has gone through JSON."""
    [asked] = system.specifications
    [right] = check(system)
    if strategies in {None, "perfect"}:
        assert right.value.value != verdict, "this would be no forgery"
    entry = {
        "index": 1,
        "formula": asked.text,
        "parsed": right.parsed,
        "logic": asked.logic,
        "strategies": strategies,
        "verdict": verdict,
        "proof": proof,
        "reason": "",
    }
    [outcome] = verified(system, {"space": space, "verdicts": [entry]}, [asked])
    return outcome


def walk(system: System, *states: tuple[Any, ...], loop: int | None = None) -> dict[str, Any]:
    """Return a run through some states, as certificates write it."""

    def step(source: tuple[Any, ...], target: tuple[Any, ...]) -> dict[str, Any]:
        move = next(move for move in moves(system, source) if move.target == target)
        lines = [[line.line for line in local.lines] for local in move.alternatives]
        return {"state": target, "actions": move.actions, "lines": lines}

    steps: list[dict[str, Any]] = [{"state": states[0], "actions": None, "lines": []}]
    steps += [step(before, after) for before, after in pairwise(states)]
    back = None if loop is None else step(states[-1], states[loop])
    return {"steps": steps, "loop": loop, "back": back}


def test_a_state_outside_its_domain() -> None:
    system = system_of("AG small")
    run = {
        "steps": [{"state": [100, 0, True, True], "actions": None, "lines": []}],
        "loop": None,
        "back": None,
    }
    tree = leaf("AG small", [100, 0, True, True], relation="time", run=run)
    assert "not a value of w" in judged(system, "false", evidence(tree)).why


@pytest.mark.parametrize("state", [[False, 0, True, True], [0, 0, 1, 1], [0.0, 0, True, True], [0]])
def test_a_number_is_no_truth_value(state: list[Any]) -> None:
    outcome = judged(system_of("AG small"), "false", evidence(leaf("AG small", state)))
    assert outcome.accepted is False
    assert "not a" in outcome.why


def test_another_state_without_a_run_to_it() -> None:
    system = system_of("O(Pa, win)")
    tree = leaf("O(Pa, win)", [0, 0, True, True], relation="norm", agents=["Pa"])
    assert "without a run" in judged(system, "false", evidence(tree)).why


def test_knowledge_of_nobody() -> None:
    tree = leaf("GCK({}, win)", [0, 0, True, True], relation="knowledge")
    assert judged(system_of("GCK(none, win)"), "false", evidence(tree)).accepted is False


def test_another_agent_is_confused() -> None:
    system = system_of("K(Pa, win or small)")
    run = walk(system, (0, 0, True, True))
    tree = leaf(
        "K(Pa, (win or small))", [0, 0, True, True], relation="knowledge", agents=["Pb"], run=run
    )
    assert "the agents are not those" in judged(system, "false", evidence(tree)).why


def test_an_initial_state_that_is_not_fair() -> None:
    """In 0 nothing happens any more; only 3 has a fair path, and there Pa knows that it is not 1."""
    system = system_of(
        "K(Pa, even) or win",
        "w = 1 if w = 3; w = 2 if w = 1; w = 1 if w = 2;",
        fairness="!small or win",
        initial="Environment.w = 0 or Environment.w = 1",
    )
    fair, even, stuck = (1, 0, True, True), (2, 0, True, True), (0, 0, True, True)
    formula = "(K(Pa, even) or win)"
    knowing = leaf(
        "K(Pa, even)",
        list(stuck),
        relation="knowledge",
        agents=["Pa"],
        run=walk(system, fair, even),
        onward=walk(system, even, fair, loop=0),
    )
    branches = [
        {"position": 0, "because": knowing},
        {"position": 0, "because": leaf("win", list(stuck))},
    ]
    tree = leaf(formula, list(stuck), branches=branches)
    for counts in (None, walk(system, fair, even, loop=0)):
        outcome = judged(system, "false", evidence(tree, counts=counts))
        assert "fair path" in outcome.why


def test_answers_to_other_choices() -> None:
    """What the members do is read off the joint action, and not off how it is announced."""
    state, lost = [0, 0, True, True], [2, 0, True, True]
    answers = [
        [state, [["Pa", "x"], ["Pb", "x"]], ["n", "x", "x"], lost],
        [state, [["Pb", "x"], ["Pa", "y"]], ["n", "y", "x"], lost],
        [state, [["Pa", "y"], ["Pb", "x"]], ["n", "y", "x"], lost],
        [state, [["Pa", "y"], ["Pb", "y"]], ["n", "y", "y"], lost],
    ]
    formula = "<{Pa, Pb}>X win"
    defence = {"formula": formula, "members": ["Pa", "Pb"], "state": state, "answers": answers}
    proof = evidence(leaf(formula, state), defences=[defence])
    outcome = judged(system_of("<g>X win"), "false", proof, "perfect")
    assert "are not enough" in outcome.why


@pytest.mark.parametrize("path", ["X win", "F win", "G win"])
def test_answers_to_nobody(path: str) -> None:
    system = system_of(f"<none>{path}", "w = 1 if w = 0;", initial="Environment.w = 1")
    state = [1, 0, True, True]
    formula = f"<{{}}>{path}"
    defence = {"formula": formula, "members": [], "state": state, "answers": []}
    proof = evidence(leaf(formula, state), defences=[defence])
    assert judged(system, "false", proof, "perfect").accepted is False


@pytest.mark.parametrize("reading", ["uniform-model", "nonsense", "", None])
def test_readings_that_nobody_can_check(reading: str | None) -> None:
    system = system_of("<g>X win or AX win")
    proof = {"kind": "labels"}
    assert judged(system, "false", proof, reading).accepted is False


def test_groups_that_are_called_like_other_agents() -> None:
    """<Pa,Pa> is the group of Pb, and <Pb> the one of Pa: both may be printed <Pb>."""
    only_a = "w = 1 if w = 0 and Pa.Action = x; w = 2 if w = 0 and Pa.Action = y;"
    system = system_of("<Pb>X win and <Pa,Pa>X win", only_a, "Pa = {Pb}; Pb = {Pa};")
    states = [[0, 0, True, True], [1, 0, True, True], [2, 0, True, True]]
    space = {"states": states, "parents": [None, 0, 0]}
    outcome = judged(system, "true", {"kind": "labels"}, "perfect", space)
    assert outcome.accepted is False


def test_nothing_is_shown_of_any_initial_state() -> None:
    proof = {"kind": "evidence", "evidence": []}
    assert judged(system_of("AG win"), "true", proof).accepted is False
    assert judged(system_of("AG small"), "false", proof).accepted is False


BITS = str(Path(__file__).resolve().parents[3] / "examples" / "bit_transmission.ispl")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("index", []),
        ("index", True),
        ("formula", 5),
        ("strategies", 17),
        ("proof", []),
        ("verdict", None),
        ("reason", {}),
    ],
)
def test_what_is_no_entry_is_refused_at_once(tmp_path: Path, key: str, value: Any) -> None:
    path = tmp_path / "proofs.json"
    gnomon("check", BITS, "--certificate", str(path))
    data = json.loads(path.read_text())
    data["verdicts"][0][key] = value
    path.write_text(json.dumps(data))
    found = gnomon("verify-certificate", BITS, str(path))
    assert found.exit_code == 2
    assert "no complete certificate" in found.stderr


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdicts", []),
        ("verdicts", [{}]),
        ("verdicts", [5]),
        ("constants", {"n": float("inf")}),
        ("constants", {"n": True}),
        ("space", 5),
        ("labels", None),
    ],
)
def test_what_is_no_certificate_is_refused_at_once(tmp_path: Path, key: str, value: Any) -> None:
    path = tmp_path / "proofs.json"
    gnomon("check", BITS, "--certificate", str(path))
    data = json.loads(path.read_text())
    data[key] = value
    path.write_text(json.dumps(data))
    found = gnomon("verify-certificate", BITS, str(path))
    assert found.exit_code == 2
    assert "no complete certificate" in found.stderr


@pytest.mark.parametrize("state", [[], ["a"], [True, 1, 2, 3], None, 7])
def test_a_listed_state_that_is_none(tmp_path: Path, state: Any) -> None:
    path = tmp_path / "proofs.json"
    gnomon("check", BITS, "--certificate", str(path))
    data = json.loads(path.read_text())
    data["space"]["states"].append(state)
    data["space"]["parents"].append(0)
    path.write_text(json.dumps(data))
    assert gnomon("verify-certificate", BITS, str(path)).exit_code == 1


def test_nothing_in_a_certificate_reaches_the_terminal_raw(tmp_path: Path) -> None:
    path = tmp_path / "proofs.json"
    gnomon("check", BITS, "--only", "1", "--certificate", str(path))
    data = json.loads(path.read_text())
    data["verdicts"][0] |= {"proof": None, "reason": "\x1b[2Jproved \ud800 \x07"}
    path.write_text(json.dumps(data))
    found = gnomon("verify-certificate", BITS, str(path))
    assert found.exit_code == 3
    assert "\x1b" not in found.stdout
    assert "\x07" not in found.stdout


def test_the_constants_are_those_of_the_certificate_itself(tmp_path: Path) -> None:
    model = str(Path(BITS).parent / "games" / "tian_ji.ispl")
    path = tmp_path / "proofs.json"
    gnomon("check", model, "--set", "n=4", "--only", "2", "--certificate", str(path))
    right = json.loads(path.read_text())
    decoy = {**right, "constants": {"n": 2}, "digest": ""}
    path.write_text(json.dumps([decoy, right]))
    found = gnomon("verify-certificate", model, str(path))
    assert found.exit_code == 0
    assert "with n = 4" in found.stdout
    path.write_text(json.dumps({**right, "constants": {"n": 3}}))
    assert gnomon("verify-certificate", model, str(path)).exit_code == 1


def test_the_search_for_initial_states_ends_at_the_first_that_is_left_out() -> None:
    system = system_of("AG win", initial="Environment.w <= 3")
    outcome = judged(system, "true", {"kind": "evidence", "evidence": []})
    assert "left out" in outcome.why
