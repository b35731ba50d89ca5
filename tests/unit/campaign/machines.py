"""A scheduler of Dask's and workers as processes of their own, which speak over TCP on this machine."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.unit.checking.test_pool import descendants, is_working, parent

ROOT = Path(__file__).parents[3]
#: All of it answers quickly, and tells nobody.
_QUIET = {
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False",
}


class Machines:
    """What runs at one address: a scheduler, and workers that can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int) -> None:
        """Start the scheduler, and so many workers."""
        here = ["--host", "127.0.0.1"]
        self._scheduler = self._run(
            "dask_scheduler", *here, "--port", str(self.port), "--no-dashboard", "--no-show"
        )
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker."""
        plain = ["--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1"]
        worker = self._run("dask_worker", self.address, *plain)
        self.workers.append(worker)
        return worker

    def kill_worker(self) -> None:
        """End the first worker as the kernel would."""
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()

    def kill_all(self) -> None:
        """End the scheduler, and all workers."""
        started = [*self.workers, *([self._scheduler] if self._scheduler else [])]
        self.workers, self._scheduler = [], None
        for process in started:
            process.kill()
        for process in started:
            process.wait()

    def jobs(self) -> set[int]:
        """Return the processes of jobs that are there: what the prepared processes of workers have forked."""
        workers = {worker.pid for worker in self.workers}
        found = set().union(*(descendants(pid) for pid in workers))
        return {pid for pid in found if parent(pid) not in workers and is_working(pid)}

    def wait_until_idle(self, seconds: float) -> bool:
        """Return whether all jobs are gone after so many seconds, at most."""
        end = time.monotonic() + seconds
        while self.jobs() and time.monotonic() < end:
            time.sleep(0.02)
        return not self.jobs()

    def _run(self, program: str, *given: str) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        log = (self._folder / f"{program}.log").open("ab")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *given],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **_QUIET, "PYTHONPATH": paths},
            )


@contextmanager
def machines(folder: Path, workers: int) -> Iterator[Machines]:
    """Start so many workers with their scheduler, and end all of them."""
    started = Machines(folder)
    started.start(workers)
    try:
        wait_for_somebody(started.port)
        yield started
    finally:
        started.kill_all()


def wait_for_somebody(port: int) -> None:
    """Wait until somebody listens there."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


def free_port() -> int:
    """Return a port that nobody listens to."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
