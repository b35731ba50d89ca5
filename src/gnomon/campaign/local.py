"""Jobs on this machine: so many at once, each in a process of its own (standard library only).

One thread looks after all of them. A process is ended for certain when its job is cancelled, when its time is
over, and when this program ends in whatever way.
"""

import contextlib
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from typing import Final, Self

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobLost, JobUnderWay
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import packed, unpacked
from gnomon.campaign.worker import answer_here
from gnomon.checking.pool import Finished, Pool
from gnomon.checking.supervise import machine_memory

#: A process keeps to its limits by itself, and may say what it found; after so many more seconds it is ended.
_GRACE: Final = 0.7
#: However many are under way at once, each may have so many megabytes.
_LEAST_MEMORY: Final = 500.0


class LocalPool:
    """Processes of this machine; leaving the `with` block ends all that are left."""

    def __init__(self, at_once: int | None = None) -> None:
        """Have so many jobs done at once; as many as there are processors, unless that is said."""
        self.at_once: Final = at_once or processors()
        memory = machine_memory()
        self._room = None if memory is None else max(memory / self.at_once, _LEAST_MEMORY)
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._pool = Pool(self.at_once)
        self._given: dict[int, tuple[CampaignJob, FutureAnswer]] = {}
        self._began: dict[int, float] = {}
        self._closed = False
        self._bell, self._ringing = os.pipe()
        for end in (self._bell, self._ringing):
            os.set_blocking(end, False)
        self._thread = Thread(target=self._serve, name="gnomon jobs", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all that is left."""
        self.close()

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done; to cancel the future ends it, whatever it is doing."""
        if self._closed:
            msg = "this pool is closed"
            raise RuntimeError(msg)
        future = _KilledWhenCancelled(self._end)
        self._order(partial(self._add, job, future))
        return future

    def under_way(self) -> list[JobUnderWay]:
        """Return the jobs that have begun and not ended."""
        now = time.monotonic()
        began = dict(self._began)
        given = dict(self._given)
        return [
            JobUnderWay(given[number][0], "here", now - moment)
            for number, moment in began.items()
            if number in given
        ]

    def close(self) -> None:
        """End all that is under way, and take no more; when this returns, no process is left."""
        if self._closed:
            return
        self._closed = True
        self._ring()
        self._thread.join()
        os.close(self._bell)
        os.close(self._ringing)

    def _order(self, order: Callable[[], None]) -> None:
        self._orders.put(order)
        self._ring()

    def _ring(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it rings already
            os.write(self._ringing, b"!")

    def _end(self, future: FutureAnswer) -> None:
        """See to it that a job is not done any more, and come back when it is not."""
        gone = Event()

        def end() -> None:
            for number, (_, known) in list(self._given.items()):
                if known is future:
                    self._pool.end(number)
                    self._forget(number)
            gone.set()

        self._order(end)
        while not gone.wait(0.1) and self._thread.is_alive():
            pass

    # What follows happens in the thread.

    def _serve(self) -> None:
        with self._pool as pool:
            while not self._closed:
                self._begin()
                for ended in pool.wait(0.05 if self._began else None, (self._bell,)):
                    self._hand_over(ended)
                self._take_orders()
        for _, future in list(self._given.values()):
            Future.cancel(future)
            _tell_waiting(future)
        self._given.clear()

    def _take_orders(self) -> None:
        with contextlib.suppress(BlockingIOError):  # then something else was heard
            os.read(self._bell, 4096)
        while not self._orders.empty():
            self._orders.get()()

    def _add(self, job: CampaignJob, future: FutureAnswer) -> None:
        if future.cancelled():
            return
        room = job.room or self._room
        data = packed(CampaignJob(job.question, job.repetition, room).to_data())
        limit = job.question.options.timeout
        seconds = None if limit is None else limit + _GRACE
        self._given[self._pool.add(partial(answer_here, data), seconds)] = (job, future)

    def _begin(self) -> None:
        try:
            self._pool.start()
        except OSError as error:  # not even one process can be started
            for number, (_, future) in list(self._given.items()):
                self._pool.end(number)
                self._forget(number)
                _settle(future, error=JobLost(f"the machine could not start a process: {error}"))
        now = time.monotonic()
        for number in self._pool.under_way():
            self._began.setdefault(number, now)

    def _hand_over(self, ended: Finished) -> None:
        known = self._given.get(ended.number)
        self._forget(ended.number)
        if known is None:
            return
        _, future = known
        if ended.error is not None:
            _settle(future, error=ended.error)
        elif ended.value is None:
            _settle(future, error=JobLost(ended.reason))
        else:
            _settle(future, JobAnswer.from_data(unpacked(ended.value)))

    def _forget(self, number: int) -> None:
        self._given.pop(number, None)
        self._began.pop(number, None)


class _KilledWhenCancelled(Future[JobAnswer]):
    """A future that can be cancelled at any time: it never counts as running."""

    def __init__(self, end: Callable[[FutureAnswer], None]) -> None:
        super().__init__()
        self._end = end

    def cancel(self) -> bool:
        """End the job; return whether that was in time. When this returns, its process is gone."""
        if self.cancelled():
            return True
        if not super().cancel():
            return False
        self._end(self)
        _tell_waiting(self)
        return True


def _settle(
    future: FutureAnswer, answer: JobAnswer | None = None, error: BaseException | None = None
) -> None:
    with contextlib.suppress(InvalidStateError):  # it was cancelled in this very moment
        if error is not None:
            future.set_exception(error)
        elif answer is not None:
            future.set_result(answer)


def _tell_waiting(future: FutureAnswer) -> None:
    """Tell those who wait for several futures that this one was cancelled."""
    with contextlib.suppress(InvalidStateError, RuntimeError):
        future.set_running_or_notify_cancel()


def processors() -> int:
    """Return how many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
