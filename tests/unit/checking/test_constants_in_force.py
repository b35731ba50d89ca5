"""Every result says what the constants of its program were worth."""

import pytest

import gnomon
from gnomon.checking.load import load_text
from gnomon.checking.question import Question, read
from gnomon.checking.verdict import Result

PROGRAM = """
Constants n = 3; m = n * 2; far = m - 10; end Constants
Agent Counter
  Vars: x : 0..m; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: x = x + 1 if x < m; end Evolution
end Agent
Evaluation full if Counter.x = m; end Evaluation
InitStates Counter.x = 0; end InitStates
Formulae EF full; end Formulae
"""

TEMPLATES = """
Constants n = 2; end Constants
Template Robot
  Vars: x : 0..n; end Vars
  Actions = {stay};
  Protocol: Other : {stay}; end Protocol
  Evolution: x = n if x = 0; end Evolution
end Template
InitStates forall (i : Robot) Robot(i).x = 0; end InitStates
Formulae AG !(Robot(1).x = 1); end Formulae
"""


def _result(text: str, **constants: int) -> Result:
    return read(Question(text, "m.ispl", tuple(constants.items()))).check()


def test_constants_stand_in_their_order_and_depend_on_those_that_were_set() -> None:
    assert _result(PROGRAM).constants == (("n", 3), ("m", 6), ("far", -4))
    assert _result(PROGRAM, n=1).constants == (("n", 1), ("m", 2), ("far", -8))
    assert _result(PROGRAM, m=1).constants == (("n", 3), ("m", 1), ("far", -9))


def test_programs_without_constants_have_none() -> None:
    plain = PROGRAM.replace("Constants n = 3; m = n * 2; far = m - 10; end Constants", "")

    assert _result(plain.replace("0..m", "0..2").replace("m;", "2;")).constants == ()


def test_python_tells_them_too() -> None:
    assert gnomon.load_text(PROGRAM, n=2).check().result.constants == (
        ("n", 2),
        ("m", 4),
        ("far", -6),
    )


def test_templates_have_constants() -> None:
    loaded = load_text(TEMPLATES, constants={"n": 1})

    assert loaded.kind == "parameterised"
    assert loaded.in_force == (("n", 1),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("n = 0 - 3;", (("n", -3),)),  # the range is empty then
        ("n = 1; a = 1 div 0;", (("n", 1),)),
        ("a = b; n = 1;", (("n", 1),)),
    ],
)
def test_a_broken_model_tells_those_that_can_be_worked_out(
    line: str, expected: tuple[tuple[str, int], ...]
) -> None:
    text = PROGRAM.replace("n = 3; m = n * 2; far = m - 10;", line).replace("0..m", "0..n")
    asked = read(Question(text, "m.ispl"))

    assert asked.has_errors
    assert asked.refused().constants == expected


def test_a_constant_that_the_program_lacks_is_not_in_force() -> None:
    asked = read(Question(PROGRAM, "m.ispl", (("other", 7),)))

    assert asked.has_errors
    assert asked.refused().constants == (("n", 3), ("m", 6), ("far", -4))
