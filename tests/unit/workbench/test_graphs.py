"""Pictures of models as data: boxes with their states, arrows with their paths, and words about the rest."""

import re
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from gnomon.model.budget import Budget
from gnomon.results.drawing.diagram import BoxDiagram, DiagramEdge, DiagramNode, LabelLine
from gnomon.workbench.drawing_data import (
    NOTHING_KNOWN,
    BoxFacts,
    counted,
    drawing_data,
    picture_text,
)
from gnomon.workbench.failure import RequestFailed
from tests.benches import Asked, example, opened, populated

#: More than can be listed: four local states of fourteen agents.
MANY = """
Agent Cell[i : 1..14]
  Vars: x : 0..3; end Vars
  Actions = {go, stay};
  Protocol: Other : {go, stay}; end Protocol
  Evolution: x = x + 1 if x < 3 and Action = go; x = 0 if x = 3 and Action = stay; end Evolution
end Agent
Evaluation full[i : 1..14] if Cell[i].x = 3; end Evaluation
InitStates forall i : 1..14 (Cell[i].x = 0); end InitStates
Formulae EF full[1]; end Formulae
"""

#: From everywhere to everywhere.
ANYWHERE = """
Agent Flea
  Vars: x : 0..60; end Vars
  Actions = {jump[i : 0..60]};
  Protocol: Other : {jump[i : 0..60]}; end Protocol
  Evolution: for i : 0..60: x = i if Action = jump[i]; end for end Evolution
end Agent
InitStates Flea.x = 0; end InitStates
"""

COUNTER = """
Agent Counter
  Vars: n : int; end Vars
  Actions = {up, stay};
  Protocol: Other : {up, stay}; end Protocol
  Evolution: n = n * n * n if Action = up; end Evolution
end Agent
Evaluation large if Counter.n > 100; end Evaluation
InitStates Counter.n = 10; end InitStates
Formulae EF large; end Formulae
"""

STUCK = """
Agent Ant
  Vars: x : 0..1; end Vars
  Actions = {go};
  Protocol: x = 0 : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
InitStates Ant.x = 0; end InitStates
"""

NOWHERE = STUCK.replace("InitStates Ant.x = 0", "InitStates Ant.x = 0 and Ant.x = 1")
STILL = "Agent Ant end Agent InitStates true; end InitStates"

ODD = """
Agent Environment
  Vars: y : boolean; hidden : boolean; end Vars
end Agent
Agent Ant
  Lobsvars = {hidden};
  Vars: x : boolean; end Vars
  Actions = {go, stay};
  Protocol: Environment.hidden = true : {go}; Other : {stay}; end Protocol
  Evolution: x = true if Bee.Action = buzz; end Evolution
end Agent
Agent Bee
  Lobsvars = {y};
  Vars: z : boolean; end Vars
  Actions = {buzz};
  Protocol: Other : {buzz}; end Protocol
end Agent
InitStates true; end InitStates
"""


def drawing(asked: Asked, **params: Any) -> dict[str, Any]:
    found: dict[str, Any] = asked.ask("model/graph", **params)["drawing"]
    return found


def test_a_picture_has_all_that_is_in_the_contract() -> None:
    found = example("bit_transmission.ispl").ask("model/graph", fold="none", watching=["Sender"])
    picture = found["drawing"]

    assert (18, True) == (found["states"], found["complete"])
    assert {"drawing", "states", "complete", "seconds"} == set(found)
    assert {"title", "width", "height", "boxes", "arrows", "links", "notes", "cut"} == set(picture)
    assert list(range(18)) == [box["number"] for box in picture["boxes"]]
    assert 2 == sum(box["initial"] for box in picture["boxes"])
    assert picture["links"]
    assert all(["Sender"] == link["agents"] for link in picture["links"])
    for box in picture["boxes"]:
        assert {"Environment", "Sender", "Receiver"} == set(box["state"])
        assert (1, "") == (box["states"], box["name"])
        assert 0 <= box["x"] <= box["x"] + box["width"] <= picture["width"] + 0.2
        assert 0 <= box["y"] <= box["y"] + box["height"] <= picture["height"] + 0.2


def test_an_arrow_is_one_path_from_box_to_box() -> None:
    picture = drawing(example("games/simple_voting.ispl"), fold="none")
    boxes = picture["boxes"]

    for arrow in picture["arrows"]:
        assert re.fullmatch(r"M[-\d. ]+( [LC][-\d. ]+)+", arrow["path"])
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", arrow["path"])]
        for number, (x, y) in (
            (arrow["source"], numbers[:2]),
            (arrow["target"], numbers[-2:]),
        ):
            box = boxes[number]
            assert box["x"] - 0.3 <= x <= box["x"] + box["width"] + 0.3
            assert box["y"] - 0.3 <= y <= box["y"] + box["height"] + 0.3


def test_a_box_says_how_many_states_it_stands_for() -> None:
    picture = drawing(example("bit_transmission.ispl"), fold="agents", agents=["Receiver"])

    assert [4, 7, 7] == [box["states"] for box in picture["boxes"]]
    assert "0 (4 states)" == picture["boxes"][0]["title"]


def test_boxes_tell_only_what_all_their_states_have() -> None:
    picture = drawing(example("bit_transmission.ispl"), fold="view", agent="Receiver")

    assert ["Receiver: got=nothing", "⊨ zero?, one?"] == picture["boxes"][0]["lines"]
    assert any("look the same to Receiver" in note for note in picture["notes"])
    assert any("in some of the states" in note for note in picture["notes"])


def test_what_is_the_same_near_a_state_may_be_different_elsewhere() -> None:
    asked = example("card_game.ispl")
    state = drawing(asked, fold="none", limit=5)["boxes"][3]["state"]
    notes = drawing(asked, fold="distance", state=state, radius=1)["notes"]

    assert any(note.startswith("in all states shown: ") for note in notes)
    assert any("at most 1 step from state 0" in note for note in notes)


def test_a_cut_picture_says_so() -> None:
    found = example("card_game.ispl").ask("model/graph", fold="none", limit=10)

    assert (10, False, True) == (found["states"], found["complete"], found["drawing"]["cut"])
    assert "cut after 10 states: there are more" in found["drawing"]["notes"]


def test_folded_pictures_are_cut_by_boxes() -> None:
    found = example("card_game.ispl").ask("model/graph", fold="view", agent="Player[1]", limit=7)
    picture = found["drawing"]

    assert (675, False, 7) == (found["states"], found["complete"], len(picture["boxes"]))
    assert any("there are more than 7 boxes" in note for note in picture["notes"])


def test_no_picture_has_more_boxes_than_can_be_looked_at() -> None:
    assert 500 == len(drawing(example("card_game.ispl"), fold="none", limit=10**6)["boxes"])


def test_a_picture_with_too_many_arrows_is_one_of_fewer_boxes() -> None:
    found = opened(ANYWHERE).ask("model/graph", fold="none")
    picture = found["drawing"]

    assert (61, False) == (found["states"], found["complete"])
    assert 54**2 == len(picture["arrows"])
    assert any("more than 54 boxes there are more than 3,000 arrows" in n for n in picture["notes"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("params", "boxes"),
    [
        ({"fold": "agents", "agents": ["Cell[1]", "Cell[2]"]}, 16),
        ({"fold": "propositions", "propositions": ["full[1]", "full[2]"]}, 4),
        ({"fold": "view", "agent": "Cell[3]"}, 4),
        ({"fold": "bisimulation", "propositions": ["full[1]"]}, 4),
    ],
)
def test_what_cannot_be_listed_is_folded_on_sets(params: dict[str, Any], boxes: int) -> None:
    found = opened(MANY).ask("model/graph", **params)
    picture = found["drawing"]

    assert (4**14, True, boxes) == (found["states"], found["complete"], len(picture["boxes"]))
    assert 4**14 == sum(box["states"] for box in picture["boxes"])
    assert any("found on sets of states" in note for note in picture["notes"])


def test_unbounded_models_are_drawn_as_far_as_they_are_listed() -> None:
    found = example("unbounded/ticket_lock.ispl").ask("model/graph", fold="none", limit=30)

    assert (30, False) == (found["states"], found["complete"])


def test_a_model_that_begins_anywhere_has_a_picture_of_where_it_begins_with_small_numbers() -> None:
    asked = example("unbounded/auction.ispl")
    found = asked.ask("model/graph", fold="bisimulation")
    near = asked.ask("model/graph", fold="distance", state=asked.first(), radius=1)

    assert found["drawing"]["boxes"] and not found["complete"]
    assert "unbounded" in found["drawing"]["notes"][0]
    assert near["drawing"]["boxes"][0]["initial"]


def test_large_numbers_are_whole() -> None:
    picture = drawing(opened(COUNTER), fold="none", limit=5)

    assert {"Counter": {"n": "1" + "0" * 27}} == picture["boxes"][3]["state"]
    assert drawing(opened(COUNTER), fold="distance", state=picture["boxes"][3]["state"])["boxes"]


def test_numbers_that_nobody_can_read_are_not_drawn() -> None:
    picture = drawing(opened(COUNTER), fold="none", limit=100)

    assert any("more than 30,000 digits" in note for note in picture["notes"])


def test_populations_are_drawn() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=3)
    found = asked.ask("model/graph", fold="agents", agents=["Process1"])

    assert found["complete"]
    assert 3 == len(found["drawing"]["boxes"])


@pytest.mark.parametrize("text", [STUCK, NOWHERE, STILL, ODD])
@pytest.mark.parametrize("fold", ["none", "propositions", "bisimulation", "view", "agents"])
def test_odd_models_have_pictures(text: str, fold: str) -> None:
    picture = drawing(opened(text), fold=fold, agent="Ant", agents=["Ant"], watching=["Ant"])

    assert ("there is no initial state" in picture["notes"]) == (text is NOWHERE)
    assert bool(picture["boxes"]) == (text is not NOWHERE)
    if text is STUCK and fold != "propositions":  # there are none, and so there is one box
        assert ["plain", "stuck"] == [box["kind"] for box in picture["boxes"]]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"fold": "sideways"},
        {"fold": 3},
        {"fold": "none", "limit": -1},
        {"fold": "none", "limit": "many"},
        {"fold": "none", "limit": True},
        {"fold": "none", "watching": "Ant"},
        {"fold": "none", "watching": ["Nobody"]},
        {"fold": "none", "watching": [1]},
        {"fold": "agents"},
        {"fold": "agents", "agents": []},
        {"fold": "agents", "agents": ["Nobody"]},
        {"fold": "propositions", "propositions": ["nothing"]},
        {"fold": "propositions", "propositions": {"p": 1}},
        {"fold": "bisimulation", "propositions": [None]},
        {"fold": "view"},
        {"fold": "view", "agent": "Nobody"},
        {"fold": "view", "agent": ["Ant"]},
        {"fold": "distance"},
        {"fold": "distance", "state": "here"},
        {"fold": "distance", "state": {"Ant": {"x": 7}}},
        {"fold": "distance", "state": {"Ant": {"x": 0}}, "radius": -1},
        {"fold": "distance", "state": {"Ant": {"x": 0}}, "radius": 10**6},
        {"fold": "distance", "state": {"Ant": {"x": 0}}, "radius": "far"},
    ],
)
def test_bad_parameters_are_refused(params: dict[str, Any]) -> None:
    assert "bad-request" == opened(STUCK).failure("model/graph", **params)[0]


def test_templates_are_populated_first() -> None:
    asked = example("parameterised/rooms.ispl")

    assert "unable" == asked.failure("model/graph", fold="none")[0]


def test_a_picture_ends_with_the_budget() -> None:
    found = opened(MANY).send("model/graph", seconds=0.2, fold="none", limit=500)

    assert "error" not in found or "limit" == found["error"]["data"]["kind"]


# Who reads whom


def reads(asked: Asked) -> dict[tuple[str, str], str]:
    picture = asked.ask("model/reads")["drawing"]
    names = [box["name"] for box in picture["boxes"]]
    return {(names[a["source"]], names[a["target"]]): a["full"] for a in picture["arrows"]}


def test_arrows_say_what_is_read_seen_and_heard() -> None:
    assert {
        ("Ant", "Environment"): "reads hidden",
        ("Ant", "Bee"): "hears buzz",
        ("Bee", "Environment"): "sees y",
    } == reads(opened(ODD))


def test_who_moves_together_is_joined() -> None:
    found = reads(example("dining_philosophers.ispl"))

    assert "with left[1], down[1]" == found["Philosopher[1]", "Fork[1]"]
    assert ("Fork[1]", "Philosopher[1]") not in found


def test_templates_read_before_there_is_anybody() -> None:
    asked = example("parameterised/rooms.ispl")
    two = populated(asked, Robot=2)

    assert {("Robot", "Environment")} == set(reads(asked))
    assert "reads security, armed" in reads(asked)["Robot", "Environment"]
    assert ("Robot2", "Environment") in reads(two)


def test_agents_that_look_at_nobody_say_so() -> None:
    picture = opened(STUCK).ask("model/reads")["drawing"]

    assert ["Ant"] == [box["name"] for box in picture["boxes"]]
    assert ["nobody looks at anybody else"] == picture["notes"]


def test_forty_agents_that_all_read_each_other_are_drawn_at_once() -> None:
    text = """
Agent Cell[i : 1..40]
  Vars: x : boolean; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = true if exists j : 1..40 where j <> i (Cell[j].Action = go); end Evolution
end Agent
InitStates Cell[1].x = true; end InitStates
"""
    asked = opened(text)
    started = time.process_time()
    picture = asked.ask("model/reads")["drawing"]

    assert (40, 40 * 39) == (len(picture["boxes"]), len(picture["arrows"]))
    assert "1,560 arrows: what is read is left out here" in picture["notes"]
    assert "hears go" == picture["arrows"][0]["full"]
    assert time.process_time() - started < 20


# Any diagram


def data(diagram: BoxDiagram, facts: Mapping[int, BoxFacts] = NOTHING_KNOWN) -> Any:
    return drawing_data(diagram, Budget(), facts)


def some_diagram(word: str = "<b>&\"'") -> BoxDiagram:
    nodes = (DiagramNode(0, word, (word,), initial=True), DiagramNode(1, "1"))
    edges = (DiagramEdge(0, 1, (LabelLine(word, True),), word), DiagramEdge(1, 1))
    return BoxDiagram(word, nodes, edges, (word,))


def test_facts_about_boxes_are_told() -> None:
    facts = {0: BoxFacts({"A": {}}, 3, "group", initial=False)}
    found = data(some_diagram(), facts)

    assert [False, False] == [box["initial"] for box in found["boxes"]]
    assert [("group", 3), ("", 0)] == [(box["name"], box["states"]) for box in found["boxes"]]
    assert [{"text": "<b>&\"'", "chosen": True}] == found["arrows"][0]["label"]["lines"]
    assert found["arrows"][1]["label"] is None


def test_what_is_hidden_becomes_visible() -> None:
    found = data(some_diagram("a\u202eb\x1b"))

    assert "a\\u202eb\\x1b" == found["title"] == found["boxes"][0]["title"] == found["notes"][0]


def test_nothing_can_be_drawn() -> None:
    found = data(BoxDiagram("", ()))

    assert ([], [], 0.0) == (found["boxes"], found["arrows"], found["width"])


@pytest.mark.parametrize("number", [0, 5, 2**53, 10**299, 10**4000])
def test_numbers_of_states_are_numbers_for_a_browser(number: int) -> None:
    assert counted(number) == pytest.approx(min(number, 10**300))


def test_other_formats_are_refused() -> None:
    with pytest.raises(RequestFailed):
        picture_text(some_diagram(), "png", Budget())


def test_four_hundred_boxes_have_their_places_at_once() -> None:
    nodes = tuple(DiagramNode(n, str(n), ("x=1 y=2", "z=3"), initial=n == 0) for n in range(400))
    ends = [(n, (3 * n + k) % 400) for n in range(400) for k in range(3)]
    edges = tuple(DiagramEdge(a, b, (LabelLine("go, wait"),)) for a, b in ends)
    started = time.process_time()
    found = data(BoxDiagram("", nodes, edges))

    assert 1_200 == len(found["arrows"])
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "fold",
    [
        {"fold": "none"},
        {"fold": "agents", "agents": ["Sender"]},
        {"fold": "propositions", "propositions": ["received"]},
        {"fold": "view", "agent": "Receiver"},
        {"fold": "bisimulation", "propositions": ["received"]},
    ],
    ids=lambda fold: fold["fold"],
)
def test_every_state_is_in_a_box_and_that_of_a_box_in_it(fold: dict[str, Any]) -> None:
    asked = example("bit_transmission.ispl")
    boxes = asked.ask("model/graph", **fold)["drawing"]["boxes"]
    states = [box["state"] for box in asked.ask("model/graph", fold="none")["drawing"]["boxes"]]
    found = asked.ask("model/boxes", **fold, states=states)["boxes"]

    assert {box["number"]: box["states"] for box in boxes} == Counter(found)
    assert [box["number"] for box in boxes] == asked.ask(
        "model/boxes", **fold, states=[box["state"] for box in boxes]
    )["boxes"]


def test_states_of_boxes_that_were_found_on_sets_are_known_by_what_they_have_in_common() -> None:
    asked = example("dining_cryptographers.ispl", n=12)
    fold: dict[str, Any] = {"fold": "view", "agent": "Cryptographer[1]"}
    boxes = asked.ask("model/graph", **fold)["drawing"]["boxes"]
    steps = asked.ask("run/random", state=boxes[0]["state"], steps=3, seed=1)["steps"]
    found = asked.ask("model/boxes", **fold, states=[step["state"] for step in steps])["boxes"]

    assert None not in found
    assert found[-1] != 0
