"""Jobs on this machine: so many at once, each in a process of its own (standard library only).

One thread looks after all of them. A process is ended for certain when its job is cancelled, when its time is
over, and when this program ends in whatever way.
"""

import contextlib
import os
import time
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread, current_thread
from typing import Any, Final, NamedTuple, Self

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobLost, JobUnderWay
from gnomon.campaign.explained import ExplainedAnswer, explained_in_a_process
from gnomon.campaign.futures import EndedWhenCancelled, give_up, settle
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import unpacked
from gnomon.campaign.worker import in_a_process, room_for_each
from gnomon.checking.cores import usable_cores
from gnomon.checking.pool import Finished, Pool
from gnomon.checking.process.child import Job


class _HandedJob(NamedTuple):
    """A job that was handed over: whom to tell what it comes to, how that is read, and who hears of it."""

    job: CampaignJob
    future: "EndedWhenCancelled[Any]"
    read: Callable[[str], Any]
    told: Callable[[Any], None] | None = None


class LocalPool:
    """Processes of this machine; leaving the `with` block ends all that are left."""

    def __init__(self, at_once: int | None = None) -> None:
        """Have so many jobs done at once; as many as there are processors, unless that is said."""
        self.at_once: Final = at_once or usable_cores()
        self._room = room_for_each(self.at_once)
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._pool = Pool(self.at_once, self._tell)
        self._given: dict[int, _HandedJob] = {}
        self._began: dict[int, float] = {}
        self._closed = False
        #: The thread is in this one only: a process that is forked has nobody to do the jobs.
        self._process: Final = os.getpid()
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
        """Have a job done; to cancel the future ends it, whatever it is doing.

        Raises `InputError` where the job cannot be sent: it is about a model that has no text.
        """
        future: EndedWhenCancelled[JobAnswer] = EndedWhenCancelled(self._end)
        self._submit(in_a_process(job, self._room), _HandedJob(job, future, _read_answer))
        return future

    def explain(
        self, job: CampaignJob, told: Callable[[Any], None]
    ) -> "EndedWhenCancelled[ExplainedAnswer]":
        """Have a job done for somebody who watches: its answer comes with pages that explain the verdicts.

        `told` hears how far it is, in the thread of the pool.
        """
        future: EndedWhenCancelled[ExplainedAnswer] = EndedWhenCancelled(self._end)
        work = explained_in_a_process(job, self._room)
        self._submit(work, _HandedJob(job, future, ExplainedAnswer.read, told))
        return future

    def _submit(self, work: tuple[Job, float | None], given: _HandedJob) -> None:
        if os.getpid() != self._process:
            msg = "this pool is another process's"
            raise RuntimeError(msg)
        if self._closed or not self._thread.is_alive():
            msg = "this pool is closed"
            raise RuntimeError(msg)
        self._order(partial(self._add, work, given))

    def under_way(self) -> list[JobUnderWay]:
        """Return the jobs that have begun and not ended."""
        now = time.monotonic()
        began = dict(self._began)
        given = dict(self._given)
        return [
            JobUnderWay(given[number].job, "here", now - moment)
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

    def _end(self, future: "EndedWhenCancelled[Any]") -> None:
        """See to it that a job is not done any more, and come back when it is not."""
        gone = Event()

        def end() -> None:
            for number, known in list(self._given.items()):
                if known.future is future:
                    self._pool.end(number)
                    self._forget(number)
            gone.set()

        if current_thread() is self._thread:  # whoever heard of an answer has no use for others
            end()
            return
        self._order(end)
        while not gone.wait(0.1) and self._thread.is_alive():
            pass

    # What follows happens in the thread.

    def _serve(self) -> None:
        try:
            with self._pool as pool:
                while not self._closed:
                    self._begin()
                    for ended in pool.wait(0.05 if self._began else None, (self._bell,)):
                        self._hand_over(ended)
                    self._take_orders()
        finally:
            # Whatever ends this thread, nobody waits for ever.
            for known in list(self._given.values()):
                give_up(known.future)
            self._given.clear()

    def _take_orders(self) -> None:
        with contextlib.suppress(BlockingIOError):  # then something else was heard
            os.read(self._bell, 4096)
        while not self._orders.empty():
            self._orders.get()()

    def _add(self, work: tuple[Job, float | None], given: _HandedJob) -> None:
        if not given.future.cancelled():
            self._given[self._pool.add(*work)] = given

    def _tell(self, number: int, said: Any) -> None:
        known = self._given.get(number)
        if known is not None and known.told is not None:
            known.told(said)

    def _begin(self) -> None:
        try:
            self._pool.start()
        except OSError as error:  # not even one process can be started
            for number, known in list(self._given.items()):
                self._pool.end(number)
                self._forget(number)
                settle(
                    known.future, error=JobLost(f"the machine could not start a process: {error}")
                )
        now = time.monotonic()
        for number in self._pool.under_way():
            self._began.setdefault(number, now)

    def _hand_over(self, ended: Finished) -> None:
        known = self._given.get(ended.number)
        self._forget(ended.number)
        if known is None:
            return
        future = known.future
        if ended.error is not None:
            settle(future, error=ended.error)
        elif ended.value is None:
            settle(future, error=JobLost(ended.reason))
        else:
            try:
                settle(future, known.read(ended.value))
            except Exception as error:  # noqa: BLE001 - whoever waits hears of it
                settle(future, error=error)

    def _forget(self, number: int) -> None:
        self._given.pop(number, None)
        self._began.pop(number, None)


def _read_answer(text: str) -> JobAnswer:
    return JobAnswer.from_data(unpacked(text))
