"""What the search with a solver proves is accepted by the checker, and nothing less is."""

from typing import Any

import pytest

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.rejection import Rejected
from gnomon.checking.load import load
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.solver_search import decide_with_solver
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import KINDS, chain_program, random_program, read
from tests.support import EXAMPLES


def safety(system: OpenSystem) -> Safety:
    query = system.questions[0].query
    assert isinstance(query, Safety)
    return query


def check(system: OpenSystem, invariant: Any, solvers: tuple[str, ...] = ("cvc5", "z3")) -> None:
    check_invariant(system, invariant, safety(system).bad, ObligationProver(Budget(), solvers))


def decided(system: OpenSystem) -> PopulationDecision | None:
    try:
        return decide_with_solver(system, safety(system), Budget(4))
    except LimitReached:
        return None


def example(name: str) -> OpenSystem:
    system = load(str(EXAMPLES / "parameterised" / f"{name}.ispl")).model
    assert isinstance(system, OpenSystem)
    return system


@pytest.mark.parametrize("seed", range(24))
def test_an_invariant_of_the_solver_is_accepted_and_an_empty_one_proves_no_unsafe_system(
    seed: int,
) -> None:
    make = random_program if seed % 2 else chain_program
    system = read(make(seed, KINDS if seed % 4 < 2 else ("some",)))
    decision = decided(system)
    if decision is None or decision.reached is None:
        return
    if decision.reached:
        with pytest.raises(Rejected):
            check(system, {"kind": "never", "cubes": []})
    else:
        check(system, decision.invariant)


@pytest.mark.parametrize("solver", ["cvc5", "z3"])
@pytest.mark.parametrize("name", ["vault", "batteries"])
def test_invariants_over_values_without_a_list_are_accepted_by_either_solver(
    name: str, solver: str
) -> None:
    system = example(name)
    decision = decided(system)

    assert decision is not None and decision.reached is False
    check(system, decision.invariant, (solver,))


@pytest.mark.parametrize("name", ["vault", "batteries"])
def test_an_invariant_without_one_of_its_conditions_is_rejected(name: str) -> None:
    system = example(name)
    decision = decided(system)
    assert decision is not None and decision.invariant is not None
    cubes = decision.invariant["cubes"]

    for left_out in range(len(cubes)):
        fewer = cubes[:left_out] + cubes[left_out + 1 :]
        with pytest.raises(Rejected):
            check(system, {"kind": "never", "cubes": fewer})


@pytest.mark.parametrize(
    "conditions",
    [
        ["holds", ["value", True]],
        [["holds"]],
        [["holds", ["read", "a1", "battery"]]],
        [["holds", ["read", "a0", "charge"]]],
        [["holds", ["value", "nothing"]]],
        [["holds", ["value", None]]],
        [["related", "Owner", ["value", 1]]],
        [["same", "a0", "a7"]],
        [["exists", "a0"]],
        [[]],
        [3],
    ],
    ids=repr,
)
def test_conditions_that_mean_nothing_are_rejected(conditions: Any) -> None:
    system = example("batteries")
    invariant = {"kind": "never", "cubes": [{"agents": ["Robot"], "conditions": conditions}]}

    with pytest.raises(Rejected):
        check(system, invariant)
