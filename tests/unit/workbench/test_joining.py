"""One more agent in the middle of a walk, and runs of populations replayed among so many agents."""

from typing import Any

import pytest

from gnomon.checking.check import Options, check
from gnomon.model.expression import And, Compare, Literal, Read
from gnomon.model.initial import assignments_satisfying
from gnomon.results.data import of_run, of_state
from tests.benches import Asked, example, opened, populated

BALLOT = """
Environment
  Vars: open : boolean; rounds : 0..3; end Vars
  Actions = { shut };
  Sync = { count : all };
  Protocol:
    open = true and forall v : Voter (v.voted = true) : { shut };
    true : { count };
  end Protocol
  Evolution:
    open = false if Action = shut;
    rounds = rounds + 1 if Action = count and rounds < 3;
  end Evolution
end Environment
Template Voter
  Vars: voted : boolean; counted : boolean; end Vars
  Actions = { vote };
  Sync = { count };
  Protocol:
    voted = false : { vote };
    counted = false : { count };
  end Protocol
  Evolution:
    voted = true if Action = vote;
    counted = true if Action = count;
  end Evolution
end Template
Evaluation done if Environment.open = false; end Evaluation
InitStates
  Environment.open = true and Environment.rounds = 0 and Voter.voted = false and Voter.counted = false;
end InitStates
Formulae EF done; end Formulae
"""


def taken(asked: Asked, *filters: str) -> dict[str, Any]:
    """Return the run that takes the first move with these words at each step."""
    steps = [{"state": asked.first(), "actions": None, "lines": {}}]
    for words in filters:
        found = asked.ask("run/moves", state=steps[-1]["state"], filter=words)
        steps.append(found["moves"][0]["step"])
    return {"steps": steps, "loop": None, "back": None}


def test_a_new_agent_idles_through_the_run() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=2)
    run = taken(asked, "Process1=request", "Process1=enter", "Process2=request")

    found = asked.ask("run/join", template="Process", run=run)

    assert "" == found["reason"]
    assert {"Process": 3} == found["opened"]["population"]
    assert 4 == len(found["run"]["steps"])
    for before, after in zip(run["steps"], found["run"]["steps"], strict=True):
        assert {**before["state"], "Process3": {"at": "idle"}} == after["state"]
    larger = Asked(found["opened"]["model"], asked.bench)
    assert larger.ask("run/replay", run=found["run"])["broken"] is None


def test_where_a_condition_looks_at_all_the_run_ends_before() -> None:
    asked = populated(opened(BALLOT), Voter=1)
    run = taken(asked, "Voter1=vote", "Environment=shut")

    found = asked.ask("run/join", template="Voter", run=run)

    assert 2 == len(found["run"]["steps"])
    assert "Voter2 has joined, but step 2 is not possible any more" in found["reason"]
    assert "a condition looks at all agents" in found["reason"]


def test_where_all_take_part_the_run_ends_before() -> None:
    asked = populated(opened(BALLOT), Voter=1)
    run = taken(asked, "Voter1=vote", "Environment=count Voter1.counted=true")

    found = asked.ask("run/join", template="Voter", run=run)

    assert 2 == len(found["run"]["steps"])
    assert "all have to take part in it, and Voter2 cannot idle" in found["reason"]


def test_the_first_agent_can_join_nobody() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=0)
    run = taken(asked)

    found = asked.ask("run/join", template="Process", run=run)

    assert {"at": "idle"} == found["run"]["steps"][0]["state"]["Process1"]


def test_nobody_joins_where_the_number_is_fixed() -> None:
    asked = populated(example("parameterised/quorum_three.ispl"), Voter=3)
    [template] = [each for each in asked.opened["templates"] if each["high"] is not None]

    kind, words = asked.failure("run/join", template=template["name"], run=taken(asked))

    assert kind == "unable"
    assert "agents" in words


def test_nobody_joins_where_there_are_no_templates() -> None:
    asked = example("nim.ispl")

    assert "bad-request" == asked.failure("run/join", template="x", run=taken(asked))[0]


def test_numbers_without_bounds_begin_as_those_of_another_agent() -> None:
    asked = populated(example("parameterised/batteries.ispl"), Robot=1)
    steps = asked.ask("run/random", state=begin_with(asked, 5), steps=3, seed=2)["steps"]
    run = {"steps": [{"state": begin_with(asked, 5)}, *steps]}

    found = asked.ask("run/join", template="Robot", run=run)

    assert "" == found["reason"]
    assert 5 == found["run"]["steps"][-1]["state"]["Robot2"]["battery"]


def begin_with(asked: Asked, battery: int) -> dict[str, Any]:
    """Return an initial state with that much in the battery."""
    system = asked.system
    fixed = Compare("=", Read("Robot1", "battery"), Literal(battery))
    return of_state(next(assignments_satisfying(system, And((system.initial, fixed)))), system)


@pytest.mark.parametrize("name", ["mutex_some", "foraging_stale", "rooms", "quorum"])
def test_what_shows_a_verdict_on_any_number_is_a_run_of_so_many(name: str) -> None:
    """It has no facts of relations, and other words for doing nothing."""
    asked = example(f"parameterised/{name}.ispl")
    model = asked.known.loaded.model
    assert model is not None
    looked = 0
    for verdict in check(model, options=Options(evidence=True)):
        if verdict.evidence is None or verdict.system is None:
            continue
        why = verdict.evidence.explanation
        assert why is not None
        names = [agent.name for agent in verdict.system.agents]
        numbers = {
            each["name"]: sum(agent.rstrip("0123456789") == each["name"] for agent in names)
            for each in asked.opened["templates"]
        }
        several = populated(asked, **numbers)
        for run in (why.run, *(branch.because.run for branch in why.branches)):
            if run is not None:
                sent = of_run(run, verdict.system)
                found = several.ask("run/replay", run=sent)
                looked += 1

                assert (None, "") == (found["broken"], found["reason"])
                assert len(run.steps) == len(found["run"]["steps"])

    assert looked > 0


@pytest.mark.slow
def test_states_alone_are_replayed_among_many_agents() -> None:
    """Of twenty agents that look at each other, there are millions of joint actions."""
    asked = populated(example("parameterised/mutex.ispl"), Process=20)
    first = asked.first()
    steps = asked.ask("run/random", state=first, steps=10, seed=1)["steps"]
    bare = {"steps": [{"state": first}, *({"state": step["state"]} for step in steps)]}

    found = asked.ask("run/replay", run=bare, seconds=20)
    sought = asked.ask("run/seek", state=first, formula="Process7.at = critical", seconds=20)

    assert found["broken"] is None
    assert "here" == sought["from"]


def test_moves_of_one_agent_come_before_those_of_many() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=12)

    found = asked.ask("run/moves", state=asked.first(), limit=13)
    acting = [
        [name for name, action in move["step"]["actions"].items() if action == "request"]
        for move in found["moves"]
    ]

    assert [[], *([f"Process{number}"] for number in range(1, 13))] == acting


def test_what_has_the_same_effect_is_listed_once() -> None:
    """The environment may do something else while agents request, which then has no effect."""
    asked = populated(example("parameterised/mutex.ispl"), Process=3)

    found = asked.ask("run/moves", state=asked.first())
    targets = [str(move["step"]["state"]) for move in found["moves"]]

    assert 8 == found["total"] == len(set(targets))
