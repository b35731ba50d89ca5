from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.step import initial_states, successors
from gnomon.results.model_walk import ModelWalk, WalkError, explore
from tests.unit.results import samples


@pytest.fixture
def walk() -> ModelWalk:
    walk = ModelWalk(samples.system())
    walk.start(1)
    return walk


def test_a_step_can_be_undone_and_redone(walk: ModelWalk) -> None:
    walk.take(1)
    walk.undo()
    assert walk.at == 0
    walk.redo()
    assert walk.at == 1


def test_a_step_from_an_earlier_state_forks(walk: ModelWalk) -> None:
    walk.take(1)
    walk.goto(0)
    walk.take(2)

    assert [visit.parent for visit in walk.visits] == [None, 0, 0]
    assert [visit.number for visit in walk.path()] == [0, 2]


def test_the_same_step_from_the_same_state_leads_to_the_same_visit(walk: ModelWalk) -> None:
    walk.take(1)
    walk.undo()
    walk.take(1)

    assert len(walk.visits) == 2


def test_a_new_step_forgets_what_was_undone(walk: ModelWalk) -> None:
    walk.take(1)
    walk.undo()
    walk.take(2)

    with pytest.raises(WalkError, match="nothing was undone"):
        walk.redo()


@pytest.mark.parametrize("number", [0, 99])
def test_what_cannot_be_done_is_said(walk: ModelWalk, number: int) -> None:
    with pytest.raises(WalkError, match=f"no move {number}: there are 3"):
        walk.take(number)
    with pytest.raises(WalkError, match=f"no initial state {number}"):
        walk.start(number)
    with pytest.raises(WalkError, match="initial state"):
        walk.undo()
    with pytest.raises(WalkError, match="not visited"):
        walk.goto(number + 1)


@given(st.integers(), st.integers(0, 10))
def test_a_random_walk_is_a_run_of_the_model(seed: int, steps: int) -> None:
    walk = ModelWalk(samples.system())
    walk.start(1)
    random = Random(seed)
    for _ in range(steps):
        walk.take_random(random)
    states = [step.state for step in walk.run().steps]

    assert len(states) == steps + 1
    assert states[0] in set(initial_states(samples.system()))
    assert all(after in successors(samples.system(), before) for before, after in pairwise(states))


def test_exploring_stops_at_the_limit() -> None:
    assert len(list(explore(samples.system(), 7))) == 7
    assert len(set(explore(samples.system(), 1000))) == 20
