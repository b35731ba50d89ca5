"""What is said where it is not decided whether something is used, and what cannot be asked."""

import pytest

import gnomon
from gnomon.checking.coverage import KINDS, coverage
from gnomon.checking.load import load_text
from gnomon.results.render.coverage import of_coverage, render
from gnomon.results.render.json import dumps
from tests.unit.results.schemas import validate

_AGENTS = 9
#: A guard that looks at what nine agents do: 512 joint actions.
_MANY = (
    "".join(
        f"""
Agent P{number}
  Vars: x : boolean; end Vars
  Actions = {{ a, b }};
  Protocol: Other : {{ a, b }}; end Protocol
  Evolution: x = true if {" or ".join(f"P{n}.Action = a" for n in range(_AGENTS))}; end Evolution
end Agent
"""
        for number in range(_AGENTS)
    )
    + """
InitStates !P0.x; end InitStates
Formulae AG true; end Formulae
"""
)

_TEMPLATES = """
Template Robot
  Vars: x : boolean; end Vars
  Actions = { a };
  Protocol: true : { a }; end Protocol
end Template
Evaluation bad if exists r : Robot (r.x); end Evaluation
InitStates !Robot.x; end InitStates
Formulae AG !bad; end Formulae
"""


def test_a_line_that_looks_at_too_much_is_not_decided_and_the_rest_is() -> None:
    loaded = load_text(_MANY)
    assert loaded.system is not None
    found = coverage(loaded.system, loaded.source)

    lines = found.of_kind("evolution line")
    assert all(part.unknown == 1 and "too many joint actions" in part.reason for part in lines)
    assert all(not part.unknown for part in found.parts if part.kind != "evolution line")
    page = render(found, 100).plain()
    assert "Not decided" in page
    assert "99 %" not in page


def test_what_a_line_says_of_actions_that_its_guard_excludes_is_no_line() -> None:
    text = """
    Agent P
      Vars: last : { none, a, b } = none; end Vars
      Actions = { a, b, c };
      Protocol: Other : { a, b, c }; end Protocol
      Evolution: last = if Action = a then a else b if Action in { a, b }; end Evolution
    end Agent
    """
    system = load_text(text).system
    assert system is not None

    assert len(system.agent("P").evolution) == 2


def test_the_data_keep_to_their_schema_and_the_numbers_add_up() -> None:
    loaded = load_text(_MANY)
    assert loaded.system is not None
    found = coverage(loaded.system, loaded.source)
    data = validate("coverage", dumps(of_coverage(found)))

    assert set(data["summary"]) == set(KINDS)
    for part in data["parts"]:
        assert part["of"] == part["used"] + part["never"] + part["unknown"]


def test_without_time_nothing_is_decided_and_that_is_said() -> None:
    loaded = load_text(_MANY)
    assert loaded.system is not None
    found = coverage(loaded.system, loaded.source, timeout=1e-6)

    assert all(part.unknown == part.of for part in found.parts)
    assert all(part.reason for part in found.parts)


def test_nothing_is_used_where_nothing_starts() -> None:
    model = gnomon.load_text(_MANY.replace("!P0.x", "!P0.x and P0.x"))

    found = model.coverage()

    assert all(part.used == 0 for part in found.parts)


def test_an_open_number_of_agents_is_refused() -> None:
    model = gnomon.load_text(_TEMPLATES)

    with pytest.raises(ValueError, match="with_agents"):
        model.coverage()
