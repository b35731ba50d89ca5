"""`gnomon who`, as its users call it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import pigeons
from tests.e2e.cli import gnomon
from tests.e2e.process import COMMAND, PATIENCE
from tests.support import ROOT
from tests.unit.checking.test_pool import descendants
from tests.unit.results.schemas import validate

ROOM = str(ROOT / "examples" / "strongroom.ispl")
DIRECTOR = ("--among", "Director,Auditor")


def test_the_smallest_coalitions_and_the_largest() -> None:
    result = gnomon("who", ROOM, "F open", *DIRECTOR)

    assert result.exit_code == 0
    assert "smallest coalitions that can:\n    ✓ Director, Auditor\n" in result.stdout
    assert "largest coalitions that cannot:\n    ✗ Director\n    ✗ Auditor\n" in result.stdout
    assert "asked: <…>F open\n" in result.stdout


def test_data_follow_the_schema_with_strategies_and_with_knowledge() -> None:
    can = gnomon("who", ROOM, "F open", *DIRECTOR, "--format", "json", "--evidence")
    knows = gnomon("who", ROOM, "--knows", "even", "--format", "json", "--at-most", "2")

    [survey] = validate("who", can.stdout)["surveys"]
    assert [each["members"] for each in survey["holding"]] == [["Director", "Auditor"]]
    assert survey["holding"][0]["evidence"]["kind"] == "strategy"
    assert survey["nobody"]["verdict"] == "false"
    together, everybody, common = validate("who", knows.stdout)["surveys"]
    assert ["Director"] in [each["members"] for each in together["holding"]]
    assert [each["members"] for each in everybody["holding"]] == [["Director"]]
    assert [each["members"] for each in common["holding"]] == [["Director"]]


def test_a_picture_goes_to_a_file(tmp_path: Path) -> None:
    picture = tmp_path / "who.svg"
    result = gnomon("who", ROOM, "F open", *DIRECTOR, "--format", "svg", "-o", str(picture))

    assert result.exit_code == 0
    assert "can, minimal" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("F open", "--knows", "even"), "either"),
        ((), "either"),
        (("F open", "--when", "ever"), "--when goes with --knows"),
        (("open",), "`open` is no goal of a coalition"),
        (("F open", "--among", "Dirctor"), "did you mean `Director`?"),
        (("F open", "--uniform-group", "g"), "--uniform-group goes with"),
        (("F shut",), "there is no proposition `shut`"),
    ],
)
def test_bad_input_is_told_and_nothing_is_asked(arguments: tuple[str, ...], said: str) -> None:
    result = gnomon("who", ROOM, *arguments)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_templates_have_no_agents_that_could_be_named() -> None:
    result = gnomon("who", str(ROOT / "examples" / "parameterised" / "mutex.ispl"), "F done")

    assert result.exit_code == 2
    assert "the number of agents is open" in result.stderr


def hard(tmp_path: Path) -> str:
    """Return a model in which one coalition takes for ever, and the others no time."""
    model = tmp_path / "pigeons.ispl"
    model.write_text(pigeons.pigeons(formulae=(pigeons.HARD,)), encoding="utf-8")
    return str(model)


@pytest.mark.slow
def test_what_is_too_hard_is_open_and_the_rest_is_told(tmp_path: Path) -> None:
    limits = ("--strategies", "uniform", "--environment", "--formula-timeout", "0.5")
    result = gnomon("who", hard(tmp_path), "G !clash", *limits)

    assert result.exit_code == 3
    assert "? Keeper: " in result.stdout
    assert "limit" in result.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_prints_what_is_known(number: int, status: int, tmp_path: Path) -> None:
    running = subprocess.Popen(
        [*COMMAND, "who", hard(tmp_path), "G !clash", "--strategies", "uniform"],
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # The process of a job has one of its own for the work, which would go on for ever.
    while len(descendants(running.pid)) < 3 and running.poll() is None:
        time.sleep(0.1)
    running.send_signal(number)
    said, problems = running.communicate(timeout=PATIENCE)

    assert running.returncode == status
    assert "not known of 1 of 1" in said
    assert "Traceback" not in problems
    with pytest.raises(ProcessLookupError):  # nobody of its group is left
        os.killpg(running.pid, 0)
