"""Satisfiability decides what single paths say as the oracle does; each method by itself is right."""

from collections import Counter
from collections.abc import Generator, Mapping
from itertools import pairwise, product
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.engines.sat.bounded import BoundedSearch, finished
from gnomon.engines.sat.induction import Induction
from gnomon.engines.sat.invariant import needed_cubes
from gnomon.engines.sat.lifting import Lifting
from gnomon.engines.sat.machine import SystemMachine
from gnomon.engines.sat.reachability import Cube, Reachability
from gnomon.model import formula as f
from gnomon.model.domain import number_of, values_of
from gnomon.model.step import State, holds, initial_states, successors
from gnomon.model.system import Logic, System
from tests.contract.compare import Solved
from tests.fairness import fairly
from tests.oracle import Oracle
from tests.systems import examples, random_formula, random_path, random_system, seeds


class Drawn(NamedTuple):
    """A system, and formulae about it."""

    system: System
    asked: list[tuple[f.Formula, Logic]]


def drawn(rng: Random) -> Drawn:
    """Return a system with or without events, fairness and dead ends, and formulae of all logics of time."""
    system = random_system(
        rng,
        largest=rng.choice((12, 48)),
        stuck=rng.choice((0.05, 0.4)),
        interleaved=rng.random() < 0.25,
    )
    if rng.random() < 0.4:
        system = fairly(rng, system)
    asked: list[tuple[f.Formula, Logic]] = []
    for _ in range(4):
        match rng.choice(("CTL", "CTL", "LTL", "CTL*")):
            case "LTL":
                asked.append((f.All(random_path(rng, system, rng.randint(1, 3))), "LTL"))
            case "CTL*":
                asked.append((random_formula(rng, system, 2, "bool star"), "CTL*"))
            case _:
                asked.append(
                    (random_formula(rng, system, rng.choice((1, 2, 3)), "bool ctl"), "CTL")
                )
    return Drawn(system, asked)


def compare_formulae(seed: int) -> Counter[str]:
    """Compare with the oracle; return what was said."""
    found = drawn(Random(seed))
    compared = Solved(found.system)
    for formula, logic in found.asked:
        compared.on(formula, logic)
    return compared.said


def _bits_of(circuit: SystemMachine, state: State) -> dict[int, bool]:
    found: dict[int, bool] = {}
    for variable, value in zip(circuit.system.variables, state, strict=True):
        code = number_of(variable.domain, value)
        levels = circuit.layout.variables[variable.agent, variable.name].now
        found |= {level: bool(code >> place & 1) for place, level in enumerate(reversed(levels))}
    return found


def compare_methods(seed: int) -> None:
    """Compare what each method says of a condition that is reached or not with a plain search."""
    rng = Random(seed)
    system = random_system(rng, stuck=rng.choice((0.05, 0.4)), interleaved=rng.random() < 0.25)
    circuit = SystemMachine(system)
    machine, reached = circuit.machine, Oracle(system).reachable
    for condition in system.propositions.values():
        bad = circuit.condition(condition)
        expected = any(holds(condition, system, state) for state in reached)

        search = BoundedSearch(machine, bad, None)
        work = search.search()
        while search.bound <= len(reached) and search.found is None and next(work, "over") is None:
            pass  # a longer run without a state that comes again is not needed
        assert expected == (search.found is not None)
        if search.found is not None:
            states = [circuit.state(values) for values in search.found.moments]
            assert states[0] in set(initial_states(system))
            assert holds(condition, system, states[-1])
            for one, two in pairwise(states):
                assert two in successors(system, one)

        assert not (finished(Induction(machine, bad).prove()) and expected)

        invariant = Reachability(machine, bad)
        assert finished(invariant.search()) is not expected
        if invariant.invariant is not None:
            assert finished(needed_cubes(machine, invariant.invariant, bad)) is not None


def compare_lifting(seed: int) -> None:
    """Look at every state that is said to have a step into a cube, whether it has one."""
    rng = Random(seed)
    system = random_system(rng, wide=0, stuck=0.4, interleaved=rng.random() < 0.25)
    circuit = SystemMachine(system)
    machine = circuit.machine
    bits = [bit.now for bit in machine.bits]
    states = {
        state: _bits_of(circuit, state)
        for state in product(*(values_of(variable.domain) for variable in system.variables))
    }

    def inside(state: State, cube: Cube) -> bool:
        return all(states[state][bits[abs(each) - 1]] == (each > 0) for each in cube)

    lift = Lifting.of_step

    def looked_at(
        self: Lifting, values: Mapping[int, bool], cube: Cube
    ) -> Generator[None, None, Cube]:
        found = yield from lift(self, values, cube)
        for state in states:
            if inside(state, found):
                assert any(inside(after, cube) for after in successors(system, state))
        return found

    with patch.object(Lifting, "of_step", looked_at):
        for condition in system.propositions.values():
            finished(Reachability(machine, circuit.condition(condition)).search())


@given(seed=seeds)
@examples(600)
def test_what_paths_say_is_decided_as_the_oracle_does(seed: int) -> None:
    compare_formulae(seed)


@given(seed=seeds)
@examples(200)
def test_all_states_around_one_can_do_what_it_can(seed: int) -> None:
    compare_lifting(seed)


@given(seed=seeds)
@examples(400)
def test_each_method_agrees_with_a_plain_search(seed: int) -> None:
    compare_methods(seed)


def test_much_is_decided_and_little_refused() -> None:
    said: Counter[str] = sum((compare_formulae(seed) for seed in range(60)), Counter())

    assert said["true"] > 60
    assert said["false"] > 30
    assert said["shown"] > 60
    assert said["refused"] < 0.4 * said.total()


@pytest.mark.parametrize("interleaved", [False, True])
def test_states_come_back_from_circuits_as_they_are(interleaved: bool) -> None:
    for seed in range(10):
        system = random_system(Random(seed), interleaved=interleaved)
        circuit = SystemMachine(system)
        for state in Oracle(system).reachable:
            copy = BoundedSearch(circuit.machine.copied(), circuit.is_state(state), None)

            assert finished(copy.search())
            assert copy.found is not None
            assert state == circuit.state(copy.found.moments[-1])
