"""A family at many sizes, from Python."""

import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gnomon

#: A counter that stops at `n`, which is what the formulae are about.
COUNTER = """\
Constants
  n = 3;
  m = 2;
end Constants
Agent P
  Vars:
    x : 0..9;
  end Vars
  Actions = { up, stay };
  Protocol:
    x < n : { up, stay };
    Other : { stay };
  end Protocol
  Evolution:
    x = x + 1 if Action = up;
  end Evolution
end Agent
Evaluation
  at[i : 0..9] if P.x = i;
end Evaluation
InitStates
  P.x = 0;
end InitStates
Formulae
  past : EF at[m] expect true;
  for i : 0..n:
    reach[i] : EF at[i];
  end for
  stuck : AG at[0] expect false;
end Formulae
"""


@pytest.fixture
def model() -> gnomon.Model:
    return gnomon.load_text(COUNTER, "counter.ispl")


def test_a_family_is_checked_for_every_combination_in_order(model: gnomon.Model) -> None:
    found = gnomon.sweep(model, {"n": range(1, 4), "m": "1,3"})

    assert [constants for constants, _ in found] == [
        {"n": n, "m": m} for n in (1, 2, 3) for m in (1, 3)
    ]
    assert [result.states for _, result in found] == [2, 2, 3, 3, 4, 4]
    for constants, result in found:
        values = {verdict.name: str(verdict.value) for verdict in result.result}
        assert values["past"] == ("true" if constants["m"] <= constants["n"] else "false")
        assert len(values) == 2 + constants["n"] + 1
    assert not found.as_expected


def test_values_may_be_one_number_or_a_text(model: gnomon.Model) -> None:
    assert len(gnomon.sweep(model, {"n": 2, "m": "0..1"}, "EF at[m]")) == 2


def test_a_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "counter.ispl"
    path.write_text(COUNTER, encoding="utf-8")

    assert gnomon.sweep(str(path), {"n": (2, 3)}, timeout=60).as_expected


def test_a_deadlock_at_any_size_is_not_as_expected() -> None:
    stuck = COUNTER.replace("    Other : { stay };\n", "")
    model = gnomon.load_text(stuck)

    assert gnomon.sweep(model, {"n": "1..2"}, "true").as_expected
    assert not gnomon.sweep(model, {"n": "1..2"}, "true", check_deadlock=True).as_expected


def test_it_prints_a_table_and_shows_one_in_a_notebook(model: gnomon.Model) -> None:
    found = gnomon.sweep(model, {"n": "1..2"})

    lines = str(found).splitlines()
    assert lines[0] == "counter.ispl  m = 2"
    assert "  stuck   AG at[0] (false is expected)" in [
        line.replace("     ", "   ") for line in lines
    ]
    assert sum(line.startswith(("  1 ", "  2 ")) for line in lines) == 2
    assert lines[-1].startswith("2 sizes, 9 verdicts: 8 as expected, 1 not as expected")
    page = found._repr_html_()
    assert page.count("<tr>") == 3
    assert "✗ false" in page


def test_rows_and_csv_have_a_line_for_each_formula_at_each_size(model: gnomon.Model) -> None:
    found = gnomon.sweep(model, {"n": "1..2"})

    rows = found.rows()
    assert len(rows) == 4 + 5
    assert [row["n"] for row in rows] == [1] * 4 + [2] * 5
    assert {row["m"] for row in rows} == {2}
    assert found.csv().count("\n") == 1 + len(rows)


def test_a_data_frame_is_made_of_the_rows_where_there_is_pandas(
    model: gnomon.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []
    pandas = ModuleType("pandas")
    pandas.DataFrame = given.append  # type: ignore[attr-defined]
    found = gnomon.sweep(model, {"n": "1..2"})
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    found.frame()

    assert given == [found.rows()]

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_rows"):
        found.frame()


@pytest.mark.parametrize(
    "constants",
    [{"k": (1,)}, {"n": ()}, {"n": "x"}, {"n": ("1",)}, {"n": range(10**6)}, {"n": None}],
)
def test_what_cannot_be_asked_is_an_error_before_anything_is_checked(
    model: gnomon.Model, constants: dict[str, Any]
) -> None:
    with pytest.raises(gnomon.InputError):
        gnomon.sweep(model, constants)


def test_an_error_at_one_size_is_told_once_and_nothing_is_checked(model: gnomon.Model) -> None:
    with pytest.raises(gnomon.InputError) as caught:
        gnomon.sweep(model, {"n": (1, 20, 30)})  # there are no at[10] and above

    errors = [item for item in caught.value.diagnostics if item.is_error]
    assert {item.code for item in errors} == {"G0601"}
    assert len(errors) == len(set(errors))
    assert errors[0].notes[-1] == "first with n = 20"


def test_an_error_that_checking_finds_says_at_which_size() -> None:
    text = COUNTER.replace("P.x = 0;", "P.x = n and P.x < 3;", 1)

    with pytest.raises(gnomon.InputError) as caught:
        gnomon.sweep(gnomon.load_text(text, "starts.ispl"), {"n": (1, 3, 4)})

    assert [("G0803", "first with n = 3")] == [
        (item.code, item.notes[-1]) for item in caught.value.diagnostics if item.is_error
    ]


def test_warnings_and_sanity_checks_are_shown_wherever_a_table_is() -> None:
    stuck = COUNTER.replace("Other : { stay }", "Other : { up }")
    table = gnomon.sweep(
        gnomon.load_text(stuck, "stuck.ispl"),
        {"n": (1, 2)},
        "AG at[0]",
        check_deadlock=True,
    )

    for shown in (str(table), table._repr_html_()):
        assert shown.count("warning[G0801]") >= 1
        assert "no deadlock" in shown
        assert "✗" in shown
    assert not table.as_expected


@pytest.mark.parametrize("values", [range(10**12), itertools.count(), "0..1000000000000"])
def test_values_without_end_are_refused_at_once(model: gnomon.Model, values: Any) -> None:
    with pytest.raises(gnomon.InputError, match="more than 10,000 values"):
        gnomon.sweep(model, {"n": values})


def test_a_model_that_was_built_has_no_constants() -> None:
    builder = gnomon.SystemBuilder("built")
    agent = builder.agent("P", actions=["a"])
    agent.otherwise("a")
    flag = agent.boolean("flag")
    model = builder.build(initial=flag)

    with pytest.raises(gnomon.InputError, match="was built"):
        gnomon.sweep(model, {"n": (1,)})


def test_a_formula_need_not_be_there_at_every_size(model: gnomon.Model) -> None:
    found = gnomon.sweep(model, {"n": "1..3"}, only=["reach[3]", "reach[2]"])

    assert [len(result) for _, result in found] == [0, 1, 2]
    assert found.as_expected
    with pytest.raises(gnomon.InputError, match=r"reach\[7\]"):
        gnomon.sweep(model, {"n": "1..3"}, only="reach[7]")


@pytest.mark.parametrize("only", [[1.5], [[1]], [0], [True], ["a(b"], [None]])
def test_what_chooses_nothing_at_all_is_refused_as_it_is_elsewhere(
    model: gnomon.Model, only: Any
) -> None:
    with pytest.raises(gnomon.InputError, match="only"):
        gnomon.sweep(model, {"n": "1..2"}, only=only)
