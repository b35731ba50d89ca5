"""The tables of operators: how formulae and expressions are bracketed when nobody does."""

import pytest

from gnomon.checking.load import load_text, read_formula
from gnomon.model.expression import show
from gnomon.model.formula import show_formula

MODEL = """
Agent P
  Vars: x : -9..9; y : 0..9; z : 0..9; b : boolean; c : boolean; d : boolean; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
end Agent
Evaluation a if P.x = 1; b if P.x = 2; c if P.x = 3; end Evaluation
InitStates P.x = 0; end InitStates
Groups g = { P }; end Groups
Formulae a; end Formulae
"""
LOADED = load_text(MODEL)


def assert_same(written: str, bracketed: str) -> None:
    left, right = read_formula(LOADED, written).formula, read_formula(LOADED, bracketed).formula
    assert right == left, f"{show_formula(left)} is not {show_formula(right)}"


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a or b -> c", "(a or b) -> c"),
        ("a -> b or c", "a -> (b or c)"),
        ("a or b and c", "a or (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("! a and b", "(!a) and b"),
        ("! a -> b", "(!a) -> b"),
        ("! ! a or b", "(!(!a)) or b"),
        ("AG a -> b", "(AG a) -> b"),
        ("AG a and b", "(AG a) and b"),
        ("AG ! a and b", "(AG (!a)) and b"),
        ("! AG a or b", "(!(AG a)) or b"),
        ("AG EF a and b", "(AG (EF a)) and b"),
        ("<g>F a and b", "(<g>F a) and b"),
        ("<g>X <g>G a or b", "(<g>X (<g>G a)) or b"),
        ("! <g>X a and b", "(!(<g>X a)) and b"),
        ("K(P, a) and b", "(K(P, a)) and b"),
        ("! K(P, a -> b) or c", "(!(K(P, (a -> b)))) or c"),
        ("AG K(P, a) -> b", "(AG (K(P, a))) -> b"),
        ("A (a U b) and c", "(A (a U b)) and c"),
        ("A (a and b U c or a)", "A ((a and b) U (c or a))"),
        ("A (a -> b U c -> a)", "A ((a -> b) U (c -> a))"),
        ("E G a and b", "(E G a) and b"),
        ("AG P.x = 1 and b", "(AG (P.x = 1)) and b"),
        ("! P.x = 1 and b", "(!(P.x = 1)) and b"),
        ("P.x < 1 -> P.y > 2", "(P.x < 1) -> (P.y > 2)"),
        ("P.x <> 1 and P.x != 1", "(P.x <> 1) and (P.x <> 1)"),
        ("P.x < -1", "P.x < (-1)"),
        ("P.x<-1", "P.x < (-1)"),
    ],
)  # fmt: skip
def test_ctl(written: str, bracketed: str) -> None:
    assert_same(written, bracketed)


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("LTL a U b U c", "LTL (a U b) U c"),
        ("LTL ! a U b", "LTL !(a U b)"),
        ("LTL ! a U b and c", "LTL (!(a U b)) and c"),
        ("LTL a U b and c", "LTL (a U b) and c"),
        ("LTL a and b U c", "LTL a and (b U c)"),
        ("LTL a U b or c U a", "LTL (a U b) or (c U a)"),
        ("LTL a U b -> c", "LTL (a U b) -> c"),
        ("LTL G a -> F b", "LTL (G a) -> (F b)"),
        ("LTL X a U b", "LTL (X a) U b"),
        ("LTL a U X b", "LTL a U (X b)"),
        ("LTL a U ! b", "LTL a U (!b)"),
        ("LTL a U ! b U c", "LTL a U (!(b U c))"),
        ("LTL G F a and b", "LTL (G (F a)) and b"),
        ("LTL G ! a and b", "LTL (G (!a)) and b"),
        ("LTL K(P, a U b) U c", "LTL (K(P, (a U b))) U c"),
        ("LTL a -> b -> c", "LTL a -> (b -> c)"),
        ("LTL P.x = 1 U b", "LTL (P.x = 1) U b"),
    ],
)  # fmt: skip
def test_ltl(written: str, bracketed: str) -> None:
    assert_same(written, bracketed)


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("CTL* A (G a -> F b)", "CTL* A ((G a) -> (F b))"),
        ("CTL* E (a U b and F c)", "CTL* E ((a U b) and (F c))"),
        ("CTL* A G a -> E F b", "CTL* (A (G a)) -> (E (F b))"),
        ("CTL* A G F a and b", "CTL* (A (G (F a))) and b"),
        ("CTL* A (a U b U c)", "CTL* A ((a U b) U c)"),
        ("CTL* A (! a U b)", "CTL* A (!(a U b))"),
        ("CTL* A (X a U b)", "CTL* A ((X a) U b)"),
        ("CTL* ! A G a or b", "CTL* (!(A (G a))) or b"),
        ("CTL* AG a and b", "CTL* (A (G a)) and b"),
        ("CTL* A ! G a", "CTL* A (!(G a))"),
    ],
)  # fmt: skip
def test_ctl_star(written: str, bracketed: str) -> None:
    assert_same(written, bracketed)


def condition(text: str) -> str:
    loaded = load_text(MODEL.replace("a if P.x = 1", f"a if {text}"))
    assert loaded.system is not None, loaded.diagnostics
    return show(loaded.system.propositions["a"])


def value(text: str) -> object:
    """Return the value of an expression, with x = 5, y = 6 and z = 3."""
    from gnomon.model.evaluation import evaluate

    loaded = load_text(MODEL.replace("a if P.x = 1", f"a if ({text}) = P.z"))
    assert loaded.system is not None, loaded.diagnostics
    compare = loaded.system.propositions["a"]
    return evaluate(compare.left, loaded.system, (5, 6, 3, True, False, True))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P.x + P.y * P.z", 23),
        ("P.x - P.y - P.z", -4),
        ("P.x - (P.y - P.z)", 2),
        ("P.x * P.y div P.z", 10),
        ("P.y div P.z * P.x", 10),
        ("P.y / P.z / 2", 1),
        ("P.x * P.y mod 4", 2),
        ("-P.x + P.y", 1),
        ("-P.x * P.y", -30),
        ("- P.x mod 3", 1),
        ("-(P.x + P.y)", -11),
        ("P.x - -P.y", 11),
        ("P.x - - 1", 6),
        ("-1 - -1", 0),
        ("P.x & P.y + 1", 5 & 7),
        ("P.x + 1 & P.y", 6 & 6),
        ("P.x | P.y & P.z", 5 | (6 & 3)),
        ("P.x & P.y | P.z", (5 & 6) | 3),
        ("P.x ^ P.y | P.z", (5 ^ 6) | 3),
        ("P.x | P.y ^ P.z", (5 | 6) ^ 3),
        ("P.x | P.y * 2", 5 | 12),
        ("~P.x + 1", ~(5 + 1)),
        ("~P.x & P.y", ~5 & 6),
        ("~P.x * 2 | 1", ~10 | 1),
        ("~(P.x & P.y)", ~(5 & 6)),
    ],
)
def test_arithmetic(text: str, expected: int) -> None:
    assert expected == value(text)


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("P.x = 1 or P.x = 2 and P.b", "P.x = 1 or (P.x = 2 and P.b)"),
        ("P.b -> P.c -> P.d", "P.b -> (P.c -> P.d)"),
        ("P.b or P.c -> P.d", "(P.b or P.c) -> P.d"),
        ("!P.b and P.c", "(!P.b) and P.c"),
        ("!P.x = 1 and P.c", "(!(P.x = 1)) and P.c"),
        ("! P.b = P.c", "!(P.b = P.c)"),
        ("P.x + 1 = P.y & 3", "(P.x + 1) = (P.y & 3)"),
        ("P.b & P.c = P.d", "(P.b & P.c) = P.d"),
        ("P.b | P.c ^ P.d", "(P.b | P.c) ^ P.d"),
        ("~P.b & P.c", "(~P.b) & P.c"),
        ("P.x != 1", "P.x <> 1"),
        ("P.x < -1", "P.x < (-1)"),
        ("P.x=-1", "P.x = (-1)"),
    ],
)
def test_conditions(written: str, bracketed: str) -> None:
    assert condition(bracketed) == condition(written)


@pytest.mark.parametrize("text", ["0 < P.x < 3", "P.x = P.y = P.z", "P.b = P.c <> P.d"])
def test_comparisons_do_not_chain(text: str) -> None:
    loaded = load_text(MODEL.replace("a if P.x = 1", f"a if {text}"))

    assert ["G0102"] == [item.code for item in loaded.diagnostics]


@pytest.mark.parametrize(
    "text",
    ["LTL A a", "LTL AG a", "LTL <g>X a U", "CTL* A a U b", "a U b", "F a", "A G", "A a", "<g> a"],
)
def test_these_are_no_formulae(text: str) -> None:
    loaded = load_text(MODEL.replace("Formulae a;", f"Formulae {text};"))

    assert 1 == sum(item.is_error for item in loaded.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "CTL* A (G a -> F b)",
        "CTL* A G a -> E F b",
        "CTL* E (a U b and F c)",
        "CTL* A (F a or b)",
    ],
)
def test_a_formula_that_mcmas_reads_differently_is_pointed_out(text: str) -> None:
    loaded = load_text(MODEL.replace("Formulae a;", f"Formulae {text};"))

    assert ["G0604"] == [item.code for item in loaded.diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "CTL* A ((G a) -> (F b))",
        "CTL* (A G a) -> (E F b)",
        "CTL* A (a and G b)",
        "CTL* A G (a -> b)",
        "LTL G a -> F b",
        "AG a -> EF b",
    ],
)
def test_a_formula_that_mcmas_reads_alike_is_not_pointed_out(text: str) -> None:
    loaded = load_text(MODEL.replace("Formulae a;", f"Formulae {text};"))

    assert [] == [item.code for item in loaded.diagnostics]
