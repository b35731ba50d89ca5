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
        "counter.ispl  m = 2",
        "",
        "  past      EF at[m]",
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

    assert ran.stdout == "✗ counter.ispl: n = 1: past: EF at[m] is false\n"


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
    assert ran.stdout.startswith("<stdin>  m = 2\n")


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


def test_an_error_says_at_which_size_it_is_found() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=8..12")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "there is no proposition `at[10]`" in ran.stderr
    assert "= first with n = 10\n" in ran.stderr


def test_the_head_has_the_constants_that_are_the_same_at_every_size() -> None:
    ran = gnomon("check", "counter.ispl", "--set", "n=2..3", "--set", "m=0")
    other = gnomon("check", "counter.ispl", "--set", "n=2..3", "--set", "m=0..1")

    assert ran.stdout.startswith("counter.ispl  m = 0\n")
    assert other.stdout.startswith("counter.ispl\n")


#: From n on there is only one way, and it ends where `x` would leave its range.
STUCK = COUNTER.replace("Other : { stay }", "Other : { up }")


def test_sanity_checks_have_columns_and_are_not_forgotten_in_the_summary() -> None:
    Path("stuck.ispl").write_text(STUCK, encoding="utf-8")
    asked = ("check", "stuck.ispl", "--set", "n=1..2", "--only", "stuck", "--check-deadlock")
    ran, quiet = gnomon(*asked), gnomon(*asked, "--quiet")

    assert ran.exit_code == quiet.exit_code == 1
    assert "  n  stuck        no deadlock  states" in ran.stdout
    assert "\n  1  ✓ false      ✗ " in ran.stdout
    assert "2 verdicts: 2 as expected · 2 checks not passed · " in ran.stdout
    assert quiet.stdout.count("a deadlock can be reached") == 2


def test_what_is_vacuous_is_counted_and_said_quietly_in_words() -> None:
    vacuous = COUNTER.replace("Formulae\n", "Formulae\n  hollow : AG (at[9] -> at[1]);\n", 1)
    Path("vacuous.ispl").write_text(vacuous, encoding="utf-8")
    asked = ("check", "vacuous.ispl", "--set", "n=1..2", "--only", "hollow")

    assert "2 verdicts: 2 as expected · 2 vacuous · " in gnomon(*asked).stdout
    strict = gnomon(*asked, "--quiet", "--strict")
    assert strict.exit_code == 1
    assert "n = 1: hollow: AG (at[9] -> at[1]) is true, but vacuous: `at[9]`" in strict.stdout


def test_a_size_that_is_refused_is_no_row_like_others() -> None:
    Path("stuck.ispl").write_text(STUCK, encoding="utf-8")
    ran = gnomon("check", "stuck.ispl", "--set", "n=1..2", "--only", "stuck", "--strict")

    assert ran.exit_code == 2
    assert "\n  1  –            error " in ran.stdout
    assert "0 verdicts · 2 sizes not checked · " in ran.stdout


def test_a_file_has_the_warnings_as_well() -> None:
    Path("stuck.ispl").write_text(STUCK, encoding="utf-8")
    gnomon("check", "stuck.ispl", "--set", "n=1..2", "--only", "stuck", "-o", "table.txt")
    written = Path("table.txt").read_text(encoding="utf-8")

    assert written.count("warning[G0801]") >= 1
    assert "= first with n = 1\n" in written


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


def test_a_formula_need_not_be_there_at_every_size() -> None:
    ran = gnomon(
        "check", "counter.ispl", "--set", "n=1..3", "--only", "reach[3]", "--only", "reach[2]"
    )
    never = gnomon("check", "counter.ispl", "--set", "n=1..3", "--only", "reach[7]", "--only", "9")

    assert ran.exit_code == 0
    assert "3 sizes, 3 verdicts: 3 as expected" in ran.stdout
    assert never.exit_code == 2
    assert never.stderr.count("G0818") >= 2


def test_a_table_has_no_room_for_evidence_and_says_so() -> None:
    refused = gnomon("check", "counter.ispl", "--set", "n=2..3", "--evidence")
    found = gnomon("check", "counter.ispl", "--set", "n=2..3", "--evidence", "--json")

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--format" in refused.stderr
    assert json.loads(found.stdout)[0]["formulae"][0]["evidence"] is not None
