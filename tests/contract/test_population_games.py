"""What coalitions enforce of any number of agents, beside games of small populations played literally."""

from collections import Counter

import pytest
from hypothesis import given

from gnomon.checking.population_games import decide_ability, refusal
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.games.more_members import may_be_more
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.query import Ability
from gnomon.model.parameterised.system import OpenSystem
from tests.population_games import allowed, enforced, question
from tests.populations import read
from tests.systems import examples, seeds

KINDS = {
    "some": ("some",),
    "one": ("one",),
    "all": ("some", "all"),
    "mixed": ("some", "one", "all"),
}


def asked(kind: str, seed: int, *, forall: bool) -> tuple[OpenSystem, Ability] | None:
    """Return a system and what is asked of it; None where all there are would be members."""
    system = read(question(seed, KINDS[kind], forall=forall).text)
    query = system.questions[0].query
    return (system, query) if isinstance(query, Ability) else None


def compare(system: OpenSystem, query: Ability, decision: PopulationDecision) -> None:
    """Hold what is said of all numbers against the games of small populations."""
    most = 3 if len(system.templates) == 1 else 2
    truth = {each: enforced(system, query, each) for each in allowed(system, query, most)}
    deciding = [each for each, wins in truth.items() if wins is query.everybody]
    if not decision.reached:
        assert not deciding
        return
    [least] = decision.smallest
    if sum(least) > most:
        assert not deciding
        return
    assert least in deciding
    assert sum(least) == min(map(sum, deciding))
    for each, decides in decision.examined:
        assert each not in truth or decides is (each in deciding)
    if decision.from_on is not None:
        assert all(each[0] < decision.from_on for each in deciding)
    if query.everybody and not may_be_more(system, query):
        above = [each for each in truth if all(n >= m for n, m in zip(each, least, strict=True))]
        assert set(above) <= set(deciding)


def outcome(kind: str, seed: int, *, forall: bool) -> str:
    found = asked(kind, seed, forall=forall)
    if found is None:
        return "all"
    system, query = found
    try:
        decision = decide_ability(system, query, Budget(seconds=5))
    except LimitReached:
        return "too much"
    if decision.reached is None:
        return "refused" if refusal(system, query) else "open"
    compare(system, query, decision)
    return f"{'together' if query.everybody else 'against'} {decision.reached}"


@pytest.mark.parametrize("forall", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(6)
def test_what_is_enforced_with_any_number_is_with_small_ones(
    kind: str, forall: bool, seed: int
) -> None:
    outcome(kind, seed, forall=forall)


def test_most_questions_about_coalitions_are_answered_either_way() -> None:
    seen = Counter(outcome("mixed", seed, forall=False) for seed in range(40))

    assert seen["against True"] >= 3
    assert seen["against False"] >= 3
    assert seen["together True"] + seen["together False"] >= 2
    assert seen["open"] <= 2
