"""What is shared is worked out once: circuits that are larger, written out, than anything."""

import dataclasses
import pickle
import threading
from copy import deepcopy

import pytest

from gnomon.checking.process.channel import packed
from gnomon.engines.abstraction.interval_values import worth
from gnomon.engines.abstraction.linear import affine
from gnomon.engines.bdd.interleaved_algebra import bdd_algebra
from gnomon.engines.explicit.engine import explore
from gnomon.engines.solvers.smt import Context
from gnomon.engines.solvers.system_terms import SystemTerms
from gnomon.model import step
from gnomon.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from gnomon.model.domain import Boolean, IntegerRange
from gnomon.model.evaluation import evaluate
from gnomon.model.expression import (
    FALSE,
    TRUE,
    And,
    Arithmetic,
    Compare,
    Conditional,
    Defined,
    Does,
    Expression,
    Literal,
    Not,
    Or,
    Read,
    Sum,
    actors,
    parts,
    reads,
    show,
    substituted,
    walk,
    written_size,
)
from gnomon.model.fold.systems import folded
from gnomon.model.initial import assignments_satisfying
from gnomon.model.lint import lint
from gnomon.model.node import _PARTS
from gnomon.model.overlaps import overlaps
from gnomon.model.system import System
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.record import replace
from gnomon.text.source import Source
from tests.contract.compare import compare_steps
from tests.sharing import counting_up, doubling

NAMES = ("a", "b", "c")
INPUTS = [Read("Environment", name) for name in NAMES]
NUMBER = Read("Environment", "n")


def circuit(gates: int) -> System:
    """Return a system whose bits, number, protocol and formulae are the last of so many gates."""
    still, moving = doubling(INPUTS, gates), doubling([*INPUTS, Does("P", "go")], gates)
    numbers = counting_up(NUMBER, gates)
    lines = [
        EvolutionLine((Assignment(name, moving[-1 - place]),), TRUE, place + 1)
        for place, name in enumerate(NAMES)
    ]
    lines.append(EvolutionLine((Assignment("n", numbers[-1]),), Not(moving[-4]), 4))
    world = (*(Variable("Environment", name, Boolean()) for name in NAMES),)
    number = Variable("Environment", "n", IntegerRange(0, 5))
    player = Agent(
        "P",
        (),
        ("go", "stay"),
        (ProtocolLine(Not(FALSE), ("stay",)), ProtocolLine(still[-1], ("go",))),
    )
    return System(
        "circuit",
        (Agent("Environment", (*world, number), (), (), None, tuple(lines)), player),
        And((Not(INPUTS[0]), Compare("=", NUMBER, Literal(0)), Or((still[-2], INPUTS[1])))),
        "SingleAssignment",
        {"p": still[-3], "q": Compare("<", numbers[-2], Literal(2))},
    )


DEEP = circuit(600)
GATES = doubling(INPUTS, 600)


def test_a_circuit_is_larger_than_anything_and_has_few_parts() -> None:
    assert written_size(GATES[-1]) > 10**60
    assert sum(1 for _ in walk(GATES[-1])) < 20 * len(GATES)


def test_every_kind_of_expression_has_parts() -> None:
    assert set(Expression.__args__) == set(_PARTS)
    assert parts(Conditional(TRUE, NUMBER, Literal(1))) == (TRUE, NUMBER, Literal(1))


def test_what_a_circuit_looks_at_is_known_for_each_gate() -> None:
    assert reads(GATES[-1]) == frozenset(INPUTS)
    assert [] == [gate for gate in GATES if actors(gate)]


def test_a_circuit_is_shown_by_the_names_of_its_gates() -> None:
    assert show(GATES[-1]) == "g599"
    assert len(show(GATES[-1].body)) < 80
    assert len(repr(GATES[-1])) < 80


def test_putting_something_in_keeps_what_is_shared() -> None:
    changed = substituted(GATES[-1], {INPUTS[0]: INPUTS[1]})
    assert reads(changed) == {INPUTS[1], INPUTS[2]}
    assert sum(1 for _ in walk(changed)) < 20 * len(GATES)
    assert substituted(changed, {}) is changed


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_engines_agree_with_the_reference_on_circuits(engine: str) -> None:
    compare_steps(engine, circuit(40))


@pytest.mark.parametrize("engine", ["explicit", "bdd"])
def test_engines_agree_on_a_number_that_is_compared_with_many_others(engine: str) -> None:
    number: Expression = NUMBER
    for place in range(60):
        small = Compare("<" if place % 2 else ">", number, Literal((place * 7) % 50 - 20))
        following = Arithmetic("mod", Sum((number, Literal(place))), Literal(5))
        number = Defined(f"n{place}", Conditional(small, following, number))
    system = circuit(5)
    world = system.agents[0]
    line = EvolutionLine((Assignment("n", number),), Compare(">", number, Literal(1)), 4)
    changed = (replace(world, evolution=(*world.evolution[:-1], line)), *system.agents[1:])
    compare_steps(engine, dataclasses.replace(system, agents=changed))


@pytest.mark.slow
def test_a_chain_of_numbers_may_be_longer_than_recursion_goes() -> None:
    last = Compare("=", counting_up(NUMBER, 3_000)[-1], Literal(2))
    algebra = bdd_algebra(circuit(5))
    found = algebra.where(last)
    state = next(assignments_satisfying(algebra.system, algebra.system.initial))
    assert algebra.is_subset(algebra.only(state), found) == evaluate(last, algebra.system, state)


def test_a_deep_circuit_is_explored() -> None:
    states = explore(DEEP).space.states
    found = set(assignments_satisfying(DEEP, DEEP.initial))
    new = set(found)
    while new:
        new = {after for state in new for after in step.successors(DEEP, state)} - found
        found |= new
    assert len(states) == len(found)


def test_a_deep_circuit_is_folded_linted_and_sent() -> None:
    assert pickle.loads(packed(DEEP)) == DEEP
    lint(DEEP, Diagnostics(Source("circuit", "\n" * 9)))
    assert overlaps(DEEP) == []
    state = next(assignments_satisfying(DEEP, DEEP.initial))
    plain = folded(DEEP)
    for name, condition in DEEP.propositions.items():
        assert evaluate(condition, DEEP, state) == evaluate(plain.propositions[name], plain, state)


def test_a_deep_circuit_is_a_term_and_has_a_worth() -> None:
    terms = SystemTerms(DEEP, Context())
    terms.condition(DEEP.propositions["p"])
    values = dict.fromkeys(INPUTS, False)
    assert worth(GATES[-1], values) == evaluate(GATES[-1], DEEP, (False, False, False, 0))


def test_sums_of_sums_are_linear() -> None:
    number: Expression = NUMBER
    for place in range(600):
        number = Defined(f"n{place}", Sum((number, number)))
    found = affine(number)
    assert found is not None and found.terms == {NUMBER: 2**600}


def test_what_would_be_too_large_is_not_exported() -> None:
    with pytest.raises(CannotExport, match="nested more than"):
        render(DEEP)
    with pytest.raises(CannotExport, match="more than 500,000 parts"):
        render(circuit(30))


def test_a_value_of_too_many_cases_is_not_exported() -> None:
    bits = [Variable("Environment", f"b{n}", Boolean()) for n in range(13)]
    value = Sum(
        tuple(Conditional(Read("Environment", b.name), Literal(1), Literal(0)) for b in bits)
    )
    line = EvolutionLine((Assignment("n", value),), TRUE)
    number = Variable("Environment", "n", IntegerRange(0, 20))
    system = System("sum", (Agent("Environment", (*bits, number), (), (), None, (line,)),), TRUE)
    with pytest.raises(CannotExport, match="more than 4,096 cases"):
        render(system)


# Equal expressions are one


def test_equal_expressions_are_one_object() -> None:
    assert Compare("=", NUMBER, Literal(1)) is Compare("=", NUMBER, Literal(1))
    assert Literal(1) is not Literal(True)
    assert Literal(1) != Literal(True)
    assert deepcopy(GATES[-1]) is GATES[-1]
    assert pickle.loads(pickle.dumps(GATES[5])) is GATES[5]


def test_nothing_is_kept_alive() -> None:
    table = Arithmetic.__new__.__globals__["_get"].__self__
    before = len(table)
    kept = [Arithmetic("*", NUMBER, Literal(number)) for number in range(1_000, 1_100)]
    assert len(table) == before + 100
    del kept
    assert len(table) == before


def test_threads_make_one_of_each() -> None:
    found: list[list[Expression]] = []

    def make() -> None:
        found.append([Sum((NUMBER, Literal(number))) for number in range(2_000)])

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one is other for each in found for one, other in zip(found[0], each, strict=True))
