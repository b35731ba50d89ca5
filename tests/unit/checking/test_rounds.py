"""Turns by a clock that only goes on when somebody works."""

from collections.abc import Callable

import pytest

from gnomon.checking import rounds
from gnomon.checking.rounds import FIRST, Rounds, Work
from gnomon.model import budget as budgets
from gnomon.model.budget import Budget, FormulaLimit, LimitReached, TryAnother, TurnOver


class Clock:
    """The time, as long as nobody works."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.now - 50


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(budgets, "time", found)
    monkeypatch.setattr(rounds, "time", found)
    return found


class Office:
    """Works that take so many seconds each; what is interrupted begins again from nothing."""

    def __init__(self, clock: Clock, most: float | None = None, **seconds: float) -> None:
        self.clock = clock
        self.budget = Budget(started=clock.now)
        self.rounds = Rounds[Work](self.budget, most)
        self.seconds = seconds
        self.left = [Work(name) for name in seconds]
        self.done: list[str] = []
        self.turns: list[tuple[str, float]] = []
        self.leads_to: dict[str, list[Work]] = {}
        self.wants_another: set[str] = set()

    def work(self, work: Work) -> list[Work]:
        begun = self.clock.now
        try:
            for _ in range(round(10 * self.seconds[work.called])):
                self.clock.now += 0.1
                self.budget.check(work.called)
            if work.called in self.wants_another:
                raise TryAnother(work.called)
        finally:
            self.turns.append((work.called, round(self.clock.now - begun, 1)))
        self.done.append(work.called)
        return self.leads_to.get(work.called, [])

    def run(self) -> None:
        self.rounds.run(self.left, self.work)


def test_what_takes_a_moment_is_done_before_what_takes_for_ever(clock: Clock) -> None:
    office = Office(clock, hard=50, easy=0.1, harder=200, easiest=0)
    office.run()

    assert ["easy", "easiest", "hard", "harder"] == office.done
    assert not office.left


def test_those_in_no_hurry_are_done_in_the_order_in_which_they_were_asked(clock: Clock) -> None:
    office = Office(clock, one=0.3, two=0.1, three=0.4)
    office.run()

    assert ["one", "two", "three"] == office.done
    assert 3 == len(office.turns)


def test_turns_grow_and_what_is_lost_is_less_than_twice_what_it_takes(clock: Clock) -> None:
    office = Office(clock, hard=30, harder=35)
    office.run()
    growing = [seconds for name, seconds in office.turns if name == "hard"]

    assert [0.6, 2.1, 8.1, 30] == growing
    assert clock.now - 100 < 2 * (30 + 35)


def test_whoever_is_alone_is_never_interrupted(clock: Clock) -> None:
    office = Office(clock, hard=1000)
    office.run()

    assert [("hard", 1000)] == office.turns


def test_the_last_one_is_left_alone(clock: Clock) -> None:
    office = Office(clock, hard=1000, easy=0.1)
    office.run()

    assert [("hard", FIRST + 0.1), ("easy", 0.1), ("hard", 1000)] == office.turns


def test_what_work_leads_to_is_done_after_the_round(clock: Clock) -> None:
    office = Office(clock, one=0.1, two=0.1)
    office.leads_to = {"one": [Work("proof")]}
    office.seconds["proof"] = 0.1
    office.run()

    assert ["one", "two", "proof"] == office.done


def test_nobody_takes_more_than_a_formula_may(clock: Clock) -> None:
    office = Office(clock, 3, hard=50, easy=2)
    told: list[str] = []

    def work(work: Work) -> list[Work]:
        try:
            return office.work(work)
        except FormulaLimit as limit:
            told.append(f"{work.called}: {limit}")
            return []

    office.rounds.run(office.left, work)

    assert ["hard: the time limit of 3 s for a formula was reached"] == told
    assert ["easy"] == office.done
    assert 3.3 > sum(seconds for name, seconds in office.turns if name == "hard")


def test_the_limit_of_a_formula_counts_all_its_turns_and_goes_for_one_that_is_alone(
    clock: Clock,
) -> None:
    office = Office(clock, 3, hard=50)
    with pytest.raises(FormulaLimit):
        office.run()

    assert 3.2 > office.turns[0][1]
    assert pytest.approx(3.1) == office.left[0].spent


def test_a_limit_leaves_what_is_not_done_in_the_list(clock: Clock) -> None:
    office = Office(clock, one=0.1, hard=50, two=0.1)
    office.budget.seconds = 5.0
    with pytest.raises(LimitReached, match="5 s"):
        office.run()

    assert ["one", "two"] == office.done
    assert ["hard"] == [work.called for work in office.left]


def test_what_needs_another_way_waits_until_the_others_have_had_their_turn(clock: Clock) -> None:
    office = Office(clock, hard=50, big=0.3, easy=0.1)
    office.wants_another = {"big"}
    with pytest.raises(TryAnother, match="big"):
        office.run()

    assert ["easy"] == office.done
    assert ["hard", "big"] == [work.called for work in office.left]
    assert ["hard", "big", "easy"] == [name for name, _ in office.turns]


def test_where_another_way_is_at_hand_at_once_nobody_else_is_kept(clock: Clock) -> None:
    office = Office(clock, big=0.1, easy=0.1)
    office.wants_another = {"big"}
    with pytest.raises(TryAnother):
        office.run()

    assert [("big", 0.1)] == office.turns


def test_what_serves_all_does_not_count_for_one(clock: Clock) -> None:
    budget = Budget(started=clock.now)
    found: list[float] = []

    def work(work: Work) -> list[Work]:
        clock.now += 20
        budget.put_off(20)
        budget.check()
        clock.now += 0.2
        found.append(work.spent)
        return []

    left = [Work("one"), Work("two")]
    Rounds[Work](budget, 1.0).run(left, work)

    assert not left
    assert 2 == len(found)


@pytest.mark.parametrize("raised", [TurnOver, FormulaLimit])
def test_a_turn_is_no_limit_that_anybody_makes_do_with(raised: Callable[[], Exception]) -> None:
    assert issubclass(FormulaLimit, LimitReached)
    assert not issubclass(TurnOver, LimitReached)
    assert isinstance(raised(), Exception)
