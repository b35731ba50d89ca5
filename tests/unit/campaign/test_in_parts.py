"""A question in parts has the answer of the whole question, or none."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given

from gnomon.campaign import in_parts
from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.executor import FutureAnswer, JobLost
from gnomon.campaign.in_parts import check_in_parts
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.local import LocalPool
from gnomon.campaign.parts import (
    NotCovered,
    StartsPart,
    covered,
    halves,
    listed_starts,
    parts_of,
    unsplittable,
)
from gnomon.campaign.who import HereExecutor
from gnomon.checking.check import check
from gnomon.checking.options import Options, Strategies
from gnomon.checking.question import Question, read
from gnomon.checking.verdict import Value
from gnomon.model.agent import ENVIRONMENT, Agent, ProtocolLine, Variable
from gnomon.model.budget import Budget
from gnomon.model.domain import Boolean
from gnomon.model.evidence import Evidence
from gnomon.model.expression import And, Compare, Literal, Read
from gnomon.model.formula import Constant, Enforces, Group, Next
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import InputError
from tests.systems import LOGICS, examples, random_formula, random_system, seeds

CARDS = """
Agent Environment
  Obsvars: next : 0..2; end Obsvars
  Vars: card : 1..6; side : boolean; end Vars
  Evolution: next = next + 1 if next < 2; end Evolution
end Agent
Agent Player
  Vars: said : 0..6; end Vars
  Actions = { wait, say[c : 1..6] };
  Protocol:
    Environment.next = 0 : { wait };
    Environment.next = 1 : { say[c : 1..6] };
    Other : { wait };
  end Protocol
  Evolution: for c : 1..6: said = c if Action = say[c]; end for end Evolution
end Agent
Evaluation
  right if Player.said = Environment.card;
  low if Environment.card <= 5;
end Evaluation
InitStates Environment.next = 0 and Player.said = 0 and Environment.card <> 3; end InitStates
Groups player = { Player }; end Groups
Formulae
  guesses : <player>F right;
  is_low : low expect false;
  knows : AG !K(Player, right);
end Formulae
"""


def question(*only: str, **options: object) -> Question:
    """Return a question about a game with ten initial states."""
    given = Options(strategies="uniform", **options)  # type: ignore[arg-type]
    return Question(CARDS, "cards", only=only or ("guesses", "is_low"), options=given)


def system_and_starts() -> tuple[System, tuple[State, ...]]:
    """Return the game and its initial states."""
    loaded = read(question()).loaded
    assert loaded is not None and isinstance(loaded.model, System)
    starts = listed_starts(loaded.model, Budget())
    assert starts is not None
    return loaded.model, starts


class SeveralAtOnce(HereExecutor):
    """Has jobs done one after the other, but asks for several."""

    def __init__(self, at_once: int = 2) -> None:
        self.at_once = at_once  # type: ignore[misc]


class ChangedExecutor(SeveralAtOnce):
    """Has jobs done, or something else instead."""

    def __init__(
        self, change: Callable[[CampaignJob], CampaignJob | Exception], at_once: int = 2
    ) -> None:
        super().__init__(at_once)
        self._change = change
        self.jobs: list[CampaignJob] = []

    def submit(self, job: CampaignJob) -> FutureAnswer:
        self.jobs.append(job)
        changed = self._change(job)
        if isinstance(changed, CampaignJob):
            return super().submit(changed)
        future: Future[JobAnswer] = Future()
        future.set_exception(changed)
        return future


# Parts


@pytest.mark.parametrize("count", [1, 2, 3, 7, 10, 50])
def test_parts_have_each_initial_state_once(count: int) -> None:
    system, starts = system_and_starts()
    parts = parts_of(system, starts, count)

    assert len(parts) == min(count, 10)
    assert sorted(map(str, starts)) == sorted(str(each) for part in parts for each in part.starts)
    covered(system, starts, parts)


def test_a_part_that_is_missing_is_found() -> None:
    system, starts = system_and_starts()
    for missing in range(4):
        parts = parts_of(system, starts, 4)
        del parts[missing]

        with pytest.raises(NotCovered, match="in 0 parts"):
            covered(system, starts, parts)


def test_parts_that_overlap_are_found() -> None:
    system, starts = system_and_starts()
    first, *others = parts_of(system, starts, 4)
    wider = StartsPart(first.conditions[:-1], first.starts)

    with pytest.raises(NotCovered, match="in 2 parts"):
        covered(system, starts, [wider, *others])


def test_halves_are_as_equal_as_a_value_makes_them() -> None:
    system, starts = system_and_starts()
    one, two = halves(system, StartsPart((), starts))

    assert (5, 5) == (len(one.starts), len(two.starts))
    assert ("Environment.side=false",) == one.conditions
    assert ("Environment.side<>false",) == two.conditions


# Answers


@pytest.mark.parametrize("evidence", [False, True])
def test_a_formula_is_what_it_is_of_all_parts(evidence: bool) -> None:
    result = check_in_parts(read(question(evidence=evidence)), SeveralAtOnce(4))

    assert [Value.TRUE, Value.FALSE] == [verdict.value for verdict in result]
    assert result.as_expected
    assert 10 == result.initial
    assert evidence == (result[0].evidence is not None)


def test_a_strategy_is_said_to_be_for_one_of_all_initial_states() -> None:
    [verdict] = check_in_parts(read(question("guesses", evidence=True)), SeveralAtOnce(4))
    found: Evidence | None = verdict.evidence

    assert found is not None and found.explanation is not None
    assert found.explanation.text.count("shown for one of 10 initial states") == 1


def test_processes_of_this_machine_come_to_the_same() -> None:
    with LocalPool(2) as pool:
        result = check_in_parts(read(question()), pool)

    assert [Value.TRUE, Value.FALSE] == [verdict.value for verdict in result]


def test_what_is_false_of_one_part_is_asked_of_no_other() -> None:
    executor = ChangedExecutor(lambda job: job)
    [verdict] = check_in_parts(read(question("is_low")), executor)

    assert Value.FALSE is verdict.value
    assert all(job.question.options.starts for job in executor.jobs)


def test_a_part_that_is_lost_is_halved() -> None:
    def lose_many(job: CampaignJob) -> CampaignJob | Exception:
        return job if len(job.question.options.starts) > 1 else JobLost("it went away")

    executor = ChangedExecutor(lose_many)
    result = check_in_parts(read(question()), executor)

    assert [Value.TRUE, Value.FALSE] == [verdict.value for verdict in result]
    assert 2 + 4 == len(executor.jobs)


def test_a_part_that_is_never_answered_leaves_the_formula_open() -> None:
    def lose_one(job: CampaignJob) -> CampaignJob | Exception:
        lost = "Environment.card=1" in job.question.options.starts
        return JobLost("it went away") if lost else job

    executor = ChangedExecutor(lose_one, 8)
    true, false = check_in_parts(read(question()), executor)

    assert (Value.UNKNOWN, "it went away") == (true.value, true.reason)
    assert Value.FALSE is false.value


def test_a_part_that_takes_long_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_parts, "_INSTANT", 1e-9)
    executor = ChangedExecutor(lambda job: job)
    true, _ = check_in_parts(read(question()), executor, patience=1e-6)
    alone = [job for job in executor.jobs if job.question.options.timeout is None]

    assert Value.TRUE is true.value
    assert 10 == len(alone)


def test_answers_about_other_parts_than_were_asked_about_are_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A planted mistake: one part is asked about twice, and another one never."""

    def twice(*given: object) -> list[StartsPart]:
        first, second, *others = parts_of(*given)  # type: ignore[arg-type]
        return [replace(second, conditions=first.conditions), first, *others]

    monkeypatch.setattr(in_parts, "parts_of", twice)

    with pytest.raises(NotCovered):
        check_in_parts(read(question("guesses")), SeveralAtOnce(4))


# What cannot be split


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (question("knows"), "known or obliged"),
        (replace(question(), options=Options(strategies="uniform-subjective")), "one strategy"),
        (replace(question(), options=Options(strategies="uniform-model")), "one strategy"),
        (question(certificate=True), "whole model"),
        (question(check_deadlock=True), "whole model"),
        (question(starts=("Environment.card=1",)), "some of the initial states already"),
        (
            replace(
                question(), text=CARDS.replace("Groups", "Fairness right; end Fairness Groups", 1)
            ),
            "fairness",
        ),
        (replace(question(), text=CARDS.replace("card : 1..6", "card : 1..60000")), "more than"),
    ],
)
def test_what_depends_on_other_initial_states_is_refused(asked: Question, why: str) -> None:
    with pytest.raises(InputError, match="G0822") as refused:
        check_in_parts(read(asked), HereExecutor())

    assert why in str(refused.value)


def test_a_protocol_that_looks_at_what_is_hidden_is_refused() -> None:
    """Blind, there is nothing that can be done in both states; if there were only one, there would be."""
    side = Read(ENVIRONMENT, "side")
    lines = tuple(
        ProtocolLine(Compare("=", side, Literal(value)), (name,))
        for value, name in ((True, "left"), (False, "right"))
    )
    environment = Agent(ENVIRONMENT, (Variable(ENVIRONMENT, "side", Boolean()),), ())
    blind = Agent("Blind", (), ("left", "right"), lines)
    formula = Enforces(Group(("Blind",)), Next(Constant(value=True)))
    system = System(
        "hidden", (environment, blind), And(()), specifications=(Specification(formula, "f"),)
    )
    options = Options(strategies="uniform")
    [whole] = check(system, options=options)
    starts = (("Environment.side=true",), ("Environment.side<>true",))
    parts = [check(system, options=replace(options, starts=each))[0].value for each in starts]

    assert (Value.FALSE, [Value.TRUE, Value.TRUE]) == (whole.value, parts)
    assert ["what `Blind` can do depends on what it does not see"] == list(
        unsplittable(system, system.specifications, options)
    )


# The option


def test_starts_are_those_initial_states_alone() -> None:
    whole, part = (
        read(replace(question("is_low"), options=Options(starts=starts))).check()
        for starts in ((), ("Environment.card<>6",))
    )

    assert (Value.FALSE, Value.TRUE) == (whole[0].value, part[0].value)
    assert 8 == part.initial


@pytest.mark.parametrize(
    "wrong",
    ["card=1", "Environment.card", "Environment.nothing=1", "Environment.card=7", "Nobody.card=1",
     "Environment.side=1", "Environment.card=one", "Environment.card="],
)  # fmt: skip
def test_conditions_that_the_model_does_not_have_are_refused(wrong: str) -> None:
    with pytest.raises(InputError, match="starts="):
        read(question(starts=(wrong,))).check()


def test_starts_are_part_of_what_is_asked_where_there_are_any() -> None:
    plain, part = question(), question(starts=("Environment.card=1",))

    assert plain.digest == question(starts=()).digest
    assert plain.digest != part.digest
    assert part == Question.from_data(part.to_data())
    assert "starts" not in {name for name in plain.to_data() if name != "options"}


# Random systems


@pytest.mark.parametrize(
    ("strategies", "interleaved"), list(product(["perfect", "uniform"], [False, True]))
)
@given(seed=seeds)
@examples(60)
def test_parts_of_random_systems_come_to_the_verdict_of_the_whole(
    strategies: Strategies, interleaved: bool, seed: int
) -> None:
    rng = Random(seed)
    drawn = random_system(rng, largest=12, prying=0.3, interleaved=interleaved)
    asked = [
        *(Specification(random_formula(rng, drawn, 3, "bool ctl atl"), "f") for _ in range(3)),
        Specification(random_formula(rng, drawn, 2, "bool star"), "f", 0, LOGICS[1]),
    ]
    options = Options(strategies=strategies, allow=("G0801", "G0802"))
    able = [each for each in asked if not list(unsplittable(drawn, [each], options))]
    system = replace(drawn, specifications=tuple(able))
    starts = listed_starts(system, Budget())
    if not able or not starts:
        return
    whole = Question("", system=system, options=options)
    executor = SeveralAtOnce(rng.choice((1, 2, 30)))
    expected = [verdict.value for verdict in read(whole).check()]
    found = [verdict.value for verdict in check_in_parts(read(whole), executor)]

    assert expected == found
