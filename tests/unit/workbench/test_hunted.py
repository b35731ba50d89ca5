"""Answers that are the same whatever was asked before, in how much time, and say no more than is known."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import example as sample
from hypothesis import given

from gnomon.checking.supervise import work_here
from gnomon.model.budget import Budget
from gnomon.model.domain import Datum
from gnomon.model.formula import All, Enforces, Finally, Globally, Next, Proposition
from gnomon.model.fragment import is_propositional
from gnomon.model.step import State, moves
from gnomon.model.system import Specification, System
from gnomon.workbench.parameters import GivenRun, GivenStep
from gnomon.workbench.replaying import Replayer
from gnomon.workbench.seeking import seek
from tests.benches import built, example, opened
from tests.fairness import fairly
from tests.oracle import Oracle
from tests.systems import examples, random_formula, random_path, random_system, seeds

ENDING = """
Agent P
  Vars: n : 0..1; end Vars
  Actions = {go};
  Protocol: n = 0 : {go}; end Protocol
  Evolution: n = 1 if Action = go; end Evolution
end Agent
Evaluation over if P.n = 1; end Evaluation
InitStates P.n = 0; end InitStates
Formulae LTL over; end Formulae
"""


# The way to a state


def test_a_state_in_which_runs_end_can_be_reached() -> None:
    asked = opened(ENDING)

    found = asked.ask("run/seek", state=None, formula="LTL over")
    assert [0, 1] == [step["state"]["P"]["n"] for step in found["run"]["steps"]]


def test_a_condition_has_a_value_where_runs_end() -> None:
    asked = opened(ENDING)
    state = {"P": {"n": 1}}
    values = [
        asked.ask("run/evaluate", state=state, formula=text)["value"]
        for text in ("LTL over", "over", "LTL X over")
    ]

    assert ["true", "true", "undefined"] == values


def test_where_only_infinite_runs_count_that_is_said() -> None:
    found = opened(ENDING).ask("run/seek", state=None, formula="LTL X over")

    assert (None, "no infinite run comes to such a state") == (found["run"], found["reason"])


@examples(100)
@given(seeds)
def test_it_is_never_said_that_no_state_is_there_where_one_is(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=24, stuck=0.3, interleaved=rng.random() < 0.3)
    if rng.random() < 0.3:
        system = fairly(rng, system)
    path = All(random_path(rng, system, rng.randint(1, 2), "bool know"))
    formula = rng.choice((path, random_formula(rng, system, 1, "bool")))
    asked = Specification(formula, "it", logic="LTL")
    with work_here():
        found = seek(system, asked, None, Budget(60))
    if found.reason == "no such state can be reached":
        without = replace(system, fairness=()) if is_propositional(formula) else system
        assert not Oracle(without).states(formula, "LTL")
    if found.run is not None and not system.fairness:
        assert found.run.steps[-1].state in Oracle(system).states(formula, "LTL")


# What is remembered


def test_what_was_found_in_a_hurry_is_not_what_is_said_with_more_time() -> None:
    asked = example("unbounded/tunnels.ispl")
    about = {"state": asked.first(), "agents": ["TrainA"], "limit": 10}
    [hurried] = asked.ask("run/alike", **about, seconds=0.1)["agents"]
    [patient] = asked.ask("run/alike", **about, seconds=20)["agents"]

    assert hurried["more"] and patient["more"]
    assert hurried["total"] < patient["total"]


def test_the_limit_that_is_named_is_the_one_that_was_set() -> None:
    asked = example("unbounded/tunnels.ispl")
    [found] = asked.ask("run/alike", state=asked.first(), agents=["TrainA"], seconds=0.25)["agents"]

    assert "the time limit of 0.25 s was reached" in found["reason"]


def test_a_verdict_that_came_too_late_for_its_evidence_is_not_kept(monkeypatch: Any) -> None:
    asked = example("bit_transmission.ispl")
    text = "EF acknowledged"
    with work_here():
        with monkeypatch.context() as late:
            late.setattr("gnomon.checking.supported.supported", _nothing)
            late.setattr("gnomon.workbench.verdicts_at_hand._EARLY", 0.0)
            before = asked.ask("model/explain", formula=text, format="text")["text"]
        after = asked.ask("model/explain", formula=text, format="text")["text"]

    assert "There is no evidence" in before
    assert "There is no evidence" not in after


def _nothing(*_: object) -> None:
    return None


def test_a_picture_that_was_folded_for_want_of_time_is_made_again() -> None:
    asked = example("bit_transmission.ispl")
    about: dict[str, Any] = {"fold": "view", "agent": "Sender"}
    with work_here():
        asked.send("model/graph", seconds=0.001, **about)
        patient = asked.ask("model/graph", **about)
    fresh = example("bit_transmission.ispl").ask("model/graph", **about)

    assert fresh["drawing"] == patient["drawing"]


def test_states_are_in_the_boxes_that_were_drawn_however_little_time_there_was() -> None:
    asked = example("unbounded/tunnels.ispl")
    about: dict[str, Any] = {"fold": "view", "agent": "TrainA", "limit": 5}
    drawn = asked.ask("model/graph", seconds=2, **about)["drawing"]["boxes"]
    states = [box["state"] for box in drawn]

    assert list(range(len(drawn))) == asked.ask("model/boxes", states=states, **about)["boxes"]


# Runs of which not all is said


@examples(150)
@given(seeds)
def test_a_loop_may_begin_where_little_is_said(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=24, interleaved=rng.random() < 0.3)
    starts = sorted(Oracle(system).initial, key=repr)
    if not starts:
        return
    states = [rng.choice(starts)]
    for _ in range(rng.randint(0, 4)):
        after = sorted(_after(system, states[-1]), key=repr)
        if not after:
            return
        states.append(rng.choice(after))
    loop = rng.randrange(len(states))
    told = GivenRun(tuple(_some(rng, each) for each in states), loop, GivenStep({}))
    found = Replayer(system, Budget(60)).replay(told)

    assert _closes(system, starts, told) == (found.broken is None)


def _after(system: System, state: State) -> set[State]:
    return {move.target for move in moves(system, state) if move.target is not None}


def _some(rng: Random, state: State) -> GivenStep:
    values: dict[int, Datum] = {n: v for n, v in enumerate(state) if rng.random() < 0.5}
    return GivenStep(values)


def _closes(system: System, starts: list[State], told: GivenRun) -> bool:
    """Return whether some run is as it was told, and closes its loop: all of them are tried."""

    def fits(state: State, step: GivenStep) -> bool:
        return all(state[place] == value for place, value in step.values.items())

    runs: set[tuple[State, ...]] = {(state,) for state in starts if fits(state, told.steps[0])}
    for step in told.steps[1:]:
        runs = {(*run, s) for run in runs for s in _after(system, run[-1]) if fits(s, step)}
    assert told.loop is not None
    return any(run[told.loop] in _after(system, run[-1]) for run in runs)


# Games that are won as nobody goes on fairly


@examples(150)
@given(seeds)
@sample(20)
@sample(47)
def test_no_strategy_is_said_to_have_lost(seed: int) -> None:
    rng = Random(seed)
    system = fairly(rng, random_system(rng, largest=16))
    kind: Any = rng.choice((Finally, Globally, Next))
    about = Enforces(system.groups["g"], kind(Proposition(rng.choice("pqr"))))
    asked = built(replace(system, specifications=(Specification(about, "it"),)))
    sent: dict[str, Any] = {
        "formula": "it",
        "strategies": "perfect",
        "which": 0,
        "side": "strategy",
    }
    with work_here():
        begun = asked.send("play/begin", **sent).get("result")
        if begun is None or begun["drawing"] is None:
            return
        state = begun["start"]
        for step in range(12):
            turn = asked.ask("play/turn", **sent, state=state, step=step)
            assert "lost" != turn["standing"]
            if turn["standing"] != "open":
                break
            state = rng.choice(turn["yours"])["step"]["state"]
