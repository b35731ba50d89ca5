"""Campaigns: what a job costs, what two workers give, and whether limits hold.

python -m benchmarks.campaign WHAT [JOBS], where WHAT is

- overhead: the processor time of a small job, in all its processes, beside the check alone
- small: so many small jobs on two processors
- workers: jobs of a second on one worker over TCP, and on two; how soon losers are gone there
- limits: a job that needs gigabytes under a limit of one, and one that is stuck in a native call

Whether a campaign survives `kill -9` is in killed_campaign.py. Times are of the processor where that is
possible: they mean the same on a machine that others use, too.
"""

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import wait
from pathlib import Path

from gnomon.campaign.cluster import connect
from gnomon.campaign.executor import JobExecutor
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from gnomon.checking.process.client import prepared_process
from gnomon.checking.question import Question
from gnomon.checking.supervise import work_here
from tests.unit.campaign.jobs import endless
from tests.unit.campaign.machines import machines

ROOT = Path(__file__).parents[1]
SMALL = (ROOT / "examples" / "bit_transmission.ispl").read_text()
#: Seconds that the prepared process is given to prepare itself.
_PREPARING = 4.0


def small(number: int) -> CampaignJob:
    return CampaignJob(Question(SMALL, "bit_transmission.ispl"), number)


def overhead(jobs: int = 200) -> None:
    with work_here():
        for _ in range(5):
            answer(small(1))
        before = time.process_time()
        for _ in range(20):
            answer(small(1))
        alone = (time.process_time() - before) / 20
    with LocalPool(1) as pool:
        done(pool, [small(1)])
        time.sleep(_PREPARING)
        cpu, clock = processor_time(), time.monotonic()
        done(pool, [small(number) for number in range(1, jobs + 1)])
        spent = (processor_time() - cpu) / jobs
        passed = (time.monotonic() - clock) / jobs
    print(f"the check alone   {alone * 1000:6.1f} ms of the processor")
    print(
        f"a job             {spent * 1000:6.1f} ms, of which {(spent - alone) * 1000:.1f} overhead"
    )
    print(
        f"                  {passed * 1000:6.1f} ms passed ({os.getloadavg()[0]:.1f} others at work)"
    )


def small_jobs(jobs: int = 10_000) -> None:
    with LocalPool(2) as pool:
        done(pool, [small(1)])
        cpu, clock = processor_time(), time.monotonic()
        done(pool, [small(number) for number in range(1, jobs + 1)])
        spent, passed = processor_time() - cpu, time.monotonic() - clock
    print(
        f"{jobs:,} small jobs: {passed:.0f} s, {spent:.0f} s of processors: {spent / 2:.0f} s on two"
    )


def workers(jobs: int = 20) -> None:
    """Jobs of a second have a limit of one: they take that however busy the machine is."""
    seconds = [on_workers(number, jobs) for number in (1, 2)]
    one, two = seconds
    print(
        f"{jobs} jobs of a second: {one:.1f} s on one worker, {two:.1f} s on two: {one / two:.2f} times"
    )


def on_workers(number: int, jobs: int) -> float:
    """Return how many seconds jobs of one second take on so many workers."""
    with (
        tempfile.TemporaryDirectory() as folder,
        machines(Path(folder), number) as there,
        connect(there.address) as pool,
    ):
        while pool.at_once < number:
            time.sleep(0.1)
        done(pool, [endless(timeout=0.3) for _ in range(2 * number)])
        started = time.monotonic()
        done(pool, [endless(timeout=1) for _ in range(jobs)])
        passed = time.monotonic() - started
        losers = [pool.submit(endless()) for _ in range(number)]
        while len(there.jobs()) < 2 * number:  # each has a process, and a child of that
            time.sleep(0.01)
        started = time.monotonic()
        for loser in losers:
            loser.cancel()
        there.wait_until_idle(60)
        print(f"{number} losers are gone after {time.monotonic() - started:.2f} s")
        return passed


def limits() -> None:
    with LocalPool(2) as pool:
        done(pool, [small(1)])
        time.sleep(_PREPARING)
        stuck = endless(timeout=2)
        started = time.monotonic()
        said = pool.submit(stuck).result()
        print(
            f"stuck, 2 s allowed: {time.monotonic() - started:.2f} s, {said.formulae[0]['reason']}"
        )
        greedy = pool.submit(hungry())
        others = done(pool, [small(number) for number in range(1, 21)])
        found = greedy.result()
        print(f"hungry: {found.standing}, {found.formulae[0]['reason']}")
        print(f"  at most {found.provenance.memory:,.0f} MB, in {found.provenance.seconds:.1f} s")
        print(f"  {len(others)} others meanwhile: {set(others)}")


def hungry() -> CampaignJob:
    """Return a job that needs gigabytes: the diagrams of a product of two numbers."""
    bits = 15
    text = f"""
Agent Multiplier
  Vars: x : 0 .. {2**bits - 1}; y : 0 .. {2**bits - 1}; z : 0 .. {2 ** (2 * bits) - 1}; end Vars
  Actions = {{multiply}};
  Protocol: Other : {{multiply}}; end Protocol
  Evolution: z = x * y if z = 0; end Evolution
end Agent
Evaluation odd if Multiplier.z = 12345; end Evaluation
InitStates Multiplier.z = 0; end InitStates
Formulae AG !odd; end Formulae
"""
    options = Options(engine="bdd", memory=1000, evidence=False)
    return CampaignJob(Question(text, "product", options=options))


def done(pool: JobExecutor, jobs: Sequence[CampaignJob]) -> list[str]:
    futures = [pool.submit(job) for job in jobs]
    wait(futures)
    return [future.result().standing for future in futures]


def processor_time() -> float:
    """Return what this process and the one that forks have used, with all that it has forked."""
    ticks = os.sysconf("SC_CLK_TCK")
    forking = Path(f"/proc/{prepared_process()}/stat").read_text().rsplit(")", 1)[1].split()
    return time.process_time() + sum(map(int, forking[11:15])) / ticks


def main() -> None:
    chosen = {"overhead": overhead, "small": small_jobs, "workers": workers}
    name, *numbers = sys.argv[1:] or ["overhead"]
    if name == "limits":
        limits()
    elif name in chosen:
        chosen[name](*map(int, numbers[:1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
