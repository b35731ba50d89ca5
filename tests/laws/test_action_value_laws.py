"""Values that look at actions, beside lines whose guards do: whatever the semantics, they say the same."""

from random import Random

import pytest
from hypothesis import given

from gnomon.checking.load import load_text
from gnomon.model import step
from gnomon.model.system import System
from tests.oracle import Oracle
from tests.systems import examples, seeds

_ACTIONS = {"Environment": ("a", "e"), "P": ("a", "b", "p"), "Q": ("a", "b", "q")}
_PROGRAM = """
Semantics = {semantics};

Definitions
  met := P.Action = b and Q.Action = b;
end Definitions

Agent Environment
  Actions = {{ a, e }};
end Agent

Agent P
  Vars:
    x : boolean;
    k : 0..2;
  end Vars
  Actions = {{ a, b, p }};
  Protocol:
    x = true : {{ a, p }};
    Other : {{ a, b, p }};
  end Protocol
  Evolution:
{lines}
  end Evolution
end Agent

Agent Q
  Actions = {{ a, b, q }};
  Protocol:
    Other : {{ a, b, q }};
  end Protocol
end Agent
"""


def _condition(rng: Random, depth: int) -> str:
    if depth and rng.random() < 0.7:
        operator = rng.choice(("and", "or", "xor", "<->", "->"))
        return f"({_condition(rng, depth - 1)} {operator} {_condition(rng, depth - 1)})"
    if rng.random() < 0.2:
        return rng.choice(("met", "x", "k > 0"))
    agent = rng.choice(tuple(_ACTIONS))
    written = "Action" if agent == "P" else f"{agent}.Action"
    return f"{written} {rng.choice(('=', '<>'))} {rng.choice(_ACTIONS[agent])}"


def _system(semantics: str, lines: list[str]) -> System:
    text = _PROGRAM.format(semantics=semantics, lines="\n".join(lines))
    model = load_text(text + "InitStates true; end InitStates").model
    assert isinstance(model, System)
    return model


@pytest.mark.parametrize("semantics", ["MultiAssignment", "SingleAssignment", "Interleaved"])
@given(seed=seeds)
@examples(12)
def test_a_value_is_a_line_for_each_answer(semantics: str, seed: int) -> None:
    rng = Random(seed)
    guard, asked = _condition(rng, 1), _condition(rng, 2)
    valued, guarded = rng.choice((
        (f"x = ({asked})", ("x = true", "x = false")),
        (f"k = k + number({asked})", ("k = k + 1", "k = k")),
        (f"k = if {asked} then 2 else 0", ("k = 2", "k = 0")),
    ))  # fmt: skip
    found = _system(semantics, [f"{valued} if {guard};"])
    expected = _system(
        semantics,
        [
            f"{guarded[0]} if ({guard}) and ({asked});",
            f"{guarded[1]} if ({guard}) and !({asked});",
        ],
    )
    for state in Oracle(expected).everything():
        assert step.successors(found, state) == step.successors(expected, state)
