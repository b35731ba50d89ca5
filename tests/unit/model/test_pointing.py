"""Numbers that are only names, and those that are numbers."""

import pytest

from gnomon.model.pointing import pointing_variables
from gnomon.model.symmetry import symmetries
from tests.counted import loaded

PROGRAM = """
Agent Environment
  Vars: who : 0..3; other : 0..3; end Vars
  Actions = {{pick1, pick2, pick3}};
  Protocol: Other : {{pick1, pick2, pick3}}; end Protocol
  Evolution:
    who = 1 if Action = pick1; who = 2 if Action = pick2; who = 3 if Action = pick3;
    {more}
  end Evolution
end Agent
Agent P1 Vars: x : boolean; end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol
  Evolution: x = true if Environment.Action = pick1; end Evolution end Agent
Agent P2 Vars: x : boolean; end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol
  Evolution: x = true if Environment.Action = pick2; end Evolution end Agent
Agent P3 Vars: x : boolean; end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol
  Evolution: x = true if Environment.Action = pick3; end Evolution end Agent
InitStates
  Environment.who = 0 and Environment.other = 0 and P1.x = false and P2.x = false and P3.x = false;
end InitStates
Formulae EF P1.x = true; end Formulae
"""


@pytest.mark.parametrize(
    ("more", "points"),
    [
        ("", True),
        ("other = 3 if who <> 0 and other = 0;", True),
        ("other = 1 if who = 2;", True),
        ("other = 1 if who > 2;", False),
        ("other = who if Action = pick1;", False),
        ("who = who + 1 if Action = pick1;", False),
        ("other = 1 if who + 1 = 2;", False),
        ("other = 1 if who = other;", False),
    ],
)
def test_what_is_calculated_with_is_no_name(more: str, points: bool) -> None:
    found = {read.variable for read in pointing_variables(loaded(PROGRAM.format(more=more)))}

    assert ("who" in found) == points


@pytest.mark.parametrize(
    ("more", "alike"),
    [
        ("", [3]),
        ("other = 1 if who <> 0;", [2]),
        ("other = 1 if who = 2;", []),
        ("other = 0 if who <> 0;", [3]),
        ("other = 1 if who > 2;", []),
    ],
)
def test_whoever_is_named_by_a_number_is_renamed_with_it(more: str, alike: list[int]) -> None:
    found = symmetries(loaded(PROGRAM.format(more=more)))

    assert [len(each.family.numbers) for each in found if not each.ring] == alike
