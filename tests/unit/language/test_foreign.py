"""What people write from other tools: one error, and the same in ISPL with their own names in it."""

import re

import pytest

from gnomon.checking.load import load_text
from gnomon.language.foreign import advice
from tests.laws.watch import time_limit

_PROGRAM = """\
Agent Environment
  Vars: door : {{ open, shut }}; end Vars
  Actions = {{ none }};
  Protocol: Other : {{ none }}; end Protocol
  Evolution: door = open if door = shut; end Evolution
end Agent
Agent P
  Vars: x : 0..3; b : boolean; end Vars
  Actions = {{ go, stay }};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation {evaluation} end Evaluation
InitStates P.x = 0 and P.b = false and Environment.door = open; end InitStates
Groups g = {{ P }}; end Groups
Formulae
  {formula}
end Formulae
"""
_GOOD = {
    "protocol": "Other : { go, stay };",
    "evolution": "x = 1 if Action = go;",
    "evaluation": "p if P.x = 1; q if P.x = 2;",
    "formula": "AG p;",
}

#: Where, what is written, and what the help has to offer.
_REWRITTEN = [
    ("formula", "<<g>>F p", "<g>F p"),
    ("formula", "<<P>> G (p or q)", "<P> G (p or q)"),
    ("formula", "<{P}> F p", "<P> F p"),
    ("formula", "⟨⟨g⟩⟩ F p", "<g> F p"),
    ("formula", "⟨g⟩ F p", "<g> F p"),
    ("formula", "[[g] F p", "[[g]] F p"),
    ("formula", "[P]] G p", "[[P]] G p"),
    ("formula", "C(g, p)", "GCK(g, p)"),
    ("formula", "CK(g, p)", "GCK(g, p)"),
    ("formula", "E(g, p)", "GK(g, p)"),
    ("formula", "EK(g, p)", "GK(g, p)"),
    ("formula", "D(g, p)", "DK(g, p)"),
    ("formula", "AG (p -> C(g, q))", "AG (p -> GCK(g, q))"),
    ("formula", "Knows(P, p)", "K(P, p)"),
    ("formula", "K_P p", "K(P, p)"),
    ("formula", "K P p", "K(P, p)"),
    ("formula", "K{P} (p or q)", "K(P, p or q)"),
    ("formula", "C_{g} p", "GCK(g, p)"),
    ("formula", "AG ~p", "AG !p"),
    ("formula", "GF p", "LTL G F p"),
    ("formula", "often : GF p", "often : LTL G F p"),
    ("formula", "LTL FG p", "LTL F G p"),
    ("formula", "AGEF p", "AG EF p"),
    ("formula", "AG(p -> AFEF q)", "AG(p -> AF EF q)"),
    ("formula", "CTLSPEC AG p", "AG p"),
    ("formula", "LTLSPEC G p", "LTL G p"),
    ("formula", "[] p", "LTL G p"),
    ("formula", "[]p -> <>q", "LTL G p -> F q"),
    ("formula", "<>p", "LTL F p"),
    ("formula", "□ p → ◇ q", "LTL G p -> F q"),
    ("formula", "<g>□ p", "<g> G p"),
    ("formula", "¬(p ∧ ¬q) ∨ p", "!(p and !q) or p"),
    ("formula", "p → q", "p -> q"),
    ("formula", "AG (p && q)", "AG (p and q)"),
    ("formula", "AG (p || q)", "AG (p or q)"),
    ("formula", "AG (p & q | p)", "AG (p and q or p)"),
    ("formula", "AG (p /\\ q)", "AG (p and q)"),
    ("formula", "AG (p \\/ ~q)", "AG (p or !q)"),
    ("formula", "AG (p => q)", "AG (p -> q)"),
    ("formula", "AG (P.x == 1)", "AG (P.x = 1)"),
    ("formula", "p ↔ q", "p <-> q"),
    ("formula", "AG (p <=> q)", "AG (p <-> q)"),
    ("formula", "p iff q", "p <-> q"),
    ("formula", "AG P.x ∈ { 1, 2 }", "AG P.x in { 1, 2 }"),
    ("formula", "AG not p", "AG !p"),
    ("formula", "p implies q", "p -> q"),
    ("formula", "A[p U q]", "A(p U q)"),
    ("formula", "E p U q", "E(p U q)"),
    ("evolution", "x' = x + 1 if Action = go and x < 3", "x = x + 1 if Action = go and x < 3"),
    ("evolution", "next(x) := 2", "x = 2 if true"),
    ("evolution", "x := 1 if Action = go", "x = 1 if Action = go"),
    ("evolution", "x <- 1 if Action = go", "x = 1 if Action = go"),
    ("evolution", "x == 1 if Action = go", "x = 1 if Action = go"),
    ("evolution", "x = 2", "x = 2 if true"),
    ("evolution", "x += 1 if x < 3", "x = x + 1 if x < 3"),
    ("evolution", "x++ if x < 3", "x = x + 1 if x < 3"),
    ("evolution", "if Action = go then x = 1", "x = 1 if Action = go"),
    ("evolution", "if (Action = go) x = 1", "x = 1 if Action = go"),
    ("evolution", "Action = go -> x = 1", "x = 1 if Action = go"),
    ("evolution", "x = 1 when Action = go", "x = 1 if Action = go"),
    ("evolution", "x = 1, b = true if Action = go", "x = 1 and b = true if Action = go"),
    ("evolution", "x = 1 if b else x = 0", "x = 1 if b; x = 0 if !(b)"),
    ("evolution", "if b then x = 1 else x = 0", "x = 1 if b; x = 0 if !(b)"),
    ("evolution", "x = 1 if ¬b ∧ x ≤ 2", "x = 1 if !b and x <= 2"),
    ("evolution", "x = 1 if b && x < 2", "x = 1 if b and x < 2"),
    ("evolution", "x = 1 if x =< 2", "x = 1 if x <= 2"),
    ("evolution", "x = (b ? 1 : 0) if true", "x = (if b then 1 else 0) if true"),
    ("evolution", "x = x > 1 ? 1 : 0 if b", "x = if x > 1 then 1 else 0 if b"),
    ("evolution", "x = b ? 1 : 0", "x = if b then 1 else 0 if true"),
    ("evolution", "x = if b then 1 else 0", "x = if b then 1 else 0 if true"),
    ("evolution", "x = 1 if b <=> x = 0", "x = 1 if b <-> x = 0"),
    ("evolution", "x = 1 if x % 2 = 0", "x = 1 if x mod 2 = 0"),
    ("protocol", "x == 1 : { go, stay }; Other : { go }", "x = 1 : { go, stay }"),
    ("protocol", "Other : go, stay", "Other : { go, stay }"),
    ("protocol", "b -> { go, stay }; Other : { go }", "b : { go, stay }"),
    ("evaluation", "q := P.x = 2; p if P.b", "q if P.x = 2"),
    ("evaluation", "q iff P.x = 2; p if P.b", "q if P.x = 2"),
]


def _program(section: str, text: str) -> str:
    return _PROGRAM.format(**{**_GOOD, section: f"{text};"})


def _errors(text: str) -> list[str]:
    with time_limit(5, text):
        return [
            " ".join([item.message, *item.notes, item.help])
            for item in load_text(text).diagnostics
            if item.is_error
        ]


@pytest.mark.parametrize(("section", "written", "ours"), _REWRITTEN)
def test_the_one_error_offers_a_statement_that_can_be_read(
    section: str, written: str, ours: str
) -> None:
    [found] = _errors(_program(section, written))

    assert f": `{ours}`" in found
    rest = written.partition(";")[1:]
    assert _errors(_program(section, ours + "".join(rest))) == []


@pytest.mark.parametrize(
    ("section", "written", "hint"),
    [
        ("formula", "AGp", "`AG p`"),
        ("formula", "AG(p -> AFq)", "`AF q`"),
        ("formula", "AG TRUE", "`true`"),
        ("formula", "AG False", "`false`"),
        ("formula", "p U q", "`A(f U g)`"),
        ("formula", "AG (p W q)", "`A(f W g)`"),
        ("formula", "AG x = 1", "`P.x`"),
        ("formula", "AG P.action = go", "`P.last = go`"),
        ("formula", "AG P.go", "`P.last = go`"),
        ("formula", "AG (P.Action = go)", "`last = go if Action = go;`"),
        ("formula", "AG p' ", "next value"),
        ("formula", 'AG "p"', "`p`"),
        ("evolution", "x = 1 if action = go", "`Action`"),
        ("evolution", "x = 1 if P.action = go", "`P.Action = …`"),
        ("evolution", "x = 1 if Environment.none", "`Environment.Action = none`"),
        ("evolution", "b = TRUE if Action = go", "`true`"),
        ("evolution", "x = 1 if Action = 'go'", "`go`"),
        ("evolution", "/* two\nlines */ x = 1 if b", "`-- two lines`"),
        ("evolution", "x = 1 // one\n if b", "`-- one`"),
        ("evolution", "# one\n x = 1 if b", "`-- one`"),
        ("protocol", "b : { go, stay }; otherwise : { go }", "`Other : { actions };`"),
        ("protocol", "b : { go, stay }; else : { go }", "`Other : { actions };`"),
    ],
)
def test_the_one_error_gives_this_hint(section: str, written: str, hint: str) -> None:
    [found] = _errors(_program(section, written))

    assert hint in found


@pytest.mark.parametrize(
    ("start", "hint"),
    [
        ("module robot\n", "`Agent robot … end Agent`"),
        ("MODULE main\n", "`Agent Name … end Agent`"),
        ("VAR x : 0..3;\n", "`Vars: x : 0..3; end Vars`"),
        ("# made by hand\n", "`-- made by hand`"),
        ("// made by hand\n", "`-- made by hand`"),
        ("/* made\n * by hand */\n", "`-- made * by hand`"),
        ("/* unclosed", "starts with `--`"),
    ],
)
def test_a_program_that_begins_as_in_another_language_gets_this_hint(start: str, hint: str) -> None:
    found = _errors(start + _PROGRAM.format(**_GOOD))

    assert hint in found[0]


@pytest.mark.parametrize("name", list("AEFGKOUX"))
def test_an_agent_with_a_reserved_name_is_one_mistake_however_often_it_is_used(name: str) -> None:
    text = re.sub(r"\bP\b", name, _program("formula", "K(P, AG (P.x = 0 or p))"))

    [found] = _errors(text)

    assert "A, E, F, G, K, O, U, X; every other letter is free" in found
    assert f"`my{name}`" in found


def test_what_is_wrong_elsewhere_is_not_rewritten() -> None:
    assert advice("Formulae AG (p and and C(g, q));", 20) is None
    assert advice("Formulae AG ((p or q);", 20) is None


def test_definitions_are_no_evolution_lines() -> None:
    found = advice(
        "Evolution: x = 1 if b; end Evolution Definitions ok := b && x = 1; end Definitions", 57
    )

    assert str(found) == "write `and`: `ok := b and x = 1`"


def test_a_long_statement_is_not_repeated() -> None:
    found = advice(f"Formulae {'p and ' * 60} <<g>>F p;", 371)

    assert found is not None
    assert str(found) == "a coalition stands in one pair of brackets"


@pytest.mark.parametrize("piece", ["/*", "'", '"', "<<", "□", "C(", "if ", "¬", "K_P ", "x' = "])
def test_a_long_row_of_foreign_signs_is_read_in_time(piece: str) -> None:
    with time_limit(10, piece):
        assert load_text(_program("formula", piece * 20_000)).has_errors
