"""States that are folded on sets are those that are folded one by one."""

from collections.abc import Callable
from random import Random

from hypothesis import given

from gnomon.checking.folded import (
    ByBisimulation,
    ByPropositions,
    ByVariables,
    ByView,
    FoldedStates,
    FoldKey,
    fold_states,
)
from gnomon.model.budget import Budget
from gnomon.model.step import State, holds, initial_states, successors, view
from gnomon.model.system import System
from tests.systems import examples, random_system, seeds

MANY = 10_000


def reachable(system: System) -> list[State]:
    found = dict.fromkeys(initial_states(system))
    waiting = list(found)
    for state in waiting:
        for after in sorted(successors(system, state), key=repr):
            if after not in found:
                found[after] = None
                waiting.append(after)
    return waiting


def held(system: System, state: State) -> tuple[bool, ...]:
    return tuple(holds(what, system, state) for what in system.propositions.values())


def bisimulation(system: System, states: list[State]) -> dict[State, object]:
    """The definition, by brute force: split as long as two states of a class differ in where they can go."""
    found: dict[State, object] = {state: held(system, state) for state in states}
    while True:
        finer: dict[State, object] = {
            state: (found[state], frozenset(found[each] for each in successors(system, state)))
            for state in states
        }
        numbers = {value: number for number, value in enumerate(dict.fromkeys(finer.values()))}
        if len(numbers) == len(set(found.values())):
            return found
        found = {state: numbers[finer[state]] for state in states}


def as_classes(
    system: System, folded: FoldedStates, value: Callable[[State], object]
) -> tuple[dict[object, int], set[tuple[object, object]]]:
    names = [value(each.state) for each in folded.classes]
    sizes = {name: each.states for name, each in zip(names, folded.classes, strict=True)}
    return sizes, {(names[source], names[target]) for source, target in folded.steps}


def folded_by_hand(
    system: System, states: list[State], value: Callable[[State], object]
) -> tuple[dict[object, int], set[tuple[object, object]]]:
    sizes: dict[object, int] = {}
    for state in states:
        sizes[value(state)] = sizes.get(value(state), 0) + 1
    steps = {
        (value(state), value(after)) for state in states for after in successors(system, state)
    }
    return sizes, steps


@given(seeds)
@examples(60)
def test_classes_and_steps_are_those_of_the_states(seed: int) -> None:
    system = random_system(Random(seed), interleaved=seed % 3 == 0)
    states = reachable(system)
    agents = tuple(agent.name for agent in system.agents[1:2])
    names = tuple(system.propositions)
    shown = [n for n, variable in enumerate(system.variables) if variable.agent in agents]
    bisimilar = bisimulation(system, states)
    ways: list[tuple[FoldKey, Callable[[State], object]]] = [
        (ByVariables(agents), lambda state: tuple(state[n] for n in shown)),
        (ByPropositions(names), lambda state: held(system, state)),
        *(
            (ByView(each.name), lambda state, each=each: view(system, each, state))
            for each in system.agents[1:2]
        ),
        (ByBisimulation(names), lambda state: bisimilar[state]),
    ]
    for key, value in ways:
        folded = fold_states(system, key, MANY, Budget(60))

        assert len(states) == folded.states
        assert not folded.cut
        assert folded_by_hand(system, states, value) == as_classes(system, folded, value), key
        for each in folded.classes:
            inside = [state for state in states if value(state) == value(each.state)]

            assert each.initial == any(state in inside for state in initial_states(system))
            assert each.stuck == all(not successors(system, state) for state in inside)
            assert set(each.always) == {
                name
                for name, what in system.propositions.items()
                if all(holds(what, system, state) for state in inside)
            }
            assert set(each.sometimes) | set(each.always) == {
                name
                for name, what in system.propositions.items()
                if any(holds(what, system, state) for state in inside)
            }


@given(seeds)
@examples(20)
def test_where_there_are_too_many_classes_the_first_ones_are_as_before(seed: int) -> None:
    system = random_system(Random(seed), interleaved=seed % 3 == 0)
    key = ByVariables(tuple(agent.name for agent in system.agents))
    whole = fold_states(system, key, MANY, Budget(60))
    part = fold_states(system, key, 3, Budget(60))

    assert (len(whole.classes) > 3) == part.cut
    assert whole.classes[:3] == part.classes
    assert {step for step in whole.steps if max(step) < 3} == set(part.steps)
