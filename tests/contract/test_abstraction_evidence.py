"""What is shown for verdicts on cells, against the oracle; planted mistakes must not be shown."""

import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.rejection import Rejected
from gnomon.certificate.replay import replay
from gnomon.checking import cell_explainer, lasso_search, predicate_abstraction, run_out
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.cell_explainer import supported
from gnomon.checking.certify import Certifier
from gnomon.checking.lasso_search import LassoSearch
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.threshold_rules import ThresholdRules, threshold_rules
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.model import formula as f
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence, Explanation
from gnomon.model.fragment import is_propositional, state_subformulae
from gnomon.model.step import State
from gnomon.model.system import Specification
from gnomon.text.record import replace
from tests.abstraction import States, fair, linear, playing, waning
from tests.oracle import Oracle, TooMany
from tests.systems import examples, seeds

ROUNDS = 2


def shown(states: States) -> Counter[str]:
    """Let all evidence for decided formulae hold for the oracle; count what there was."""
    system, logic = states.partition.system, states.logic
    denote = partial(CellDenotation, fairness=system.fairness, logic=logic)
    decider = AbstractionRefinement(denote, states.partition, states.formulae, most_rounds=ROUNDS)
    found: Counter[str] = Counter()
    for formula in states.formulae:
        decision = decider.decide(formula)
        if decision.value == "undefined" or decision.nowhere:
            continue
        value = decision.value == "true"
        evidence = supported(decision.truth, formula, decision.start, logic, value=value)
        found["decided"] += 1
        if evidence is None:
            continue
        found["shown"] += 1
        root = evidence.explanation
        assert root is not None
        found["begun"] += "begins like this" in root.text
        found["loops"] += _loops(root)
        found["ranked"] += "for ever" in root.text and root.run is None
        try:
            by_oracle(states, evidence)
        except TooMany:
            continue
        found["proved"] += proved(states, formula, evidence, value=value)
    return found


def by_oracle(states: States, evidence: Evidence) -> None:
    """Replay evidence with the values that the oracle gives, and no strategy."""
    oracle, logic = states.oracle, states.logic
    unfair = Oracle(dataclasses.replace(states.partition.system, fairness=()))

    def value(formula: f.Formula, state: State) -> bool:
        return state in oracle.states(formula, logic)

    def meets(constraint: Specification) -> Callable[[State], bool]:
        where = unfair.states(constraint.formula, constraint.logic)
        return lambda state: state in where

    constraints = tuple(map(meets, states.partition.system.fairness))
    endless = bool(constraints) or logic != "CTL"
    told = replace(evidence, strategies=(), defences=())
    replay(states.partition.system, told, value, constraints, endless=endless)


def proved(states: States, formula: f.Formula, evidence: Evidence, *, value: bool) -> bool:
    """Return whether the checker takes evidence for a proof; it has to where literals are plain."""
    asked = Specification(formula, "", logic=states.logic)
    word = Value.TRUE if value else Value.FALSE
    verdict = Verdict(1, "", f.show_formula(formula), word, "abstraction", 0.0)
    entry = Certifier(states.partition.system, Budget()).shown(verdict, asked, evidence, "").entry
    root = evidence.explanation
    if isinstance(formula, f.All) and not value and root is not None and root.relation == "time":
        told = [*state_subformulae(formula.path)]
        told += [each.formula for each in states.partition.system.fairness]
        alike = any(isinstance(part, f.Constant) for part in f.walk(formula))
        if alike or not all(map(is_propositional, told)):
            return entry["proof"] is not None
        assert entry["proof"] is not None, entry["reason"]
    return entry["proof"] is not None


def _loops(why: Explanation) -> int:
    here = int(why.run is not None and why.run.loop is not None)
    return here + sum(_loops(branch.because) for branch in why.branches)


@pytest.mark.parametrize("draw", [fair, linear, waning])
@given(seed=seeds)
@examples(60)
def test_what_is_shown_is_so(draw: Callable[[Random], States], seed: int) -> None:
    shown(draw(Random(seed)))


@pytest.mark.parametrize("draw", [fair, linear, waning])
def test_much_is_shown(draw: Callable[[Random], States]) -> None:
    found: Counter[str] = Counter()
    for seed in range(80):
        found += shown(draw(Random(seed)))
    assert found["loops"] > 2
    assert found["proved"] > 10
    assert found["shown"] > found["decided"] / 3
    assert not found["begun"]  # all of it is finite
    if draw is waning:
        assert found["ranked"] > 10


# Planted mistakes


def _without_constraints(self: LassoSearch, nodes: Any) -> Any:
    self._constraints = ()
    return MEETING(self, nodes)


def _without_promises(self: LassoSearch, nodes: Any) -> Any:
    return MEETING(self, nodes)[len(nodes.untils) :]


def _elsewhere(self: Any, walk: Any) -> Any:
    points, loop = LASSO(self, walk)
    return points, max(loop - 1, 0) if len(points) > 1 else loop


def _one_step_less(self: Any, walk: Any) -> Any:
    points, loop = LASSO(self, walk)
    return (points[:-1], loop) if loop < len(points) - 1 else (points, loop)


MEETING = LassoSearch.meeting
LASSO = lasso_search._Listing._lasso
CAUGHT = (Rejected, ValueError)


@pytest.mark.parametrize(
    ("draw", "place", "name", "mistake"),
    [
        pytest.param(fair, LassoSearch, "meeting", _without_constraints, id="misses fairness"),
        pytest.param(linear, LassoSearch, "meeting", _without_promises, id="puts off for ever"),
        pytest.param(linear, lasso_search._Listing, "_lasso", _elsewhere, id="closes elsewhere"),
        pytest.param(linear, lasso_search._Listing, "_lasso", _one_step_less, id="does not close"),
    ],
)
def test_a_wrong_lasso_is_not_shown(
    draw: Callable[[Random], States], place: Any, name: str, mistake: Any
) -> None:
    def caught(seed: int) -> bool:
        states = draw(Random(seed))
        with patch.object(place, name, mistake):
            try:
                shown(states)
            except CAUGHT:
                return True
        return False

    assert any(map(caught, range(80)))


def test_a_ranking_that_grows_is_not_shown() -> None:
    value = run_out.PathsLeft._value

    def opposite(self: Any, *given: Any) -> int | None:
        found = value(self, *given)
        return None if found is None else -found

    def caught(seed: int) -> bool:
        states = waning(Random(seed))
        with patch.object(run_out.PathsLeft, "_value", opposite):
            try:
                shown(states)
            except Rejected:
                return True
        return False

    assert any(map(caught, range(40)))


def test_rules_that_say_something_else_are_not_shown() -> None:
    def turned(*given: Any) -> ThresholdRules:
        found = threshold_rules(*given)
        actions = [rule.action for rule in found.rules]
        rules = zip(found.rules, actions[1:] + actions[:1], strict=True)
        return found._replace(rules=tuple(replace(rule, action=new) for rule, new in rules))

    def caught(seed: int) -> bool:
        states = playing(Random(seed))
        with patch.object(cell_explainer, "threshold_rules", turned):
            try:
                shown(states)
            except Rejected:
                return True
        return False

    assert any(map(caught, range(80)))


def test_a_verdict_stands_where_there_is_no_time_to_show_it() -> None:
    states = waning(Random(1))
    specifications = tuple(Specification(each, "") for each in states.formulae)
    budget = Budget(seconds=60)
    abstraction = PredicateAbstraction(states.partition.system, specifications, budget)
    before = [abstraction.decide(each).value for each in specifications]

    def too_long(*_: object, **__: object) -> None:
        assert budget.seconds is not None and budget.seconds < 40
        raise LimitReached

    with patch.object(predicate_abstraction, "supported", too_long):
        after = [abstraction.decide(each, evidence=True) for each in specifications]

    assert [each.value for each in after] == before
    assert not any(each.evidence for each in after)
    assert budget.seconds == 60
