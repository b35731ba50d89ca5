"""A race of several ways to one answer: whoever is certain first counts, and nobody is left behind."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

import gnomon
from gnomon.certificate.document import read
from gnomon.checking.check import _Joining
from gnomon.checking.consistency import Disagreement
from gnomon.checking.decider import Task
from gnomon.checking.load import load_text
from gnomon.checking.options import Options
from gnomon.checking.process.child import Job
from gnomon.checking.proof_check import check_proofs
from gnomon.checking.proofs import Proved
from gnomon.checking.race import Race
from gnomon.checking.supervise import Crew, Ended, supervise, work_here
from gnomon.checking.told import Findings, Heard, Limits, Progress
from gnomon.checking.verdict import SanityCheck, Value, Verdict
from gnomon.model.budget import Budget, memory_in_use
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source
from tests.unit.checking.jobs import busy, count, greedy
from tests.unit.checking.test_process import COUNTER, gone_soon, is_alive
from tests.unit.results.samples import MODEL

VERDICT = Verdict(1, "AG p", "AG p", Value.TRUE, "bdd", 0.0)


class FakeWorker:
    """Somebody at work, as a race sees it."""

    def __init__(self, hear: Callable[[Any], None]) -> None:
        self.tell = hear
        self.ended: Ended | None = None
        self.was_ended = False

    def end(self, reason: str = "") -> None:
        self.was_ended = self.was_ended or self.ended is None
        self.ended = self.ended or Ended(reason)

    def is_done(self) -> None:
        self.ended = Ended()


class FakeCrew:
    """A crew in which nothing happens by itself."""

    def __init__(self) -> None:
        self.workers: list[FakeWorker] = []
        self.jobs: list[Job] = []

    def start(self, job: Job, hear: Callable[[Any], None]) -> FakeWorker:
        self.jobs.append(job)
        self.workers.append(FakeWorker(hear))
        return self.workers[-1]

    @property
    def leader(self) -> FakeWorker:
        return self.workers[0]

    @property
    def busy(self) -> list[FakeWorker]:
        return [worker for worker in self.workers if worker.ended is None]


class Course:
    """A race with a leader and with whoever is registered, for so many formulae."""

    def __init__(self, formulae: int = 2, told: tuple[object, ...] = (), **options: Any) -> None:
        loaded = load_text(MODEL)
        assert loaded.system is not None
        chosen = replace(Options(race=True), **options)
        asked = tuple(enumerate([loaded.system.specifications[0]] * formulae, 1))
        budget = Budget()
        task = Task(loaded.system, asked, chosen, Limits.of(budget), Source("m", ""))
        self.published: list[int] = []
        self.heard = Heard(
            Findings("bdd"), None, lambda verdict: self.published.append(verdict.index)
        )
        for message in told:
            self.heard.hear(cast("Any", message))
        self.crew = FakeCrew()
        self.crew.start(lambda _: None, lambda _: None)
        self.race = Race(task, self.heard, cast("Crew", self.crew))
        self.crew.leader.tell = self.race.hear
        self.look()

    def look(self) -> Ended | None:
        return self.race.look(cast("Crew", self.crew))

    @property
    def leader(self) -> FakeWorker:
        return self.crew.workers[0]

    @property
    def other(self) -> FakeWorker:
        return self.crew.workers[1]


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.race.usable_cores", lambda: 2)


def verdict(number: int, value: Value = Value.TRUE, **more: Any) -> Verdict:
    return replace(VERDICT, index=number, value=value, **more)


def proved(number: int, *, listed: bool = False, by: str = "", proof: bool = True) -> Proved:
    entry = {"index": number, "proof": {"by": by} if proof else None, "reason": "" if proof else by}
    space = {"of": by} if listed else None
    return Proved(entry, listed, space, ({"of": by},) if listed else ())


# Who counts


def test_a_certain_verdict_counts_as_soon_as_anybody_tells_it() -> None:
    course = Course()
    course.other.tell(verdict(2, engine="explicit"))

    assert [2] == course.published
    assert course.look() is None


def test_a_verdict_that_is_told_twice_counts_once() -> None:
    course = Course()
    course.other.tell(verdict(2, engine="explicit"))
    course.leader.tell(verdict(2, engine="bdd"))

    assert ["explicit"] == [each.engine for each in course.heard.verdicts]


def test_a_verdict_that_is_not_certain_waits_for_the_others() -> None:
    course = Course(1)
    course.leader.tell(verdict(1, Value.UNKNOWN, reason="too large"))
    course.leader.is_done()

    assert course.look() is None
    assert [] == course.published

    course.other.tell(verdict(1, Value.FALSE))

    assert [Value.FALSE] == [each.value for each in course.heard.verdicts]


def test_where_nobody_is_certain_the_leader_has_the_last_word() -> None:
    course = Course(1, engine="bdd", order="near", diagrams="auto")
    course.other.tell(verdict(1, Value.UNKNOWN, reason="the other's"))
    course.leader.tell(verdict(1, Value.UNKNOWN, reason="the leader's"))
    course.leader.is_done()
    course.other.is_done()
    ended = course.look()
    assert ended is not None
    course.race.close(ended)

    assert ["the leader's"] == [each.reason for each in course.heard.verdicts]


def test_what_the_leader_said_before_anybody_joined_stands() -> None:
    told = (verdict(1), verdict(2, Value.UNKNOWN, reason="given up"))
    course = Course(3, told)
    course.other.tell(verdict(3))
    course.race.close(Ended())

    assert [1, 2, 3] == course.published
    assert [3] == [number for number, _ in course.crew.jobs[1].args[0].asked]  # type: ignore[attr-defined]


def test_progress_is_that_of_who_is_there_for_longest() -> None:
    said: list[str] = []
    course = Course()
    course.heard._report = lambda task, *_: said.append(task)
    course.other.tell(Progress("the other's", "", 0, ""))
    course.leader.tell(Progress("the leader's", "", 0, ""))
    course.leader.is_done()
    course.other.tell(Progress("the other's", "", 0, ""))

    assert ["the leader's", "the other's"] == said


# Who is ended


def test_when_all_is_decided_those_who_have_more_to_do_are_ended() -> None:
    course = Course()
    course.leader.tell(verdict(1))
    course.other.tell(verdict(1))
    course.other.tell(verdict(2))

    assert course.look() is None
    assert course.leader.was_ended
    assert not course.other.was_ended  # it has said all, and ends by itself

    course.other.is_done()

    assert Ended() == course.look()


def test_whoever_gives_up_makes_room_for_the_next() -> None:
    course = Course()
    before = len(course.crew.workers)
    course.other.tell(verdict(1, Value.UNKNOWN, reason="too large"))
    course.other.is_done()
    course.look()

    assert 2 == before
    assert 3 == len(course.crew.workers)


def test_where_formulae_are_limited_nobody_goes_on_longer_than_the_leader() -> None:
    course = Course(1, formula_timeout=1.0)
    course.leader.tell(verdict(1, Value.UNKNOWN, reason="the time limit"))
    course.leader.is_done()

    assert Ended() == course.look()


def test_questions_about_the_model_itself_are_raced_for_as_well() -> None:
    course = Course(1, check_deadlock=True, check_overflow=True)
    deadlock = SanityCheck("deadlock", Value.TRUE, 0.0)
    overflow = SanityCheck("overflow", Value.FALSE, 0.0)
    course.leader.tell(verdict(1))
    course.leader.tell(Findings("bdd", checks=(deadlock,)))

    assert course.look() is None

    course.other.tell(Findings("explicit", checks=(overflow,)))
    course.look()
    course.race.close(Ended())

    assert (deadlock, overflow) == course.heard.findings.checks


# Whether they agree


def test_two_who_disagree_about_a_formula_are_a_bug_with_both_opinions() -> None:
    course = Course()
    course.leader.tell(verdict(1))

    with pytest.raises(Disagreement, match="true by auto and false by explicit") as caught:
        course.other.tell(verdict(1, Value.FALSE))

    assert ["auto", "explicit"] == [each.who for each in caught.value.opinions]


def test_two_who_count_different_numbers_of_states_are_a_bug() -> None:
    course = Course()
    course.leader.tell(Findings("bdd", states=5))

    with pytest.raises(Disagreement, match="5 by auto, 6 by explicit"):
        course.other.tell(Findings("explicit", states=6))


def test_cells_are_no_states() -> None:
    course = Course()
    course.leader.tell(Findings("abstraction", states=5))
    course.other.tell(Findings("explicit", states=6))


def test_two_who_disagree_about_a_deadlock_are_a_bug() -> None:
    course = Course(check_deadlock=True)
    course.leader.tell(Findings("bdd", checks=(SanityCheck("deadlock", Value.TRUE, 0.0),)))

    with pytest.raises(Disagreement, match="deadlock"):
        course.other.tell(Findings("explicit", checks=(SanityCheck("deadlock", Value.FALSE, 0.0),)))


# What is put together


def test_what_is_told_of_the_model_comes_from_who_decided_most() -> None:
    course = Course(3, account=True)
    course.leader.tell(Findings("bdd", account=(("order", "structure"),)))
    course.other.tell(Findings("explicit", states=7, account=(("states", "7"),)))
    course.leader.tell(verdict(1))
    course.other.tell(verdict(2))
    course.other.tell(verdict(3))
    course.look()
    course.race.close(Ended())

    assert "explicit" == course.heard.findings.engine
    assert (
        ("states", "7"),
        ("race", "auto decided 1 of 3; explicit decided 2 of 3"),
    ) == course.heard.findings.account


def test_who_was_ended_for_its_memory_is_told() -> None:
    course = Course(1, account=True)
    course.other.end("the memory limit of 10 MB was reached")
    course.leader.tell(verdict(1))
    course.race.close(Ended())
    [(name, story)] = course.heard.findings.account

    assert "race" == name
    assert "explicit decided 0 of 1 (the memory limit of 10 MB was reached)" in story


def test_who_gave_up_says_why() -> None:
    course = Course(1, account=True)
    course.other.ended = Ended("", "ZeroDivisionError: planted")
    course.leader.tell(verdict(1))
    course.race.close(Ended())

    assert (
        "explicit decided 0 of 1 (ZeroDivisionError: planted)"
        in course.heard.findings.account[0][1]
    )


def test_who_decided_a_formula_goes_on_until_it_is_proved() -> None:
    course = Course(1, certificate=True)
    course.other.tell(verdict(1))

    assert course.look() is None
    assert not course.other.was_ended

    course.other.tell(proved(1))
    course.look()

    assert course.leader.was_ended
    assert not course.other.was_ended


def test_a_certificate_has_the_list_of_states_that_most_proofs_use() -> None:
    course = Course(4, certificate=True)
    for number in (1, 2):
        course.leader.tell(verdict(number))
        course.leader.tell(proved(number, listed=True, by="leader"))
    course.other.tell(verdict(3))
    course.other.tell(proved(3, listed=True, by="other"))
    course.other.tell(verdict(4))
    course.other.tell(proved(4, by="other"))
    course.look()
    course.race.close(Ended())
    proofs = course.heard.proofs

    assert {"of": "leader"} == proofs.space
    assert [{"of": "leader"}] * 2 == proofs.labels
    assert ["leader", "leader", None, "other"] == [
        (proofs.entries[number]["proof"] or {}).get("by") for number in (1, 2, 3, 4)
    ]
    assert "another list of states" in proofs.entries[3]["reason"]


def test_a_proof_over_another_list_is_replaced_by_one_over_the_list_that_is_kept() -> None:
    course = Course(3, certificate=True)
    course.other.tell(verdict(3))
    course.other.tell(proved(3, listed=True, by="other"))
    for number in (1, 2, 3):
        course.leader.tell(verdict(number))
        course.leader.tell(proved(number, listed=True, by="leader"))
    course.look()
    course.race.close(Ended())

    assert {"by": "leader"} == course.heard.proofs.entries[3]["proof"]


# When it begins


def test_nobody_joins_where_all_processors_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.race._MEASURED", 0.0)
    monkeypatch.setattr("gnomon.checking.race.IdleCores.free", lambda _: 0)
    course = Course(race=None)
    course.look()

    assert [course.leader] == course.crew.workers

    course.leader.is_done()

    assert Ended() == course.look()


def test_others_join_where_a_processor_has_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.checking.race._MEASURED", 0.0)
    monkeypatch.setattr("gnomon.checking.race.IdleCores.free", lambda _: 1)
    course = Course(race=None)

    assert 2 == len(course.crew.workers)
    assert 0 < course.crew.jobs[1].args[1]  # type: ignore[attr-defined]  # it steps back for others


def test_what_the_leader_gives_up_before_anybody_could_join_is_tried_by_others() -> None:
    course = Course(1)
    joining = _Joining(course.race._task, course.heard)
    crew = FakeCrew()
    crew.start(lambda _: None, joining.hear)
    crew.leader.tell(verdict(1, Value.UNKNOWN, reason="too large"))
    crew.leader.is_done()

    assert joining.look(cast("Crew", crew)) is None
    assert [] == course.published
    assert 3 == len(crew.workers)  # the leader makes room for two

    crew.workers[1].tell(verdict(1))

    assert [1] == course.published


def test_a_race_and_paranoia_do_not_go_together() -> None:
    with pytest.raises(InputError):
        Options(race=True, paranoid=True)


def test_a_race_is_wanted_or_not() -> None:
    with pytest.raises(InputError, match="race='yes' is not a choice"):
        Options(race=cast("bool", "yes"))


# In processes

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def joined_by(job: Job, hear: Callable[[Any], None]) -> Callable[[Crew], Ended | None]:
    """Return what lets somebody join at once, and waits for nobody but the leader."""

    def look(crew: Crew) -> Ended | None:
        if len(crew.workers) == 1:
            crew.start(job, hear)
        return crew.leader.ended

    return look


@forks
def test_whoever_joined_is_gone_when_the_answer_is_there() -> None:
    pids: list[int] = []

    def look(crew: Crew) -> Ended | None:
        if len(crew.workers) == 1:
            crew.start(busy, pids.append)
        return crew.leader.ended if pids else None

    assert Ended("", 3) == supervise(partial(count, 3), Budget(), print, look=look)
    assert not is_alive(pids[0])


@forks
@pytest.mark.slow
def test_the_memory_of_all_is_limited_and_the_leader_is_ended_last() -> None:
    pids: list[int] = []
    crews: list[Crew] = []

    def look(crew: Crew) -> Ended | None:
        crews[:] = [crew]
        if len(crew.workers) == 1:
            crew.start(greedy, pids.append)
        return crew.workers[1].ended

    leaders: list[int] = []
    # Both have all that this process has, at first.
    limit = 250 + 2 * round(memory_in_use())
    ended = supervise(busy, Budget(megabytes=limit), leaders.append, look=look)

    assert f"the memory limit of {limit:,} MB was reached" == ended.reason
    assert gone_soon(pids[0])
    assert gone_soon(leaders[0])
    assert crews[0].leader.ended == Ended("")  # it was ended by us, for no limit of its own


@forks
def test_a_race_answers_what_a_check_answers_and_says_who_decided() -> None:
    model = gnomon.load_text(MODEL)
    plain = model.check(race=False)
    raced = model.check(race=True)

    assert [each.holds for each in plain] == [each.holds for each in raced]
    assert {each.engine for each in raced} <= {"bdd", "explicit"}


def test_in_this_very_process_nobody_races_and_all_is_told() -> None:
    with work_here():
        raced = gnomon.load_text(MODEL).check(race=True)

    assert raced
    assert all(each.holds is not None for each in raced)


STUCK = COUNTER.replace("Other : { up, rest };", "x < 3 : { up, rest };")


@forks
@pytest.mark.parametrize("text", [COUNTER, STUCK], ids=["lively", "stuck"])
def test_cells_decide_what_no_list_of_states_can(text: str) -> None:
    raced = gnomon.load_text(text).check(
        "AG !negative", race=True, check_overflow=True, max_states=100
    )

    assert [True] == [each.holds for each in raced]
    assert ["abstraction" if text == COUNTER else "explicit"] == [each.engine for each in raced]


@forks
def test_a_certificate_of_a_race_is_accepted() -> None:
    loaded = load_text(MODEL)
    assert loaded.system is not None
    own = dict(enumerate(loaded.system.specifications, 1))
    raced = gnomon.load_text(MODEL).check(race=True, certificate=True)
    with work_here():
        outcomes, _ = check_proofs(
            loaded.system, read(raced.certificate), lambda claim: own[claim.index], Budget()
        )

    assert all(outcome.accepted for outcome in outcomes)


def test_nothing_to_race_with_is_loaded_before_others_may_join() -> None:
    probe = """
import sys, gnomon
import gnomon.checking.check
gnomon.checking.check._ALONE = 1e9
from tests.unit.results.samples import MODEL
gnomon.load_text(MODEL).check()
print([name for name in sys.modules if name.endswith((".race", ".racers", ".hints", ".cores"))])
"""
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
