"""`gnomon check --race`: several ways at once, of which nobody is left behind, whatever happens."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.cli import gnomon, model
from tests.e2e.process import PATIENCE, program
from tests.unit.checking.test_process import ENDLESS

__all__ = ["model"]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

#: The command, deciding as we like: who is asked for `AF …` says so in a file and sleeps.
PLANTED = """
import pathlib, sys, time
from dataclasses import replace
from gnomon.checking import check, choose, exploring, race, walking
from gnomon.checking.verdict import Value
from gnomon.interfaces.cli.entry import run

right = exploring.Exploring._answer

def planted(self, formula):
    engine = self.found.engine
    if formula.text.startswith("AF") and engine in {asleep!r}:
        pathlib.Path(engine).touch()
        time.sleep(600)
    while {wrong!r} + {failing!r} and engine == "bdd" and not pathlib.Path("explicit").exists():
        time.sleep(0.01)
    decision = right(self, formula)
    if engine in {failing!r}:
        pathlib.Path(engine).touch()
        raise ZeroDivisionError("planted")
    if engine in {wrong!r}:
        other = Value.FALSE if decision.value is Value.TRUE else Value.TRUE
        return decision._replace(value=other)
    return decision

exploring.Exploring._answer = planted
choose.at_once = lambda _: None  # diagrams begin
walking.RandomWalk.compare = lambda *_: None
check._ALONE = race._MEASURED = 0.0
race.IdleCores.free = lambda _: 1
race.usable_cores = lambda: 2
run()
"""
ASKED = ("--formula", "EF received", "--formula", "AF received")


class Marked:
    """A program whose processes can all be found, whoever has started them."""

    def __init__(self, *words: str, **environment: str) -> None:
        self._mark = f"GNOMON_TEST={uuid4()}".encode()
        name, _, value = self._mark.decode().partition("=")
        self.process = subprocess.Popen(
            [sys.executable, *words],
            env={**os.environ, name: value, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def alive(self) -> list[int]:
        return [int(path.name) for path in Path("/proc").glob("[0-9]*") if self._is_ours(path)]

    def _is_ours(self, path: Path) -> bool:
        try:
            return self._mark in (path / "environ").read_bytes()
        except OSError:
            return False

    def has(self, least: int, most: int) -> bool:
        """Wait until there are so many processes."""
        return until(lambda: least <= len(self.alive()) <= most)


def until(condition: "object") -> bool:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def marked() -> Iterator[list[Marked]]:
    started: list[Marked] = []
    yield started
    for each in started:
        each.process.kill()
        each.process.communicate()


def planted(
    model: str, *words: str, asleep: str = "", wrong: str = "", failing: str = ""
) -> list[str]:
    """Return the words of a command in which some engines sleep, and others are wrong or fail."""
    text = PLANTED.format(asleep=asleep.split(), wrong=wrong.split(), failing=failing.split())
    return ["-c", text, "check", model, *ASKED, "--json", "--no-evidence", *words]


def test_a_race_says_what_a_check_says(model: str) -> None:
    plain = json.loads(gnomon("check", model, "--json", "--no-race").stdout)
    raced = json.loads(gnomon("check", model, "--json", "--race").stdout)

    assert [each["verdict"] for each in plain["formulae"]] == [
        each["verdict"] for each in raced["formulae"]
    ]


def test_a_race_does_not_go_with_paranoia(model: str) -> None:
    result = gnomon("check", model, "--race", "--paranoid")

    assert 2 == result.exit_code
    assert "--race and --paranoid do not go together" in result.stderr


def test_a_race_is_told_in_a_line(model: str) -> None:
    result = program("check", model, "--race", "--verbose")

    assert b"\n  race " in result.stdout
    assert b"auto decided" in result.stdout


def test_what_one_cannot_decide_another_does_and_it_is_remembered(
    model: str, marked: list[Marked]
) -> None:
    words = planted(model, asleep="bdd")
    marked.append(Marked(*words, GNOMON_HINTS="hints.json"))
    output, _ = marked[0].process.communicate(timeout=PATIENCE)
    answers = json.loads(output)["formulae"]
    learned = json.loads(Path("hints.json").read_text(encoding="utf-8"))

    assert ["true", "false"] == [each["verdict"] for each in answers]
    assert "explicit" == answers[1]["engine"]
    assert [{"auto": [0, 1], "explicit": [1, 1]}] == list(learned["races"].values())
    assert [] == marked[0].alive()


def test_two_who_disagree_are_a_bug_with_both_certificates(
    model: str, marked: list[Marked]
) -> None:
    marked.append(Marked(*planted(model, asleep="bdd explicit", wrong="explicit")))
    _, errors = marked[0].process.communicate(timeout=PATIENCE)
    [report] = Path().glob("gnomon-disagreement-*.json")
    told = json.loads(report.read_text(encoding="utf-8"))
    by = {each["by"]: each for each in told["opinions"]}
    [right] = by["auto"]["certificate"]["verdicts"]

    assert 4 == marked[0].process.returncode
    assert report.name.encode() in errors
    assert {"auto": "true", "explicit": "false"} == {
        name: each["verdict"] for name, each in by.items()
    }
    assert ("EF received", "true") == (right["formula"], right["verdict"])
    assert right["proof"] is not None
    assert by["explicit"]["certificate"] or by["explicit"]["reason"]
    assert [] == marked[0].alive()


@pytest.mark.slow
def test_who_fails_costs_nobody_the_answer(model: str, marked: list[Marked]) -> None:
    marked.append(Marked(*planted(model, failing="explicit")))
    output, _ = marked[0].process.communicate(timeout=PATIENCE)

    assert ["true", "false"] == [each["verdict"] for each in json.loads(output)["formulae"]]
    assert 1 == marked[0].process.returncode


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_what_was_decided_before_an_interruption_is_kept(
    number: int, model: str, marked: list[Marked]
) -> None:
    marked.append(Marked(*planted(model, asleep="bdd explicit")))
    assert until(lambda: Path("bdd").exists() and Path("explicit").exists())
    marked[0].process.send_signal(number)
    output, _ = marked[0].process.communicate(timeout=PATIENCE)

    assert ["true", "unknown"] == [each["verdict"] for each in json.loads(output)["formulae"]]
    assert 128 + number == marked[0].process.returncode
    assert [] == marked[0].alive()


#: A race in a program that may not be forked, with a prepared process beside it.
SERVED = "import sys, gnomon; gnomon.load(sys.argv[1]).check(race=True)"


@pytest.mark.parametrize(
    "served", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["forked", "served"]
)
def test_nobody_outlives_a_program_that_is_killed(
    served: bool, tmp_path: Path, marked: list[Marked]
) -> None:
    path = tmp_path / "endless.ispl"
    path.write_text(ENDLESS, encoding="utf-8")
    words = ["-c", SERVED] if served else ["-m", "gnomon", "check", "--race"]
    marked.append(Marked(*words, str(path)))
    assert marked[0].has(4 if served else 3, 9)
    marked[0].process.kill()

    assert marked[0].has(0, 0)
