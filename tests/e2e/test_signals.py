"""Ctrl-C and requests to end are heard from the first import on, and never end in a traceback."""

import signal
import subprocess
import sys

import pytest

from gnomon.interfaces.cli import simulate
from gnomon.interfaces.cli.simulator_commands import SimulatorSession
from gnomon.results.styled import StyledText
from tests.e2e.cli import gnomon, model
from tests.e2e.process import PATIENCE

__all__ = ["model"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")

#: Sends a signal to itself when a certain module is about to be imported.
WHILE_IMPORTING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Hook())
sys.argv = ["gnomon", "show", "-"]
from gnomon.interfaces.cli.entry import run
run()
"""


@pytest.mark.parametrize("module", ["click", "gnomon.interfaces.cli.main", "gnomon.checking.load"])
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"]
)
def test_a_signal_while_importing_is_no_traceback(module: str, number: int, status: int) -> None:
    result = subprocess.run(
        [sys.executable, "-c", WHILE_IMPORTING.format(module=module, number=int(number))],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert result.returncode == status
    assert result.stderr.strip() in {"interrupted", "terminated", ""}


def test_before_anything_is_imported_the_program_hears_signals() -> None:
    """What the entry imports is what Python has loaded anyway, and a few lines of ours."""
    probe = """
import sys
before = set(sys.modules)
import gnomon.interfaces.cli.entry
print(sorted(name for name in set(sys.modules) - before if not name.startswith("gnomon")))
print(sorted(name for name in set(sys.modules) - before if name.startswith("gnomon")))
"""
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    others, ours = done.stdout.splitlines()

    assert "click" not in others
    assert (
        ours.count("gnomon") == 9
    )  # gnomon, its version, three folders, the entry, signals, statuses and endings


def test_ctrl_c_in_a_simulation_ends_the_command_and_not_the_session(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Stubborn(SimulatorSession):
        def do(self, line: str) -> StyledText:
            asked.append(line)
            if line == "random 1000000000":
                raise KeyboardInterrupt
            return super().do(line)

    monkeypatch.setattr(simulate, "SimulatorSession", Stubborn)
    monkeypatch.setattr(simulate, "is_terminal", lambda _: True)
    monkeypatch.setattr(simulate, "_typed", lambda: iter(["random 1000000000", "1"]))
    result = gnomon("simulate", model)

    assert asked == ["state", "random 1000000000", "1"]
    assert result.exit_code == 0
    assert "interrupted" in result.stderr
    assert "1 step in" in result.stdout


def test_ctrl_c_in_a_pipe_ends_it_all(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SimulatorSession, "do", interrupt)

    assert gnomon("simulate", model, given="1\n").exit_code == 130
