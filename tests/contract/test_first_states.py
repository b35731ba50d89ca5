"""What a few states show is so among all of them, and what they cannot show is not said of them."""

from collections.abc import Callable, Iterator
from random import Random
from unittest.mock import patch

from hypothesis import given

import gnomon
from gnomon.engines.explicit.engine import ExplicitAlgebra, explore
from gnomon.engines.explicit.first_states import explore_first
from gnomon.logic.satisfaction import Satisfaction
from gnomon.model.budget import Budget, TryAnother
from gnomon.model.formula import Formula
from gnomon.model.fragment import is_propositional, says_of_all, says_of_some
from gnomon.model.system import System
from tests.contract.compare import concrete
from tests.systems import examples, random_formula, random_system, seeds

#: Reached in four steps; what tells these states apart from all others is found after many rounds, or never.
TWO_THAT_FEED_EACH_OTHER = """
Agent P
  Vars: x : int; y : int; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: x = x + y if Action = a; y = x + y if Action = b; end Evolution
end Agent
Evaluation hit if P.x = 5 and P.y = 8; end Evaluation
InitStates P.x = 1 and P.y = 1; end InitStates
Formulae EF hit; AG !hit; EF (hit and EX !hit); AG (hit -> K(P, AX hit)); end Formulae
"""


def some_of(seed: int) -> tuple[Random, System, ExplicitAlgebra] | None:
    """Return a system and some of its states; None where even the initial states are too many."""
    rng = Random(seed)
    system = random_system(rng, stuck=0.2, interleaved=rng.random() < 0.25)
    try:
        return rng, system, explore_first(system, rng.choice((3, 10, 30, 100)), Budget())
    except TryAnother:
        return None


def contradictions(
    seed: int, some: Callable[[Formula], bool], every: Callable[[Formula], bool]
) -> Iterator[Formula]:
    """Yield the formulae of which a few states say what is not so."""
    found = some_of(seed)
    if found is None:
        return
    rng, system, few = found
    whole = explore(system)
    for _ in range(10):
        formula = random_formula(rng, system, 3, "bool ctl know norm")
        first, all_of_them = Satisfaction(few), Satisfaction(whole)
        true = concrete(few, first.states(formula))
        so = concrete(whole, all_of_them.states(formula))
        known = concrete(few, few.reachable)
        if some(formula) and not true <= so:
            yield formula
        if every(formula) and (known - true) & so:
            yield formula


@given(seed=seeds)
@examples(600)
def test_what_a_few_states_show_is_so(seed: int) -> None:
    assert [] == list(contradictions(seed, says_of_some, says_of_all))


def test_what_only_all_states_show_would_be_found_to_be_wrong() -> None:
    def both(formula: Formula) -> bool:
        return says_of_some(formula) or says_of_all(formula)

    assert any(True for seed in range(40) for _ in contradictions(seed, both, says_of_all))
    assert any(True for seed in range(40) for _ in contradictions(seed, says_of_some, both))


def test_all_that_is_told_apart_occurs() -> None:
    cut = whole = some = every = neither = 0
    for seed in range(150):
        found = some_of(seed)
        if found is None:
            continue
        rng, system, few = found
        complete = few.count(few.reachable) == explore(system).count(explore(system).reachable)
        cut, whole = cut + (not complete), whole + complete
        formula = random_formula(rng, system, 3, "bool ctl know norm")
        if not is_propositional(formula):
            some, every = some + says_of_some(formula), every + says_of_all(formula)
            neither += not (says_of_some(formula) or says_of_all(formula))

    assert min(cut, whole, some, every, neither) >= 5


def test_what_is_reached_soon_is_found_where_cells_do_not_tell() -> None:
    model = gnomon.load_text(TWO_THAT_FEED_EACH_OTHER)
    found = model.check(evidence=True, certificate=True, timeout=120)

    assert [True, False, True, False] == [answer.holds for answer in found]
    assert all(answer.evidence is not None for answer in found)
    assert found.certificate is not None
    assert all(entry["proof"] for entry in found.certificate["verdicts"])


def test_who_wants_cells_gets_cells() -> None:
    model = gnomon.load_text(TWO_THAT_FEED_EACH_OTHER)
    with patch("gnomon.checking.cells.FirstStatesShow.decide", side_effect=AssertionError):
        alone = model.check("EF hit", engine="abstraction", evidence=False, timeout=1)
        refined = model.check("EF hit", refine=2, evidence=False, timeout=1)

    assert [None, None] == [answer.holds for answer in (*alone, *refined)]
