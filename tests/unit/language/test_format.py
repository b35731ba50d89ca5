import pytest

from gnomon.language.format import format_text
from gnomon.text.diagnostic import InputError
from gnomon.text.source import Source


def formatted(text: str) -> str:
    return format_text(Source("t", text))


def test_a_program_is_laid_out_like_this() -> None:
    text = (
        "Semantics=SA;Agent P Lobsvars={x,y};Vars:a:0..3;b:{u,v};end Vars Actions={go,none};Protocol:"
        "a<-1:{go};Other:{none};end Protocol Evolution:a=a+1 if Action=go and !(b=u);end Evolution end "
        "Agent Evaluation p if P.a=1;end Evaluation InitStates P.a=0;end InitStates Groups g={P};end "
        "Groups Formulae <g>F p;AG(p->K(P,p));end Formulae"
    )

    assert """\
Semantics = SA;

Agent P
  Lobsvars = { x, y };
  Vars:
    a : 0..3;
    b : { u, v };
  end Vars
  Actions = { go, none };
  Protocol:
    a < -1 : { go };
    Other : { none };
  end Protocol
  Evolution:
    a = a + 1 if Action = go and !(b = u);
  end Evolution
end Agent

Evaluation
  p if P.a = 1;
end Evaluation

InitStates
  P.a = 0;
end InitStates

Groups
  g = { P };
end Groups

Formulae
  <g>F p;
  AG (p -> K(P, p));
end Formulae
""" == formatted(text)


def test_a_program_that_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(InputError):
        formatted("Evaluation p if ; end Evaluation")


def test_nothing_stays_nothing() -> None:
    assert "" == formatted("")
    assert "" == formatted(" \n\t")


def test_a_comment_stays_at_the_end_of_its_line() -> None:
    text = "Evaluation\n  p if P.x = 1;  -- why\nend Evaluation\n"

    assert text == formatted(text)


def test_a_comment_line_is_indented_like_what_follows() -> None:
    text = "Evaluation\n-- why\np if P.x = 1;\nend Evaluation"

    assert "Evaluation\n  -- why\n  p if P.x = 1;\nend Evaluation\n" == formatted(text)


def test_one_empty_line_stays_and_more_become_one() -> None:
    text = "Evaluation\n  p if P.x = 1;\n\n\n\n  q if P.x = 2;\nend Evaluation\n"

    assert text.replace("\n\n\n\n", "\n\n") == formatted(text)


def test_a_long_condition_is_broken_before_its_outermost_operators() -> None:
    part = "(Environment.first_variable = 1 or Environment.second_variable = 2)"
    lines = formatted(f"Evaluation p if {part} and {part} and {part}; end Evaluation").splitlines()

    assert [f"  p if {part}", f"      and {part}", f"      and {part};"] == lines[1:4]
