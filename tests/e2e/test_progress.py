"""The line about progress as somebody at a terminal sees it."""

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.process import COMMAND, PATIENCE
from tests.pigeons import HARD, pigeons
from tests.unit.results.samples import MODEL

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
pty = pytest.importorskip("pty")

CLEAR = "\r\x1b[K"
#: An order in which half of the bits have to be remembered: one call of the library takes for ever.
STUCK = ["--engine", "bdd", "--order", "written", "--diagrams", "oxidd"]


def pairs(number: int = 60) -> str:
    names = [f"{side}{index}" for side in "ab" for index in range(number)]
    equal = " and ".join(f"P.a{index} = P.b{index}" for index in range(number))
    return f"""
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


def on_a_terminal(*arguments: str) -> str:
    """Return all that a command shows on a terminal, with what it takes back."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        shown = b""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([ours], [], [], 1.0)[0]:
                try:
                    shown += os.read(ours, 65536)
                except OSError:
                    break  # the other end is closed
        process.wait(PATIENCE)
    os.close(ours)
    return shown.decode()


def lines_of(shown: str, name: str) -> list[str]:
    """Return the lines about progress, each of which must be cleared before anything else is printed."""
    found = []
    for part in shown.split(CLEAR):
        if part.startswith(f"{name}: "):
            assert "\n" not in part, part
            found.append(part)
        else:
            assert f"{name}: " not in part
    return found


def test_the_clock_goes_on_inside_a_native_call(tmp_path: Path) -> None:
    path = tmp_path / "pairs.ispl"
    path.write_text(pairs(), encoding="utf-8")
    shown = on_a_terminal("check", str(path), *STUCK, "--timeout", "3.5")
    lines = lines_of(shown, str(path))

    # The call may begin before there is a word about it: then the time alone is told.
    assert {"1", "2", "3"} <= {line.removesuffix(" s").rsplit(" ", 1)[-1] for line in lines}
    assert "unknown: the time limit of 3.5 s was reached" in shown


def test_it_is_gone_where_verdicts_are_printed(tmp_path: Path) -> None:
    path = tmp_path / "pigeons.ispl"
    path.write_text(pigeons(), encoding="utf-8")
    how = ("--strategies", "uniform", "--engine", "bdd", "--no-evidence")
    shown = on_a_terminal("check", str(path), *how, "--timeout", "8")

    assert lines_of(shown, str(path))
    assert shown.index("AF over") < shown.index(HARD)
    assert re.search(r"5 formulae: 2 true, 2 false, 1 unknown · [^\r\x1b]*\r\n$", shown)


def test_it_is_shown_while_somebody_has_yet_to_write_the_model() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "check", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        while b"<stdin>: reading \xc2\xb7 1 s" not in shown:
            shown += os.read(ours, 65536)
        output, _ = process.communicate(MODEL.encode(), timeout=PATIENCE)
    os.close(ours)

    # What waiting took is among the seconds told; half a second is shown as one.
    assert json.loads(output)["seconds"] >= 0.5


def test_nothing_of_it_is_seen_where_nobody_looks(tmp_path: Path) -> None:
    path = tmp_path / "pairs.ispl"
    path.write_text(pairs(), encoding="utf-8")
    result = subprocess.run(
        [*COMMAND, "check", str(path), *STUCK, "--timeout", "1.5"],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert b"\r" not in result.stdout + result.stderr
