"""Proofs about fair outcomes and paths that somebody wrote by hand: each flaw is found out.

The constraint is `x = 1`. The agent P moves: by `a` to 1, by `b` to 0.
"""

from dataclasses import replace
from typing import Any

import pytest

from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected
from gnomon.checking.load import load_text
from gnomon.model.budget import Budget
from gnomon.model.formula import Constant, Enforces, Group, Next
from gnomon.model.system import Specification
from tests.unit.certificate.test_condition_forgeries import verdict

#: x = 0; x = 1; x <> 0; x >= 0; x <= 1.
CONDITIONS = [
    [0, [[[[0, 0]], True]], False],
    [0, [[[[1, 1]], True]], False],
    [0, [[[[0, 0]], False]], True],
    [0, [[[[0, None]], True]], False],
    [0, [[[[None, 1]], True]], False],
]
NOTHING_LEFT = {"reason": "leaves", "parts": [False]}
UP, DOWN = ([[True, {"Environment": "e", "P": action}, []]] for action in "ab")
PROGRAM = {
    "evolution": "x = 1 if Action = a; x = 0 if Action = b;",
    "fairness": "Fairness P.x = 1; end Fairness Groups p = {P}; e = {Environment}; end Groups",
}
ROUND = {"moves": UP, "stages": [NOTHING_LEFT]}
FAIR = {
    "formula": "EG true",
    "holds": True,
    "where": True,
    "moves": UP,
    "rounds": [ROUND],
}
START = [0, 0, 0]


def shown(
    formula: str, label: dict[str, Any], *further: dict[str, Any], value: bool, **more: Any
) -> str:
    """Return the solver that accepts a proof about the program above, or one that is changed."""
    told: dict[str, Any] = {"conditions": CONDITIONS, "state": None if value else START, **more}
    program = {**PROGRAM, **told.pop("program", {})}
    return verdict(formula, label, value=value, program=program, further=(FAIR, *further), **told)


def of_coalition(who: str, **label: Any) -> dict[str, Any]:
    """Return a label about whether some members can make all outcomes unfair."""
    return {"formula": f"<{{{who}}}>F false", "where": True, **label}


#: P stays at 0 for ever, where the constraint is not met.
WAITS = {
    "moves": [[True, {"P": "b"}, []]],
    "stages": [
        {"reason": "avoids", "parts": [2], "constraint": 0},
        NOTHING_LEFT,
    ],
}
NONE_WAITS = of_coalition("Environment", holds=False, moves=[[True, {"P": "a"}, []]])
CANNOT = {**NONE_WAITS, "rounds": [{"moves": [[True, {"P": "a"}, []]], "stages": [NOTHING_LEFT]}]}


@pytest.mark.parametrize("path", ["X P.x = 5", "F P.x = 5", "G P.x = 5", "(P.x = 7 U P.x = 8)"])
def test_who_can_make_all_outcomes_unfair_enforces_anything(path: str) -> None:
    off = of_coalition("P", holds=True, **WAITS)
    label = {"holds": True, "where": True, "stages": [NOTHING_LEFT]}

    assert shown(f"<p>{path}", label, off, value=True)
    with pytest.raises(Rejected):  # nobody says so
        shown(f"<p>{path}", label, value=True)


@pytest.mark.parametrize(
    ("stages", "moves"),
    [
        (WAITS["stages"], [[True, {"P": "a"}, []]]),  # the constraint is met
        ([{"reason": "avoids", "parts": [False], "constraint": 0}], WAITS["moves"]),
        ([NOTHING_LEFT], WAITS["moves"]),
        (WAITS["stages"], [[1, {"P": "b"}, []]]),  # nothing is said of x = 0
    ],
)
def test_outcomes_are_unfair_only_where_a_constraint_is_missed(stages: Any, moves: Any) -> None:
    label = {"holds": True, "where": True, "moves": WAITS["moves"], "stages": WAITS["stages"]}

    assert shown("<p>F false", label, value=True)
    with pytest.raises(Rejected):
        shown("<p>F false", {**label, "stages": stages, "moves": moves}, value=True)


@pytest.mark.parametrize("outside", ["", "AF<=0 ", "<e>G<=1 "])
@pytest.mark.parametrize("path", ["G<=1 P.x = 1", "F<=2 P.x = 5", "(P.x = 7 U<=1 P.x = 8)"])
def test_what_is_broken_at_first_does_not_count_where_all_is_unfair(
    path: str, outside: str
) -> None:
    # P can make all outcomes unfair, so it enforces each of these. Nobody has to say anything for that.
    rounds = [{"moves": [], "stages": [NOTHING_LEFT]}]
    empty = of_coalition("P", holds=False, moves=[], rounds=rounds)
    label = {"holds": False, "where": False}
    for further in ((), ({**empty, "where": False},)):
        with pytest.raises(Rejected, match="not shown to fail"):
            shown(f"{outside}<p>{path}", label, CANNOT, *further, value=False)


def test_somebody_else_keeps_outcomes_fair() -> None:
    answers = [[True, {"P": "a"}, []]]
    label = {"holds": False, "where": True, "moves": answers, "rounds": CANNOT["rounds"]}

    assert shown("<e>F P.x = 5", label, CANNOT, value=False, invariant=4)
    assert shown("<e>X P.x = 0", label, CANNOT, value=False)
    # Nobody says that the outcome can be made fair then.
    with pytest.raises(Rejected):
        shown("<e>X P.x = 0", label, value=False)
    for rounds in ([], [{"moves": [[True, {"P": "b"}, []]], "stages": [NOTHING_LEFT]}]):
        with pytest.raises(Rejected):
            shown("<e>F P.x = 5", {**label, "rounds": rounds}, CANNOT, value=False, invariant=4)
        with pytest.raises(Rejected):
            shown("<e>X P.x = 0", label, {**CANNOT, "rounds": rounds}, value=False)


@pytest.mark.parametrize("protocol", ["Environment.h = 0", "false"])
def test_an_outcome_that_ends_is_none_that_is_fair(protocol: str) -> None:
    # The environment may have nothing to do, so a choice of its has an answer wherever there is one.
    label = {"holds": False, "where": True, "moves": [[True, {"P": "a"}, []]]}
    program = {"environment": protocol}

    for path in ("F P.x = 5", "X P.x = 0"):
        with pytest.raises(Rejected, match="may end"):
            shown(
                f"<e>{path}", {**label, "rounds": CANNOT["rounds"]}, CANNOT, value=False,
                program=program,
            )  # fmt: skip


def test_all_fair_paths_tell_of_one_where_one_starts() -> None:
    label = {"holds": True, "where": True, "every": True, "moves": []}
    forever = {"initial": "P.x = 0", "evolution": "x = x if Action = a;"}

    assert shown("E (P.x >= 0 W P.x = 9)", {**label, "where": 3}, value=True, invariant=3)
    # Without fairness, there may be no path at all.
    for logic in ("", "CTL* "):
        program = {**forever, "protocol": "false"}
        with pytest.raises(Rejected):
            verdict(f"{logic}E G P.x = 9", label, value=True, program=program)
    # A coalition has no part in that.
    with pytest.raises(Rejected):
        shown("<p>G P.x = 0", {**label, "where": 0}, value=True)


@pytest.mark.parametrize(
    ("rounds", "where", "why"),
    [
        ([ROUND], True, ""),
        ([], True, "not a list"),
        ([{**ROUND, "moves": DOWN}], True, "stay where it should not"),
        ([ROUND], 1, "left"),
    ],
)
def test_a_fair_path_waits_for_what_need_not_come(rounds: Any, where: Any, why: str) -> None:
    label = {"holds": True, "where": where, "moves": DOWN, "rounds": rounds}
    formula = "E (P.x >= 0 W P.x = 9)"
    told: dict[str, Any] = {"invariant": 3}

    if why:
        with pytest.raises(Rejected):
            shown(formula, label, value=True, **told)
    else:
        assert shown(formula, label, value=True, **told)


# A path through a tableau. That of `G F x = 1` has two nodes: x = 1 later, or now.


def through(picks: Any = None, **label: Any) -> dict[str, Any]:
    """Return a label that says how a path goes: in the second node where x = 1, or else in the first one."""
    to_second = [[0, 1], [0, 1]]
    stages = [{"reason": "leaves", "parts": [False, False]}]
    rounds = [{"moves": [UP, UP], "picks": picks or to_second, "stages": stages}]
    moves = {"moves": [UP, UP], "rounds": rounds}
    return {"holds": True, "where": True, "nodes": [True, 1], **moves, **label}


def of_path(formula: str, label: dict[str, Any], *, value: bool = True) -> str:
    """Return the solver that accepts a proof about the program without fairness."""
    program = {"evolution": PROGRAM["evolution"]}
    told: dict[str, Any] = {"conditions": CONDITIONS, "state": None if value else START}
    return verdict(formula, label, value=value, program=program, **told)


def test_some_path_goes_through_a_tableau() -> None:
    assert of_path("CTL* E (G F P.x = 1)", through())


def test_what_all_paths_should_do_is_not_done_by_one() -> None:
    assert of_path("CTL* A !(G F P.x = 1)", through(holds=False), value=False)
    assert of_path("LTL !(G F P.x = 1)", through(holds=False), value=False)


@pytest.mark.parametrize(
    "label",
    [
        through(rounds=[]),
        through(nodes=[True, True]),  # the second says that x = 1
        through(nodes=[True, False]),
        through(nodes=[False, 1]),
        through(nodes=[1, 1]),
        through(moves=[UP, []]),
        through(moves=[UP]),
        through(rounds=[{**through()["rounds"][0], "moves": [DOWN, UP]}]),
        through(rounds=[{**through()["rounds"][0], "stages": []}]),
        through(picks=[[True, False], [0, 1]]),  # it is put off again and again
        through(picks=[[0, False], [0, 1]]),  # no node is picked where x = 1
        through(picks=[[0, 1]]),
    ],
)
def test_a_path_that_does_not_go_through_a_tableau_is_refused(label: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        of_path("CTL* E (G F P.x = 1)", label)


def test_a_path_through_a_tableau_has_to_be_fair() -> None:
    # One that stays at 0 is as it should be, and it is not fair.
    stays: dict[str, Any] = {"moves": [DOWN], "picks": [[True]], "stages": [NOTHING_LEFT]}
    label = {"holds": True, "where": True, "nodes": [True], "moves": [DOWN], "rounds": [stays]}
    formula = "CTL* E (G P.x <= 1 and G true)"

    def check(label: dict[str, Any]) -> str:
        return shown(formula, label, value=True, invariant=4)

    with pytest.raises(Rejected):
        check(label)
    with pytest.raises(Rejected):
        check({**label, "rounds": []})
    assert check({**label, "rounds": [{**stays, "moves": [UP]}]})


def test_a_tableau_of_some_path_says_nothing_of_coalitions_or_finite_runs() -> None:
    for formula in ("E F P.x = 1", "<p>F P.x = 1"):
        with pytest.raises(Rejected):
            verdict(
                formula, through(), value=True, conditions=CONDITIONS,
                program={**PROGRAM, "fairness": "Groups p = {P}; end Groups"},
            )  # fmt: skip


# Constraints that are no conditions on states have labels of their own.


@pytest.mark.parametrize(
    ("constraint", "label", "why"),
    [
        ("EX (P.x = 1)", {"moves": UP}, ""),
        ("EX (P.x = 1)", {"moves": DOWN}, "next state"),
        ("EX (P.x = 1)", None, "stay"),
        ("AX (P.x = 1)", {"moves": []}, "next state"),
        ("K(Environment, (P.x = 1))", {"moves": []}, "looks the same"),
        ("K(P, (P.x = 1))", {"where": 1}, ""),
    ],
)
def test_constraints_are_met_where_their_labels_say(
    constraint: str, label: dict[str, Any] | None, why: str
) -> None:
    whole = {"formula": constraint, "holds": True, "where": True, **(label or {})}
    program = {"fairness": f"Fairness {constraint}; end Fairness"}

    def check(**more: Any) -> str:
        rounds = {"moves": UP, "rounds": [ROUND]}
        lasts = {"holds": True, "where": True, **rounds}
        return shown(
            "E (P.x >= 0 W P.x = 9)", lasts, value=True, invariant=3, program=program, **more
        )

    if why:
        with pytest.raises(Rejected):
            check(constraints=[[whole] if label else []])
    else:
        assert check(constraints=[[whole]])
        others: list[Any] = [[], [[]], [[whole], []]]
        for other in others:
            with pytest.raises(Rejected):
                check(constraints=other)
    # A label under fairness is none without.
    with pytest.raises(Rejected):
        shown(
            "E (P.x >= 0 W P.x = 9)", {"holds": True, "where": True, "moves": UP, "rounds": [ROUND]},
            whole, value=True, invariant=3, program=program,
        )  # fmt: skip


def test_members_choose_events_in_a_constraint_as_elsewhere() -> None:
    source = """
Semantics = Interleaved;
Agent P
  Vars: x : int; end Vars
  Actions = {a}; Protocol: Other : {a}; end Protocol
  Evolution: x = P.x + 1 if Action = a; end Evolution
end Agent
InitStates P.x = 0; end InitStates
Formulae EG true; end Formulae
"""
    loaded = load_text(source)
    assert loaded.system is not None, loaded.diagnostics
    constraint = Enforces(Group(("P",), "p"), Next(Constant(True)))
    system = replace(loaded.system, fairness=(Specification(constraint, "fair"),))
    moves = [[True, {"Scheduler": "a"}, []]]
    lasts = {"moves": moves, "rounds": [{"moves": moves, "stages": [NOTHING_LEFT]}]}
    fair = {"formula": "EG true", "holds": True, "where": True, **lasts}
    [asked] = system.specifications

    def check(**label: Any) -> str:
        told = {"formula": "<{P}>X true", "holds": True, "where": True, **label}
        nothing: dict[str, Any] = {"quantities": [], "conditions": [], "invariant": True}
        data = {**nothing, "labels": [fair], "constraints": [[told]], "state": None}
        return check_conditions(system, asked, data, Budget(9), value=True)

    assert check(moves=[[True, {"P": "a"}, []]])
    for wrong in ([[True, {"P": "-"}, []]], moves, []):
        with pytest.raises(Rejected):
            check(moves=wrong)
