"""Jobs that no process came to the end with are tried again, elsewhere where that is possible.

The job need not be to blame: a machine may have been switched off, or its memory taken by others. One that
has been lost three times most likely is.
"""

from collections.abc import Callable
from typing import Final

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobExecutor, JobLost, JobUnderWay
from gnomon.campaign.futures import EndedWhenCancelled, give_up, settle
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.worker import lost

#: So often a job is tried.
TRIES: Final = 3


class Retrying:
    """An executor whose jobs come to an answer; those that were lost three times, to one that says so."""

    def __init__(self, executor: JobExecutor, tries: int = TRIES) -> None:
        """Have jobs done by another executor, each at most so often."""
        self._executor = executor
        self._tries = tries

    @property
    def at_once(self) -> int:
        """How many jobs can be under way at once, as far as that is known now."""
        return self._executor.at_once

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done; to cancel the future ends it, whatever it is doing."""
        return _Attempts(self._executor.submit, job, self._tries).future

    def under_way(self) -> list[JobUnderWay]:
        """Return the jobs that have begun and not ended, as far as that is known."""
        return self._executor.under_way()

    def close(self) -> None:
        """End all that is under way, and take no more; when this returns, no process is left."""
        self._executor.close()


class _Attempts:
    """One job, from its first attempt to an answer."""

    def __init__(
        self, submit: Callable[[CampaignJob], FutureAnswer], job: CampaignJob, left: int
    ) -> None:
        self._submit, self._job, self._left = submit, job, left
        self._reasons: list[str] = []
        self.future: Final = EndedWhenCancelled(self._end)
        self._begin()

    def _begin(self) -> None:
        self._inner = self._submit(self._job)
        self._inner.add_done_callback(self._ended)

    def _end(self, _: FutureAnswer) -> None:
        self._inner.cancel()

    def _ended(self, inner: FutureAnswer) -> None:
        if inner.cancelled():
            give_up(self.future)
            return
        error = inner.exception()
        if isinstance(error, JobLost):
            self._lost(error)
        else:
            settle(self.future, None if error else inner.result(), error)

    def _lost(self, error: JobLost) -> None:
        self._left -= error.tries
        self._reasons.append(str(error))
        if self._left <= 0:
            settle(self.future, self._given_up())
            return
        if self.future.cancelled():
            return
        try:
            self._begin()
        except Exception as refused:  # noqa: BLE001 - whoever waits hears of it
            settle(self.future, error=refused)
        else:
            if self.future.cancelled():  # in this very moment
                self._inner.cancel()

    def _given_up(self) -> JobAnswer:
        reasons = list(dict.fromkeys(self._reasons))
        times = len(self._reasons)
        often = f" ({times} times)" if times > 1 and len(reasons) == 1 else ""
        return lost(self._job, "; then ".join(reasons) + often)
