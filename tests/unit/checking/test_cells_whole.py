"""Cells as users ask them: what has a proof, why there is no answer, and what must not take for ever."""

from unittest.mock import patch

import pytest

from gnomon.checking.cells import Cells
from gnomon.checking.check import check
from gnomon.checking.load import load_text
from gnomon.checking.options import Options, Strategies
from gnomon.checking.supervise import work_here
from gnomon.checking.verdict import Result
from gnomon.engines.abstraction import concrete_runs
from gnomon.engines.abstraction.partition import first_partition
from gnomon.engines.abstraction.samples import Samples
from gnomon.engines.diagrams.interface import Outgrown
from gnomon.model.step import moves
from gnomon.model.system import System
from gnomon.results.story import story
from gnomon.text.diagnostic import InputError
from tests.support import VACUOUS

#: Something can always be done, so that paths end nowhere, and cells need not tell one logic from another.
GOES_ON = """
Agent P
  Vars: x : int; up : boolean; end Vars
  Actions = {rise, fall};
  Protocol: up = (x > 3) : {fall}; Other : {rise, fall}; end Protocol
  Evolution:
    x = x + 1 and up = (up xor x > 2) if Action = rise;
    x = x - 1 if Action = fall and x > 0;
  end Evolution
end Agent
Evaluation high if P.x > 2; odd if (P.x mod 2 = 1) xor P.up; end Evaluation
InitStates P.x = 0; end InitStates
Groups nobody = {}; g = {P}; end Groups
Formulae
  CTL* A X (A odd);
  CTL* E X (E X high);
  CTL* A G (E (high or !high));
  CTL* E F (A G F !high);
  CTL* E F (A X (E F high));
  CTL* E G[0,2] (E !high);
  LTL G (P.x >= 0);
  EF odd;
  AG (odd <-> (P.up <> (P.x mod 2 = 1)));
  AG (odd xor (P.x mod 2 = 0 xor !P.up));
end Formulae
"""
BOUNDED = """
Agent P
  Vars: x : int; end Vars
  Actions = {rise, rest};
  Protocol: Other : {rise, rest}; end Protocol
  Evolution: x = x + 1 if Action = rise; end Evolution
end Agent
InitStates P.x = 0; end InitStates
Groups nobody = {}; end Groups
Formulae
  <nobody>G<=2 (P.x < 3);
  [[nobody]]F<=2 (P.x = 2);
  <P>F<=1 (P.x < 0);
  AG <P>F<=1 (P.x < 0);
end Formulae
"""


def system_of(text: str) -> System:
    found = load_text(text).system
    assert found is not None
    return found


def on_cells(text: str, **options: object) -> Result:
    given = {"engine": "abstraction", "certificate": True, "timeout": 60, "allow": VACUOUS}
    return check(system_of(text), options=Options(**{**given, **options}))  # type: ignore[arg-type]


def unproved(found: Result) -> list[tuple[int, str]]:
    assert found.certificate is not None
    return [(e["index"], e["reason"]) for e in found.certificate["verdicts"] if not e["proof"]]


def test_what_is_decided_where_every_path_goes_on_has_a_proof_in_every_logic() -> None:
    found = on_cells(GOES_ON)

    assert {"true", "false"} == {str(each.value) for each in found}
    assert [] == unproved(found)


@pytest.mark.parametrize("reading", ["perfect", "uniform", "uniform-subjective"])
def test_bounds_have_proofs_where_nobody_has_to_remember(reading: str) -> None:
    found = on_cells(BOUNDED, strategies=reading)

    assert ["true", "true", "false", "false"] == [str(each.value) for each in found]
    assert [] == unproved(found)


def test_that_no_state_is_initial_is_a_proof_of_everything() -> None:
    found = on_cells(GOES_ON.replace("P.x = 0;", "P.x = 0 and P.x > 1;"))

    assert ["true"] * 10 == [str(each.value) for each in found]
    assert [] == unproved(found)


def test_conditions_that_are_compared_are_told_apart_by_what_is_in_them() -> None:
    system = system_of(GOES_ON)
    asked = [(each.formula, None) for each in system.specifications]

    assert () == first_partition(system, asked).opaque  # type: ignore[arg-type]


def test_where_cells_give_up_that_is_the_reason() -> None:
    with work_here(), patch.object(Cells, "prepare", side_effect=Outgrown):
        alone = on_cells(GOES_ON, certificate=False)
        endless = GOES_ON.replace("P.x = 0;", "P.x >= 0;")
        others = on_cells(endless, certificate=False, engine="auto")

    assert {str(Outgrown())} == {each.reason for each in alone}
    for each in others:
        assert "infinitely many states" in each.reason
        assert str(Outgrown()) in each.reason


#: A step of so many variables, of which each has two lines, has more results than can be gone through.
MANY = range(20)
MANY_LINES = f"""
Semantics = SingleAssignment;
Environment
  Vars: {" ".join(f"x{i} : int;" for i in MANY)} end Vars
  Evolution: {" ".join(f"x{i} = x{i} + 1 if true; x{i} = x{i} - 1 if x{i} > 0;" for i in MANY)} end Evolution
end Environment
Agent P Actions = {{a}}; Protocol: Other : {{a}}; end Protocol end Agent
InitStates {" and ".join(f"Environment.x{i} = 1" for i in MANY)}; end InitStates
Formulae
  K(P, Environment.x0 >= 1);
  AF (Environment.x0 = 7);
end Formulae
"""


def test_results_of_a_step_are_not_all_gone_through_for_the_first_of_them() -> None:
    system = system_of(MANY_LINES)
    [start] = Samples(system)._initial()

    assert next(iter(moves(system, start))).target is not None


def test_many_lines_at_once_keep_nobody_from_an_answer() -> None:
    found = on_cells(MANY_LINES, evidence=True, certificate=False)

    assert ["false", "false"] == [str(each.value) for each in found]


#: So many agents have more joint actions than can be gone through.
CROWD = f"""
{
    "".join(
        f'''Agent A{i} Vars: x : int; end Vars Actions = {{up, down}}; Protocol: Other : {{up, down}};
            end Protocol Evolution: x = x + 1 if Action = up; x = x - 1 if Action = down; end Evolution
            end Agent '''
        for i in range(14)
    )
}
InitStates {" and ".join(f"A{i}.x = 0" for i in range(14))}; end InitStates
Formulae K(A1, A2.x >= 0); end Formulae
"""


def test_where_many_act_at_once_what_is_visited_is_not_only_what_is_nearest() -> None:
    visited = Samples(system_of(CROWD)).states

    assert any(state[1] == 0 and state[2] != 0 for state in visited)


def test_what_somebody_does_not_know_is_found_however_many_act() -> None:
    found = on_cells(CROWD, certificate=False)

    assert ["false"] == [str(each.value) for each in found]


FAR = """
Agent P
  Vars: x : 0..9000; end Vars
  Actions = {ACTIONS};
  Protocol: Other : {ACTIONS}; end Protocol
  Evolution: x = x + 1 if Action = up; end Evolution
end Agent
InitStates P.x = 0; end InitStates
Formulae AG P.x < 9000; end Formulae
"""


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("up", "is false, as the cells tell"),
        ("up, stay", "begins like this; it does not get there within 40 steps"),
    ],
)
def test_what_is_found_far_away_is_no_mistake_where_only_the_way_there_begins(
    actions: str, said: str
) -> None:
    text = FAR.replace("ACTIONS", actions)
    with work_here(), patch.object(concrete_runs, "_LONGEST", 50):
        found = on_cells(text, certificate=False, evidence=True, check_overflow=True)
    shown = found[0].evidence

    assert ["false"] == [str(each.value) for each in found.checks]
    assert shown is not None and shown.explanation is not None
    assert shown.explanation.text.endswith(said)


@pytest.mark.parametrize("initial", ["P.x > {}", "P.x <= -{}", "P.x = {}"])
def test_initial_numbers_may_be_longer_than_any_float(initial: str) -> None:
    text = GROWS.replace("INITIAL", initial.format("9" * 400))
    found = on_cells(text, certificate=False)

    assert ["true", "false"] == [str(each.value) for each in found]


GROWS = """
Agent P
  Vars: x : int; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: x = if x < 0 then x - 1 else x + 1 if Action = up; end Evolution
end Agent
InitStates INITIAL; end InitStates
Formulae AG abs(P.x) > 7; EF P.x = 7; end Formulae
"""

FAIRLY = """
Agent P
  Vars: n : int; on : boolean; end Vars
  Actions = {push, rest};
  Protocol: Other : {push, rest}; end Protocol
  Evolution:
    on = true and n = n + 1 if Action = push;
    n = n + 1 if Action = rest;
  end Evolution
end Agent
Evaluation on if P.on; end Evaluation
InitStates P.n = 0 and P.on = false; end InitStates
Fairness P.n >= 0; P.Action = push; end Fairness
Formulae AF on; AG AF (on and P.n > 2); AF (P.n > 2); end Formulae
"""


def test_why_something_comes_about_fairly_names_the_constraints_that_it_takes() -> None:
    found = on_cells(FAIRLY, certificate=False, evidence=True)
    why = [each.evidence.explanation.text for each in found if each.evidence]  # type: ignore[union-attr]
    takes = "it takes that P.Action = push holds again and again"

    assert f"F on on every fair path from here; {takes}" == why[0]
    assert why[1].endswith(f"P.n grows again and again, which cannot go on for ever; {takes}")
    assert why[2].endswith("until then P.n grows again and again, which cannot go on for ever")


def test_a_story_about_fair_runs_does_not_speak_of_all_of_them() -> None:
    found = on_cells(FAIRLY, certificate=False, evidence=True)
    told = " ".join(each.text for each in story(found.system, found[0]))

    assert "Every fair run from state 0 satisfies F on." in told


#: What is added leaves the range of `y`, so `x` stays as it is: no run is fair, and any formula is true.
NEVER_FAIR = """
Agent P
  Vars: x : int; y : 1..1; end Vars
  Actions = {rise, rest};
  Protocol: Other : {rise, rest}; end Protocol
  Evolution: y = x and x = x + 1 if Action = rise; end Evolution
end Agent
Evaluation far if P.x > 5; end Evaluation
InitStates P.x <= 0; end InitStates
Fairness P.x > 1; end Fairness
"""


@pytest.mark.parametrize(
    "formula",
    ["<P>F false", "<P>G far", "AG !far", "EG <P>G !far", "AF far", "K(P, far)", "LTL G far"],
)
@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-model"])
def test_that_no_initial_state_counts_is_said_whatever_is_asked(
    formula: str, strategies: Strategies
) -> None:
    asked = f"{NEVER_FAIR}Formulae {formula}; end Formulae"
    with work_here():
        (found,) = on_cells(asked, certificate=False, strategies=strategies)
        with pytest.raises(InputError, match="G0804"):
            on_cells(asked, certificate=False, strategies=strategies, allow=())

    assert "no initial state has a fair path" == found.vacuous


def test_whether_some_initial_state_counts_is_found_out_once() -> None:
    with (
        work_here(),
        patch("gnomon.checking.cells.surely_never_fair", return_value=False) as asked,
    ):
        on_cells(FAIRLY, certificate=False)

    assert asked.call_count == 1
