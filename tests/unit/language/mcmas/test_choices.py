"""`if`, actions as values, terminal states and `<->` in MCMAS's words."""

import pytest

from gnomon.language.mcmas.choices import without_choices
from gnomon.language.parse import parse
from gnomon.text.source import Source

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
    return without_choices(source, parse(source).program)


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
        ("last = Action if Action = b;", "last = b if Action = b;"),
        ("last = Action if x = 1 and Action <> a;", "last = b if x = 1 and Action <> a;"),
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
    words = without_choices(source, parse(source).program)

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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1 if (if x = 0 then last else a) = b;", "x = 1 if x = 0 and last = b;"),
        (
            "x = 1 if (if x = 0 then last else a) <> b;",
            "x = 1 if x = 0 and last <> b or !(x = 0);",
        ),
    ],
)
def test_two_values_are_not_compared_as_no_program_can_say_it(line: str, expected: str) -> None:
    text = translated(line)

    assert text is not None
    assert f"Evolution:\n{expected}\nend" in text


def test_an_action_that_a_variable_cannot_be_is_not_compared_with_it() -> None:
    text = PROGRAM.replace("last : { a, b }", "last : { a, c }") % (
        "x = 1 if last = Action;",
        "AG p",
    )
    words = without_choices(Source("test", text), parse(Source("test", text)).program)

    assert words is not None
    assert "x = 1 if Action = a and last = a;" in words
