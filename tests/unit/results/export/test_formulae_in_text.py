"""Formulae in MCMAS's words: in the text of a program, and in exports, by the same rules."""

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value
from gnomon.language.mcmas.beyond import report_beyond_mcmas
from gnomon.language.parse import parse
from gnomon.model.translation import CannotExport
from gnomon.results.export.ispl import render
from gnomon.results.export.mcmas_text import in_mcmas_words
from gnomon.text.source import Source
from tests.support import VACUOUS

PROGRAM = """\
Agent P
  Vars:
    x : 0..3;
  end Vars
  Actions = { a, b };
  Protocol:
    Other : { a, b };
  end Protocol
  Evolution:
    x = 1 if Action = a;
    x = 0 if x = 0 and Action = b;
  end Evolution
end Agent

Agent Q
  Vars:
    y : boolean;
  end Vars
  Actions = { a };
  Protocol:
    Other : { a };
  end Protocol
  Evolution:
    y = true if Action = a;
  end Evolution
end Agent

Evaluation
  p if P.x = 1;
  q if P.x = 0;
end Evaluation

InitStates
  P.x = 0 and Q.y = true;
end InitStates

Groups
  g = { P };
end Groups

Formulae
  %s;
end Formulae
"""

FAIR = PROGRAM.replace("Formulae", "Fairness\n  q;\nend Fairness\n\nFormulae", 1)


def words(formula: str, program: str = PROGRAM) -> str:
    """Return a program with a formula in MCMAS's words, which MCMAS has to read."""
    text = in_mcmas_words(Source("test", program % formula))
    assert text is not None, formula
    parsed = parse(Source("test", text))
    report_beyond_mcmas(parsed.program, parsed.diagnostics)
    assert [] == parsed.diagnostics.items, text
    return text


def values(text: str) -> list[Value]:
    system = load_text(text).system
    assert system is not None, text
    return [verdict.value for verdict in check(system, options=Options(allow=VACUOUS)).verdicts]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("A(p W q)", "!E((!q) U (!p and !q))"),
        ("E(p W q)", "E(p U q) or EG p"),
        ("AG (E(p R q) -> p)", "AG ((E(q U (p and q)) or EG q) -> p)"),
        ("AF<=2 p", "p or AX (p or AX p)"),
        ("EF[2,2] p", "EX EX p"),
        ("E(p U<=1 q)", "q or (p and EX q)"),
        # What has one quantifier in other words, too, as its path alone cannot be written.
        ("A G[1,1] p", "AX p"),
        ("E F[1,2] true", "EX condition1"),
        ("E(true U[1,1] p)", "EX p"),
        ("E(p W[1,1] false)", "EX (p or condition1)"),
        ("A F[1,1] A G[1,1] p", "AX AX p"),
        ("[[g]]F p", "!<g>G !p"),
        ("[[g]](p W q)", "!<g>((!q) U (!p and !q))"),
        ("<>(p W q)", "!E((!q) U (!p and !q))"),
        ("[[]]F p", "!AG !p"),
        ("<P>F p", "<g>F p"),
        ("AG <Q>F p", "AG <group1>F p"),
        ("<all>X p", "<group1>X p"),
        ("GK({ P, Q }, p)", "GK(group1, p)"),
        ("DK(all \\ { Q }, p)", "DK(g, p)"),
        ("AG P.x < 3", "AG condition1"),
        ("EF P.x = 1", "EF p"),
        ("AF true", "AF condition1"),
        ("LTL G (p W q)", "LTL G ((p U q) or G p)"),
        ("LTL p R q U p", "LTL (!((!p) U (!q))) U p"),
        ("LTL K(P, F<=1 p)", "LTL K(P, (p or X p))"),
        ("CTL* AG[1,1] p", "CTL* AX p"),
        ("CTL* A G <g>F A(p W q)", "CTL* A G <g>F !E((!q) U (!p and !q))"),
        ("LTL G <g>F E(p R q)", "LTL G <g>F (E(q U (p and q)) or EG q)"),
    ],
)
def test_the_words_of(formula: str, expected: str) -> None:
    text = words(formula)

    assert f"Formulae\n  {expected};\nend Formulae\n" in text
    assert values(PROGRAM % formula) == values(text)
    system = load_text(PROGRAM % formula).system
    assert system is not None
    assert values(text) == values(render(system))


def test_only_what_has_to_change_is_written_anew_and_comments_stay() -> None:
    text = words("name : AG  ( p ->-- why\n A(p-- so\n W q) ) expect true")

    assert "--! name expect true\n" in text
    assert "AG (p ->  -- why\n" in text
    assert "-- so\n" in text


def test_steps_of_coalitions_say_for_which_strategies_they_are_the_same() -> None:
    text = words("<g>F<=1 p")

    assert "-- the same with perfect strategies; uniform ones may change at every step here" in text
    assert "p or <g>X p;" in text
    assert "  <g>X p;\n" in words("<g>F[1,1] p")
    assert "  <g>X q;\n" in words("<g>(true U[1,1] q)")


@pytest.mark.parametrize("path", ["G<=1 p", "(p R<=2 p)", "F<=1 p", "(p U[1,2] p)"])
def test_who_can_make_every_outcome_unfair_wins_in_other_words_too(path: str) -> None:
    text = FAIR % f"<g>{path}"
    system = load_text(text).system
    assert system is not None

    assert [Value.TRUE] == values(text)
    assert [Value.TRUE] == values(words(f"<g>{path}", FAIR))
    assert [Value.TRUE] == values(render(system))


def test_new_names_are_names_that_nothing_has() -> None:
    program = PROGRAM.replace("  q if", "  group1 if P.x = 2;\n  condition1 if P.x = 2;\n  q if")
    text = words("AG <Q>F P.x < 3", program)

    assert "  condition2 if P.x < 3;\n" in text
    assert "  group2 = { Q };\n" in text


def test_a_group_with_the_name_of_an_agent_has_its_own_members() -> None:
    program = PROGRAM.replace("  g = { P };", "  P = { Q };\n  rest = all \\ { P };\n  g = { P };")
    text = words("<rest>F p", program)

    assert "  rest = { P };\n" in text
    assert values(program % "<rest>F p") == values(text)


@pytest.mark.parametrize(
    "formula",
    [
        "<g>(p W q)",
        "[[g]](p U q)",
        "AF<=31 p",
        "AF<=30 AF<=30 p",
        "CTL* A G <g>F AF<=2 p",
        "A(p W <g>(p R q))",
        "GK(all \\ { P, Q }, p)",
        "LTL G <all \\ { P, Q }>F p",
    ],
)
def test_what_has_no_words_stays(formula: str) -> None:
    text = in_mcmas_words(Source("test", PROGRAM % formula))

    assert text is None or values(PROGRAM % formula) == values(text)
    assert text is None or formula == "AF<=30 AF<=30 p"


def test_constants_get_names_in_what_has_no_words_otherwise() -> None:
    text = in_mcmas_words(Source("test", PROGRAM % "<g>(GK(all \\ all, EF<=3 true) W[1,2] false)"))

    assert text is not None
    assert "<g>(GK(all \\ all, condition1) W[1, 2] condition2);" in text


def test_programs_with_families_of_agents_stay() -> None:
    program = PROGRAM.replace("Agent Q", "Agent Q[i : 1..2]")

    assert in_mcmas_words(Source("test", program % "<all>F p")) is None


# What is too large to be exported


def test_a_formula_that_falls_into_too_many_cases_is_named() -> None:
    choice = " + ".join(f"(if P.x + {k} > 2 then 0 else 1)" for k in range(13))

    for said, place in (
        (f"many : EF {choice} = 3", "the formula `many`"),
        (f"EF {choice} = 3", "the formula on line 42"),
    ):
        system = load_text(PROGRAM % said).system
        assert system is not None
        with pytest.raises(CannotExport, match=f"in {place}, a value falls into more than 4,096"):
            render(system)
