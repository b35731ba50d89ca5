"""Evidence stays short, says what it leaves out, and is true."""

from pathlib import Path

import pytest

from tests.e2e.cli import gnomon

#: A clock runs up to n, and a coin lies where nobody sees it: at no time is it known how.
COIN = """
Constants n = 9; end Constants
Agent Environment
  Obsvars: time : 0..n; end Obsvars
  Vars: coin : { heads, tails }; end Vars
  Actions = { tick };
  Protocol: Other : { tick }; end Protocol
  Evolution: time = time + 1 if time < n; end Evolution
end Agent
Agent Watcher
  Vars: awake : boolean; end Vars
  Actions = { watch };
  Protocol: Other : { watch }; end Protocol
  Evolution: awake = true if awake; end Evolution
end Agent
Evaluation heads if Environment.coin = heads; end Evaluation
InitStates Environment.time = 0 and Watcher.awake; end InitStates
Formulae
  AF (K(Watcher, heads) or K(Watcher, !heads));
end Formulae
"""

DOCK = """
Environment
  Obsvars: lamp : { free, taken }; end Obsvars
  Sync = { dock : one };
  Protocol: lamp = free : { dock }; Other : {}; end Protocol
  Evolution: lamp = taken if Action = dock; end Evolution
end Environment
Template Robot [1..*]
  Vars: at : { floor, queue, dock }; end Vars
  Actions = { line_up };
  Sync = { dock };
  Protocol: at = floor : { line_up }; at = queue : { dock }; Other : {}; end Protocol
  Evolution: at = queue if Action = line_up; at = dock if Action = dock; end Evolution
end Template
Evaluation
  busy if exists i, j : Robot (i != j and i.at = dock and (j.at = queue or j.at = floor or j.at = dock));
end Evaluation
InitStates Environment.lamp = free and Robot.at = floor; end InitStates
Formulae
  AG (Robot.at = queue -> K(Robot, !busy));
end Formulae
"""


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.ispl"
    path.write_text(COIN, encoding="utf-8")
    return str(path)


@pytest.fixture
def dock(tmp_path: Path) -> str:
    path = tmp_path / "dock.ispl"
    path.write_text(DOCK, encoding="utf-8")
    return str(path)


def lines(*arguments: str) -> list[str]:
    return gnomon(*arguments).stdout.splitlines()


def test_evidence_fits_on_a_screen_or_two_and_says_what_is_left_out(coin: str) -> None:
    shown, full = lines("check", coin, "--evidence"), lines("check", coin, "--full")

    assert len(shown) <= 90 < len(full)
    assert any("--full shows all" in line for line in shown)
    assert not any("--full shows all" in line for line in full)


def test_a_story_is_short_and_says_what_is_left_out(coin: str) -> None:
    shown, full = lines("explain-verdict", coin), lines("explain-verdict", coin, "--full")

    assert len(shown) <= 90 < len(full)
    assert any("left out" in line for line in shown)


def test_in_brief_there_is_one_run(coin: str) -> None:
    shown = lines("check", coin, "--brief")

    assert len(shown) < len(lines("check", coin, "--evidence"))
    assert sum("counterexample:" in line for line in shown) == 1
    assert not any("run 2" in line for line in shown)


def test_more_runs_can_be_asked_for(coin: str) -> None:
    few, more = (lines("check", coin, "--evidence", "--max-runs", number) for number in "12")

    assert len(few) < len(more)


@pytest.mark.parametrize("other", ["--full", "--verbose"])
def test_brief_and_everything_do_not_go_together(coin: str, other: str) -> None:
    refused = gnomon("check", coin, "--brief", other)

    assert refused.exit_code == 2
    assert "contradict" in refused.stderr


def test_json_has_all_runs_whatever_is_told(coin: str) -> None:
    brief, whole = (
        gnomon("explain-verdict", coin, "--format", "json", option).stdout.count('"run": {')
        for option in ("--brief", "--full")
    )

    assert brief == whole > 3


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("open", "open"),
        ("Environment.lamp = free", "Environment.lamp = free"),
        ("open and Robot.at = dock", "Environment.lamp = free and Robot1.at = dock"),
    ],
)
def test_what_is_not_known_is_told_without_opposites_of_opposites(
    dock: str, asked: str, told: str
) -> None:
    text = DOCK.replace("Evaluation\n", "Evaluation\n  open if Environment.lamp = free;\n", 1)
    text = text.replace("at = queue -> K(Robot, !busy)", f"at = dock -> K(Robot, {asked})")
    Path(dock).write_text(text, encoding="utf-8")
    shown = " ".join(gnomon("check", dock, "--evidence").stdout.split())

    assert f"Robot1 does not know {told}: it is false right there" in shown


@pytest.mark.parametrize("command", [["check", "--evidence"], ["explain-verdict"]])
def test_what_a_robot_of_any_number_does_not_know_is_named_once(
    dock: str, command: list[str]
) -> None:
    text = " ".join(gnomon(command[0], dock, *command[1:]).stdout.split())

    assert "Robot1 does not know !busy: it is false right there" in text
    assert "does not know K(" not in text
    assert text.count("lamp = free") == (1 if command[0] == "check" else 2)


@pytest.mark.parametrize("command", [["check", "--evidence"], ["explain-verdict"]])
def test_what_is_not_known_may_have_a_colon(dock: str, command: list[str]) -> None:
    known = "!(exists j : Robot (j.at = dock))"
    asked = f"AG (Robot.at = queue -> K(Robot, {known}))"
    text = " ".join(gnomon(command[0], dock, "--formula", asked, *command[1:]).stdout.split())

    assert f"Robot1 does not know {known}: it is false right there" in text


LONG = "AG (heads -> K(Watcher, heads and (heads or K(Watcher, heads and (heads or K(Watcher, !heads))))))"


def test_long_formulae_are_abbreviated_with_a_word_about_it(coin: str) -> None:
    for command in ("check", "explain-verdict"):
        options = ["--evidence"] if command == "check" else []
        shown = " ".join(lines(command, coin, "--formula", LONG, *options))
        full = " ".join(lines(command, coin, "--formula", LONG, "--full"))

        assert "…" in shown
        assert "--full shows them" in shown
        assert "stands for" not in full


def test_one_brief_story_is_much_shorter_than_all_of_it(coin: str) -> None:
    brief, full = (lines("explain-verdict", coin, option) for option in ("--brief", "--full"))

    assert 4 * len(brief) < len(full)
