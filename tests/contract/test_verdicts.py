"""Verdicts of every engine agree with the oracle, and their evidence survives its replay.

What is said of any number of agents agrees with what the other engines say of so many of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import get_args

import pytest
from hypothesis import given

import gnomon
from gnomon.api import OpenModel
from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, Strategies, check
from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.model import formula as f
from gnomon.model.agent import ENVIRONMENT, Agent, Variable
from gnomon.model.domain import Domain, IntegerRange, Integers, size_of, values_of
from gnomon.model.expression import And, Arithmetic, Compare, Expression, Literal, Read, Sum
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.step import holds
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import InputError
from tests.contract.compare import ENGINES
from tests.fairness import fairly
from tests.instances import contradictions
from tests.oracle import Oracle, TooMany
from tests.population_operators import operator_program
from tests.populations import KINDS, chain_program, number_program, random_program
from tests.support import VACUOUS
from tests.systems import (
    LOGICS,
    examples,
    random_formula,
    random_system,
    seeds,
)

EVERYTHING = Options(allow=VACUOUS, evidence=True, check_deadlock=True, check_overflow=True)


def questions(rng: Random, system: System) -> Iterator[Specification]:
    for _ in range(3):
        formula = random_formula(rng, system, 3, "bool ctl know norm atl")
        yield Specification(formula, "CTL")
    yield Specification(random_formula(rng, system, 2, "bool star know"), "", 0, LOGICS[1])


READINGS = [reading for reading in get_args(Strategies) if reading != "uniform-model"]


@pytest.mark.parametrize("strategies", READINGS)
@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(100)
def test_verdicts_and_evidence(engine: Engine, strategies: Strategies, seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=48 if strategies == "perfect" else 12)
    if rng.random() < 0.4:
        system = fairly(rng, system)
    asked = tuple(questions(rng, system))
    result = check(system, asked, replace(EVERYTHING, engine=engine, strategies=strategies))
    oracle = Oracle(system, strategies)
    assert len(oracle.reachable) == result.states
    for verdict, question in zip(result, asked, strict=True):
        try:
            expected = oracle.holds(question.formula, question.logic)
        except TooMany:
            continue
        assert (Value.TRUE if expected else Value.FALSE) is verdict.value, verdict.parsed
        assert expected or verdict.evidence is not None


@pytest.mark.parametrize("strategies", ["perfect", "uniform"])
@given(seed=seeds)
@examples(100)
def test_verdicts_and_evidence_of_cells(strategies: Strategies, seed: int) -> None:
    """Cells give evidence for what they decide; they decide nearly all, as `test_formulae` counts."""
    rng = Random(seed)
    system = random_system(rng, largest=48 if strategies == "perfect" else 12)
    asked = tuple(question for question in questions(rng, system) if question.logic == "CTL")
    options = replace(EVERYTHING, engine="abstraction", strategies=strategies)
    try:
        result = check(system, asked, options)
    except InputError:
        return  # somebody may have nothing to do
    oracle = Oracle(system, strategies)
    for verdict, question in zip(result, asked, strict=True):
        with suppress(TooMany):
            expected = Value.TRUE if oracle.holds(question.formula) else Value.FALSE
            assert verdict.value in {expected, Value.UNDEFINED}, verdict.parsed


KINDS_OF_PROGRAMS: dict[str, Callable[[int], str]] = {
    "some": random_program,
    "one and all": lambda seed: random_program(seed, KINDS),
    "long": lambda seed: chain_program(seed, KINDS),
    "numbers": lambda seed: number_program(seed, KINDS),
    "operators": lambda seed: operator_program(seed, KINDS)[0].fancy,
}


def answered(program: str) -> tuple[OpenSystem, Thresholds]:
    """Return a program with templates, and what is said of the only question in it."""
    model = gnomon.load_text(program)
    assert isinstance(model, OpenModel)
    [answer] = model.check(evidence=False, allow=VACUOUS)
    assert answer.numbers is not None
    return model.open, answer.numbers


@pytest.mark.parametrize("kind", KINDS_OF_PROGRAMS)
@pytest.mark.parametrize("engine", ENGINES)
@given(seed=seeds)
@examples(20)
def test_any_number_of_agents_and_so_many(engine: Engine, kind: str, seed: int) -> None:
    program, numbers = answered(KINDS_OF_PROGRAMS[kind](seed))

    assert [] == list(contradictions(program, 1, numbers, engine))


def test_something_is_reached_by_some_and_by_nobody() -> None:
    found: Counter[bool] = Counter()
    for seed in range(20):
        for program in KINDS_OF_PROGRAMS.values():
            _, numbers = answered(program(seed))
            found[numbers.reached] += 1

    assert min(found[True], found[False]) >= 15


@pytest.mark.parametrize("engine", ["auto", "abstraction"])
@given(seed=seeds)
@examples(40)
def test_some_profile_of_uniform_strategies_makes_the_formula_true(
    engine: Engine, seed: int
) -> None:
    rng = Random(seed)
    system = random_system(rng, largest=8)
    if rng.random() < 0.4:
        system = fairly(rng, system)
    asked = tuple(questions(rng, system))
    oracle = Oracle(system, "uniform-model")
    try:
        expected = [oracle.holds(question.formula, question.logic) for question in asked]
    except TooMany:
        return
    options = Options(allow=VACUOUS, strategies="uniform-model", evidence=True, engine=engine)
    for value, verdict in zip(expected, check(system, asked, options), strict=True):
        if engine == "auto" or verdict.value is not Value.UNDEFINED:
            assert (Value.TRUE if value else Value.FALSE) is verdict.value, verdict.parsed


def conflicting(rng: Random) -> System:
    """Return a system with numbers, some without bounds, that often has no initial state."""
    bits = Arithmetic("&", Read("P", "y"), Literal(1))  # solvers do not take them
    x, y = Read("P", "x"), Read("P", "y")
    parts = [Compare("=", bits, Literal(rng.choice((0, 1))))]
    for _ in range(3):
        numbers: list[Expression] = [x, y, Literal(rng.randint(-2, 3)), Sum((x, y))]
        left, right = rng.sample(numbers, 2)
        parts.append(Compare(rng.choice(("=", "<=", "<", "<>")), left, right))
    domains: tuple[Domain, Domain] = (
        IntegerRange(0, 5),
        rng.choice((Integers(), IntegerRange(0, 3))),
    )
    variables = tuple(Variable("P", name, of) for name, of in zip("xy", domains, strict=True))
    agents = Agent(ENVIRONMENT, (), ()), Agent("P", variables, ("a",), (), ("a",))
    return System("numbers", agents, And(tuple(parts)))


@given(seeds)
@examples(100)
def test_cells_refuse_a_model_only_where_it_has_no_initial_state_and_else_prove_nothing(
    seed: int,
) -> None:
    system = conflicting(Random(seed))
    _, y = system.variables
    values = range(-6, 10) if size_of(y.domain) is None else values_of(y.domain)
    window = product(range(6), values)
    starts = any(holds(system.initial, system, state) for state in window)
    never = Specification(f.All(f.Globally(f.Constant(False))), "AG false")
    cells = Options(engine="abstraction")
    refused = "G0803" in said(system, (never,), cells)

    assert not (refused and starts)
    if not refused:
        [verdict] = check(system, [never], cells)
        assert verdict.value is not Value.TRUE


@given(seeds)
@examples(200)
def test_warnings_say_what_the_oracle_sees(seed: int) -> None:
    rng = Random(seed)
    system = random_system(rng)
    if rng.random() < 0.6:
        system = fairly(rng, system)
    asked = tuple(questions(rng, system))
    result = check(system, asked, EVERYTHING)
    oracle = Oracle(system)
    codes = said(system, asked)
    stuck = any(not targets for targets in oracle.graph.values())
    assert stuck == ("G0801" in codes)
    assert (not oracle.initial) == ("G0803" in codes)
    assert (bool(oracle.initial) and not oracle.initial & oracle.universe) == ("G0804" in codes)
    never = bool(oracle.initial) and not all(oracle.constraints)
    assert never == ("G0805" in codes)
    deadlock, overflow = result.checks
    assert stuck == (deadlock.value is Value.FALSE)
    assert ("G0802" in codes) == (overflow.value is Value.FALSE)
    # Where the model has no start that counts, and it is allowed, every formula is true of nothing.
    vacuous = codes & set(VACUOUS)
    assert codes - vacuous == {diagnostic.code for diagnostic in result.diagnostics}
    if vacuous:
        assert all(verdict.value is Value.TRUE and verdict.vacuous for verdict in result)


def said(
    system: System, asked: tuple[Specification, ...], options: Options = EVERYTHING
) -> set[str]:
    """Return the codes of all that is said of a system, errors among them or not."""
    told: list[Verdict] = []
    try:
        result = check(system, asked, replace(options, allow=()), on_verdict=told.append)
    except InputError as refused:
        assert not told
        return {diagnostic.code for diagnostic in refused.diagnostics}
    assert not any(diagnostic.is_error for diagnostic in result.diagnostics)
    return {diagnostic.code for diagnostic in result.diagnostics}
