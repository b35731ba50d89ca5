"""Limits hold while the work is inside the library of decision diagrams, and leaving is clean."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SIZE = 60
COMMAND = [sys.executable, "-m", "gnomon", "check"]
#: An order in which half of the bits have to be remembered: no machine has the memory.
STUCK = ["--engine", "bdd", "--order", "written", "--diagrams", "oxidd", "--no-evidence"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Return a program that says of many pairs of bits, far apart in the file, that they are equal."""
    names = [f"{side}{number}" for side in "ab" for number in range(SIZE)]
    equal = " and ".join(f"P.a{number} = P.b{number}" for number in range(SIZE))
    path = tmp_path / "pairs.ispl"
    path.write_text(
        f"""
Agent P
  Vars: {" ".join(f"{name} : boolean;" for name in names)} end Vars
  Actions = {{ swap }};
  Protocol: Other : {{ swap }}; end Protocol
  Evolution: a0 = b0 if true; end Evolution
end Agent
Evaluation equal if {equal}; end Evaluation
InitStates {equal}; end InitStates
Formulae AG equal; end Formulae
"""
    )
    return str(path)


def test_a_good_order_is_found_without_being_asked_for(model: str) -> None:
    result = subprocess.run([*COMMAND, model], capture_output=True, text=True, check=False)

    assert result.returncode == 0
    assert f"{1 << SIZE:,} states" in result.stdout


def test_the_time_limit_holds_inside_a_native_call(model: str) -> None:
    start = time.monotonic()
    result = subprocess.run(
        [*COMMAND, model, *STUCK, "--timeout", "4"], capture_output=True, text=True, check=False
    )

    assert time.monotonic() - start < 20  # without the limit it would be minutes
    assert (result.returncode, result.stderr) == (3, "")
    assert "unknown: the time limit of 4 s was reached" in result.stdout


def test_the_memory_limit_holds_inside_a_native_call(model: str) -> None:
    result = subprocess.run(
        [*COMMAND, model, *STUCK, "--memory", "300", "--timeout", "60"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (3, "")
    assert "unknown: the memory limit of 300 MB was reached" in result.stdout


def test_an_interruption_is_heard_inside_a_native_call(model: str) -> None:
    with subprocess.Popen(
        [*COMMAND, model, *STUCK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        out, err = process.communicate(timeout=60)

    assert time.monotonic() - start < 20  # without a way to interrupt it would be minutes
    assert process.returncode == 130
    assert "unknown: interrupted" in out
    assert "Traceback" not in err
