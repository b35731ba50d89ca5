"""Definitions and initial values: read, and written out."""

import pytest

from gnomon.checking.load import load_text, read_formula
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


def source(text: str) -> Source:
    return Source("model", text)


def test_the_formatter_keeps_definitions_and_initial_values() -> None:
    assert PROGRAM == format_text(source(PROGRAM))


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
