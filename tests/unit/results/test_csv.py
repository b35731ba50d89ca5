"""CSV: a table that every reader of RFC 4180 reads."""

import csv as standard
from dataclasses import replace
from io import StringIO
from typing import Any

from gnomon.checking.verdict import Result, SanityCheck, Value, Verdict
from gnomon.results.render import csv
from tests.unit.results import samples, sources

COLUMNS = (
    "index name formula verdict expected as_expected strategies engine states seconds reason vacuous"
).split()


def rows(*results: Result) -> list[dict[str, str]]:
    return list(standard.DictReader(StringIO(csv.render(list(results)), newline="")))


def result(*verdicts: Verdict, **more: Any) -> Result:
    return Result("m.ispl", "finite", "bdd", 12, 0.1, verdicts, **more)


def verdict(name: str = "", **more: Any) -> Verdict:
    return Verdict(3, "AG\n  (p)", "AG p", Value.FALSE, "bdd", 0.5, name=name, **more)


def test_there_is_a_row_for_every_formula() -> None:
    more = {"expected": Value.FALSE, "vacuous": "so, so", "strategies": "perfect"}
    [row] = rows(result(verdict("safe[1]", **more), constants=(("n", 3),)))

    assert row == {
        "model": "m.ispl",
        "n": "3",
        "index": "3",
        "name": "safe[1]",
        "formula": "AG (p)",
        "verdict": "false",
        "expected": "false",
        "as_expected": "true",
        "strategies": "perfect",
        "engine": "bdd",
        "states": "12",
        "seconds": "0.500000",
        "reason": "a run reaches a state where `p` is false",
        "vacuous": "so, so",
    }


def test_lines_end_as_the_standard_says_and_titles_come_first() -> None:
    text = csv.render([result(verdict())])

    assert text.splitlines()[0] == ",".join(["model", *COLUMNS])
    assert text.count("\r\n") == text.count("\n") == 2
    assert csv.render([]) == ",".join(["model", *COLUMNS]) + "\r\n"


def test_constants_of_all_models_are_columns() -> None:
    one = result(verdict(), constants=(("n", 1), ("m", -2)))
    two = replace(one, constants=(("k", 10**5000), ("n", 2)))
    first, second = rows(one, two)

    assert list(first) == ["model", "n", "m", "k", *COLUMNS]
    assert [first[name] for name in "nmk"] == ["1", "-2", ""]
    assert [second[name] for name in "nmk"] == ["2", "", "1" + "0" * 5000]


def test_a_constant_takes_no_column_of_another_thing() -> None:
    [row] = rows(result(verdict("safe"), constants=(("name", 1), ("model", 2))))

    assert (row["name"], row["model"]) == ("safe", "m.ispl")
    assert (row["constants.name"], row["constants.model"]) == ("1", "2")


def test_checks_have_rows_that_say_what_they_claim() -> None:
    fine, bad = rows(samples.result())[-2:]

    assert (fine["index"], fine["name"], fine["verdict"]) == ("", "no deadlock", "true")
    assert (bad["formula"], bad["verdict"]) == ("no value leaves its range", "false")
    assert (bad["as_expected"], bad["reason"]) == ("false", "bit would be 2")


def test_models_that_were_not_checked_have_rows_that_say_so() -> None:
    broken = Result("m.ispl", "finite", "", None, 0.0, (), diagnostics=(sources.unknown_action(),))
    beside = Result("n.ispl", "finite", "", None, 0.0, ())
    first, second = rows(broken, beside)

    assert (first["verdict"], first["as_expected"]) == ("error", "false")
    assert first["reason"].startswith("G0204: bit_transmission.ispl:7: action `sendack`")
    assert (second["model"], second["verdict"]) == ("n.ispl", "error")


def test_a_deadlock_that_was_not_looked_for_to_the_end_is_open() -> None:
    late = SanityCheck("deadlock", Value.UNKNOWN, 0.0, "no time")
    [row] = rows(result(checks=(late,)))

    assert (row["verdict"], row["as_expected"], row["reason"]) == ("unknown", "false", "no time")
