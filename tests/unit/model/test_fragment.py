"""Which fragment a formula is in."""

import pytest

from gnomon.model.formula import (
    All,
    And,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Group,
    Knows,
    Next,
    Not,
    Proposition,
    Until,
)
from gnomon.model.fragment import (
    is_atlk,
    is_ctl_path,
    is_path_formula,
    is_propositional,
    state_subformulae,
)

P, Q = Proposition("p"), Proposition("q")
G = Group(("A",), "g")
INFINITELY_OFTEN = Globally(Finally(P))


@pytest.mark.parametrize("formula", [P, Not(And((P, Q)))])
def test_what_looks_at_the_state_alone_is_propositional(formula: Formula) -> None:
    assert is_propositional(formula)
    assert is_atlk(formula)


@pytest.mark.parametrize(
    "formula", [All(Finally(P)), Enforces(G, Until(P, Knows("A", Exists(Next(Q))))), All(P)]
)
def test_one_operator_a_quantifier_is_ctl_or_atl(formula: Formula) -> None:
    assert is_atlk(formula)
    assert not is_path_formula(formula)
    assert not is_propositional(All(Finally(P)))


@pytest.mark.parametrize(
    "formula", [INFINITELY_OFTEN, All(INFINITELY_OFTEN), Knows("A", Exists(Not(Next(P))))]
)
def test_more_than_one_operator_is_not(formula: Formula) -> None:
    assert not is_atlk(formula)


def test_a_path_formula_of_ctl_is_one_operator_over_state_formulae() -> None:
    assert is_ctl_path(Until(P, All(INFINITELY_OFTEN)))
    assert not is_ctl_path(INFINITELY_OFTEN)
    assert not is_ctl_path(P)


def test_state_subformulae_are_the_largest_ones_below() -> None:
    known = Knows("A", P)

    assert state_subformulae(All(Until(And((P, Next(known))), Q))) == [P, known, Q]
    assert state_subformulae(And((known, Q))) == [known, Q]
