"""What `if`, `in`, functions and actions as values are read as, and conditions without them."""

import pytest

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expression_text import ExpressionText
from gnomon.language.expressions import read_condition
from gnomon.language.lexer import tokenize
from gnomon.language.lifting import LiftedTooLarge, Lifter
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Source


def read(text: str) -> syntax.Expression:
    source = Source("test", text)
    cursor = Cursor(tokenize(source, Diagnostics(source)), Diagnostics(source))
    result = read_condition(cursor)
    assert cursor.kind == "end of file", cursor.text
    return result


def shown(expression: syntax.Expression) -> str:
    return ExpressionText(Source("test", "")).show(expression)


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("x = if c then 1 else 2 and y = 3", "(x = (if c then 1 else 2)) and (y = 3)"),
        ("if c then p else q and r", "if c then p else (q and r)"),
        ("1 + if c then 2 else 3 + 4 = y", "(1 + (if c then 2 else (3 + 4))) = y"),
        ("if c then 1 else if d then 2 else 3", "if c then 1 else (if d then 2 else 3)"),
        ("if if a then b else c then p else q", "if (if a then b else c) then p else q"),
        ("if then then else else in", "if (then) then (else) else (in)"),
        ("a <-> b -> c <-> d", "(a <-> (b -> c)) <-> d"),
        ("a or b xor c and d", "a or (b xor (c and d))"),
        ("!x in { 1, 2..3 } and y", "(!(x in { 1, 2..3 })) and y"),
        ("x in { if c then 1 else 2, min(a, b) }", "x in { (if c then 1 else 2), min(a, b) }"),
        ("xor xor in", "(xor) xor (in)"),
        ("forall i : 1..max(n, 2) (x)", "(forall i : 1..(max(n, 2)) (x))"),
        ("forall i : 1..max (x)", "(forall i : 1..(max) (x))"),
        ("Action = Other1.Action", "(Action) = (Other1.Action)"),
    ],
)
def test_the_reading_of(text: str, reading: str) -> None:
    assert read(reading) == read(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(if c = 1 then x else 2) = y", "c = 1 and x = y or !(c = 1) and 2 = y"),
        ("x in { 1, 3..5 }", "x = 1 or x >= 3 and x <= 5"),
        ("a <-> b", "a = true and b = true or !(a = true) and !(b = true)"),
        ("number(x = 1) = 1", "x = 1"),
        ("number(x = 1) + number(y = 1) = 3", "false"),
        ("min(x, y) < 3", "x <= y and x < 3 or !(x <= y) and y < 3"),
    ],
)
def test_in_other_words(text: str, words: str) -> None:
    assert words == shown(Lifter().condition(read(text)))


def test_what_becomes_too_large_is_not_written() -> None:
    deep = "x"
    for _ in range(40):
        deep = f"min({deep}, y)"

    with pytest.raises(LiftedTooLarge):
        Lifter().condition(read(f"{deep} = 1"))
