"""Variables of one value take no bits, and still an assignment to one may be without a result.

The verdicts are written down here, since a random search is easily blind to what nobody thought of; the
oracle says the same of all states, in whatever way the steps are cut, ordered and stored.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from typing import NamedTuple

import pytest

from gnomon.checking.attempts import Engine
from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from gnomon.engines.bdd import bdd_sets as symbolic
from gnomon.engines.bdd.bdd_algebra import BddAlgebra
from gnomon.engines.bdd.setup import DiagramLibrary, setups
from gnomon.engines.diagrams import events
from gnomon.engines.diagrams.order import ORDERS
from gnomon.logic.satisfaction import Reading
from gnomon.model.system import System
from tests.certificates import verified
from tests.contract.compare import DECIDING, ENGINES, concrete, contest
from tests.oracle import Oracle

LIBRARIES: list[DiagramLibrary] = [
    "oxidd",
    *(["python"] if find_spec("dd") else []),  # type: ignore[list-item]
]


class Case(NamedTuple):
    """A program, the values of its formulae, and whether it can leave a range or get stuck."""

    text: str
    values: str
    states: int
    overflows: bool = True
    stuck: bool = True


def program(
    declared: str,
    evolution: str,
    formulae: str,
    *,
    actions: str = "a",
    protocol: str = "Other : {a};",
    environment: str = "",
    initial: str = "true",
    head: str = "",
    evaluation: str = "q if 0 = 0;",
) -> str:
    """Return a program of the agent P beside an environment that does nothing of interest."""
    return f"""
    {head}
    Agent Environment {environment} end Agent
    Agent P
      Vars: {declared} end Vars
      Actions = {{{actions}}};
      Protocol: {protocol} end Protocol
      Evolution: {evolution} end Evolution
    end Agent
    Evaluation {evaluation} end Evaluation
    InitStates {initial}; end InitStates
    Groups g = {{P}}; e = {{Environment}}; end Groups
    Formulae {formulae} end Formulae
    """


STUCK = "AX !q; EX q; EG q; AG EF q; <g>X !q; <e>X !q; <g>G q; LTL G !q;"
#: Nothing follows: `AX` is true of everything, no path is infinite, and whatever a coalition does is fine.
NOTHING_FOLLOWS = "TFFTTTTT"

CASES = {
    "a number": Case(program("x : 0..0;", "x = x + 1 if Action = a;", STUCK), NOTHING_FOLLOWS, 1),
    "a number that is not zero": Case(
        program("x : 7..7;", "x = x - 1 if Action = a;", STUCK), NOTHING_FOLLOWS, 1
    ),
    "a product": Case(
        program("x : -2..-2;", "x = x * x if Action = a;", STUCK), NOTHING_FOLLOWS, 1
    ),
    "a quotient that is a fraction": Case(
        program("x : 1..1; y : 2..3;", "x = x / y if Action = a;", STUCK), NOTHING_FOLLOWS, 2
    ),
    "bits": Case(program("x : 0..0;", "x = ~x if Action = a;", STUCK), NOTHING_FOLLOWS, 1),
    "SingleAssignment": Case(
        program(
            "x : 0..0; b : boolean;",
            "x = x + 1 if Action = a; b = !b if Action = a;",
            "AX !q; EX q; EF P.b;",
            head="Semantics = SA;",
            initial="P.b = false",
        ),
        "TFF",
        1,
    ),
    "beside a change": Case(
        program(
            "x : 0..0; b : boolean;",
            "x = x + 1 and b = true if Action = a;",
            "EF P.b; AX false; EX true;",
            initial="P.b = false",
        ),
        "FTF",
        1,
    ),
    "one alternative of two": Case(
        program(
            "x : 0..0; b : boolean;",
            "x = x + 1 and b = true if Action = a; b = !b if Action = a;",
            "EF P.b; AG EX true; AG AF P.b; <g>X P.b;",
            initial="P.b = false",
        ),
        "TTTT",
        2,
        stuck=False,
    ),
    "in one state of two": Case(
        program(
            "x : 0..0; y : 0..1;",
            "x = y and y = 1 if Action = a;",
            "EF P.y = 1; AG EX true; EF AX false; AF P.y = 1;",
            initial="P.y = 0",
        ),
        "TFTT",
        2,
    ),
    "under one action of two": Case(
        program(
            "x : 0..0;",
            "x = x + 1 if Action = b;",
            "EX q; AG EX q; <g>X !q; <g>X q; <e>X q; <e>X !q; AX !q;",
            actions="a, b",
            protocol="Other : {a, b};",
        ),
        # Doing b has no result at all: whatever is wanted of its results is so.
        "TTTTTFF",
        1,
        stuck=False,
    ),
    "an enumeration": Case(
        program(
            "x : {on}; y : 0..0;", "x = on and y = y + 1 if Action = a;", "AX false; EX q; EG q;"
        ),
        "TFF",
        1,
    ),
    "an enumeration that fits": Case(
        program("x : {on};", "x = on if Action = a;", "EX true; AG EX q; AX !q;"),
        "TTF",
        1,
        overflows=False,
        stuck=False,
    ),
    "the environment": Case(
        program(
            "b : boolean;",
            "b = !b if Action = a;",
            "EF P.b; AX false; K(P, AX false); <g>X P.b;",
            environment="Obsvars: o : 3..3; end Obsvars Vars: h : 0..0; end Vars"
            " Actions = {t}; Protocol: Other : {t}; end Protocol"
            " Evolution: o = o + h + 1 if Action = t; end Evolution",
            initial="P.b = false",
        ),
        "FTTT",
        1,
    ),
    "a family of one": Case(
        program(
            "c[i : 1..n] : 1..n;",
            "for i : 1..n: c[i] = c[i] + 1 if Action = a; end for",
            STUCK,
            head="Constants n = 1; end Constants",
        ),
        NOTHING_FOLLOWS,
        1,
    ),
}


def the_system(name: str) -> System:
    loaded = load_text(CASES[name].text)
    assert loaded.system is not None, [item.message for item in loaded.diagnostics]
    return loaded.system


every_case = pytest.mark.parametrize("name", CASES)


def expected(case: Case) -> list[Value]:
    return [Value.TRUE if letter == "T" else Value.FALSE for letter in case.values]


@every_case
@pytest.mark.parametrize("engine", ENGINES)
def test_an_assignment_without_a_result_has_none(engine: Engine, name: str) -> None:
    case, system = CASES[name], the_system(name)
    options = Options(
        engine=engine, evidence=True, check_deadlock=True, check_overflow=True, certificate=True
    )
    result = check(system, None, options)

    assert expected(case) == [verdict.value for verdict in result]
    assert case.states == result.states
    assert [case.stuck, case.overflows] == [item.value is Value.FALSE for item in result.checks]
    assert result.certificate is not None
    asked = system.specifications
    outcomes = verified(system, result.certificate, asked)
    # There is no rule for what holds on all infinite paths.
    assert all(
        outcome.accepted or item.logic == "LTL"
        for outcome, item in zip(outcomes, asked, strict=True)
    )


@every_case
@pytest.mark.parametrize("strategies", ["perfect", "uniform", "uniform-subjective"])
@pytest.mark.parametrize("engine", DECIDING)
def test_the_oracle_says_so_in_all_states(engine: str, strategies: Reading, name: str) -> None:
    system = the_system(name)
    compared = contest(engine, system, strategies)
    for item in system.specifications:
        compared.on(item.formula, item.logic)


def ways() -> Iterator[dict[str, float]]:
    """Yield the ways to cut the steps: in one, an event for each action, joined case by case, in parts."""
    yield {}
    yield {"_QUIET": 0.0}
    yield {"_QUIET": 2.0, "_MANY_ACTIONS": 0}
    yield {"_QUIET": 2.0, "_MANY_ACTIONS": 99, "_SMALL": 0, "_LARGE": 0}


@every_case
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("preimages", [1, 16], ids=["cut down", "whole"])
def test_every_way_of_taking_steps_says_so(
    library: DiagramLibrary, preimages: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = the_system(name)
    oracle = Oracle(system)
    stuck = {state for state, targets in oracle.graph.items() if not targets}
    monkeypatch.setattr(symbolic, "_MANY_PREIMAGES", preimages)
    monkeypatch.setattr(events, "_FEW_ACTIONS", 1)
    for way, order in product(ways(), ORDERS):
        with monkeypatch.context() as patched:
            for constant, value in way.items():
                patched.setattr(events, constant, value)
            algebra = BddAlgebra(system, next(setups(system, (), order, library)))
            assert oracle.reachable == concrete(algebra, algebra.reachable)
            assert stuck == concrete(algebra, algebra.deadlocks)
            for state in oracle.reachable:
                here = algebra.only(state)
                assert oracle.graph[state] == concrete(algebra, algebra.after(here))
                before = {other for other, to in oracle.graph.items() if state in to}
                assert before == concrete(algebra, algebra.before(here, algebra.reachable))
