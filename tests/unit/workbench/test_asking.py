"""Questions about single states, beside the oracle and beside looking at all states."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from gnomon.certificate.plain import plain_value
from gnomon.checking.supervise import work_here
from gnomon.model.budget import Budget
from gnomon.model.formula import Formula, show_formula
from gnomon.model.step import State, holds, view
from gnomon.model.system import Logic, Specification, System
from gnomon.results.data import of_state
from gnomon.workbench.seeking import seek
from gnomon.workbench.state_queries import look_alikes, value_here
from tests.benches import Asked, built, example, opened, populated
from tests.fairness import fairly
from tests.oracle.fixpoints import TooMany
from tests.oracle.truth import Oracle
from tests.systems import LOGICS, examples, random_formula, random_system, seeds

BLINK = """
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = {press, rest};
  Protocol: Other : {press, rest}; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation bright if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Fairness bright; end Fairness
Formulae EF bright; end Formulae
"""


COIN = """
Agent Environment
  Vars: coin : {heads, tails}; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: end Evolution
end Agent
Agent Guesser
  Vars: said : {nothing, heads, tails}; end Vars
  Actions = {heads, tails};
  Protocol: Other : {heads, tails}; end Protocol
  Evolution: said = heads if Action = heads; said = tails if Action = tails; end Evolution
end Agent
Evaluation
  won if Environment.coin = heads and Guesser.said = heads
      or Environment.coin = tails and Guesser.said = tails;
end Evaluation
InitStates Guesser.said = nothing; end InitStates
Groups g = {Guesser}; end Groups
Formulae <g>X won; end Formulae
"""


def walked(asked: Asked, steps: int, seed: int = 1) -> Any:
    """Return where a random walk leads."""
    return asked.ask("run/random", state=asked.first(), steps=steps, seed=seed)["steps"][-1][
        "state"
    ]


def value(asked: Asked, state: Any, formula: str, **more: Any) -> str:
    found: str = asked.ask("run/evaluate", state=state, formula=formula, **more)["value"]
    return found


# What holds here


def test_a_condition_is_looked_up_in_the_state() -> None:
    asked = example("bit_transmission.ispl")

    found = asked.ask("run/evaluate", state=asked.first(), formula="zero and !acknowledged")

    assert ("true", "", None) == (found["value"], found["remark"], found["explanation"])
    assert "zero and !acknowledged" == found["formula"]


def test_time_is_explained_from_here_on() -> None:
    asked = example("bit_transmission.ispl")
    here = walked(asked, 4)

    found = asked.ask("run/evaluate", state=here, formula="EF acknowledged")
    why = found["explanation"]

    assert ("true", "time", True) == (found["value"], why["relation"], why["value"])
    assert here == why["run"]["steps"][0]["state"]
    assert why["run"]["steps"][-1]["state"]["Sender"]["acknowledged"] is True
    assert "acknowledged" in found["story"]


def test_ignorance_is_explained_by_a_run_that_looks_the_same() -> None:
    asked = example("bit_transmission.ispl")
    here = {
        "Environment": {"channel": "none"},
        "Sender": {"bit": "zero", "acknowledged": False},
        "Receiver": {"got": "zero"},
    }

    found = asked.ask("run/evaluate", state=here, formula="K(Sender, received)")
    why = found["explanation"]
    other = why["run"]["steps"][-1]["state"]

    assert ("false", "knowledge", ["Sender"]) == (found["value"], why["relation"], why["agents"])
    assert here["Sender"] == other["Sender"]
    assert "nothing" == other["Receiver"]["got"]
    assert "cannot tell this state from" in found["story"]
    assert "initial state" not in found["story"].splitlines()[0]


def test_strategies_are_told_below_the_story() -> None:
    asked = example("nim.ispl")
    formula = next(each["text"] for each in asked.opened["formulae"] if each["has_coalition"])

    found = asked.ask("run/evaluate", state=asked.first(), formula=formula)

    assert found["value"] in {"true", "false"}
    assert "strategy" in found["story"]


def test_readings_of_strategies_make_a_difference() -> None:
    asked = opened(COIN)
    state, formula = asked.first(), "<g>X won"

    assert "true" == value(asked, state, formula, strategies="perfect")
    assert "false" == value(asked, state, formula, strategies="uniform-subjective")
    assert (
        "unable"
        == asked.failure("run/evaluate", state=state, formula=formula, strategies="uniform-model")[
            0
        ]
    )
    assert (
        "bad-request"
        == asked.failure("run/evaluate", state=state, formula=formula, strategies="lucky")[0]
    )


def test_a_state_that_no_run_comes_to_is_undefined() -> None:
    asked = opened(
        BLINK.replace("Fairness bright; end Fairness", "").replace("on = !on", "on = false")
    )
    state = {"Lamp": {"on": True}}

    found = asked.ask("run/evaluate", state=state, formula="AX bright")

    assert ("undefined", "no run comes to this state") == (found["value"], found["remark"])


def test_ltl_is_about_infinite_runs_here_too() -> None:
    """By way of CTL, a run that ends would break it."""
    text = BLINK.replace("Fairness bright; end Fairness", "").replace(
        "Other : {press, rest}", "on = false : {press, rest}"
    )
    asked = opened(text)

    assert "false" == value(asked, asked.first(), "AG !bright")
    assert "true" == value(asked, asked.first(), "LTL G !bright")


def test_unbounded_models_are_asked_as_well() -> None:
    asked = example("unbounded/token_bucket.ispl")
    here = walked(asked, 6)

    assert "true" == value(asked, here, "AG Environment.tokens <= 10")
    assert "true" == value(asked, here, "EF Environment.dropped > 3")


def test_populations_are_asked_with_the_formulae_of_their_templates() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=3)
    here = walked(asked, 5)
    texts = [each["text"] for each in asked.opened["formulae"]]

    assert {"true"} == {value(asked, here, text) for text in texts}
    assert "true" == value(asked, here, "AG (Process.at = critical -> K(Process, !clash))")
    assert "true" == value(asked, here, "EF Process2.at = critical")
    assert "false" == value(asked, here, "K(Process1, Process2.at = critical)")


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    asked = example("bit_transmission.ispl")

    found = asked.send("run/evaluate", state=asked.first(), formula="AG (zero andd one)")
    [diagnostic, *_] = found["error"]["data"]["diagnostics"]

    assert "bad-input" == found["error"]["data"]["kind"]
    assert (1, 10) == (diagnostic["line"], diagnostic["column"])


def test_too_little_time_is_unknown() -> None:
    asked = example("unbounded/ticket_lock.ispl", n=4)
    state = asked.first()

    found = asked.ask("run/evaluate", state=state, formula="AG EF inside[1]", seconds=0.2)

    assert "unknown" == found["value"]
    assert "time limit" in found["remark"]


def random_question(
    seed: int, logic: Logic, reading: str = "perfect", *, fair: bool = False
) -> tuple[System, Specification, list[State], Oracle]:
    rng = Random(seed)
    system = random_system(rng, largest=24)
    if fair:
        system = fairly(rng, system)
    operators = "bool ctl know" if logic == "CTL" else "bool star know"
    if (
        logic == "CTL" and not fair
    ):  # against fair runs, the oracle tries all strategies that there are
        operators += " atl"
    formula = random_formula(rng, system, 2, operators)
    oracle = Oracle(system, reading)
    states = sorted(oracle.reachable, key=repr)
    rng.shuffle(states)
    return system, Specification(formula, show_formula(formula), logic=logic), states, oracle


def expected(oracle: Oracle, formula: Formula, logic: Logic, state: State) -> str:
    try:
        return "true" if state in oracle.states(formula, logic) else "false"
    except TooMany:
        reject()


@examples(120)
@given(seeds, st.sampled_from(LOGICS), st.booleans())
def test_values_are_those_of_the_oracle(seed: int, logic: Logic, fair: bool) -> None:
    system, asked, states, oracle = random_question(seed, logic, fair=fair)
    with work_here():
        for state in states[:2]:
            found = value_here(system, asked, state, Budget(60), evidence=True)

            if found.value == "undefined":
                assert state not in oracle.universe or logic != "CTL"
                continue
            if state not in oracle.universe:
                assert plain_value(system, asked.formula, state) is not None
                continue
            assert expected(oracle, asked.formula, logic, state) == found.value
            if found.evidence is not None:
                why = found.evidence.explanation
                assert why is not None
                assert (found.value == "true", state) == (why.value, why.state)


@examples(60)
@given(seeds, st.sampled_from(["uniform", "uniform-subjective"]))
def test_values_with_little_sight_are_those_of_the_oracle(seed: int, reading: Any) -> None:
    system, asked, states, oracle = random_question(seed, "CTL", reading)
    with work_here():
        for state in states[:1]:
            found = value_here(system, asked, state, Budget(60), reading, evidence=True)

            assert expected(oracle, asked.formula, "CTL", state) == found.value


# What looks the same


def test_everything_that_an_agent_considers_possible_is_listed() -> None:
    asked = example("bit_transmission.ispl")
    here = walked(asked, 3)

    [sender, receiver] = asked.ask("run/alike", state=here, agents=["Sender", "Receiver"])["agents"]

    assert [("Sender", "bit"), ("Sender", "acknowledged")] == [
        (each["agent"], each["variable"]) for each in sender["sees"]
    ]
    assert here == sender["states"][0]
    assert all(state["Sender"] == here["Sender"] for state in sender["states"])
    assert (sender["total"], False, "") == (len(sender["states"]), sender["more"], sender["reason"])
    assert "Receiver" == receiver["agent"]


def test_of_many_states_some_are_listed_and_all_are_counted() -> None:
    asked = example("dining_cryptographers.ispl", n=9)
    here = asked.first()
    name = asked.system.agents[1].name

    [found] = asked.ask("run/alike", state=here, agents=[name], limit=5)["agents"]

    assert (5, True) == (len(found["states"]), found["more"])
    assert found["total"] > 200
    assert here == found["states"][0]


def test_where_there_is_no_end_of_states_some_are_looked_at() -> None:
    asked = example("unbounded/token_bucket.ispl")
    name = asked.system.agents[0].name

    [found] = asked.ask("run/alike", state=asked.first(), agents=[name])["agents"]

    assert found["more"]
    assert "states were looked at" in found["reason"]


def test_nobody_asks_for_the_sight_of_strangers() -> None:
    asked = example("nim.ispl")

    assert "bad-request" == asked.failure("run/alike", state=asked.first(), agents=["X"])[0]


@examples(80)
@given(seeds, st.booleans(), st.booleans())
def test_what_looks_the_same_is_what_has_the_same_view(
    seed: int, fair: bool, interleaved: bool
) -> None:
    rng = Random(seed)
    system = random_system(rng, interleaved=interleaved and not fair)
    if fair:
        system = fairly(rng, system)
    oracle = Oracle(system)
    if not oracle.reachable:
        return
    here = rng.choice(sorted(oracle.reachable, key=repr))
    names = [agent.name for agent in system.agents]
    with work_here():
        found = look_alikes(system, here, names, 1000, Budget(60))

    for agent, each in zip(system.agents, found, strict=True):
        alike = {s for s in oracle.universe if view(system, agent, s) == view(system, agent, here)}
        assert (alike, len(alike), True) == (set(each.states), each.total, each.complete)
        if here in alike:
            assert here == each.states[0]


# The way to a state


def test_the_way_to_a_state_leads_on_from_here() -> None:
    asked = example("bit_transmission.ispl")
    here = walked(asked, 2)

    found = asked.ask("run/seek", state=here, formula="acknowledged")

    assert ("here", "") == (found["from"], found["reason"])
    assert here == found["run"]["steps"][0]["state"]
    assert found["run"]["steps"][-1]["state"]["Sender"]["acknowledged"] is True
    assert all(step["lines"] for step in found["run"]["steps"][1:])


def test_what_is_behind_is_reached_from_the_start() -> None:
    asked = example("bit_transmission.ispl")
    later = asked.ask("run/seek", state=None, formula="acknowledged")["run"]["steps"][-1]["state"]

    found = asked.ask("run/seek", state=later, formula="!received")

    assert "start" == found["from"]
    assert asked.ask("run/replay", run=found["run"])["broken"] is None


def test_what_cannot_be_reached_is_told() -> None:
    asked = example("bit_transmission.ispl")

    found = asked.ask("run/seek", state=asked.first(), formula="acknowledged and !received")

    assert (None, None, "no such state can be reached") == (
        found["run"],
        found["from"],
        found["reason"],
    )


def test_a_state_need_not_be_fair_to_be_reached() -> None:
    text = BLINK.replace("on = !on", "on = false").replace("Lamp.on = false;", "Lamp.on = true;")
    asked = opened(text)

    assert "start" == asked.ask("run/seek", state=None, formula="!bright")["from"]
    assert (
        "no fair run comes to such a state"
        == asked.ask("run/seek", state=None, formula="!bright and EX true")["reason"]
    )


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("unbounded/ticket_lock.ispl", "inside[2]"),
        ("unbounded/token_bucket.ispl", "Environment.dropped = 3"),
    ],
)
def test_ways_in_unbounded_models_are_found(name: str, formula: str) -> None:
    asked = example(name)

    found = asked.ask("run/seek", state=walked(asked, 2), formula=formula)

    assert found["run"] is not None, found
    assert "true" == value(asked, found["run"]["steps"][-1]["state"], formula)


def test_ways_of_populations_are_found() -> None:
    asked = populated(example("parameterised/readers_writers.ispl"), Client=3)

    found = asked.ask("run/seek", state=asked.first(), formula="crowd")

    assert asked.ask("run/replay", run=found["run"])["broken"] is None
    assert "true" == value(asked, found["run"]["steps"][-1]["state"], "crowd")


@examples(100)
@given(seeds, st.booleans())
def test_ways_lead_to_where_the_formula_holds_or_there_is_none(seed: int, fair: bool) -> None:
    system, asked, states, oracle = random_question(seed, "CTL", fair=fair)
    if not states:
        return
    with work_here():
        found = seek(system, asked, states[0], Budget(60))
        here = found.run is not None and found.origin == "here"
        anywhere = {s for s in states if expected(oracle, asked.formula, "CTL", s) == "true"}

        if found.run is None:
            plain = [s for s in states if s in anywhere]
            assert found.reason in {
                "no such state can be reached",
                "no fair run comes to such a state",
            }
            assert [] == plain
            return
        steps = [step.state for step in found.run.steps]
        assert steps[-1] in anywhere or fair
        assert here == (steps[0] == states[0]) or found.origin == "start"
        if not here:
            assert holds(system.initial, system, steps[0])


def test_built_systems_have_no_text_to_look_things_up_in() -> None:
    system = random_system(Random(3))
    asked = built(system)
    [state, *_] = sorted(Oracle(system).reachable, key=repr)

    assert asked.ask("run/moves", state=of_state(state, system))["agents"]
