"""What BenchExec is told about Gnomon, and what it makes of its exit statuses."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("benchexec")

ROOT = Path(__file__).parents[3]


def tool() -> Any:
    from gnomon.interfaces.benchexec import Tool

    return Tool()


def command(*options: str, task: dict[str, str] | None = None, **limits: int) -> list[str]:
    from benchexec.tools.template import BaseTool2

    asked = BaseTool2.Task.with_files(["model.ispl"], options=task)
    line: list[str] = tool().cmdline(
        "gnomon", list(options), asked, BaseTool2.ResourceLimits(**limits)
    )
    return line


def test_limits_of_benchexec_are_ours() -> None:
    expected = "gnomon check --timeout 900 --memory 900 --no-evidence model.ispl"

    assert expected.split() == command(cputime=900, cputime_hard=900, memory=1000 * 2**20)
    assert "--timeout 5 --no-evidence" in " ".join(command("--timeout", "5", cputime=900))


def test_a_task_may_be_about_one_formula() -> None:
    line = " ".join(command("--engine", "bdd", task={"formula": "safe"}))

    assert "gnomon check --engine bdd --only safe --expect true --no-evidence model.ispl" == line


@pytest.mark.parametrize(
    ("status", "expected"),
    [(0, "true"), (1, "false"), (2, "ERROR (bad input)"), (3, "unknown"), (4, "ERROR (bug)")],
)
def test_exit_statuses_are_results(status: int, expected: str) -> None:
    from benchexec.tools.template import BaseTool2
    from benchexec.util import ProcessExitCode

    run = BaseTool2.Run([], ProcessExitCode.create(value=status), BaseTool2.RunOutput([]), None)

    assert expected == tool().determine_result(run)


@pytest.mark.slow
def test_the_checker_of_benchexec_accepts_it() -> None:
    # Without a container, which not every machine allows.
    words = ["-m", "benchexec.test_tool_info", "gnomon.interfaces.benchexec", "--no-container"]
    done = subprocess.run(
        [sys.executable, *words, "--tool-directory", str(Path(sys.executable).parents[1])],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    assert 0 == done.returncode, done.stderr
    assert "Gnomon" in done.stdout + done.stderr
    assert "ERROR" not in done.stdout + done.stderr
