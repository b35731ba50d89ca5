import pytest

from gnomon.checking.load import load_text, read_formula
from gnomon.language.parse import parse
from gnomon.model.domain import Boolean, Enumeration, IntegerRange, Integers
from gnomon.model.elaborate import elaborate
from gnomon.model.expression import TRUE, And, Compare, Does, Expression, Literal, Not, Or, Read
from gnomon.model.system import System
from gnomon.text.source import Source

PROGRAM = """\
Agent Environment
  Obsvars: o : boolean; end Obsvars
  Vars: h : 0..3; k : 0..3; end Vars
  Actions = {{ tick }};
  Protocol: Other : {{ tick }}; end Protocol
end Agent
Agent P
  Lobsvars = {{ h }};
  Vars: x : 0..3; b : boolean; c : {{ red, green }}; d : {{ green, red, blue }}; n : int; end Vars
  Actions = {{ go, stay }};
  Protocol: Other : {{ go, stay }}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Q
  Vars: x : 0..9; c : {{ red, green }}; end Vars
  Actions = {{ go }};
  Protocol: Other : {{ go }}; end Protocol
end Agent
Evaluation p if {condition}; end Evaluation
InitStates P.x = 0; end InitStates
Groups g = {{ P, Environment }}; end Groups
Formulae {formulae} end Formulae
"""


def text(condition: str = "P.x = 1", evolution: str = "", formulae: str = "p;") -> str:
    return PROGRAM.format(condition=condition, evolution=evolution, formulae=formulae)


def system(program: str) -> System:
    loaded = load_text(program)
    assert loaded.system is not None, loaded.diagnostics
    return loaded.system


def errors(program: str) -> list[str]:
    return [item.code for item in load_text(program).diagnostics if item.is_error]


def condition(written: str) -> Expression:
    return system(text(written)).propositions["p"]


X, B, C = Read("P", "x"), Read("P", "b"), Read("P", "c")


# Agents


def test_an_environment_that_was_not_written_is_there_and_empty() -> None:
    found = system(
        "Agent P Vars: x : 0..1; end Vars Actions = { a }; Protocol: Other : { a }; end Protocol "
        "end Agent InitStates P.x = 0; end InitStates Formulae K(Environment, true); end Formulae"
    )

    assert ["Environment", "P"] == [agent.name for agent in found.agents]
    assert ((), ()) == (found.environment.variables, found.environment.actions)


def test_agents_see_what_everybody_sees_and_what_they_list() -> None:
    found = system(text())

    assert ("o", "h") == found.agent("P").sees
    assert ("o",) == found.agent("Q").sees
    assert () == found.environment.sees


def test_declared_types_become_domains() -> None:
    domains = [variable.domain for variable in system(text()).agent("P").variables]

    assert [
        IntegerRange(0, 3),
        Boolean(),
        Enumeration(("red", "green")),
        Enumeration(("green", "red", "blue")),
        Integers(),
    ] == domains


def test_a_system_with_an_unbounded_integer_is_unbounded() -> None:
    assert "unbounded" == system(text()).kind
    assert "finite" == system(text().replace("n : int;", "")).kind


def test_the_first_declaration_of_a_variable_counts_and_the_last_of_a_proposition() -> None:
    program = text().replace("x : 0..3;", "x : 0..3; x : boolean;", 1)
    program = program.replace("p if P.x = 1;", "p if P.x = 2; p if P.x = 1;")
    found = system(program)

    assert IntegerRange(0, 3) == found.agent("P").variables[0].domain
    assert Compare("=", X, Literal(1)) == found.propositions["p"]


# Conditions


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("P.b", B),
        ("!P.b", Not(B)),
        ("~P.b", Not(B)),
        ("P.b = true", Compare("=", B, Literal(True))),
        ("P.b & P.b", And((B, B))),
        ("P.b | P.b", Or((B, B))),
        ("P.b ^ P.b", Compare("<>", B, B)),
        ("P.b -> P.b", Or((Not(B), B))),
        ("P.c = red", Compare("=", C, Literal("red"))),
        ("red = P.c", Compare("=", Literal("red"), C)),
        ("P.c = P.d", Compare("=", C, Read("P", "d"))),
        ("P.x != 1", Compare("<>", X, Literal(1))),
        ("true", TRUE),
        ("P.x = Q.x", Compare("=", X, Read("Q", "x"))),
        ("(P.x < 1) = P.b", Compare("=", Compare("<", X, Literal(1)), B)),
    ],
)
def test_a_condition_means_this(written: str, expected: Expression) -> None:
    assert expected == condition(written)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("P.x", "G0301"),
        ("P.c", "G0301"),
        ("P.x = true", "G0301"),
        ("P.b = 1", "G0301"),
        ("P.b + 1 = 2", "G0301"),
        ("P.c + 1 = 2", "G0301"),
        ("P.c & P.c", "G0301"),
        ("P.b & P.x = 1", "G0301"),
        ("P.c = blue", "G0302"),
        ("P.c = x", "G0302"),
        ("P.b < true", "G0303"),
        ("P.c < red", "G0303"),
        ("P.x = 4", "G0304"),
        ("4 = P.x", "G0304"),
        ("P.x <> -1", "G0304"),
        ("x = 1", "G0208"),
        ("nothing = 1", "G0201"),
        ("P.y = 1", "G0202"),
        ("R.x = 1", "G0203"),
        ("P.Action = go", "G0205"),
        ("Corr(P.x)", "G0701"),
    ],
)
def test_a_condition_that_makes_no_sense_is_refused_once(written: str, code: str) -> None:
    assert [code] == errors(text(written))


@pytest.mark.parametrize(
    ("written", "always"),
    [("P.x < 4", "true"), ("P.x <= 9", "true"), ("P.x > 3 + 0", ""), ("P.x > 9", "false"),
     ("P.x >= -1", "true"), ("4 > P.x", "true"), ("9 < P.x", "false"), ("P.x < -5", "false"),
     ("-5 <= P.x", "true")],
)  # fmt: skip
def test_an_order_outside_the_range_is_only_pointed_out(written: str, always: str) -> None:
    found = load_text(text(written)).diagnostics

    assert bool(always) == (["G0401"] == [item.code for item in found])
    if always:
        assert f"always {always}" in found[0].message


# Evolution


def test_guards_look_at_actions() -> None:
    found = system(text(evolution="x = 1 if Action = go and Q.Action <> go;"))

    assert And((Does("P", "go"), Not(Does("Q", "go")))) == found.agent("P").evolution[0].guard


@pytest.mark.parametrize(
    "line",
    [
        "x = 1 if true;",
        "x = x + 9 if true;",
        "x = n if true;",
        "n = 10000000000000000000000 if true;",
        "b = Environment.o if true;",
        "c = red if true;",
        "d = c if true;",
        "x = Environment.h if true;",
        "b = (x < 2) if true;",
        "(x = 1 and b = true) and c = red if true;",
        "x = x and b = b if b;",
    ],
)
def test_these_lines_are_fine(line: str) -> None:
    assert [] == errors(text(evolution=line))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("y = 1 if true;", "G0202"),
        ("o = true if true;", "G0202"),
        ("x = 4 if true;", "G0306"),
        ("x = -1 if true;", "G0306"),
        ("x = true if true;", "G0307"),
        ("b = 1 if true;", "G0307"),
        ("c = d if true;", "G0307"),
        ("c = blue if true;", "G0302"),
        ("c = 1 if true;", "G0307"),
        ("x = 1 and x = 2 if true;", "G0311"),
        ("x = 1 if Q.x = 1;", "G0207"),
        ("x = 1 if Environment.k = 1;", "G0206"),
        ("x = Environment.k if true;", "G0206"),
        ("x = 1 if Action = run;", "G0204"),
        ("x = 1 if Q.Action = stay;", "G0204"),
        ("x = 1 if R.Action = go;", "G0203"),
        ("x = Action = go if true;", "G0307"),
    ],
)
def test_these_lines_are_refused_once(line: str, code: str) -> None:
    assert [code] == errors(text(evolution=line))


# Formulae


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("q;", "G0601"),
        ("x;", "G0601"),
        ("K(R, p);", "G0203"),
        ("K(g, p);", "G0203"),
        ("GK(h, p);", "G0603"),
        ("<h>X p;", "G0603"),
        ("<P, R>X p;", "G0603"),
        ("CTL* p U p;", "G0602"),
        ("CTL* K(P, X p);", "G0602"),
        ("R.RedStates;", "G0203"),
        ("P.y = 1;", "G0202"),
        ("P.x;", "G0301"),
    ],
)
def test_a_formula_that_makes_no_sense_is_refused_once(formula: str, code: str) -> None:
    assert [code] == errors(text(formulae=formula))


def test_a_fairness_constraint_of_the_wrong_kind_is_reported_at_its_own_line() -> None:
    fairness = "Fairness\n p;\n nothing;\n <g>X p;\nend Fairness\nFormulae"
    found = load_text(text().replace("Formulae", fairness, 1)).diagnostics

    assert {"G0601": 24, "G0605": 25} == {item.code: item.line for item in found}


def test_all_unknown_names_of_a_formula_are_told() -> None:
    assert ["G0601", "G0203", "G0601"] == errors(text(formulae="q and K(R, r);"))


def test_a_typed_formula_is_read_like_a_written_one() -> None:
    loaded = load_text(text(formulae="AG (p -> K(P, p));"))

    assert loaded.system is not None
    assert loaded.system.specifications[0].formula == read_formula(loaded, "AG(p->K(P,p))").formula


def test_a_name_may_be_a_variable_a_proposition_an_agent_and_a_group_at_once() -> None:
    program = text(formulae="P and K(P, P) and DK(P, P);").replace("p if", "P if")

    assert [] == errors(program.replace("Groups g", "Groups P = { P }; g"))


TEMPLATE = """\
Template T
  Vars: x : 0..1; end Vars
  Actions = { a };
  Protocol: true : { a }; end Protocol
end Template
InitStates T.x = 0; end InitStates
Formulae AG !exists i : T (i.x = 1); end Formulae
"""


@pytest.mark.parametrize(("program", "kind"), [(text(), "unbounded"), (TEMPLATE, "parameterised")])
def test_systems_and_populations_are_asked_by_the_same_names(program: str, kind: str) -> None:
    parsed = parse(Source("model.ispl", program))
    model = elaborate(parsed.program, parsed.diagnostics)
    [asked] = model.specifications

    assert ("model.ispl", kind) == (model.name, model.kind)
    assert "CTL" == asked.logic
    assert program.splitlines()[asked.line - 1].startswith(f"Formulae {asked.text}")
    assert asked.parsed in ("p", "AG !(exists i : T (i.x = 1))")
