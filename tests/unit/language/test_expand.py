import pytest

from gnomon.checking.load import load_text
from gnomon.language.expand import expand
from gnomon.language.parse import parse
from gnomon.language.syntax import Program
from gnomon.text.source import Source

PLAIN = """
Agent P
  Vars: x : 0..3; end Vars
  Actions = { a };
  Protocol: Other : { a }; end Protocol
end Agent
Evaluation top if P.x = 3; end Evaluation
InitStates P.x = 0; end InitStates
Formulae EF top; end Formulae
"""


def expanded(text: str, **constants: int) -> tuple[Program, list[str]]:
    parsed = parse(Source("t", text))
    assert not parsed.diagnostics.has_errors
    program = expand(parsed.program, constants, parsed.diagnostics)
    return program, [item.code for item in parsed.diagnostics.sorted()]


def codes(text: str, **constants: int) -> list[str]:
    return [item.code for item in load_text(text, constants=constants).diagnostics]


def names(text: str, **constants: int) -> list[str]:
    program, found = expanded(f"Evaluation {text} end Evaluation", **constants)
    assert [] == found
    return [line.name.text for line in program.evaluation or ()]  # type: ignore[union-attr]


def test_a_program_without_families_is_left_alone() -> None:
    parsed = parse(Source("t", PLAIN))

    assert parsed.program is expand(parsed.program, {}, parsed.diagnostics)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p[1] if true;", ["p[1]"]),
        ("p[1 + 2 * 3] if true;", ["p[7]"]),
        ("p[i : 1..3] if true;", ["p[1]", "p[2]", "p[3]"]),
        ("p[i : 3..1] if true;", []),
        ("p[i : -1..1] if true;", ["p[-1]", "p[0]", "p[1]"]),
        ("p[i : 1..2, j : i..2] if true;", ["p[1,1]", "p[1,2]", "p[2,2]"]),
        ("p[i : 1..4 where i mod 2 = 0] if true;", ["p[2]", "p[4]"]),
        ("p[i : 1..2, 7] if true;", ["p[1,7]", "p[2,7]"]),
        ("for i : 1..2: p[i] if true; q[i] if true; end for", ["p[1]", "q[1]", "p[2]", "q[2]"]),
        ("for i : 1..2: for j : 1..2 where i <> j: p[i, j] if true; end for end for",
         ["p[1,2]", "p[2,1]"]),
        ("for i, j : 1..2 where i < j: p[i, j] if true; end for", ["p[1,2]"]),
        ("for i : 1..0: p[i] if true; end for", []),
    ],
)  # fmt: skip
def test_ranges_give_these_names(text: str, expected: list[str]) -> None:
    assert expected == names(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7 div 2", 3),
        ("-7 div 2", -4),
        ("-7 mod 2", 1),
        ("7 mod -2", 1),
        ("-7 div -2", 4),
        ("6 / 3", 2),
    ],
)
def test_constants_are_computed_as_numbers_are(value: str, expected: int) -> None:
    text = f"Constants n = {value}; end Constants Evaluation p[n] if true; end Evaluation"
    program, found = expanded(text)

    assert [] == found
    assert [f"p[{expected}]"] == [line.name.text for line in program.evaluation or ()]  # type: ignore[union-attr]


def test_a_constant_may_use_those_before_it() -> None:
    text = "Constants n = 2; m = n * n; end Constants Evaluation p[m] if true; end Evaluation"

    assert "p[4]" == expanded(text)[0].evaluation[0].name.text  # type: ignore[index,union-attr]
    assert "p[9]" == expanded(text, n=3)[0].evaluation[0].name.text  # type: ignore[index,union-attr]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("Constants n = m; m = 1; end Constants", "G0503"),
        ("Constants n = n; end Constants", "G0503"),
        ("Constants n = 1 / 0; end Constants", "G0504"),
        ("Constants n = 3 / 2; end Constants", "G0504"),
        ("Constants n = true; end Constants", "G0504"),
        ("Constants n = 1; n = 2; end Constants", "G0502"),
    ],
)
def test_constants_without_a_value_are_refused_once(head: str, code: str) -> None:
    assert [code] == codes(head + PLAIN)


@pytest.mark.parametrize(
    ("evaluation", "code"),
    [
        ("p[k] if P.x = 1;", "G0503"),
        ("p[i : 1..k] if P.x = 1;", "G0503"),
        ("p[i : 1..true] if P.x = 1;", "G0504"),
        ("p if P.x[i : 1..2] = 1;", "G0506"),
        ("p[i : 1..2, i : 1..2] if P.x = 1;", "G0502"),
        ("for i : 1..2: for i : 1..2: p[i] if P.x = 1; end for end for", "G0502"),
        ("p if forall i : 1..2 (exists i : 1..2 (P.x = i));", "G0502"),
        ("p[i : 1..2 where P.x = 1] if P.x = 1;", "G0503"),
        ("p[i : 1..2 where i] if P.x = 1;", "G0504"),
        ("p[i : 1..2000000] if P.x = 1;", "G0505"),
        ("p[i : Place] if P.x = 1;", "G0504"),
        ("for i : Place: p[i] if P.x = 1; end for", "G0504"),
    ],
)
def test_bad_families_are_refused_once(evaluation: str, code: str) -> None:
    assert [code] == codes(PLAIN.replace("top if", f"{evaluation} top if"))


def test_setting_an_unknown_constant_is_refused_with_a_suggestion() -> None:
    text = "Constants size = 2; end Constants" + PLAIN
    [found] = load_text(text, constants={"sise": 3}).diagnostics

    assert "G0501" == found.code
    assert "`size`" in found.help


def test_a_setting_for_a_program_without_constants_is_refused() -> None:
    assert ["G0501"] == codes(PLAIN, n=3)


def test_a_variable_with_the_name_of_a_constant_is_refused() -> None:
    assert "G0502" in codes("Constants x = 2; end Constants" + PLAIN)


def test_short_constants_may_be_followed_by_any_section() -> None:
    environment = (
        "Environment Actions = { t }; Protocol: Other : { t }; end Protocol end Environment"
    )

    assert [] == codes("Constants n = 2;" + PLAIN)
    assert [] == codes("Constants n = 2; Semantics = MA;" + PLAIN)
    assert [] == codes("Constants n = 2;" + environment + PLAIN)


@pytest.mark.parametrize("name", ["sum", "exists", "forall", "for", "where", "div", "mod", "int"])
def test_our_words_may_name_variables(name: str) -> None:
    text = PLAIN.replace("x : 0..3", f"{name} : 0..3").replace("P.x", f"P.{name}")
    guard = f"Evolution: {name} = {name} + 1 if {name} < 3 and {name} mod 2 = 0; end Evolution end Agent"

    assert [] == codes(text.replace("end Agent", guard))
