"""Formulae of time about any number of agents, beside all steps of small populations taken one by one."""

import re
from collections import Counter

import pytest
from hypothesis import given

from gnomon.checking.population_paths import decide_paths
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.formula import Formula, Proposition, walk
from gnomon.model.parameterised.condition import Condition
from gnomon.model.parameterised.query import OverTime
from gnomon.model.parameterised.system import OpenSystem
from tests.population_paths import BRANCHING, Question, question, smallest_breaking
from tests.populations import read
from tests.systems import examples, seeds

KINDS = {
    "some": ("some",),
    "one": ("one",),
    "all": ("some", "all"),
    "mixed": ("some", "one", "all"),
}


def asked(system: OpenSystem, found: Question) -> tuple[OverTime, tuple[Condition, Condition]]:
    """Return what is asked, and the conditions that stand for P and Q in the shape of the question."""
    query = system.questions[0].query
    assert isinstance(query, OverTime)
    numbers = [int(part.name) for part in walk_in_order(query.formula)]
    letters = re.findall("[PQ]", found.shape)
    meaning = dict(zip(letters, (query.conditions[number] for number in numbers), strict=True))
    return query, (meaning["P"], meaning["Q" if "Q" in meaning else "P"])


def walk_in_order(formula: Formula) -> list[Proposition]:
    return [part for part in walk(formula) if isinstance(part, Proposition)]


def largest(system: OpenSystem) -> int:
    return 3 if len(system.templates) == 1 else 2


def decided(found: Question) -> tuple[PopulationDecision, tuple[int, ...] | None, int]:
    """Return what the ladder says, and the smallest population that the oracle finds."""
    system = read(found.text)
    query, conditions = asked(system, found)
    decision = decide_paths(system, query, Budget(seconds=20))
    most = largest(system)
    return decision, smallest_breaking(system, found.shape, conditions, most, query.template), most


def compare(kind: str, seed: int, *, forall: bool) -> str:
    try:
        decision, smallest, most = decided(question(seed, KINDS[kind], forall=forall))
    except LimitReached:
        return "too much"
    if decision.reached is False:
        assert smallest is None
    if decision.reached and sum(decision.smallest[0]) <= most:
        assert smallest is not None
    if decision.reached and smallest is not None and decision.exact:
        assert sum(smallest) == sum(decision.smallest[0])
    return str(decision.reached)


@pytest.mark.parametrize("forall", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(6)
def test_paths_of_all_populations_are_those_of_small_ones(
    kind: str, forall: bool, seed: int
) -> None:
    compare(kind, seed, forall=forall)


@given(seed=seeds)
@examples(8)
def test_bounded_populations_leave_nothing_open(seed: int) -> None:
    found = question(seed, KINDS["mixed"], forall=True, shapes=(*BRANCHING, "EG P"))
    text = re.sub(r"(Template \w+)[^\n]*", r"\1 [0..1]", found.text)
    try:
        decision, smallest, _ = decided(found._replace(text=text))
    except LimitReached:
        return
    assert decision.reached is (smallest is not None)


def test_most_questions_are_answered_either_way() -> None:
    seen = Counter(compare("mixed", seed, forall=True) for seed in range(40))

    assert seen["True"] > 10
    assert seen["False"] > 10
    assert seen["None"] < 4
