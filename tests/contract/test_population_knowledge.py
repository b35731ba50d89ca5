"""What agents know, of any number and in any shape, beside all configurations of small populations."""

from collections import Counter

import pytest
from hypothesis import given

from gnomon.checking.population_paths import decide_known
from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.parameterised.levels import as_formula
from gnomon.model.parameterised.query import Epistemic, Knowledge
from tests.population_knowledge import Asked, Points, asked
from tests.populations import read
from tests.systems import examples, seeds

#: What programs and questions are made of, by name.
KINDS: dict[str, tuple[tuple[str, ...], dict[str, bool]]] = {
    "some": (("some",), {}),
    "all": (("some", "all"), {"forall": True}),
    "together": (("some", "all"), {"together": True}),
    "one": (("one",), {"different": True}),
    "mixed": (("some", "one", "all"), {"forall": True, "different": True, "together": True}),
    "fair": (("some", "one", "all"), {"fair": True}),
}
#: The oracle looks at no more configurations.
_MOST = 4_000


def question(kind: str, seed: int) -> Asked:
    kinds, given_ = KINDS[kind]
    return asked(seed, kinds, **given_)


def decided(found: Asked) -> PopulationDecision:
    system = read(found.text)
    query = system.questions[0].query
    if isinstance(query, Knowledge):
        query = as_formula(query)
    assert isinstance(query, Epistemic)
    return decide_known(system, query, Budget(seconds=20))


def compare(kind: str, seed: int) -> str:
    """Return how a question was answered, and fail where no number of agents agrees with it.

    What few agents show need not be so of all: somebody may know only because there are no more of them. So
    more are looked at where the answers differ.
    """
    found = question(kind, seed)
    try:
        decision = decided(found)
    except LimitReached:
        return "too much"
    if decision.reached is None:
        return "open"
    system = read(found.text)
    for most in range(2 if len(system.templates) > 1 else 3, 7):
        small = Points(system, most)
        if small.breaking(found.formula, reach=found.reach) == decision.reached:
            return str(decision.reached)
        if len(small.spots) > _MOST:
            return "too large"
    pytest.fail(f"{decision.reached}, and not so for up to 6 agents: {kind} {seed}")


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@examples(6)
def test_what_agents_know_is_what_no_configuration_contradicts(kind: str, seed: int) -> None:
    compare(kind, seed)


def test_most_questions_are_answered_either_way() -> None:
    seen = Counter(compare("all", seed) for seed in range(30))

    assert seen["True"] > 8
    assert seen["False"] > 2
    assert seen["open"] + seen["too much"] + seen["too large"] < 3
