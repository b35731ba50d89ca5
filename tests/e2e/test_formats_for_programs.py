"""What programs read: names and expectations in every format, and something to read whatever goes wrong."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gnomon.results.formats import RESULTS
from tests.e2e.cli import gnomon
from tests.support import shared_models
from tests.unit.results.sarif_shape import check_sarif
from tests.unit.results.schemas import validate

MODEL = """\
Constants
  n = 2;
end Constants

Agent Tap
  Vars:
    level : 0..n;
  end Vars
  Actions = { raise, keep };
  Protocol:
    level < n : { raise, keep };
    Other : { keep };
  end Protocol
  Evolution:
    level = level + 1 if Action = raise;
  end Evolution
end Agent

Evaluation
  full if Tap.level = n;
  over if Tap.level < 0;
end Evaluation

InitStates
  Tap.level = 0;
end InitStates

Groups
  all_of_us = { Tap };
end Groups

Formulae
  bypass : <all_of_us>F full expect false;
  AG !full expect false;
  fills : EF full;
  hollow : AG (over -> full);
end Formulae
"""

FORMATS = [name for name in RESULTS if name != "text"]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tap.ispl").write_text(MODEL, encoding="utf-8")
    Path("broken.ispl").write_text(MODEL.replace("0..n", "0..-n"), encoding="utf-8")


def sarif_run(*arguments: str, status: int) -> Any:
    """Return the run of a SARIF log; its invocation tells the status that we got."""
    result = gnomon("check", *arguments, "--format", "sarif")
    run = check_sarif(json.loads(result.stdout))

    assert result.exit_code == status
    assert run["invocations"][0]["exitCode"] == status
    return run


def test_json_tells_names_expectations_and_constants() -> None:
    value = validate("check", gnomon("check", "tap.ispl", "--set", "n=3", "--json").stdout)
    keys = ("index", "name", "verdict", "expected", "as_expected")

    assert (value["constants"], value["as_expected"]) == ({"n": 3}, False)
    assert [tuple(item[key] for key in keys) for item in value["formulae"]] == [
        (1, "bypass", "true", "false", False),
        (2, None, "false", "false", True),
        (3, "fills", "true", "true", True),
        (4, "hollow", "true", "true", True),
    ]
    assert [item["vacuous"] is None for item in value["formulae"]] == [True, True, True, False]
    assert "over" in value["formulae"][3]["vacuous"]


def test_a_strict_check_does_not_accept_what_says_nothing() -> None:
    value = validate("check", gnomon("check", "tap.ispl", "--strict", "--json").stdout)

    assert [item["as_expected"] for item in value["formulae"]] == [False, True, True, False]


def test_json_lines_tell_the_same() -> None:
    whole = validate("check", gnomon("check", "tap.ispl", "--json").stdout)
    *formulae, model = map(
        json.loads, gnomon("check", "tap.ispl", "--format", "jsonl").stdout.splitlines()
    )
    formulae.sort(key=lambda line: int(line["index"]))

    assert [line["name"] for line in formulae] == [item["name"] for item in whole["formulae"]]
    assert [line["as_expected"] for line in formulae] == [False, True, True, True]
    assert (model["constants"], model["as_expected"]) == ({"n": 2}, False)


def test_in_json_a_deadlock_is_found_or_not() -> None:
    stuck = MODEL.replace("    Other : { keep };\n", "")
    Path("stuck.ispl").write_text(stuck, encoding="utf-8")
    arguments = ("--check-deadlock", "--check-overflow", "--json")
    fine = validate("check", gnomon("check", "tap.ispl", *arguments).stdout)["checks"]
    bad = validate("check", gnomon("check", "stuck.ispl", *arguments).stdout)["checks"]

    assert (fine["deadlock"]["found"], fine["deadlock"]["as_expected"]) == (False, True)
    assert (bad["deadlock"]["found"], bad["deadlock"]["as_expected"]) == (True, False)
    assert bad["deadlock"]["claim"] == "no reachable deadlock"
    # What older programs read is there and means the same.
    assert (fine["deadlock"]["verdict"], bad["deadlock"]["verdict"]) == ("true", "false")


def test_csv_has_a_row_for_each_formula_and_check() -> None:
    shown = gnomon("check", "tap.ispl", "--format", "csv", "--check-deadlock").stdout
    rows = list(csv.DictReader(StringIO(shown, newline="")))

    assert [row["name"] for row in rows] == ["bypass", "", "fills", "hollow", "no deadlock"]
    assert {row["n"] for row in rows} == {"2"}
    assert [row["as_expected"] for row in rows] == ["false", "true", "true", "true", "true"]
    assert rows[0]["reason"] == "from every initial state all_of_us has a strategy for `F full`"


def test_sarif_goes_by_expectations() -> None:
    run = sarif_run("tap.ispl", status=1)

    assert run["invocations"][0]["executionSuccessful"]
    assert [(item["ruleId"], item["kind"]) for item in run["results"]] == [
        ("tap.ispl/bypass", "fail"),
        ("tap.ispl/2", "pass"),
        ("tap.ispl/fills", "pass"),
        ("tap.ispl/hollow", "pass"),
    ]
    assert run["properties"]["models"][0]["constants"] == {"n": 2}
    assert "but false was expected" in run["results"][0]["message"]["text"]


def test_junit_tells_why_without_evidence() -> None:
    result = gnomon("check", "tap.ispl", "--format", "junit", "--no-evidence")
    [suite] = ET.fromstring(result.stdout)
    first, *others = suite.findall("testcase")
    body = str(first.findtext("failure"))

    assert first.get("name") == "bypass"
    assert all(part.tag == "system-out" for case in others for part in case)
    assert "expected:   false\nfound:      true\nreason:     from every initial state" in body
    assert "place:      tap.ispl:33" in body


def said(form: str, text: str) -> list[str]:
    """Return the codes of errors in what was printed."""
    match form:
        case "json":
            value = validate("check", text)
            models = value if isinstance(value, list) else [value]
            return [item["code"] for model in models for item in model["diagnostics"]]
        case "jsonl":
            lines = [json.loads(line) for line in text.splitlines()]
            assert {line["type"] for line in lines} == {"model"}
            assert not any(line["as_expected"] for line in lines)
            return [item["code"] for line in lines for item in line["diagnostics"]]
        case "csv":
            rows = list(csv.DictReader(StringIO(text, newline="")))
            assert {row["verdict"] for row in rows} == {"error"}
            return [row["reason"][:5] for row in rows if row["reason"].startswith("G")]
        case "sarif":
            [invocation] = check_sarif(json.loads(text))["invocations"]
            assert not invocation["executionSuccessful"]
            told = invocation["toolExecutionNotifications"]
            return [item["associatedRule"]["id"] for item in told]
        case _:
            errors = ET.fromstring(text).iter("error")
            return [str(error.get("type")) for error in errors]


@pytest.mark.parametrize("to_file", [False, True])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["broken.ispl"], 2, "G0308"),
        (["tap.ispl", "broken.ispl"], 2, "G0308"),
        (["gone.ispl"], 2, "G0001"),
        (["."], 2, "G0001"),
        (["tap.ispl", "--set", "k=1"], 2, "G0501"),
        (["tap.ispl", "--formula", "AG nothing"], 2, "G0601"),
        (["tap.ispl", "--timeout", "0.000001"], 3, "G0004"),
    ],
)
def test_every_format_says_why_nothing_was_checked(
    form: str, arguments: list[str], status: int, code: str, *, to_file: bool
) -> None:
    output = ["-o", "out"] if to_file else []
    result = gnomon("check", *arguments, "--format", form, *output)
    shown = Path("out").read_bytes().decode() if to_file else result.stdout_bytes.decode()

    assert result.exit_code == status
    assert code in said(form, shown)


def test_json_lines_of_the_trial_say_what_is_wrong() -> None:
    path = shared_models() / "newcomer" / "jsonl_silent.ispl"
    [line] = gnomon("check", str(path), "--format", "jsonl").stdout.splitlines()

    assert {item["code"] for item in json.loads(line)["diagnostics"]} >= {"G0308"}


@pytest.mark.parametrize(
    "name", ["two words.ispl", "a#b?.ispl", "100%.ispl", "é漢.ispl", "c:\\d.ispl"]
)
def test_odd_names_of_files_are_uris(name: str) -> None:
    Path(name).write_text(MODEL, encoding="utf-8")
    run = sarif_run(name, status=1)
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]

    assert place["uri"].isascii()
    assert not set(place["uri"]) & set(" #?\\")
    assert place["uriBaseId"] == "%SRCROOT%"


def test_absolute_names_are_file_uris(tmp_path: Path) -> None:
    path = tmp_path / "two words.ispl"
    path.write_text(MODEL, encoding="utf-8")
    place = sarif_run(str(path), status=1)["results"][0]["locations"][0]["physicalLocation"]

    assert place["artifactLocation"] == {"uri": path.as_uri()}


def test_limits_are_told_by_sarif() -> None:
    run = sarif_run("tap.ispl", "--engine", "explicit", "--max-states", "1", status=3)
    [invocation] = run["invocations"]

    assert not invocation["executionSuccessful"]
    assert "not decided" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_pictures_and_traces_have_the_name_of_the_formula() -> None:
    for form in ("dot", "mermaid", "svg", "itf", "json"):
        shown = gnomon("explain-verdict", "tap.ispl", "--only", "3", "--format", form).stdout

        assert "fills" in shown, form


def test_the_description_of_a_model_has_names_and_expectations() -> None:
    value = validate("show", gnomon("show", "tap.ispl", "--json").stdout)

    assert [(item["name"], item["expected"]) for item in value["formulae"]] == [
        ("bypass", "false"),
        (None, "false"),
        ("fills", None),
        ("hollow", None),
    ]


def test_a_family_at_several_sizes_is_told_apart_in_every_format() -> None:
    swept = ("tap.ispl", "--set", "n=1..2", "--only", "bypass")
    whole = validate("check", gnomon("check", *swept, "--json").stdout)
    lines = gnomon("check", *swept, "--format", "jsonl").stdout.splitlines()
    rows = csv.DictReader(StringIO(gnomon("check", *swept, "--format", "csv").stdout, newline=""))
    found = sarif_run(*swept, status=1)["results"]
    suites = ET.fromstring(gnomon("check", *swept, "--format", "junit").stdout)

    assert [item["constants"] for item in whole] == [{"n": 1}, {"n": 2}]
    assert [json.loads(line)["constants"]["n"] for line in lines] == [1, 1, 2, 2]
    assert [row["n"] for row in rows] == ["1", "2"]
    assert [item["properties"]["constants"] for item in found] == [{"n": 1}, {"n": 2}]
    assert [case.get("classname") for case in suites.iter("testcase")] == [
        "tap.ispl (n = 1)",
        "tap.ispl (n = 2)",
    ]
