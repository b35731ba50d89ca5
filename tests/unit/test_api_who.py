"""Who can and who knows, from Python."""

import json
from typing import Any

import pytest

import gnomon
from tests.support import ROOT
from tests.unit.results.schemas import validate

ROOM = str(ROOT / "examples" / "strongroom.ispl")


def test_a_loaded_model_tells_who_can() -> None:
    found = gnomon.load(ROOM).who("F open", among=["Clerk"])

    assert found.holding() == (("Clerk[1]", "Clerk[2]"),)
    assert found.failing() == (("Clerk[1]",), ("Clerk[2]",))
    assert found.open() == ()
    assert found.holds("Clerk[2]", "Clerk[1]") is True
    assert found.holds("Clerk[1]") is False
    assert found.holds() is False
    assert "who can enforce F open" in str(found)
    assert "<svg" in found._repr_html_()
    with pytest.raises(ValueError, match="not among the agents"):
        found.holds("Director")
    with pytest.raises(ValueError, match="nothing was asked about"):
        found.holding("common")


def test_a_loaded_model_tells_who_knows() -> None:
    found = gnomon.load(ROOM).who_knows("even", among=("Director", "Auditor"))

    assert found.holding() == (("Director",),)
    assert found.failing("everybody") == (("Auditor",),)
    assert found.to_dict()["when"] == "ever"
    assert validate("who", json.dumps(found.to_dict()))


def test_a_built_model_has_no_text_and_is_asked_all_the_same() -> None:
    builder = gnomon.SystemBuilder("lamp")
    room = builder.environment(actions=["wait"])
    room.otherwise("wait")
    lit = room.boolean("lit")
    hand = builder.agent("Hand", actions=["press", "rest"])
    hand.otherwise("press", "rest")
    room.evolve({lit: True}, when=hand.does("press"))
    builder.proposition("lit", lit)
    model = builder.build(initial=~lit)

    assert model.who("F lit").holding() == (("Hand",),)


def test_a_goal_that_is_none_is_refused() -> None:
    with pytest.raises(gnomon.InputError, match="is no goal"):
        gnomon.load(ROOM).who("open")


WRONG: list[dict[str, Any]] = [
    {"jobs": 0},
    {"jobs": "2"},
    {"at_most": 0},
    {"at_most": True},
    {"environment": "no"},
    {"environment": 1},
    {"evidence": "yes"},
    {"progress": "no"},
    {"report": 5},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_way_to_ask_is_refused(wrong: dict[str, Any]) -> None:
    model = gnomon.load(str(ROOT / "examples" / "strongroom.ispl"))

    with pytest.raises((ValueError, gnomon.InputError), match=next(iter(wrong))):
        model.who("F open", **wrong)


def test_when_something_is_known_is_one_of_three() -> None:
    model = gnomon.load(str(ROOT / "examples" / "strongroom.ispl"))
    sometimes: Any = "sometimes"

    with pytest.raises(ValueError, match="there are 'ever', 'always', 'initially'"):
        model.who_knows("open", sometimes)
