"""Steps through models of all three kinds, asked for as the page does."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.checking.check import Options, check
from gnomon.model.evidence import Step
from gnomon.model.step import initial_states, moves
from gnomon.results.data import of_state, of_step
from gnomon.results.model_walk import lines_used
from tests.benches import Asked, built, example, opened
from tests.systems import examples, random_system, seeds

LAMP = """
Agent Lamp
  Vars:
    on : boolean;
    level : 0..2;
  end Vars
  Actions = {press, rest};
  Protocol:
    level < 2 : {press};
    Other : {rest};
  end Protocol
  Evolution:
    on = !on and level = level + 1 if Action = press;
  end Evolution
end Agent
Evaluation
  bright if Lamp.on = true;
end Evaluation
InitStates
  Lamp.level = 0;
end InitStates
Formulae
  EF bright;
end Formulae
"""

STUCK = """
Agent Ant
  Vars: x : 0..1; end Vars
  Actions = {go};
  Protocol: x = 0 : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
InitStates Ant.x = 0; end InitStates
Formulae EF Ant.x = 1; end Formulae
"""


def states_of(run: dict[str, Any]) -> list[Any]:
    return [step["state"] for step in run["steps"]]


def run_of(asked: Asked, steps: int = 6, seed: int = 1, start: Any = None) -> dict[str, Any]:
    first = asked.first() if start is None else start
    found = asked.ask("run/random", state=first, steps=steps, seed=seed)
    begin = {"state": first, "actions": None, "lines": {}}
    return {"steps": [begin, *found["steps"]], "loop": None, "back": None}


# Where a model begins


def test_initial_states_are_listed_as_far_as_wanted() -> None:
    asked = opened(LAMP)

    found = asked.ask("run/initial", limit=1)

    assert (1, True, "") == (len(found["states"]), found["more"], found["reason"])
    assert [{"on": False, "level": 0}, {"on": True, "level": 0}] == [
        state["Lamp"] for state in asked.ask("run/initial")["states"]
    ]


def test_a_model_without_initial_states_has_none() -> None:
    asked = opened(LAMP.replace("Lamp.level = 0;", "Lamp.level = 0 and Lamp.level = 1;"))

    assert {"states": [], "more": False, "reason": ""} == asked.ask("run/initial")


def test_of_initial_states_without_end_those_with_small_numbers_are_listed() -> None:
    text = STUCK.replace("x : 0..1", "x : int").replace("Ant.x = 0;", "Ant.x >= 0;")

    found = opened(text).ask("run/initial", limit=3)

    assert [0, 1, 2] == [state["Ant"]["x"] for state in found["states"]]
    assert found["more"]
    assert "infinitely many" in found["reason"]


def test_nobody_walks_through_templates_without_a_number() -> None:
    kind, words = example("parameterised/mutex.ispl").failure("run/initial")

    assert kind == "unable"
    assert "how many agents" in words


# Moves


def test_moves_have_their_lines_and_changes() -> None:
    asked = opened(LAMP)
    found = asked.ask("run/moves", state=asked.first())

    [move] = found["moves"]

    assert {"Lamp": "press"} == move["step"]["actions"]
    assert {"Lamp": [13]} == move["step"]["lines"]
    assert [
        {"agent": "Lamp", "variable": "on", "before": False, "after": True},
        {"agent": "Lamp", "variable": "level", "before": 0, "after": 1},
    ] == move["changes"]
    assert [{"agent": "Lamp", "actions": [{"name": "press", "lines": [9]}]}] == found["agents"]
    assert [] == found["propositions"]


def test_the_line_of_other_is_told() -> None:
    asked = opened(LAMP)

    found = asked.ask("run/moves", state={"Lamp": {"on": True, "level": 2}})

    assert [{"name": "rest", "lines": [10]}] == found["agents"][0]["actions"]
    assert ["bright"] == found["propositions"]


def test_moves_come_in_pages() -> None:
    asked = example("bit_transmission.ispl")
    state = asked.first()

    pages = [
        asked.ask("run/moves", state=state, offset=offset, limit=3)["moves"]
        for offset in range(0, 6, 3)
    ]

    assert [3, 1] == [len(page) for page in pages]
    assert asked.ask("run/moves", state=state)["moves"] == [*pages[0], *pages[1]]


def test_moves_are_found_by_words_in_actions_and_new_values() -> None:
    asked = example("bit_transmission.ispl")
    state = asked.first()

    def found(words: str) -> list[str]:
        moves = asked.ask("run/moves", state=state, filter=words)["moves"]
        return [move["step"]["actions"]["Environment"] for move in moves]

    assert ["both", "forward"] == found("got=zero")
    assert ["forward"] == found("got FORWARD")
    assert [] == found("got=one")


def test_only_moves_with_what_was_chosen_are_listed_however_many_there_are() -> None:
    """Twenty agents with three actions each: billions of joint actions."""
    agents = "\n".join(
        f"""Agent a{n} Vars: x : 0..2; end Vars Actions = {{a, b, c}};
        Protocol: Other : {{a, b, c}}; end Protocol
        Evolution: x = 1 if Action = b; x = 2 if Action = c; end Evolution end Agent"""
        for n in range(20)
    )
    start = " and ".join(f"a{n}.x = 0" for n in range(20))
    asked = opened(
        f"{agents} InitStates {start}; end InitStates Formulae EF a0.x = 1; end Formulae"
    )
    state = asked.first()
    chosen = {f"a{n}": "b" for n in range(19)}

    found = asked.ask("run/moves", state=state, chosen=chosen)
    whole = asked.ask("run/moves", state=state)

    assert (3, "") == (found["total"], found["cut"])
    assert ["a", "b", "c"] == [move["step"]["actions"]["a19"] for move in found["moves"]]
    assert whole["cut"]
    assert whole["deadlock"] is False


def test_what_an_agent_may_not_do_gives_no_move() -> None:
    asked = opened(LAMP)

    found = asked.ask("run/moves", state=asked.first(), chosen={"Lamp": "rest"})

    assert ([], False) == (found["moves"], found["deadlock"])


def test_deadlocks_and_terminal_states_are_told_apart() -> None:
    plain, ending = (
        opened(STUCK),
        opened(
            STUCK.replace("Formulae EF", "TerminalStates Ant.x = 1; end TerminalStates Formulae EF")
        ),
    )
    state = {"Ant": {"x": 1}}

    def ends(asked: Asked) -> tuple[Any, ...]:
        found = asked.ask("run/moves", state=state)
        return found["deadlock"], found["may_end"], found["moves"]

    assert (True, False, []) == ends(plain)
    assert (True, True, []) == ends(ending)


def test_moves_that_leave_a_range_are_counted() -> None:
    asked = opened(STUCK.replace("x = x + 1", "x = x + 2"))

    found = asked.ask("run/moves", state=asked.first())

    assert ([], 1, True) == (found["moves"], found["overflows"], found["deadlock"])


def test_large_numbers_survive_the_journey() -> None:
    text = STUCK.replace("x : 0..1", "x : int").replace("x = 0 : {go}", "Other : {go}")
    text = text.replace("x = x + 1 if", "x = x * 1000003 + 1 if")
    asked = opened(text)

    run = run_of(asked, 20)
    last = run["steps"][-1]["state"]["Ant"]["x"]

    assert isinstance(last, str)
    assert int(last) > 2**53
    assert asked.ask("run/replay", run=run)["broken"] is None
    assert 1 == asked.ask("run/moves", state=run["steps"][-1]["state"])["total"]


@pytest.mark.parametrize(
    "state",
    [
        None,
        3,
        {},
        {"Lamp": {}},
        {"Lamp": {"on": 1, "level": 0}},
        {"Lamp": {"on": True, "level": 3}},
    ],
)
def test_what_is_no_state_is_refused(state: Any) -> None:
    assert "bad-request" == opened(LAMP).failure("run/moves", state=state)[0]


def test_an_agent_that_is_not_there_cannot_choose() -> None:
    asked = opened(LAMP)

    assert "bad-request" == asked.failure("run/moves", state=asked.first(), chosen={"X": "a"})[0]


@examples(60)
@given(seeds, st.booleans())
def test_moves_are_those_of_the_reference(seed: int, interleaved: bool) -> None:
    rng = Random(seed)
    system = random_system(rng, interleaved=interleaved)
    asked = built(system)
    state = next(initial_states(system), None)
    if state is None:
        return
    every = [move for move in moves(system, state) if move.target is not None]
    expected = {(move.actions, move.target) for move in every}
    chosen: dict[str, str] = {}
    with_it = expected
    if every:
        agent = rng.choice(system.agents)
        index = system.agent_index[agent.name]
        chosen = {agent.name: rng.choice(every).actions[index]}
        with_it = {pair for pair in expected if pair[0][index] == chosen[agent.name]}

    data = of_state(state, system)
    found = asked.ask("run/moves", state=data, limit=1000)

    assert len(expected) == found["total"]
    told = [move["step"] for move in found["moves"]]
    steps = [
        of_step(Step(move.target, move.actions, lines_used(move.alternatives)), system)
        for move in every
        if move.target is not None
    ]
    assert all(step in steps for step in told)
    assert found["deadlock"] is (not expected)
    assert len(with_it) == asked.ask("run/moves", state=data, chosen=chosen)["total"]


# Steps at random


def test_steps_at_random_repeat_with_their_seed() -> None:
    asked = example("bit_transmission.ispl")

    assert run_of(asked, 9, 4) == run_of(asked, 9, 4)
    assert run_of(asked, 9, 4) != run_of(asked, 9, 5)


def test_a_random_walk_says_where_it_stops() -> None:
    asked = opened(STUCK)

    found = asked.ask("run/random", state=asked.first(), steps=5, seed=0)

    assert 1 == len(found["steps"])
    assert "deadlock" in found["stopped"]


def test_numbers_that_double_their_length_stop_a_walk() -> None:
    text = STUCK.replace("x : 0..1", "x : int").replace("x = 0 : {go}", "Other : {go}")
    asked = opened(text.replace("x = x + 1 if", "x = (x + 3) * (x + 3) if"))

    found = asked.ask("run/random", state=asked.first(), steps=100, seed=0)

    assert "digits" in found["stopped"]


# Replaying


@pytest.mark.parametrize(
    "name", ["bit_transmission.ispl", "nim.ispl", "unbounded/ticket_lock.ispl"]
)
def test_walks_are_replayed(name: str) -> None:
    asked = example(name)
    run = run_of(asked, 12)

    found = asked.ask("run/replay", run=run)

    assert (None, "") == (found["broken"], found["reason"])
    assert run == found["run"]


def test_actions_that_are_not_told_are_found() -> None:
    asked = example("bit_transmission.ispl")
    run = run_of(asked, 5)
    bare = {"steps": [{"state": state} for state in states_of(run)]}

    found = asked.ask("run/replay", run=bare)

    assert found["broken"] is None
    assert states_of(run) == states_of(found["run"])
    assert all(step["actions"] for step in found["run"]["steps"][1:])


def test_a_run_that_is_none_is_told_up_to_where_it_breaks() -> None:
    asked = opened(LAMP)
    run = run_of(asked, 2)
    run["steps"][2]["state"]["Lamp"]["on"] = not run["steps"][2]["state"]["Lamp"]["on"]

    found = asked.ask("run/replay", run=run)

    assert 2 == found["broken"]
    assert 2 == len(found["run"]["steps"])
    assert "this does not lead to this state" == found["reason"]


def test_a_run_begins_in_an_initial_state() -> None:
    asked = opened(LAMP)
    run = {"steps": [{"state": {"Lamp": {"on": True, "level": 1}}}]}

    found = asked.ask("run/replay", run=run)

    assert (0, [], "this is no initial state of the model") == (
        found["broken"],
        found["run"]["steps"],
        found["reason"],
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"actions": {"Lamp": "rest"}}, "Lamp may not do `rest` here"),
        ({"actions": {"Lamp": "fly"}}, "Lamp has no action `fly`"),
        ({"actions": {"Moon": "rise"}}, "there is no agent Moon in this model"),
        ({"state": {"Moon": {"up": True}}}, "there is no Moon.up in this model"),
        ({"state": {"Lamp": {"on": True, "level": 9}}}, "Lamp.level cannot have this value"),
    ],
)
def test_a_step_that_is_none_says_why(change: dict[str, Any], reason: str) -> None:
    asked = opened(LAMP)
    run = run_of(asked, 1)
    run["steps"][1].update(change)

    found = asked.ask("run/replay", run=run)

    assert (1, reason) == (found["broken"], found["reason"])


def test_loops_are_closed_by_a_move() -> None:
    asked = opened(LAMP)
    run = run_of(asked, 2)
    last = run["steps"][-1]["state"]
    back = {"state": last, "actions": {"Lamp": "rest"}, "lines": {}}

    closed = asked.ask("run/replay", run={**run, "loop": 2, "back": back})
    never = asked.ask(
        "run/replay", run={**run, "loop": 0, "back": {**back, "state": run["steps"][0]["state"]}}
    )

    assert (None, 2) == (closed["broken"], closed["run"]["loop"])
    assert {"Lamp": "rest"} == closed["run"]["back"]["actions"]
    assert (3, "this does not lead back to where the loop begins") == (
        never["broken"],
        never["reason"],
    )
    assert never["run"]["loop"] is None


@pytest.mark.parametrize(
    "run",
    [
        None,
        {},
        {"steps": []},
        {"steps": [3]},
        {"steps": [{"state": {"A": 3}}]},
        {"steps": [{"state": {}, "actions": {"A": 3}}]},
        {"steps": [{"state": {}}], "loop": 1},
        {"steps": [{"state": {}}], "loop": True},
    ],
)
def test_what_is_no_run_is_refused(run: Any) -> None:
    assert "bad-request" == opened(LAMP).failure("run/replay", run=run)[0]


def random_walk(asked: Asked, rng: Random) -> dict[str, Any] | None:
    starts = list(islice(initial_states(asked.system), 5))
    if not starts:
        return None
    start = of_state(rng.choice(starts), asked.system)
    return run_of(asked, rng.randrange(8), rng.randrange(1000), start)


@examples(100)
@given(seeds, st.booleans())
def test_every_random_walk_is_replayed_as_it_was(seed: int, interleaved: bool) -> None:
    rng = Random(seed)
    asked = built(random_system(rng, interleaved=interleaved))
    run = random_walk(asked, rng)
    if run is None:
        return

    found = asked.ask("run/replay", run=run)

    assert found["broken"] is None
    assert states_of(run) == states_of(found["run"])
    assert [s["actions"] for s in run["steps"]] == [s["actions"] for s in found["run"]["steps"]]


@examples(200)
@given(seeds, st.booleans())
def test_a_changed_walk_is_replayed_only_where_it_is_still_one(
    seed: int, interleaved: bool
) -> None:
    rng = Random(seed)
    system = random_system(rng, interleaved=interleaved)
    asked = built(system)
    run = random_walk(asked, rng)
    if run is None or not system.variables:
        return
    place = rng.randrange(len(run["steps"]))
    step = run["steps"][place]
    if place and rng.random() < 0.5:
        able = [agent for agent in system.agents if agent.actions]
        if not able:
            return
        agent = rng.choice(able)
        step["actions"][agent.name] = rng.choice(agent.actions)
    else:
        other = rng.choice(list(islice(initial_states(system), 5)))
        step["state"] = of_state(other, system)

    found = asked.ask("run/replay", run=run)

    assert is_run(system, run) is (found["broken"] is None)


def is_run(system: Any, run: dict[str, Any]) -> bool:
    """Return whether each step is one of the reference's moves, by looking at all of them."""
    steps = run["steps"]
    if steps[0]["state"] not in [of_state(state, system) for state in initial_states(system)]:
        return False
    now = {  # the states that are shown like that: there is one
        state for state in initial_states(system) if of_state(state, system) == steps[0]["state"]
    }
    for step in steps[1:]:
        now = {
            move.target
            for state in now
            for move in moves(system, state)
            if move.target is not None
            and of_state(move.target, system) == step["state"]
            and all(
                move.actions[system.agent_index[name]] == action
                for name, action in step["actions"].items()
            )
        }
    return bool(now)


# Cells


def test_a_state_is_told_by_its_predicates() -> None:
    asked = opened(LAMP)
    texts = ["Lamp.level < 1", "bright", "AG bright", "Moon.up = true", "a = ("]
    predicates = [{"text": text, "origin": "here"} for text in texts]

    found = asked.ask("run/cell", state=asked.first(), predicates=predicates)

    assert [True, False, None, None, None] == [part["holds"] for part in found["parts"]]
    assert texts == [part["text"] for part in found["parts"]]
    assert "bad-request" == asked.failure("run/cell", state=asked.first(), predicates=[3])[0]


def test_the_predicates_that_cells_are_cut_by_can_be_looked_up() -> None:
    asked = example("unbounded/tunnels.ispl")
    result = check(asked.system, options=Options())
    predicates = [{"text": text, "origin": origin} for text, origin in result.predicates]

    found = asked.ask("run/cell", state=asked.first(), predicates=predicates)

    assert found["parts"]
    assert all(part["holds"] is not None for part in found["parts"])
