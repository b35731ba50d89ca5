"""The evidence for a verdict, replayed, or none."""

from collections.abc import Callable
from typing import TypeVar

from gnomon.certificate.replay import replay
from gnomon.certificate.strategy import TooManyAnswers
from gnomon.engines.algebra import Algebra
from gnomon.engines.game import ViewChoices
from gnomon.logic.explain import evidence
from gnomon.logic.moves import run_through
from gnomon.logic.runs import shortest
from gnomon.logic.satisfaction import Satisfaction
from gnomon.logic.strategies import view_rows
from gnomon.model.evidence import Evidence, Explanation, Strategy
from gnomon.model.formula import Formula, show_formula
from gnomon.model.step import State
from gnomon.model.system import Specification, System

Set = TypeVar("Set")


def supported(truth: Satisfaction[Set], specification: Specification) -> Evidence | None:
    """Return the evidence for the verdict on a formula; None where there is nothing to show."""
    found = evidence(truth, specification.formula, specification.logic)
    if found is None:
        return None
    algebra = truth.algebra

    def value(formula: Formula, state: State) -> bool:
        here = algebra.only(state)
        return algebra.is_subset(here, truth.states_within(formula, here, specification.logic))

    constraints = tuple(_membership(algebra, states) for states in truth.constraints)
    try:
        endless = bool(constraints) or specification.logic != "CTL"
        replay(algebra.system, found, value, constraints, endless=endless)
    except TooManyAnswers:
        return None
    return found


def _membership(algebra: Algebra[Set], states: Set) -> Callable[[State], bool]:
    return lambda state: algebra.is_subset(algebra.only(state), states)


def profile(
    system: System, specification: Specification, agents: tuple[str, ...], choices: ViewChoices
) -> Evidence:
    """Return the profile of uniform strategies in whose pruned model a formula holds."""
    text = show_formula(specification.formula)
    rows = view_rows(system, choices)
    return Evidence("strategy", None, (Strategy(text, "uniform-model", agents, rows),))


def deadlock_check(algebra: Algebra[Set]) -> Evidence | None:
    """Return a run to a deadlock, None where there is none."""
    return _run_to(algebra, algebra.deadlocks, "deadlock", "nothing can happen after this run")


def overflow_check(algebra: Algebra[Set]) -> Evidence | None:
    """Return a run to a state where a value can leave its range, None where there is none."""
    text = "after this run a value can leave its range"
    return _run_to(algebra, algebra.overflows, "overflow", text)


def _run_to(algebra: Algebra[Set], target: Set, name: str, text: str) -> Evidence | None:
    if algebra.is_empty(target):
        return None
    path = shortest(algebra, algebra.initial, algebra.reachable, target)
    assert path is not None, "all states are reachable"
    run = run_through(algebra.system, path)
    return Evidence("counterexample", Explanation(name, value=False, text=text, run=run))
