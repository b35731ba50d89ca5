"""JUnit: cases are named, expectations decide, and bodies say what was found and why."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.results.render import junit
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source
from tests.unit.results import sources


def suites(*results: Result) -> list[ET.Element]:
    return list(ET.fromstring(junit.render(list(results))))


def cases(*results: Result) -> list[ET.Element]:
    return [case for suite in suites(*results) for case in suite.findall("testcase")]


def verdict(
    value: Value = Value.TRUE, expected: Value = Value.TRUE, name: str = "", **more: Any
) -> Verdict:
    return Verdict(
        3, "AG  p", "AG p", value, "bdd", 0.5, line=7, name=name, expected=expected, **more
    )


def result(*verdicts: Verdict, **more: Any) -> Result:
    return Result("m.ispl", "finite", "bdd", 12, 0.1, verdicts, **more)


def test_cases_are_called_by_the_names_of_formulae() -> None:
    found = cases(result(verdict(name="safe[1]"), verdict()))

    assert [case.get("name") for case in found] == ["safe[1]", "3: AG p"]
    assert {(case.get("classname"), case.get("file"), case.get("line")) for case in found} == {
        ("m.ispl", "m.ispl", "7")
    }


@pytest.mark.parametrize(
    ("value", "expected", "inside"),
    [
        (Value.TRUE, Value.TRUE, []),
        (Value.FALSE, Value.FALSE, []),
        (Value.UNDEFINED, Value.UNDEFINED, []),
        (Value.TRUE, Value.FALSE, ["failure"]),
        (Value.FALSE, Value.TRUE, ["failure"]),
        (Value.TRUE, Value.UNDEFINED, ["failure"]),
        (Value.UNDEFINED, Value.TRUE, ["error"]),
        (Value.UNKNOWN, Value.FALSE, ["error"]),
    ],
)
def test_what_is_not_as_expected_fails(value: Value, expected: Value, inside: list[str]) -> None:
    [suite] = suites(result(verdict(value, expected)))
    [case] = suite.findall("testcase")

    assert [part.tag for part in case] == inside
    assert suite.get("failures") == str(inside.count("failure"))
    assert suite.get("errors") == str(inside.count("error"))


def test_bodies_tell_what_was_expected_what_was_found_and_why() -> None:
    failed = verdict(Value.FALSE, name="safe", strategies="perfect")
    [case] = cases(result(failed, constants=(("n", 3), ("m", 4))))

    assert case[0].get("message") == (
        "safe: AG p is false, but true was expected: a run reaches a state where `p` is false"
    )
    assert case[0].text == (
        "formula:    AG p\n"
        "expected:   true\n"
        "found:      false\n"
        "reason:     a run reaches a state where `p` is false\n"
        "strategies: perfect (the agents see the whole state)\n"
        "constants:  n = 3, m = 4\n"
        "place:      m.ispl:7"
    )


def test_truths_that_say_nothing_are_told_and_fail_where_that_is_strict() -> None:
    hollow = verdict(vacuous="`a` is never true")
    passed, failed = cases(result(hollow, replace(hollow, strict=True)))

    assert [part.tag for part in passed] == ["system-out"]
    assert passed[0].text == "vacuous: `a` is never true"
    assert [part.tag for part in failed] == ["failure"]
    assert "true, but vacuous" in str(failed[0].get("message"))


def test_checks_are_called_by_what_they_claim() -> None:
    checks = (
        SanityCheck("deadlock", Value.TRUE, 0.0),
        SanityCheck("overflow", Value.FALSE, 0.0, "x would be 4"),
        SanityCheck("overflow", Value.UNKNOWN, 0.0, "no time"),
    )
    fine, bad, late = cases(result(checks=checks))

    assert (fine.get("name"), list(fine)) == ("no deadlock", [])
    assert (bad.get("name"), bad[0].tag) == ("no overflow", "failure")
    assert bad[0].text == "a value can leave its range\nx would be 4"
    assert (late[0].tag, late[0].get("type")) == ("error", "unknown")


def test_suites_tell_constants_and_warnings() -> None:
    warning = Diagnostic("G0410", "there is nothing to check", Source("m.ispl", ""))
    [suite] = suites(result(constants=(("n", 10**5000),), diagnostics=(warning,)))
    properties = {item.get("name"): item.get("value") for item in suite[0]}

    assert properties["constant n"] == "1" + "0" * 5000
    assert properties["states"] == "12"
    assert "there is nothing to check" in str(suite.findtext("system-out"))


def test_a_model_at_several_sizes_has_a_class_for_each() -> None:
    found = cases(
        result(verdict(name="safe"), constants=(("n", 1),)),
        result(verdict(name="safe"), constants=(("n", 2),)),
        replace(result(verdict(name="safe"), constants=(("n", 2),)), model="other.ispl"),
    )

    assert [case.get("classname") for case in found] == [
        "m.ispl (n = 1)",
        "m.ispl (n = 2)",
        "other.ispl",
    ]


def test_a_model_with_errors_is_an_error_and_those_beside_it_are_skipped() -> None:
    broken = Result("m.ispl", "finite", "", None, 0.0, (), diagnostics=(sources.unknown_action(),))
    beside = Result("n.ispl", "finite", "", None, 0.0, ())
    first, second = cases(broken, beside)

    assert (first[0].tag, first[0].get("type"), first.get("line")) == ("error", "G0204", "7")
    assert "sendack" in str(first[0].text)
    assert [part.tag for part in second] == ["skipped"]


def test_the_whole_document_has_the_sums() -> None:
    root = ET.fromstring(junit.render([result(verdict(Value.FALSE)), result(verdict())]))

    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
