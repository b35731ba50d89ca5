"""One formula that takes for ever starves no other, whichever way it is asked."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gnomon
from tests.e2e.process import COMMAND, PATIENCE, program
from tests.pigeons import EASY, HARD, pigeons

HOW = ("--strategies", "uniform", "--engine", "bdd")
LIMIT = "the time limit of 0.3 s for a formula was reached"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a model whose first formula is hard, in the folder we are in."""
    monkeypatch.chdir(tmp_path)
    Path("pigeons.ispl").write_text(pigeons(), encoding="utf-8")
    return "pigeons.ispl"


def values(formulae: list[dict[str, Any]]) -> dict[str, str]:
    return {each["text"]: each["verdict"] for each in formulae}


SHOWN = ("EF clash", "AG !clash", "AG (over -> K(Keeper, over))")
DECIDED = {text: str(value).lower() for text, value in EASY.items()}


def test_the_others_are_decided_and_stand_in_the_order_asked(model: str) -> None:
    result = program("check", model, *HOW, "--formula-timeout", "2", "--evidence", "--json")
    found = json.loads(result.stdout)

    assert result.returncode == 1
    assert [1, 2, 3, 4, 5] == [each["index"] for each in found["formulae"]]
    assert {HARD: "unknown", **DECIDED} == values(found["formulae"])
    assert LIMIT.replace("0.3", "2") == found["formulae"][0]["reason"]
    assert all(each["evidence"] for each in found["formulae"] if each["verdict"] == "false")


def test_within_the_time_of_the_model_all_but_the_hard_one_are_told_first(model: str) -> None:
    result = program("check", model, *HOW, "--timeout", "4", "--format", "jsonl")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    told = [line for line in lines if line["type"] == "formula"]

    assert [*DECIDED, HARD] == [line["text"] for line in told]
    assert {**DECIDED, HARD: "unknown"} == values(told)
    assert "the time limit of 4 s was reached" == told[-1]["reason"]


@pytest.mark.parametrize("more", [[], ["--paranoid"]])
def test_what_was_decided_is_proved(model: str, more: list[str]) -> None:
    # The proofs of these are runs: nothing has to be listed.
    Path(model).write_text(pigeons(formulae=(HARD, *SHOWN)), encoding="utf-8")
    certificate = ["--certificate", "proofs.json", "--formula-timeout", "1", "--max-states", "100"]
    result = program("check", model, *HOW, *certificate, *more, "--json")
    verdicts = json.loads(Path("proofs.json").read_text(encoding="utf-8"))["verdicts"]

    assert result.returncode == 1
    assert [1, 2, 3, 4] == [entry["index"] for entry in verdicts]
    assert "it was not decided" == verdicts[0]["reason"]
    assert [True] + 3 * [False] == [entry["proof"] is None for entry in verdicts]


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(
    ("number", "status", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["INT", "TERM"],
)
def test_whoever_interrupts_keeps_what_was_decided(
    model: str, number: int, status: int, reason: str
) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", model, *HOW, "--format", "jsonl"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        before = [json.loads(process.stdout.readline()) for _ in DECIDED]
        process.send_signal(number)
        rest, _ = process.communicate(timeout=PATIENCE)
    after = [json.loads(line) for line in rest.splitlines()]

    assert status == process.returncode
    assert DECIDED == values(before)
    assert (HARD, "unknown", reason) == tuple(
        after[0][key] for key in ("text", "verdict", "reason")
    )


def test_one_that_is_explained_has_a_limit_of_its_own_too(model: str) -> None:
    limits = ("--formula-timeout", "0.3")
    given_up = program("explain-verdict", model, *HOW, "--only", "1", *limits)
    explained = program("explain-verdict", model, *HOW, "--only", "4", *limits)

    assert 3 == given_up.returncode
    assert LIMIT in " ".join(given_up.stdout.decode().split())
    assert 1 == explained.returncode


def test_from_python_it_is_the_same() -> None:
    loaded = gnomon.load_text(pigeons())
    found = loaded.check(strategies="uniform", engine="bdd", formula_timeout=0.3)

    assert [HARD, *EASY] == [answer.formula for answer in found]
    assert [None, *EASY.values()] == [answer.holds for answer in found]
    assert LIMIT == found[0].reason
    assert 0.3 <= found[0].seconds


@pytest.mark.parametrize("wrong", [0, -1, "1", True, float("nan"), float("inf")])
def test_a_limit_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(gnomon.InputError, match="formula_timeout"):
        gnomon.load_text(pigeons(3)).check(formula_timeout=wrong)
