"""Jobs to answers in a store: what is there is not asked again, and every answer is kept when it arrives.

Whatever ends a run, the store has all that was answered before, and the same run again does only the rest.
"""

import os
import platform
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias
from uuid import uuid4

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobExecutor, JobUnderWay
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.labels import label_of
from gnomon.campaign.retries import Retrying
from gnomon.campaign.store import Store
from gnomon.campaign.stored import CampaignRun, StoredJob
from gnomon.campaign.worker import lost
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__

#: Once in so many seconds a store hears what is under way, and a listener how far it is.
_BEAT: Final = 1.0
_LOOK: Final = 0.1
#: A job waits at the executor for each that is under way there, and some more where jobs are small.
_AHEAD: Final = 8
#: What is asked again where that is wanted.
_TRY_AGAIN: Final = frozenset(("open", "lost"))


@dataclass
class RunProgress:
    """How far a run has come."""

    #: All jobs of the campaign, and what the store had of them, by their standings.
    jobs: int
    before: Counter[str]
    #: What was answered since.
    now: Counter[str] = field(default_factory=Counter)
    #: How many are lost because of a fault of ours.
    faults: int = 0
    under_way: list[JobUnderWay] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    @property
    def answered(self) -> Counter[str]:
        """How many jobs have an answer, by its standing."""
        return self.before + self.now

    @property
    def left(self) -> int:
        """How many have none."""
        return self.jobs - self.answered.total()

    @property
    def seconds(self) -> float:
        """How long this run has taken by now."""
        return time.monotonic() - self.started


#: Hears of every answer when it is kept, and without one many times a second.
Listener: TypeAlias = Callable[[RunProgress, JobAnswer | None, CampaignJob | None], None]


def new_run(command: str, name: str, jobs: int) -> CampaignRun:
    """Return a run that begins now, of so many jobs, those that were answered before included."""
    now = time.time()
    return CampaignRun(
        uuid4().hex, command, __version__, platform.node(), os.getpid(), name, jobs, now, now
    )


def run_jobs(
    jobs: Sequence[CampaignJob],
    store: Store,
    executor: JobExecutor,
    run: CampaignRun,
    listen: Listener = lambda *_: None,
    *,
    retry: bool = False,
) -> RunProgress:
    """Have jobs done that the store has no answer to, and keep each answer when it arrives.

    Those that are open or lost are done again where a `retry` is wanted. At the end none is under way. A
    store that cannot be written to ends the run with an `InputError`.
    """
    return _RunUnderWay(jobs, store, executor, run, listen, retry=retry).to_the_end()


class _RunUnderWay:
    """One run, from its first job to its last."""

    def __init__(
        self,
        jobs: Sequence[CampaignJob],
        store: Store,
        executor: JobExecutor,
        run: CampaignRun,
        listen: Listener,
        *,
        retry: bool,
    ) -> None:
        self._store, self._run, self._listen = store, run, listen
        self._executor = Retrying(executor)
        kept = store.standings()
        self._again = {
            job.key: kept[job.key] for job in jobs if retry and kept.get(job.key, "") in _TRY_AGAIN
        }
        wanted = [job for job in jobs if job.key not in kept or job.key in self._again]
        had = Counter(kept[job.key] for job in jobs if job.key in kept) - Counter(
            self._again.values()
        )
        self.progress: Final = RunProgress(len(jobs), had)
        self._waiting: Iterator[CampaignJob] = iter(wanted)
        self._submitted: dict[FutureAnswer, CampaignJob] = {}
        self._ended: SimpleQueue[FutureAnswer] = SimpleQueue()
        self._unkept: list[tuple[CampaignJob, JobAnswer]] = []
        self._beaten = 0.0

    def to_the_end(self) -> RunProgress:
        """Do all of it; whatever ends it, what has arrived is kept, and nothing goes on."""
        self._store.begin(self._run)
        try:
            while self._submit():
                self._beat()
                self._hear(_LOOK)
        except InputError:  # the store takes nothing more, or the cluster is gone
            with suppress(InputError):
                self._keep()
            raise
        except BaseException:
            with suppress(InputError):
                self._hear(0)
            raise
        finally:
            for future in list(self._submitted):
                future.cancel()
            with suppress(InputError):
                self._store.end(self._run.id)
        return self.progress

    def _submit(self) -> bool:
        """Hand over as many jobs as can soon begin; return whether anything is to be waited for."""
        most = 2 * self._executor.at_once + _AHEAD
        while len(self._submitted) < most:
            job = next(self._waiting, None)
            if job is None:
                break
            future = self._executor.submit(job)
            self._submitted[future] = job
            future.add_done_callback(self._ended.put)
        return bool(self._submitted)

    def _beat(self) -> None:
        """Say what is under way, to the listener at once and to the store now and then."""
        self.progress.under_way = self._executor.under_way()
        self._listen(self.progress, None, None)
        now = time.monotonic()
        if now - self._beaten < _BEAT:
            return
        self._beaten = now
        self._store.beat(self._run.id, list(_stored(self._run.id, self.progress.under_way)))

    def _hear(self, seconds: float) -> None:
        """Wait for an answer, at most so long, and keep all that have arrived by then."""
        with suppress(Empty):
            self._take(self._ended.get(timeout=seconds) if seconds else self._ended.get_nowait())
            while True:
                self._take(self._ended.get_nowait())
        self._keep()

    def _take(self, future: FutureAnswer) -> None:
        job = self._submitted.pop(future)
        try:
            answer = future.result()
        except CancelledError:
            return
        except InputError:
            raise  # what has jobs done is gone
        except Exception as error:  # noqa: BLE001 - one job that fails is no reason to lose the others
            self.progress.faults += 1
            answer = lost(job, f"a fault of gnomon's: {type(error).__name__}: {error}")
        self._unkept.append((job, answer))

    def _keep(self) -> None:
        """Keep what has arrived: all of it in one go, or nothing."""
        if not self._unkept:
            return
        self._store.add_all(self._unkept, self._run.id)
        kept, self._unkept = self._unkept, []
        for job, answer in kept:
            self.progress.now[answer.standing] += 1
            self._listen(self.progress, answer, job)


def _stored(run: str, under_way: Iterable[JobUnderWay]) -> Iterator[StoredJob]:
    now = time.time()
    for each in under_way:
        yield StoredJob(run, each.job.key, label_of(each.job), each.place, now - each.seconds)
