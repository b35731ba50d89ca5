"""What a file expects of its formulae decides about marks, words and the exit status."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gnomon.checking import question
from gnomon.checking.check import check
from gnomon.checking.verdict import Result, Verdict
from gnomon.interfaces.cli import printer
from tests.e2e.cli import gnomon

MODEL = """\
Constants
  n = 2;
end Constants

Agent Environment
  Obsvars:
    level : 0..n;
  end Obsvars
  Actions = { raise, keep };
  Protocol:
    level < n : { raise, keep };
    Other : { keep };
  end Protocol
  Evolution:
    level = level + 1 if Action = raise;
  end Evolution
end Agent

Agent Guard
  Vars:
    awake : boolean;
  end Vars
  Actions = { look };
  Protocol:
    Other : { look };
  end Protocol
end Agent

Evaluation
  flooded if Environment.level = n;
  dry if Environment.level = 0;
  asleep if Guard.awake = false;
end Evaluation

InitStates
  Environment.level = 0 and Guard.awake = true;
end InitStates

Groups
  guards = { Guard };
end Groups

Formulae
  holds : EF flooded;
  bypass : <guards>F flooded expect false;
  AG !flooded expect false;
  wrong : AG !flooded;
  too_good : EF dry expect false;
  vague : EF dry expect undefined;
  hollow : AG (asleep -> flooded);
  reach[1] : EF flooded expect true;
end Formulae
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("flood.ispl").write_text(MODEL, encoding="utf-8")
    return "flood.ispl"


def numbers(*chosen: int) -> list[str]:
    return [word for number in chosen for word in ("--only", str(number))]


@pytest.mark.parametrize("command", ["check", "explain-verdict"])
@pytest.mark.parametrize(
    ("number", "more", "status"),
    [
        pytest.param(1, [], 0, id="true, nothing said"),
        pytest.param(2, [], 0, id="false, as expected"),
        pytest.param(4, [], 1, id="false, nothing said"),
        pytest.param(5, [], 1, id="true, but false was expected"),
        pytest.param(6, [], 1, id="true, but undefined was expected"),
        pytest.param(2, ["--expect", "true"], 1, id="false, and all should be true"),
        pytest.param(5, ["--expect", "true"], 0, id="true, and all should be true"),
        pytest.param(7, [], 0, id="vacuous"),
        pytest.param(7, ["--strict"], 1, id="vacuous, strictly"),
        pytest.param(2, ["--engine", "explicit", "--max-states", "1"], 3, id="not decided"),
    ],
)
def test_the_status_goes_by_what_is_expected(
    model: str, command: str, number: int, more: list[str], status: int
) -> None:
    assert gnomon(command, model, "--only", str(number), *more).exit_code == status


@pytest.mark.parametrize(
    ("chosen", "status"),
    [((1, 2, 3), 0), ((1, 2, 5), 1)],
)
def test_one_formula_that_is_not_as_expected_is_enough(
    model: str, chosen: tuple[int, ...], status: int
) -> None:
    assert gnomon("check", model, *numbers(*chosen)).exit_code == status


def test_what_is_not_decided_does_not_hide_what_is_wrong(model: str) -> None:
    arguments = ["--formula", "EF flooded", "--check-deadlock", "--timeout", "60"]
    Path("stuck.ispl").write_text(MODEL.replace("    Other : { keep };\n", "", 1), encoding="utf-8")

    assert gnomon("check", "stuck.ispl", *arguments).exit_code == 1
    assert gnomon("check", model, *arguments).exit_code == 0


def test_names_marks_and_words_are_shown(model: str) -> None:
    lines = gnomon("check", model).stdout.splitlines()
    starts = [(line.split()[0], line.split()[1]) for line in lines if line[2:3] in {"✓", "✗"}]

    assert lines[0] == "flood.ispl  finite · n = 2"
    assert starts == [
        ("✓", "holds"),
        ("✓", "bypass"),
        ("✓", "3"),
        ("✗", "wrong"),
        ("✗", "too_good"),
        ("✗", "vague"),
        ("✓", "hollow"),
        ("✓", "reach[1]"),
    ]
    assert "false, as expected  " in lines[3]
    assert lines[-1].startswith("8 formulae: 5 true, 3 false · 5 as expected, 3 not · ")


def test_constants_in_force_are_those_that_were_set(model: str) -> None:
    assert gnomon("check", model, "--set", "n=4").stdout.startswith("flood.ispl  finite · n = 4\n")


def test_where_all_should_be_true_no_expectation_is_spoken_of(model: str) -> None:
    shown = gnomon("check", model, "--expect", "true")

    assert "expected" not in shown.stdout
    assert "8 formulae: 5 true, 3 false · " in shown.stdout


def test_quiet_names_what_is_not_as_expected(model: str) -> None:
    assert gnomon("check", model, "--quiet").stdout.splitlines() == [
        "✗ flood.ispl: wrong: AG !flooded is false",
        "✗ flood.ispl: too_good: EF dry is true, but false was expected",
        "✗ flood.ispl: vague: EF dry is true, but undefined was expected",
    ]


def test_a_truth_that_says_nothing_is_noted(model: str) -> None:
    shown = gnomon("check", model, "--only", "7").stdout

    assert "✓ hollow  AG (asleep -> flooded)" in shown
    assert "vacuous: `asleep` is true in no reachable state" in shown


def test_a_file_gets_the_same_words_as_the_screen(model: str) -> None:
    gnomon("check", model, "-o", "out.txt", "--only", "2", "--only", "5")
    written = Path("out.txt").read_text(encoding="utf-8")

    assert "false, as expected" in written
    assert "true, but false was expected" in written


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (["bypass"], ["bypass"]),
        (["h*"], ["holds", "hollow"]),
        (["reach[*]"], ["reach[1]"]),
        (["reach[1]", "3"], ["3", "reach[1]"]),
        (["*"], ["holds", "bypass", "wrong", "too_good", "vague", "hollow", "reach[1]"]),
        (["2", "bypass", "by*"], ["bypass"]),
    ],
)
def test_formulae_are_chosen_by_name_pattern_and_number(
    model: str, chosen: list[str], names: list[str]
) -> None:
    given = [word for choice in chosen for word in ("--only", choice)]
    lines = gnomon("check", model, *given).stdout.splitlines()

    assert names == [line.split()[1] for line in lines if line[2:3] in {"✓", "✗"}]


@pytest.mark.parametrize("command", ["check", "explain-verdict"])
@pytest.mark.parametrize(
    ("choice", "hint"),
    [
        ("bypas", "did you mean `bypass`?"),
        ("9", "has 8 formulae"),
        ("0", "from 1"),
        ("a b", "name"),
    ],
)
def test_a_choice_of_nothing_is_bad_input(model: str, command: str, choice: str, hint: str) -> None:
    result = gnomon(command, model, "--only", choice)

    assert result.exit_code == 2
    assert hint in result.stderr
    assert not result.stdout


@pytest.mark.parametrize("arguments", [["bypass"], ["2"], ["--only", "bypass"], ["by*"]])
def test_a_verdict_is_explained_by_its_name(model: str, arguments: list[str]) -> None:
    result = gnomon("explain-verdict", model, *arguments)

    assert result.stdout.splitlines()[:2] == [
        "bypass: <guards>F flooded is false, as expected",
        "n = 2",
    ]
    assert result.exit_code == 0


def test_what_was_not_expected_is_explained_first(model: str) -> None:
    assert gnomon("explain-verdict", model).stdout.startswith("wrong: AG !flooded is false\n")
    assert gnomon("explain-verdict", model, "h*").stdout.startswith("holds: EF flooded is true\n")


def test_one_formula_is_explained_and_chosen_once(model: str) -> None:
    result = gnomon("explain-verdict", model, "bypass", "--only", "2")

    assert result.exit_code == 2
    assert "NAME and --only" in result.stderr


def test_a_page_has_names_constants_and_expectations(model: str) -> None:
    page = gnomon("explain-verdict", model, "bypass", "--format", "html").stdout

    assert "<title>bypass: &lt;guards&gt;F flooded</title>" in page
    assert '<span class="true">false, as expected</span>' in page
    assert "flood.ispl, formula bypass · finite · n = 2 · 3 states" in page


def lines_of(model: str, patience: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is printed where the last formula is decided first."""

    def backwards(*given: Any, on_verdict: Callable[[Verdict], None], **more: Any) -> Result:
        result = check(*given, **more)
        for verdict in reversed(result.verdicts):
            on_verdict(verdict)
        return result

    monkeypatch.setattr(printer, "PATIENCE", patience)
    monkeypatch.setattr(question, "check", backwards)
    return gnomon("check", model).stdout.splitlines()


def test_verdicts_appear_as_they_are_decided(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lines_of(model, 0.0, monkeypatch)
    names = [line.split()[1] for line in lines if line[2:3] in {"✓", "✗"}]

    assert lines[0] == "flood.ispl  finite · n = 2"
    assert names[0] == "reach[1]"
    assert names[-1] == "holds"
    assert len(names) == 8


def test_what_is_over_soon_is_in_the_order_of_the_file(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        line.split()[1]
        for line in lines_of(model, math.inf, monkeypatch)
        if line[2:3] in {"✓", "✗"}
    ]

    assert names[0] == "holds"
    assert names[-1] == "reach[1]"
