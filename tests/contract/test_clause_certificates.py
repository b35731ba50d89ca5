"""Invariants as clauses: the checker accepts those that are some, and refuses all that are not."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.deductive.proof import check_conditions
from gnomon.certificate.rejection import Rejected
from gnomon.checking.certify_clauses import clauses_proof
from gnomon.checking.circuit_work import NotSolvable
from gnomon.engines.sat.reachability import Cube
from gnomon.model import formula as f
from gnomon.model.budget import Budget
from gnomon.model.expression import TRUE
from gnomon.model.system import Specification, System
from tests.oracle import Oracle
from tests.solving import formulae_of, solved
from tests.systems import examples, random_system, seeds

SOLVERS = ("cvc5", "z3")


def asked(formula: f.Formula) -> Specification:
    return Specification(formula, f.show_formula(formula), 0)


def invariants(system: System) -> Iterator[tuple[f.Formula, tuple[Cube, ...]]]:
    """Yield formulae that are true in all reachable states, with the cubes that show it."""
    formulae = formulae_of(system)
    for name in system.propositions:
        for body in (f.Proposition(name), f.Not(f.Proposition(name))):
            formula = f.All(f.Globally(body))
            try:
                found = solved(formulae, formula)
                if str(found.outcome().value) != "true":
                    continue
            except NotSolvable:
                continue
            cubes = found.clauses()
            assert cubes is not None
            yield formula, cubes


def proof_of(system: System, formula: f.Formula, cubes: tuple[Cube, ...]) -> dict[str, Any]:
    found = solved(formulae_of(system), formula)
    return clauses_proof(found.alike, cubes, formula)


def check(system: System, formula: f.Formula, proof: object, solver: str) -> None:
    check_conditions(system, asked(formula), proof, Budget(), value=True, solvers=(solver,))


def drawn(rng: Random) -> System:
    return random_system(rng, stuck=rng.choice((0.05, 0.4)), interleaved=rng.random() < 0.25)


def others(rng: Random, system: System) -> Iterator[System]:
    """Yield systems that differ in one place: where they start, or in a guard."""
    yield replace(system, initial=TRUE)
    for place, agent in enumerate(system.agents):
        if agent.evolution:
            line = rng.choice(agent.evolution)
            lines = tuple(
                each if each is not line else type(line)(line.assignments, TRUE, line.line)
                for each in agent.evolution
            )
            fields = (agent.name, agent.variables, agent.actions, agent.protocol, agent.other)
            made = type(agent)(*fields, lines, agent.sees, agent.red)
            agents = (*system.agents[:place], made, *system.agents[place + 1 :])
            yield replace(system, agents=agents)


def forged(rng: Random, cubes: tuple[Cube, ...]) -> tuple[Cube, ...]:
    """Return cubes with one left out, one made larger, or a bit turned."""
    if not cubes:
        return (frozenset(),)
    place = rng.randrange(len(cubes))
    cube = cubes[place]
    bit = rng.choice(sorted(cube) or [0])
    made = rng.choice(([], [cube - {bit}], [cube - {bit} | {-bit}]))
    return (*cubes[:place], *made, *cubes[place + 1 :])


@pytest.mark.parametrize("solver", SOLVERS)
@given(seed=seeds)
@examples(120)
def test_the_checker_accepts_what_is_found(solver: str, seed: int) -> None:
    system = drawn(Random(seed))
    for formula, cubes in invariants(system):
        check(system, formula, proof_of(system, formula, cubes), solver)


@given(seed=seeds)
@examples(200)
def test_the_checker_refuses_what_proves_nothing(seed: int) -> None:
    rng = Random(seed)
    system = drawn(rng)
    for formula, cubes in invariants(system):
        proof = proof_of(system, formula, cubes)
        for other in others(rng, system):
            if not Oracle(other).holds(formula):
                with pytest.raises(Rejected):
                    check(other, formula, proof, "cvc5")


@given(seed=seeds)
@examples(200)
def test_clauses_that_are_no_invariant_are_refused(seed: int) -> None:
    rng = Random(seed)
    system = drawn(rng)
    oracle = Oracle(system)
    for formula, cubes in invariants(system):
        for name in system.propositions:
            false = f.All(f.Globally(f.Proposition(name)))
            if not oracle.holds(false):
                proof = proof_of(system, false, cubes)
                with pytest.raises(Rejected):
                    check(system, false, proof, "cvc5")
        damaged = forged(rng, cubes)
        try:
            check(system, formula, proof_of(system, formula, damaged), "cvc5")
        except Rejected:
            continue
        # What is left may still be an invariant, of all that is reached.
        assert oracle.holds(formula)
