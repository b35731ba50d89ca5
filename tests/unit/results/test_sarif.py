"""SARIF: rules are named, expectations decide, and the invocation says whether the run succeeded."""

import json
from dataclasses import replace
from typing import Any

import pytest

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.results.render import sarif
from gnomon.results.styled import Page
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source
from tests.unit.results import samples, sources
from tests.unit.results.sarif_shape import check_sarif


def run_of(*results: Result, status: int | None = None) -> Any:
    return check_sarif(json.loads(sarif.render(list(results), Page(status=status))))


def verdict(
    value: Value = Value.TRUE, expected: Value = Value.TRUE, name: str = "", **more: Any
) -> Verdict:
    return Verdict(
        1, "AG p", "AG p", value, "bdd", 0.0, line=7, name=name, expected=expected, **more
    )


def result(*verdicts: Verdict, **more: Any) -> Result:
    return Result("m.ispl", "finite", "bdd", 1, 0.1, verdicts, **more)


def test_rules_are_called_by_the_names_of_formulae() -> None:
    other = replace(result(verdict(name="safe")), model="two words.ispl")
    run = run_of(result(verdict(name="safe[1]"), verdict()), other)
    rules = [(rule["id"], rule.get("name")) for rule in run["tool"]["driver"]["rules"]]

    assert rules == [
        ("m.ispl/safe[1]", "safe[1]"),
        ("m.ispl/1", None),
        ("two words.ispl/safe", "safe"),
    ]


def test_a_formula_that_differs_with_the_size_is_one_rule_that_is_called_by_its_number() -> None:
    larger = replace(verdict(), formula="AG q")
    run = run_of(result(verdict(), constants=(("n", 1),)), result(larger, constants=(("n", 2),)))

    [rule] = run["tool"]["driver"]["rules"]
    assert ("m.ispl/1", {"text": "formula 1"}) == (rule["id"], rule["shortDescription"])
    assert [item["properties"]["constants"] for item in run["results"]] == [{"n": 1}, {"n": 2}]
    assert [item["message"]["text"][-7:] for item in run["results"]] == ["(n = 1)", "(n = 2)"]


@pytest.mark.parametrize(
    ("value", "expected", "kind", "level"),
    [
        (Value.TRUE, Value.TRUE, "pass", "none"),
        (Value.FALSE, Value.FALSE, "pass", "none"),
        (Value.UNDEFINED, Value.UNDEFINED, "pass", "none"),
        (Value.TRUE, Value.FALSE, "fail", "error"),
        (Value.FALSE, Value.UNDEFINED, "fail", "error"),
        (Value.UNDEFINED, Value.TRUE, "open", "none"),
        (Value.UNKNOWN, Value.UNDEFINED, "open", "none"),
    ],
)
def test_expectations_decide(value: Value, expected: Value, kind: str, level: str) -> None:
    [found] = run_of(result(verdict(value, expected)))["results"]
    said = found["message"]["text"]

    assert (found["kind"], found["level"]) == (kind, level)
    assert f"AG p is {value}" in said
    assert (f"but {expected} was expected" in said) == (value is not expected)


def test_what_says_nothing_fails_where_that_is_strict() -> None:
    hollow = verdict(vacuous="`a` is never true")
    kinds = [
        item["kind"] for item in run_of(result(hollow, replace(hollow, strict=True)))["results"]
    ]

    assert kinds == ["pass", "fail"]


def test_a_run_that_answers_everything_is_successful_whatever_it_finds() -> None:
    [invocation] = run_of(result(verdict(Value.FALSE)), status=1)["invocations"]

    assert invocation == {"executionSuccessful": True, "exitCode": 1}


def test_a_model_with_errors_is_no_success() -> None:
    broken = Result("m.ispl", "finite", "", None, 0.0, (), diagnostics=(sources.unknown_action(),))
    [invocation] = run_of(broken, status=2)["invocations"]
    [told] = invocation["toolExecutionNotifications"]

    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    assert (told["associatedRule"]["id"], told["level"]) == ("G0204", "error")
    assert told["locations"][0]["physicalLocation"]["region"]["startLine"] == 7


def test_a_model_beside_one_with_errors_is_no_success_either() -> None:
    [invocation] = run_of(Result("m.ispl", "finite", "", None, 0.0, ()))["invocations"]

    assert invocation == {"executionSuccessful": False}


def test_limits_and_interrupts_are_no_success() -> None:
    late = verdict(Value.UNKNOWN, reason="the time limit of 1 s was reached")
    check = SanityCheck("deadlock", Value.UNKNOWN, 0.0, late.reason)
    [invocation] = run_of(result(verdict(), late, late, checks=(check,)))["invocations"]
    [told] = invocation["toolExecutionNotifications"]
    [stopped] = run_of(result(verdict(), interrupted=True))["invocations"]

    assert not invocation["executionSuccessful"]
    assert told["message"]["text"] == "3 of 4 not decided: the time limit of 1 s was reached"
    assert not stopped["executionSuccessful"]


def test_warnings_are_no_failure_of_the_run() -> None:
    warning = Diagnostic("G0410", "there is nothing to check", Source("m.ispl", ""))
    run = run_of(result(diagnostics=(warning,)))

    assert run["invocations"] == [{"executionSuccessful": True}]
    assert [item["level"] for item in run["results"]] == ["warning"]


def test_checks_are_called_by_what_they_claim() -> None:
    run = run_of(samples.result())
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}

    assert rules["no-deadlock"]["deprecatedIds"] == ["deadlock"]
    assert rules["no-deadlock"]["shortDescription"]["text"] == "no reachable deadlock"
    assert [item["kind"] for item in run["results"][-2:]] == ["pass", "fail"]


def test_the_run_tells_the_constants_of_every_model() -> None:
    run = run_of(result(verdict(), constants=(("n", 3), ("m", 10**40))))

    assert run["properties"]["models"] == [
        {"model": "m.ispl", "constants": {"n": 3, "m": 10**40}, "as_expected": True}
    ]


def test_rules_of_diagnostics_lead_to_their_pages_where_the_site_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = Result("m.ispl", "finite", "", None, 0.0, (), diagnostics=(sources.unknown_action(),))
    monkeypatch.delenv("GNOMON_DOCS", raising=False)
    [before] = run_of(broken)["tool"]["driver"]["rules"]
    monkeypatch.setenv("GNOMON_DOCS", "https://gnomon.example/docs/")
    [after] = run_of(broken)["tool"]["driver"]["rules"]

    assert "helpUri" not in before
    assert "https://gnomon.example/docs/reference/codes/G0204.html" == after["helpUri"]


def test_a_rule_says_what_is_expected_and_where_more_is_told() -> None:
    [rule] = run_of(result(verdict(name="safe")))["tool"]["driver"]["rules"]

    assert "formula safe of m.ispl, expected to be true: AG p" == rule["fullDescription"]["text"]
    assert (
        "`gnomon explain-verdict m.ispl --only safe` tells why it has its value."
        == rule["help"]["text"]
    )


def test_however_long_a_formula_is_its_rule_is_accepted() -> None:
    long = replace(verdict(), formula="AG " + " and ".join(["p"] * 1000))
    [rule] = run_of(result(long))["tool"]["driver"]["rules"]

    assert rule["shortDescription"]["text"].endswith("…")


def test_whatever_has_no_line_is_found_in_the_first() -> None:
    check = SanityCheck("deadlock", Value.FALSE, 0.0)
    warning = Diagnostic("G0410", "there is nothing to check", Source("m.ispl", ""))
    found = run_of(result(checks=(check,), diagnostics=(warning,)))["results"]
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in found]

    assert [{"startLine": 1}] * 2 == regions


def test_findings_are_all_but_what_is_as_expected() -> None:
    hollow = verdict(vacuous="`a` is never true")
    given = [result(verdict(), verdict(Value.FALSE, name="bad"), verdict(Value.UNKNOWN), hollow)]
    run = check_sarif(json.loads(sarif.render_findings(given)))

    assert ["fail", "open", "review"] == [each["kind"] for each in run["results"]]
    assert 2 == len(run["tool"]["driver"]["rules"])
