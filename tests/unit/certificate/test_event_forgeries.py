"""Proofs about coalitions where one event happens at a time, written by hand: each flaw is found out.

P counts up alone by `a`, and with Q down by `m`. Q can do `c` alone, which changes nothing. R shares `w` with
P and never does it, so that to choose `w` is to wait.
"""

import json
from typing import Any
from unittest.mock import patch

import pytest

from gnomon.certificate.core import spelled
from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.deductive.protocols import EventProtocols
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.smt_terms import FALSE, disj
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.formula import And

PROGRAM = """
Semantics = Interleaved;
Agent P
  Vars: x : int; end Vars
  Actions = {{a, m, w}};
  Protocol: {p} : {{a, m, w}}; end Protocol
  Evolution: x = x + 1 if Action = a; x = x - 1 if Action = m; end Evolution
end Agent
Agent Q
  Vars: y : int; end Vars
  Actions = {{m, c}};
  Protocol: {q} : {{m, c}}; end Protocol
  Evolution: y = y if Action = c; end Evolution
end Agent
Agent R
  Vars: z : int; end Vars
  Actions = {{w}};
  Protocol: false : {{w}}; end Protocol
  Evolution: z = z if Action = w; end Evolution
end Agent
InitStates P.x = 0 and Q.y = 0 and R.z = 0; end InitStates
Groups p = {{P}}; q = {{Q}}; pq = {{P, Q}}; r = {{R}}; none = {{}}; end Groups
{fairness}
Formulae {formula}; end Formulae
"""
FREE = {"p": "Other", "q": "Other", "fairness": ""}
X = {"sum": [[1, "P", "x"]]}
Y = {"sum": [[1, "Q", "y"]]}
QUANTITIES = [X, {"action": "P"}, {"action": "Q"}, {"action": "Scheduler"}, Y]
#: 0: x >= 0; 1: x = 0; 2 to 4: P does a, m, w; 5: Q does m; 6: the scheduler does a; 7: P and Q do m;
#: 8: Q does m, and P something else; 9: x <= 0; 10: P does a, and Q does m; 11: x = y = 0;
#: 12: P does w, and Q does m; 13: Q does c.
CONDITIONS: list[Any] = [
    [0, [[[[0, None]], True]], False],
    [0, [[[[0, 0]], True]], False],
    *([1, [[[action], True]], False] for action in "amw"),
    [2, [[["m"], True]], False],
    [3, [[["a"], True]], False],
    [1, [[["m"], 5]], False],
    [1, [[["m"], False]], 5],
    [0, [[[[None, 0]], True]], False],
    [1, [[["a"], 5]], False],
    [4, [[[[0, 0]], 1]], False],
    [1, [[["w"], 5]], False],
    [2, [[["c"], True]], False],
]
NOTHING_LEFT = {"reason": "leaves", "parts": [False]}
START = [0, 0, 0]


def does(where: Any = True, lines: Any = (), **actions: str) -> list[Any]:
    """Return what is done where a condition holds."""
    return [where, actions, list(lines)]


def happens(event: str, where: Any = True) -> list[Any]:
    """Return that an event happens."""
    return does(where, Scheduler=event)


def verdict(
    formula: str, label: dict[str, Any], *further: dict[str, Any], value: bool,
    solver: str = "cvc5", reading: str = "perfect", **more: Any,
) -> str:  # fmt: skip
    """Return the solver that accepts a proof with a label about a formula.

    Beside it stands one that says nothing, in which both P and Q choose.
    """
    program = {**FREE, **more.pop("program", {})}
    formula = f"({formula}) and (<pq>X true or true)"
    loaded = load_text(PROGRAM.format(**program, formula=formula))
    assert loaded.system is not None, loaded.diagnostics
    [asked] = loaded.system.specifications
    system = loaded.system
    assert isinstance(asked.formula, And)
    whole = {"formula": spelled(asked.formula.operands[0]), "holds": value, "where": True, **label}
    proof = {"quantities": QUANTITIES, "conditions": CONDITIONS, "invariant": True}
    proof |= {"labels": [whole, *further], "state": None if value else START, **more}
    told = json.loads(json.dumps(proof))
    return check_conditions(
        system, asked, told, Budget(20), value=value, solvers=(solver,), reading=reading
    )


def enforced(*moves: list[Any], **more: Any) -> dict[str, Any]:
    """Say that a coalition enforces something, or comes to it at once."""
    return {"moves": list(moves), "stages": [NOTHING_LEFT], **more}


#: Formulae that are true, with what the members do.
WON: list[tuple[str, dict[str, Any]]] = [
    ("<p>G P.x >= 0", enforced(does(P="a"), where=0)),  # of the others, only c is left then
    ("<p>G P.x >= 0", enforced(does(P="w"), where=0)),
    ("<p>X P.x >= 0", enforced(does(P="a"), where=0)),
    ("<p>(P.x >= 0 W P.x = 9)", enforced(does(P="a"), where=0)),
    ("<p>(P.x < 0 R P.x >= 0)", enforced(does(P="a"), where=0)),
    ("<q>G P.x >= 0", enforced(does(Q="c"), where=0)),  # without Q nobody counts down
    ("<pq>X P.x < 0", enforced(does(P="m", Q="m"), where=1)),
    ("<pq>F P.x < 0", enforced(does(P="m", Q="m"), where=1)),
    ("<pq>F P.x >= 1", enforced(does(P="a", Q="m"), where=1)),  # only a is left
    ("<pq>G P.x = 0", enforced(does(P="m", Q="c"), where=1)),  # c is left
    ("<pq>G P.x = 0", enforced(does(P="w", Q="m"), where=1)),  # nothing is left: all wait
    ("<r>X true", enforced(does(R="-"))),  # it has nothing to choose, but something can happen
]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("formula", "label"), WON)
def test_what_members_leave_is_what_may_happen(
    formula: str, label: dict[str, Any], solver: str
) -> None:
    assert verdict(formula, label, value=True, solver=solver) == solver


#: What a coalition does not enforce, and why what is said of it is refused.
NOT_WON: list[tuple[str, dict[str, Any], str]] = [
    ("<p>G P.x >= 0", enforced(does(P="m"), where=0), "a label is left"),
    ("<p>X P.x >= 1", enforced(does(P="a"), where=0), "next state"),  # c is left, too
    ("<p>F P.x >= 1", enforced(does(P="a")), "may stay"),
    ("<pq>F P.x < 0", enforced(does(P="m", Q="c")), "may stay"),
    ("<pq>F P.x < 0", enforced(does(P="w", Q="m")), "may stay"),  # who waits does not come there
    ("<pq>X P.x < 0", enforced(does(P="w", Q="m"), where=1), "next state"),
    ("<q>G P.x >= 0", enforced(does(Q="m"), where=0), "a label is left"),
    # R has nothing to choose, and Q need not do what P says.
    ("<r>G P.x >= 0", enforced(does(R="-"), where=0), "a label is left"),
    ("<r>G P.x >= 0", enforced(does(R="w"), where=0), "cannot be done"),
    ("<p>G P.x >= 0", enforced(does(P="a", Q="c"), where=0), "not everybody"),
    ("<p>G P.x >= 0", enforced(happens("a"), where=0), "not everybody"),
    ("<p>G P.x >= 0", enforced(does(P="a", Scheduler="a"), where=0), "not everybody"),
    ("<p>G P.x >= 0", enforced(does(P="c"), where=0), "no such action"),
    ("<p>G P.x >= 0", enforced(does(P="-"), where=0), "cannot be done"),
    # Nobody knows which event will come, or what others would do.
    ("<p>G P.x >= 0", enforced(does(6, P="a"), does(P="w"), where=0), "what others do"),
    ("<p>G P.x >= 0", enforced(does(5, P="a"), does(P="w"), where=0), "what others do"),
    ("<p>G P.x >= 0", enforced(where=0), "says nothing about a state"),
    ("<p>G P.x >= 0", enforced(does(1, P="a"), where=0), "says nothing about a state"),
]


@pytest.mark.parametrize(("formula", "label", "why"), NOT_WON)
def test_what_members_do_not_enforce_is_refused(
    formula: str, label: dict[str, Any], why: str
) -> None:
    with pytest.raises(Rejected, match=why):
        verdict(formula, label, value=True)


#: Formulae that are false, with what comes whatever the members choose.
LOST: list[tuple[str, dict[str, Any]]] = [
    ("<p>F P.x >= 1", enforced(happens("c"), where=1)),
    ("<p>X P.x >= 1", enforced(happens("c"), where=1)),
    ("<p>(P.x >= 0 U P.x = 1)", enforced(happens("c"), where=1)),
    ("<q>G P.x = 0", enforced(happens("a"), where=True)),
    ("<q>(P.x = 0 W P.x < 0)", enforced(happens("a"), where=0)),
    # Whatever they choose: they wait, or count down, or c is left.
    (
        "<pq>X P.x >= 7",
        enforced(happens("m", 7), happens("a", 10), happens("-", 12), happens("c", 13), where=1),
    ),
    ("<r>G P.x = 0", enforced(happens("a"))),
]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("formula", "label"), LOST)
def test_what_comes_whatever_members_choose(
    formula: str, label: dict[str, Any], solver: str
) -> None:
    assert verdict(formula, label, value=False, solver=solver) == solver


#: What comes only as members choose, and why what is said of it is refused.
NOT_LOST: list[tuple[str, dict[str, Any], str]] = [
    ("<p>F P.x >= 1", enforced(happens("m"), where=9), "an answer cannot be given"),
    ("<p>F P.x >= 1", enforced(happens("-"), where=1), "an answer cannot be given"),  # c is left
    ("<p>G P.x = 0", enforced(happens("a")), "an answer cannot be given"),  # P chooses w
    ("<p>G P.x = 0", enforced(happens("a", 2), happens("c")), "may stay"),
    ("<p>G P.x = 0", enforced(happens("a", 2)), "there is no answer"),
    ("<pq>F P.x < 0", enforced(happens("-"), where=0), "an answer cannot be given"),
    ("<pq>G P.x = 0", enforced(happens("m", 7), happens("-")), "an answer cannot be given"),
    (
        "<pq>F P.x >= 1",  # P chooses a, and Q does not choose c
        enforced(happens("m", 7), happens("-", 8), happens("c"), where=9),
        "an answer cannot be given",
    ),
    ("<q>G P.x = 0", enforced(happens("m")), "an answer cannot be given"),
    ("<q>G P.x = 0", enforced(does(P="a")), "not everybody"),
    ("<q>G P.x = 0", enforced(does(P="a", Scheduler="a")), "not everybody"),
    ("<q>G P.x = 0", enforced(happens("w")), "an answer cannot be given"),  # R never does it
    ("<q>G P.x = 0", enforced(happens("a", 6)), "depends on itself"),
    # What P would do is no part of it where P chooses nothing.
    ("<q>G P.x = 0", enforced(happens("a", 2), happens("a")), "nobody's choice"),
]


@pytest.mark.parametrize(("formula", "label", "why"), NOT_LOST)
def test_what_members_can_keep_from_coming_is_refused(
    formula: str, label: dict[str, Any], why: str
) -> None:
    with pytest.raises(Rejected, match=why):
        verdict(formula, label, value=False)


def test_nobody_brings_about_anything_where_nothing_can_happen() -> None:
    stuck = {"p": "P.x < 0", "q": "Q.y < 0"}
    for formula, label in (
        ("<p>X true", enforced(does(P="-"))),
        ("<p>G true", enforced(does(P="-"))),
        ("<r>X true", enforced(does(R="-"))),
        ("<pq>X P.x = 5", enforced(does(P="-", Q="-"))),
    ):
        with pytest.raises(Rejected, match="nobody can complete"):
            verdict(formula, label, value=True, program=stuck)
    # So nothing needs an answer there; of paths it is as it was.
    for formula in ("<p>X true", "<pq>X true"):
        assert verdict(formula, enforced(where=11), value=False, program=stuck)
    assert verdict("<none>X P.x = 5", enforced(where=11), value=True, program=stuck)
    with pytest.raises(Rejected, match="no answer"):
        verdict("<p>X true", enforced(where=1), value=False)


def test_who_cannot_act_waits_and_leaves_what_needs_nobody() -> None:
    program = {"p": "P.x < 0"}
    waits = enforced(does(P="-"), where=0)

    assert verdict("<p>G P.x >= 0", waits, value=True, program=program)
    with pytest.raises(Rejected, match="cannot be done"):
        verdict("<p>G P.x >= 0", enforced(does(P="a"), where=0), value=True, program=program)


def test_time_is_that_of_all_events_inside_what_coalitions_do() -> None:
    inner = {"formula": "EF (P.x < 0)", "holds": True, "where": 1}
    inner |= {"moves": [happens("m")], "stages": [NOTHING_LEFT]}
    # Nobody waits on paths, and members have nothing to say.
    assert verdict("<pq>G EF P.x < 0", enforced(does(P="w", Q="m"), where=1), inner, value=True)
    for moves in ([happens("-")], [does(P="m", Scheduler="m")], [happens("m", 3), happens("m")]):
        with pytest.raises(Rejected):
            verdict(
                "<pq>G EF P.x < 0", enforced(does(P="w", Q="m"), where=1),
                {**inner, "moves": moves}, value=True,
            )  # fmt: skip


# Mistakes that are planted in the checker.


def left_anyway(self: Any, event: str, _now: object) -> Any:
    """Leave all events, whatever members choose."""
    return self._allowed(self._scheduler, event)


def always(self: Any, _now: object) -> Any:
    """Let everybody wait wherever something can happen."""
    return disj(self._allowed(self._scheduler, event) for event in "amc")


#: What is planted, and a proof of what is not so.
MISTAKES: dict[str, tuple[str, Any, str, dict[str, Any]]] = {
    "all events are left": ("_left", left_anyway, "<p>G P.x = 0", enforced(happens("a"))),
    "nobody waits": (
        "_waits",
        lambda *_: FALSE,
        "<pq>X P.x >= 7",
        enforced(happens("m", 7), happens("a", 10), happens("c", 13), where=1),
    ),
    "one may always wait": (
        "_waits",
        always,
        "<pq>F P.x < 0",
        enforced(happens("-"), where=0),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_about_what_is_left_is_found_out(mistake: str) -> None:
    name, planted, formula, label = MISTAKES[mistake]

    with pytest.raises(Rejected):
        verdict(formula, label, value=False)
    with patch.object(EventProtocols, name, planted):
        assert verdict(formula, label, value=False)


# Uniform strategies, and outcomes that are fair.


def seen(member: str, *rows: list[Any]) -> dict[str, Any]:
    """Return what one member does by what it sees."""
    return {"where": True, "views": {member: list(rows)}, "stages": [NOTHING_LEFT]}


@pytest.mark.parametrize("reading", ["uniform", "uniform-subjective"])
def test_members_who_go_by_what_they_see_leave_events(reading: str) -> None:
    def check(formula: str, told: dict[str, Any], where: Any = 0) -> str:
        label = {"where": where, "strategies": [{**told, "where": where, "known": where}]}
        return verdict(formula, label, value=True, reading=reading)

    assert check("<p>G P.x >= 0", seen("P", [True, "a"]))
    assert check("<p>G P.x >= 0", seen("P", [1, "w"], [True, "a"]))
    for told in (
        seen("P", [True, "m"]),
        seen("P", [True, "-"]),
        seen("P", [True, "c"]),
        seen("P", [6, "a"], [True, "a"]),
        seen("Q", [True, "c"]),
        seen("Scheduler", [True, "a"]),
        {**seen("P", [True, "a"]), "views": {"P": [[True, "a"]], "Q": [[True, "c"]]}},
    ):
        with pytest.raises(Rejected):
            check("<p>G P.x >= 0", told)
    with pytest.raises(Rejected, match="what it does not see"):
        check("<q>G P.x >= 0", seen("Q", [1, "c"], [True, "c"]))


FAIR = {"fairness": "Fairness P.x < 0; end Fairness"}
WAITS = {
    "holds": True,
    "where": 0,
    "moves": [does(P="w")],
    "stages": [{"reason": "avoids", "parts": [False], "constraint": 0}],
}


def test_who_waits_where_a_constraint_is_missed_makes_outcomes_unfair() -> None:
    off = {"formula": "<{P}>F false", **WAITS}

    assert verdict("<p>F false", WAITS, value=True, program=FAIR)
    assert verdict("<p>X P.x >= 7", enforced(where=0), off, value=True, program=FAIR)
    for flaw in ({"moves": [does(P="m")]}, {"moves": [does(P="-")]}, {"where": True}):
        with pytest.raises(Rejected):
            verdict("<p>F false", {**WAITS, **flaw}, value=True, program=FAIR)
    with pytest.raises(Rejected):
        verdict("<r>F false", {**WAITS, "moves": [does(R="-")]}, value=True, program=FAIR)


def test_where_fairness_is_about_what_is_done_it_is_not_said_what_waiting_means() -> None:
    program = {"fairness": "Fairness P.Action = a; end Fairness"}
    for formula in ("<p>F false", "<p>X true", "<pq>G P.x = 0"):
        with pytest.raises(Rejected, match="about what is done"):
            verdict(formula, WAITS, value=True, program=program)
