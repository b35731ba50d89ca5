"""Work has a process of its own: nothing is shared, what is given up is over, and nobody is left behind."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

import gnomon
from gnomon.checking.supervise import Ended, supervise
from gnomon.model.budget import Budget, memory_in_use
from gnomon.text.diagnostic import InputError
from tests.unit.checking.jobs import busy, count, dying, failing, greedy

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

COUNTER = """
Agent P
  Vars: x : int; on : boolean; end Vars
  Actions = { up, rest };
  Protocol: Other : { up, rest }; end Protocol
  Evolution: x = x + 1 if Action = up; on = !on if Action = rest; end Evolution
end Agent
Evaluation big if P.x > 5; on if P.on; negative if P.x < 0; end Evaluation
InitStates P.x = 0 and P.on = false; end InitStates
Formulae EF big; AG !negative; AF big; AG (on -> EF !on); end Formulae
"""
RIGHT = [True, True, False, True]
#: Nothing decides this soon: squares that are compared with each other for ever.
ENDLESS = """
Agent P
  Vars: x : int; y : int; z : int; end Vars
  Actions = { a, b };
  Protocol: Other : { a, b }; end Protocol
  Evolution:
    x = x * x - 7 * y * z + 3 and y = y * z - x if Action = a;
    z = z * z + x * y - 1 if Action = b;
  end Evolution
end Agent
Evaluation bad if P.x * P.y * P.z = 1234567; end Evaluation
InitStates P.x = 2 and P.y = 3 and P.z = 5; end InitStates
Formulae AG !bad; end Formulae
"""


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def gone_soon(pid: int) -> bool:
    end = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_alive(pid)


def values(result: gnomon.CheckResult) -> list[bool | None]:
    return [answer.holds for answer in result]


def test_what_is_told_is_heard_in_order_and_the_value_comes_last() -> None:
    heard: list[int] = []

    assert Ended("", 5) == supervise(partial(count, 5), Budget(), heard.append)
    assert [0, 1, 2, 3, 4] == heard


def test_work_that_is_given_up_is_over_when_the_answer_is_there() -> None:
    heard: list[Any] = []
    ended = supervise(busy, Budget(seconds=2), heard.append)

    assert "the time limit of 2 s was reached" == ended.reason
    assert not is_alive(heard[0])


def test_work_that_takes_too_much_memory_is_over_and_the_memory_given_back() -> None:
    heard: list[Any] = []
    before = memory_in_use()
    limit = 200 + round(before)  # what is forked has all that this process has, at first
    ended = supervise(greedy, Budget(megabytes=limit), heard.append)

    assert f"the memory limit of {limit:,} MB was reached" == ended.reason
    assert not is_alive(heard[0])
    assert before + 50 > memory_in_use()


def test_an_exception_of_the_work_is_raised_with_its_place() -> None:
    with pytest.raises(ZeroDivisionError, match="odd") as caught:
        supervise(partial(failing, ZeroDivisionError("odd")), Budget(), print)

    assert "in failing" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_work_that_crashes_is_no_crash_of_the_caller(number: int) -> None:
    ended = supervise(partial(dying, number), Budget(), print)

    assert "ended unexpectedly" in ended.reason


def test_work_that_the_system_kills_says_so() -> None:
    ended = supervise(partial(dying, signal.SIGKILL), Budget(), print)

    assert "killed" in ended.reason


def test_an_exception_while_hearing_ends_the_work() -> None:
    heard: list[Any] = []

    def refuse(message: object) -> None:
        heard.append(message)
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        supervise(busy, Budget(), refuse)
    assert not is_alive(heard[0])


def test_checks_in_many_threads_get_the_verdicts_they_get_alone() -> None:
    model = gnomon.load_text(COUNTER)

    def ask(number: int) -> list[bool | None]:
        engine: Any = ("auto", "abstraction")[number % 2]
        return values(model.check(engine=engine, timeout=120))

    with ThreadPoolExecutor(4) as pool:
        assert [RIGHT] * 12 == list(pool.map(ask, range(12)))


def test_checks_under_asyncio_get_the_verdicts_they_get_alone() -> None:
    model = gnomon.load_text(COUNTER)

    async def ask() -> list[list[bool | None]]:
        asked = [asyncio.to_thread(model.check, timeout=120) for _ in range(4)]
        return [values(result) for result in await asyncio.gather(*asked)]

    assert [RIGHT] * 4 == asyncio.run(ask())


def test_a_check_that_ran_out_of_time_leaves_the_next_ones_alone() -> None:
    model, endless = gnomon.load_text(COUNTER), gnomon.load_text(ENDLESS)
    for _ in range(4):
        assert [None] == values(endless.check(timeout=0.3, evidence=False))
        assert RIGHT == values(model.check(timeout=120))


def test_concurrent_checks_leave_the_recursion_limit_alone() -> None:
    before = sys.getrecursionlimit()
    model = gnomon.load_text(COUNTER)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: model.check("EF big"), range(8)))

    assert before == sys.getrecursionlimit()


def test_checks_leave_no_threads_and_no_descriptors_behind() -> None:
    model = gnomon.load_text(COUNTER)
    model.check("EF big")
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        model.check("EF big")
        gnomon.load_text(ENDLESS).check(timeout=0.1)

    assert threads == threading.active_count()
    assert descriptors == len(os.listdir("/proc/self/fd"))


def _in_a_forked_process(answers: Any) -> None:
    answers.put(values(gnomon.load_text(COUNTER).check(timeout=120)))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # users do it all the same
def test_a_process_that_is_forked_after_a_check_checks_on_its_own() -> None:
    gnomon.load_text(COUNTER).check("EF big")
    context: Any = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    process = context.Process(target=_in_a_forked_process, args=(answers,))
    process.start()

    assert RIGHT == answers.get()
    process.join()
    assert RIGHT == values(gnomon.load_text(COUNTER).check(timeout=120))


def test_options_that_do_not_exist_are_refused_with_those_that_do() -> None:
    wrong: Any = {"strategies": "Uniform", "engine": "explict", "timeout": -1}
    with pytest.raises(InputError) as caught:
        gnomon.load_text(COUNTER).check(**wrong)

    messages = [item.message for item in caught.value.diagnostics]
    assert ["engine='explict' is not a choice", "strategies='Uniform' is not a choice"] == messages[
        :2
    ]
    assert "did you mean `explicit`?" == caught.value.diagnostics[0].help


# Programs of their own

#: Seconds for checks that overlap.
_A_WHILE = 180 if os.environ.get("GNOMON_HYPOTHESIS") == "fuzz" else 8


@pytest.fixture
def script() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start a Python program; it is gone when the test is over."""
    started: list[subprocess.Popen[str]] = []

    def start(text: str) -> subprocess.Popen[str]:
        known = {"COUNTER": COUNTER, "ENDLESS": ENDLESS, "A_WHILE": _A_WHILE}
        given = "\n".join([f"{name} = {value!r}" for name, value in known.items()])
        given += "\n" + textwrap.dedent(text)
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", given],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def family_of(pid: int) -> list[int]:
    """Return the processes below one, whoever they belong to now."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == pid:
            found += [int(name), *family_of(int(name))]
    return found


#: Ends in this way while a check is under way, one in a thread, and says before that it is.
_UNDER_WAY = """
    import gnomon, threading, os, signal, time
    begun = threading.Event()
    def look(*_): begun.set()
    def ask(): gnomon.load_text(ENDLESS).check(report=look)
    threading.Thread(target=ask, daemon=True).start()
    begun.wait()
    print("under way", flush=True)
    {ending}
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    "ending",
    ["time.sleep(600)", "os._exit(0)", "raise SystemExit", "os.kill(os.getpid(), signal.SIGSEGV)"],
)
def test_nobody_is_left_behind_when_the_caller_dies(
    script: Callable[[str], subprocess.Popen[str]], ending: str
) -> None:
    process = script(_UNDER_WAY.format(ending="time.sleep(1); " + ending))
    assert process.stdout is not None
    assert "under way\n" == process.stdout.readline()
    family = family_of(process.pid)
    if "sleep(600)" in ending:
        process.kill()
    process.wait()

    assert len(family) >= 2
    assert all(gone_soon(pid) for pid in family)


def test_a_script_without_a_main_guard_can_check(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script("import gnomon; print([a.holds for a in gnomon.load_text(COUNTER).check()])")
    output, errors = process.communicate()

    assert (f"{RIGHT}\n", "", 0) == (output, errors, process.returncode)


def test_ctrl_c_keeps_what_was_decided_and_ends_the_work(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script(
        """
        import gnomon, os, signal, threading
        def interrupt(*_):
            signal.raise_signal(signal.SIGINT)
        result = gnomon.load_text(ENDLESS).check(report=interrupt)
        print(result.result.interrupted, result[0].value, result[0].reason)
        print([a.holds for a in gnomon.load_text(COUNTER).check()])
        """
    )
    output, errors = process.communicate()

    assert f"True unknown interrupted\n{RIGHT}\n" == output
    assert "" == errors


def test_a_prepared_process_that_was_killed_is_replaced(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script(
        """
        import gnomon, os, signal
        from gnomon.checking.process import client
        model = gnomon.load_text(COUNTER)
        model.check("EF big")
        os.kill(client._prepared._process.pid, signal.SIGKILL)
        client._prepared._process.wait()
        print([a.holds for a in model.check()])
        """
    )
    output, errors = process.communicate()

    assert (f"{RIGHT}\n", "") == (output, errors)


@pytest.mark.slow
@pytest.mark.concurrent
def test_threads_with_timeouts_agree_with_themselves_for_a_while(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script(
        """
        import gnomon, threading, time
        end = time.monotonic() + A_WHILE
        seen = set()
        def ask(number):
            while time.monotonic() < end:
                gnomon.load_text(ENDLESS).check(timeout=0.05 + number / 30, evidence=False)
                found = gnomon.load_text(COUNTER).check(engine="abstraction", timeout=120)
                seen.add(tuple(a.holds for a in found))
        threads = [threading.Thread(target=ask, args=(n,)) for n in range(3)]
        for each in threads: each.start()
        for each in threads: each.join()
        print(seen)
        """
    )
    output, errors = process.communicate()

    assert (f"{{{tuple(RIGHT)}}}\n", "", 0) == (output, errors, process.returncode)


@pytest.mark.parametrize(
    "trouble",
    [
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])",
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
        "held = [os.open(os.devnull, 0) for _ in range(1100)]",
        "sys.executable = ''",
        "sys.path.append(None)",
        "os.chdir(tempfile.mkdtemp()); os.rmdir(os.getcwd())",
    ],
)
def test_checks_work_in_odd_surroundings(
    script: Callable[[str], subprocess.Popen[str]], trouble: str
) -> None:
    process = script(
        f"""
        import gnomon, os, resource, signal, sys, tempfile
        model = gnomon.load_text(COUNTER)
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        {trouble}
        print([a.holds for a in model.check(timeout=60)])
        """
    )
    output, errors = process.communicate(timeout=120)

    assert (f"{RIGHT}\n", "", 0) == (output, errors, process.returncode)


def test_checks_that_cannot_begin_leave_no_descriptors_behind(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script(
        """
        import gnomon, os, resource
        model = gnomon.load_text(COUNTER)
        model.check("EF big")
        used = len(os.listdir("/proc/self/fd")) - 1
        for free in (1, 2, 3, 4, 5):
            resource.setrlimit(resource.RLIMIT_NOFILE, (used + free, 4096))
            try:
                model.check("EF big")
            except OSError:
                pass
            resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
            assert used == len(os.listdir("/proc/self/fd")) - 1, free
        print(model.check("EF big")[0].value)
        """
    )
    output, errors = process.communicate(timeout=120)

    assert ("true\n", "") == (output, errors)


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 10**400},
        {"memory": float("nan")},
        {"report": 3},
        {"predicates": [3]},
        {"evidence": "yes"},
        {"max_states": 0},
        {"only": [0]},
        {"uniform_group": "nobody", "strategies": "uniform-model"},
    ],
    ids=str,
)
def test_a_wrong_value_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        gnomon.load_text(COUNTER).check(**wrong)


def test_a_constant_that_is_no_number_is_refused() -> None:
    wrong: Any = {"n": "3", "m": True}
    with pytest.raises(InputError, match="constant n='3' is no whole number"):
        gnomon.load_text(COUNTER, **wrong)


def test_without_forks_work_is_done_in_the_process_itself(
    script: Callable[[str], subprocess.Popen[str]],
) -> None:
    process = script(
        """
        import os, signal, sys
        del os.fork
        sys.modules["fcntl"] = None
        for name in ("SIGIO", "SIGHUP", "SIGCHLD"):
            delattr(signal, name)
        import gnomon
        print([a.holds for a in gnomon.load_text(COUNTER).check()])
        """
    )
    output, errors = process.communicate(timeout=120)

    assert (f"{RIGHT}\n", "", 0) == (output, errors, process.returncode)
