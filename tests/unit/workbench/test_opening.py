"""Texts of all kinds become models, and bad ones become words."""

from pathlib import Path
from typing import Any

import pytest

from gnomon.model.budget import Budget
from gnomon.workbench.bench import Bench
from tests.benches import Asked, example, opened, populated
from tests.support import EXAMPLES

SMALL = "Agent Ant Vars: x : boolean; end Vars end Agent InitStates Ant.x = true; end InitStates"
BARE = "Agent Environment Vars: x : 3..3; end Vars end Agent Agent Ant end Agent "
BARE += "InitStates true; end InitStates"

FAIR = """
Agent Ant
  Vars: x : 0..1; end Vars
  Actions = {go, stay};
  Protocol: Other : {go, stay}; end Protocol
  Evolution: x = 1 - x if Action = go; end Evolution
end Agent
Evaluation p if Ant.x = 1; end Evaluation
InitStates Ant.x = 0; end InitStates
Fairness Ant.Action = go; end Fairness
Formulae EF p; end Formulae
"""


def card(asked: Asked, name: str) -> dict[str, Any]:
    return next(each for each in asked.opened["agents"] if each["name"] == name)


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.rglob("*.ispl")), ids=lambda path: path.relative_to(EXAMPLES).as_posix()
)
def test_every_example_opens(path: Path) -> None:
    asked = example(path.relative_to(EXAMPLES).as_posix())
    found = asked.opened
    lines = len(path.read_text(encoding="utf-8").splitlines())

    assert not found["has_errors"]
    assert found["can_walk"] == (found["kind"] != "parameterised")
    assert bool(found["templates"]) == (found["kind"] == "parameterised")
    assert found["agents"]
    for agent in found["agents"]:
        assert 1 <= agent["line"] < agent["end_line"] <= lines
        for part in (*agent["variables"], *agent["protocol"], *agent["evolution"]):
            assert part["line"] is None or agent["line"] <= part["line"] <= agent["end_line"]
    for formula in found["formulae"]:
        assert 1 <= formula["line"] <= formula["end_line"] <= lines
        assert formula["key"]
        assert formula["reading"]
    assert all(each["line"] for each in found["propositions"])


def test_an_agent_has_all_that_it_is_made_of() -> None:
    player = card(example("blind_guess.ispl"), "Player")

    assert ["colour", "result"] == player["sees"]
    assert {"condition": "Other", "actions": ["wait"], "line": 42} in player["protocol"]
    assert "wait" in player["actions"]
    assert not player["template"]


def test_copies_of_a_family_stand_where_the_family_does() -> None:
    asked = example("dining_philosophers.ispl", n=4)

    assert [{"name": "n", "value": 4}] == asked.opened["constants"]
    assert [(16, 31)] * 4 + [(34, 47)] * 4 == [
        (each["line"], each["end_line"]) for each in asked.opened["agents"]
    ]
    assert asked.opened["interleaved"]


def test_templates_have_their_lines_as_they_are_written() -> None:
    asked = example("parameterised/rooms.ispl")
    robot = card(asked, "Robot")

    assert robot["template"]
    assert {
        "condition": "room = start and Corridor(start, A)",
        "actions": ["enter_A"],
        "line": 40,
    } == robot["protocol"][0]
    assert {"text": "room = A if Action = enter_A", "line": 47} == robot["evolution"][0]
    assert [{"name": "Robot", "low": 0, "high": None}] == asked.opened["templates"]
    assert None is asked.opened["population"]


def test_a_population_is_a_model_that_can_be_walked_through() -> None:
    asked = example("parameterised/rooms.ispl")
    three = populated(asked, Robot=3)

    assert {"Robot": 3} == three.opened["population"]
    assert three.opened["can_walk"]
    assert "parameterised" == three.opened["kind"]
    assert ["Environment", "Robot1", "Robot2", "Robot3"] == [
        a["name"] for a in three.opened["agents"]
    ]
    assert card(asked, "Robot")["line"] == card(three, "Robot2")["line"]
    assert asked.model != three.model
    assert three.model == populated(asked, Robot=3).model
    assert three.model == populated(three, Robot=3).model


def test_what_is_asked_of_a_population_can_be_asked_again() -> None:
    two = populated(example("parameterised/rooms.ispl"), Robot=2)
    start = two.first()

    assert two.opened["formulae"]
    for formula in two.opened["formulae"]:
        assert two.ask("run/evaluate", state=start, formula=formula["text"])["value"] != ""


def test_a_template_may_have_nobody() -> None:
    found = populated(example("parameterised/rooms.ispl"), Robot=0).opened

    assert (["Environment"], True) == ([a["name"] for a in found["agents"]], found["can_walk"])


# What a model is known by


def test_the_name_is_no_part_of_what_a_text_says() -> None:
    one, two = opened(SMALL, "one.ispl"), opened(SMALL, "two.ispl")

    assert one.model == two.model
    assert ("one.ispl", "two.ispl") == (one.opened["name"], two.opened["name"])


def test_a_text_under_another_name_has_that_name() -> None:
    bench = Bench()
    names = [
        Asked("", bench).ask("model/open", text=SMALL, name=name, constants={})["name"]
        for name in ("a", "b", "a")
    ]

    assert ["a", "b", "a"] == names


def test_constants_are_part_of_what_a_text_says() -> None:
    names = {example("nim.ispl").model, example("dining_philosophers.ispl").model}
    names |= {example("dining_philosophers.ispl", n=number).model for number in (2, 3)}

    assert 4 == len(names)


def test_a_key_changes_with_what_a_verdict_depends_on() -> None:
    one = opened(FAIR).opened["formulae"][0]["key"]

    assert one == opened(f"-- a word\n{FAIR}").opened["formulae"][0]["key"]
    assert one != opened(FAIR.replace("Ant.x = 0;", "Ant.x = 1;")).opened["formulae"][0]["key"]
    assert one != opened(FAIR.replace("EF p", "AG p")).opened["formulae"][0]["key"]


def test_a_key_depends_on_how_many_there_are() -> None:
    asked = example("parameterised/rooms.ispl")
    keys = {populated(asked, Robot=n).opened["formulae"][0]["key"] for n in (1, 2)}
    keys.add(asked.opened["formulae"][0]["key"])

    assert 3 == len(keys)


# Special models


def test_there_may_be_hardly_anything() -> None:
    found = opened(BARE).opened

    assert ["Environment", "Ant"] == [each["name"] for each in found["agents"]]
    assert "3..3" == found["agents"][0]["variables"][0]["domain"]
    assert ([], []) == (found["formulae"], found["propositions"])


def test_nobody_is_added_whom_the_text_does_not_name() -> None:
    assert ["Ant"] == [each["name"] for each in opened(FAIR).opened["agents"]]


def test_large_numbers_are_texts_of_digits() -> None:
    text = "Constants n = 1; end Constants Agent Ant Vars: x : int; end Vars end Agent "
    text += "InitStates Ant.x = n; end InitStates"
    bench = Bench()
    constants = {"n": "1" + "0" * 30}
    found = Asked("", bench).ask("model/open", text=text, name="x", constants=constants)

    assert [{"name": "n", "value": "1" + "0" * 30}] == found["constants"]


@pytest.mark.parametrize(
    "text", ["", "Agent", "Agent Ant Vars: x : nowhere; end Vars end Agent", "\0"]
)
def test_a_text_with_mistakes_has_diagnostics_and_nothing_else(text: str) -> None:
    asked = opened(text)
    found = asked.opened

    assert found["has_errors"]
    assert any(each["severity"] == "error" for each in found["diagnostics"])
    assert [] == found["agents"] == found["formulae"] == found["propositions"]
    assert not found["can_walk"]
    assert "unable" == asked.failure("model/populate", population={})[0]
    assert "unable" == asked.failure("model/graph", fold="none")[0]
    assert "unable" == asked.failure("model/reads")[0]


def test_names_that_are_markup_are_names() -> None:
    asked = opened(SMALL, "<img src=x onerror=alert(1)>.ispl")

    assert "<img src=x onerror=alert(1)>.ispl" == asked.opened["name"]


def test_long_conditions_are_cut() -> None:
    long = " or ".join(f"x = {number}" for number in range(3_000))
    text = f"Agent Ant Vars: x : 0..3000; end Vars Actions = {{a}}; Protocol: {long} : {{a}}; "
    text += "Other : {a}; end Protocol end Agent InitStates Ant.x = 1; end InitStates"

    assert "…" == opened(text).opened["agents"][0]["protocol"][0]["condition"]


def test_many_lines_are_counted() -> None:
    lines = "".join(f"x = {number} : {{a}}; " for number in range(7_000))
    text = f"Agent Ant Vars: x : 0..7000; end Vars Actions = {{a}}; Protocol: {lines} "
    text += "Other : {a}; end Protocol end Agent InitStates Ant.x = 1; end InitStates"
    protocol = opened(text).opened["agents"][0]["protocol"]

    assert "more lines" in protocol[-1]["condition"]
    assert len(protocol) < 7_000


# Bad requests


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"text": 1, "name": "x", "constants": {}},
        {"text": "", "name": None, "constants": {}},
        {"text": "", "name": ["x"], "constants": {}},
        {"text": "", "name": "x" * 5_000, "constants": {}},
        {"text": "", "name": "x", "constants": []},
        {"text": "", "name": "x", "constants": {"n": 1.5}},
        {"text": "", "name": "x", "constants": {"n": True}},
        {"text": "", "name": "x", "constants": {"n": "1_0"}},
        {"text": "", "name": "x", "constants": {"n": None}},
        {"text": "", "name": "x", "constants": {"n": "9" * 5_000}},
    ],
)
def test_bad_parameters_are_refused(params: dict[str, Any]) -> None:
    assert "bad-request" == Asked("", Bench()).failure("model/open", **params)[0]


@pytest.mark.parametrize(
    ("population", "kind"),
    [
        ({"Robot": "two"}, "bad-request"),
        ({"Robot": True}, "bad-request"),
        ([], "bad-request"),
        ({"Robot": -1}, "unable"),
        ({"Robot": 10**30}, "unable"),
        ({"Nobody": 1}, "unable"),
    ],
)
def test_bad_populations_are_refused(population: Any, kind: str) -> None:
    asked = example("parameterised/rooms.ispl")

    assert kind == asked.failure("model/populate", population=population)[0]


def test_a_model_that_is_not_open_is_unknown() -> None:
    asked = Asked("nobody", Bench())

    for method in ("model/populate", "model/graph", "model/reads", "export/page"):
        assert "unknown-model" == asked.failure(method, population={}, fold="none")[0]


def test_reading_ends_with_the_budget() -> None:
    asked = Asked("", Bench(Budget()))
    text = (EXAMPLES / "games" / "bridge.ispl").read_text(encoding="utf-8")
    found = asked.send("model/open", seconds=0.0001, text=text, name="x", constants={})

    assert "limit" == found["error"]["data"]["kind"]


def test_a_line_that_stands_for_many_is_told_as_it_is_written() -> None:
    changes = card(example("nim.ispl"), "Environment")["evolution"]
    written = (EXAMPLES / "nim.ispl").read_text(encoding="utf-8").splitlines()

    assert len({each["line"] for each in changes}) == len(changes)
    assert all(
        each["text"].startswith(written[each["line"] - 1].split("=")[0].strip()) for each in changes
    )
