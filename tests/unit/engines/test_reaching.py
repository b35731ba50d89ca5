"""Cells that may be reached are not lost where a step may lead anywhere."""

import pytest

from gnomon.checking.check import Options, check
from gnomon.checking.load import load_text
from gnomon.checking.verdict import Value

PROGRAM = """
Agent Environment
  Vars:
    x : int;
  end Vars
  Actions = { go };
  Protocol:
    Other : { go };
  end Protocol
  Evolution:
    x = %s if true;
  end Evolution
end Agent

Agent P
  Actions = { a, b, c };
  Protocol:
    Other : { a, b, c };
  end Protocol
end Agent

Evaluation
  even if Environment.x mod 2 = 0;
end Evaluation

InitStates
  Environment.x = 0;
end InitStates

Formulae
  AG even;
end Formulae
"""


@pytest.mark.parametrize("value", ["x * x + 1", "x * x * x - 1", "x + 1", "1 - x"])
def test_what_becomes_odd_is_not_always_even(value: str) -> None:
    system = load_text(PROGRAM % value).system
    assert system is not None
    (verdict,) = check(system, None, Options(engine="abstraction", refine=2))

    assert verdict.value is not Value.TRUE


@pytest.mark.parametrize("value", ["x + 2", "0 - x", "3 * x"])
def test_what_stays_even_is_always_even(value: str) -> None:
    system = load_text(PROGRAM % value).system
    assert system is not None
    (verdict,) = check(system, None, Options(engine="abstraction"))

    assert verdict.value is Value.TRUE


def test_fractions_that_no_variable_can_have_are_no_trouble() -> None:
    program = PROGRAM.replace("Environment.x mod 2 = 0", "(Environment.x & 3) * Environment.x < 2")
    for value in ("3 / 2", "x / 2", "(x + 1) / 2"):
        system = load_text(program % value).system
        assert system is not None
        (verdict,) = check(system, None, Options(engine="abstraction", refine=1))

        assert verdict.value is not Value.UNKNOWN
