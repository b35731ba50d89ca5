"""The protocol as it is documented, as the page has it, and as the server speaks it: all are the same."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from gnomon.interfaces.studio.gallery import read_example
from gnomon.interfaces.studio.requests import HANDLERS, QUICK, all_methods
from gnomon.workbench.methods import METHODS
from tests.studio.running import Page, Running
from tests.support import ROOT

PAGE = (ROOT / "docs" / "reference" / "studio-protocol.md").read_text(encoding="utf-8")
TYPES = (ROOT / "web" / "src" / "protocol.ts").read_text(encoding="utf-8")
SECTION = re.compile(
    r"^### `(?P<method>[a-z]+(?:/[a-z]+)?)`\n.*?```json\n(?P<asked>.*?)```.*?```json\n(?P<said>.*?)```",
    re.MULTILINE | re.DOTALL,
)
#: Models of the examples, by what the page calls them.
EXAMPLES = {
    "MODEL": "bit_transmission.ispl",
    "TEMPLATES": "parameterised/mutex.ispl",
    "NUMBERS": "tickets.ispl",
}


def documented() -> dict[str, tuple[Any, Any]]:
    return {
        found["method"]: (json.loads(found["asked"]), json.loads(found["said"]))
        for found in SECTION.finditer(PAGE)
    }


def typed() -> set[str]:
    methods = TYPES.partition("export interface Methods {")[2].partition("\n}")[0]
    return set(re.findall(r'^  "([a-z/]+)": \[', methods, re.MULTILINE))


def test_the_three_lists_of_methods_are_the_same() -> None:
    assert typed() == set(documented())
    assert typed() == all_methods()


def test_every_method_has_one_who_answers_it() -> None:
    # Pictures of groups are made by the server, and it hands on what is asked of all others.
    assert {"export/drawing"} == set(HANDLERS) & set(METHODS)
    assert set(METHODS) >= QUICK


def test_every_kind_of_failure_is_told_of() -> None:
    failure = TYPES.partition("export interface Failure {")[2].partition("\n}")[0]
    kinds = set(re.findall(r'"([a-z-]+)"', failure))
    table = PAGE.partition("### Errors")[2].partition("### Limits")[0]

    assert {"kind"} | kinds == set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))


def test_every_notification_is_told_of() -> None:
    sent = TYPES.partition("export interface Notifications {")[2].partition("\n}")[0]

    for name in re.findall(r'^  "([a-z/]+)":', sent, re.MULTILINE):
        assert f'"method": "{name}"' in PAGE


@pytest.fixture(scope="module")
def places(running: Running, folder: Any) -> Iterator[tuple[Page, dict[str, str]]]:
    """Return a page, and the ids of the models of the examples."""
    (folder / "bits.ispl").write_text(read_example(EXAMPLES["MODEL"]), encoding="utf-8")
    (folder / "new.ispl").unlink(missing_ok=True)
    with running.page() as page:
        ids = {key: page.open(read_example(name))["model"] for key, name in EXAMPLES.items()}
        population = documented()["model/populate"][0]["population"]
        some = page.ask("model/populate", model=ids["TEMPLATES"], population=population)
        yield page, {**ids, "POPULATION": some["model"]}


@pytest.mark.parametrize("method", sorted(documented()))
def test_the_examples_are_answered_as_documented(
    places: tuple[Page, dict[str, str]], method: str
) -> None:
    page, ids = places
    asked, said = documented()[method]
    if "…" in asked.get("text", ""):
        asked["text"] = read_example("muddy_children.ispl")
    found = page.ask(method, **named(asked, ids))

    assert list(said) == list(found)
    for key, value in said.items():
        if isinstance(value, dict) and not key.startswith("stor"):
            assert list(value) == list(found[key])


def named(data: Any, ids: dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {key: named(value, ids) for key, value in data.items()}
    if isinstance(data, list):
        return [named(value, ids) for value in data]
    return ids.get(data, data) if isinstance(data, str) else data
