"""Cells never say of a state what is not so: labels, reachability and verdicts of the abstraction engine.

Finite systems are compared with the oracle, state by state; unbounded ones with what can be seen of them
through a window; the models of the corpus with the explicit engine.
"""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.checking.abstract import is_in_logic
from gnomon.checking.check import Options, check
from gnomon.checking.load import load, load_text
from gnomon.checking.verdict import Value
from gnomon.engines.abstraction.labels import Labels
from gnomon.engines.abstraction.partition import Partition
from gnomon.model import step
from gnomon.model.system import Specification, System
from gnomon.text.diagnostic import InputError
from tests.abstraction import (
    DEPTHS,
    OPERATORS,
    States,
    counting_system,
    exact_partition,
    finite,
    random_partition,
    unbounded,
)
from tests.oracle import Oracle
from tests.support import shared_model_files
from tests.systems import examples, random_formula, seeds
from tests.window import Window

#: How often cells are made finer; None is what a user gets who does not say.
rounds = pytest.mark.parametrize("rounds", [0, 3])
randoms = st.randoms(use_true_random=False)
slowly = settings(suppress_health_check=list(HealthCheck), deadline=None)


# Finite systems


@given(seed=seeds)
@examples(500)
def test_labels_are_right_of_every_reachable_state(seed: int) -> None:
    finite(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(150)
def test_every_reachable_state_is_in_a_reachable_cell(seed: int) -> None:
    finite(Random(seed)).compare_reachable()


@given(seed=seeds)
@examples(300)
def test_cells_that_surely_contain_reachable_states_do(seed: int) -> None:
    finite(Random(seed)).compare_must_reach()


@rounds
@given(seed=seeds)
@examples(100)
def test_definite_verdicts_are_those_of_the_oracle(rounds: int, seed: int) -> None:
    finite(Random(seed)).compare_verdicts(rounds)


@given(seed=seeds)
@examples(40)
def test_refining_until_it_is_hopeless_gives_no_wrong_verdict(seed: int) -> None:
    finite(Random(seed), "bool ctl know atl").compare_verdicts(None)


@given(seed=seeds)
@examples(150)
def test_longer_rankings_only_add_to_what_is_known(seed: int) -> None:
    states = finite(Random(seed), "bool ctl atl")
    d = states.space.diagrams
    for formula in states.formulae:
        labels = [Labels(states.space, depth).label(formula) for depth in DEPTHS]
        for less, more in pairwise(labels):
            assert d.false == d.minus(less.true, more.true)
            assert d.false == d.minus(less.false, more.false)


def overflows(oracle: Oracle) -> bool:
    moves = (move for state in oracle.reachable for move in step.moves(oracle.system, state))
    return any(move.target is None for move in moves)


@pytest.mark.parametrize("kept", [False, True], ids=["each value a piece", "values kept"])
@given(seed=seeds)
@examples(100)
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
@examples(100)
def test_an_agent_with_nothing_to_do_is_noticed(seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 24, stuck=0.4)
    states = States(random_partition(rng, system, ()), [])
    for state in states.oracle.reachable:
        if not all(step.enabled_actions(system, agent, state) for agent in system.agents):
            assert states.is_in(states.space.stuck, state)


def test_most_of_what_is_asked_of_finite_systems_is_decided() -> None:
    asked = [finite(Random(seed)) for seed in range(60)]
    definite = [states.compare_verdicts(3) for states in asked]

    assert 0.85 < sum(definite) / sum(len(states.formulae) for states in asked)


# Unbounded systems


@given(seed=seeds)
@examples(300)
def test_labels_agree_with_what_is_seen_through_a_window(seed: int) -> None:
    unbounded(Random(seed)).compare_labels()


@given(seed=seeds)
@examples(150)
def test_cells_of_unbounded_systems_are_reachable_where_the_window_says_so(seed: int) -> None:
    within = unbounded(Random(seed))
    within.compare_reachable()
    within.compare_must_reach()


@rounds
@given(seed=seeds)
@examples(80)
def test_definite_verdicts_agree_with_what_is_seen_through_a_window(rounds: int, seed: int) -> None:
    unbounded(Random(seed)).compare_verdicts(rounds)


def test_most_of_what_is_asked_of_unbounded_systems_is_decided() -> None:
    asked = [unbounded(Random(seed)) for seed in range(60)]
    definite = [within.compare_verdicts(3) for within in asked]

    assert 0.8 < sum(definite) / sum(len(within.formulae) for within in asked)


@given(seed=seeds)
@examples(60)
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
@examples(80)
def test_a_small_window_and_a_large_one_never_contradict_each_other(seed: int) -> None:
    within = unbounded(Random(seed))
    system = within.partition.system
    small, large = Window(system, -1, 2, most=40), Window(system, -5, 8)
    known = small.surely_reachable
    for formula in within.formulae:
        less, more = small.truth(formula), large.truth(formula)
        assert less.low & known <= more.high
        assert more.low & known <= less.high
    assert known <= large.surely_reachable


# What users ask


@pytest.mark.parametrize("refine", [0, None])
@given(seed=seeds)
@examples(40)
def test_checking_by_abstraction_agrees_with_the_oracle(refine: int | None, seed: int) -> None:
    rng = Random(seed)
    system = counting_system(rng, 48)
    asked = [Specification(random_formula(rng, system, 2, OPERATORS), "") for _ in range(3)]
    options = Options(engine="abstraction", refine=refine, evidence=True)
    oracle = Oracle(system)
    for verdict, question in zip(check(system, asked, options), asked, strict=True):
        if verdict.value is not Value.UNDEFINED:
            expected = Value.TRUE if oracle.holds(question.formula) else Value.FALSE
            assert expected is verdict.value, verdict.parsed


def squares(initial: str) -> System:
    loaded = load_text(f"""
    Agent Environment
      Vars: x : int; end Vars
      Actions = {{go}};
      Protocol: Other : {{go}}; end Protocol
      Evolution: x = x * x if Action = go; end Evolution
    end Agent
    Agent Blind
      Vars: z : boolean; end Vars
      Actions = {{go}};
      Protocol: Other : {{go}}; end Protocol
      Evolution: z = z if z; end Evolution
    end Agent
    Evaluation even if Environment.x mod 2 = 0; two if Environment.x = 2; end Evaluation
    InitStates Environment.x = {initial} and Blind.z = true; end InitStates
    Formulae K(Blind, even or two); end Formulae
    """)
    assert loaded.system is not None
    return loaded.system


def test_what_may_become_of_a_quantity_is_not_what_surely_does() -> None:
    (verdict,) = check(squares("2"), None, Options(engine="abstraction"))

    assert verdict.value is not Value.FALSE


# Models of others


def small_models() -> list[Path]:
    return [path for path in shared_model_files() if path.name not in _TOO_LARGE]


#: More states than are worth listing one by one here.
_TOO_LARGE = {
    "dining-cryptographers-12-ctl-star.ispl",
    "dining-cryptographers-12-ltl.ispl",
    "go_back_n.ispl",
}
_FEW = 2_000


@pytest.mark.parametrize("path", small_models(), ids=lambda path: path.stem)
def test_models_of_the_corpus_have_the_verdicts_of_the_explicit_engine(path: Path) -> None:
    system = load(str(path)).system
    if system is None:
        pytest.skip("not a model")
    asked = [question for question in system.specifications if is_in_logic(question)]
    explicit = check(system, asked, Options(engine="explicit", max_states=_FEW))
    if any(verdict.value is Value.UNKNOWN for verdict in explicit):
        pytest.skip("too many states")
    try:
        cells = check(system, asked, Options(engine="abstraction", refine=3))
    except InputError as refusal:
        pytest.skip(str(refusal))
    for expected, verdict in zip(explicit, cells, strict=True):
        assert verdict.value in {expected.value, Value.UNDEFINED}, verdict.parsed


# Ever new examples


@slowly
@given(rng=randoms)
def test_no_label_is_wrong(rng: Random) -> None:
    finite(rng).compare()


@slowly
@given(rng=randoms)
def test_no_label_contradicts_the_window(rng: Random) -> None:
    unbounded(rng).compare()
