"""What has jobs done, wherever that is: one interface for this machine and for others.

A job is handed over and a future comes back, in the manner of `concurrent.futures`; only `cancel` means more
here: a job that is cancelled is not done any more, even if it has begun.
"""

from concurrent.futures import Future
from typing import Final, NamedTuple, Protocol, TypeAlias

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.text.errors import GnomonError

#: Done with the answer; raises `JobLost` where no process came to the end with it.
FutureAnswer: TypeAlias = "Future[JobAnswer]"


class JobLost(GnomonError):
    """The process of a job, or its machine, has gone before it gave an answer; the message says how.

    It was tried so many times by then.
    """

    def __init__(self, message: str, tries: int = 1) -> None:
        """Say how, and how often."""
        super().__init__(message)
        self.tries: Final = tries

    def __reduce__(self) -> tuple[type["JobLost"], tuple[str, int]]:
        """Be the same when it comes from another process."""
        return JobLost, (str(self), self.tries)


class JobUnderWay(NamedTuple):
    """A job that has begun: where, and how many seconds ago."""

    job: CampaignJob
    place: str
    seconds: float


class JobExecutor(Protocol):
    """Has jobs done in processes that are there for nothing else."""

    @property
    def at_once(self) -> int:
        """How many jobs can be under way at once, as far as that is known now."""

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done; to cancel the future ends it, whatever it is doing."""

    def under_way(self) -> list[JobUnderWay]:
        """Return the jobs that have begun and not ended, as far as that is known."""

    def close(self) -> None:
        """End all that is under way, and take no more; when this returns, no process is left."""
