"""The register of the gallery is complete and true, and its pages and pictures can be made."""

import shlex
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gnomon
from gnomon.checking.load import load as load_file
from gnomon.interfaces.cli.lazy_group import module_name
from gnomon.interfaces.cli.main import COMMANDS
from tests.support import EXAMPLES, ROOT

sys.path.append(str(ROOT / "docs" / "_ext"))

from gnomon_gallery import pages, pictures

REGISTER = tomllib.loads((EXAMPLES / "gallery.toml").read_text(encoding="utf-8"))
TOPICS: list[dict[str, str]] = REGISTER["topic"]
MODELS: list[dict[str, Any]] = REGISTER["model"]
each_model = pytest.mark.parametrize("model", MODELS, ids=[model["file"] for model in MODELS])

WANTED = {"file", "title", "topic", "tags", "teaches", "origin", "try", "picture"}
#: What an entry of each kind of picture must say, besides its caption, and what it may.
PICTURES = {
    "evidence": ({"ask"}, {"agents", "hide", "set", "strategies", "starts", "full_states"}),
    "states": (set(), {"agents", "hide", "set", "number", "knowledge", "full_states"}),
    "agents": (set(), {"set"}),
    "who": ({"ask"}, {"knows", "set"}),
}
#: No picture is larger than a reader looks at.
WIDEST, HIGHEST = 1500, 1700


def test_every_model_is_in_the_register_once() -> None:
    files = [
        path.relative_to(EXAMPLES).as_posix()
        for path in EXAMPLES.rglob("*.ispl")
        if "notebooks" not in path.parts
    ]

    assert sorted(files) == sorted(model["file"] for model in MODELS)


def test_the_first_page_counts_the_models() -> None:
    assert f": {len(MODELS)} models of " in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_model_has_a_page_of_its_own() -> None:
    names = [Path(model["file"]).stem for model in MODELS]
    titles = [model["title"] for model in MODELS]

    assert [] == [name for name in [*names, *titles] if (names + titles).count(name) > 1]
    assert "index" not in names


def test_every_topic_has_models_and_every_model_a_topic() -> None:
    assert {topic["name"] for topic in TOPICS} == {model["topic"] for model in MODELS}
    assert all(topic["title"] and topic["about"].endswith(".") for topic in TOPICS)


@each_model
def test_an_entry_says_all_there_is_to_say(model: dict[str, Any]) -> None:
    assert WANTED <= set(model) <= WANTED | {"kind", "see"}
    assert model["tags"]
    assert model["teaches"].endswith((".", "?"))
    assert model["origin"].endswith(".")
    assert 30 <= len(model["teaches"]) <= 400
    assert model["picture"]["caption"].endswith(".")


@each_model
def test_a_model_is_of_the_kind_that_the_register_says(model: dict[str, Any]) -> None:
    loaded = load_file(str(EXAMPLES / model["file"]))

    assert (model.get("kind", "finite"), False) == (loaded.kind, loaded.has_errors)


@each_model
def test_a_model_tells_its_story_and_names_its_questions(model: dict[str, Any]) -> None:
    path = EXAMPLES / model["file"]
    asked = pages.questions(path)

    assert pages.story(path.read_text(encoding="utf-8"))
    assert asked
    assert [] == [each.text for each in asked if not each.name or not each.words]


@pytest.mark.parametrize(
    "model",
    [model for model in MODELS if "kind" not in model],
    ids=[model["file"] for model in MODELS if "kind" not in model],
)
def test_both_engines_find_what_a_finite_model_expects(model: dict[str, Any]) -> None:
    loaded = gnomon.load(str(EXAMPLES / model["file"]))
    found = {
        engine: loaded.check(engine=engine, evidence=False).as_expected
        for engine in ("explicit", "bdd")
    }

    assert {"explicit": True, "bdd": True} == found


@each_model
def test_a_picture_shows_what_there_is(model: dict[str, Any]) -> None:
    loaded = load_file(str(EXAMPLES / model["file"]), model["picture"].get("set", {}))
    must, may = PICTURES[model["picture"]["show"]]
    said = set(model["picture"]) - {"show", "caption"}

    assert must <= said <= must | may
    if loaded.system is not None:
        names = {agent.name for agent in loaded.system.agents}
        shown = [
            *model["picture"].get("agents", []),
            *model["picture"].get("knowledge", []),
        ]
        assert set(shown) <= names


@each_model
def test_what_to_try_can_be_tried(model: dict[str, Any]) -> None:
    program, name, *arguments = shlex.split(model["try"])
    command = import_module(f"gnomon.interfaces.cli.{module_name(name)}").command

    assert ("gnomon", True) == (program, name in COMMANDS)
    assert f"examples/{model['file']}" in arguments
    # Options and arguments are read, and nothing is done.
    command.make_context(name, arguments)


@each_model
def test_pages_to_read_on_are_there(model: dict[str, Any]) -> None:
    missing = [name for name in model.get("see", []) if not (ROOT / "docs" / name).is_file()]

    assert [] == missing


@each_model
def test_the_picture_of_a_model_is_of_a_size_to_look_at(model: dict[str, Any]) -> None:
    drawn = pictures.drawn(EXAMPLES / model["file"], model["picture"])
    width, height = pictures.size_of(drawn)
    dark = pictures.on_dark(drawn)

    assert width <= WIDEST
    assert height <= HIGHEST
    assert drawn != dark
    assert len(drawn.split("<style>")[0]) == len(dark.split("<style>")[0])


def test_the_pages_name_every_model_and_every_question() -> None:
    topics, entries = pages.register()
    index = pages.index(topics, entries)

    assert len(MODELS) == len(entries)
    for entry in entries:
        page = pages.page(entry, topics[0], entries)

        assert f":link: {entry.slug}\n" in index
        assert page.count("{.verdict-") == len(pages.questions(entry.path))
        assert f"# {entry['title']}\n" in page
