import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from gnomon.checking.verdict import Result
from gnomon.results.render import json as json_format
from gnomon.results.render import jsonl, junit, sarif
from gnomon.results.render.markup import in_xml
from tests.unit.results import samples, sources
from tests.unit.results.schemas import NAMES, schema, validate

KEYS = [
    "gnomon", "model", "constants", "kind", "engine", "states", "seconds", "as_expected", "formulae",
    "checks", "diagnostics",
]  # fmt: skip


def with_diagnostics() -> Result:
    found = (sources.unknown_action(), sources.no_place(), sources.end_of_file())
    return replace(samples.result(), diagnostics=found)


def refused() -> Result:
    return Result("m.ispl", "finite", "", None, 0.0, (), diagnostics=(sources.unknown_action(),))


@pytest.mark.parametrize("name", NAMES)
def test_the_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


def test_json_is_as_published(snapshot: SnapshotAssertion) -> None:
    text = json_format.render([with_diagnostics()])
    value = validate("check", text)

    assert list(value) == KEYS
    assert text == snapshot


def test_of_a_check_the_published_key_says_what_was_found() -> None:
    _, shape = schema("check")["$defs"]["check"]["anyOf"]
    checks = validate("check", json_format.render([samples.result()]))["checks"]

    assert [checks[name]["found"] for name in ("deadlock", "overflow")] == [False, True]
    assert shape["properties"]["verdict"]["deprecated"] is True


def test_several_models_are_an_array() -> None:
    value = validate("check", json_format.render([samples.result(), refused()]))

    assert [model["model"] for model in value] == ["bits.ispl", "m.ispl"]


def test_of_a_model_with_errors_only_the_errors_are_known() -> None:
    value = validate("check", json_format.render([refused()]))

    assert (value["kind"], value["engine"], value["states"]) == (None, None, None)
    assert value["diagnostics"][0]["code"] == "G0204"
    assert value["diagnostics"][0]["end_column"] == value["diagnostics"][0]["column"] + 7


def test_a_count_of_any_size_is_exact() -> None:
    text = json_format.render([replace(samples.result(), states=10**40 + 1)])

    assert json.loads(text)["states"] == 10**40 + 1


def test_json_lines_have_one_object_a_formula_and_one_a_model(snapshot: SnapshotAssertion) -> None:
    text = jsonl.render([replace(with_diagnostics(), checks=())])
    lines = [json.loads(line) for line in text.splitlines()]

    assert [line["type"] for line in lines] == [*["formula"] * 5, "model"]
    assert lines[-1]["formulae"] == 5
    assert text == snapshot


def test_sarif(snapshot: SnapshotAssertion) -> None:
    text = sarif.render([with_diagnostics()])

    assert text == snapshot


def test_in_sarif_only_what_is_false_or_wrong_is_an_error() -> None:
    [run] = json.loads(sarif.render([with_diagnostics()]))["runs"]
    kinds = [(result.get("kind", "fail"), result["level"]) for result in run["results"]]
    verdicts = [
        ("pass", "none"), ("fail", "error"), ("fail", "error"), ("pass", "none"), ("open", "none"),
    ]  # fmt: skip

    assert kinds == [*verdicts, ("pass", "none"), *[("fail", "error")] * 4]


def test_in_sarif_every_run_is_a_code_flow() -> None:
    [run] = json.loads(sarif.render([samples.result()]))["runs"]

    assert [len(result.get("codeFlows", [])) for result in run["results"]] == [0, 1, 2, 0, 0, 0, 1]


def test_junit(snapshot: SnapshotAssertion) -> None:
    text = junit.render([with_diagnostics()])
    suite = ET.fromstring(text)[0]

    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("8", "3", "2")
    assert text == snapshot


def test_junit_shows_what_xml_cannot_hold() -> None:
    assert in_xml('a<b>&"\x00\x1b\n') == "a&lt;b&gt;&amp;&quot;\\x00\\x1b\n"
