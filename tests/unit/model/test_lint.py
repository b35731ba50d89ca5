import pytest

from gnomon.checking.load import load_text
from gnomon.model.choices import Choices
from gnomon.model.expression import Expression
from gnomon.model.occasions import Occasion, OccasionSearch

PROGRAM = """
Semantics = {semantics};
Agent P
  Vars: x : 0..3; b : boolean; c : {{ red, green }}; end Vars
  Actions = {{ go, stay }};
  Protocol: {protocol} end Protocol
  Evolution: {evolution} end Evolution
end Agent
Evaluation top if P.x = 3; end Evaluation
InitStates P.x = 0; end InitStates
Formulae EF top; end Formulae
"""


def codes(
    protocol: str = "Other : { go, stay };", evolution: str = "", semantics: str = "MA"
) -> list[str]:
    text = PROGRAM.format(protocol=protocol, evolution=evolution, semantics=semantics)
    return [item.code for item in load_text(text).diagnostics]


@pytest.mark.parametrize(
    "protocol",
    [
        "Other : { go, stay };",
        "x < 3 : { go }; x = 3 : { stay };",
        "b = true : { go }; b = false : { stay };",
        "c = red : { go }; c <> red : { stay };",
        "x = 0 or x = 1 : { go }; x = 2 or x = 3 : { stay };",
        "x <= 3 : { go, stay };",
    ],
)
def test_a_protocol_for_every_state_is_fine(protocol: str) -> None:
    assert [] == codes(protocol)


@pytest.mark.parametrize(
    "protocol",
    ["x < 3 : { go, stay };", "b = true : { go, stay };", "x = 0 : { go }; x = 2 : { stay };"],
)
def test_a_state_without_an_action_is_pointed_out(protocol: str) -> None:
    assert ["G0403"] == codes(protocol)


def test_the_state_without_an_action_is_named() -> None:
    text = PROGRAM.format(protocol="x < 2 or b : { go, stay };", evolution="", semantics="MA")
    [found] = load_text(text).diagnostics

    assert "b = false and x = 2" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "x = 1 and x = 2 : { go };",
        "x < 1 and x > 2 : { go };",
        "b = true and !b : { go };",
        "x + 1 = x : { go };",
        "false : { go };",
    ],
)
def test_a_protocol_line_that_never_applies_is_pointed_out(line: str) -> None:
    assert ["G0405"] == codes(f"{line} Other : {{ go, stay }};")


@pytest.mark.parametrize(
    "guard",
    ["x = 1 and x = 2", "Action = go and Action = stay", "x * 2 = 5", "(x - 1) / 2 = 1 and x = 2"],
)
def test_a_guard_that_never_holds_is_pointed_out(guard: str) -> None:
    assert ["G0404"] == codes(evolution=f"x = 1 if {guard};")


@pytest.mark.parametrize(
    "guard",
    [
        "x = 1",
        "Action = go and x = 2",
        "x * 2 = 4",
        "x / 2 = 1",
        "true",
        "x mod 2 = 1",
        "x & 1 = 1",
    ],
)
def test_a_guard_that_can_hold_is_fine(guard: str) -> None:
    assert set(codes(evolution=f"x = 1 if {guard};")) <= {"G0408"}


def test_actions_that_no_line_lists_are_pointed_out() -> None:
    assert ["G0406"] == codes("Other : { go };")


def test_nothing_is_said_of_what_has_too_many_cases() -> None:
    text = PROGRAM.format(
        protocol="x = 1 and y + y = z + z + 1 : { go }; Other : { go, stay };",
        evolution="",
        semantics="MA",
    ).replace("x : 0..3;", "x : 0..3; y : 0..1000000000; z : 0..1000000000;")

    assert [] == [item.code for item in load_text(text).diagnostics]


@pytest.mark.parametrize("depth", [100, 199, 240])
def test_deep_conditions_are_looked_at_or_left_alone(depth: int) -> None:
    assert set(codes(evolution=f"x = 1 if {'!' * depth}(x = 1);")) <= {"G0404"}


FAMILY = """
Constants n = {n}; end Constants
Agent Environment
  Vars: flag[i : 1..n] : boolean; end Vars
  Actions = {{ tick }};
  Protocol: Other : {{ tick }}; end Protocol
  Evolution: flag[1] = true if P[1].Action = go; end Evolution
end Agent
Agent P[i : 1..n]
  Vars: x : 0..7; y : 0..7; z : 0..7; end Vars
  Actions = {{ go, stay }};
  Protocol:
    x < y or y <= z : {{ go }};
    x > y and z > y : {{ stay }};
  end Protocol
  Evolution: x = 0 if x + y > 14 and Action = go; end Evolution
end Agent
Evaluation top if P[1].x = 3; end Evaluation
InitStates P[1].x = 0; end InitStates
Formulae EF top; end Formulae
"""


@pytest.mark.parametrize("size", [1, 7, 8, 30])
def test_a_family_is_not_looked_at_less_because_it_is_large(size: int) -> None:
    found = {item.code for item in load_text(FAMILY.format(n=size)).diagnostics}

    assert {"G0403", "G0404"} <= found


@pytest.mark.parametrize(
    ("searches", "found", "guard"),
    [
        (0, False, "x = 1 and b = true"),
        (0, False, "(x = 1 and b = true) or (x = 2 and b = false)"),
        (0, False, "x = 1 and (x = 2 or c = red)"),
        (1, True, "x = 1 and (x = 2 or x = 3)"),
        (1, True, "x = 1 and (c = red or x = 2) and c = green"),
        (1, False, "(c = red or x = 1) and c = green"),
        (1, False, "x < 3"),
    ],
)
def test_what_plainly_can_hold_is_not_searched_for(
    monkeypatch: pytest.MonkeyPatch, searches: int, found: bool, guard: str
) -> None:
    asked: list[object] = []
    first = OccasionSearch.first

    def counted(search: OccasionSearch, condition: Expression, choices: Choices) -> Occasion | None:
        asked.append(condition)
        return first(search, condition, choices)

    monkeypatch.setattr(OccasionSearch, "first", counted)

    assert found == ("G0404" in codes(evolution=f"x = 0 if {guard};"))
    assert searches == len(asked)
