"""Natural questions about numbers without bounds have their answers, by cuts that nobody has to give.

Each program stands with the verdicts that mathematics gives it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction import refinement
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.engines.solvers import horn, system_terms
from gnomon.model.agent import Variable
from gnomon.model.domain import Enumeration, IntegerRange, size_of
from gnomon.model.system import System
from tests.abstraction import stepping, stepping_without_bounds
from tests.counting import counting_system
from tests.support import VACUOUS
from tests.systems import examples, seeds

#: Enough for all of them; without a limit of time, so that a slow machine says the same.
ROUNDS = 10


def alone(evolution: str, initial: str, protocol: str = "Other : {a, b};") -> str:
    """Return a program of one agent with two actions and numbers x, y and z."""
    return f"""
        Agent P
          Vars: x : int; y : int; z : int; end Vars
          Actions = {{a, b}};
          Protocol: {protocol} end Protocol
          Evolution: {evolution} end Evolution
        end Agent
        InitStates {initial}; end InitStates
    """


#: x is made, y is used, z is kept.
STORE = alone(
    "x = x + 1 and z = z + 1 if Action = a; y = y + 1 and z = z - 1 if Action = b;",
    "P.x = 0 and P.y = 0 and P.z = 0",
    "z > 0 : {a, b}; Other : {a};",
)
SHARED = """
    Agent Environment
      Obsvars: store : int; end Obsvars
      Actions = {idle};
      Protocol: Other : {idle}; end Protocol
      Evolution:
        store = store + 1 if Maker.Action = make and User.Action = wait;
        store = store - 1 if Maker.Action = wait and User.Action = use;
      end Evolution
    end Agent
    Agent Maker
      Vars: made : int; end Vars
      Actions = {make, wait};
      Protocol: Other : {make, wait}; end Protocol
      Evolution: made = made + 1 if Action = make; end Evolution
    end Agent
    Agent User
      Vars: used : int; end Vars
      Actions = {use, wait};
      Protocol: Environment.store > 0 : {use, wait}; Other : {wait}; end Protocol
      Evolution: used = used + 1 if Action = use; end Evolution
    end Agent
    InitStates Environment.store = 0 and Maker.made = 0 and User.used = 0; end InitStates
"""
STEPS = "x = x + 2 if Action = a;"
AUCTION = """
    Agent Environment
      Obsvars: price : int; end Obsvars
      Actions = {go};
      Protocol: Other : {go}; end Protocol
      Evolution: price = price + 1 if Ann.Action = raise; end Evolution
    end Agent
    Agent Ann
      Vars: budget : int; end Vars
      Actions = {raise, pass};
      Protocol: Environment.price < budget : {raise, pass}; Other : {pass}; end Protocol
    end Agent
    InitStates Environment.price = 0 and Ann.budget >= 0; end InitStates
"""


@pytest.mark.parametrize(
    ("program", "formula", "expected"),
    [
        (STORE, "AG P.y <= P.x", "true"),
        (STORE, "AG P.x >= P.y", "true"),
        (STORE, "AG P.z = P.x - P.y", "true"),
        (STORE, "AG P.z <= P.x", "true"),
        (STORE, "AG P.x <= P.y + 3", "false"),
        (SHARED, "AG User.used <= Maker.made", "true"),
        (SHARED, "AG Maker.made <= User.used", "false"),
        (alone(STEPS, "P.x = 0"), "AG P.x <> 7", "true"),
        (alone(STEPS, "P.x = 0"), "AG P.x <> 7001", "true"),
        (alone(STEPS, "P.x = 0"), "AG P.x <> 8000", "false"),
        (alone(STEPS, "P.x mod 2 = 0"), "AG P.x <> 7", "true"),
        (alone(STEPS, "P.x > -5"), "AG P.x <> 7", "false"),
        (alone("x = x + 6 if Action = a; x = x - 9 if Action = b;", "P.x = 1"), "AG P.x <> 6", "true"),
        (alone("x = x + 6 if Action = a; x = x - 9 if Action = b;", "P.x = 1"), "AG P.x <> 7", "false"),
        (AUCTION, "AG Environment.price <= Ann.budget", "true"),
        (AUCTION, "AG Environment.price <= 2 * Ann.budget", "true"),
        (AUCTION, "AG Environment.price < Ann.budget", "false"),
    ],
)  # fmt: skip
def test_an_answer_takes_no_predicate_of_the_user(
    program: str, formula: str, expected: str
) -> None:
    loaded = load_text(f"{program} Formulae {formula}; end Formulae")
    assert loaded.system is not None, loaded.diagnostics
    [verdict] = check(loaded.system, options=Options(allow=VACUOUS, refine=ROUNDS)).verdicts

    assert Value(expected) is verdict.value, verdict.reason


#: Their sum becomes less with each step, which no cut of one of them shows.
SUM_FALLS = alone(
    "x = x + 1 and y = y - 2 if Action = a; x = x - 2 and y = y + 1 if Action = b;",
    "P.x > 0 and P.y > 0",
    "x > 0 and y > 0 : {a, b}; Other : {a};",
)
BYSTANDER = """
    Agent Q
      Vars: up : boolean; end Vars
      Actions = {yes, no};
      Protocol: Other : {yes, no}; end Protocol
      Evolution: up = true if Action = yes; end Evolution
    end Agent
"""


def test_a_sum_that_falls_is_found() -> None:
    loaded = load_text(f"{SUM_FALLS} Formulae AF (P.x <= 0 or P.y <= 0); end Formulae")
    assert loaded.system is not None
    [verdict] = check(loaded.system, options=Options(allow=VACUOUS)).verdicts

    assert verdict.value is Value.TRUE


def test_what_is_told_apart_without_end_is_said_to_diverge() -> None:
    # For coalitions, no sums are looked for.
    program = SUM_FALLS.replace("InitStates", f"{BYSTANDER} InitStates", 1)
    ends = "Groups q = {Q}; end Groups Formulae <q> F (P.x <= 0 or P.y <= 0); end Formulae"
    loaded = load_text(f"{program} {ends}")
    assert loaded.system is not None, loaded.diagnostics
    [verdict] = check(loaded.system, options=Options(allow=VACUOUS)).verdicts

    assert verdict.value is Value.UNDEFINED
    assert re.search(r"refinement diverges: P\.[xy] is cut at \d+, \d+, \d+ …", verdict.reason)


# Numbers that move in step, at random


@pytest.fixture
def impatience() -> Iterator[None]:
    """Wait only shortly for answers of the solver that are hard to find: none is needed."""
    with patch.object(system_terms, "_PATIENCE", 100), patch.object(horn, "_PATIENCE", 200):
        yield


@pytest.mark.usefixtures("impatience")
@given(seed=seeds)
@examples(40)
def test_verdicts_on_numbers_that_move_in_step_are_those_of_the_oracle(seed: int) -> None:
    stepping(Random(seed)).compare_verdicts(8)


@pytest.mark.usefixtures("impatience")
@given(seed=seeds)
@examples(40)
def test_verdicts_on_numbers_that_move_in_step_without_bounds_are_right(seed: int) -> None:
    stepping_without_bounds(Random(seed)).compare_verdicts(8)


@pytest.mark.usefixtures("impatience")
def test_all_ways_to_cut_occur() -> None:
    found: Counter[str] = Counter()
    for seed in range(40):
        asked = stepping_without_bounds(Random(seed))
        decider = AbstractionRefinement(
            CellDenotation, asked.partition, asked.formulae, most_rounds=8
        )
        for formula in asked.formulae:
            found.update(
                reason
                for each in decider.decide(formula).rounds
                for reason in WAYS
                if each.reason.endswith(reason)
            )

    assert not [reason for reason, least in WAYS.items() if found[reason] < least], found


#: How often each way to cut is taken at least.
WAYS = {
    refinement._FROM_SUMS: 5,
    refinement._FROM_KEPT: 1,
    refinement._FROM_STEPS: 5,
}


def has_one_value(system: System) -> bool:
    return any(size_of(variable.domain) == 1 for variable in system.variables)


def assigned(system: System) -> Iterator[Variable]:
    """Yield the variables that some line assigns."""
    for agent in system.agents:
        names = {item.variable for line in agent.evolution for item in line.assignments}
        yield from (variable for variable in agent.variables if variable.name in names)


def test_what_is_treated_specially_occurs() -> None:
    found: Counter[str] = Counter()
    for seed in range(200):
        system = counting_system(Random(seed))
        found["one value"] += has_one_value(system)
        found["assigned"] += any(
            size_of(variable.domain) == 1 and isinstance(variable.domain, IntegerRange)
            for variable in assigned(system)
        )
        found["one name"] += any(
            size_of(variable.domain) == 1 and isinstance(variable.domain, Enumeration)
            for variable in system.variables
        )

    assert found["one value"] >= 60, found
    assert found["assigned"] >= 20, found
    assert found["one name"] >= 20, found
