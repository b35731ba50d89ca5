"""Programs with parameters, beside all steps of all small parameters and populations taken one by one."""

import re
from collections import Counter

import pytest
from hypothesis import given

from gnomon.certificate.parameterised.obligations import ObligationProver
from gnomon.certificate.parameterised.thresholds.impossible import check_impossible
from gnomon.certificate.rejection import Rejected
from gnomon.certificate.solvers import SOLVERS
from gnomon.checking.threshold_programs import confirm_run
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.thresholds.automaton import OutsideFragment
from gnomon.engines.parameterised.thresholds.decide import ThresholdProgram
from gnomon.model.budget import Budget
from gnomon.model.formula import Proposition, walk
from gnomon.model.parameterised.condition import Condition, positive
from gnomon.model.parameterised.query import OverTime, Query, Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.population_paths import SHAPES
from tests.populations import read
from tests.systems import examples, seeds
from tests.threshold_programs import Asked, least_parameters, threshold_program

#: Parameters up to this, and so many agents, are gone through.
MOST = 3
AGENTS = 3


def conditions(asked: Asked, query: Query) -> tuple[Condition, Condition]:
    """Return what stands for P and Q in the shape of a question."""
    if isinstance(query, Safety):
        found = query.bad if asked.shape == "EF P" else positive(query.bad, wanted=False)
        return found, found
    assert isinstance(query, OverTime)
    numbers = [int(part.name) for part in walk(query.formula) if isinstance(part, Proposition)]
    letters = re.findall("[PQ]", asked.shape)
    meaning = {
        letter: query.conditions[number] for letter, number in zip(letters, numbers, strict=True)
    }
    return meaning["P"], meaning.get("Q", meaning["P"])


def prover() -> ObligationProver:
    return ObligationProver(Budget(seconds=60), SOLVERS)


def check_certified(system: OpenSystem, query: Query, decision: PopulationDecision) -> None:
    """Fail where the checker of certificates does not see that there is no run, or thinks so where one is."""
    if decision.reached:
        with pytest.raises(Rejected):
            check_impossible(system, query, prover())
        return
    check_impossible(system, query, prover())


def compare(seed: int, *, wild: bool, certified: bool = True) -> str:
    """Decide a random program, and go through small parameters; return what was found."""
    asked = threshold_program(seed, wild=wild)
    system = read(asked.text)
    query = system.questions[0].query
    try:
        decision = ThresholdProgram(system, Budget(seconds=20)).decide(query)
    except OutsideFragment:
        return "outside"
    if decision.reached is None:
        assert decision.reason
        return "open"
    if decision.reached:
        confirm_run(system, query, decision, Budget())
    if certified:
        check_certified(system, query, decision)
    agents = AGENTS if asked.shape in SHAPES else AGENTS + 1
    found = least_parameters(asked, system, conditions(asked, query), MOST, agents)
    if not decision.reached:
        assert found is None
        return "never"
    assert decision.exact
    least = tuple(value for _, value in decision.parameters)
    inside = max(least) <= MOST and sum(decision.smallest[0]) <= agents
    if found is None:
        assert not inside
        return "larger"
    others = tuple(found[0].values())
    assert least == others if inside else least <= others
    return "least"


@pytest.mark.parametrize("wild", [False, True])
@given(seed=seeds)
@examples(60)
def test_all_parameters_are_as_small_ones(wild: bool, seed: int) -> None:
    compare(seed, wild=wild)


def test_most_questions_are_answered_either_way() -> None:
    seen = Counter(compare(seed, wild=seed % 2 == 0, certified=False) for seed in range(60))
    assert seen["never"] > 8
    assert seen["least"] > 8
    assert seen["outside"] + seen["open"] > 3
