"""What `if`, `in`, functions and actions as values are read as, and what they are in MCMAS's words."""

import pytest

from gnomon.language import syntax
from gnomon.language.cursor import Cursor
from gnomon.language.expression_text import ExpressionText
from gnomon.language.expressions import read_condition
from gnomon.language.in_mcmas_words import in_mcmas_words
from gnomon.language.lexer import tokenize
from gnomon.language.lifting import LiftedTooLarge, Lifter
from gnomon.language.parse import parse
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


PROGRAM = """Agent P
Vars: x : 0..3; last : { a, b }; end Vars
Actions = { a, b };
Protocol: Other : { a, b }; end Protocol
Evolution:
%s
end Evolution
end Agent
Evaluation p if P.x = 1; end Evaluation
InitStates P.x = 0; end InitStates
Formulae %s; end Formulae
"""


def translated(line: str, formula: str = "AG p") -> str | None:
    source = Source("test", PROGRAM % (line, formula))
    return in_mcmas_words(source, parse(source).program)


def test_a_program_without_choices_stays_as_it_is() -> None:
    assert translated("x = 1 if Action = a;") is None


def test_a_line_becomes_one_for_each_case_and_keeps_its_comments() -> None:
    text = translated("x = if x < 3 -- up\n then x + 1 else 0 and last = Action if x > 0;")

    assert text is not None
    assert "-- up\n" in text
    for line in (
        "x = x + 1 and last = a if x > 0 and x < 3 and Action = a;",
        "x = 0 and last = b if x > 0 and !(x < 3) and !(Action = a);",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1 if Action in { a, b };", "x = 1 if Action = a or Action = b;"),
        ("x = 1 if Action in { b };", "x = 1 if Action = b;"),
        ("x = 1 if b = Action;", "x = 1 if Action = b;"),
        ("last = Action if Action = a;", "last = a if Action = a;"),
    ],
)
def test_an_action_among_others_is_named(line: str, expected: str) -> None:
    text = translated(line)

    assert text is not None
    assert f"Evolution:\n{expected}\nend" in text


def test_lines_that_can_never_be_taken_are_no_line_less() -> None:
    line = "last = Action if Action = a and !(Action = a);"
    text = translated(f"{line} x = if x = 1 then 2 else 1 if true;")

    assert text is not None
    assert line in text


def test_terminal_states_become_a_comment() -> None:
    terminal = "TerminalStates: -- why\n P.x = 1\n or P.x = 2; end TerminalStates Formulae"
    source = Source("test", PROGRAM.replace("Formulae", terminal, 1) % ("x = 1 if true;", "AG p"))
    words = in_mcmas_words(source, parse(source).program)

    assert words is not None
    left_out = "-- left out, as no formula depends on it: TerminalStates P.x = 1 or P.x = 2\n"
    assert f"-- why\n{left_out}" in words
    assert parse(Source("test", words)).program.terminal is None


def test_an_equivalence_of_formulae_is_two_implications() -> None:
    text = translated("x = 1 if true;", "AG (p xor EX p)")

    assert text is not None
    assert "AG (!((p -> (EX p)) and ((EX p) -> p)))" in text


def test_equivalences_deep_in_one_another_stay() -> None:
    deep = "p"
    for _ in range(30):
        deep = f"({deep} <-> AX p)"

    text = translated("x = 1 if true;", deep)

    assert text is None or len(text) < 50_000
