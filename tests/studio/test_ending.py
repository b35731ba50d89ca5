"""Whatever ends a request, a page or the studio, the processes that worked for it are gone."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gnomon.interfaces.studio.checks import CheckLimits
from gnomon.interfaces.studio.stable import SPARES
from tests.studio.running import (
    PATIENCE,
    Failed,
    Page,
    Running,
    children,
    jobs,
    studio,
    until,
    workers,
)

#: A model whose formulae take long to decide: a counter of many bits.
SLOW = """
Semantics = SingleAssignment;
Agent Environment
  Vars: {vars} end Vars
  Actions = {{ go }};
  Protocol: Other: {{ go }}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Player
  Vars: x : boolean; end Vars
  Actions = {{ a, b }};
  Protocol: Other: {{ a, b }}; end Protocol
  Evolution: x = true if Action = a; x = false if Action = b; end Evolution
end Agent
Evaluation full if {full}; end Evaluation
InitStates {initial} and Player.x = false; end InitStates
Formulae AG EF full; AF full; end Formulae
"""


def slow_model(bits: int = 40) -> str:
    """Return a counter with so many bits: too many states to go through, one after the other."""
    names = [f"b{number}" for number in range(bits)]
    lines = []
    for place, name in enumerate(names):
        carry = " and ".join(f"{each} = true" for each in names[:place]) or "true = true"
        lines.append(
            f"{name} = true if {name} = false and {carry};".replace("true = true", "Action = go")
        )
        lines.append(
            f"{name} = false if {name} = true and {carry};".replace("true = true", "Action = go")
        )
    return SLOW.format(
        vars=" ".join(f"{name} : boolean;" for name in names),
        evolution=" ".join(lines),
        full=" and ".join(f"Environment.{name} = true" for name in names),
        initial=" and ".join(f"Environment.{name} = false" for name in names),
    )


def begin_check(page: Page) -> int:
    """Begin a check that takes long, and return its number once it is under way."""
    opened = page.open(slow_model())
    assert not opened["has_errors"], opened["diagnostics"]
    number = page.send("model/check", {"model": opened["model"], "engine": "explicit"})
    assert until(lambda: bool(jobs()))
    return number


def begin_seeking(page: Page) -> int:
    """Begin a request to the workbench that takes long, and return its number."""
    opened = page.open(slow_model())
    params = {"model": opened["model"], "fold": "bisimulation", "propositions": ["full"]}
    return page.send("model/graph", params)


# Cancelling


def test_a_check_that_is_cancelled_has_no_process_left(running: Running) -> None:
    with running.page() as page:
        number = begin_check(page)
        page.cancel(number)
        with pytest.raises(Failed) as failed:
            page.answer(number)

        assert "cancelled" == failed.value.kind
        assert until(lambda: not jobs())


def test_of_several_checks_one_is_cancelled_and_the_others_go_on(running: Running) -> None:
    with running.page() as page:
        number = begin_check(page)
        quick = page.open(page.ask("gallery/read", name="bit_transmission.ispl")["text"])
        found = page.ask("model/check", model=quick["model"])
        page.cancel(number)
        with pytest.raises(Failed):
            page.answer(number)

        assert 8 == len(found["result"]["formulae"])


def test_a_request_to_the_workbench_is_ended_with_its_process(running: Running) -> None:
    with running.page() as page:
        page.open("")
        assert until(lambda: len(workers()) >= 2 + SPARES)
        before = workers()
        number = begin_seeking(page)
        time.sleep(0.3)
        page.cancel(number)
        with pytest.raises(Failed) as failed:
            page.answer(number)

        assert "cancelled" == failed.value.kind
        assert until(lambda: len(before - workers()) == 1)
        # The next one is answered, by a process that is told of the model again.
        opened = page.open(slow_model())
        assert "drawing" in page.ask("model/reads", model=opened["model"])


def test_what_waits_is_cancelled_without_ending_what_runs(running: Running) -> None:
    with running.page() as page:
        first = begin_seeking(page)
        opened = page.open(slow_model())
        second = page.send("model/reads", {"model": opened["model"]})
        page.cancel(second)
        with pytest.raises(Failed) as failed:
            page.answer(second)
        page.cancel(first)

        assert "cancelled" == failed.value.kind


def test_who_can_is_cancelled_with_all_its_jobs(running: Running) -> None:
    with running.page() as page:
        opened = page.open(slow_model())
        params = {"model": opened["model"], "goal": "F full", "strategies": "uniform"}
        number = page.send("model/who", params)
        assert until(lambda: bool(jobs()))
        page.cancel(number)
        with pytest.raises(Failed):
            page.answer(number)

        assert until(lambda: not jobs())


def test_a_sweep_is_cancelled_with_all_its_jobs(running: Running) -> None:
    with running.page() as page:
        text = f"Constants n = 1; end Constants\n{slow_model()}"
        params = {"text": text, "name": "x", "constants": {"n": "1..9"}}
        number = page.send("model/sweep", params)
        assert until(lambda: bool(jobs()))
        page.cancel(number)
        with pytest.raises(Failed) as failed:
            page.answer(number)

        assert "cancelled" == failed.value.kind
        assert until(lambda: not jobs())


# Limits


def test_a_request_to_the_workbench_ends_with_its_time(static: Path) -> None:
    # Opening the model has to be done in that time as well, on whatever machine.
    with studio(static, limits=CheckLimits(4.0, 2000.0)) as running, running.page() as page:
        number = begin_seeking(page)
        began = time.monotonic()
        try:
            kind = "cut" if page.answer(number)["complete"] is False else "complete"
        except Failed as failed:
            kind = failed.kind

        assert kind in {"limit", "cut"}
        assert time.monotonic() - began < 20


def test_a_process_that_does_not_keep_to_its_limits_is_killed(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running.page() as page:
        page.open("")
        assert until(lambda: len(workers()) >= 2 + SPARES)
        before = workers()
        for pid in before:
            os.kill(pid, signal.SIGSTOP)
        monkeypatch.setattr("gnomon.interfaces.studio.bench_process._GRACE", -14.5)
        with pytest.raises(Failed) as failed:
            page.open("x")
        monkeypatch.undo()

        assert ("limit", True) == (failed.value.kind, "not finished" in str(failed.value))
        assert until(lambda: len(before - workers()) >= 1)
        for pid in before & workers():
            os.kill(pid, signal.SIGCONT)
        assert page.open("x")["has_errors"]


def test_a_check_ends_with_its_time_and_keeps_what_it_found(running: Running) -> None:
    with running.page() as page:
        opened = page.open(slow_model())
        found = page.ask("model/check", model=opened["model"], engine="explicit", timeout=0.5)

        assert ["unknown", "unknown"] == [x["verdict"] for x in found["result"]["formulae"]]
        assert "time limit" in found["result"]["formulae"][0]["reason"]


def test_no_check_may_take_more_than_the_studio_allows(static: Path) -> None:
    with studio(static, limits=CheckLimits(4.0, 2000.0)) as running, running.page() as page:
        opened = page.open(slow_model())
        asked = {"engine": "explicit", "timeout": 1000, "memory": 10**9}
        found = page.ask("model/check", model=opened["model"], **asked)

        assert "unknown" == found["result"]["formulae"][0]["verdict"]


# Processes that somebody else ends


def test_a_worker_that_is_killed_is_answered_for_and_replaced(running: Running) -> None:
    with running.page() as page:
        text = page.ask("gallery/read", name="bit_transmission.ispl")["text"]
        model = page.open(text)["model"]
        page.ask("model/reads", model=model)
        number = begin_seeking(page)
        time.sleep(0.8)
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(Failed) as failed:
            page.answer(number)

        assert "limit" == failed.value.kind
        assert "killed" in str(failed.value)
        # Nobody has to open the model again.
        assert page.ask("run/initial", model=model)["states"]
        assert page.ask("model/reads", model=model)["drawing"]["boxes"]


def test_a_spare_that_is_killed_is_nobodys_loss(static: Path) -> None:
    others = workers()
    with studio(static) as running:
        assert until(lambda: len(workers() - others) == SPARES)
        for pid in workers() - others:
            os.kill(pid, signal.SIGKILL)
        with running.page() as page:
            assert page.open("")["has_errors"]


def test_a_job_that_is_killed_is_answered_for(running: Running) -> None:
    with running.page() as page:
        number = begin_check(page)
        for pid in jobs():
            os.kill(pid, signal.SIGKILL)
        try:
            page.answer(number)
            kind = "answered"  # what was decided by then is kept
        except Failed as failed:
            kind = failed.kind

        assert kind in {"limit", "answered"}
        assert "gnomon" in page.ask("hello")


# Pages


def test_a_page_that_leaves_takes_its_processes_with_it(static: Path) -> None:
    others = workers()
    with studio(static) as running:
        with running.page() as page:
            page.open("")
            begin_check(page)
            begin_seeking(page)
            assert until(lambda: len(workers() - others) == 2 + SPARES)
        assert until(lambda: len(workers() - others) == SPARES and not jobs())


def test_a_page_that_is_torn_off_does_so_too(static: Path) -> None:
    others = workers()
    with studio(static) as running, running.page() as page:
        begin_check(page)
        page.socket.socket.shutdown(2)
        assert until(lambda: len(workers() - others) == SPARES and not jobs())


def test_two_pages_do_not_disturb_each_other(running: Running) -> None:
    with running.page() as one:
        with running.page() as other:
            begin_check(other)
            begin_seeking(other)
            text = one.ask("gallery/read", name="bit_transmission.ispl")["text"]
            opened = one.open(text)
            found = one.ask("model/check", model=opened["model"])
            drawn = one.ask("model/graph", model=opened["model"], fold="none")
        again = one.ask("run/initial", model=opened["model"])

        assert 8 == len(found["result"]["formulae"])
        assert 18 == drawn["states"]
        assert again["states"]


def test_a_model_that_another_page_has_opened_is_known(running: Running) -> None:
    with running.page() as one, running.page() as other:
        text = one.ask("gallery/read", name="bit_transmission.ispl")["text"]
        model = one.open(text)["model"]

        assert other.ask("run/initial", model=model)["states"]
        assert other.ask("model/check", model=model, numbers=[1])["result"]["formulae"]


def test_a_studio_that_ends_leaves_nothing(static: Path) -> None:
    others = workers()
    with studio(static) as running, running.page() as page:
        begin_check(page)
        begin_seeking(page)
        assert until(lambda: len(workers() - others) >= 2)
    assert set() == workers() - others
    assert set() == jobs()


# The command


def command(
    static: Path, folder: Path, *more: str, stdout: int = subprocess.PIPE
) -> "subprocess.Popen[str]":
    """Start the command with a page that is none."""
    program = (
        "import sys; from pathlib import Path; from gnomon.interfaces.studio import pages; "
        "page = Path(sys.argv.pop(1)); pages.built_page = lambda: page; "
        "from gnomon.interfaces.cli.entry import run; run()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(static), "studio", str(folder), "--no-store", *more],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )


def linked(process: "subprocess.Popen[str]") -> Running:
    assert process.stdout is not None
    link = process.stdout.readline().strip()
    address, _, token = link.removeprefix("http://127.0.0.1:").partition("/?token=")
    return Running(int(address), token)


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 143), (signal.SIGKILL, -9)],
)
@pytest.mark.slow
def test_the_command_ends_with_all_its_processes(
    static: Path, tmp_path: Path, number: int, status: int
) -> None:
    with command(static, tmp_path, "--port", "0") as process:
        try:
            running = linked(process)
            with running.page() as page:
                opened = page.open(slow_model())
                page.send("model/check", {"model": opened["model"], "engine": "explicit"})
                page.send("model/graph", {"model": opened["model"], "fold": "bisimulation"})
                assert until(lambda: len(children(process.pid)) >= 4 + SPARES)
                below = set(children(process.pid))
                process.send_signal(number)

                assert status == process.wait(PATIENCE)
                assert until(lambda: not any(alive(pid) for pid in below))
        finally:
            process.kill()


def alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
