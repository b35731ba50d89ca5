"""What happens on the machines of a cluster: a task of Dask's supervises the process of one job.

Dask cannot stop a task that has begun, and need not: the task itself looks many times a second whether it is
still wanted, and ends the process of the job where it is not. The process ends, too, when the worker does.
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from gnomon.campaign.executor import JobLost
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import unpacked
from gnomon.campaign.worker import in_a_process, room_for_each
from gnomon.checking.pool import Pool
from gnomon.version import __version__

#: So often a task looks whether it is still wanted.
_LOOK: Final = 0.05
_ENDING: Final = frozenset(("closing", "closed", "failed"))


def version_there() -> str:
    """Return which version of Gnomon a worker has."""
    return __version__


def answer_there(job: str, version: str, seed: int) -> str:
    """Answer a job on this machine, in a process of its own; both are JSON.

    Raises `JobLost` where there is no answer, and where this is not the version that asks.
    """
    worker = import_module("distributed").get_worker()
    if version != __version__:
        msg = f"the worker at {worker.address} has gnomon {__version__}, and not {version}"
        raise JobLost(msg)
    # The process that all others are forked from has it from here; the first campaign of a worker decides.
    if not _Seed.is_set:
        os.environ["PYTHONHASHSEED"], _Seed.is_set = str(seed), True
    asked = CampaignJob.from_data(unpacked(job))
    return _supervised(asked, _room(worker), _is_wanted(worker), str(worker.address))


class _Seed:
    is_set = False


def _room(worker: Any) -> float | None:
    """Return the megabytes for each job: what Dask allows the worker, shared by what it does at once."""
    limit = worker.memory_manager.memory_limit
    return room_for_each(worker.state.nthreads, None if limit is None else limit / 2**20)


def _is_wanted(worker: Any) -> Callable[[], bool]:
    """Return what tells whether the task that asks is to go on."""
    task = worker.state.tasks[worker.get_current_task()]
    return lambda: task.state == "executing" and worker.status.name not in _ENDING


def _supervised(
    job: CampaignJob, room: float | None, is_wanted: Callable[[], bool], place: str
) -> str:
    with Pool(1) as pool:
        pool.add(*in_a_process(job, room))
        try:
            pool.start()
        except OSError as error:
            msg = f"the worker at {place} could not start a process: {error}"
            raise JobLost(msg) from None
        while is_wanted():
            for ended in pool.wait(_LOOK):
                if ended.error is not None:
                    raise ended.error
                if ended.value is None:
                    msg = f"at {place}, {ended.reason}"
                    raise JobLost(msg)
                answer: str = ended.value
                return answer
    msg = f"the worker at {place} was told to stop it"
    raise JobLost(msg)
