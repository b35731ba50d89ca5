"""A walk through a model from Python."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

import gnomon
from gnomon.api.models import Model
from gnomon.checking import check as checking
from gnomon.workbench import state_queries
from tests.support import EXAMPLES

TICKETS = str(EXAMPLES / "tickets.ispl")
BITS = str(EXAMPLES / "bit_transmission.ispl")


@pytest.fixture
def walk() -> gnomon.Walk:
    return gnomon.load(BITS).walk()


def counter(n: int = 3, *, terminal: bool = False, bound: int | None = None) -> Model:
    """Return somebody who counts to `n` and then can do nothing."""
    b = gnomon.SystemBuilder("counter")
    p = b.agent("P[1,2]", actions=["up", "skip"])
    x = p.integer("x", 0, n if bound is None else bound)
    p.boolean("y", initial=False)
    p.may("up", "skip", when=x < n)
    p.evolve({x: x + 1}, when=p.does("up"))
    return b.build(initial=x == 0, terminal=(x >= n) if terminal else None)


# Where it stands


def test_a_state_is_read_by_agent_and_variable(walk: gnomon.Walk) -> None:
    assert "zero" == walk.state["Sender"]["bit"]
    assert walk.state["Sender"]["acknowledged"] is False
    assert ("zero",) == walk.propositions
    assert (0, 0) == (walk.number, walk.depth)


def test_moves_are_numbered_and_say_what_changes(walk: gnomon.Walk) -> None:
    first = walk.moves[0]

    assert [1, 2, 3, 4] == [move.number for move in walk.moves]
    assert "send_zero" == first.actions["Sender"]
    assert {"Environment.channel": "both", "Receiver.got": "zero"} == first.changes
    assert "zero" == first.state["Receiver"]["got"]
    assert [2, 3] == [move.number for move in walk.moves[1:3]]


def test_a_walk_says_where_it_is(walk: gnomon.Walk) -> None:
    walk.choose(1)

    assert f"<walk through {BITS}: state 1, 1 step in>" == repr(walk)
    assert "state 1 · 1 step in" in str(walk)
    assert "what changes" in str(walk.moves)
    assert "▸" in str(walk.history)
    assert "send_zero" in str(walk.trace)
    assert 2 == len(walk.trace) == len(walk.history)


# Choosing


def test_a_step_is_chosen_by_number_by_actions_by_values_or_as_a_move(walk: gnomon.Walk) -> None:
    states = [
        walk.fork().choose(2).state,
        walk.fork().choose(Environment="forward").state,
        walk.fork().choose({"Environment": "forward", "Sender": "send_zero"}).state,
        walk.fork().choose("Environment=forward, Receiver=wait").state,
        walk.fork().choose({"Environment.channel": "forward"}).state,
        walk.fork().choose(walk.moves[1]).state,
        walk.fork().choose({"Environment.Action": "forward"}).state,
    ]

    assert all(states[0] == each for each in states)


def test_names_with_indices_are_chosen_in_a_text_or_a_mapping() -> None:
    wishes: list[Any] = ["P[1,2]=up", "P[1, 2]=up", "P[1,2].x=1", {"P[1,2]": "up"}]
    for wish in [*wishes, {"P[1, 2].x": 1}]:
        assert 1 == counter().walk().choose(wish).state["P[1,2]"]["x"]


WRONG: list[Any] = [
    0,
    -1,
    5,
    10**30,
    True,
    1.0,
    None,
    (),
    {},
    "",
    "forward",
    "Nobody=x",
    "Sender=x",
    "Sender.x=1",
    "Environment.channel=nowhere",
    {"Sender": None},
    {"Sender": ["send_zero"]},
    {None: 1},
    {"Sender": "wait"},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_step_that_cannot_be_taken_changes_nothing(walk: gnomon.Walk, wrong: Any) -> None:
    walk.choose(1)
    with pytest.raises(gnomon.WalkError):
        walk.choose(wrong)

    assert (1, 1, 2) == (walk.number, walk.depth, len(walk.history))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"Sendr": "wait"}, "did you mean `Sender`"),
        ({"Sender": "send_zer"}, "did you mean `send_zero`"),
        ({"Sender.bitt": "one"}, "did you mean `bit`"),
        ({"Sender": "wait"}, "`Sender` can do send_zero here"),
        ({"Sender": "send_zero"}, r"4 moves have Sender=send_zero: 1, 2, 3, 4"),
        (9, "there is no move 9: there are 4"),
    ],
)
def test_what_is_wrong_with_a_choice_is_said(walk: gnomon.Walk, wrong: Any, said: str) -> None:
    with pytest.raises(gnomon.WalkError, match=said):
        walk.choose(wrong)


def test_a_move_from_elsewhere_is_not_possible_here(walk: gnomon.Walk) -> None:
    elsewhere = walk.fork().choose(1).moves[0]
    other = gnomon.load(TICKETS).walk().moves[0]

    for move in (elsewhere, other):
        with pytest.raises(gnomon.WalkError, match="not possible here"):
            walk.choose(move)


def test_among_very_many_moves_one_is_found_by_its_actions() -> None:
    b = gnomon.SystemBuilder("crowd")
    for number in range(30):
        agent = b.agent(f"A{number}", actions=["go", "stay"])
        at = agent.boolean("at", initial=False)
        agent.otherwise("go", "stay")
        agent.evolve({at: True}, when=agent.does("go"))
    walk = b.build().walk(timeout=2)
    wish = {f"A{number}": "go" if number == 29 else "stay" for number in range(30)}

    assert walk.choose(wish).state["A29"]["at"] is True
    assert walk.moves.cut
    with pytest.raises(gnomon.WalkError, match="moves have A3=go"):
        walk.choose(A3="go")
    assert 10 == walk.random(9).depth


def test_who_allows_more_time_finds_more_moves() -> None:
    walk = counter().walk(timeout=1e-9)
    move = counter().walk().moves[0]

    assert "time limit" in walk.moves.cut
    with pytest.raises(gnomon.WalkError, match="was not found"):
        walk.choose(move)
    walk.timeout = 5.0
    assert ("", 2) == (walk.moves.cut, len(walk.moves))
    assert move.state == walk.choose(move).state


# Going back, and elsewhere


def test_steps_are_undone_and_taken_again(walk: gnomon.Walk) -> None:
    walk.choose(1).choose(1)

    assert (0, 2) == (walk.undo(2).number, walk.redo(2).number)
    with pytest.raises(gnomon.WalkError, match="nothing to undo"):
        walk.undo(3)
    assert 2 == walk.number
    with pytest.raises(gnomon.WalkError, match="nothing was undone"):
        walk.redo()
    assert 1 == walk.goto(1).number
    with pytest.raises(gnomon.WalkError, match="not visited"):
        walk.goto(7)


def test_one_of_several_initial_states_is_chosen() -> None:
    model = gnomon.load(BITS)

    assert ["zero", "one"] == [each["Sender"]["bit"] for each in model.walk().initial_states()]
    assert "one" == model.walk(2).state["Sender"]["bit"]
    assert "one" == model.walk().restart(2).state["Sender"]["bit"]
    with pytest.raises(gnomon.WalkError, match="no initial state 3"):
        model.walk(3)
    for wrong in (0, True, "1"):
        with pytest.raises(ValueError, match="not a number from 1 on"):
            model.walk(wrong)  # type: ignore[arg-type]


def test_a_fork_and_a_copy_go_their_own_ways(walk: gnomon.Walk) -> None:
    walk.choose(1)
    others = [walk.fork(), copy.copy(walk), copy.deepcopy(walk), pickle.loads(pickle.dumps(walk))]
    for other in others:
        other.choose(1).undo().choose(2)

    assert (1, 2) == (walk.number, len(walk.history))
    assert all(4 == len(other.history) for other in others)


def test_a_model_can_be_copied_and_sent_to_other_processes() -> None:
    for model in (gnomon.load(BITS), counter()):
        for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
            assert model.walk().state == other.walk().state
            assert repr(model) == repr(other)


def test_walks_in_threads_do_not_meet() -> None:
    model = gnomon.load(TICKETS)

    def wander(seed: int) -> tuple[int, bool | None]:
        walk = model.walk(seed=seed).random(20)
        return walk.state["Environment"]["waiting"], walk.holds("AG !full")  # type: ignore[return-value]

    with ThreadPoolExecutor(4) as pool:
        assert list(map(wander, range(8))) == list(pool.map(wander, range(8)))


# By chance


def test_the_same_seed_is_the_same_run() -> None:
    model = gnomon.load(BITS)
    one, two, other = (model.simulate(10, seed=seed) for seed in (3, 3, 4))

    assert one.states == two.states
    assert one.states != other.states
    assert 11 == len(one)
    assert 3 == one.seed
    assert f"<run of {BITS}: 10 steps, seed 3>" == repr(one)
    assert one.states == model.walk().random(10, seed=3).trace.states


def test_without_a_seed_the_run_tells_its_own() -> None:
    model = gnomon.load(BITS)
    trace = model.simulate(8)

    assert trace.states == model.simulate(8, seed=trace.seed).states
    assert model.walk().trace.seed is None


def test_a_random_run_that_ends_says_why() -> None:
    walk = counter().walk(seed=1).random(1000)

    assert walk.stopped.startswith("a deadlock after")
    assert "a deadlock after" in repr(walk.trace)
    assert "a deadlock after" in str(walk.trace)
    assert "" == walk.undo().stopped
    for wrong in (-1, 1.5, True, "3"):
        with pytest.raises(ValueError, match="not a number from 0 on"):
            walk.random(wrong)  # type: ignore[arg-type]


def test_a_trace_is_data(walk: gnomon.Walk) -> None:
    trace = walk.choose(1).trace
    first, second = trace

    assert {} == first.actions
    assert "both" == second.actions["Environment"]
    assert {"Environment.channel": "both", "Receiver.got": "zero"} == second.changes
    assert ["steps", "loop", "back"] == [*trace.to_dict()]
    assert '"states"' in trace.to_itf()
    assert [second.state] == [each.state for each in trace[1:]]
    assert second.state == trace[-1].state
    with pytest.raises(IndexError):
        _ = trace[2]


# Deadlocks, ends, overflows


def test_a_deadlock_is_one_and_a_terminal_state_may_be_the_end() -> None:
    for terminal in (False, True):
        walk = counter(1, terminal=terminal).walk()
        assert walk.deadlock is False
        walk.choose({"P[1,2]": "up"})

        assert walk.deadlock is True
        assert terminal is walk.may_end
        assert ("terminal" if terminal else "deadlock") in str(walk)
        with pytest.raises(gnomon.WalkError, match="deadlock"):
            walk.choose(1)
        assert walk.random(5).stopped


def test_a_move_that_overflows_is_no_way_on() -> None:
    walk = counter(3, bound=1).walk().choose({"P[1,2].x": 1})

    assert 1 == walk.moves.overflows
    assert "would leave its range" in str(walk)
    with pytest.raises(gnomon.WalkError, match=r"no move here has P\[1,2\]=up"):
        walk.choose({"P[1,2]": "up"})


def test_events_are_chosen_one_at_a_time() -> None:
    b = gnomon.SystemBuilder("handshake", semantics="Interleaved")
    left = b.agent("Left", actions=["work", "meet"])
    right = b.agent("Right", actions=["meet"])
    met = right.boolean("met")
    left.otherwise("work", "meet")
    right.otherwise("meet")
    right.evolve({met: True}, when=left.does("meet"))
    walk = b.build(initial=~met).walk()

    assert [{"Left": "work"}, {"Left": "meet", "Right": "meet"}] == [
        move.actions for move in walk.moves
    ]
    assert walk.fork().choose(Right="meet").state["Right"]["met"] is True
    assert walk.fork().choose(Left="work").state["Right"]["met"] is False


# What holds here


def test_formulae_are_evaluated_where_one_stands() -> None:
    walk = gnomon.load(BITS).walk()
    before = walk.evaluate("K(Receiver, Sender.bit = zero)")
    after = walk.choose(2).evaluate("K(Receiver, Sender.bit = zero)")

    assert (False, True) == (before.holds, after.holds)
    assert before.evidence is not None and "does not know" in str(before.evidence)
    assert "<K(Receiver, Sender.bit = zero): false>" == repr(before)
    assert after.value is gnomon.Value.TRUE
    assert walk.holds("K(Sender, received)") is False
    assert walk.evaluate("<Environment>F received").strategies == "perfect"


@pytest.mark.parametrize("formula", ["", "AG", "nothing", "K(Nobody, zero)", "AG zero; AG zero"])
def test_a_bad_formula_is_an_input_error(walk: gnomon.Walk, formula: str) -> None:
    with pytest.raises(gnomon.InputError):
        walk.evaluate(formula)
    assert 0 == walk.number


def test_a_reading_for_the_whole_model_says_nothing_here(walk: gnomon.Walk) -> None:
    with pytest.raises(ValueError, match="another reading"):
        walk.evaluate("<Sender>F received", strategies="uniform-model")


def test_what_takes_too_long_is_unknown_and_says_why() -> None:
    b = gnomon.SystemBuilder("large")
    for number in range(40):
        agent = b.agent(f"A{number}", actions=["a", "b"])
        x = agent.integer("x", 0, 1000, initial=0)
        agent.otherwise("a", "b")
        agent.evolve({x: (x * 3 + 1) % 1000}, when=agent.does("a"))
    walk = b.build().walk(timeout=0.5)
    answer = walk.evaluate("AG (A1.x * A2.x * A3.x * A4.x < 999999)")

    assert gnomon.Value.UNKNOWN is answer.value or answer.holds is not None
    assert answer.holds is not None or answer.reason
    assert walk.evaluate("A1.x = 0").holds is True


def test_what_looks_the_same_is_what_an_agent_considers_possible(walk: gnomon.Walk) -> None:
    found = walk.look_alikes("Receiver")

    assert walk.state == found[0]
    assert {"zero", "one"} == {state["Sender"]["bit"] for state in found}
    assert (4, 4, True) == (len(found), found.total, found.complete)
    assert "3 other states" in str(found)
    assert 2 == len(walk.look_alikes("Receiver", limit=2))
    with pytest.raises(gnomon.WalkError, match="did you mean `Sender`"):
        walk.look_alikes("Sendr")


def test_a_run_that_explains_an_answer_can_be_followed() -> None:
    model = gnomon.load(TICKETS)
    [answer] = model.check("AG !full")
    walk = model.walk().follow(answer)

    assert ("full",) == walk.propositions
    assert 3 == walk.depth
    assert walk.state == model.walk().follow(walk.trace).state
    assert answer.evidence is not None
    assert walk.state == model.walk().follow(answer.evidence).state
    with pytest.raises(gnomon.WalkError, match="another model"):
        gnomon.load(BITS).walk().follow(answer)
    with pytest.raises(gnomon.WalkError, match="no evidence"):
        walk.follow(model.check("EF full", evidence=False)[0])


# Models of other kinds


def test_models_without_bounds_are_walked_through() -> None:
    walk = gnomon.load(TICKETS).walk()

    assert 3 == walk.choose(1).choose(Customer="join", Clerk="rest").random(1, seed=2).depth


def test_of_infinitely_many_initial_states_it_begins_in_one_with_small_numbers() -> None:
    b = gnomon.SystemBuilder("anywhere")
    p = b.agent("P", actions=["a"])
    x = p.integer("x")
    p.otherwise("a")
    walk = b.build(initial=x > 3).walk()

    assert walk.state == {"P": {"x": 4}}


def test_without_an_initial_state_there_is_no_walk() -> None:
    b = gnomon.SystemBuilder("nowhere")
    p = b.agent("P", actions=["a"])
    x = p.boolean("x")
    p.otherwise("a")
    with pytest.raises(gnomon.WalkError, match="initial state"):
        b.build(initial=x & ~x).walk()


def test_templates_are_walked_through_with_a_number_of_agents() -> None:
    model = gnomon.load(str(EXAMPLES / "parameterised" / "mutex.ispl"))
    assert isinstance(model, gnomon.OpenModel)
    for method in (model.walk, model.simulate):
        with pytest.raises(ValueError, match=r"`with_agents\(.*=3.*\)\.(walk|simulate)\(\)`"):
            method()
    template = model.open.templates[0].name
    assert model.with_agents(**{template: 2}).walk().moves


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "1", None])
def test_numbers_that_are_none_are_refused(walk: gnomon.Walk, wrong: Any) -> None:
    for method in (walk.undo, walk.redo, walk.goto, walk.random, walk.restart, walk.initial_states):
        with pytest.raises(ValueError, match="not a number from"):
            method(wrong)
    with pytest.raises(ValueError, match="not a number from 1 on"):
        walk.look_alikes("Sender", wrong)
    assert 1 == len(walk.history)


def test_what_is_no_formula_and_no_run_is_refused(walk: gnomon.Walk) -> None:
    with pytest.raises(TypeError, match="3 is no formula"):
        walk.evaluate(3)  # type: ignore[arg-type]
    with pytest.raises(gnomon.WalkError, match="3 is no run"):
        walk.follow(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("limits", [{"timeout": 0}, {"timeout": "x"}, {"memory": -1}])
def test_limits_that_are_none_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(gnomon.InputError, match="above 0"):
        gnomon.load(BITS).walk(**limits)


@pytest.mark.parametrize("formula", ["zero", "EF received"])
@pytest.mark.parametrize("wrong", [{"strategies": "perfekt"}, {"evidence": "yes"}])
def test_what_is_no_way_to_evaluate_is_refused(
    walk: gnomon.Walk, formula: str, wrong: dict[str, Any]
) -> None:
    with pytest.raises(gnomon.InputError, match="is not a choice"):
        walk.evaluate(formula, **wrong)


def test_whoever_interrupts_an_evaluation_ends_it(
    walk: gnomon.Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*asked: Any) -> Any:
        return replace(checking.check(*asked), interrupted=True)

    monkeypatch.setattr(state_queries, "check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        walk.evaluate("EF received")
    assert 0 == walk.number
