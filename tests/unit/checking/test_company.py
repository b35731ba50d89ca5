"""What is asked does not decide less than what the whole file asks."""

from dataclasses import replace

import pytest

from gnomon.checking.load import load_text
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.verdict import Value
from gnomon.model.budget import Budget
from gnomon.model.system import System

#: Without a refinement, that x does not fall needs what the second formula tells apart.
GROWING = """
Agent P
  Vars: x : int; y : int; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + y if Action = go; end Evolution
end Agent
InitStates P.x >= 0 and P.y >= 0; end InitStates
Formulae
  AG P.x >= 0;
  AG P.y >= 0;
  AF P.x > 7;
end Formulae
"""


@pytest.fixture
def system() -> System:
    found = load_text(GROWING).system
    assert found is not None
    return found


def decided(system: System, *numbers: int) -> list[Value]:
    """Return the verdicts on some formulae if only they are asked for."""
    asked = tuple(system.specifications[number] for number in numbers)
    cells = PredicateAbstraction(system, asked, Budget(), refine=0)
    return [cells.decide(each).value for each in asked]


def test_a_verdict_does_not_depend_on_what_else_is_asked(system: System) -> None:
    alone = replace(system, specifications=system.specifications[:1])

    assert decided(alone, 0) == [Value.UNDEFINED]
    assert decided(system, 0) == [Value.TRUE]
    assert decided(system, 0, 1) == decided(system, 0, 1, 2)[:2] == [Value.TRUE, Value.TRUE]


def test_what_stays_open_says_why_it_is_open_alone(system: System) -> None:
    last = system.specifications[2]

    def why(system: System) -> str:
        cells = PredicateAbstraction(system, (last,), Budget(), refine=0)
        decision = cells.decide(last)
        assert decision.value is Value.UNDEFINED
        return decision.reason

    assert why(system) == why(replace(system, specifications=(last,)))


def test_the_predicates_that_helped_are_told() -> None:
    loaded = load_text(GROWING)
    assert loaded.system is not None
    asked = PredicateAbstraction(
        loaded.system, loaded.system.specifications[:1], Budget(), refine=0
    )
    before = asked.predicates()
    asked.decide(loaded.system.specifications[0])

    assert ("P.y <= -1", "formula 2") in [(p, o.split(",")[0]) for p, o in asked.predicates()]
    assert all(p != "P.y <= -1" for p, _ in before)
