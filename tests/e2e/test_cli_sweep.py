"""`gnomon check --set n=1..20`: a family at many sizes."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.e2e.cli import gnomon
from tests.unit.results.schemas import validate
from tests.unit.test_api_sweep import COUNTER


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("counter.ispl").write_text(COUNTER, encoding="utf-8")


def test_a_table_has_a_row_for_each_size_and_a_column_for_each_formula() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=1..3")

    assert ran.exit_code == 1  # with n = 1, nothing is past 2
    assert ran.stdout.splitlines()[:8] == [
        "counter.ispl",
        "",
        "  past      EF at[2]",
        "  reach[…]  EF at[0] …",
        "  stuck     AG at[0] (false is expected)",
        "",
        "  n  past         reach[…]     stuck        states       time",
        *[line for line in ran.stdout.splitlines()[7:8] if line.startswith("  1  ✗ false")],
    ]
    assert "15 verdicts: 14 as expected, 1 not as expected" in ran.stdout


def test_all_sizes_as_expected_is_status_0_and_quiet_says_nothing() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=2,3", "--quiet")

    assert (ran.exit_code, ran.output) == (0, "")


def test_quiet_tells_at_which_size_which_formula_is_not_as_expected() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=1..2", "--quiet")

    assert ran.stdout == "✗ counter.ispl: n = 1: past: false, true was expected: EF at[2]\n"


def test_several_constants_are_combined_and_one_value_stays_out_of_the_table() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=2..3", "--set", "m=0..2", "--only", "1")
    once = gnomon("check", "counter.ispl", "--set", "n=2..3", "--set", "m=0", "--only", "1")

    assert ran.exit_code == once.exit_code == 0
    assert "6 sizes, 6 verdicts" in ran.stdout
    assert "\n  n  past " in once.stdout


def test_json_has_an_object_for_each_size_and_csv_a_line_for_each_formula() -> None:
    found = json.loads(gnomon("check", "counter.ispl", "--set", "n=1..3", "--json").stdout)
    for each in found:
        validate("check", json.dumps(each))
    rows = list(
        csv.DictReader(
            io.StringIO(
                gnomon("check", "counter.ispl", "--set", "n=1..3", "--format", "csv").stdout
            )
        )
    )

    assert [each["constants"] for each in found] == [{"n": n, "m": 2} for n in (1, 2, 3)]
    assert [row["n"] for row in rows] == ["1"] * 4 + ["2"] * 5 + ["3"] * 6


def test_standard_input_is_read_once_for_all_sizes() -> None:
    ran = gnomon("check", "-", "--set", "n=2..3", given=COUNTER)

    assert ran.exit_code == 0
    assert ran.stdout.startswith("<stdin>\n")


def test_a_file_gets_the_whole_table_and_the_screen_nothing() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=2..3", "-o", "table.txt")

    assert ran.stdout == ""
    assert "2 sizes" in Path("table.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("values", ["n=", "n=x", "n=3..1", "=1", "n=1..99999999999", "n"])
def test_bad_values_are_bad_usage(values: str) -> None:
    ran = gnomon("check", "counter.ispl", "--set", values)

    assert ran.exit_code == 2
    assert "Invalid value for '--set'" in ran.stderr


def test_an_error_at_any_size_stops_all_of_it_and_is_told_once() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=1..2", "--set", "k=1..2")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.count("G0501") == 1


def test_too_many_sizes_are_refused() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=1..200", "--set", "m=1..200")

    assert ran.exit_code == 2
    assert "40,000 combinations" in ran.stderr


def test_other_commands_take_one_value() -> None:
    for command in ("show", "explain-verdict"):
        ran = gnomon(command, "counter.ispl", "--set", "n=1..2")

        assert ran.exit_code == 2
        assert "NAME=INT" in ran.stderr


def test_a_page_too_narrow_for_titles_numbers_the_columns() -> None:
    wide = "".join(f"  quite_a_long_name_{i} : EF at[{i}] expect true;\n" for i in range(1, 3))
    Path("wide.ispl").write_text(COUNTER.replace("Formulae\n", f"Formulae\n{wide}", 1), "utf-8")

    ran = gnomon("check", "wide.ispl", "--set", "n=2..3")

    assert max(map(len, ran.stdout.splitlines())) <= 80
    assert "  1  quite_a_long_name_1: EF at[1]" in ran.stdout
