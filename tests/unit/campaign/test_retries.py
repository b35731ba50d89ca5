"""Jobs that are lost are tried again, three times at most; then the answer says why there is none."""

from collections.abc import Iterator

import pytest

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobLost, JobUnderWay
from gnomon.campaign.futures import EndedWhenCancelled
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.retries import Retrying
from gnomon.campaign.worker import answer
from gnomon.checking.supervise import work_here
from tests.unit.campaign.jobs import small


class Scripted:
    """An executor that comes to what it was told to, one after the other."""

    at_once = 1

    def __init__(self, *outcomes: JobAnswer | BaseException | None) -> None:
        self._outcomes: Iterator[JobAnswer | BaseException | None] = iter(outcomes)
        self.asked: list[FutureAnswer] = []

    def submit(self, job: CampaignJob) -> FutureAnswer:
        outcome = next(self._outcomes)
        future: EndedWhenCancelled[JobAnswer] = EndedWhenCancelled(lambda _: None)
        self.asked.append(future)
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        elif outcome is not None:
            future.set_result(outcome)
        return future

    def under_way(self) -> list[JobUnderWay]:
        return []

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def found() -> JobAnswer:
    with work_here():
        return answer(small())


def test_what_was_lost_twice_is_found_the_third_time(found: JobAnswer) -> None:
    executor = Scripted(JobLost("gone"), JobLost("gone"), found)

    assert found == Retrying(executor).submit(small()).result()
    assert 3 == len(executor.asked)


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ([JobLost("gone")] * 3, "gone (3 times)"),
        ([JobLost("a"), JobLost("b"), JobLost("a")], "a; then b"),
        ([JobLost("all workers died", tries=4)], "all workers died"),
    ],
)
def test_three_strikes_are_an_answer_with_the_reason(outcomes: list[JobLost], reason: str) -> None:
    given_up = Retrying(Scripted(*outcomes)).submit(small()).result()

    assert ("lost", reason) == (given_up.standing, given_up.reason)
    assert small().key == given_up.key


def test_a_fault_is_no_strike() -> None:
    executor = Scripted(KeyError("odd"))

    with pytest.raises(KeyError):
        Retrying(executor).submit(small()).result()
    assert 1 == len(executor.asked)


def test_to_cancel_it_cancels_the_attempt_and_the_other_way_round() -> None:
    executor = Scripted(None, None)
    retrying = Retrying(executor)
    first, second = retrying.submit(small()), retrying.submit(small(2))
    first.cancel()
    executor.asked[1].cancel()

    assert executor.asked[0].cancelled()
    assert second.cancelled()


def test_an_error_of_another_process_is_the_same_here() -> None:
    import pickle

    there = pickle.loads(pickle.dumps(JobLost("gone", 2)))

    assert ("gone", 2) == (str(there), there.tries)
