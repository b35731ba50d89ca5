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
Semantics = Interleaved;
Template Robot
  Vars:
    busy : boolean;
  end Vars
  Actions = { go };
  Protocol:
    busy = false : { go };
  end Protocol
  Evolution:
    busy = true if Action = go;
  end Evolution
end Template
Evaluation
  clash if exists i : Robot, j : Robot ( i <> j and i.busy = true and j.busy = true );
end Evaluation
InitStates
  forall i : Robot ( i.busy = false );
end InitStates
Formulae
  AG !clash;
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
    assert "auto, bdd, explicit, abstraction" in gnomon("check", model, "--engine", "oracle").stderr


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


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "junit"])
def test_a_file_gets_what_would_be_printed(model: str, form: str) -> None:
    printed = gnomon("check", model, "--format", form)
    to_file = gnomon("check", model, "--format", form, "-o", "out")

    assert (to_file.stdout, to_file.exit_code) == ("", printed.exit_code)
    assert len(Path("out").read_text(encoding="utf-8").splitlines()) == len(
        printed.stdout.splitlines()
    )
    assert sorted(os.listdir()) == ["bits.ispl", "out"]


def test_quiet_says_only_what_is_not_true(model: str) -> None:
    lines = gnomon("check", model, "--quiet").stdout.splitlines()

    assert lines[0] == "✗ bits.ispl: 2: AF received is false"
    assert len(lines) == 3


def test_verbose_shows_how_formulae_were_read(model: str) -> None:
    assert "read as AF received" in gnomon("check", model, "--verbose").stdout


def test_an_open_number_of_agents_is_unknown_for_now() -> None:
    result = gnomon("check", "-", "--json", given=PARAMETERISED)
    value = validate("check", result.stdout)

    assert result.exit_code == 3
    assert (value["kind"], value["states"], value["engine"]) == ("parameterised", None, None)
    assert value["formulae"][0]["verdict"] == "unknown"
    assert value["formulae"][0]["text"] == "AG !clash"
    assert "no engine" in value["formulae"][0]["reason"]


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
        # Where the tests run in the background, the shell has told everybody to ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        stdout, _ = running.communicate(timeout=30)

    assert running.returncode == 130
    assert "interrupted" in stdout
