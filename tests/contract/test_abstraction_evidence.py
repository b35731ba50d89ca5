"""What is shown for verdicts on cells, against the oracle; planted mistakes must not be shown."""

import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, cast
from unittest.mock import patch

import pytest
from hypothesis import given

from gnomon.certificate.rejection import Rejected, require
from gnomon.certificate.replay import replay
from gnomon.checking import (
    cell_explainer,
    cell_replay,
    lasso_search,
    predicate_abstraction,
    run_out,
)
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.cell_explainer import supported
from gnomon.checking.certify import Certifier
from gnomon.checking.lasso_search import LassoSearch
from gnomon.checking.predicate_abstraction import PredicateAbstraction
from gnomon.checking.threshold_rules import ThresholdRules, threshold_rules
from gnomon.checking.verdict import Value, Verdict
from gnomon.engines.abstraction.fair_attractors import FairAttractor
from gnomon.engines.abstraction.fair_play import FairPlay
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.engines.abstraction.three_valued import CellAlgebra
from gnomon.logic.denotation import Reading
from gnomon.logic.explainer import has_run
from gnomon.model import formula as f
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Evidence, Explanation
from gnomon.model.fragment import is_propositional, state_subformulae
from gnomon.model.step import State
from gnomon.model.system import Specification
from gnomon.text.record import replace
from tests.abstraction import (
    States,
    by_events,
    fair,
    fair_play,
    groping,
    groping_fairly,
    linear,
    playing,
    waning,
)
from tests.event_choices import bargaining, by_choices
from tests.oracle import Oracle, TooMany
from tests.systems import examples, seeds

ROUNDS = 2


def shown(states: States, strategies: Reading = "perfect") -> Counter[str]:
    """Let all evidence for decided formulae hold for the oracle; count what there was."""
    system, logic = states.partition.system, states.logic
    denote = partial(CellDenotation, strategies=strategies, fairness=system.fairness, logic=logic)
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
        found["strategies"] += len(evidence.strategies)
        found["defences"] += len(evidence.defences)
        found["begun"] += "begins like this" in root.text
        found["loops"] += _loops(root)
        found["ranked"] += "for ever" in root.text and root.run is None
        try:
            by_oracle(states, decision.truth.algebra, evidence)
        except TooMany:
            continue
        if strategies == "perfect":
            found["proved"] += proved(states, formula, evidence, value=value)
    return found


def by_oracle(states: States, algebra: CellAlgebra, evidence: Evidence) -> None:
    """Replay evidence with the values that the oracle gives, strategies to their ends."""
    oracle, logic, system = states.oracle, states.logic, states.judged
    unfair = Oracle(dataclasses.replace(system, fairness=()))

    def value(formula: f.Formula, state: State) -> bool:
        return state in oracle.states(formula, logic)

    def meets(constraint: Specification) -> Callable[[State], bool]:
        where = unfair.states(constraint.formula, constraint.logic)
        return lambda state: state in where

    constraints = tuple(map(meets, system.fairness))
    endless = bool(constraints) or logic != "CTL"
    told = replace(evidence, strategies=())
    root = evidence.explanation
    assert root is not None and root.state is not None
    if constraints and evidence.counts is None:
        assert root.value and not has_run(root)
        if root.state not in oracle.universe:
            return  # nothing is said of it
    on_runs = constraints if evidence.counts is not None else ()
    replay(system, told, value, on_runs, endless=endless)
    for strategy in evidence.strategies:
        whole = patch.object(cell_replay, "_MOST_PLAYED", 5_000)
        rules = cast("ThresholdRules", _NoRules())
        with whole:
            won = cell_replay.plays_well(algebra, strategy, rules, value, constraints)
        require(won, "a strategy loses")


class _NoRules:
    """Rules that nobody looks at."""

    def agree(self, *_: object) -> bool:
        """Return that they say the same."""
        return True


def proved(states: States, formula: f.Formula, evidence: Evidence, *, value: bool) -> bool:
    """Return whether the checker takes evidence for a proof; it has to where literals are plain."""
    asked = Specification(formula, "", logic=states.logic)
    word = Value.TRUE if value else Value.FALSE
    verdict = Verdict(1, "", f.show_formula(formula), word, "abstraction", 0.0)
    entry = Certifier(states.judged, Budget()).shown(verdict, asked, evidence, "").entry
    root = evidence.explanation
    if isinstance(formula, f.All) and not value and root is not None and root.relation == "time":
        told = [*state_subformulae(formula.path)]
        told += [each.formula for each in states.judged.fairness]
        alike = any(isinstance(part, f.Constant) for part in f.walk(formula))
        if alike or not all(map(is_propositional, told)):
            return entry["proof"] is not None
        assert entry["proof"] is not None, entry["reason"]
    return entry["proof"] is not None


def _loops(why: Explanation) -> int:
    here = sum(run is not None and run.loop is not None for run in (why.run, why.onward))
    return here + sum(_loops(branch.because) for branch in why.branches)


ALL = [fair, linear, waning, playing, fair_play, by_events, by_choices, bargaining]


@pytest.mark.parametrize("draw", ALL)
@given(seed=seeds)
@examples(60)
def test_what_is_shown_is_so(draw: Callable[[Random], States], seed: int) -> None:
    shown(draw(Random(seed)))


@pytest.mark.parametrize("draw", [groping, groping_fairly, by_choices])
@given(seed=seeds)
@examples(30)
def test_what_is_shown_of_uniform_strategies_is_so(
    draw: Callable[[Random], States], seed: int
) -> None:
    states = draw(Random(seed))
    states.__dict__["oracle"] = Oracle(states.judged, "uniform")
    shown(states, "uniform")


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


def _anywhere(self: Any, *given: Any) -> Any:
    stay, _ = KEPT(self, *given)
    return stay, self._d.true


def _never_unfair(_self: FairPlay, _here: Any) -> bool:
    return False


KEPT = FairAttractor._kept


@pytest.mark.parametrize(
    ("place", "name", "mistake"),
    [
        pytest.param(FairAttractor, "_kept", _anywhere, id="goes anywhere"),
        pytest.param(FairPlay, "_makes_unfair", _never_unfair, id="forgets to be unfair"),
    ],
)
def test_a_fair_strategy_that_loses_is_not_shown(place: Any, name: str, mistake: Any) -> None:
    def caught(seed: int) -> bool:
        states = fair_play(Random(seed))
        with patch.object(place, name, mistake):
            try:
                found = shown(states)
            except Rejected:
                return True
        return found["strategies"] < shown(fair_play(Random(seed)))["strategies"]

    assert any(map(caught, range(100, 140)))


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
