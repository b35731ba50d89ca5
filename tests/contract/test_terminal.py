"""Where a run may end: every engine finds the deadlocks that are left, and no verdict depends on it."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from gnomon.checking.check import check
from gnomon.checking.deadlocks import real_deadlocks, terminal_states
from gnomon.checking.options import Options
from gnomon.checking.supported import deadlock_check
from gnomon.checking.verdict import Value
from gnomon.model.step import holds
from gnomon.model.system import Specification, System
from gnomon.results.export.ispl import render
from gnomon.text.diagnostic import InputError
from tests.contract.compare import DECIDING, ENGINES, concrete
from tests.oracle import Oracle
from tests.support import VACUOUS
from tests.systems import examples, random_condition, random_formula, random_system, seeds


def ending(seed: int) -> System:
    """Return a random system that may get stuck, with a random condition on where it may end."""
    rng = Random(seed)
    system = random_system(rng, stuck=0.6)
    formula = random_formula(rng, system, 2)
    return replace(
        system,
        terminal=random_condition(rng, system.variables, rng.choice((0, 0, 1, 2))),
        specifications=(Specification(formula, "asked"),),
    )


@given(seed=seeds)
@examples(60)
def test_the_deadlocks_that_are_left_are_those_that_are_not_terminal(seed: int) -> None:
    system = ending(seed)
    oracle = Oracle(system)
    assert system.terminal is not None
    fine = {s for s in oracle.reachable if holds(system.terminal, system, s)}
    left = {s for s in oracle.reachable if not oracle.graph[s]} - fine

    for explore in ENGINES.values():
        algebra = explore(system)
        found = deadlock_check(algebra)

        assert left == concrete(algebra, real_deadlocks(algebra))
        assert len(fine) == terminal_states(algebra)
        assert (found is not None) == bool(left)


@pytest.mark.parametrize("engine", DECIDING)
@given(seed=seeds)
@examples(20)
def test_verdicts_stay_and_the_check_is_right(engine: str, seed: int) -> None:
    system = ending(seed)
    oracle = Oracle(system)
    assert system.terminal is not None
    left = [
        s
        for s, after in oracle.graph.items()
        if not after and not holds(system.terminal, system, s)
    ]
    options = Options(engine=engine, check_deadlock=True, allow=VACUOUS)  # type: ignore[arg-type]
    try:
        result = check(system, options=options)
        without = check(replace(system, terminal=None), options=options)
    except InputError:
        return

    [value] = [each.value for each in result.checks]
    if value is not Value.UNDEFINED:
        assert (value is Value.FALSE) == bool(left)
    if engine != "abstraction":
        assert [each.value for each in result] == [each.value for each in without]
        stuck = any(item.code == "G0801" for item in result.diagnostics)
        assert stuck == bool(left)


def test_a_program_that_is_written_out_says_what_it_leaves_out() -> None:
    text = render(ending(1))

    assert "-- TerminalStates is left out" in text
    assert "TerminalStates" not in text.partition("Semantics")[2]
