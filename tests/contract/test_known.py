"""Models small enough to be judged by hand, each for one fine point of the meaning."""

import pytest

from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value

PROGRAM = """
Agent Environment
  Vars:
    {environment}
  end Vars
  Actions = {{none}};
  Protocol:
    Other: {{none}};
  end Protocol
  Evolution:
  end Evolution
end Agent
Agent P
  Vars:
    x: 0..3;
  end Vars
  Actions = {{a, b}};
  Protocol:
    {protocol}
  end Protocol
  Evolution:
    {evolution}
  end Evolution
end Agent
Evaluation
  x0 if P.x = 0; x1 if P.x = 1; x2 if P.x = 2; x3 if P.x = 3; never if P.x < 0 + 0;
  h if Environment.h = true;
  win if (Environment.h = true and P.x = 1) or (Environment.h = false and P.x = 2);
end Evaluation
InitStates
  {initial};
end InitStates
Groups
  g = {{P}};
end Groups
{fairness}
Formulae
  {formula};
end Formulae
"""


def decide(
    formula: str,
    evolution: str,
    *,
    protocol: str = "Other: {a, b};",
    environment: str = "h: boolean;",
    initial: str = "P.x = 0 and Environment.h = false",
    fairness: str = "",
    strategies: Strategies = "perfect",
) -> bool:
    text = PROGRAM.format(
        environment=environment,
        protocol=protocol,
        evolution=evolution,
        initial=initial,
        fairness=f"Fairness {fairness}; end Fairness" if fairness else "",
        formula=formula,
    )
    loaded = load_text(text)
    assert loaded.system is not None, [d.message for d in loaded.diagnostics]
    [verdict] = check(loaded.system, options=Options(strategies=strategies, evidence=True))
    assert verdict.value in {Value.TRUE, Value.FALSE}
    return verdict.value is Value.TRUE


A_OR_B = "x = 1 if x = 0 and Action = a; x = 2 if x = 0 and Action = b;"
OVERFLOW = "x = 9 + 0 * x if x = 0;"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("<g>X never", True), ("<g>F never", True), ("<g>G x0", True), ("EX x0", False)],
)
def test_a_choice_without_any_result_wins(formula: str, expected: bool) -> None:
    assert expected == decide(formula, OVERFLOW)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("<g>X never", False), ("<g>F x1", False), ("<g>G x0", False), ("AX never", True)],
)
def test_who_has_no_action_has_no_strategy(formula: str, expected: bool) -> None:
    assert expected == decide(formula, A_OR_B, protocol="x = 1: {a};")


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [
        ("perfect", True),
        ("uniform", True),
        ("uniform-subjective", False),
        ("uniform-model", False),
    ],
)
def test_readings_differ_where_the_agent_cannot_see_what_to_do(
    strategies: Strategies, expected: bool
) -> None:
    # Objectively each of the two initial states has its right action; nobody knows which.
    protocol = "x = 0: {a, b}; Other: {a};"
    found = decide("<g>X win", A_OR_B, protocol=protocol, initial="P.x = 0", strategies=strategies)
    assert expected == found


@pytest.mark.parametrize(
    ("formula", "expected"),
    [("AX x1", True), ("AX x2", True), ("EX x1 and EX x2", False)],
)
def test_a_pruned_model_changes_what_paths_there_are(formula: str, expected: bool) -> None:
    protocol = "x = 0: {a, b}; Other: {a};"
    found = decide(formula, A_OR_B, protocol=protocol, strategies="uniform-model")
    assert expected == found


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
def test_an_unfair_detour_does_not_count(strategies: Strategies) -> None:
    # It may wait at 0 for ever, but that is not fair; a fair outcome comes to 2.
    evolution = "x = 0 if x = 0; x = 1 if x = 0; x = 2 if x = 1;"
    assert decide("<g>F x2", evolution, fairness="x1 or x2", strategies=strategies)
    assert not decide("<g>F x2", evolution, strategies=strategies)


@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
def test_a_coalition_that_can_make_every_outcome_unfair_wins_anything(
    strategies: Strategies,
) -> None:
    evolution = "x = 1 if x = 0 and Action = a; x = 0 if x = 1;"
    assert decide("<g>G x0", evolution, fairness="x1", strategies=strategies)
    assert decide("<g>X x3", evolution, fairness="x1", strategies=strategies)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("AG x0", True),
        ("AF x1", True),
        ("LTL F x1", True),
        ("LTL G x1", True),
        ("CTL* E G x0", False),
        ("LTL x0", True),
        ("EF x0", True),
        ("CTL* E F x0", False),
    ],
)
def test_a_deadlock_ends_the_paths_of_one_logic_only(formula: str, expected: bool) -> None:
    assert expected == decide(formula, A_OR_B, protocol="x = 1: {a};")


BLIND = """
Agent Environment
  Vars:
    room: {{first, second, out}};
  end Vars
  Actions = {{none}};
  Protocol:
    Other: {{none}};
  end Protocol
  Evolution:
    {evolution}
  end Evolution
end Agent
Agent P
  Vars:
    nothing: 0..0;
  end Vars
  Actions = {{a, b}};
  Protocol:
    Other: {{a, b}};
  end Protocol
  Evolution:
    nothing = 0 if nothing = 0;
  end Evolution
end Agent
Agent Q
  Vars:
    nothing: 0..0;
  end Vars
  Actions = {{a, b}};
  Protocol:
    Other: {{a, b}};
  end Protocol
  Evolution:
    nothing = 0 if nothing = 0;
  end Evolution
end Agent
Evaluation
  out if Environment.room = out;
end Evaluation
InitStates
  {initial} and P.nothing = 0 and Q.nothing = 0;
end InitStates
Groups
  p = {{P}}; both = {{P, Q}};
end Groups
Formulae
  {formula};
end Formulae
"""


def decide_blind(formula: str, evolution: str, initial: str, strategies: Strategies) -> bool:
    loaded = load_text(BLIND.format(formula=formula, evolution=evolution, initial=initial))
    assert loaded.system is not None, [d.message for d in loaded.diagnostics]
    [verdict] = check(loaded.system, options=Options(strategies=strategies, evidence=True))
    return verdict.value is Value.TRUE


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [("perfect", True), ("uniform", False), ("uniform-subjective", False)],
)
def test_one_action_for_two_rooms_goes_round_for_ever(
    strategies: Strategies, expected: bool
) -> None:
    evolution = """
    room = second if room = first and P.Action = a;
    room = out if room = second and P.Action = b;"""
    initial = "Environment.room = first"
    assert expected == decide_blind("<p>F out", evolution, initial, strategies)


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [("perfect", True), ("uniform", True), ("uniform-subjective", False)],
)
def test_two_blind_agents_do_not_know_which_pair_of_actions_wins(
    strategies: Strategies, expected: bool
) -> None:
    evolution = """
    room = out if room = first and P.Action = a and Q.Action = a;
    room = out if room = second and P.Action = b and Q.Action = b;"""
    initial = "(Environment.room = first or Environment.room = second)"
    assert expected == decide_blind("<both>X out", evolution, initial, strategies)
