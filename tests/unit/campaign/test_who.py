"""Who can enforce a goal, and who knows something."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from gnomon.campaign.executor import FutureAnswer, JobLost
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.who import HereExecutor, investigate
from gnomon.campaign.who_asking import WhoQuestion, read_inquiry
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.verdict import Value
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.system import System
from gnomon.results.groups import GroupSurvey, KnownWhen, WhoReport
from gnomon.text.diagnostic import InputError
from tests.fairness import random_fairness
from tests.systems import random_system

#: A door that two of three guards, or the captain, can open; the clerk can do nothing about it.
DOOR = """
Agent Environment
  Vars: open : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution:
    open = true if Captain.Action = unlock or (Ann.Action = turn and Bob.Action = turn)
      or (Ann.Action = turn and Cid.Action = turn) or (Bob.Action = turn and Cid.Action = turn);
  end Evolution
end Agent
Agent Ann
  Vars: idle : boolean; end Vars
  Actions = {rest, turn};
  Protocol: Other : {rest, turn}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Bob
  Vars: idle : boolean; end Vars
  Actions = {rest, turn};
  Protocol: Other : {rest, turn}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Cid
  Vars: idle : boolean; end Vars
  Actions = {rest, turn};
  Protocol: Other : {rest, turn}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Captain
  Vars: idle : boolean; end Vars
  Actions = {rest, unlock};
  Protocol: Other : {rest, unlock}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation opened if Environment.open = true; end Evaluation
InitStates Environment.open = false and Ann.idle = true and Bob.idle = true and Cid.idle = true
  and Captain.idle = true; end InitStates
Formulae EF opened; end Formulae
"""


class Counting(HereExecutor):
    """Counts what it has done."""

    def __init__(self) -> None:
        self.jobs: list[CampaignJob] = []

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done."""
        self.jobs.append(job)
        return super().submit(job)


def ask(text: str, goal: str, *, executor: HereExecutor | None = None, **more: object) -> WhoReport:
    """Return what is found about a program; options of checks and of the inquiry as they are called."""
    names = ("knows", "when", "among", "environment", "at_most")
    own = {name: more.pop(name) for name in names if name in more}
    question = Question(text, "door", options=Options(**more))  # type: ignore[arg-type]
    return investigate(WhoQuestion(question, goal, **own), executor or HereExecutor())  # type: ignore[arg-type]


def groups(survey: GroupSurvey, side: tuple[int, ...]) -> list[str]:
    """Return groups by their members."""
    return [" ".join(survey.members(group)) for group in side]


def test_the_smallest_coalitions_that_can_and_the_largest_that_cannot() -> None:
    executor = Counting()
    report = ask(DOOR, "F opened", executor=executor)
    [survey] = report.surveys

    assert groups(survey, survey.holding) == ["Captain", "Ann Bob", "Ann Cid", "Bob Cid"]
    assert groups(survey, survey.failing) == ["Ann", "Bob", "Cid"]
    assert survey.nobody is not None
    assert survey.nobody.value is Value.FALSE
    assert survey.formula == "<…>F opened"
    assert not report.is_open
    # The border is seven of fifteen coalitions; no method could do with fewer, and nobody is one more.
    assert report.checks <= 13
    assert len(executor.jobs) == report.rounds <= 4


def test_where_all_together_cannot_two_formulae_are_enough() -> None:
    report = ask(DOOR, "G opened")
    [survey] = report.surveys

    assert groups(survey, survey.failing) == ["Ann Bob Cid Captain"]
    assert report.checks == 2


def test_only_some_agents_and_only_small_groups() -> None:
    [some] = ask(DOOR, "F opened", among=("Ann", "C*")).surveys
    [small] = ask(DOOR, "F opened", among=("Ann", "Bob", "Cid"), at_most=1).surveys

    assert some.agents == ("Ann", "Cid", "Captain")
    assert groups(some, some.holding) == ["Captain", "Ann Cid"]
    assert groups(small, small.holding) == []
    assert groups(small, small.failing) == ["Ann", "Bob", "Cid"]


def test_the_environment_is_an_agent_where_that_is_wanted() -> None:
    [without] = ask(DOOR, "F opened").surveys
    [with_it] = ask(DOOR, "F opened", environment=True).surveys

    assert ENVIRONMENT not in without.agents
    assert ENVIRONMENT in with_it.agents


class Failing(HereExecutor):
    """Loses every job that asks about Ann."""

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done, or not."""
        future: FutureAnswer = Future()
        if any("Ann" in formula for formula in job.question.formulae):
            future.set_exception(JobLost("its process was killed"))
        else:
            future.set_result(answer(job))
        return future


def test_what_is_not_known_is_open_and_nothing_follows_from_it() -> None:
    report = ask(DOOR, "F opened", executor=Failing(), among=("Ann", "Captain"))
    [survey] = report.surveys

    assert report.is_open
    # The second job asked about both alone, and was lost with Ann in it.
    assert {" ".join(survey.members(group)) for group in survey.open} >= {"Ann"}
    assert all("killed" in survey.by_group[group].reason for group in survey.open)


class Costly(Counting):
    """Says that every formula took long."""

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done."""
        found = super().submit(job).result()
        slow = [{**each, "seconds": 100.0} for each in found.formulae]
        future: FutureAnswer = Future()
        future.set_result(replace(found, result={**found.result, "formulae": slow}))
        return future


def test_where_formulae_take_long_fewer_are_asked_and_one_at_a_time() -> None:
    executor = Costly()
    report = ask(DOOR, "F opened", executor=executor)
    [survey] = report.surveys

    assert groups(survey, survey.holding) == ["Captain", "Ann Bob", "Ann Cid", "Bob Cid"]
    assert {len(job.question.formulae) for job in executor.jobs[1:]} == {1}
    assert report.checks <= 13


class Late(HereExecutor):
    """Has no time for anything."""

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job begun when its time is over."""
        late = replace(job.question, options=replace(job.question.options, timeout=0.000_001))
        return super().submit(replace(job, question=late))


class Interrupted(Counting):
    """Is interrupted in the second round."""

    def submit(self, job: CampaignJob) -> FutureAnswer:
        """Have a job done, or be interrupted."""
        if len(self.jobs) == 1:
            raise KeyboardInterrupt
        return super().submit(job)


def test_an_interruption_keeps_what_is_known() -> None:
    report = ask(DOOR, "F opened", executor=Interrupted())
    [survey] = report.surveys

    assert report.interrupted
    assert report.is_open
    assert survey.standing(0b1111) is True
    assert survey.nobody is not None
    assert not survey.is_certain(0b1111)


def test_an_interruption_while_asking_who_knows_keeps_what_is_known() -> None:
    report = ask(LETTERS, "a", executor=Interrupted(), knows=True)
    together, everybody, common = report.surveys

    assert report.interrupted
    assert together.standing(0b111) is True
    assert everybody.standing(0b111) is False
    assert len(common.open) == len(common.groups)


def test_when_time_is_up_all_is_open() -> None:
    report = ask(DOOR, "F opened", executor=Late(), timeout=10.0)
    [survey] = report.surveys

    assert report.is_open
    assert len(survey.open) == len(survey.groups)


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("opened", "opened"),
        ("F opened and opened", "is no goal"),
        ("F opened and G opened", "expected"),
        ("<Ann>F opened", "is no goal"),
        ("F opened -> EF opened", "is no goal"),
        ("F nothing", "there is no proposition"),
        ("F opened -- really", "no comments"),
        ("", "there is no goal"),
        ("F opened) or (EF opened", "expected"),
    ],
)
def test_what_is_no_goal_is_refused_at_its_place(goal: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        ask(DOOR, goal)

    [*found] = refused.value.diagnostics
    assert any(said in item.message or said in item.source.text for item in found)
    assert all(item.source.text in goal for item in found)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"among": ("Dan",)}, "there is no agent `Dan`"),
        ({"among": ("Guard[1..3]",)}, "there is no agent"),
        ({"knows": True, "goal": "LTL F opened"}, "nothing that could be known"),
        ({"knows": True, "goal": "x : opened"}, "nothing that could be known"),
        ({"knows": True, "goal": "F opened"}, "expected a formula"),
        ({"knows": True, "strategies": "uniform-model"}, "one model is chosen for each formula"),
    ],
)
def test_what_cannot_be_asked_is_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as refused:
        ask(DOOR, str(more.pop("goal", "F opened")), **more)  # type: ignore[arg-type]

    assert said in refused.value.diagnostics[0].message


def test_an_agent_whose_name_means_a_group_is_refused() -> None:
    """`<Ann>F opened` would be about both, and be told of Ann."""
    both = DOOR.replace("Formulae EF", "Groups Ann = {Ann, Bob}; end Groups\nFormulae EF")
    alone = DOOR.replace("Formulae EF", "Groups Ann = {Ann}; end Groups\nFormulae EF")

    with pytest.raises(InputError, match="is an agent and a group"):
        read_inquiry(WhoQuestion(Question(both), "F opened"))
    some = read_inquiry(WhoQuestion(Question(both), "F opened", among=("Bob", "Cid")))
    everybody = read_inquiry(WhoQuestion(Question(alone), "F opened"))
    assert some.agents == ("Bob", "Cid")
    assert "Ann" in everybody.agents


def test_goals_with_two_sides_need_no_brackets() -> None:
    question = Question(DOOR)

    assert read_inquiry(WhoQuestion(question, "!opened U opened")).text == "(!opened U opened)"
    assert read_inquiry(WhoQuestion(question, "(!opened U opened);")).text == "(!opened U opened)"
    assert read_inquiry(WhoQuestion(question, "F<=2 opened")).text == "F<=2 opened"


# Where ability is monotone, and where it is not (decision 0034)

#: All three take part in what happens, and P does not see that it has to change.
MEETING = """
Semantics = Interleaved;
Agent Environment
  Vars: side : {left, right}; done : boolean; end Vars
  Actions = {a, b};
  Protocol: side = left : {a}; side = right : {b}; end Protocol
  Evolution: side = right if Action = a; done = true if Action = b; end Evolution
end Agent
Agent P
  Vars: idle : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Q
  Lobsvars = {side};
  Vars: idle : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation done if Environment.done = true; end Evaluation
InitStates Environment.side = left and Environment.done = false and P.idle = true and Q.idle = true;
end InitStates
Formulae AF done; end Formulae
"""

#: P can keep the light on and sees it; Q cannot tell whether it is on.
LAMP = """
Agent Environment
  Vars: on : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: on = false if P.Action = drop; end Evolution
end Agent
Agent P
  Lobsvars = {on};
  Vars: idle : boolean; end Vars
  Actions = {keep, drop};
  Protocol: Other : {keep, drop}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Q
  Vars: idle : boolean; end Vars
  Actions = {rest};
  Protocol: Other : {rest}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation on if Environment.on = true; end Evaluation
InitStates Environment.on = true and P.idle = true and Q.idle = true; end InitStates
Formulae EF on; end Formulae
"""


def test_a_larger_coalition_can_do_less_where_actions_have_to_meet_unseen() -> None:
    [survey] = ask(MEETING, "F done", strategies="uniform").surveys

    assert survey.direction is None
    assert groups(survey, survey.holding) == ["Q"]
    assert groups(survey, survey.failing) == ["P Q"]
    assert groups(survey, survey.exceptions) == ["Q"]


def test_a_larger_coalition_can_know_less_about_its_strategy() -> None:
    [survey] = ask(LAMP, "G on", strategies="uniform-subjective").surveys

    assert survey.direction is None
    assert groups(survey, survey.holding) == ["P"]
    assert groups(survey, survey.failing) == ["P Q"]


def test_nothing_follows_from_the_empty_coalition_in_a_deadlock() -> None:
    stuck = LAMP.replace("Protocol: Other : {rest}", "Protocol: idle = false : {rest}")
    [survey] = ask(stuck, "F !on").surveys

    assert survey.nobody is not None
    assert survey.nobody.value is Value.TRUE
    assert groups(survey, survey.failing) == ["P Q"]
    assert survey.holding == ()


# Knowledge

#: One letter for each of two, and a crowd that reads what both announce.
LETTERS = """
Agent Environment
  Vars: a : boolean; b : boolean; told : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: told = true if Ann.Action = tell; end Evolution
end Agent
Agent Ann
  Lobsvars = {a};
  Vars: idle : boolean; end Vars
  Actions = {rest, tell};
  Protocol: Other : {rest, tell}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Bob
  Lobsvars = {b};
  Vars: idle : boolean; end Vars
  Actions = {rest};
  Protocol: Other : {rest}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Agent Cid
  Vars: idle : boolean; end Vars
  Actions = {rest};
  Protocol: Other : {rest}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation both if Environment.a = true and Environment.b = true; a if Environment.a = true; end Evaluation
InitStates Environment.told = false and Ann.idle = true and Bob.idle = true and Cid.idle = true;
end InitStates
Formulae EF both; end Formulae
"""


def test_who_knows_one_by_one_together_and_commonly() -> None:
    report = ask(LETTERS, "both", knows=True)
    together, everybody, common = report.surveys

    assert together.formula == "AG (both -> !DK({…}, both))"
    assert groups(together, together.holding) == ["Ann Bob"]
    assert set(groups(together, together.failing)) == {"Ann Cid", "Bob Cid"}
    assert groups(everybody, everybody.holding) == []
    assert groups(common, common.holding) == []
    assert not report.is_open


def test_what_not_everybody_knows_is_not_asked_to_be_common_knowledge() -> None:
    [together, everybody, common] = ask(LETTERS, "a", knows=True, when="always").surveys

    assert groups(together, together.holding) == ["Ann"]
    assert groups(everybody, everybody.holding) == ["Ann"]
    assert groups(common, common.holding) == ["Ann"]
    # `K` is the same for all kinds, and was asked before.
    assert {each.formula for each in common.answers} <= {
        "",
        *(f"AG (a -> K({name}, a))" for name in common.agents),
    }


# Against every coalition

GOALS = ("X p", "F p", "G p", "(p U q)", "(p R q)", "(p W q)", "F<=2 p", "G[1,2] q")


def coalitions(names: list[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(names) + 1):
        yield from combinations(names, size)


def everybody_asked(
    system: System, formulae: dict[tuple[str, ...], str], options: Options
) -> dict[tuple[str, ...], Value]:
    """Return the verdict on each group, all of them asked."""
    asked = tuple(formulae.values())
    found = read(Question("", "random", formulae=asked, options=options, system=system)).check()
    return {members: verdict.value for members, verdict in zip(formulae, found, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["perfect", "uniform", "uniform-subjective", "uniform-model"])
@pytest.mark.parametrize("interleaved", [False, True])
def test_few_questions_tell_the_same_as_all_of_them(reading: str, interleaved: bool) -> None:
    rng = Random(f"{reading} {interleaved}")
    for _ in range(2):
        system = random_system(rng, largest=16, interleaved=interleaved)
        if rng.random() < 0.3 and not interleaved:
            system = with_fairness(rng, system)
        goal = rng.choice(GOALS)
        options = Options(strategies=reading)  # type: ignore[arg-type]
        question = Question("", "random", options=options, system=system)
        try:
            report = investigate(WhoQuestion(question, goal, environment=True), HereExecutor())
        except InputError:
            continue  # no fair or no initial state, or an agent with the name of a group
        [survey] = report.surveys
        names = [agent.name for agent in system.agents if not agent.observer]
        formulae = {each: f"<{', '.join(each)}>{goal}" for each in coalitions(names)}
        expected = everybody_asked(system, formulae, options)
        for members, value in expected.items():
            group = sum(1 << survey.agents.index(name) for name in members)
            assert value == {True: Value.TRUE, False: Value.FALSE}[survey.standing(group)]  # type: ignore[index]
        assert report.checks <= len(formulae) + 1


@pytest.mark.slow
@pytest.mark.parametrize("when", ["ever", "always", "initially"])
def test_few_questions_about_knowledge_tell_the_same_as_all_of_them(when: KnownWhen) -> None:
    rng = Random(when)
    forms = {"ever": "AG (p -> !#)", "always": "AG (p -> #)", "initially": "p -> #"}
    for _ in range(2):
        system = random_system(rng, largest=24)
        question = Question("", "random", system=system)
        try:
            report = investigate(WhoQuestion(question, "p", knows=True, when=when), HereExecutor())
        except InputError:
            continue  # no initial state, or an agent with the name of a group
        for survey, operator in zip(report.surveys, ("DK", "GK", "GCK"), strict=True):
            formulae = {
                each: forms[when].replace("#", f"{operator}({{{', '.join(each)}}}, p)")
                for each in coalitions(list(survey.agents))
            }
            expected = everybody_asked(system, formulae, Options())
            for members, value in expected.items():
                group = sum(1 << survey.agents.index(name) for name in members)
                assert survey.standing(group) == ((value is Value.TRUE) != (when == "ever"))


def with_fairness(rng: Random, system: System) -> System:
    """Return the system under a constraint."""
    return replace(system, fairness=random_fairness(rng, system))
