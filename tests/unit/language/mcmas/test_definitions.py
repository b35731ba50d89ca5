"""Definitions and initial values in words that MCMAS reads."""

import pytest

from gnomon.language.mcmas.definitions import has_definitions
from gnomon.language.parse import parse
from gnomon.results.export.mcmas_text import in_mcmas_words
from gnomon.text.diagnostic import InputError
from tests.unit.language.test_definitions import PROGRAM, source

IN_WORDS = """\
-- above

-- first
-- second

Agent P
  Vars:
    x : 0..3;
    y : boolean;
    z : { r, s };
  end Vars
  Actions = { a, b };
  Protocol:
    !(P.x = 1) : { a, b };
    Other : { b };
  end Protocol
  Evolution:
    x = -3 + 4 if ((P.x = 1) and !(P.Action = b)) or x = 0;
  end Evolution
end Agent

Evaluation
  p if (P.x = 1) or P.x = 3;
  condition1 if 3 - 1 > P.x;
  one if P.x = 1;
end Evaluation

InitStates
  (P.z = r or P.z = s) and P.x = 0 and P.y = true;
end InitStates

Formulae
  AG p;
  EF one;
  EF condition1;
end Formulae
"""


def translated(text: str) -> str:
    words = in_mcmas_words(source(text))
    assert words is not None
    return words


def test_mcmas_gets_bodies_in_the_places_of_names() -> None:
    assert IN_WORDS == translated(PROGRAM)
    assert not has_definitions(parse(source(IN_WORDS)).program)


def test_a_start_that_says_nothing_makes_room_for_the_values() -> None:
    result = translated(PROGRAM.replace("P.z = r or P.z = s", "true"))

    assert "InitStates\n  P.x = 0 and P.y = true;\nend" in result


def test_sections_that_are_missing_are_added() -> None:
    text = PROGRAM.replace("Evaluation\n  p if one or P.x = three;\nend Evaluation\n\n", "")
    text = text.replace("InitStates\n  P.z = r or P.z = s;\nend InitStates\n\n", "")

    result = translated(text.replace("  AG p;\n", ""))

    assert "Evaluation\n  condition1 if 3 - 1 > P.x;\n  one if P.x = 1;\nend Evaluation" in result
    assert "InitStates\n  P.x = 0 and P.y = true;\nend InitStates" in result


def test_families_of_definitions_stay_as_they_are() -> None:
    text = PROGRAM.replace("three := 3;", "three := 3; more[i : 1..2] := P.x = i;")

    assert "Definitions" in translated(text)


def test_what_would_become_too_large_is_not_written_out() -> None:
    lines = "".join(f"g{k} := g{k - 1} and g{k - 1};" for k in range(1, 40))
    text = PROGRAM.replace("three := 3;", f"three := 3; g0 := one; {lines}").replace(
        "EF one", "EF g39"
    )

    with pytest.raises(InputError, match="written out, the definitions have more than"):
        in_mcmas_words(source(text))


def test_definitions_stay_where_a_formula_compares_one_under_an_index() -> None:
    text = PROGRAM.replace("EF three - 1 > P.x", "forall i : 1..2 (EF P.x = three - i)")

    assert "forall i : 1..2 (EF P.x = three - i)" in translated(text)
    assert "Definitions" in translated(text)
