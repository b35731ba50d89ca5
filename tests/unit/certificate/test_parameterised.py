"""Certificates for any number of agents, written by hand: what is accepted, and what is not."""

import sys
from copy import deepcopy
from dataclasses import replace as with_fields
from typing import Any

import pytest

from gnomon.certificate import solvers
from gnomon.certificate.verify import ProofOutcome
from gnomon.checking.check import Options, check
from gnomon.model import expression as plain
from gnomon.model.budget import Budget
from gnomon.model.parameterised.condition import SELF, And, Holds, Related
from gnomon.model.parameterised.system import OpenSystem
from gnomon.text.record import replace
from gnomon.text.source import Source
from tests.certificates import verified, verified_with
from tests.populations import read

SOLVERS = pytest.mark.parametrize("solver", solvers.SOLVERS)


def lock(
    kind: str = "one",
    bounds: str = "",
    clash: str = "exists i : P (exists j : P (i != j and i.at = within and j.at = within))",
) -> OpenSystem:
    """One lock, and a critical section that one agent, or several, enter at once."""
    return read(f"""
Environment
  Vars: free : boolean; end Vars
  Sync = {{ enter : {kind}, leave : one }};
  Protocol:
    free = true : {{ enter }};
    free = false : {{ leave }};
  end Protocol
  Evolution:
    free = false if Action = enter;
    free = true if Action = leave;
  end Evolution
end Environment
Template P {bounds}
  Vars: at : {{ out, within }}; end Vars
  Sync = {{ enter, leave }};
  Protocol:
    at = out : {{ enter }};
    at = within : {{ leave }};
  end Protocol
  Evolution:
    at = within if Action = enter;
    at = out if Action = leave;
  end Evolution
end Template
Evaluation
  clash if {clash};
  taken if exists i : P (i.at = within);
end Evaluation
InitStates Environment.free = true and P.at = out; end InitStates
Formulae AG !clash; EF clash; EF taken; end Formulae
""")


INSIDE = [[["at", ["within"]]]]
NEVER_TWO: Any = {
    "kind": "avoided",
    "within": {"Environment": [[]], "P": [[]]},
    "cubes": [
        {"environment": [[]], "agents": [["P", INSIDE], ["P", INSIDE]], "facts": []},
        {"environment": [[["free", [True]]]], "agents": [["P", INSIDE]], "facts": []},
    ],
}


def door(axioms: str = "", bad: str = "i.at = vault") -> OpenSystem:
    """Agents who open doors for each other, if the doors are where they should be."""
    return read(f"""
Types Room : {{ hall, vault }}; end Types
Relations Door : Room * Room; Guard : Room -> Room; end Relations
{axioms}
Environment
  Vars: alarm : boolean; end Vars
  Actions = {{ ring }};
  Protocol: exists i : R (i.at = vault) : {{ ring }}; end Protocol
  Evolution: alarm = true if Action = ring; end Evolution
end Environment
Template R
  Vars: at : Room; tired : boolean; end Vars
  Actions = {{ walk, rest, flee }};
  Protocol:
    Door(at, vault) and tired = false and exists j : R (j != self and j.tired = true) : {{ walk }};
    true : {{ rest }};
    Environment.alarm = true : {{ flee }};
  end Protocol
  Evolution:
    at = vault if Action = walk;
    tired = true if Action = rest;
    at = Guard(at) if Action = flee;
  end Evolution
end Template
Evaluation bad if exists i : R ({bad}); end Evaluation
InitStates Environment.alarm = false and R.at = hall and R.tired = false; end InitStates
Formulae AG !bad; EF bad; AG (R.tired = true -> K(R, Environment.alarm = false)); end Formulae
""")


CLOSED = "Axioms !Door(hall, vault); end Axioms"
NOBODY: Any = {
    "kind": "occupied",
    "cases": [
        {"environment": [False], "occupied": {"R": [[["at", ["hall"]]]]}, "facts": []},
    ],
}


def outcome(
    system: OpenSystem, proof: Any, number: int = 1, *, value: bool = True, **given: Any
) -> ProofOutcome:
    question = system.questions[number - 1]
    entry = {
        "index": number,
        "formula": question.text,
        "parsed": question.parsed,
        "logic": "CTL",
        "strategies": None,
        "verdict": "true" if value else "false",
        "proof": proof,
        "reason": "",
    }
    [found] = verified_with(system, {"verdicts": [entry]}, lambda _: question, **given)
    return found


def invariant(system: OpenSystem, data: Any, **given: Any) -> ProofOutcome:
    return outcome(system, {"kind": "invariant", "invariant": data}, **given)


def changed(data: Any, *path: Any, to: Any) -> Any:
    copy = deepcopy(data)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return copy


def without(data: Any, *path: Any) -> Any:
    copy = deepcopy(data)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy


# Invariants


@SOLVERS
def test_what_never_is(solver: str) -> None:
    assert invariant(lock(), NEVER_TWO, solvers=(solver,)).accepted


@SOLVERS
def test_where_agents_may_be(solver: str) -> None:
    assert invariant(door(CLOSED), NOBODY, solvers=(solver,)).accepted


def test_an_invariant_is_evidence_that_something_is_not_reached() -> None:
    assert invariant(lock(), NEVER_TWO, number=2, value=False).accepted
    assert not invariant(lock(), NEVER_TWO, number=2).accepted
    assert "the opposite" in invariant(lock(), NEVER_TWO, value=False).why


@SOLVERS
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (without(NEVER_TWO, "cubes", 0), "does not exclude what is bad"),
        (without(NEVER_TWO, "cubes", 1), "by `enter`, it is left"),
        (changed(NEVER_TWO, "cubes", 1, "environment", to=[[]]), "by `enter`, it is left"),
        (changed(NEVER_TWO, "cubes", 1, "agents", 0, 1, to=[[]]), "initial configuration"),
        (changed(NEVER_TWO, "within", "P", to=INSIDE), "initial configuration"),
        (changed(NEVER_TWO, "within", "Environment", to=[]), "initial configuration"),
        (changed(NEVER_TWO, "within", "P", to=[[["at", ["out"]]]]), "by `enter`, it is left"),
        (
            changed(NEVER_TWO, "within", "Environment", to=[[["free", [True]]]]),
            "by `enter`, it is left",
        ),
        (changed(NEVER_TWO, "cubes", 0, "agents", 1, 1, to=[]), "does not exclude what is bad"),
    ],
)
def test_what_is_no_invariant_of_the_lock(data: Any, why: str, solver: str) -> None:
    found = invariant(lock(), data, solvers=(solver,))
    assert found.accepted is False
    assert why in found.why


@SOLVERS
@pytest.mark.parametrize(
    ("axioms", "data", "why"),
    [
        ("", NOBODY, "by local actions, it is left"),
        ("Axioms !Door(vault, vault); end Axioms", NOBODY, "by local actions, it is left"),
        (CLOSED, changed(NOBODY, "cases", 0, "occupied", "R", to=[[]]), "does not exclude"),
        (CLOSED, changed(NOBODY, "cases", to=[]), "initial configuration"),
        (CLOSED, changed(NOBODY, "cases", 0, "environment", to=[True]), "initial configuration"),
        (
            CLOSED,
            changed(NOBODY, "cases", 0, "occupied", "R", 0, to=[["tired", [True]]]),
            "initial configuration",
        ),
        (
            CLOSED,
            changed(
                NOBODY, "cases", 0, "occupied", "R", 0, to=[["at", ["hall"]], ["tired", [False]]]
            ),
            "by local actions, it is left",
        ),
        # Some fact decides whether there is a case at all.
        (
            CLOSED,
            changed(NOBODY, "cases", 0, "facts", to=[["Door", ["vault", "hall"], True, True]]),
            "initial configuration",
        ),
    ],
)
def test_what_is_no_invariant_of_the_door(axioms: str, data: Any, why: str, solver: str) -> None:
    found = invariant(door(axioms), data, solvers=(solver,))
    assert found.accepted is False
    assert why in found.why


@SOLVERS
def test_cases_by_facts_have_to_cover_all(solver: str) -> None:
    system = door("Axioms Guard(vault) = hall; end Axioms", "i.at = vault and i.tired = true")
    fact = ["Door", ["hall", "vault"], True]
    hall: Any = [[["at", ["hall"]]]]
    shut = {"environment": [False], "occupied": {"R": hall}, "facts": [[*fact, False]]}
    open_ = {"environment": [False], "occupied": {"R": [[]]}, "facts": [[*fact, True]]}
    rung = changed(open_, "environment", to=[True])
    data = {"kind": "occupied", "cases": [shut, open_, rung]}
    tired = invariant(system, data, solvers=(solver,))
    assert "does not exclude" in tired.why
    never = door("Axioms Guard(vault) = hall; end Axioms", "i.at = vault and i.at = hall")
    assert invariant(never, data, solvers=(solver,)).accepted
    for missing in range(3):
        assert (
            invariant(never, without(data, "cases", missing), solvers=(solver,)).accepted is False
        )


@SOLVERS
def test_looked_up_values_are_followed(solver: str) -> None:
    """Where an agent flees to depends on a fact; without an axiom it may be the vault."""
    anywhere = {"environment": [True], "occupied": {"R": [[["at", ["hall"]]]]}, "facts": []}
    data = changed(NOBODY, "cases", to=[*NOBODY["cases"], anywhere])
    closed = "Axioms !Door(hall, vault); Guard(hall) = hall; end Axioms"
    assert invariant(door(closed), data, solvers=(solver,)).accepted
    assert "it is left" in invariant(door(CLOSED), data, solvers=(solver,)).why


@SOLVERS
@pytest.mark.parametrize(
    "data",
    [
        {"kind": "avoided", "within": {"Environment": [[]], "P": [[]]}, "cubes": []},
        {
            "kind": "occupied",
            "cases": [
                {"environment": [value], "occupied": {"P": [[]]}, "facts": []}
                for value in (False, True)
            ],
        },
    ],
)
def test_that_anything_goes_proves_nothing(data: Any, solver: str) -> None:
    for kind in ("some", "one", "all"):
        assert "does not exclude" in invariant(lock(kind), data, solvers=(solver,)).why


@SOLVERS
def test_the_number_of_agents_counts(solver: str) -> None:
    nothing = changed(NEVER_TWO, "cubes", to=[])
    assert invariant(lock("some", "[0..1]"), nothing, solvers=(solver,)).accepted
    assert invariant(lock("all", "[0..1]"), nothing, solvers=(solver,)).accepted
    assert invariant(lock("some", "[0..2]"), nothing, solvers=(solver,)).accepted is False


@SOLVERS
@pytest.mark.parametrize("kind", ["some", "all"])
def test_how_many_take_part_counts(kind: str, solver: str) -> None:
    assert "by `enter`, it is left" in invariant(lock(kind), NEVER_TWO, solvers=(solver,)).why


@SOLVERS
def test_cubes_with_as_many_agents_as_there_are_count(solver: str) -> None:
    system = lock("some", "[0..2]")
    assert "by `enter`, it is left" in invariant(system, NEVER_TWO, solvers=(solver,)).why
    third = "exists i, j, k : P (i != j and i.at = within and j.at = within)"
    three = lock("some", "[0..2]", third)
    nothing = changed(NEVER_TWO, "cubes", to=[])
    assert "does not exclude" in invariant(three, nothing, solvers=(solver,)).why


PAIR = """
Environment
  Sync = { go };
  Protocol: true : { go }; end Protocol
end Environment
Template First
  Vars: at : { a, b, c }; end Vars
  Sync = { go };
  Protocol: at = c : { go }; end Protocol
end Template
Template Second
  Vars: at : { a, b, c }; end Vars
  Sync = { go };
  Protocol: true : { go }; end Protocol
  Evolution:
    at = b if Action = go and at = a;
    at = c if Action = go and at = b;
  end Evolution
end Template
Evaluation bad if exists i : Second (i.at = BAD); end Evaluation
InitStates First.at = a and Second.at = a; end InitStates
Formulae AG !bad; end Formulae
"""


@SOLVERS
@pytest.mark.parametrize("bad", ["b", "c"])
def test_every_template_and_every_line_counts(bad: str, solver: str) -> None:
    """Nobody of the first template takes part, and it takes the second line to get to `c`."""
    system = read(PAIR.replace("BAD", bad))
    where = [[["at", [value for value in "abc" if value < bad]]]]
    anywhere: Any = [[]]
    start: Any = [[["at", ["a"]]]]
    cases = {
        "kind": "occupied",
        "cases": [{"environment": [], "occupied": {"First": start, "Second": where}, "facts": []}],
    }
    within = {"Environment": anywhere, "First": start, "Second": where}
    cubes = {"kind": "avoided", "within": within, "cubes": []}
    for data in (cases, cubes):
        assert "by `go`, it is left" in invariant(system, data, solvers=(solver,)).why
    never = read(PAIR.replace("i.at = BAD", "i.at = a and i.at = b"))
    assert invariant(
        never, changed(cubes, "within", "Second", to=anywhere), solvers=(solver,)
    ).accepted


RISING = """
Environment
  Vars: c : 0..2; end Vars
  Sync = { up : all };
  Protocol: true : { up }; end Protocol
  Evolution: c = c + 1 if Action = up; end Evolution
end Environment
Template T
  Vars: n : 0..1; end Vars
  Sync = { up };
  Protocol: true : { up }; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Template
Evaluation bad if exists i : T (i.n = 1 and Environment.c = 2); end Evaluation
InitStates Environment.c = 0 and T.n = 0; end InitStates
Formulae AG !bad; end Formulae
"""


@SOLVERS
def test_who_would_leave_its_range_stays_behind(solver: str) -> None:
    """All take part who can: an agent that is at the top already cannot."""
    cubes = [
        {"environment": [[["c", [c]]]], "agents": [["T", [[["n", [n]]]]]], "facts": []}
        for c, n in ((0, 1), (1, 0), (2, 0), (2, 1))
    ]
    data = {"kind": "avoided", "within": {"Environment": [[]], "T": [[]]}, "cubes": cubes}
    assert "by `up`, it is left" in invariant(read(RISING), data, solvers=(solver,)).why
    low = read(RISING.replace("i.n = 1 and", "i.n = 0 and"))
    kept = changed(data, "cubes", to=cubes[:3])
    assert invariant(low, kept, solvers=(solver,)).accepted


SPLIT = """
Types D : { a, b }; end Types
Relations Fact : D; end Relations
Environment
  Vars: x : boolean; end Vars
  Actions = { go };
  Protocol: true : { go }; end Protocol
  Evolution: x = true if Action = go; end Evolution
end Environment
Template T
  Vars: at : D; end Vars
  Actions = { move };
  Protocol: Environment.x = true and Fact(at) : { move }; end Protocol
  Evolution: at = b if Action = move; end Evolution
end Template
Evaluation bad if exists i : T (i.at = b and !Fact(a)); end Evaluation
InitStates Environment.x = false and T.at = a; end InitStates
Formulae AG !bad; end Formulae
"""


@SOLVERS
def test_the_cases_after_a_step_have_to_cover_all_facts(solver: str) -> None:
    system = read(SPLIT)

    def case(where: str, *facts: Any, x: bool = True) -> Any:
        occupied = {"T": [[["at", list(where)]]]}
        return {"environment": [x], "occupied": occupied, "facts": list(facts)}

    so, not_so = ["Fact", ["a"], True, True], ["Fact", ["a"], True, False]
    cases = [case("a", x=False), case("ab", so), case("a", not_so)]
    assert invariant(system, {"kind": "occupied", "cases": cases}, solvers=(solver,)).accepted
    for missing in range(3):
        left = cases[:missing] + cases[missing + 1 :]
        found = invariant(system, {"kind": "occupied", "cases": left}, solvers=(solver,))
        assert found.accepted is False


@SOLVERS
def test_what_every_agent_must_be_is_asked_of_those_that_are_named(solver: str) -> None:
    """Agents enter only where nobody is; two at once are too many, one after the other is not."""
    text = """
Environment
  Sync = { enter : one };
  Protocol: true : { enter }; end Protocol
end Environment
Template P
  Vars: at : { out, within }; end Vars
  Sync = { enter };
  Protocol: forall j : P (j.at = out) : { enter }; end Protocol
  Evolution: at = within if Action = enter; end Evolution
end Template
Evaluation
  clash if exists i : P (exists j : P (i != j and i.at = within and j.at = within));
end Evaluation
InitStates P.at = out; end InitStates
Formulae AG !clash; end Formulae
"""
    data = changed(NEVER_TWO, "cubes", to=NEVER_TWO["cubes"][:1])
    assert invariant(read(text), data, solvers=(solver,)).accepted
    several = read(text.replace("enter : one", "enter"))
    assert "by `enter`, it is left" in invariant(several, data, solvers=(solver,)).why
    careless = read(text.replace("forall j : P (j.at = out)", "at = out"))
    assert "by `enter`, it is left" in invariant(careless, data, solvers=(solver,)).why


@SOLVERS
def test_what_is_looked_for_for_every_agent_is_taken_to_be_there(solver: str) -> None:
    kept = "forall j : P (exists k : P (k.at = out and (k = j or j.at = within)))"
    system = read(NESTED.replace("GUARD", kept))
    data = changed(NEVER_TWO, "cubes", to=[])
    never = changed(data, "within", "P", to=[[["at", ["out"]]]])
    assert "by local actions, it is left" in invariant(system, never, solvers=(solver,)).why


NESTED = """
Environment
end Environment
Template P
  Vars: at : { out, within }; end Vars
  Actions = { enter };
  Protocol: GUARD : { enter }; end Protocol
  Evolution: at = within if Action = enter; end Evolution
end Template
Evaluation bad if exists i : P (i.at = within); end Evaluation
InitStates P.at = out; end InitStates
Formulae AG !bad; end Formulae
"""


N = plain.Read(SELF, "n")
ABOVE = plain.Sum((N, plain.Literal(1)))


@SOLVERS
def test_relations_hold_of_values_of_their_types_only(solver: str) -> None:
    """What is asked outside the type does not hold, and a value outside that of a variable is not taken."""
    system = read("""
Types N : 0..3; D : { a, b, c }; end Types
Relations R : N; Next : D -> D; end Relations
Axioms Next(a) = c; end Axioms
Environment
end Environment
Template T
  Vars: n : 0..3; at : { a, b }; bad : boolean; end Vars
  Actions = { up, go, on };
  Protocol:
    true : { up };
    R(n) : { go };
    at = a : { on };
  end Protocol
  Evolution:
    n = n + 1 if Action = up;
    bad = true if Action = go or Action = on;
    at = Next(at) if Action = on;
  end Evolution
end Template
Evaluation bad if exists i : T (i.bad = true); end Evaluation
InitStates T.n = 0 and T.at = a and T.bad = false; end InitStates
Formulae AG !bad; end Formulae
""")
    (template,) = system.templates
    outside = And((Holds(plain.Compare("=", N, plain.Literal(3))), Related("R", (ABOVE,))))
    guards = {**template.guards, "go": outside}
    system = with_fields(system, templates=(replace(template, guards=guards),))
    good: Any = [[["bad", [False]]]]
    cubes = {"kind": "avoided", "within": {"Environment": [[]], "T": good}, "cubes": []}
    case = {"environment": [], "occupied": {"T": good}, "facts": []}
    assert invariant(system, cubes, solvers=(solver,)).accepted
    assert invariant(system, {"kind": "occupied", "cases": [case]}, solvers=(solver,)).accepted
    free = with_fields(system, axioms=())
    assert "it is left" in invariant(free, cubes, solvers=(solver,)).why


@SOLVERS
def test_an_agent_that_is_looked_for_need_not_be_there(solver: str) -> None:
    """No agent can start, so that there is none; what the environment does is bad all the same."""
    system = read("""
Environment
  Vars: x : boolean; end Vars
  Actions = { go };
  Protocol: true : { go }; end Protocol
  Evolution: x = true if Action = go; end Evolution
end Environment
Template T
  Vars: at : { a, b }; end Vars
end Template
Evaluation bad if (exists i : T (i.at = b)) or Environment.x = true; end Evaluation
InitStates Environment.x = false and T.at = a and T.at = b; end InitStates
Formulae AG !bad; end Formulae
""")
    nobody = {"environment": [[]], "agents": [["T", [[]]]], "facts": []}
    data = {"kind": "avoided", "within": {"Environment": [[]], "T": [[]]}, "cubes": [nobody]}
    assert "does not exclude" in invariant(system, data, solvers=(solver,)).why
    still = changed(data, "within", "Environment", to=[[["x", [False]]]])
    assert "it is left" in invariant(system, still, solvers=(solver,)).why


COUNTING = """
Types N : 0..6; end Types
Relations Odd : N; end Relations
Environment
  Vars: t : 0..3; end Vars
  Actions = { tick };
  Protocol: t * t < 9 : { tick }; end Protocol
  Evolution: t = t + 1 if Action = tick; end Evolution
end Environment
Template T
  Vars: n : 0..6; low : boolean; end Vars
  Actions = { double, half, rest, jump, under };
  Protocol:
    n = 0 or n = 2 : { double };
    true : { half };
    n mod 2 = Environment.t mod 2 and !Odd(n) : { rest };
    n > Environment.t + 4 : { jump };
    true : { under };
  end Protocol
  Evolution:
    n = 2 * n + 2 if Action = double;
    n = n / 2 if Action = half;
    n = n - Environment_less if Action = under;
    low = (n div 2 = 1) if Action = rest;
  end Evolution
end Template
Evaluation
  five if exists i : T (i.n = 5);
  seven if exists i : T (i.n * 2 - 1 >= 11 or -i.n > 0);
  low if exists i : T (i.low = true and i.n = 6);
end Evaluation
InitStates Environment.t = 0 and T.n = 0 and T.low = false; end InitStates
Formulae AG !five; AG !seven; AG !low; end Formulae
""".replace("n = n - Environment_less if", "n = n - 4 if").replace(
    "low = (n div 2 = 1) if Action = rest", "low = true if Action = rest and n div 2 = 1"
)


@SOLVERS
def test_arithmetic_is_that_of_the_reference_semantics(solver: str) -> None:
    system = read(COUNTING)
    result = check(system, None, Options(certificate=True), source=Source("n", COUNTING))
    assert [verdict.value.value for verdict in result] == ["true", "false", "false"]
    assert result.certificate is not None
    for entry in result.certificate["verdicts"]:
        assert entry["reason"] == ""
        number, value = entry["index"], entry["verdict"] == "true"
        assert outcome(system, entry["proof"], number, value=value, solvers=(solver,)).accepted
        assert not outcome(
            system, entry["proof"], number, value=not value, solvers=(solver,)
        ).accepted


# Shapes


@pytest.mark.parametrize(
    "data",
    [
        None,
        1,
        [],
        {},
        {"kind": "labels"},
        {"kind": ["avoided"]},
        {"kind": "avoided"},
        {"kind": "occupied", "cases": {}},
        {"kind": "occupied", "cases": [1]},
        {"kind": "occupied", "cases": [{"environment": [False], "occupied": {}, "facts": []}]},
        without(NEVER_TWO, "within", "P"),
        without(NEVER_TWO, "cubes", 0, "agents"),
        changed(NEVER_TWO, "cubes", to=None),
        changed(NEVER_TWO, "cubes", to={}),
        changed(NEVER_TWO, "cubes", 0, to=[]),
        changed(NEVER_TWO, "cubes", 0, "agents", to="P"),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, to=["Q", []]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, to=["Environment", []]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, to=[[], []]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to={}),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to=[[["at", ["nowhere"]]]]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to=[[["free", [True]]]]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to=[[["at", "within"]]]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to=[[["at", [["within"]]]]]),
        changed(NEVER_TWO, "cubes", 0, "agents", 0, 1, to=[[["at", ["out"]], ["at", ["within"]]]]),
        changed(NEVER_TWO, "cubes", 1, "environment", to=[[["free", [1]]]]),
        changed(NEVER_TWO, "cubes", 0, "facts", to=[["Door", [], True, True]]),
        changed(NEVER_TWO, "cubes", 0, "facts", to=[[[], [], True, True]]),
        changed(NEVER_TWO, "cubes", 0, "facts", to=[1]),
        changed(NEVER_TWO, "cubes", 0, "facts", to=""),
    ],
)
def test_what_has_another_shape_is_refused(data: Any) -> None:
    found = invariant(lock(), data)
    assert found.accepted is False
    assert found.why


@pytest.mark.parametrize(
    "fact",
    [
        ["Door", ["hall"], True, True],
        ["Door", ["hall", 1], True, True],
        ["Door", ["hall", "vault"], 1, True],
        ["Door", ["hall", "vault"], False, True],
        ["Door", ["hall", "vault"], True, 1],
        ["Guard", ["hall"], True, True],
        ["Guard", ["hall"], "nowhere", True],
        ["Gate", ["hall"], True, True],
    ],
)
def test_facts_that_are_none_are_refused(fact: Any) -> None:
    found = invariant(door(CLOSED), changed(NOBODY, "cases", 0, "facts", to=[fact]))
    assert found.accepted is False


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("formula", "AG !taken", "another text"),
        ("parsed", "AG !(true)", "another one"),
        ("logic", "LTL", "another logic"),
        ("strategies", "uniform", "read in another way"),
        ("verdict", "unknown", "the opposite"),
        ("proof", {"kind": "labels"}, "unknown kind of proof"),
        ("proof", {}, "not well formed"),
    ],
)
def test_entries_have_to_fit(key: str, value: Any, why: str) -> None:
    system = lock()
    entry = {
        "index": 1,
        "formula": system.questions[0].text,
        "parsed": system.questions[0].parsed,
        "logic": "CTL",
        "strategies": None,
        "verdict": "true",
        "proof": {"kind": "invariant", "invariant": NEVER_TWO},
        "reason": "",
    }
    [found] = verified(system, {"verdicts": [{**entry, key: value}]}, system.questions)
    assert found.accepted is False
    assert why in found.why


def test_without_a_proof_it_stays_open() -> None:
    system = lock()
    assert outcome(system, None).accepted is None


# Limits and solvers


def test_limits() -> None:
    assert invariant(lock(), NEVER_TWO, budget=Budget(seconds=0)).accepted is None
    many = changed(NEVER_TWO, "cubes", to=NEVER_TWO["cubes"] * 20_000)
    assert "more than 20,000 cubes" in invariant(lock(), many).why
    crowd = changed(NEVER_TWO, "cubes", 0, "agents", to=[["P", INSIDE]] * 50)
    assert "more than 40 agents" in invariant(lock(), crowd).why
    boxes = changed(NEVER_TWO, "within", "P", to=[[]] * 600_000)
    assert "boxes" in invariant(lock(), boxes).why


def test_without_cvc5_z3_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    assert invariant(lock(), NEVER_TWO).accepted
    assert invariant(lock(), NEVER_TWO, solvers=("cvc5",)).accepted is None


class Silent:
    """A solver without an answer."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def ask(self, text: str) -> str:
        if "check-sat" in text and not self.answer:
            raise RuntimeError
        return self.answer if "check-sat" in text else ""


@pytest.mark.parametrize("answer", ["unknown", "(error x)", ""])
def test_where_one_solver_has_no_answer_the_next_is_asked(
    monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setitem(solvers._BACKENDS, "cvc5", lambda _: Silent(answer))
    assert invariant(lock(), NEVER_TWO).accepted
    found = invariant(lock(), NEVER_TWO, solvers=("cvc5",))
    assert found.accepted is None
    assert "no solver" in found.why


# Runs


ENTER: Any = {
    "kind": "population-run",
    "members": ["P", "P"],
    "agent": None,
    "runs": [
        {
            "facts": [],
            "start": [[True], [["out"], ["out"]]],
            "events": [["enter", ["enter", "enter"]]],
        }
    ],
}


def run(system: OpenSystem, proof: Any, number: int = 1, *, value: bool = False) -> ProofOutcome:
    return outcome(system, proof, number, value=value)


def test_a_run_to_what_is_bad() -> None:
    assert run(lock("some"), ENTER).accepted
    assert run(lock("all"), ENTER).accepted
    assert run(lock("some"), ENTER, 2, value=True).accepted
    assert "event 1 cannot happen" in run(lock("one"), ENTER).why
    assert "the opposite" in run(lock("some"), ENTER, value=True).why


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed(ENTER, "members", to=["P"]), "a state for each agent"),
        (changed(ENTER, "members", to=["P", "Environment"]), "no such template"),
        (changed(ENTER, "members", to=["P", 1]), "no such template"),
        (changed(ENTER, "members", to="PP"), "no list"),
        (changed(ENTER, "agent", to=0), "one run"),
        (changed(ENTER, "runs", to=ENTER["runs"] * 2), "one run"),
        (changed(ENTER, "runs", to={}), "no list"),
        (changed(ENTER, "runs", 0, "events", to=[]), "does not end where it should"),
        (changed(ENTER, "runs", 0, "events", 0, 1, to=["enter", None]), "does not end"),
        (changed(ENTER, "runs", 0, "events", 0, 1, to=[None, None]), "event 1 cannot happen"),
        (changed(ENTER, "runs", 0, "events", 0, 1, to=["enter"]), "an action for each agent"),
        (changed(ENTER, "runs", 0, "events", 0, 1, to=["enter", 1]), "not an action"),
        (changed(ENTER, "runs", 0, "events", 0, 0, to=None), "event 1 cannot happen"),
        (changed(ENTER, "runs", 0, "events", 0, 0, to="leave"), "event 1 cannot happen"),
        (changed(ENTER, "runs", 0, "events", 0, 0, to="fly"), "event 1 cannot happen"),
        (changed(ENTER, "runs", 0, "events", to=[[]]), "not well formed"),
        (changed(ENTER, "runs", 0, "events", to=[None]), "not well formed"),
        (changed(ENTER, "runs", 0, "events", to="x"), "no list"),
        (changed(ENTER, "runs", 0, "start", to=[[False], [["out"], ["out"]]]), "start so"),
        (changed(ENTER, "runs", 0, "start", to=[[1], [["out"], ["out"]]]), "not a value"),
        (changed(ENTER, "runs", 0, "start", to=[[True], [["within"], ["out"]]]), "starts so"),
        (changed(ENTER, "runs", 0, "start", to=[[True], [["in"], ["out"]]]), "not a value"),
        (changed(ENTER, "runs", 0, "start", to=[[True], [[], ["out"]]]), "not a state"),
        (changed(ENTER, "runs", 0, "start", to=[[], [["out"], ["out"]]]), "not a state"),
        (changed(ENTER, "runs", 0, "facts", to=[["Door", [], True]]), "no such relation"),
        (changed(ENTER, "runs", 0, "facts", to=None), "no list"),
        (without(ENTER, "runs", 0, "facts"), "not well formed"),
        (without(ENTER, "members"), "not well formed"),
    ],
)
def test_what_is_no_run(data: Any, why: str) -> None:
    found = run(lock("some"), data)
    assert found.accepted is False
    assert why in found.why


@pytest.mark.parametrize("bounds", ["[0..1]", "[3..*]", "[1..1]"])
def test_there_are_as_many_agents_as_there_may_be(bounds: str) -> None:
    assert "there cannot be 2 agents" in run(lock("some", bounds), ENTER).why


def test_too_much_to_replay_stays_open() -> None:
    crowd = changed(ENTER, "members", to=["P"] * 20_000)
    assert run(lock("some"), crowd).accepted is None
    hall = [["hall", False]] * 5_000
    run_ = {"facts": [], "start": [[False], hall], "events": [["ring", [None] * 5_000]]}
    proof = {"kind": "population-run", "members": ["R"] * 5_000, "agent": None, "runs": [run_]}
    assert "too long" in run(door(), proof).why


WALK: Any = {
    "kind": "population-run",
    "members": ["R", "R"],
    "agent": None,
    "runs": [
        {
            "facts": [["Door", ["hall", "vault"], True], ["Guard", ["hall"], "hall"]],
            "start": [[False], [["hall", False], ["hall", False]]],
            "events": [[None, [None, "rest"]], [None, ["walk", None]]],
        }
    ],
}


def test_the_facts_of_a_run() -> None:
    facts = ("runs", 0, "facts")
    assert run(door(), WALK).accepted
    assert "contradict the axioms" in run(door(CLOSED), WALK).why
    # What is not said can be so that the axioms hold, or does not.
    assert run(door("Axioms Guard(vault) = vault; Door(vault, hall); end Axioms"), WALK).accepted
    assert (
        "contradict"
        in run(
            door("Axioms Guard(hall) = Guard(vault) and !(Guard(vault) = hall); end Axioms"), WALK
        ).why
    )
    flipped = changed(WALK, *facts, 0, 2, to=False)
    assert "event 2 cannot happen" in run(door(), flipped).why
    assert "event 2 cannot happen" in run(door(), without(WALK, *facts, 0)).why
    for fact in (
        ["Door", ["hall", "vault"], True],
        ["Door", ["hall"], True],
        ["Door", ["hall", "attic"], True],
        ["Door", ["vault", "vault"], 1],
        ["Door", ["vault", "vault"], "vault"],
        ["Guard", ["vault"], True],
    ):
        more = changed(WALK, *facts, to=[*WALK["runs"][0]["facts"], fact])
        assert run(door(), more).accepted is False


# Knowledge


RUNG: Any = {
    "kind": "population-run",
    "members": ["R", "R"],
    "agent": 1,
    "runs": [
        {"facts": [], "start": WALK["runs"][0]["start"], "events": [[None, [None, "rest"]]]},
        changed(WALK["runs"][0], "events", to=[*WALK["runs"][0]["events"], ["ring", [None, None]]]),
    ],
}


def test_two_runs_that_look_alike() -> None:
    assert run(door(), RUNG, 3).accepted
    assert "the opposite" in run(door(), RUNG, 3, value=True).why
    assert (
        "nothing about knowledge"
        in outcome(door(CLOSED), {"kind": "invariant", "invariant": NOBODY}, 3).why
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed(RUNG, "agent", to=0), "does not end where it should"),
        (changed(RUNG, "agent", to=2), "no such agent"),
        (changed(RUNG, "agent", to=-1), "no such agent"),
        (changed(RUNG, "agent", to=True), "no such agent"),
        (changed(RUNG, "agent", to=None), "no such agent"),
        (without(RUNG, "runs", 1), "two runs"),
        (changed(RUNG, "runs", 0, "events", to=[]), "does not end where it should"),
        (changed(RUNG, "runs", 1, "events", to=[]), "does not end where it should"),
        (
            changed(
                RUNG,
                "runs",
                1,
                "events",
                to=[[None, ["rest", None]], [None, [None, "walk"]], ["ring", [None, None]]],
            ),
            "in different states",
        ),
    ],
)
def test_runs_that_do_not_show_doubt(data: Any, why: str) -> None:
    found = run(door(), data, 3)
    assert found.accepted is False
    assert why in found.why


def test_what_an_agent_sees_of_the_environment_counts() -> None:
    system = door()
    (template,) = system.templates
    seeing = with_fields(system, templates=(replace(template, sees=("alarm",)),))
    assert "sees a difference in `alarm`" in run(seeing, RUNG, 3).why
