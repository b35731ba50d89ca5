"""Limits hold while a model is read, and requests to end keep what was decided, proofs included."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "gnomon"]
AGENT = """
Agent P
  Vars: x : 0..6; end Vars
  Actions = {{ a }};
  Protocol: Other : {{ a }}; end Protocol
  Evolution: x = x if true; end Evolution
end Agent
Evaluation p if {condition}; end Evaluation
InitStates P.x = 0; end InitStates
Formulae {formulae} end Formulae
"""
LONG_LINE = AGENT.format(
    condition=" or ".join(f"P.x = {number % 7}" for number in range(400_000)), formulae="AG p;"
)
MANY_FORMULAE = AGENT.format(condition="P.x = 0", formulae="AG p; " * 200_000)
#: One formula takes a moment; the other one is undecided for as long as anybody waits.
ENDLESS = """
Agent P
  Vars: x : int; y : int; z : int; n : 0..3; end Vars
  Actions = { a, b };
  Protocol: Other : { a, b }; end Protocol
  Evolution:
    x = x * x - 7 * y * z + 3 and y = y * z - x and n = n + 1 if Action = a and n < 3;
    x = x * x - 7 * y * z + 3 and y = y * z - x if Action = a and n = 3;
    z = z * z + x * y - 1 if Action = b;
  end Evolution
end Agent
Evaluation bad if P.x * P.y * P.z = 1234567; three if P.n = 3; end Evaluation
InitStates P.x = 2 and P.y = 3 and P.z = 5 and P.n = 0; end InitStates
Formulae EF three; AG !bad; end Formulae
"""


def run(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "m.ispl").write_text(text, encoding="utf-8")
    command = [*COMMAND, arguments[0], "m.ispl", *arguments[1:]]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.parametrize("text", [LONG_LINE, MANY_FORMULAE], ids=["a long line", "many formulae"])
@pytest.mark.parametrize("command", ["check", "show", "explain-verdict"])
def test_reading_ends_with_the_time(tmp_path: Path, text: str, command: str) -> None:
    result = run(tmp_path, text, command, "--timeout", "0.2")

    assert 3 == result.returncode, result.stderr
    assert (
        "error[G0004]: `m.ispl` was not read to its end: the time limit of 0.2 s" in result.stderr
    )


def test_reading_ends_with_the_memory(tmp_path: Path) -> None:
    result = run(tmp_path, LONG_LINE, "check", "--memory", "120", "--json")

    assert 3 == result.returncode, result.stderr
    assert "G0004" == json.loads(result.stdout)["diagnostics"][0]["code"]
    assert "the memory limit of 120 MB was reached" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 143), (signal.SIGINT, 130)]
)
def test_a_request_to_end_keeps_what_was_decided_and_its_proofs(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "m.ispl").write_text(ENDLESS, encoding="utf-8")
    command = [*COMMAND, "check", "m.ispl", "--format", "jsonl", "--certificate", "c.json"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
    proofs = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["verdicts"]

    assert ("true", status, "") == (first["verdict"], process.returncode, errors)
    assert "unknown" == json.loads(output.splitlines()[0])["verdict"]
    assert ["true", "unknown"] == [entry["verdict"] for entry in proofs]
    assert {"m.ispl", "c.json"} == set(os.listdir(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a named pipe")
def test_waiting_for_somebody_to_write_ends_with_the_time(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = subprocess.run(
        [*COMMAND, "check", "pipe", "--timeout", "0.5"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert 3 == result.returncode
    assert "`pipe` was not read to its end: the time limit of 0.5 s was reached" in result.stderr


#: The first engine is done at once, the other one never.
PRODUCTS = """
Agent P
  Vars: x : 0..100000; y : 0..100000; n : 0..10; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
  Evolution: x = x * y - x * (y - 1) and y = (x * y) mod 99991 and n = n + 1 if n < 10; end Evolution
end Agent
Evaluation big if P.x > 50; end Evaluation
InitStates P.x = 90 and P.y = 5 and P.n = 0; end InitStates
Formulae EF big; end Formulae
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_second_opinion_can_be_interrupted(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "m.ispl").write_text(PRODUCTS, encoding="utf-8")
    command = [
        *COMMAND,
        "check",
        "m.ispl",
        "--paranoid",
        "--format",
        "jsonl",
        "--engine",
        "explicit",
    ]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(number)
        process.communicate(timeout=60)

    assert ("true", status) == (first["verdict"], process.returncode)
