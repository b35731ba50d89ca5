"""Formulae about any number of agents that say the same, and why others are not asked."""

import pytest

from gnomon.checking.load import load_text, read_specification
from gnomon.model.parameterised.system import PopulationQuestion
from gnomon.text.diagnostic import InputError

LOADED = load_text("""
Definitions
  high := exists t : T (t.n > 1);
  over[i : 0..1] := exists t : T (t.n > i);
  gap := Environment.k - 1;
end Definitions
Environment
  Vars: k : 0..1 = 0; end Vars
end Environment
Template T
  Vars: n : 0..2 = 0; end Vars
  Actions = { up };
  Protocol: true : { up }; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Template
Evaluation p if Environment.k = 0; end Evaluation
Formulae AG p; end Formulae
""")


def question(text: str) -> PopulationQuestion:
    found = read_specification(LOADED, text)
    assert isinstance(found, PopulationQuestion)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "!EF !p",
        "!!AG p",
        "A G p",
        "LTL G p",
        "LTL !F !p",
        "CTL* A G p",
        "A(p W false)",
        "A(false R p)",
        "!E(true U !p)",
        "<>G p",
        "![[]]F !p",
        "AG AG p",
        "AG !EF !p",
    ],
)
def test_this_says_that_p_holds_always(text: str) -> None:
    assert question("AG p").query == question(text).query


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("EF high", "EF exists t : T (t.n > 1)"),
        ("AG gap < 1", "AG Environment.k - 1 < 1"),
        ("AG !over[1]", "AG !exists t : T (t.n > 1)"),
        ("AG forall i : T (i.n >= gap)", "AG forall i : T (i.n >= Environment.k - 1)"),
        (
            "EF over[Environment.k]",
            "EF ((Environment.k = 0 and over[0]) or (Environment.k = 1 and over[1]))",
        ),
    ],
)
def test_a_definition_in_a_formula_that_is_given_stands_for_its_body(
    text: str, written: str
) -> None:
    assert question(written).parsed == question(text).parsed


def test_a_mistake_in_what_a_definition_stands_for_is_told_where_it_is_used() -> None:
    with pytest.raises(InputError) as caught:
        question("EF gap")

    [problem] = caught.value.diagnostics
    assert ("G0301", 3, 6) == (problem.code, *(problem.span or ()))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AG <T>F p", "by itself, of all initial states"),
        ("[[all]]F p", "the other way round"),
        ("<all \\ T>F p", "nobody knows which there are"),
        ("exists t : T (<t>F t.n = 1)", "write `forall`"),
        ("<T>F K(T, p)", "no condition on single states"),
        ("<T>F<=2 p", "without bounds"),
        ("p", "initial states alone"),
        ("AG p or AG !p", "several questions"),
        ("AF K(T, p)", "no other operator of time"),
        ("EF AG K(T, p)", "no other operator of time"),
        ("K(T, p)", "with `AG` or `EF` in front"),
        ("AG K(T, AF p)", "know about the future"),
        ("O(T, p)", "no red states"),
        ("AG exists i : T (AF i.n = 1)", "one agent is followed"),
    ],
)
def test_a_refusal_tells_its_reason(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        question(text)

    [problem] = caught.value.diagnostics
    assert "G0711" == problem.code
    assert words in problem.notes[0]


def test_whose_variable_it_is_can_be_said_around_the_formula() -> None:
    with pytest.raises(InputError) as caught:
        question("AG (T.n = 1 -> AF T.n = 2)")

    [problem] = caught.value.diagnostics
    assert "G0705" == problem.code
    assert "`forall j : T ( … )` around the formula" in problem.help


@pytest.mark.parametrize("logic", ["LTL", "CTL*"])
def test_a_logic_inside_of_a_formula_is_moved_to_its_front(logic: str) -> None:
    with pytest.raises(InputError) as caught:
        question(f"forall i : T ({logic} F i.n = 1)")

    [problem] = caught.value.diagnostics
    assert f"`{logic}` stands in front of the whole formula, and once" == problem.help
