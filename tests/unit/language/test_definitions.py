"""Definitions and initial values: read, written out, and in words that MCMAS reads."""

import pytest

from gnomon.checking.load import load_text, read_formula
from gnomon.language.for_mcmas import in_words_of_mcmas, needs_translation
from gnomon.language.format import format_text
from gnomon.language.inline import inlined
from gnomon.language.parse import parse
from gnomon.model.expression import Defined
from gnomon.model.formula import StateCondition, walk
from gnomon.text.diagnostic import Diagnostics, InputError
from gnomon.text.source import Source

PROGRAM = """\
-- above
Definitions  -- first
  one := P.x = 1;  -- second
  both := one and !(P.Action = b);
  three := 3;
end Definitions

Agent P
  Vars:
    x : 0..3 = 0;
    y : boolean = true;
    z : { r, s };
  end Vars
  Actions = { a, b };
  Protocol:
    !one : { a, b };
    Other : { b };
  end Protocol
  Evolution:
    x = -three + 4 if both or x = 0;
  end Evolution
end Agent

Evaluation
  p if one or P.x = three;
end Evaluation

InitStates
  P.z = r or P.z = s;
end InitStates

Formulae
  AG p;
  EF one;
  EF three - 1 > P.x;
end Formulae
"""

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
  holds1 if 3 - 1 > P.x;
  one if P.x = 1;
end Evaluation

InitStates
  (P.z = r or P.z = s) and P.x = 0 and P.y = true;
end InitStates

Formulae
  AG p;
  EF one;
  EF holds1;
end Formulae
"""


def source(text: str) -> Source:
    return Source("model", text)


def translated(text: str) -> str:
    return format_text(in_words_of_mcmas(source(text)))


def test_the_formatter_keeps_definitions_and_initial_values() -> None:
    assert PROGRAM == format_text(source(PROGRAM))


def test_mcmas_gets_bodies_in_the_places_of_names() -> None:
    assert IN_WORDS == translated(PROGRAM)
    assert not needs_translation(parse(source(IN_WORDS)).program)


def test_a_start_that_says_nothing_makes_room_for_the_values() -> None:
    result = translated(PROGRAM.replace("P.z = r or P.z = s", "true"))

    assert "InitStates\n  P.x = 0 and P.y = true;\nend" in result


def test_sections_that_are_missing_are_added() -> None:
    text = PROGRAM.replace("Evaluation\n  p if one or P.x = three;\nend Evaluation\n\n", "")
    text = text.replace("InitStates\n  P.z = r or P.z = s;\nend InitStates\n\n", "")

    result = translated(text.replace("  AG p;\n", ""))

    assert "Evaluation\n  holds1 if 3 - 1 > P.x;\n  one if P.x = 1;\nend Evaluation" in result
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
        in_words_of_mcmas(source(text))


def test_a_use_inside_an_index_of_the_same_name_is_the_index() -> None:
    diagnostics = Diagnostics(source(""))
    text = "Definitions k := 1; end Definitions Evaluation p if exists k : Robot (k.x = 1); end Evaluation"
    program = parse(source(text)).program

    assert inlined(program, diagnostics).evaluation == program.evaluation


def test_all_uses_share_one_node() -> None:
    loaded = load_text(PROGRAM)
    assert loaded.system is not None
    used = [
        part.expression
        for specification in loaded.system.specifications
        for part in walk(specification.formula)
        if isinstance(part, StateCondition) and isinstance(part.expression, Defined)
    ]

    assert [True] == [node is loaded.system.definitions["one"].expression for node in used]


def test_formulae_that_are_typed_in_know_definitions() -> None:
    loaded = load_text(PROGRAM)

    assert "EF one" == read_formula(loaded, "EF one").parsed
    with pytest.raises(InputError, match="guards of `Evolution`"):
        read_formula(loaded, "EF both")


def test_ten_thousand_definitions_are_read_in_their_order() -> None:
    lines = "".join(f"g{k} := g{k - 1} and !g{k // 2} or one;" for k in range(1, 10_000))
    text = PROGRAM.replace("three := 3;", f"three := 3; g0 := one; {lines}").replace(
        "EF one", "EF g9999"
    )

    program = parse(source(text))

    assert not program.diagnostics.has_errors
    assert program.program.definitions is not None
    assert len(program.program.definitions.lines) == 10_003
