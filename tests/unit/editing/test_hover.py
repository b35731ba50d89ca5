"""What is said of a place is true of it."""

import pytest

from gnomon.editing.analysis import Analysis, analyse
from gnomon.editing.hints import hints
from gnomon.editing.hover import hover
from gnomon.editing.word_help import OPERATORS, WORDS
from gnomon.language.words import CONTEXTUAL, RESERVED, words
from gnomon.results.formula_reading import read_aloud
from gnomon.text.source import Source

MODEL = """
Constants n = 3; m = n * 2; end Constants
Definitions late := Environment.clock > m; end Definitions
Agent Environment
  Obsvars: clock : 0..9; end Obsvars
  Vars: secret : boolean; end Vars
  Actions = { tick };
  Protocol: Other : { tick }; end Protocol
end Agent
Agent Bob[i : 1..n]
  Lobsvars = { secret };
  Vars:
    y : 0..i;
    mood[k : 1..2] : { glad, sad };
  end Vars
  Actions = { go, stay };
  Protocol: y = 0 : { go }; Other : { stay }; end Protocol
  Evolution: y = 0 if Action = go; end Evolution
end Agent
Agent Eve
  Vars: free : int; end Vars
end Agent
Evaluation glad[i : 1..n] if Bob[i].mood[1] = glad; end Evaluation
InitStates Environment.clock = 0; end InitStates
Groups team = { Bob[i : 1..n] }; end Groups
Formulae
  sure : AG (late -> K(Bob[1], late)) expect false;
  for i : 1..n: <Bob[i]>F glad[i]; end for
end Formulae
"""


def _analysis() -> Analysis:
    return analyse(Source("a.ispl", MODEL))


def test_the_model_of_these_tests_has_no_mistakes() -> None:
    assert [] == [item.message for item in _analysis().diagnostics if item.is_error]


@pytest.mark.parametrize(
    ("words", "inside", "told"),
    [
        (
            "clock : 0..9",
            0,
            ["variable `Environment.clock`", "10 values: `0..9`", "seen by everybody"],
        ),
        ("secret : boolean", 0, ["2 values", "seen by Environment, Bob[1], Bob[2], Bob[3]"]),
        ("y : 0..i", 0, ["2 to 4 values each, 3 variables in all: `0..1, 0..2, 0..3`"]),
        ("mood[k", 0, ["2 values each, 6 variables in all"]),
        ("free : int", 0, ["any number of values"]),
        ("Bob[i : 1..n]", 0, ["3 agents", "3 variables, 8 to 16 local states, 2 actions"]),
        ("Eve", 0, ["1 variable, any number of local states, 0 actions"]),
        ("go, stay", 0, ["action `Bob.go`", "possible by line 17"]),
        ("glad, sad", 0, ["a value of Bob.mood"]),
        ("n = 3", 0, ["```ispl\nn = 3\n```", "worth 3", "used 5 times"]),
        ("m = n", 0, ["worth 6"]),
        ("late :=", 0, ["definition `late`", "late := Environment.clock > m"]),
        ("glad[i : 1..n] if", 0, ["3 of them", "used once"]),
        ("team = {", 0, ["3 agents: Bob[1], Bob[2], Bob[3]"]),
        ("i : 1..n]\n  Lobsvars", 0, ["index `i`", "i : 1..n"]),
        (
            "sure :",
            0,
            ["**sure**", "if `late`, then `Bob[1]` knows that `late`", "Expected: false."],
        ),
        ("AG (late", 0, ["`AG f`: in every state that can be reached, f."]),
        ("<Bob[i]>F", 0, ["It stands for 3 formulae."]),
        ("Lobsvars", 0, ["Variables of the environment that this agent sees"]),
    ],
)
def test_a_hover_tells_what_is_so(words: str, inside: int, told: list[str]) -> None:
    analysis = _analysis()
    found = hover(analysis, analysis.text.index(words) + inside)
    assert found is not None

    for each in told:
        assert each in found.markdown


def test_nothing_is_said_of_blanks() -> None:
    assert None is hover(_analysis(), 0)


def test_hints_are_behind_what_they_are_about() -> None:
    analysis = _analysis()
    found = {(analysis.text[: hint.offset].split()[-1], hint.label) for hint in hints(analysis)}

    assert ("Eve", "any number of local states") in found
    assert ("2", "= 6") in found
    assert any("3 agents, each with 8 to 16 local states" == label for _, label in found)
    assert any("3 formulae" == label for _, label in found)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("AG p", "In every state that can be reached, `p`."),
        ("EF !p", "A state can be reached in which not `p`."),
        ("AF p", "On every run there comes a state in which `p`."),
        ("EG p", "There is a run in all of whose states `p`."),
        ("AG EX true", "In every state that can be reached, there is a next state."),
        ("A(p U q)", "On every run `p` until `q`, which does happen."),
        ("E(p W q)", "There is a run on which `p` until `q`, or for ever."),
        ("K(Ann, p and q)", "`Ann` knows that (`p` and `q`)."),
        ("!K(Ann, p)", "`Ann` does not know that `p`."),
        ("GK(team, p)", "Everybody in `team` knows that `p`."),
        ("GCK(team, p)", "It is common knowledge in `team` that `p`."),
        ("DK(team, p)", "`team` together, with all that they see, know that `p`."),
        ("O(Ann, p)", "`p` wherever `Ann` keeps to its norms."),
        ("<Ann>F p", "`Ann` can make sure that at some point `p`."),
        ("!<Ann, Bob>G p", "`Ann` and `Bob` cannot make sure that always `p`."),
        ("<>G p", "Whatever anybody does, always `p`."),
        ("[[Ann]]F p", "`Ann` cannot prevent that at some point `p`."),
        ("<Ann>F<=5 p", "`Ann` can make sure that within 5 steps, at some point `p`."),
        ("EF[2,7] p", "There is a run on which from step 2 to step 7, at some point `p`."),
        ("p xor q", "Exactly one of `p` and `q`."),
        ("p <-> q", "`p` exactly if `q`."),
        ("LTL G (p -> F q)", "On every run, always if `p`, then at some point `q`."),
        (
            "forall i : 1..2 (AG p[i])",
            "For every `i : 1..2`, in every state that can be reached, `p[i]`.",
        ),
        ("Ann.GreenStates", "`Ann` keeps to its norms."),
        ("Ann.x = 2 or q", "`Ann.x = 2` or `q`."),
        ("CTL* A (F p and G q)", "On every run (at some point `p`) and (always `q`)."),
    ],
)
def test_a_formula_is_read_aloud(formula: str, words: str) -> None:
    analysis = analyse(Source("a.ispl", f"Formulae {formula}; end Formulae"))
    [written] = analysis.written

    assert words == read_aloud(written.line, analysis.source)


def test_every_word_of_the_language_has_a_sentence() -> None:
    known = {*WORDS, *OPERATORS}
    plain = {*words("constant", "connective", "choice", "verdict", "multiplicity", "rule", "end")}
    missing = {*words(*RESERVED, *CONTEXTUAL)} - known - plain

    assert {"MA", "SA"} == missing
    assert known <= {*words(*RESERVED, *CONTEXTUAL)}
