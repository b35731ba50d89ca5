"""Invariants with sets of local states that are decisions, and with many cases told as one."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given

from gnomon.certificate.parameterised.encoding import AgentEncoding
from gnomon.certificate.parameterised.invariant_data import Decisions, InvariantReader
from gnomon.certificate.parameterised.obligations import ObligationProver, SolverContext
from gnomon.certificate.parameterised.population_rules import check_invariant
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.smt_terms import conj
from gnomon.certificate.solvers import SOLVERS
from gnomon.engines.parameterised import local_space, search_invariant
from gnomon.engines.parameterised.compiled import CompiledPopulation
from gnomon.engines.parameterised.decided_sets import decided
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.diagram_space import DiagramSpace
from gnomon.engines.parameterised.local_sets import LocalSet
from gnomon.engines.parameterised.local_space import BitSpace
from gnomon.engines.parameterised.safety import decide_safety
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.populations import KINDS, chain_program, random_program, read
from tests.systems import examples, seeds

_PART = """
Environment
  Vars: on : boolean; end Vars
end Environment
Template T
  Vars: one : 5..5; a : boolean; b : { red, green, blue }; c : -1..2; end Vars
end Template
InitStates Environment.on = false; end InitStates
Formulae AG !exists t : T (t.a = true); end Formulae
"""


def _some(space: BitSpace | DiagramSpace, rng: Random) -> tuple[LocalSet, set[int]]:
    """Return a random set, and the numbers of its states."""
    chosen = {n for n in range(space.total) if rng.random() < rng.choice((0.1, 0.5, 0.9))}
    found: LocalSet = space.full & 0
    for number in chosen:
        found |= space.only(number)
    return found, chosen


@pytest.mark.parametrize("kind", [BitSpace, DiagramSpace])
@pytest.mark.parametrize("seed", range(6))
def test_decisions_hold_just_where_the_set_is(kind: Any, seed: int) -> None:
    system = read(_PART)
    space = kind(system.part["T"])
    states, chosen = _some(space, Random(seed))
    data = json.loads(json.dumps(decided(space, states)))

    region = InvariantReader(system).region("T", data)
    assert isinstance(region, Decisions)
    assert {n for n in range(space.total) if region.holds(space.state(n))} == chosen


@pytest.mark.parametrize("solver", SOLVERS)
def test_decisions_say_the_same_to_a_solver(solver: str) -> None:
    system = read(_PART)
    part = system.part["T"]
    space = BitSpace(part)
    region = InvariantReader(system).region("T", decided(space, _some(space, Random(3))[0]))
    encoding = AgentEncoding(system)
    name = encoding.name("T")
    variables = encoding.now(name)
    said = region.text(encoding, variables)

    def work(context: SolverContext) -> None:
        for number in range(space.total):
            state = space.state(number)
            here = conj(
                encoding.vocabulary.among(text, (value,))
                for text, value in zip(variables, state, strict=True)
            )
            assert context.can_be(conj((here, said))) == region.holds(state)

    ObligationProver(Budget(), (solver,)).prove(encoding, work)


@pytest.mark.parametrize(
    "data",
    [
        {"nodes": [["a", [[[True], 0]]]], "root": 0},
        {"nodes": [["a", [[[True], 1]]], ["a", []]], "root": 1},
        {"nodes": [["x", [[[True], True]]]], "root": 0},
        {"nodes": [["a", [[[1], True]]]], "root": 0},
        {"nodes": [], "root": 0},
        {"nodes": [], "root": -1},
        {"nodes": [], "root": None},
        {"nodes": []},
    ],
)
def test_decisions_that_are_none_are_refused(data: Any) -> None:
    with pytest.raises(Rejected):
        InvariantReader(read(_PART)).region("T", data)


def _large(system: OpenSystem, patch: pytest.MonkeyPatch, *, diagrams: bool) -> PopulationDecision:
    """Decide safety as if all sets and all invariants were large."""
    query = system.questions[0].query
    assert isinstance(query, Safety)
    patch.setattr(search_invariant, "MOST_CASES", 3)
    patch.setattr(search_invariant, "_MOST_BOXES", 1)
    if diagrams:
        patch.setattr(local_space, "MOST_STATES", 1)
    return decide_safety(CompiledPopulation(system), query.bad, Budget(10), large=True)


@pytest.mark.parametrize("diagrams", [False, True])
@given(seed=seeds)
@examples(30)
def test_large_invariants_are_accepted(diagrams: bool, seed: int) -> None:
    rng = Random(seed)
    make = rng.choice([random_program, chain_program])
    system = read(make(seed, rng.choice([("some",), KINDS])))
    with pytest.MonkeyPatch.context() as patch:
        decision = _large(system, patch, diagrams=diagrams)
    if decision.reached is not False or decision.invariant is None:
        return
    invariant = json.loads(json.dumps(decision.invariant))
    query = system.questions[0].query
    assert isinstance(query, Safety)

    check_invariant(system, invariant, query.bad, ObligationProver(Budget(), SOLVERS))


def test_states_with_the_same_occupied_are_one_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the agents go elsewhere from some of the states than from others."""
    system = read(_CLOCK)
    query = system.questions[0].query
    assert isinstance(query, Safety)
    monkeypatch.setattr(search_invariant, "MOST_CASES", 5)
    found = decide_safety(CompiledPopulation(system), query.bad, Budget(), large=True)

    assert found.invariant is not None
    cases = json.loads(json.dumps(found.invariant))["cases"]
    assert len(cases) == 3
    prover = ObligationProver(Budget(), SOLVERS)
    check_invariant(system, {"kind": "occupied", "cases": cases}, query.bad, prover)
    for left_out in range(3):
        fewer = {"kind": "occupied", "cases": cases[:left_out] + cases[left_out + 1 :]}
        with pytest.raises(Rejected):
            check_invariant(system, fewer, query.bad, prover)


_CLOCK = """
Environment
  Vars: n : 0..20; up : boolean; end Vars
  Actions = { tick };
  Sync = { go : some };
  Protocol: n < 20 : { tick }; n >= 10 : { go }; end Protocol
  Evolution: n = n + 1 if Action = tick; up = true if Action = go; end Evolution
end Environment
Template T
  Vars: at : { a, b, c }; end Vars
  Actions = { move };
  Sync = { go };
  Protocol: at = a : { go }; at = b and Environment.n >= 14 : { move }; end Protocol
  Evolution: at = b if Action = go; at = c if Action = move; end Evolution
end Template
InitStates Environment.n = 0 and Environment.up = false and T.at = a; end InitStates
Formulae AG !(Environment.up = false and exists t : T (t.at = c)); end Formulae
"""
