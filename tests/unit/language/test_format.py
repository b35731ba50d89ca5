import pytest

from gnomon.language.format import FormattingBug, format_text
from gnomon.language.line_writer import LineWriter
from gnomon.language.spacing import must_be_apart
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


# Coalitions: `<` and `>` also compare


@pytest.mark.parametrize(
    "formula",
    [
        "<P[z : 1..n where z < n]>X q;",
        "<P[z : 1..n where z > n]>X q;",
        "<P[z : 1..n where z <> n]>X q;",
        "<P[z : 1..n where z = n]>X q;",
        "<P[z : 1..n where z >= n and z <= 2 or !(z <> 1)]>F q;",
        "<P[z : 1..n where z < n], Q[y : 1..n where y > 1], Environment>(p U q);",
        "<P[n - 1], Q[-1]>G <Q[z : 1..n where z < n]>X q;",
        "AG <>X p -> <>F q;",
        "P.x < 2 and <P>X (P.x > 1);",
        "AG P.x <> 2 and !<P>X (P.x >= 1 -> <>F q);",
        "forall i : 1..n (<P[i]>X P[i].x < 2);",
    ],
)
def test_the_comparisons_inside_a_coalition_stay_comparisons(formula: str) -> None:
    text = f"Formulae\n  {formula}\nend Formulae\n"

    assert text == formatted(text)
    assert text == formatted(formula.join(["Formulae ", " end Formulae"]))


def test_a_coalition_is_known_by_the_parser_and_not_by_its_neighbours() -> None:
    text = "Formulae <P -- who\n , Q -- and\n > -- does\n X q; (P.x) < 1; end Formulae"

    assert """\
Formulae
  <P  -- who
      , Q  -- and
      >  -- does
      X q;
""" == formatted(text.replace("(P.x) < 1; ", "")).removesuffix("end Formulae\n")


@pytest.mark.parametrize(
    ("left", "right"),
    [pair.split() for pair in "a b|1 n|n 1|< =|< >|- ->|- -x|! =|. ..|CTL *|x_ _y".split("|")],
)
def test_tokens_that_would_be_read_as_others_are_kept_apart(left: str, right: str) -> None:
    assert must_be_apart(left, right)


@pytest.mark.parametrize(
    ("left", "right"), [("a", "("), ("!", "x"), ("<", "P"), ("1", ".."), (")", ";")]
)
def test_other_tokens_may_touch(left: str, right: str) -> None:
    assert not must_be_apart(left, right)


# Read back before anybody gets it


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param(("P.x = 1", "P.x = 2"), "tokens", id="token"),
        pytest.param(("P.x", "Px"), "tokens", id="joined"),
        pytest.param(("-- why", "-- who"), "comments", id="comment"),
        pytest.param(("-- why\n", ""), "comments", id="comment lost"),
        pytest.param(("-- why\n", "-- why "), "comments", id="code in a comment"),
    ],
)
def test_a_formatter_that_changes_what_a_text_says_is_found_out(
    change: tuple[str, str], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out = LineWriter.finish
    monkeypatch.setattr(LineWriter, "finish", lambda layout: lay_out(layout).replace(*change))

    with pytest.raises(FormattingBug, match=what):
        formatted("Evaluation p if P.x = 1; -- why\n end Evaluation")


def test_comments_keep_odd_characters_at_their_ends() -> None:
    text = "-- next line \x85\n-- no-break \xa0\n-- separator \u2028\n"

    assert text == formatted(text.replace("\n", " \t\n"))
