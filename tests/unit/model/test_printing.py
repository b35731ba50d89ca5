"""How expressions are written, and that what says its operands twice does not double from level to level."""

import pytest

from gnomon.checking.load import Loaded, load_text
from gnomon.model.chosen import absolute, extreme
from gnomon.model.domain import Boolean
from gnomon.model.expression import Compare, Conditional, Expression, Literal, Negative, Read, show
from gnomon.model.fold.expressions import Folder
from gnomon.model.printing import shown_size
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render

X, Y, Z = (Read("A", name) for name in "xyz")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("min(A.x, A.y)", extreme((X, Y), smallest=True)),
        ("max(A.x, A.y, A.z)", extreme((X, Y, Z), smallest=False)),
        ("min(A.x, min(A.y, A.z))", extreme((X, extreme((Y, Z), smallest=True)), smallest=True)),
        ("min(A.x, max(A.y, A.z))", extreme((X, extreme((Y, Z), smallest=False)), smallest=True)),
        ("abs(A.x)", absolute(X)),
        # Not quite a function.
        ("if A.x <= A.y then A.y else A.x", Conditional(Compare("<=", X, Y), Y, X)),
        ("if A.x < A.y then A.x else A.y", Conditional(Compare("<", X, Y), X, Y)),
        (
            "if A.x < 0 then -A.y else A.x",
            Conditional(Compare("<", X, Literal(0)), Negative(Y), X),
        ),
        (
            "if A.x < 1 then -A.x else A.x",
            Conditional(Compare("<", X, Literal(1)), Negative(X), X),
        ),
    ],
)
def test_a_choice_is_written_as_the_function_that_it_is(text: str, value: Expression) -> None:
    assert text == show(value)


def test_functions_in_functions_are_written_once_each() -> None:
    value: Expression = X
    for _ in range(3_000):
        value = absolute(extreme((value, Y), smallest=True))

    assert show(value).count("min(") == 3_000
    assert shown_size(value) == 2 + 3 * 3_000 - 1


def _loaded(update: str, formula: str = "EF Environment.x = 1", guard: str = "x < 7") -> Loaded:
    return load_text(
        f"""Agent Environment
              Vars: x : 0..7 = 1; y : 0..7 = 2; end Vars
              Actions = {{ tick }};
              Protocol: Other : {{ tick }}; end Protocol
              Evolution: x = {update} if {guard}; end Evolution
            end Agent
            Agent Nobody
              Actions = {{ nothing }};
              Protocol: Other : {{ nothing }}; end Protocol
            end Agent
            Formulae {formula}; end Formulae"""
    )


def _nested(before: str, after: str, depth: int, inner: str) -> str:
    return before * depth + inner + after * depth


def test_functions_may_be_nested_as_deep_as_brackets() -> None:
    value = _nested("min(", ", Environment.y)", 200, "Environment.x")
    system = _loaded(value.replace("Environment.", ""), f"AG {value} < 8").system

    assert system is not None
    assert 200 == system.specifications[0].parsed.count("min(")


def test_choices_that_are_said_many_times_are_refused() -> None:
    found = _loaded(_nested("if (", ") in { 1, 3..4 } then x else y", 60, "x"))

    assert ["G0323"] == [item.code for item in found.diagnostics]


def test_comparing_conditions_in_a_chain_works_each_out_once() -> None:
    asked: Expression = Read("A", "c0")
    for number in range(1, 200):
        asked = Compare("=", asked, Compare("=", Read("A", f"c{number}"), Read("A", "d")))
    fold = Folder({(read.agent, read.variable): Boolean() for read in _reads(200)})

    assert shown_size(fold(asked)) < 10_000


def _reads(count: int) -> list[Read]:
    return [Read("A", "d"), *(Read("A", f"c{number}") for number in range(count))]


@pytest.mark.parametrize("word", ["<->", "xor"])
def test_a_long_chain_of_equivalences_is_exported_or_refused(word: str) -> None:
    short, long = (
        _loaded("1", guard=f" {word} ".join(f"x = {number % 8}" for number in range(length))).system
        for length in (3, 200)
    )
    assert short is not None
    assert long is not None

    assert "Evolution:" in render(short)
    with pytest.raises(CannotExport, match="too large"):
        render(long)


def test_a_formula_with_too_many_brackets_is_not_exported() -> None:
    chain = " <-> ".join(["Environment.x = 1", "Environment.y = 2"] * 120)
    system = _loaded("1", f"AG ({chain})").system

    assert system is not None
    with pytest.raises(CannotExport, match="nested deeper"):
        render(system)
