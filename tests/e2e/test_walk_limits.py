"""`show` and `simulate` end, whatever the model is, and say where they were cut."""

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gnomon.text.numbers import show_integer
from tests.e2e import exploding
from tests.e2e.cli import gnomon
from tests.e2e.process import program
from tests.unit.results.schemas import validate

EXPLODING = {
    "agents": exploding.many_agents(),
    "starts": exploding.many_starts(),
    "alternatives": exploding.many_alternatives(),
    "overflows": exploding.only_overflows(),
    "chain": exploding.CHAIN,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(text: str) -> str:
    """Return the name of a model of that text."""
    Path("m.ispl").write_text(text, encoding="utf-8")
    return "m.ispl"


@pytest.mark.parametrize("name", EXPLODING)
def test_a_graph_of_any_model_is_drawn_as_far_as_the_time_allows(name: str) -> None:
    path = written(EXPLODING[name])
    result = program("show", path, "--graph", "json", "--limit", str(10**30), "--timeout", "1")

    assert result.returncode == 0
    assert json.loads(result.stdout)["cut"] is True  # too large for a schema
    assert "the time limit of 1 s was reached" in result.stderr.decode()


def test_a_picture_that_takes_too_long_is_not_drawn_and_that_is_said() -> None:
    path = written(exploding.CHAIN)
    result = program("show", path, "--graph", "svg", "--limit", str(10**30), "--timeout", "2")

    assert (result.returncode, result.stdout) == (3, b"")
    assert "found, but not drawn: the time limit of 2 s was reached" in result.stderr.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the peak is known")
def test_a_graph_stays_within_its_memory() -> None:
    path = written(exploding.many_agents())
    limits = ["--limit", str(10**9), "--timeout", "100", "--memory", "1"]
    result = program("show", path, "--graph", "dot", *limits)

    assert result.returncode == 3  # Python alone needs more, so that the first look is the last
    assert "the memory limit of 1 MB was reached" in result.stderr.decode()


@pytest.mark.parametrize("name", EXPLODING)
def test_any_model_is_described_within_the_time(name: str) -> None:
    path = written(EXPLODING[name])
    value = validate("show", program("show", path, "--json", "--timeout", "2").stdout.decode())

    assert value["states"]["initial"] >= 1


@pytest.mark.parametrize("name", EXPLODING)
def test_every_command_of_a_walk_ends(name: str) -> None:
    path = written(EXPLODING[name])
    commands = (
        f"moves\nrandom {10**12}\nknow A0\ninit {10**12}\ninit\nhistory\neval AG EF p\nstate\n"
    )
    result = program("simulate", path, "--timeout", "0.5", given=commands.encode())

    assert result.returncode == 0
    assert "initial state" in result.stdout.decode()


def test_a_random_walk_says_how_far_it_came() -> None:
    path = written(exploding.CHAIN)
    result = program("simulate", path, "--random", str(10**12), "--timeout", "1")

    assert result.returncode == 0
    last = result.stdout.decode().splitlines()[-1]
    assert last.startswith("stopped after ")
    assert last.endswith(" of 1,000,000,000,000 steps: the time limit of 1 s was reached")


def test_what_was_not_looked_at_is_no_deadlock() -> None:
    path = written(exploding.only_overflows())
    result = program("simulate", path, "--timeout", "0.5", given=b"moves\n1\nrandom\n")

    assert "no way on was found, but not every move was looked at" in result.stdout.decode()
    assert "deadlock" not in (result.stdout + result.stderr).decode()
    run = program("simulate", path, "--random", "1", "--json", "--timeout", "0.5")
    assert validate("simulate", run.stdout.decode())["deadlock"] is None


def test_infinitely_many_initial_states_are_a_plain_answer() -> None:
    path = written(exploding.ENDLESS)
    value = validate("show", gnomon("show", path, "--json").stdout)

    assert {"possible": None, "initial": None, "reachable": None, "complete": True} == (
        value["states"]
    )
    assert "initial    infinitely many\n  reachable  infinitely many\n" in (
        gnomon("show", path).stdout
    )


def test_of_infinitely_many_initial_states_a_picture_has_some_and_says_so() -> None:
    result = gnomon("show", written(exploding.ENDLESS), "--graph", "svg")

    assert result.exit_code == 0
    said = "".join(ET.fromstring(result.stdout).itertext())
    assert "leaves `A0.x` unbounded: infinitely many states" in said + result.stderr


def test_of_infinitely_many_initial_states_a_walk_begins_in_one() -> None:
    result = gnomon("simulate", written(exploding.ENDLESS), "--random", "2", "--json")

    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["run"]["steps"]) == 3


@pytest.mark.parametrize("form", ["dot", "mermaid", "json", "svg"])
def test_a_model_without_initial_states_has_an_empty_picture(form: str) -> None:
    result = gnomon("show", written(exploding.NOWHERE), "--graph", form)

    assert result.exit_code == 0
    if form == "svg":
        assert "there is no initial state" in "".join(ET.fromstring(result.stdout).itertext())


def test_a_walk_ends_before_its_numbers_fill_the_memory() -> None:
    path = written(exploding.SQUARES)
    result = gnomon("simulate", path, "--random", "60", "--seed", "1", "--json")
    steps: Any = json.loads(result.stdout, parse_int=str)["run"]["steps"]

    assert result.exit_code == 0
    assert len(steps) == 20
    assert steps[4]["state"]["A0"]["x"] == str(3**16)


@pytest.mark.parametrize("form", ["dot", "mermaid", "json", "svg"])
def test_a_graph_ends_before_its_numbers_fill_the_page(form: str) -> None:
    result = gnomon("show", written(exploding.SQUARES), "--graph", form)

    assert result.exit_code == 0
    assert "cut after 16 states: further numbers have more than 30,000 digits" in result.stderr
    digits = show_integer(3 ** (2**15))
    # Nobody reads so long a number in a picture.
    assert (digits if form == "json" else digits[:40]) in result.stdout


def test_numbers_of_any_length_are_walked_through() -> None:
    commands = (
        "random 14\nmoves\nwhere A0.x=1\nhistory\nknow A0\ntrace\neval p\neval AG !p\nsave s.txt\n"
    )
    result = gnomon("simulate", written(exploding.SQUARES), given=commands)
    digits = show_integer(3 ** (2**14))

    assert (result.exit_code, result.stderr) == (0, "")
    assert f"x = {digits}" in " ".join(result.stdout.split())
    assert "saved s.txt" in result.stdout
    assert gnomon("simulate", "m.ispl", "--script", "s.txt").exit_code == 0


@pytest.mark.parametrize("line", ["9" * 5000, "goto " + "9" * 5000, "random " + "9" * 5000])
def test_a_number_of_thousands_of_digits_in_a_script_is_refused(line: str) -> None:
    Path("walk.txt").write_text(line, encoding="utf-8")
    result = gnomon("simulate", written(exploding.CHAIN), "--script", "walk.txt")

    assert result.exit_code == 2
    assert "walk.txt:1: 999999999999999999… is too large a number" in result.stderr


@pytest.mark.parametrize(
    ("data", "reason"), [(b"\0" * (2 << 20), "is larger than 1 MB"), (b"\xff", "cannot read")]
)
def test_a_script_is_a_text_of_reasonable_size(data: bytes, reason: str) -> None:
    Path("walk.txt").write_bytes(data)
    result = gnomon("simulate", written(exploding.CHAIN), "--script", "walk.txt")

    assert result.exit_code == 2
    assert reason in result.stderr


@pytest.mark.parametrize("amount", ["nan", "0", "-1"])
@pytest.mark.parametrize("option", ["--timeout", "--memory"])
def test_a_limit_is_more_than_nothing(option: str, amount: str) -> None:
    assert gnomon("show", written(exploding.NOWHERE), option, amount).exit_code == 2


@pytest.mark.parametrize("amount", ["inf", "1e300"])
def test_a_limit_may_be_none(amount: str) -> None:
    result = gnomon("show", written(exploding.NOWHERE), "--timeout", amount, "--memory", amount)

    assert result.exit_code == 0


def test_a_graph_of_which_not_even_a_start_is_found_is_no_mistake_of_the_model() -> None:
    names = [f"b{number}" for number in range(12)]
    variables = " ".join(f"{name} : 0..99;" for name in names)
    start = "P.b0 * P.b1 * P.b2 * P.b3 + P.b4 * P.b5 * P.b6 > P.b7 * P.b8 * P.b9 * P.b10 * P.b11"
    path = written(f"""
Agent P
  Vars: {variables} end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
end Agent
InitStates {start} + 1000000000; end InitStates
Formulae AG true; end Formulae
""")
    result = program("show", path, "--graph", "svg", "--timeout", "2")

    assert result.returncode == 3, result.stderr
    assert "no state was found: the time limit of 2 s was reached" in result.stderr.decode()
