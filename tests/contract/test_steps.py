"""The steps of an engine are those of the reference semantics."""

from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.listed_states import ways_to
from gnomon.engines.explicit.engine import explore
from gnomon.model import step
from gnomon.model.agent import Agent
from gnomon.model.initial import assignments_satisfying
from gnomon.model.step import JointAction, State
from gnomon.model.system import System
from tests.contract.compare import ENGINES, compare_steps
from tests.oracle import Oracle
from tests.systems import examples, random_condition, random_system, seeds


@given(seeds)
@examples(400)
def test_the_search_for_initial_states_finds_each_state_of_a_condition_once(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    for condition in (system.initial, random_condition(rng, system.variables, 4)):
        oracle = Oracle(system)
        found = list(assignments_satisfying(system, condition))
        assert len(found) == len(set(found))
        everything = [s for s in oracle.everything() if step.holds(condition, system, s)]
        assert set(everything) == set(found)


@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(300)
def test_an_engine_reaches_what_the_reference_reaches(engine: str, seed: int) -> None:
    compare_steps(engine, random_system(Random(seed)))


@given(seeds)
@examples(300)
def test_the_choices_of_a_coalition_lead_where_the_reference_says(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    oracle, algebra = Oracle(system), explore(system)
    members = tuple(sorted(rng.sample(range(len(system.agents)), rng.randint(0, 2))))
    names = tuple(system.agents[index].name for index in members)
    for number in range(len(algebra.space.states)):
        found = {
            choice: frozenset(map(algebra.space.state, results))
            for choice, results in algebra.space.choices(number, members).items()
        }
        assert oracle.choices(algebra.space.state(number), names) == found


@given(seeds)
@examples(200)
def test_dividing_the_joint_actions_changes_nothing(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    whole, divided = explore(system), explore(system)
    moves = divided.space.moves
    members = tuple(sorted(rng.sample(range(len(system.agents)), rng.randint(0, 2))))
    for number, numbers in enumerate(divided.space.states):
        enabled = moves.enabled(numbers)
        if () in enabled:
            continue
        for cluster in moves.clusters:
            straight = moves._results(numbers, cluster, enabled, members)
            branched = moves._divided(numbers, cluster, enabled, members)
            assert straight[1] == branched[1]
            assert {c: set(r) for c, r in straight[0].items()} == {
                c: set(r) for c, r in branched[0].items()
            }
        assert whole.space.successors[number] == divided.space.successors[number]


@given(seeds)
@examples(200)
def test_moves_worked_out_one_by_one_are_the_same_in_the_same_order(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, interleaved=rng.random() < 0.3)
    for state in sorted(Oracle(system).reachable, key=repr)[:20]:
        together = list(step.moves(system, state))
        with patch.object(step, "_FEW_ALTERNATIVES", 0):
            assert together == list(step.moves(system, state))


@given(seeds)
@examples(200)
def test_the_ways_of_an_agent_to_a_state_are_the_alternatives_that_lead_there(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, interleaved=rng.random() < 0.3)
    reachable = sorted(Oracle(system).reachable, key=repr)
    for source in reachable[:6]:
        for actions in step.joint_actions(system, source):
            for agent, target in product(system.agents, rng.choices(reachable, k=4)):
                _compare_ways(system, agent, source, actions, target)


def _compare_ways(
    system: System, agent: Agent, source: State, actions: JointAction, target: State
) -> None:
    found = ways_to(system, agent, source, actions, target)
    places = {v.name: system.position[agent.name, v.name] for v in agent.variables}
    leading, others = set[tuple[int, ...]](), set[tuple[int, ...]]()
    for local in step.alternatives(system, agent, source, actions):
        new = dict(local.changes)
        there = all(new.get(name, source[at]) == target[at] for name, at in places.items())
        lines = tuple(line.line for line in local.lines)
        (leading if there and not local.overflow else others).add(lines)

    assert bool(leading) == bool(found)
    assert not found or found.first() in leading
    assert all(map(found.has, leading))
    assert not any(map(found.has, others - leading))
