"""Games against strategies and answers, with random opponents."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from gnomon.checking.supervise import work_here
from gnomon.model.formula import (
    Bounded,
    Constant,
    Enforces,
    Finally,
    Formula,
    Globally,
    Next,
    Release,
    Until,
    WeakUntil,
    show_formula,
)
from gnomon.model.step import State
from gnomon.model.system import Specification, System
from gnomon.results.data import of_state
from tests.benches import Asked, built, example, opened
from tests.oracle.truth import Oracle
from tests.systems import examples, random_formula, random_system, seeds
from tests.unit.workbench.test_asking import COIN

READINGS = ("perfect", "uniform", "uniform-subjective")


def game(formula: str, side: str, strategies: str = "perfect", which: int = 0) -> dict[str, Any]:
    return {"formula": formula, "side": side, "strategies": strategies, "which": which}


# Against a strategy


def test_a_strategy_wins_against_whatever_is_done() -> None:
    asked = example("nim.ispl")
    chosen = "<Ann>F ann_wins"
    begun = asked.ask("play/begin", **game(chosen, "strategy"))

    assert "" == begun["reason"]
    assert begun["members"]
    assert not set(begun["members"]) & set(begun["others"])
    assert begun["drawing"]["boxes"][0]["state"] == begun["start"]
    for seed in range(10):
        assert "won" == played_out(asked, game(chosen, "strategy"), begun["start"], Random(seed))


def played_out(asked: Asked, sent: dict[str, Any], start: Any, rng: Random, most: int = 60) -> str:
    """Return how a game against a strategy ends; "open" where it goes on and on."""
    state, standing = start, "open"
    for step in range(most):
        turn = asked.ask("play/turn", **sent, state=state, step=step)
        standing = turn["standing"]
        if standing != "open":
            return str(standing)
        assert turn["theirs"] is not None
        for move in turn["yours"]:
            assert (
                turn["theirs"].items()
                <= {
                    **turn["theirs"],
                    **move["step"]["actions"],
                }.items()
            )
        move = rng.choice(turn["yours"])
        if not asked.system.interleaved:
            run = asked.ask("run/moves", state=state, chosen=turn["theirs"], limit=1000)
            assert move in run["moves"]
        state = move["step"]["state"]
    return standing


def test_strategies_by_cells_are_played_in_single_states() -> None:
    asked = example("unbounded/tunnels.ispl")
    formula = "<Controller[1]>G (Controller[1].counter >= 0)"
    begun = asked.ask("play/begin", **game(formula, "strategy"))

    assert "" == begun["reason"]
    assert begun["drawing"]["boxes"]
    for seed in range(3):
        assert "open" == played_out(
            asked, game(formula, "strategy"), begun["start"], Random(seed), 20
        )


def test_a_strategy_by_cells_gets_there() -> None:
    asked = example("unbounded/token_bucket.ispl")
    formula = "<Client, Environment>F busy"
    sent = game(formula, "strategy")
    begun = asked.ask("play/begin", **sent)

    assert "won" == played_out(asked, sent, begun["start"], Random(1), 120)


def test_next_is_won_after_one_step() -> None:
    asked = example("blind_guess.ispl")
    formula = "<player>X true"
    sent = game(formula, "strategy")
    begun = asked.ask("play/begin", **sent)

    first = asked.ask("play/turn", **sent, state=begun["start"], step=0)
    then = asked.ask("play/turn", **sent, state=first["yours"][0]["step"]["state"], step=1)

    assert ("open", "won") == (first["standing"], then["standing"])


def test_bounds_count_the_steps() -> None:
    asked = example("nim.ispl")
    sent = game("<Ann>F<=7 ann_wins", "strategy")
    begun = asked.ask("play/begin", **sent)

    assert "" == begun["reason"], begun
    assert "won" == played_out(asked, sent, begun["start"], Random(2), 25)


@pytest.mark.parametrize(
    ("formula", "side", "reason"),
    [
        ("EF won", "strategy", "no coalition"),
        ("<player>F won", "defence", "has a strategy"),
        ("<player>G won", "strategy", "has no strategy"),
    ],
)
def test_where_there_is_nothing_to_play_with_the_reason_is_told(
    formula: str, side: str, reason: str
) -> None:
    asked = example("blind_guess.ispl")

    begun = asked.ask("play/begin", **game(formula, side))

    assert reason in begun["reason"]
    assert begun["drawing"] is None
    assert (
        "unable"
        == asked.failure("play/turn", **game(formula, side), state=asked.first(), step=0)[0]
    )


def test_requests_that_make_no_sense_are_refused() -> None:
    asked = example("blind_guess.ispl")

    assert "bad-request" == asked.failure("play/begin", **game("<player>F won", "both"))[0]
    assert "bad-request" == asked.failure("play/begin", **game("<player>F won", "strategy", "x"))[0]
    assert (
        "bad-request"
        == asked.failure("play/begin", **game("<player>F won", "strategy", which=7))[0]
    )
    assert "bad-input" == asked.failure("play/begin", **game("<player>F", "strategy"))[0]


# Against answers


def test_every_choice_of_a_coalition_has_an_answer() -> None:
    asked = example("unbounded/ticket_lock.ispl")
    sent = game("<Process[1]>F inside[1]", "defence")
    begun = asked.ask("play/begin", **sent)

    assert ("", ["Process[1]"]) == (begun["reason"], begun["members"])
    assert begun["drawing"]["boxes"]
    assert beaten(asked, sent, begun["start"], Random(1)) == "open"


def beaten(asked: Asked, sent: dict[str, Any], start: Any, rng: Random, most: int = 12) -> str:
    """Return how a game against answers ends: each leads to a state with answers, or a lost one."""
    state, standing = start, "open"
    for step in range(most):
        turn = asked.ask("play/turn", **sent, state=state, step=step)
        standing = turn["standing"]
        if standing == "lost":
            return "lost"
        assert "open" == standing
        assert turn["yours"], turn
        choice = rng.choice(turn["yours"])["choice"]
        answer = asked.ask("play/turn", **sent, state=state, step=step, choice=choice)
        result = answer["result"]
        assert result is not None
        if not asked.system.interleaved:
            acting = {name: action for name, action in choice.items() if action != "-"}
            assert acting.items() <= result["actions"].items()
            found = asked.ask("run/moves", state=state, chosen=result["actions"], limit=1000)
            assert result["state"] in [move["step"]["state"] for move in found["moves"]]
        state = result["state"]
    return standing


def test_a_choice_that_is_none_has_no_answer() -> None:
    asked = example("unbounded/ticket_lock.ispl")
    sent = game("<Process[1]>F inside[1]", "defence")
    start = asked.ask("play/begin", **sent)["start"]

    assert (
        "bad-request"
        == asked.failure("play/turn", **sent, state=start, step=0, choice={"x": "y"})[0]
    )


def test_views_in_conflict_are_no_game() -> None:
    sent = game("<g>X won", "defence", "uniform-subjective")

    assert "could if it saw everything" in opened(COIN).ask("play/begin", **sent)["reason"]


# Laws


def random_game(seed: int) -> tuple[System, Enforces]:
    rng = Random(seed)
    system = random_system(rng, largest=24, interleaved=rng.random() < 0.2)

    def part() -> Formula:
        return random_formula(rng, system, rng.choice((0, 0, 1)), "bool ctl know")

    kind: Any = rng.choice((Next, Finally, Globally, Until, WeakUntil, Release))
    path: Any = kind(part()) if kind in (Next, Finally, Globally) else kind(part(), part())
    if kind is not Next and rng.random() < 0.2:
        path = Bounded(path, rng.choice((0, 1)), rng.choice((2, 3)))
    return system, Enforces(system.groups["g"], path)


def asked_about(system: System, formula: Formula) -> Asked:
    """Return the system on a bench, with this formula as its own: it need not be written and read."""
    own = Specification(formula, show_formula(formula))
    return built(replace(system, specifications=(own,)))


@examples(200)
@given(seeds, st.sampled_from(READINGS))
def test_strategies_win_against_random_opponents(seed: int, reading: str) -> None:
    system, formula = random_game(seed)
    asked = asked_about(system, formula)
    sent = game(show_formula(formula), "strategy", reading)
    rng = Random(seed)
    with work_here():
        begun = asked.send("play/begin", **sent)
        if "error" in begun or begun["result"]["drawing"] is None:
            return
        start = begun["result"]["start"]
        oracle = Oracle(system)
        states = {repr(of_state(each, system)): each for each in oracle.reachable}
        assert states[repr(start)] in oracle.initial
        path = play(asked, sent, start, rng, 2 * len(states) + 4)

    visited = [states[repr(each)] for each in path[0]]
    assert path[1] != "lost"
    assert meets(oracle, formula.path, visited, path[1])


def play(
    asked: Asked, sent: dict[str, Any], start: Any, rng: Random, most: int
) -> tuple[list[Any], str]:
    """Return the states of a game and how it ends."""
    path, standing = [start], "open"
    for step in range(most):
        turn = asked.ask("play/turn", **sent, state=path[-1], step=step)
        standing = turn["standing"]
        if standing != "open":
            break
        path.append(rng.choice(turn["yours"])["step"]["state"])
    return path, standing


def meets(oracle: Oracle, path: Formula, visited: list[State], standing: str) -> bool:
    """Return whether a game that ended like this, or goes round, is won by what the oracle says."""

    def among(part: Formula) -> list[bool]:
        inside = oracle.states(part)
        return [state in inside for state in visited]

    match path:
        case Next(body):
            return len(visited) < 2 or among(body)[1]
        case Finally(body):
            return meets(oracle, Until(Constant(True), body), visited, standing)
        case Globally(body):
            return all(among(body))
        case Until(left, right) | WeakUntil(left, right):
            goal, kept = among(right), among(left)
            if any(goal):
                return all(kept[: goal.index(True)])
            stays = isinstance(path, WeakUntil) or standing == "stuck"
            return stays and all(kept)
        case Release(left, right):
            free, kept = among(left), among(right)
            return all(kept[: free.index(True) + 1] if any(free) else kept)
        case Bounded(inner, low, high):
            goal_steps = range(low, min(high + 1, len(visited)))
            match inner:
                case Finally(body):
                    return standing == "stuck" or any(among(body)[n] for n in goal_steps)
                case Globally(body):
                    return all(among(body)[n] for n in goal_steps)
                case _:
                    return True
        case _:
            raise AssertionError(path)


@examples(200)
@given(seeds, st.sampled_from(READINGS))
def test_answers_lead_to_answers_or_to_where_all_is_lost(seed: int, reading: str) -> None:
    system, formula = random_game(seed)
    asked = asked_about(system, formula)
    sent = game(show_formula(formula), "defence", reading)
    with work_here():
        begun = asked.send("play/begin", **sent)
        if "error" in begun or begun["result"]["drawing"] is None:
            return
        start = begun["result"]["start"]
        standing = beaten(asked, sent, start, Random(seed), 10)

    assert standing == "lost" or isinstance(formula.path, Finally | Until)
    oracle = Oracle(system)
    try:
        lost = oracle.reachable - oracle.states(formula)
    except Exception:  # noqa: BLE001 - the oracle tries all strategies, which may be too many
        reject()
    assert of_state_in(start, lost, system)


def of_state_in(data: Any, states: Any, system: System) -> bool:
    return any(of_state(each, system) == data for each in states)
