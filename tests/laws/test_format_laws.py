"""Whatever names, constants and texts there are: what programs read can be read, and all formats agree."""

import csv
import json
from io import StringIO
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.results.formats import RESULTS
from gnomon.results.styled import Page
from gnomon.text.codes import CODES
from gnomon.text.diagnostic import Diagnostic
from gnomon.text.source import Source, Span
from tests.unit.results.sarif_shape import check_sarif
from tests.unit.results.schemas import validate

#: Anything at all, halves of characters and what acts on terminals included; some of it on purpose.
texts = st.text(st.characters(), max_size=8) | st.sampled_from(
    ["", "a\r\nb", '","', "]]>", "<failure", "\x00", "\x1b[2J", "\udcff", "\ud800", "=1+1", "\ufffe", "%41#?"]
)  # fmt: skip
names = st.just("") | st.from_regex(r"[a-z]\w{0,3}(\[\d\])?", fullmatch=True) | texts
integers = st.integers() | st.sampled_from([10**5000, -(10**5000)])
values = st.sampled_from(list(Value))

verdicts = st.builds(
    Verdict,
    st.integers(1, 99),
    texts,
    texts | st.builds("{} {}".format, st.sampled_from(["AG", "EF", "<g>F"]), texts),
    values,
    st.sampled_from(["bdd", "explicit"]),
    st.floats(0, 1e6),
    st.sampled_from([None, "perfect", "uniform-model"]),
    reason=texts,
    line=st.integers(0, 9),
    name=names,
    expected=st.sampled_from([Value.TRUE, Value.FALSE, Value.UNDEFINED]),
    vacuous=texts,
    strict=st.booleans(),
)
checks = st.builds(
    SanityCheck, st.sampled_from(["deadlock", "overflow"]), values, st.floats(0, 9), texts
)
diagnostics = st.builds(
    Diagnostic,
    st.sampled_from(sorted(CODES)),
    texts,
    st.builds(Source, texts, texts),
    st.none() | st.just(Span(0, 0)),
    help=texts,
)
models = st.builds(
    Result,
    texts,
    st.just("finite"),
    st.sampled_from(["bdd", ""]),
    st.none() | st.integers(0),
    st.floats(0, 1e6),
    st.lists(verdicts, max_size=3).map(tuple),
    st.lists(checks, max_size=2, unique_by=lambda check: check.name).map(tuple),
    st.lists(diagnostics, max_size=2).map(tuple),
    interrupted=st.booleans(),
    constants=st.dictionaries(names, integers, max_size=3).map(lambda found: tuple(found.items())),
)


def shown(form: str, results: list[Result]) -> str:
    written = RESULTS[form].render(results, Page(status=1))
    assert isinstance(written, str)
    written.encode()
    return written


def numbers_as_texts(text: str) -> Any:
    """Return JSON whose integers, which may be longer than Python reads, stay texts."""
    return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 99 else digits)


@given(st.lists(models, max_size=3))
def test_all_formats_can_be_read_and_agree(results: list[Result]) -> None:
    as_json = numbers_as_texts(shown("json", results))
    listed = [as_json] if len(results) == 1 else as_json
    lines = [numbers_as_texts(line) for line in shown("jsonl", results).splitlines()]
    run = check_sarif(numbers_as_texts(shown("sarif", results)))
    suites = list(ET.fromstring(shown("junit", results)))
    rows = list(csv.DictReader(StringIO(shown("csv", results), newline="")))
    fine = [result.as_expected for result in results]
    as_expected = [
        answer
        for result in results
        for answer in (
            *(verdict.as_expected for verdict in result.verdicts),
            *(check.as_expected for check in result.checks),
        )
    ]

    assert [item["as_expected"] for item in listed] == fine
    assert [item["as_expected"] for item in lines if item["type"] == "model"] == fine
    assert [item["as_expected"] for item in run["properties"]["models"]] == fine
    assert [item["kind"] == "pass" for item in run["results"] if "kind" in item] == as_expected
    assert [
        not case.findall("failure") and not case.findall("error")
        for suite in suites
        for case in suite.findall("testcase")
        if not str(case.get("name")).startswith("the model ")
    ] == as_expected
    assert [
        row["as_expected"] == "true" for row in rows if row["verdict"] != "error"
    ] == as_expected
    assert all(None not in row for row in rows)
    failed = [suite.get("errors") != "0" or suite.get("failures") != "0" for suite in suites]
    skipped = [suite.get("skipped") != "0" for suite in suites]
    assert [not (one or other) for one, other in zip(failed, skipped, strict=True)] == fine


@given(models.filter(lambda model: all(abs(value) < 10**4000 for _, value in model.constants)))
def test_json_is_as_published_whatever_it_is_about(result: Result) -> None:
    value = validate("check", shown("json", [result]))

    assert value["constants"] == dict(result.constants)
    assert [item["name"] for item in value["formulae"]] == [
        verdict.name or None for verdict in result.verdicts
    ]
