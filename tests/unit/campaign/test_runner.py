"""Runs: what the store has is not asked again, and whatever ends a run, all that was answered is kept."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobLost, JobUnderWay
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.runner import Listener, RunProgress, new_run, run_jobs
from gnomon.campaign.store import Store
from gnomon.campaign.view import view_of_plan, views_of_store
from gnomon.campaign.worker import answer, lost
from tests.unit.campaign.jobs import small

Does = Callable[[CampaignJob], JobAnswer]


class Scripted:
    """Has jobs done at once by a function, and remembers which were asked."""

    at_once = 2

    def __init__(self, does: Does) -> None:
        self._does = does
        self.asked: list[CampaignJob] = []
        self.waiting: list[FutureAnswer] = []

    def submit(self, job: CampaignJob) -> FutureAnswer:
        self.asked.append(job)
        future: FutureAnswer = Future()
        try:
            future.set_result(self._does(job))
        except TimeoutError:
            self.waiting.append(future)
        except Exception as error:  # noqa: BLE001 - it is what the job comes to
            future.set_exception(error)
        return future

    def under_way(self) -> list[JobUnderWay]:
        return [JobUnderWay(job, "there", 1.0) for job in self.asked[-1:]]

    def close(self) -> None:
        pass


JOBS = [small(number) for number in range(1, 6)]
ANSWERS = {job.key: answer(job) for job in JOBS}


def known(job: CampaignJob) -> JobAnswer:
    return ANSWERS[job.key]


def run(
    store: Store,
    does: Does = known,
    jobs: Sequence[CampaignJob] = JOBS,
    listen: Listener = lambda *_: None,
    **options: bool,
) -> tuple[RunProgress, list[CampaignJob]]:
    """Run jobs, and return how that went and which were asked."""
    executor = Scripted(does)
    progress = run_jobs(jobs, store, executor, new_run("gnomon …", "test", 5), listen, **options)
    return progress, executor.asked


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return an empty store."""
    with Store(tmp_path / "test.store") as made:
        yield made


def test_all_jobs_have_their_answers_in_the_store(store: Store) -> None:
    progress, asked = run(store)

    assert JOBS == asked
    assert Counter(expected=5) == progress.answered
    assert ANSWERS == {job.key: store.get(job.key) for job in JOBS}


def test_what_the_store_has_is_not_asked_again(store: Store) -> None:
    run(store, jobs=JOBS[1:3])
    progress, asked = run(store)

    assert [JOBS[0], *JOBS[3:]] == asked
    assert (2, 3) == (progress.before.total(), progress.now.total())
    assert [] == run(store)[1]


def test_an_answer_is_in_the_store_when_somebody_hears_of_it(store: Store) -> None:
    found = []

    def listen(_: RunProgress, given: JobAnswer | None, job: CampaignJob | None) -> None:
        if given is not None and job is not None:
            found.append(given == store.get(job.key))

    run(store, listen=listen)

    assert [True] * 5 == found


def test_what_is_open_or_lost_is_asked_again_only_where_that_is_wanted(store: Store) -> None:
    first, second, third, *_ = JOBS
    store.add(first, lost(first, "gone"))
    store.add(second, JobAnswer(second.key, "open", {"formulae": []}, known(second).provenance))
    store.add(third, known(third))

    assert JOBS[3:] == run(store)[1]
    assert [first, second] == run(store, retry=True)[1]
    assert {"expected"} == set(store.standings().values())


def test_an_open_answer_stays_until_there_is_a_better_one(store: Store) -> None:
    job = JOBS[0]
    before = JobAnswer(job.key, "open", {"formulae": []}, known(job).provenance)
    store.add(job, before)
    run(store, lambda job: lost(job, "gone"), [job], retry=True)

    assert before == store.get(job.key)


def test_a_job_that_is_lost_once_is_tried_again(store: Store) -> None:
    strikes = Counter({JOBS[1].key: 2, JOBS[2].key: 1})

    def does(job: CampaignJob) -> JobAnswer:
        strikes[job.key] -= 1
        if strikes[job.key] >= 0:
            raise JobLost("its machine is gone")
        return known(job)

    progress, asked = run(store, does)

    assert Counter(expected=5) == progress.answered
    assert 8 == len(asked)


def test_three_strikes_make_a_job_lost_and_the_others_go_on(store: Store) -> None:
    def does(job: CampaignJob) -> JobAnswer:
        if job == JOBS[1]:
            raise JobLost("its machine is gone")
        return known(job)

    progress, asked = run(store, does)
    given = store.get(JOBS[1].key)

    assert Counter(expected=4, lost=1) == progress.answered
    assert 3 == asked.count(JOBS[1])
    assert given is not None
    assert "its machine is gone (3 times)" == given.reason
    assert 0 == progress.faults


def test_a_fault_of_ours_costs_one_job_and_is_counted(store: Store) -> None:
    def does(job: CampaignJob) -> JobAnswer:
        if job == JOBS[1]:
            raise KeyError("surprise")
        return known(job)

    progress, asked = run(store, does)
    given = store.get(JOBS[1].key)

    assert (1, 5) == (progress.faults, len(asked))
    assert given is not None
    assert "KeyError" in given.reason


@pytest.mark.parametrize("ending", [KeyboardInterrupt, MemoryError])
def test_whatever_ends_a_run_what_was_answered_is_kept(
    store: Store, ending: type[BaseException]
) -> None:
    executor = Scripted(lambda job: known(job) if job in JOBS[:2] else _never())

    def listen(progress: RunProgress, given: JobAnswer | None, _: CampaignJob | None) -> None:
        if given is None and progress.now:
            raise ending

    with pytest.raises(ending):
        run_jobs(JOBS, store, executor, new_run("gnomon …", "test", 5), listen)
    assert {job.key for job in JOBS[:2]} == set(store.standings())
    assert all(future.cancelled() for future in executor.waiting)
    assert store.runs()[0].ended is not None
    assert JOBS[2:] == run(store)[1]


def _never() -> JobAnswer:
    raise TimeoutError


def test_a_full_disk_ends_the_run_and_what_is_there_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "test.store") as store:
        run(store, jobs=JOBS[:2])
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        many = [small(number, evidence=True) for number in range(10, 40)]

        with pytest.raises(BaseException, match="full"):
            run(store, answer, many)
    with closing(sqlite3.connect(tmp_path / "test.store")) as tables, tables:
        assert ("ok",) == tables.execute("PRAGMA integrity_check").fetchone()
    with Store(tmp_path / "test.store") as store:
        assert {job.key for job in JOBS[:2]} <= set(store.standings())


def test_no_more_jobs_are_handed_over_than_can_soon_begin(store: Store) -> None:
    executor = Scripted(lambda _: _never())

    def listen(*_: object) -> None:
        if len(executor.asked) >= 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_jobs(
            [small(number) for number in range(1, 50)],
            store,
            executor,
            new_run("gnomon …", "test", 5),
            listen,
        )
    assert 12 == len(executor.asked)


def test_others_see_in_the_store_how_far_a_run_is(store: Store) -> None:
    seen = []

    def listen(progress: RunProgress, given: JobAnswer | None, _: CampaignJob | None) -> None:
        if given is None and progress.now:
            seen.append(view_of_plan("test", JOBS, store))
            seen.extend(views_of_store(store))
            raise KeyboardInterrupt

    executor = Scripted(lambda job: known(job) if job in JOBS[:2] else _never())
    with pytest.raises(KeyboardInterrupt):
        run_jobs(JOBS, store, executor, new_run("gnomon …", "test", 5), listen)
    after = view_of_plan("test", JOBS, store)

    assert [(5, 2, 3)] * 2 == [(view.jobs, view.done, view.left) for view in seen]
    assert ["light 5"] * 2 == [view.under_way[0].label for view in seen]
    assert [1, 1] == [len(view.running) for view in seen]
    assert (0, ()) == (len(after.running), after.under_way)
    assert after.last is not None
