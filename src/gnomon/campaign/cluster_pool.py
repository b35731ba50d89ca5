"""Jobs on the machines of a cluster, spread by Dask.

What goes there and comes back is JSON and names of functions, never a model. Dask tries a job again on
another machine when a worker is gone. When the scheduler is gone, Dask looks for it for a while; if it is
back, jobs that were under way are handed over again, and if not, whoever waits for them is told.
"""

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from threading import Event, RLock, Thread
from typing import Any, Final, NamedTuple, Self
from uuid import uuid4

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.cluster_task import answer_there
from gnomon.campaign.executor import FutureAnswer, JobLost, JobUnderWay
from gnomon.campaign.futures import EndedWhenCancelled, give_up, settle
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import packed, unpacked
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source
from gnomon.version import __version__

#: Once in so many seconds the scheduler is asked what is under way, and how many it can have so.
_BEAT: Final = 0.5
_GONE: Final = frozenset(("closed", "closing"))


class _HandedOver(NamedTuple):
    """A job that was handed over: our future of it, and Dask's."""

    job: CampaignJob
    ours: FutureAnswer
    theirs: Any


class ClusterPool:
    """The machines of a cluster; leaving the `with` block ends all that is left."""

    def __init__(
        self, client: Any, address: str, close: Callable[[], None], *, seed: int = 0
    ) -> None:
        """Have jobs done by what a client of Dask's is connected to, and close that with `close`.

        `seed` is that of Python's hashes, by which ties are broken.
        """
        self._client, self._address, self._close, self._seed = client, address, close, seed
        self._given: dict[str, _HandedOver] = {}
        self._begun: dict[str, tuple[str, float]] = {}
        self._lock = RLock()
        self._closed = False
        self._most = 1
        self._stop = Event()
        self._look()
        self._thread = Thread(target=self._watch, name="gnomon cluster", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """Be usable in `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all that is left."""
        self.close()

    @property
    def at_once(self) -> int:
        """How many jobs can be under way at once, by what the scheduler last said."""
        return self._most

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done; to cancel the future ends it, whatever it is doing, within a second."""
        if self._closed:
            msg = "this cluster is closed"
            raise RuntimeError(msg)
        if self._client.status in _GONE:
            raise self._gone()
        future = EndedWhenCancelled(self._end)
        self._hand_over(job, future)
        return future

    def under_way(self) -> list[JobUnderWay]:
        """Return the jobs that have begun and not ended, by what the scheduler last said."""
        now = time.monotonic()
        with self._lock:
            return [
                JobUnderWay(self._given[key].job, place, now - since)
                for key, (place, since) in self._begun.items()
                if key in self._given
            ]

    def close(self) -> None:
        """End all that is under way, and take no more."""
        if self._closed:
            return
        self._closed = True
        self._stop.set()
        with self._lock:
            left = list(self._given.values())
            self._given.clear()
        if left and self._client.status == "running":
            with contextlib.suppress(Exception):  # whoever is not there has nothing to end
                self._client.cancel([each.theirs for each in left])
        for each in left:
            give_up(each.ours)
        with contextlib.suppress(Exception):  # it may be gone, and we go, too
            self._close()
        self._thread.join(timeout=5)

    def _hand_over(self, job: CampaignJob, future: FutureAnswer) -> None:
        key = f"gnomon-{uuid4().hex}"
        theirs = self._client.submit(
            answer_there,
            packed(job.to_data()),
            __version__,
            self._seed,
            key=key,
            pure=False,
        )
        with self._lock:
            self._given[key] = _HandedOver(job, future, theirs)
        theirs.add_done_callback(partial(self._ended, key))

    def _end(self, future: FutureAnswer) -> None:
        """See to it that a job is not done any more."""
        with self._lock:
            found = [key for key, each in self._given.items() if each.ours is future]
            ended = [self._given.pop(key).theirs for key in found]
        if ended and self._client.status == "running":
            # Not waited for: it may be asked for in a thread of Dask's own.
            self._client.loop.add_callback(
                partial(self._client.cancel, ended, asynchronous=True, force=True)
            )

    def _ended(self, key: str, theirs: Any) -> None:
        """Hear what has become of a job; called in a thread of Dask's."""
        with self._lock:
            given = self._given.pop(key, None)
            self._begun.pop(key, None)
        if given is None or self._closed:
            return
        job, ours, _ = given
        try:
            settle(ours, JobAnswer.from_data(unpacked(theirs.result())))
        except JobLost as error:
            settle(ours, error=error)
        except (CancelledError, OSError):  # nobody but us cancels: the scheduler was gone
            self._once_more(job, ours)
        except Exception as error:  # noqa: BLE001 - whoever waits hears of it
            settle(ours, error=_as_lost(error))

    def _once_more(self, job: CampaignJob, future: FutureAnswer) -> None:
        if self._client.status in _GONE:
            settle(future, error=self._gone())
            return
        try:
            self._hand_over(job, future)
        except Exception as error:  # noqa: BLE001 - whoever waits hears of it
            settle(future, error=error)

    def _gone(self) -> InputError:
        message = f"the connection to the cluster at {self._address} is lost"
        help_ = (
            "answers that are stored are safe: start the scheduler, and give the same command again"
        )
        return InputError((Diagnostic("G0903", message, Source(self._address, ""), help=help_),))

    # What follows happens in the thread.

    def _watch(self) -> None:
        while not self._stop.wait(_BEAT):
            if self._client.status in _GONE:
                self._give_up_all()
            elif self._client.status == "running":
                with contextlib.suppress(Exception):  # the next time, perhaps
                    self._look()

    def _look(self) -> None:
        """Ask the scheduler what is under way, and how many can be."""
        self._most = max(1, sum(self._client.nthreads().values()))
        if not self._given:
            return
        now = time.monotonic()
        found = {key: worker for worker, keys in self._client.processing().items() for key in keys}
        with self._lock:
            before = self._begun
            self._begun = {
                key: (place, before[key][1] if before.get(key, ("",))[0] == place else now)
                for key, place in found.items()
                if key in self._given
            }

    def _give_up_all(self) -> None:
        with self._lock:
            left = list(self._given.values())
            self._given.clear()
        for each in left:
            settle(each.ours, error=self._gone())


def _as_lost(error: Exception) -> Exception:
    """Return an error of Dask's in our words, and any other as it is."""
    if type(error).__name__ == "KilledWorker":
        times = int(getattr(error, "allowed_failures", 2)) + 1
        return JobLost(f"{times} workers ended unexpectedly, one after the other, with it", times)
    return error
