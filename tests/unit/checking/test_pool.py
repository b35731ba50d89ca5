"""Many jobs at once: each is done or accounted for, and none is left behind."""

import os
import signal
import time
from collections.abc import Sequence
from functools import partial

import pytest

from gnomon.checking.pool import Finished, Pool
from gnomon.checking.process.child import Job
from gnomon.model.budget import memory_in_use
from tests.unit.checking.jobs import busy, count, dying, failing, stopping

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def done(jobs: Sequence[Job], at_once: int, seconds: float | None = None) -> list[Finished]:
    """Return what all jobs come to, by their numbers."""
    with Pool(at_once) as pool:
        for job in jobs:
            pool.add(job, seconds)
        return sorted(pool.finished(lambda _: None), key=lambda each: each.number)


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_every_job_is_done_once(at_once: int) -> None:
    jobs = [partial(count, number) for number in range(12)]

    assert [Finished(number, number) for number in range(12)] == done(jobs, at_once)


def test_no_more_are_under_way_than_allowed() -> None:
    seen: list[tuple[int, ...]] = []
    with Pool(3) as pool:
        given = [pool.add(partial(count, 5)) for _ in range(7)]
        ended = [each.number for each in pool.finished(seen.append)]

    assert set(given) == set(ended)
    assert 3 == max(len(under_way) for under_way in seen)


def test_no_jobs_are_done_at_once() -> None:
    assert [] == done([], 4)


def test_one_that_dies_does_not_take_the_others_with_it() -> None:
    jobs: list[Job] = [partial(count, 1), partial(dying, signal.SIGKILL), partial(count, 2)]
    first, second, third = done(jobs, 2)

    assert (1, 2) == (first.value, third.value)
    assert second.value is None
    assert "was killed" in second.reason


def test_one_that_does_not_end_is_ended() -> None:
    jobs: list[Job] = [busy, partial(count, 2)]
    first, second = done(jobs, 1, 2)

    assert "did not end after 2 s" in first.reason
    assert 2 == second.value


def test_what_a_job_raises_is_raised_and_the_others_are_ended() -> None:
    with pytest.raises(KeyError, match="odd"):
        done([busy, partial(failing, KeyError("odd"))], 2)

    assert not children()


def test_who_leaves_early_leaves_nobody_behind() -> None:
    with Pool(3) as pool:
        for job in (partial(count, 1), busy, busy):
            pool.add(job)
        next(pool.finished(lambda _: None))
        assert children()

    assert not children()


def test_one_that_is_not_wanted_any_more_is_ended_and_the_next_begins() -> None:
    with Pool(1) as pool:
        unwanted = pool.add(busy)
        never_begun = pool.add(busy)
        wanted = pool.add(partial(count, 3))
        pool.start()
        pool.end(unwanted)
        pool.end(never_begun)

        assert [Finished(wanted, 3)] == list(pool.finished(lambda _: None))


def children() -> set[int]:
    """Return the processes that work for this one, those of earlier tests given a moment to end."""
    working: set[int] = set()
    for _ in range(100):
        found = descendants(os.getpid())
        working = {pid for pid in found if parent(pid) in found and is_working(pid)}
        if not working:
            break
        time.sleep(0.01)
    return working


def descendants(pid: int) -> set[int]:
    """Return the children of a process, their children, and so on."""
    parents = {int(name): parent(int(name)) for name in os.listdir("/proc") if name.isdigit()}
    found: set[int] = set()
    level = {pid}
    while level:
        level = {each for each, above in parents.items() if above in level}
        found |= level
    return found


def parent(pid: int | None) -> int | None:
    """Return whose child a process is; None where it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def is_working(pid: int) -> bool:
    """Return whether a process is there and has not ended."""
    return memory_in_use(pid) > 0


@pytest.mark.parametrize("who", ["itself", "the prepared process"])
def test_whoever_somebody_has_stopped_is_ended_when_the_time_is_over(who: str) -> None:
    with Pool(1) as pool:
        stopped = pool.add(partial(stopping, who), 1.0)
        other = pool.add(partial(count, 2))
        ended = {each.number: each for each in pool.finished(lambda _: None)}

    assert "did not end after 1 s" in ended[stopped].reason
    assert 2 == ended[other].value
    assert not children()
