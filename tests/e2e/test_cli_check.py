import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.e2e.cli import FALSE, TRUE, gnomon, model
from tests.support import shared_models
from tests.unit.results.samples import MODEL
from tests.unit.results.schemas import validate

__all__ = ["model"]

PARAMETERISED = """\
Types
  Room : { hall, cellar };
end Types
Relations
  Door : Room * Room;
end Relations
Environment
  Vars:
    lamp : boolean;
  end Vars
  Sync = { descend };
  Protocol:
    true : { descend };
  end Protocol
  Evolution:
    lamp = true if Action = descend;
  end Evolution
end Environment
Template Robot
  Vars:
    room : Room;
  end Vars
  Sync = { descend };
  Protocol:
    room = hall and Door(hall, cellar) : { descend };
  end Protocol
  Evolution:
    room = cellar if Action = descend;
  end Evolution
end Template
Evaluation
  pair if exists i, j : Robot (i != j and i.room = cellar and j.room = cellar);
  lit if Environment.lamp = true;
end Evaluation
InitStates
  Environment.lamp = false and Robot.room = hall;
end InitStates
Formulae
  AG !pair;
  AG (Robot.room = cellar -> K(Robot, lit));
  EF lit;
  AG (Robot.room = hall -> K(Robot, !lit));
end Formulae
"""


def timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "… s", text)


def test_every_formula_has_its_verdict(model: str, snapshot: SnapshotAssertion) -> None:
    result = gnomon("check", model)

    assert result.exit_code == 1
    assert result.stderr == ""
    assert timeless(result.stdout) == snapshot


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--formula", TRUE], 0),
        (["--formula", FALSE], 1),
        (["--formula", TRUE, "--formula", FALSE], 1),
        (["--engine", "explicit", "--max-states", "3"], 3),
        (["--formula", "AF"], 2),
        (["--formula", "zork"], 2),
        (["--only", "9"], 2),
        (["--only", "1", "--formula", TRUE], 2),
        (["--engine", "oracle"], 2),
        (["--uniform-group", "both"], 2),
        (["--set", "n"], 2),
        (["--timeout", "0"], 2),
        (["--json", "--format", "sarif"], 2),
        (["-o", "no/such/folder/out.txt"], 2),
    ],
)
def test_the_status_says_how_it_came_out(model: str, arguments: list[str], status: int) -> None:
    result = gnomon("check", model, *arguments)

    assert result.exit_code == status
    assert status != 2 or (result.stderr and not result.stdout)


def test_a_missing_engine_names_those_there_are(model: str) -> None:
    assert (
        "auto, bdd, explicit, sat, counting, abstraction"
        in gnomon("check", model, "--engine", "oracle").stderr
    )


def test_formulae_keep_their_numbers(model: str) -> None:
    value = validate("check", gnomon("check", model, "--only", "3", "--only", "1", "--json").stdout)

    assert [formula["index"] for formula in value["formulae"]] == [1, 3]
    assert [formula["line"] is not None for formula in value["formulae"]] == [True, True]


def test_json_is_as_published(model: str) -> None:
    value = validate("check", gnomon("check", model, "--json", "--evidence").stdout)

    assert (value["model"], value["kind"], value["states"]) == ("bits.ispl", "finite", 20)
    assert [formula["verdict"] for formula in value["formulae"]] == [
        "true",
        "false",
        "false",
        "false",
    ]
    assert [formula["strategies"] for formula in value["formulae"]] == [None, None, None, "perfect"]
    assert value["checks"] == {"deadlock": None, "overflow": None}


def test_several_models_are_an_array(model: str) -> None:
    value = validate("check", gnomon("check", model, model, "--json").stdout)

    assert len(value) == 2


def test_a_model_may_come_from_standard_input() -> None:
    result = gnomon("check", "-", "--json", given=MODEL)

    assert (result.exit_code, json.loads(result.stdout)["model"]) == (1, "<stdin>")


def test_where_one_model_is_bad_nothing_is_checked_and_all_is_said(model: str) -> None:
    Path("bad.ispl").write_text(MODEL.replace("{reply}", "{replay}"), encoding="utf-8")
    result = gnomon("check", model, "bad.ispl", "gone.ispl", "--json")
    first, second, third = validate("check", result.stdout)

    assert result.exit_code == 2
    assert first["formulae"] == []
    assert second["diagnostics"][0]["code"] == "G0204"
    assert third["diagnostics"][0]["code"] == "G0001"
    assert "`replay`" in result.stderr
    assert "`gone.ispl` cannot be opened" in result.stderr


def test_a_name_that_is_mistyped_is_guessed_by_the_files_beside_it(model: str) -> None:
    Path("below").mkdir()
    Path("below/door.ispl").write_text(MODEL, encoding="utf-8")

    assert "did you mean `below/door.ispl`?" in gnomon("check", "below/doors.ispl").stderr
    assert "did you mean" not in gnomon("check", "below/zebra.ispl").stderr
    assert "did you mean" not in gnomon("check", "nowhere/door.ispl").stderr


def test_what_is_no_number_is_said_with_its_unit(model: str) -> None:
    assert "`abc` is no number of seconds" in gnomon("check", model, "--timeout", "abc").stderr
    assert "`abc` is no number of megabytes" in gnomon("check", model, "--memory", "abc").stderr


def test_bad_input_is_drawn(model: str, snapshot: SnapshotAssertion) -> None:
    broken = MODEL.replace("{reply}", "{replay}").replace("bit : boolean;", "bit : booleen;")
    Path(model).write_text(broken, encoding="utf-8")
    result = gnomon("check", model)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == snapshot


def test_json_lines_come_one_a_formula(model: str) -> None:
    lines = [
        json.loads(line) for line in gnomon("check", model, "--format", "jsonl").stdout.splitlines()
    ]

    assert [line["type"] for line in lines] == [*["formula"] * 4, "model"]


def test_sarif_and_junit_can_be_read(model: str) -> None:
    sarif = json.loads(gnomon("check", model, "--format", "sarif").stdout)
    junit = ET.fromstring(gnomon("check", model, "--format", "junit").stdout)

    assert len(sarif["runs"][0]["results"]) == 4
    assert junit[0].get("failures") == "3"


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "sarif", "junit"])
def test_a_file_gets_what_would_be_printed(model: str, form: str) -> None:
    printed = gnomon("check", model, "--format", form)
    to_file = gnomon("check", model, "--format", form, "-o", "out")

    assert (to_file.stdout, to_file.exit_code) == ("", printed.exit_code)
    assert len(Path("out").read_text(encoding="utf-8").splitlines()) == len(
        printed.stdout.splitlines()
    )
    assert sorted(os.listdir()) == ["bits.ispl", "out"]


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet_says_only_what_is_not_true(model: str, option: str) -> None:
    lines = gnomon("check", model, option).stdout.splitlines()

    assert lines[0] == "✗ bits.ispl: 2: AF received is false"
    assert len(lines) == 3


def test_verbose_shows_how_formulae_were_read(model: str) -> None:
    assert "read as AF received" in gnomon("check", model, "--verbose").stdout


# Any number of agents


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a model with templates in the folder we are in."""
    monkeypatch.chdir(tmp_path)
    Path("robots.ispl").write_text(PARAMETERISED, encoding="utf-8")
    return "robots.ispl"


def test_any_number_of_agents_is_decided(robots: str) -> None:
    result = gnomon("check", robots)

    assert (result.exit_code, result.stderr) == (1, "")
    assert "✗ 1  AG !pair" in result.stdout
    assert "✓ 2  AG (Robot.room = cellar -> K(Robot, lit))" in result.stdout
    assert "✓ 3  EF lit" in result.stdout
    assert "✗ 4  AG (Robot.room = hall -> K(Robot, !lit))" in result.stdout
    assert "it takes 2 Robot" in result.stdout
    assert "for any number of agents" in result.stdout
    assert "relying on Door(hall, cellar)" in result.stdout


def test_the_json_of_any_number_of_agents_is_as_published(robots: str) -> None:
    result = gnomon("check", robots, "--json")
    value = validate("check", result.stdout)
    unsafe, known, reached, unknown = (item["agents"] for item in value["formulae"])

    assert result.exit_code == 1
    assert (value["kind"], value["engine"]) == ("parameterised", "parameterised")
    assert (value["states"], value["checks"]) == (None, {"deadlock": None, "overflow": None})
    assert [item["verdict"] for item in value["formulae"]] == ["false", "true", "true", "false"]
    assert [item["evidence"] for item in value["formulae"]] == [None] * 4
    assert unsafe == {
        "reached": True,
        "smallest": [{"Robot": 2}],
        "exact": True,
        "facts": ["Door(hall, cellar)"],
        "cases": None,
    }
    assert (known["reached"], known["smallest"], known["facts"]) == (False, [], [])
    assert reached["smallest"] == [{"Robot": 1}]
    assert unknown["reached"]


def test_evidence_about_any_number_of_agents_is_about_some_of_them(robots: str) -> None:
    printed = gnomon("check", robots, "--evidence", "--only", "1").stdout
    value = validate("check", gnomon("check", robots, "--evidence", "--json").stdout)
    first, second = (value["formulae"][index]["evidence"] for index in (0, 3))

    assert "counterexample: 2 Robot can reach a state where" in printed
    assert "Robot1" in printed and "Robot2" in printed and "Robot3" not in printed
    assert first["explanation"]["run"]["steps"][-1]["state"] == {
        "Environment": {"lamp": True},
        "Robot1": {"room": "cellar"},
        "Robot2": {"room": "cellar"},
    }
    [confusion] = (branch["because"] for branch in second["explanation"]["branches"])
    assert (confusion["relation"], confusion["agents"]) == ("knowledge", ["Robot1"])


def test_a_finite_and_an_open_model_can_be_checked_together(robots: str) -> None:
    Path("bits.ispl").write_text(MODEL, encoding="utf-8")
    finite, parameterised = validate("check", gnomon("check", "bits.ispl", robots, "--json").stdout)

    assert (finite["kind"], parameterised["kind"]) == ("finite", "parameterised")
    assert "agents" not in finite["formulae"][0]


def test_other_formats_know_any_number_of_agents(robots: str) -> None:
    lines = gnomon("check", robots, "--format", "jsonl").stdout.splitlines()
    sarif = json.loads(gnomon("check", robots, "--format", "sarif", "--evidence").stdout)
    junit = ET.fromstring(gnomon("check", robots, "--format", "junit", "--evidence").stdout)

    assert [json.loads(line)["type"] for line in lines] == [*["formula"] * 4, "model"]
    assert json.loads(lines[0])["agents"]["smallest"] == [{"Robot": 2}]
    assert [item["kind"] for item in sarif["runs"][0]["results"]].count("fail") == 2
    assert (junit[0].get("tests"), junit[0].get("failures")) == ("4", "2")


def test_quiet_about_any_number_of_agents(robots: str) -> None:
    assert gnomon("check", robots, "--quiet").stdout.splitlines() == [
        "✗ robots.ispl: 1: AG !pair is false",
        "✗ robots.ispl: 4: AG (Robot.room = hall -> K(Robot, !lit)) is false",
    ]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--only", "2"], 0),
        (["--only", "2", "--only", "3"], 0),
        (["--only", "1"], 1),
        (["--only", "5"], 2),
        (["--formula", "EF pair"], 0),
        (["--formula", "AG !lit"], 1),
        (["--formula", "forall i : Robot (AG (i.room = hall -> K(i, i.room = hall)))"], 0),
        (["--formula", "EF exists i : Robot (i.room = cellar and Environment.lamp = false)"], 1),
        (["--formula", "<Robot>X lit"], 2),
        (["--formula", "EF zork"], 2),
        (["--formula", "EF exists i : Robto (i.room = hall)"], 2),
        (["--engine", "parameterised"], 1),
        (["--engine", "bdd"], 2),
        (["--engine", "explicit"], 2),
        (["--engine", "abstraction"], 2),
        (["--check-deadlock"], 2),
        (["--check-overflow"], 2),
        (["--set", "n=3"], 2),
    ],
)
def test_the_status_of_any_number_of_agents(robots: str, arguments: list[str], status: int) -> None:
    result = gnomon("check", robots, *arguments)

    assert result.exit_code == status
    assert status != 2 or (result.stderr and not result.stdout)


def test_an_engine_for_the_other_kind_of_model_is_refused(robots: str) -> None:
    Path("bits.ispl").write_text(MODEL, encoding="utf-8")
    for arguments, code, hint in (
        ([robots, "--engine", "bdd"], "G0814", "gnomon export --agents"),
        ([robots, "--check-deadlock"], "G0814", "gnomon export --agents"),
        (["bits.ispl", "--engine", "parameterised"], "G0815", "leave --engine out"),
    ):
        result = gnomon("check", *arguments)
        value = validate("check", gnomon("check", *arguments, "--json").stdout)

        assert (result.exit_code, result.stdout) == (2, "")
        assert f"error[{code}]" in result.stderr
        assert hint in " ".join(result.stderr.split())
        assert [item["code"] for item in value["diagnostics"]] == [code]


def test_a_time_limit_leaves_any_number_of_agents_open() -> None:
    names = ", ".join(f"i{number}" for number in range(14))
    deep = f"EF exists {names} : Robot ({' and '.join(f'i{n}.room = cellar' for n in range(14))})"
    result = gnomon(
        "check", "-", "--timeout", "0.2", "--formula", deep, "--json", given=PARAMETERISED
    )
    [formula] = validate("check", result.stdout)["formulae"]

    assert (result.exit_code, formula["verdict"]) == (3, "unknown")
    assert "time limit" in formula["reason"]
    assert "agents" not in formula


def test_a_model_with_templates_is_shown(robots: str) -> None:
    result = gnomon("show", robots)
    written = gnomon("show", robots, "-o", "shown.txt")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "parameterised: the number of agents is open" in result.stdout
    assert "Robot  [0..*]" in result.stdout
    assert "room : {hall, cellar}" in result.stdout
    assert "descend (some)" in result.stdout
    assert "relation Door : {hall, cellar} * {hall, cellar}" in result.stdout
    assert "4  AG (Robot.room = hall -> K(Robot, !lit))" in result.stdout
    assert (written.exit_code, written.stdout) == (0, "")
    assert Path("shown.txt").read_text(encoding="utf-8") == result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "--json"],
        ["show", "--graph", "dot"],
        ["simulate"],
        ["simulate", "--random", "3", "--json"],
    ],
)
def test_what_needs_a_number_of_agents_says_how_to_fix_it(
    robots: str, arguments: list[str]
) -> None:
    result = gnomon(*arguments, robots)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "open number of agents" in result.stderr
    assert "gnomon export robots.ispl --agents 3" in result.stderr


def test_what_goes_down_a_broken_pipe_is_not_complained_about(model: str) -> None:
    command = f"{sys.executable} -m gnomon.interfaces.cli check {model} {model} | head -0"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)

    assert done.stderr == ""


@pytest.mark.slow
def test_an_interrupted_check_still_reports() -> None:
    big = shared_models() / "mcmas" / "go_back_n.ispl"
    command = [sys.executable, "-m", "gnomon.interfaces.cli", "check", str(big)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        stdout, _ = running.communicate(timeout=30)

    assert running.returncode == 130
    assert "interrupted" in stdout
