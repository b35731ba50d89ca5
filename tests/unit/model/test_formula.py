import pytest

from gnomon.model.expression import Compare, Literal, Read
from gnomon.model.formula import (
    All,
    And,
    Constant,
    Enforces,
    Exists,
    Finally,
    Formula,
    Globally,
    Group,
    GroupKnows,
    Implies,
    Knows,
    Next,
    Norm,
    Not,
    Obliged,
    Or,
    Proposition,
    StateCondition,
    Until,
    is_path_formula,
    show_formula,
    walk,
)
from gnomon.model.fragment import has_coalition
from tests.laws.watch import time_limit

P, Q = Proposition("p"), Proposition("q")
G = Group(("A", "B"), "g")


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (Constant(True), "true"),
        (Norm("A", red=True), "A.RedStates"),
        (Norm("A", red=False), "A.GreenStates"),
        (StateCondition(Compare("=", Read("A", "x"), Literal(1))), "(A.x = 1)"),
        (Implies(And((P, Q)), Or((P, Q))), "((p and q) -> (p or q))"),
        (All(Globally(P)), "AG p"),
        (Exists(Next(Not(P))), "EX !p"),
        (All(Until(P, Q)), "A(p U q)"),
        (All(Globally(Exists(Finally(P)))), "AG EF p"),
        (All(Globally(Finally(P))), "A(G F p)"),
        (Enforces(G, Finally(P)), "<g>F p"),
        (Enforces(Group(("A", "B")), Until(P, Q)), "<A, B>(p U q)"),
        (Enforces(Group(()), Next(P)), "<>X p"),
        (Knows("A", P), "K(A, p)"),
        (GroupKnows("everybody", G, P), "GK(g, p)"),
        (GroupKnows("common", G, P), "GCK(g, p)"),
        (GroupKnows("distributed", G, P), "DK(g, p)"),
        (Obliged("A", P), "O(A, p)"),
        (And(()), "true"),
        (Or(()), "false"),
    ],
)
def test_a_formula_is_shown_with_all_its_brackets(formula: Formula, shown: str) -> None:
    assert shown == show_formula(formula)


def test_a_negation_before_until_has_brackets() -> None:
    # `!p U q` is `!(p U q)`.
    assert show_formula(All(Until(Not(P), Q))) != show_formula(All(Not(Until(P, Q))))
    assert "A((!p) U q)" == show_formula(All(Until(Not(P), Q)))


def test_a_deep_formula_is_shown_at_once() -> None:
    formula: Formula = P
    for _ in range(60):
        formula = Exists(Next(formula))

    with time_limit(2, "showing EX EX … p"):
        assert "EX " * 60 + "p" == show_formula(formula)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (P, False),
        (Next(P), True),
        (Not(Until(P, Q)), True),
        (All(Next(P)), False),
        (And((P, Finally(Q))), True),
        (Knows("A", All(Next(P))), False),
        (Enforces(G, Next(P)), False),
    ],
)
def test_a_path_formula_has_a_temporal_operator_outside_quantifiers(
    formula: Formula, expected: bool
) -> None:
    assert expected == is_path_formula(formula)


def test_a_coalition_is_found_anywhere() -> None:
    assert has_coalition(All(Globally(Not(Knows("A", Enforces(G, Next(P)))))))
    assert not has_coalition(All(Globally(P)))


def test_walking_goes_from_left_to_right() -> None:
    assert [P, Q] == [part for part in walk(Implies(P, Q)) if isinstance(part, Proposition)]
