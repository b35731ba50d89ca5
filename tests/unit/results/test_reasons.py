"""Verdicts on one line: what was expected, and why it came out so."""

from dataclasses import replace

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.results.reasons import finding, short_reason
from tests.unit.results import samples

#: From 0 one may step to 1, which is a dead end, or stay for ever.
PROGRAM = """
Semantics = SingleAssignment;
Agent Walker
  Vars: x : 0..1; end Vars
  Actions = {go, stay};
  Protocol: x = 0 : {go, stay}; end Protocol
  Evolution: x = 1 if Action = go; end Evolution
end Agent
Evaluation dead if Walker.x = 1; alive if Walker.x = 0; end Evaluation
InitStates Walker.x = 0; end InitStates
Groups all_of_us = {Walker}; end Groups
FAIRNESS
Formulae FORMULA; end Formulae
"""


def reason(formula: str, fairness: str = "") -> tuple[str, str]:
    text = PROGRAM.replace("FORMULA", formula).replace("FAIRNESS", fairness)
    loaded = load_text(text, "m.ispl")
    assert loaded.model is not None, loaded.diagnostics
    [verdict] = check(loaded.model, None, Options()).verdicts
    return str(verdict.value), short_reason(verdict, loaded.system)


@pytest.mark.parametrize(
    ("formula", "value", "why"),
    [
        ("AG alive", "false", "a run reaches a state where `alive` is false"),
        ("AG (alive or dead)", "true", "every run has `alive or dead` in all its states"),
        ("AG !dead", "false", "a run gets to `dead`"),
        # Only a run that ends gets there, and LTL speaks of the others.
        ("LTL G !dead", "true", "no infinite run gets to `dead`"),
        ("LTL G alive", "true", "every infinite run has `alive` in all its states"),
        ("CTL* A G alive", "true", "every infinite run has `alive` in all its states"),
        ("CTL* E F dead", "false", "from some initial state no infinite run gets to `dead`"),
        ("AF dead", "false", "an infinite run never gets to `dead`"),
        ("AF alive", "true", "every infinite run gets to `alive`"),
        ("AX dead", "false", "a run has `dead` false after its first step"),
        ("AX (dead or alive)", "true", "every infinite run has `dead or alive` after its first step"),
        ("EG dead", "false", "from some initial state no infinite run has `dead` in all its states"),
        ("EG alive", "true", "from every initial state an infinite run has `alive` in all its states"),
        ("EF dead", "true", "from every initial state a run gets to `dead`"),
        ("EF false", "false", "from some initial state no run gets to `false`"),
        ("EX dead", "true", "from every initial state a run has `dead` after its first step"),
        ("EX false", "false", "from some initial state no infinite run has `false` after its first step"),
        ("<all_of_us>F dead", "true", "from every initial state all_of_us has a strategy for `F dead`"),
        ("<all_of_us>X false", "false", "from some initial state all_of_us has no strategy for `X false`"),
        ("<>F dead", "false", "an infinite run never gets to `dead`"),
        ("<>G (alive or dead)", "true", "every run has `alive or dead` in all its states"),
        ("<>(alive U dead)", "false", ""),
        ("<Walker, Environment>F dead", "true",
         "from every initial state Walker, Environment have a strategy for `F dead`"),
        ("alive", "true", ""),
        ("!AG alive", "true", ""),
        ("E(alive U dead)", "true", ""),
    ],
)  # fmt: skip
def test_reasons_say_what_the_outermost_operator_means(formula: str, value: str, why: str) -> None:
    assert reason(formula) == (value, why)


def test_with_fairness_only_fair_runs_count() -> None:
    fair = "Fairness alive; end Fairness"

    assert reason("AG !dead", fair) == ("true", "no endless fair run gets to `dead`")
    assert reason("EF alive", fair) == (
        "true",
        "from every fair initial state a fair run gets to `alive`",
    )


def test_what_is_known_besides_is_told() -> None:
    numbers = Thresholds("safety", True, ({"Robot": 2},), exact=True)
    of_many = Verdict(1, "AG !p", "AG !p", Value.FALSE, "parameterised", 0.0, numbers=numbers)
    limit = Verdict(1, "AG p", "AG p", Value.UNKNOWN, "bdd", 0.0, reason="no more time")

    assert short_reason(of_many, None) == (
        "a run gets to `p`; it takes 2 Robot: so many are enough, and no fewer"
    )
    assert short_reason(replace(of_many, parsed="EF p", value=Value.TRUE), None).startswith(
        "it takes"
    )
    assert short_reason(limit, None) == "no more time"
    assert short_reason(samples.verdict(samples.lasso(), formula="!p"), None).startswith("on this")
    assert short_reason(samples.verdict(None, value=Value.UNDEFINED), None) == ""


@pytest.mark.parametrize("formula", ["<g>F p", "AG p", "EF p", "<>F p"])
@pytest.mark.parametrize("value", [Value.TRUE, Value.FALSE])
def test_uniform_strategies_of_the_whole_model_have_no_short_reason(
    formula: str, value: Value
) -> None:
    verdict = Verdict(1, formula, formula, value, "explicit", 0.0, "uniform-model")

    assert short_reason(verdict, None) == ""


def test_a_finding_tells_name_value_expectation_and_reason() -> None:
    verdict = Verdict(
        1, "AG  p", "AG p", Value.TRUE, "bdd", 0.0, name="safe", expected=Value.FALSE, vacuous="so"
    )

    assert finding(verdict, None) == (
        "safe: AG p is true, but false was expected: every run has `p` in all its states "
        "(vacuous: so)"
    )
