"""A file with many mistakes: each is told, once, and nothing else."""

import pytest

from gnomon.checking.load import load_text
from tests.laws.watch import time_limit

GOOD = """\
Agent Environment
  Obsvars:
    o : boolean;
  end Obsvars
  Vars:
    h : 0..3;
  end Vars
  Actions = { tick, tock };
  Protocol:
    o = true : { tick };
    Other : { tock };
  end Protocol
  Evolution:
    h = h + 1 if Action = tick and h < 3;
  end Evolution
end Agent

Agent P
  Lobsvars = { h };
  Vars:
    x : 0..3;
    c : { red, green };
  end Vars
  Actions = { go, stay };
  Protocol:
    x < 3 : { go };
    Other : { stay };
  end Protocol
  Evolution:
    x = x + 1 if Action = go and x < 3;
    c = green if Environment.h = 1;
  end Evolution
end Agent

Evaluation
  top if P.x = 3;
  low if P.x < 1;
end Evaluation

InitStates
  P.x = 0 and P.c = red;
end InitStates

Groups
  g = { P };
end Groups

Formulae
  EF top;
  AG (top -> K(P, top));
end Formulae
"""


def errors(text: str) -> list[tuple[int, str]]:
    with time_limit(5, text):
        loaded = load_text(text)
    return [(item.line, item.code) for item in loaded.diagnostics if item.is_error]


def spoil(*changes: tuple[str, str]) -> str:
    text = GOOD
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after, 1)
    return text


def test_the_good_program_is_good() -> None:
    assert () == load_text(GOOD).diagnostics


# One mistake


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("o : boolean;", "o : boolean", [(3, "G0103")], id="semicolon of a variable"),
        pytest.param("Other : { tock };", "Other : { tock }", [(11, "G0103")], id="protocol line"),
        pytest.param("h < 3;", "h < 3", [(14, "G0103")], id="semicolon of an evolution line"),
        pytest.param("P.x = 3;", "P.x = 3", [(36, "G0103")], id="semicolon of a proposition"),
        pytest.param("{ P };", "{ P }", [(45, "G0103")], id="semicolon of a group"),
        pytest.param("EF top;", "EF top", [(49, "G0103")], id="semicolon of a formula"),
        pytest.param("{ tick, tock };", "{ tick, tock }", [(8, "G0103")], id="actions"),
        pytest.param("x : 0..3;", "x = 0..3;", [(21, "G0102")], id="equals for colon"),
        pytest.param("x : 0..3;", "x : 0-3;", [(21, "G0102")], id="minus for dots"),
        pytest.param("x : 0..3;", "x : [0..3];", [(21, "G0102")], id="brackets round a range"),
        pytest.param("x : 0..3;", "x : int[0..3];", [(21, "G0102")], id="int with a range"),
        pytest.param("x : 0..3;", "x : bool;", [(21, "G0310")], id="bool"),
        pytest.param("x : 0..3;", "int x;", [(21, "G0102")], id="declared as in C"),
        pytest.param("x : 0..3;", "0..3 : x;", [(21, "G0102")], id="the wrong way round"),
        pytest.param("{ red, green }", "{ red green }", [(22, "G0102")], id="no comma"),
        pytest.param("{ red, green }", "{ red, green, }", [(22, "G0102")], id="comma at the end"),
        pytest.param("Actions = { go, stay };", "Actions : { go, stay };", [(24, "G0102")],
                     id="colon after Actions"),
        pytest.param("Actions = { go, stay };", "Actions = go, stay;", [(24, "G0102")],
                     id="actions without braces"),
        pytest.param("x < 3 : { go };", "x < 3 : go;", [(26, "G0102")], id="no braces"),
        pytest.param("x < 3 : { go };", "x < 3 -> { go };", [(26, "G0102")], id="arrow for colon"),
        pytest.param("x < 3 : { go };", "(x < 3 : { go };", [(26, "G0102")], id="open bracket"),
        pytest.param("x < 3 : { go };", "x < 3) : { go };", [(26, "G0102")], id="closing bracket"),
        pytest.param("x < 3 : { go };", "x == 3 : { go };", [(26, "G0102")], id="=="),
        pytest.param("x = x + 1 if Action", "x := x + 1 if Action", [(30, "G0102")], id=":="),
        pytest.param("x = x + 1 if Action", "x++ if Action", [(30, "G0102")], id="++"),
        pytest.param("x = x + 1 if Action = go and x < 3;", "if Action = go then x = x + 1;",
                     [(30, "G0102")], id="if first"),
        pytest.param("Action = go and x < 3;", "Action = go && x < 3;", [(30, "G0102")], id="&&"),
        pytest.param("Action = go and x < 3;", "Action = go, x < 3;", [(30, "G0102")], id="comma"),
        pytest.param("Action = go and x < 3;", "Action == go and x < 3;", [(30, "G0102")], id="A =="),
        pytest.param("Action = go and x < 3;", "P.Action = 1 and x < 3;", [(30, "G0301")], id="A = 1"),
        pytest.param("Action = go and x < 3;", "not (x = 3);", [(30, "G0102")], id="not"),
        pytest.param("top if P.x = 3;", "top = P.x = 3;", [(36, "G0102")], id="= for if"),
        pytest.param("top if P.x = 3;", "top : P.x = 3;", [(36, "G0102")], id=": for if"),
        pytest.param("EF top;", "EF top));", [(49, "G0102")], id="two brackets too many"),
        pytest.param("EF top;", "F top;", [(49, "G0102")], id="no quantifier"),
        pytest.param("EF top;", "EF (top;", [(49, "G0102")], id="a bracket too few"),
        pytest.param("EF top;", "K(P top);", [(49, "G0102")], id="no comma in K"),
        pytest.param("EF top;", "K P top;", [(49, "G0102")], id="no brackets in K"),
        pytest.param("EF top;", "top => low;", [(49, "G0102")], id="=>"),
        pytest.param("EF top;", "top & low;", [(49, "G0102")], id="&"),
        pytest.param("EF top;", "A top U low;", [(49, "G0102")], id="U without brackets"),
        pytest.param("EF top;", "<<g>> F top;", [(49, "G0102")], id="double brackets"),
        pytest.param("EF top;", "LTL AG top;", [(49, "G0102")], id="AG in LTL"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_line_is_told_once(
    before: str, after: str, expected: list[tuple[int, str]]
) -> None:
    assert expected == errors(spoil((before, after)))


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        pytest.param("  end Obsvars\n", "", ["G0105"], id="end Obsvars"),
        pytest.param("  end Vars\n", "", ["G0105"], id="end Vars"),
        pytest.param("  end Protocol\n", "", ["G0105"], id="end Protocol"),
        pytest.param("  end Evolution\n", "", ["G0105"], id="end Evolution"),
        pytest.param("end Agent\n", "", ["G0105"], id="end Agent"),
        pytest.param("end Evaluation\n", "", ["G0105"], id="end Evaluation"),
        pytest.param("end InitStates\n", "", ["G0105"], id="end InitStates"),
        pytest.param("end Groups\n", "", ["G0105"], id="end Groups"),
        pytest.param("end Formulae\n", "", ["G0105"], id="end Formulae"),
        pytest.param("end Evaluation", "end", ["G0105"], id="end of what"),
        pytest.param("end Evaluation", "End Evaluation", ["G0102"], id="End"),
        pytest.param("end Agent\n", "end Agent;\n", ["G0109"], id="semicolon after end Agent"),
        pytest.param("  end Vars\n", "  end Vars;\n", ["G0109"], id="semicolon after end Vars"),
        pytest.param("end Evaluation", "end Evolution", ["G0105"], id="another end"),
        pytest.param("  Vars:\n", "  Vars\n", ["G0102"], id="Vars without its colon"),
        pytest.param("  Protocol:\n", "  Protocol\n", ["G0102"], id="Protocol without its colon"),
        pytest.param("  Vars:\n", "  vars:\n", ["G0109"], id="vars"),
        pytest.param("  Protocol:\n", "  protocol:\n", ["G0109"], id="protocol"),
        pytest.param("Evaluation\n", "Evalution\n", ["G0109"], id="Evalution"),
        pytest.param("Formulae\n", "Formulas\n", ["G0109"], id="Formulas"),
        pytest.param("InitStates\n", "Init\n", ["G0109"], id="Init"),
        pytest.param("Agent P\n", "agent P\n", ["G0109"], id="agent"),
        pytest.param("Agent P\n", "Agent\n", ["G0102"], id="an agent without a name"),
        pytest.param("Agent P\n", "Agent P:\n", ["G0109"], id="a colon after the agent"),
        pytest.param("Agent P\n", "Agent P {\n", ["G0109"], id="a brace after the agent"),
    ],
)
def test_a_mistake_in_a_frame_is_told_once(before: str, after: str, codes: list[str]) -> None:
    assert codes == [code for _, code in errors(spoil((before, after)))]


# Ten mistakes


def test_ten_mistakes_of_syntax() -> None:
    text = spoil(
        ("o : boolean;", "o : boolean"),
        ("h : 0..3;", "h : 0 3;"),
        ("o = true : { tick };", "o == true : { tick };"),
        ("h = h + 1 if", "h := h + 1 if"),
        ("{ red, green }", "{ red green }"),
        ("x < 3 : { go };", "x < : { go };"),
        ("c = green if", "c = if"),
        ("low if P.x < 1;", "low P.x < 1;"),
        ("g = { P };", "g = P;"),
        ("EF top;", "EF;"),
    )

    assert [
        (3, "G0103"),
        (6, "G0102"),
        (10, "G0102"),
        (14, "G0102"),
        (22, "G0102"),
        (26, "G0102"),
        (31, "G0102"),
        (37, "G0102"),
        (45, "G0102"),
        (49, "G0102"),
    ] == errors(text)


def test_ten_mistakes_of_names() -> None:
    text = spoil(
        ("o = true : { tick };", "o2 = true : { tick };"),
        ("Other : { tock };", "Other : { tok };"),
        ("h = h + 1 if", "g = h + 1 if"),
        ("Lobsvars = { h };", "Lobsvars = { hh };"),
        ("x < 3 : { go };", "y < 3 : { go };"),
        ("Action = go and x < 3", "Action = run and x < 3"),
        ("c = green if Environment.h = 1", "c = blue if Environment.o = true"),
        ("low if P.x < 1;", "low if Q.x < 1;"),
        ("P.x = 0 and P.c = red;", "P.x = 0 and c = red;"),
        ("K(P, top)", "K(R, top)"),
    )

    assert [
        (10, "G0201"),
        (11, "G0204"),
        (14, "G0202"),
        (19, "G0210"),
        (26, "G0201"),
        (30, "G0204"),
        (31, "G0302"),
        (37, "G0203"),
        (41, "G0208"),
        (50, "G0203"),
    ] == errors(text)


def test_ten_mistakes_of_types() -> None:
    text = spoil(
        ("h : 0..3;", "h : 3..0;"),
        ("o = true : { tick };", "o = 1 : { tick };"),
        ("h = h + 1 if", "h = true if"),
        ("x < 3 : { go };", "c < red : { go };"),
        ("x = x + 1 if", "x = 7 if"),
        ("c = green if Environment.h = 1", "c = x if Environment.h = 1"),
        ("top if P.x = 3;", "top if P.x = 9;"),
        ("low if P.x < 1;", "low if P.x + P.c = 1;"),
        ("P.x = 0 and P.c = red;", "P.x and P.c = red;"),
        ("EF top;", "EF P.c = 1;"),
    )

    assert [
        (6, "G0308"),
        (10, "G0301"),
        (14, "G0307"),
        (26, "G0303"),
        (30, "G0306"),
        (31, "G0307"),
        (36, "G0304"),
        (37, "G0301"),
        (41, "G0301"),
        (49, "G0301"),
    ] == errors(text)


def test_mistakes_of_syntax_do_not_hide_those_of_types() -> None:
    text = spoil(("o : boolean;", "o : boolean"), ("x = x + 1 if", "x = 7 if"), ("EF top;", "EF;"))

    assert [(3, "G0103"), (30, "G0306"), (49, "G0102")] == errors(text)


def test_mistakes_of_syntax_do_not_hide_misspelt_names_of_what_was_read() -> None:
    text = spoil(("EF top;", "EF;"), ("P.x = 0 and", "P.y = 0 and"))

    assert [(41, "G0202"), (49, "G0102")] == errors(text)


def test_all_mistakes_of_one_line_are_told() -> None:
    text = spoil(("Action = go and x < 3;", "Action = run and y < 3 and z = 1;"))

    assert [(30, "G0204"), (30, "G0201"), (30, "G0201")] == errors(text)


def test_both_sides_of_a_comparison_are_looked_at() -> None:
    text = spoil(("low if P.x < 1;", "low if P.y < Q.x;"))

    assert [(37, "G0202"), (37, "G0203")] == errors(text)
