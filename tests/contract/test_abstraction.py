"""Cells never say of a state what is not so: labels, reachability and verdicts of the abstraction engine.

Finite systems are compared with the oracle, state by state; unbounded ones with what can be seen of them
through a window; the models of the corpus with the explicit engine.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.partition import Partition, first_partition
from gnomon.engines.abstraction.refinement import AbstractionRefinement
from gnomon.engines.solvers import system_terms
from gnomon.model import step
from gnomon.model.system import Specification
from gnomon.text.diagnostic import InputError
from tests.abstraction import (
    DEPTHS,
    OPERATORS,
    States,
    Within,
    by_events,
    emptied,
    fair_play,
    finite,
    groping,
    groping_fairly,
    knowing,
    knowing_without_bounds,
    mishaps,
    playing,
    racing,
    unbounded,
)
from tests.counting import HERE, counting_system, exact_partition, random_partition
from tests.event_choices import bargaining, bargaining_without_bounds, by_choices
from tests.oracle import Oracle, TooMany
from tests.support import VACUOUS, shared_model_files
from tests.systems import examples, random_formula, seeds
from tests.window import Window

#: How often cells may be made finer.
rounds = pytest.mark.parametrize("rounds", [0, 3])
randoms = st.randoms(use_true_random=False)
slowly = settings(suppress_health_check=list(HealthCheck), deadline=None)
every_finite = pytest.mark.parametrize("make", [finite, playing, knowing])


@pytest.fixture(scope="module", autouse=True)
def impatience() -> Iterator[None]:
    """Wait only shortly for answers of the solver that are hard to find: none is needed."""
    with patch.object(system_terms, "_PATIENCE", 100):
        yield


# Finite systems


@given(seed=seeds)
@examples(150)
def test_labels_are_right_of_every_reachable_state(seed: int) -> None:
    finite(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(150)
def test_labels_are_right_where_cells_do_not_tell_what_players_may_do(seed: int) -> None:
    playing(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(50)
def test_labels_are_right_of_what_agents_know(seed: int) -> None:
    knowing(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(40)
def test_labels_are_right_where_players_act_on_what_they_see(seed: int) -> None:
    groping(Random(seed)).compare_uniform_labels()


@given(seed=seeds)
@examples(40)
def test_labels_are_right_where_players_act_on_what_they_see_and_runs_are_fair(seed: int) -> None:
    groping_fairly(Random(seed)).compare_uniform_labels()


@given(seed=seeds)
@examples(60)
def test_uniform_strategies_inside_other_formulae_are_right(seed: int) -> None:
    finite(Random(seed), "bool know atl").compare_uniform_labels()


@every_finite
@given(seed=seeds)
@examples(40)
def test_every_state_has_a_cell_and_every_cell_a_state(
    make: Callable[[Random], States], seed: int
) -> None:
    make(Random(seed)).compare_cells()


@every_finite
@given(seed=seeds)
@examples(40)
def test_every_reachable_state_is_in_a_reachable_cell(
    make: Callable[[Random], States], seed: int
) -> None:
    make(Random(seed)).compare_reachable()


@every_finite
@given(seed=seeds)
@examples(40)
def test_cells_that_surely_contain_reachable_states_do(
    make: Callable[[Random], States], seed: int
) -> None:
    make(Random(seed)).compare_must_reach()


@given(seed=seeds)
@examples(60)
def test_labels_are_right_of_what_coalitions_enforce_on_fair_outcomes(seed: int) -> None:
    fair_play(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(100)
def test_labels_are_right_where_agents_may_have_nothing_to_do(seed: int) -> None:
    emptied(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(80)
def test_labels_are_right_where_one_event_happens_at_a_time(seed: int) -> None:
    by_events(Random(seed)).compare()


@pytest.mark.parametrize("make", [by_choices, bargaining, bargaining_without_bounds])
@given(seed=seeds)
@examples(60)
def test_labels_are_right_of_what_coalitions_leave_to_happen(
    make: Callable[[Random], States | Within], seed: int
) -> None:
    make(Random(seed)).compare_labels()


@pytest.mark.parametrize("make", [by_choices, bargaining])
@given(seed=seeds)
@examples(30)
def test_labels_are_right_of_uniform_choices_among_events(
    make: Callable[[Random], States], seed: int
) -> None:
    make(Random(seed)).compare_uniform_labels()


@rounds
@pytest.mark.parametrize(
    "make", [fair_play, emptied, by_events, by_choices, bargaining, bargaining_without_bounds]
)
@given(seed=seeds)
@examples(40)
def test_verdicts_are_right_under_fairness_and_with_dead_ends(
    make: Callable[[Random], States | Within], rounds: int, seed: int
) -> None:
    make(Random(seed)).compare_verdicts(rounds)


@rounds
@given(seed=seeds)
@examples(60)
def test_deadlocks_and_overflows_are_there_where_cells_say_so(rounds: int, seed: int) -> None:
    mishaps(Random(seed)).compare_sanity(rounds)


def test_most_questions_about_deadlocks_and_overflows_are_decided() -> None:
    definite = [mishaps(Random(seed)).compare_sanity(3) for seed in range(40)]

    assert 0.8 < sum(definite) / (2 * len(definite))


def test_rankings_decide_more_of_what_coalitions_enforce_on_fair_outcomes() -> None:
    found = dict.fromkeys(DEPTHS, 0)
    for seed in range(40):
        states = fair_play(Random(seed))
        for formula in states.formulae:
            for depth in DEPTHS:
                label = states.label(formula, depth)
                known = states.space.diagrams.either(label.true, label.false)
                found[depth] += sum(states.is_in(known, state) for state in states.oracle.universe)

    assert found[0] < found[1]


@rounds
@given(seed=seeds)
@examples(70)
def test_definite_verdicts_are_those_of_the_oracle(rounds: int, seed: int) -> None:
    finite(Random(seed)).compare_verdicts(rounds)


@given(seed=seeds)
@examples(40)
def test_refining_until_it_is_hopeless_gives_no_wrong_verdict(seed: int) -> None:
    playing(Random(seed)).compare_verdicts(None)


@given(seed=seeds)
@examples(80)
def test_longer_rankings_only_add_to_what_is_known(seed: int) -> None:
    states = finite(Random(seed), "bool ctl atl")
    d = states.space.diagrams
    for formula in states.formulae:
        labels = [states.label(formula, depth) for depth in DEPTHS]
        for less, more in pairwise(labels):
            assert d.false == d.minus(less.true, more.true)
            assert d.false == d.minus(less.false, more.false)


def overflows(oracle: Oracle) -> bool:
    moves = (move for state in oracle.reachable for move in step.moves(oracle.system, state))
    return any(move.target is None for move in moves)


@pytest.mark.parametrize("kept", [False, True], ids=["each value a piece", "values kept"])
@given(seed=seeds)
@examples(60)
def test_with_a_cell_for_every_state_nothing_is_open(kept: bool, seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 24)
    formulae = [random_formula(rng, system, 2, OPERATORS) for _ in range(3)]
    partition = Partition(system, frozenset(), ()) if kept else exact_partition(system)
    states = States(partition, formulae)
    if overflows(states.oracle):
        return
    for formula in formulae:
        truth = states.oracle.states(formula)
        label = states.label(formula, 0)
        for state in states.oracle.reachable:
            assert (state in truth) == states.is_in(label.true, state)
            assert (state not in truth) == states.is_in(label.false, state)
    assert len(formulae) == states.compare_verdicts(0)


@given(seed=seeds)
@examples(60)
def test_an_agent_with_nothing_to_do_is_noticed(seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 24, stuck=0.4)
    states = States(random_partition(rng, system, ()), [])
    for state in states.oracle.reachable:
        if not all(step.enabled_actions(system, agent, state) for agent in system.agents):
            assert states.is_in(states.space.stuck, state)


def test_most_of_what_is_asked_of_finite_systems_is_decided() -> None:
    asked = [finite(Random(seed)) for seed in range(40)]
    definite = [states.compare_verdicts(3) for states in asked]

    # Where values leave their ranges, labels are seldom definite.
    assert 0.8 < sum(definite) / sum(len(states.formulae) for states in asked)


# Unbounded systems


@given(seed=seeds)
@examples(50)
def test_labels_agree_with_what_is_seen_through_a_window(seed: int) -> None:
    unbounded(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(150)
def test_labels_agree_with_what_is_seen_of_a_race(seed: int) -> None:
    racing(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(10)
def test_knowledge_of_numbers_without_bounds_agrees_with_what_is_seen(seed: int) -> None:
    knowing_without_bounds(Random(seed)).compare()


@pytest.mark.parametrize("make", [unbounded, racing])
@given(seed=seeds)
@examples(50)
def test_cells_of_unbounded_systems_are_reachable_where_the_window_says_so(
    make: Callable[[Random], Within], seed: int
) -> None:
    within = make(Random(seed))
    within.compare_reachable()
    within.compare_must_reach()


@rounds
@pytest.mark.parametrize("make", [unbounded, racing])
@given(seed=seeds)
@examples(25)
def test_definite_verdicts_agree_with_what_is_seen_through_a_window(
    make: Callable[[Random], Within], rounds: int, seed: int
) -> None:
    make(Random(seed)).compare_verdicts(rounds)


def test_many_questions_about_unbounded_systems_are_decided() -> None:
    asked = [racing(Random(seed)) for seed in range(40)]
    definite = [within.compare_verdicts(3) for within in asked]

    assert 0.6 < sum(definite) / sum(len(within.formulae) for within in asked)


@given(seed=seeds)
@examples(50)
def test_a_window_that_shows_everything_is_the_oracle(seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 24)
    formula = random_formula(rng, system, 2, OPERATORS)
    oracle, window = Oracle(system), Window(system, 0, 0, most=10_000)
    truth = window.truth(formula)

    assert oracle.reachable == window.surely_reachable == window.perhaps_reachable
    assert oracle.states(formula) == truth.low & oracle.reachable == truth.high & oracle.reachable
    assert (oracle.holds(formula), oracle.holds(formula)) == window.verdict(formula)


@given(seed=seeds)
@examples(40)
def test_a_small_window_and_a_large_one_never_contradict_each_other(seed: int) -> None:
    within = unbounded(Random(seed))
    system = within.partition.system
    small, large = Window(system, -1, 2, most=40), Window(system, -5, 8, most=3_000)
    known = small.surely_reachable
    for formula in within.formulae:
        less, more = small.truth(formula), large.truth(formula)
        assert less.low & known <= more.high
        assert more.low & known <= less.high
    assert known <= large.surely_reachable


# What users ask


@pytest.mark.parametrize("refine", [0, None])
@given(seed=seeds)
@examples(30)
def test_checking_by_abstraction_agrees_with_the_oracle(refine: int | None, seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 48)
    asked = [Specification(random_formula(rng, system, 2, OPERATORS), "") for _ in range(3)]
    options = Options(allow=VACUOUS, engine="abstraction", refine=refine, evidence=True)
    oracle = Oracle(system)
    for verdict, question in zip(check(system, asked, options), asked, strict=True):
        if verdict.value is not Value.UNDEFINED:
            expected = Value.TRUE if oracle.holds(question.formula) else Value.FALSE
            assert expected is verdict.value, verdict.parsed


@given(seed=seeds)
@examples(20)
def test_checking_uniform_strategies_by_abstraction_agrees_with_the_oracle(seed: int) -> None:
    states = groping(Random(seed))
    system = states.partition.system
    asked = [Specification(formula, "") for formula in states.formulae]
    options = Options(
        allow=VACUOUS, engine="abstraction", strategies="uniform", refine=2, evidence=True
    )
    oracle = Oracle(system, "uniform")
    for verdict, question in zip(check(system, asked, options), asked, strict=True):
        if verdict.value is Value.UNDEFINED:
            continue
        try:
            expected = Value.TRUE if oracle.holds(question.formula) else Value.FALSE
        except TooMany:
            continue
        assert expected is verdict.value, verdict.parsed


#: A number, its condition in `Evaluation`, and what a blind agent may know of it.
PROGRAM = """
Agent Environment
  Vars: x : int; b : 0..3; end Vars
  Actions = {{go}};
  Protocol: Other : {{go}}; end Protocol
  Evolution: x = {after} if Action = go; end Evolution
end Agent
Agent Seer
  Vars: y : int; end Vars
  Actions = {{go, halt, turn}};
  Protocol: Other : {{go, halt, turn}}; end Protocol
  Evolution: y = y if Action = go; end Evolution
end Agent
Evaluation q if {condition}; end Evaluation
InitStates {initial}; end InitStates
Formulae {formula}; end Formulae
"""


@pytest.mark.parametrize(
    ("right", "after", "condition", "initial", "formula"),
    [
        pytest.param(
            Value.TRUE,
            "x * x",
            "Environment.x mod 2 = 0 or Environment.x = 2",
            "Environment.x = 2 and Environment.b = 0 and Seer.y = 0",
            "K(Seer, q)",
            id="what may become of a quantity is not what surely does",
        ),
        pytest.param(
            Value.FALSE,
            "x",
            "Seer.y <= Environment.x",
            "Environment.x = 0 and Environment.b = 0 and Seer.y >= 0 and Seer.y <= 1",
            "!K(Seer, q)",
            id="a cell in which numbers are related may lack a state for a view",
        ),
        pytest.param(
            Value.FALSE,
            "x * x",
            "Environment.x mod 4 = 0",
            "Environment.x = 2 and Environment.b = 0 and Seer.y = 0",
            "K(Seer, !q)",
            id="what may become anything changes",
        ),
        pytest.param(
            Value.TRUE,
            "x",
            "Environment.x * Environment.x + Environment.b = 3",
            "Environment.b = 1 and Seer.y = 0",
            "K(Seer, !q)",
            id="a cell without a state refutes nothing",
        ),
        pytest.param(
            Value.TRUE,
            "x / 2",
            "Environment.x * Environment.x mod 3 = 1",
            "Environment.x = 4 and Environment.b = 0 and Seer.y = 0",
            "AG q",
            id="what is no integer has no remainder",
        ),
    ],
)
def test_what_once_was_wrong_is_right_or_open(
    right: Value, after: str, condition: str, initial: str, formula: str
) -> None:
    text = PROGRAM.format(after=after, condition=condition, initial=initial, formula=formula)
    system = load_text(text).system
    assert system is not None
    (verdict,) = check(system, None, Options(allow=VACUOUS, engine="abstraction", refine=5))

    assert verdict.value in {right, Value.UNDEFINED}


# Models of others

#: More states than are worth listing one by one here.
TOO_LARGE = {
    "dining-cryptographers-12-ctl-star.ispl",
    "dining-cryptographers-12-ltl.ispl",
    "go_back_n.ispl",
    "ring.ispl",
}
FEW_STATES = 2_000


def models() -> list[Path]:
    return [path for path in shared_model_files() if path.name not in TOO_LARGE]


@pytest.mark.parametrize("path", models(), ids=lambda path: path.stem)
def test_models_of_the_corpus_have_the_verdicts_of_the_explicit_engine(path: Path) -> None:
    system = load(str(path)).system
    if system is None:
        pytest.skip("not a model")
    asked = list(system.specifications)
    explicit = check(
        system, asked, Options(allow=VACUOUS, engine="explicit", max_states=FEW_STATES)
    )
    if any(verdict.value is Value.UNKNOWN for verdict in explicit):
        pytest.skip("too many states")
    try:
        whole = check(system, asked, Options(allow=VACUOUS, engine="abstraction", refine=3))
    except InputError as refusal:
        pytest.skip(str(refusal))
    formulae = [question.formula for question in asked]
    told = [*formulae, *(each.formula for each in system.fairness)]
    cut = first_partition(system, [(formula, HERE) for formula in told], wide=0)
    for right, verdict, question in zip(explicit, whole, asked, strict=True):
        assert verdict.value in {right.value, Value.UNDEFINED}, verdict.parsed
        read = partial(CellDenotation, fairness=system.fairness, logic=question.logic)
        decider = AbstractionRefinement(read, cut, formulae, most_rounds=3)
        assert Value(decider.decide(question.formula).value) in {right.value, Value.UNDEFINED}


# Ever new examples


@slowly
@given(rng=randoms)
def test_nothing_is_wrong_about_finite_systems(rng: Random) -> None:
    finite(rng).compare()


@slowly
@given(rng=randoms)
def test_nothing_is_wrong_about_races(rng: Random) -> None:
    racing(rng).compare()
