"""Models as tests of pytest, as users run them: limits, signals, several processes, reports."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.e2e.process import PATIENCE
from tests.pytest_runs import DOOR, LEAKY, PLUGIN
from tests.unit.checking.test_pool import descendants, is_working, parent
from tests.unit.checking.test_process import ENDLESS

#: It has no plugins but ours and, where that is wanted, pytest-xdist.
COMMAND = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "--gnomon"]
SEVERAL = ("-p", "xdist", "-n", "2")

TWO_QUESTIONS = ENDLESS.replace("AG !bad;", "never : AG !bad; some : EF bad;")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with a model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    (tmp_path / "door.ispl").write_text(LEAKY)
    return tmp_path


def pytest_run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pytest to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def last_line(run: "subprocess.CompletedProcess[str]") -> str:
    return run.stdout.splitlines()[-1].strip("= ").partition(" in ")[0]


def test_models_are_tested_in_processes_of_their_own() -> None:
    run = pytest_run()

    assert "" == run.stderr
    assert "1 failed, 2 passed" == last_line(run)
    assert "  1  open = true" in run.stdout.splitlines()


def test_what_takes_too_long_is_an_error_that_says_so(folder: Path) -> None:
    (folder / "late.ispl").write_text(TWO_QUESTIONS)
    run = pytest_run("--gnomon-timeout", "1", "late.ispl")

    assert "2 errors" == last_line(run)
    assert 2 == run.stdout.count("The time limit of 1 s was reached")


Running = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    """Return what starts pytest on a model that takes for ever, and waits until it is at it."""
    (folder / "late.ispl").write_text(TWO_QUESTIONS)
    started: list[subprocess.Popen[bytes]] = []

    below: set[int] = set()

    def start(*arguments: str) -> "subprocess.Popen[bytes]":
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen([*COMMAND, *arguments], stdout=output, stderr=output)
        started.append(process)
        wait_for(lambda: is_deciding(process.pid))
        below.update(descendants(process.pid))
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
    wait_for(lambda: not any(map(is_working, below)))


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE / 4
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_deciding(pid: int) -> bool:
    """Return whether the last model is being checked: the first is done, and a process has a child again."""
    return b"door.ispl" in Path("output").read_bytes() and decider(pid) is not None


def decider(pid: int) -> int | None:
    """Return the process that decides, once it has been at work for a while: another one has started it."""
    found = descendants(pid)
    return next((each for each in found if parent(each) in found and _seconds(each) > 0.5), None)


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")


@needs_proc
def test_ctrl_c_ends_it_and_tells_what_was_found(running: Running) -> None:
    process = running()
    process.send_signal(signal.SIGINT)

    assert pytest.ExitCode.INTERRUPTED == process.wait(timeout=PATIENCE)
    written = Path("output").read_text()
    assert "KeyboardInterrupt" in written
    assert "FAILED door.ispl::safe - false, expected true" in written


@needs_proc
def test_when_it_is_killed_nobody_is_left_behind(running: Running) -> None:
    process = running()
    process.kill()
    process.wait()  # the fixture waits for the others


@needs_proc
def test_a_process_that_is_killed_is_told(running: Running) -> None:
    process = running()
    victim = decider(process.pid)
    assert victim is not None
    os.kill(victim, signal.SIGKILL)

    assert pytest.ExitCode.TESTS_FAILED == process.wait(timeout=PATIENCE)
    assert "its process was killed" in " ".join(Path("output").read_text().split())


def test_several_processes_of_pytest_share_one_check(folder: Path) -> None:
    pytest.importorskip("xdist")
    (folder / "conftest.py").write_text(
        "from gnomon.interfaces.pytest import checks\n"
        "before = checks._checked\n"
        "def counted(question):\n"
        "    with open('checks.log', 'a') as file:\n"
        "        file.write(f'{question.name} {question.only}\\n')\n"
        "    return before(question)\n"
        "checks._checked = counted\n"
    )
    (folder / "door.ispl").write_text(LEAKY.replace("rest };", "rest, jump };", 1))
    run = pytest_run(*SEVERAL)

    assert "1 failed, 2 passed, 1 warning" == last_line(run)
    assert "door.ispl (1, 2, 3)\n" == (folder / "checks.log").read_text()
    assert "  1  open = true" in run.stdout.splitlines()


def test_several_processes_tell_of_what_is_not_decided_too(folder: Path) -> None:
    pytest.importorskip("xdist")
    (folder / "late.ispl").write_text(TWO_QUESTIONS)
    run = pytest_run(*SEVERAL, "--gnomon-timeout", "2", "late.ispl")

    assert "2 errors" == last_line(run)
    assert "ERROR late.ispl::never - unknown, expected true: the time limit" in run.stdout


def test_a_report_has_the_counterexample(folder: Path) -> None:
    (folder / "late.ispl").write_text(TWO_QUESTIONS)
    pytest_run("--gnomon-timeout", "5", "--junitxml=report.xml")
    [suite] = ET.parse("report.xml").getroot()
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    failure, error = cases["safe"].find("failure"), cases["never"].find("error")

    assert failure is not None and error is not None
    assert "false, expected true" == failure.get("message")
    assert "  1  open = true" in (failure.text or "")
    assert "The time limit of 5 s was reached" in (error.text or "")
    assert ("2", "1") == (suite.get("errors"), suite.get("failures"))


def test_two_runs_at_once_do_not_know_of_each_other() -> None:
    pytest.importorskip("xdist")
    runs = [
        subprocess.Popen([*COMMAND, *SEVERAL], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]

    assert [pytest.ExitCode.TESTS_FAILED] * 2 == [run.wait(timeout=PATIENCE) for run in runs]


def test_where_it_is_installed_pytest_finds_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not any(each.value == PLUGIN for each in entry_points(group="pytest11")):
        pytest.skip("Gnomon was installed before it had the plugin")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:asyncio")
    (folder / "door.ispl").write_text(DOOR)
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--gnomon", "-q"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert 0 == run.returncode, run.stdout + run.stderr
    assert "3 passed" == last_line(run)
