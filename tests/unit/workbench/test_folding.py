"""Laws of pictures of states: boxes are classes of the states that were listed, arrows are their steps."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.model.budget import Budget, LimitReached
from gnomon.model.step import State, holds, initial_states, successors, view
from gnomon.model.system import System
from gnomon.results.graph import StateGraph
from gnomon.workbench.bench import BenchModel
from gnomon.workbench.bisimulation import bisimulation_classes
from gnomon.workbench.folding import GraphFound, graph_found
from gnomon.workbench.parameters import Parameters, state_data
from tests.benches import built
from tests.systems import examples, named, random_system, seeds


def found(system: System, **params: Any) -> GraphFound:
    return graph_found(model(system), system, Parameters(params), Budget(60))


def model(system: System) -> BenchModel:
    known = built(system).known
    assert known.system is system
    return known


def reachable(system: System, starts: Iterable[State], radius: int = 10**6) -> set[State]:
    seen = set(starts)
    front = set(seen)
    for _ in range(radius):
        front = {after for state in front for after in successors(system, state)} - seen
        if not front:
            break
        seen |= front
    return seen


def some_system(seed: int) -> tuple[Random, System]:
    rng = Random(seed)
    return rng, random_system(rng, interleaved=rng.random() < 0.25)


def check_classes(graph: StateGraph, states: set[State], value: Callable[[State], object]) -> None:
    """Look whether boxes are the classes of states with one value, and arrows the steps between them."""
    system = graph.system
    boxes = [set(node.states) for node in graph.nodes]
    box_of = {state: number for number, box in enumerate(boxes) for state in box}

    assert len(states) == sum(map(len, boxes)) == len(box_of)
    assert states == set(box_of)
    assert len({value(state) for state in states}) == len(boxes)
    for box in boxes:
        assert 1 == len({value(state) for state in box})
    assert {(edge.source, edge.target) for edge in graph.edges} == {
        (box_of[state], box_of[after]) for state in states for after in successors(system, state)
    }
    initial = set(initial_states(system))
    for node, box in zip(graph.nodes, boxes, strict=True):
        assert node.initial == bool(initial & box)
        assert node.stuck == (not any(successors(system, state) for state in box))


@examples(120)
@given(seeds)
def test_states_as_they_are(seed: int) -> None:
    _, system = some_system(seed)
    states = reachable(system, initial_states(system))
    graph = found(system, fold="none", limit=500)

    assert (len(states), True) == (graph.states, graph.complete)
    check_classes(graph.graph, states, lambda state: state)


@examples(120)
@given(seeds)
def test_states_that_agree_on_the_variables_of_agents_are_one_box(seed: int) -> None:
    rng, system = some_system(seed)
    agents = [agent.name for agent in named(system) if rng.random() < 0.6] or ["Environment"]
    graph = found(system, fold="agents", agents=agents, limit=500)
    places = [i for i, each in enumerate(system.variables) if each.agent in agents]

    assert graph.complete
    check_classes(
        graph.graph,
        reachable(system, initial_states(system)),
        lambda state: tuple(state[index] for index in places),
    )


@examples(120)
@given(seeds)
def test_states_that_agree_on_propositions_are_one_box(seed: int) -> None:
    rng, system = some_system(seed)
    names = [name for name in system.propositions if rng.random() < 0.6]
    graph = found(system, fold="propositions", propositions=names, limit=500).graph

    check_classes(
        graph,
        reachable(system, initial_states(system)),
        lambda state: tuple(holds(system.propositions[name], system, state) for name in names),
    )
    for node in graph.nodes:
        assert set(node.propositions) <= set(names)
        assert () == node.sometimes
        assert all(holds(system.propositions[n], system, node.state) for n in node.propositions)


@examples(120)
@given(seeds)
def test_states_that_look_the_same_are_one_box(seed: int) -> None:
    rng, system = some_system(seed)
    agent = rng.choice(named(system))
    graph = found(system, fold="view", agent=agent.name, limit=500)

    check_classes(
        graph.graph,
        reachable(system, initial_states(system)),
        lambda state: view(system, agent, state),
    )


@examples(120)
@given(seeds)
def test_bisimilar_states_are_one_box(seed: int) -> None:
    rng, system = some_system(seed)
    names = [name for name in system.propositions if rng.random() < 0.6]
    states = reachable(system, initial_states(system))
    classes = by_definition(system, states, names)
    graph = found(system, fold="bisimulation", propositions=names, limit=500)

    check_classes(graph.graph, states, classes.__getitem__)


def by_definition(system: System, states: set[State], names: list[str]) -> dict[State, object]:
    """Return the class of each state: split as long as two of a class differ in where they can go."""
    classes: dict[State, object] = {
        state: tuple(holds(system.propositions[name], system, state) for name in names)
        for state in states
    }
    while True:
        finer: dict[State, object] = {
            state: (classes[state], frozenset(classes[each] for each in successors(system, state)))
            for state in states
        }
        numbers = {value: number for number, value in enumerate(dict.fromkeys(finer.values()))}
        if len(numbers) == len(set(classes.values())):
            return classes
        classes = {state: numbers[finer[state]] for state in states}


@examples(120)
@given(seeds)
def test_what_is_near_is_at_most_so_many_steps_away(seed: int) -> None:
    rng, system = some_system(seed)
    states = sorted(reachable(system, initial_states(system)), key=repr)
    if not states:
        return
    here, radius = rng.choice(states), rng.randint(0, 3)
    near = reachable(system, [here], radius)
    graph = found(system, fold="distance", state=state_data(here, system), radius=radius, limit=500)
    nodes = graph.graph.nodes

    assert here == nodes[0].state
    assert near == {node.state for node in nodes}
    assert {(nodes[edge.source].state, nodes[edge.target].state) for edge in graph.graph.edges} == {
        (state, after) for state in near for after in successors(system, state) & near
    }
    assert set(initial_states(system)) & near == {node.state for node in nodes if node.initial}
    assert graph.complete == (near == reachable(system, [here]))
    for node in nodes:
        assert node.has_more_steps == (not successors(system, node.state) <= near)


@examples(60)
@given(seeds)
def test_fewer_boxes_have_the_arrows_among_them(seed: int) -> None:
    rng, system = some_system(seed)
    fold = rng.choice(["none", "propositions", "bisimulation"])
    limit = rng.randint(1, 4)
    graph = found(system, fold=fold, limit=limit)
    boxes = [set(node.states) for node in graph.graph.nodes]

    assert len(boxes) <= limit
    assert {(edge.source, edge.target) for edge in graph.graph.edges} == {
        (source, target)
        for source, box in enumerate(boxes)
        for target, other in enumerate(boxes)
        if any(successors(system, state) & other for state in box)
    }
    everything = reachable(system, initial_states(system))
    if not graph.complete:
        assert graph.graph.cut
        assert sum(map(len, boxes)) < len(everything)


# Bisimulation


def naive(labels: list[int], following: list[list[int]]) -> list[object]:
    classes: list[object] = list(labels)
    while True:
        finer = [
            (classes[node], frozenset(classes[each] for each in after))
            for node, after in enumerate(following)
        ]
        numbers = {value: number for number, value in enumerate(dict.fromkeys(finer))}
        if len(numbers) == len(set(classes)):
            return classes
        classes = [numbers[value] for value in finer]


def partition(classes: list[Any]) -> set[frozenset[int]]:
    return {frozenset(node for node, each in enumerate(classes) if each == one) for one in classes}


@examples(400)
@given(seeds)
def test_classes_are_those_of_the_definition(seed: int) -> None:
    rng = Random(seed)
    count = rng.randint(0, 16)
    labels = [rng.randint(0, 2) for _ in range(count)]
    following = [
        [rng.randrange(count) for _ in range(rng.choice((0, 1, 1, 2, 3)))] for _ in range(count)
    ]

    assert partition(naive(labels, following)) == partition(
        bisimulation_classes(labels, following, Budget())
    )


def test_a_long_chain_takes_no_time() -> None:
    count = 20_000
    following = [[node + 1] for node in range(count - 1)] + [[]]

    assert count == len(set(bisimulation_classes([0] * count, following, Budget(20))))


def test_it_ends_with_the_budget() -> None:
    with pytest.raises(LimitReached):
        bisimulation_classes([0], [[]], Budget(-1.0))
