"""Jobs on this machine: each has one answer, and whatever is not wanted any more is gone."""

import asyncio
import os
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, as_completed, wait
from pathlib import Path

import pytest

from gnomon.campaign import local
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.checking.question import Question
from gnomon.text.diagnostic import InputError
from tests.unit.campaign.jobs import LIGHT, endless, small
from tests.unit.checking.test_pool import children, descendants, is_working
from tests.unit.results.schemas import validate

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")

ROOT = Path(__file__).parents[3]


def test_every_job_has_its_own_answer() -> None:
    jobs = [small(number) for number in range(1, 13)]
    with LocalPool(3) as pool:
        futures = {pool.submit(job): job for job in jobs}
        answers = {futures[future].key: future.result() for future in as_completed(futures)}

    assert {job.key for job in jobs} == set(answers)
    assert all(key == answer.key for key, answer in answers.items())
    assert {"expected"} == {answer.standing for answer in answers.values()}


def test_an_answer_says_where_it_comes_from() -> None:
    with LocalPool(1) as pool:
        answer = pool.submit(small()).result()
    provenance = answer.provenance

    assert provenance.version
    assert provenance.machine
    assert provenance.cpu > 0
    assert provenance.memory > 1
    assert 0 == provenance.seed


def test_a_question_that_cannot_be_asked_is_an_answer() -> None:
    job = CampaignJob(Question("Agent", "half"))
    with LocalPool(1) as pool:
        answer = pool.submit(job).result()

    assert "refused" == answer.standing
    assert answer.result["diagnostics"]


def test_jobs_and_answers_have_the_published_shape() -> None:
    import json

    job = small(evidence=True, certificate=True)
    with LocalPool(1) as pool:
        answer = pool.submit(job).result()

    assert job == CampaignJob.from_data(validate("job", json.dumps(job.to_data())))
    assert answer == answer.from_data(validate("answer", json.dumps(answer.to_data())))


def test_a_job_that_reaches_its_time_is_open_and_says_so() -> None:
    with LocalPool(1) as pool:
        answer = pool.submit(endless(timeout=0.5)).result()

    assert "open" == answer.standing
    assert "time limit of 0.5 s" in str(answer.formulae[0]["reason"])


def test_what_is_cancelled_is_gone_and_the_next_begins() -> None:
    with LocalPool(1) as pool:
        unwanted = pool.submit(endless())
        wanted = pool.submit(small())
        while not pool.under_way():
            time.sleep(0.01)

        assert unwanted.cancel()
        assert "expected" == wanted.result().standing
        assert {unwanted} == wait([unwanted], return_when=FIRST_COMPLETED).done
        assert not pool.under_way()


def test_closing_the_pool_leaves_nobody_behind() -> None:
    with LocalPool(2) as pool:
        futures = [pool.submit(endless()) for _ in range(3)]
        while len(pool.under_way()) < 2:
            time.sleep(0.01)

    assert all(future.cancelled() for future in futures)
    assert not children()


def test_an_answer_can_be_awaited_and_the_wait_can_be_cancelled() -> None:
    async def both() -> str:
        with LocalPool(2) as pool:
            unwanted = asyncio.wrap_future(pool.submit(endless()))
            answer = await asyncio.wrap_future(pool.submit(small()))
            unwanted.cancel()
            with pytest.raises(asyncio.CancelledError):
                await unwanted
            for _ in range(500):  # the pool hears of it when the loop comes round
                if not pool.under_way():
                    break
                await asyncio.sleep(0.01)
            assert not pool.under_way()
            return answer.standing

    assert "expected" == asyncio.run(both())


def test_whoever_hears_an_answer_may_end_the_others() -> None:
    with LocalPool(2) as pool:
        unwanted = pool.submit(endless())
        wanted = pool.submit(small())
        wanted.add_done_callback(lambda _: unwanted.cancel())

        assert "expected" == wanted.result().standing
        assert {unwanted} == wait([unwanted]).done
        assert unwanted.cancelled()


def test_a_job_that_needs_too_much_memory_is_open_and_harms_nobody() -> None:
    with LocalPool(2) as pool:
        greedy = pool.submit(endless(memory=1))
        others = [pool.submit(small(number)) for number in range(1, 5)]
        answer = greedy.result()

        assert {"expected"} == {other.result().standing for other in others}
        assert "open" == answer.standing
        assert "the memory limit of 1 MB was reached" in str(answer.result["diagnostics"])


def test_when_the_parent_is_killed_its_jobs_end() -> None:
    code = (
        "import time\n"
        "from gnomon.campaign.local import LocalPool\n"
        "from tests.unit.campaign.jobs import endless\n"
        "pool = LocalPool(2)\n"
        "futures = [pool.submit(endless()) for _ in range(3)]\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    begun: set[int] = set()
    try:
        while len(begun) < 5:  # the prepared process, and two for each job
            time.sleep(0.01)
            begun = descendants(parent.pid)
    finally:
        parent.kill()
        parent.wait()

    assert not still_there(begun)


def still_there(processes: set[int]) -> set[int]:
    """Return those that do not end within seconds."""
    for _ in range(300):
        if not any(map(is_working, processes)):
            break
        time.sleep(0.01)
    return set(filter(is_working, processes))


def test_a_job_that_cannot_be_sent_is_refused_and_the_others_are_done() -> None:
    from gnomon.api.models import load_text

    built = CampaignJob(Question("", "built", system=load_text(LIGHT).system))
    with LocalPool(1) as pool:
        with pytest.raises(InputError):
            pool.submit(built)

        assert "expected" == pool.submit(small()).result().standing


def test_a_process_that_is_forked_has_no_pool() -> None:
    with LocalPool(1) as pool:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                pool.submit(small())
            except RuntimeError:
                status = 0
            finally:
                os._exit(status)

        assert 0 == os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert "expected" == pool.submit(small()).result().standing


def test_where_an_answer_cannot_be_read_nobody_waits_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(local, "unpacked", broken)
    with LocalPool(1) as pool:
        futures = [pool.submit(small(number)) for number in (1, 2)]

        assert not wait(futures, timeout=60).not_done
        assert ["KeyError"] * 2 == [type(future.exception()).__name__ for future in futures]
