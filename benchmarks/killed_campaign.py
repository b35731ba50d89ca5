"""A campaign killed with `kill -9` at random moments and resumed, beside one without faults.

killed_campaign.py [JOBS] [KILLS] [SEED]: every verdict is there, each once, and the same; and no process
outlives the one that was killed by more than a moment.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gnomon.campaign.job import JobKey
from gnomon.campaign.store import Store

#: As many questions as there are values of a constant that means nothing.
MODEL = """\
Constants
  n = 1;
end Constants
Agent Light
  Vars: on : boolean; end Vars
  Actions = { press, rest };
  Protocol: Other : { press, rest }; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation on if Light.on; end Evaluation
InitStates Light.on = false; end InitStates
Formulae
  may : EF on;
  stays : AG !on expect false;
end Formulae
"""
PLAN = 'models = "light.ispl"\njobs = 2\nconstants.n = "1..{jobs}"\n'
#: A process that lost its parent may take so many seconds to notice.
SECONDS_TO_DIE = 2.0
PATIENCE = 1200.0

#: What a store says of each job: its standing, and the verdicts on its formulae.
Verdicts = dict[JobKey, tuple[str, tuple[tuple[str, str], ...]]]


class Killed(NamedTuple):
    """What came of a campaign that was killed so often."""

    verdicts: Verdicts
    kills: int
    #: Processes that were still there when they should have been gone.
    orphans: int
    #: How many answers the store had at each kill.
    moments: list[int]


def write_plan(folder: Path, jobs: int) -> None:
    """Write a plan with so many small jobs."""
    (folder / "light.ispl").write_text(MODEL)
    (folder / "plan.toml").write_text(PLAN.format(jobs=jobs))


def run_to_the_end(folder: Path, store: str, *more: str) -> Verdicts:
    """Run the plan without faults, and with more words, and return what its store says."""
    done = subprocess.run(_command(store, *more), cwd=folder, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        message = f"the campaign ended with status {done.returncode}"
        raise RuntimeError(message)
    return verdicts(folder / store)


def run_killed(folder: Path, store: str, *more: str, jobs: int, kills: int, seed: int) -> Killed:
    """Run the plan, kill it at random moments, resume it, and return what is there in the end."""
    chance = random.Random(seed)
    orphans = 0
    moments = []
    for target in sorted(chance.randrange(jobs) for _ in range(kills)):
        with subprocess.Popen(_command(store, *more), cwd=folder) as process:
            if not _reached(folder / store, target, process):
                break
            time.sleep(chance.random() * 0.2)
            below = _descendants(process.pid)
            process.send_signal(signal.SIGKILL)
        moments.append(len(verdicts(folder / store)))
        orphans += _alive_after(below, SECONDS_TO_DIE)
    return Killed(run_to_the_end(folder, store, *more), len(moments), orphans, moments)


def verdicts(path: Path) -> Verdicts:
    """Return what a store says of each job; it says it once, since the job is its key."""
    with Store(path, must_exist=True) as store:
        if found := list(store.problems()):
            message = f"the store is damaged: {found}"
            raise RuntimeError(message)
        return {
            each.answer.key: (
                each.answer.standing,
                tuple((item["name"], item["verdict"]) for item in each.answer.formulae),
            )
            for each in store.answers()
        }


def _command(store: str, *more: str) -> list[str]:
    words = ["campaign", "run", "plan.toml", "--store", store, "--quiet", "--no-progress", *more]
    return [sys.executable, "-m", "gnomon", *words]


def _reached(path: Path, target: int, process: "subprocess.Popen[bytes]") -> bool:
    """Wait until a store has so many answers; return whether the process was still there then."""
    while process.poll() is None:
        if path.exists():
            with suppress(Exception), Store(path, must_exist=True, read_only=True) as store:
                if len(store.standings()) >= target:
                    return True
        time.sleep(0.02)
    return False


def _descendants(pid: int) -> set[tuple[int, str]]:
    """Return the processes below one, each with the moment in which it began."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                parents[int(name)] = _stat(int(name))
    found: set[tuple[int, str]] = set()
    level = {pid}
    while level:
        below = {each: began for each, (above, began) in parents.items() if above in level}
        found |= set(below.items())
        level = set(below)
    return found


def _stat(pid: int) -> tuple[int, str]:
    """Return whose child a process is, and when it began; a process that is only to be buried is none."""
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    if words[0] == "Z":
        raise ProcessLookupError
    return int(words[1]), words[19]


def _alive_after(processes: set[tuple[int, str]], seconds: float) -> int:
    """Return how many processes are still there after so many seconds."""
    end = time.monotonic() + seconds
    while processes and time.monotonic() < end:
        time.sleep(0.02)
        processes = {each for each in processes if _is_there(*each)}
    return len(processes)


def _is_there(pid: int, began: str) -> bool:
    try:
        return _stat(pid)[1] == began
    except OSError:
        return False


def main() -> None:
    """Do it with as many jobs and kills as are wanted, and say what came of it."""
    jobs, kills, seed = (int(word) for word in [*sys.argv[1:4], "10000", "20", "0"][:3])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_plan(folder, jobs)
        started = time.monotonic()
        whole = run_to_the_end(folder, "whole.store")
        middle = time.monotonic()
        killed = run_killed(folder, "killed.store", jobs=jobs, kills=kills, seed=seed)
        ended = time.monotonic()
    print(f"{jobs:,} jobs without faults: {middle - started:.1f} s")
    print(f"killed {killed.kills} times, at {killed.moments} answers: {ended - middle:.1f} s")
    same = whole == killed.verdicts
    print(f"{len(killed.verdicts):,} verdicts, {'the same' if same else 'NOT THE SAME'}")
    print(f"{killed.orphans} processes left behind")
    sys.exit(not same or killed.orphans > 0 or len(whole) != jobs)


if __name__ == "__main__":
    main()
