import pytest

from gnomon.checking.load import load_text

PROGRAM = """\
Constants n = 0;
Agent P
  Vars: x : {range}; end Vars
end Agent
InitStates P.x = 0; end InitStates
"""


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        ("3..0", "write `0..3`"),
        ("1..n", "give the constants in it other values"),
        ("n + 1..0", "give the constants in it other values"),
    ],
)
def test_a_range_is_turned_round_only_where_it_is_made_of_numbers(
    written: str, advice: str
) -> None:
    found = load_text(PROGRAM.format(range=written)).diagnostics

    assert [advice] == [item.help for item in found if item.code == "G0308"]
