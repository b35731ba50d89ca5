import pytest

from gnomon.model.expression import (
    And,
    Arithmetic,
    BitComplement,
    Compare,
    Does,
    Expression,
    Literal,
    Negative,
    Not,
    Or,
    Read,
    Sum,
    actors,
    parts,
    reads,
    show,
    walk,
)

X, Y, B = Read("P", "x"), Read("P", "y"), Read("P", "b")
ONE, TWO = Literal(1), Literal(2)


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        (Literal(True), "true"),
        (Literal(-3), "-3"),
        (Literal("red"), "red"),
        (X, "P.x"),
        (Does("P", "go"), "P.Action = go"),
        (Not(Does("P", "go")), "!(P.Action = go)"),
        (Sum((X, ONE)), "P.x + 1"),
        (Sum((X, Negative(ONE))), "P.x - 1"),
        (Sum((X, Negative(Sum((Y, ONE))))), "P.x - (P.y + 1)"),
        (Sum((Negative(X), Y)), "-P.x + P.y"),
        (Sum((X, Literal(-1))), "P.x + -1"),
        (Negative(Sum((X, Y))), "-(P.x + P.y)"),
        (Arithmetic("*", Sum((X, ONE)), Y), "(P.x + 1) * P.y"),
        (Arithmetic("/", X, Arithmetic("*", Y, TWO)), "P.x / (P.y * 2)"),
        (Arithmetic("*", Arithmetic("/", X, Y), TWO), "P.x / P.y * 2"),
        (Arithmetic("&", Arithmetic("|", X, Y), ONE), "(P.x | P.y) & 1"),
        (Arithmetic("|", Arithmetic("&", X, Y), ONE), "P.x & P.y | 1"),
        (Compare("=", X, ONE), "P.x = 1"),
        (Compare("=", Compare("<", X, ONE), B), "(P.x < 1) = P.b"),
        (Not(B), "!P.b"),
        (Not(Compare("=", X, ONE)), "!(P.x = 1)"),
        (And((B, Or((B, B)))), "P.b and (P.b or P.b)"),
        (Or((B, And((B, B)))), "P.b or P.b and P.b"),
        (And(()), "true"),
        (Or(()), "false"),
        (BitComplement(X), "~P.x"),
    ],
)
def test_an_expression_is_shown_with_the_brackets_it_needs(
    expression: Expression, shown: str
) -> None:
    assert shown == show(expression)


def test_two_minus_signs_never_meet() -> None:
    assert "--" not in show(Negative(Negative(X)))
    assert "--" not in show(Negative(Literal(-1)))
    assert "--" not in show(Sum((X, Negative(Negative(Y)))))
    assert "--" not in show(Sum((X, Negative(Literal(-1)))))


def test_a_complement_inside_a_sum_has_brackets() -> None:
    # `~x + 1` is `~(x + 1)`.
    assert "(~P.x) + 1" == show(Sum((BitComplement(X), ONE)))
    assert "(~P.x) * 2" == show(Arithmetic("*", BitComplement(X), TWO))


def test_walking_meets_every_part() -> None:
    expression = And((Compare("=", X, Sum((Y, ONE))), Not(Does("Q", "go"))))

    assert {X, Y, ONE, Does("Q", "go")} < set(walk(expression))
    assert frozenset({X, Y}) == reads(expression)
    assert frozenset({"Q"}) == actors(expression)
    assert 2 == len(parts(expression))


def test_walking_needs_no_recursion() -> None:
    expression: Expression = B
    for _ in range(50_000):
        expression = Not(expression)

    assert frozenset({B}) == reads(expression)
