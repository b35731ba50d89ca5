"""How far a campaign is, seen from the run itself or from another terminal by what the store has."""

import os
import platform
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.labels import label_of
from gnomon.campaign.runner import RunProgress
from gnomon.campaign.store import Store
from gnomon.campaign.stored import CampaignRun, StoredJob

#: A run is heard of every second; after so many more it is gone, or its machine is; sooner where its process
#: is not there any more.
_SILENCE: Final = 15.0
_NO_PROCESS: Final = 3.0


class WorkUnderWay(NamedTuple):
    """A job that has begun, by what it is called."""

    label: str
    place: str
    seconds: float


class JobStanding(NamedTuple):
    """A job whose answer is not as it should be, by what it is called."""

    label: str
    standing: str


@dataclass(frozen=True)
class CampaignView:
    """What can be seen of a campaign at one moment."""

    name: str
    jobs: int
    #: How many have an answer, by its standing.
    answered: Mapping[str, int]
    #: Jobs a second, None where none has ended yet, or none is under way.
    rate: float | None = None
    under_way: tuple[WorkUnderWay, ...] = ()
    #: The runs that go on, and the last one where none does.
    running: tuple[CampaignRun, ...] = ()
    last: CampaignRun | None = None
    failed: tuple[JobStanding, ...] = ()

    @property
    def done(self) -> int:
        """How many have an answer."""
        return sum(self.answered.values())

    @property
    def left(self) -> int:
        """How many have none."""
        return max(self.jobs - self.done, 0)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take if it goes on like this."""
        return self.left / self.rate if self.rate else None


def view_of_run(name: str, progress: RunProgress) -> CampaignView:
    """Return what a run itself sees."""
    done, seconds = progress.now.total(), progress.seconds
    return CampaignView(
        name,
        progress.jobs,
        progress.answered,
        done / seconds if done and seconds else None,
        tuple(
            WorkUnderWay(label_of(each.job), each.place, each.seconds)
            for each in progress.under_way
        ),
    )


def view_of_plan(name: str, jobs: Sequence[CampaignJob], store: Store) -> CampaignView:
    """Return how far the jobs of a plan are, by what a store has."""
    standings = store.standings()
    answered = Counter(standings[job.key] for job in jobs if job.key in standings)
    failed = tuple(
        JobStanding(label_of(job), standings[job.key])
        for job in jobs
        if standings.get(job.key, "expected") != "expected"
    )
    runs = [run for run in store.runs() if run.name == name or run.name.startswith(f"{name} ")]
    return _view(name, len(jobs), answered, runs, store, failed)


def views_of_store(store: Store) -> list[CampaignView]:
    """Return how far each campaign in a store is, by what its runs have answered.

    A store does not know which jobs a run has, but only how many: where models or a plan were changed
    meanwhile, this is a guess, and `view_of_plan` is right.
    """
    views = []
    for name in dict.fromkeys(run.name for run in store.runs()):
        runs = [run for run in store.runs() if run.name == name]
        views.append(_view(name, runs[-1].jobs, _answered(runs, store), runs, store))
    return views


def _answered(runs: Sequence[CampaignRun], store: Store) -> Counter[str]:
    """Return how many answers runs of one campaign have given that belong to what the last one asks."""
    last = runs[-1]
    like_it = {run.id for run in runs if run.version == last.version}
    answered: Counter[str] = Counter()
    for run, standings in store.counted().items():
        if run in like_it:
            answered.update(standings)
    return answered if answered.total() <= last.jobs else _newest(like_it, last, store)


def _newest(runs: Collection[str], last: CampaignRun, store: Store) -> Counter[str]:
    """Return how many of the newest answers there are, of each model to its newest text only.

    Where there are more answers than jobs, the others are to questions that are not asked any more.
    """
    given = [
        stored
        for stored in store.answers(last.version)
        if stored.run is not None and stored.run.id in runs
    ]
    texts = {stored.question.name: stored.question.text for stored in given}
    standings = [
        stored.answer.standing
        for stored in given
        if stored.question.text == texts[stored.question.name]
    ]
    return Counter(standings[max(len(standings) - last.jobs, 0) :])


def _view(
    name: str,
    jobs: int,
    answered: Counter[str],
    runs: Sequence[CampaignRun],
    store: Store,
    failed: tuple[JobStanding, ...] = (),
) -> CampaignView:
    now = time.time()
    running = tuple(run for run in runs if _goes_on(run, now))
    return CampaignView(
        name,
        jobs,
        answered,
        _rate(running, store),
        tuple(_under_way(running, store.under_way(), now)),
        running,
        runs[-1] if runs else None,
        failed,
    )


def _goes_on(run: CampaignRun, now: float) -> bool:
    if run.ended is not None:
        return False
    silent = now - run.seen
    if silent < _NO_PROCESS or run.machine != platform.node():
        return silent < _SILENCE
    try:
        os.kill(run.process, 0)  # only asks
    except ProcessLookupError:
        return False
    except OSError:
        return silent < _SILENCE  # somebody else's
    return True


def _rate(running: Iterable[CampaignRun], store: Store) -> float | None:
    counted = store.counted()
    rates = [
        sum(counted.get(run.id, {}).values()) / max(run.seen - run.started, 0.1) for run in running
    ]
    return sum(rates) or None


def _under_way(
    running: Iterable[CampaignRun], jobs: Iterable[StoredJob], now: float
) -> Iterable[WorkUnderWay]:
    machines = {run.id: run.machine for run in running}
    for each in jobs:
        if each.run in machines:
            place = machines[each.run] if each.place == "here" else each.place
            yield WorkUnderWay(each.name, place, now - each.started)
