"""Whatever is sent, there is an answer, and it is never that something broke."""

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given

from tests.benches import Asked, example, opened, populated
from tests.systems import examples, seeds

METHODS = {
    "model/open": ["text", "name", "constants"],
    "model/populate": ["population"],
    "model/reads": [],
    "model/graph": [
        "fold",
        "agents",
        "propositions",
        "agent",
        "state",
        "radius",
        "watching",
        "limit",
    ],
    "export/drawing": ["what", "params", "format"],
    "export/page": ["strategies", "verdicts", "walks", "graph", "notes"],
}
FOLDS = ["none", "agents", "propositions", "view", "bisimulation", "distance"]


@cache
def models() -> list[Asked]:
    rooms = example("parameterised/rooms.ispl")
    return [
        example("bit_transmission.ispl"),
        rooms,
        populated(rooms, Robot=1),
        example("unbounded/tunnels.ispl"),
        opened("Agent"),
    ]


def anything(rng: Random, asked: Asked, depth: int = 3) -> Any:
    """Return a value of any shape, often nearly one that makes sense."""
    agents = [each["name"] for each in asked.opened["agents"]]
    words = ["", "x", "Sender", "p", "svg", "graph", "reads", "uniform", *FOLDS, *agents]
    plain = [
        None,
        True,
        -1,
        0,
        1,
        2,
        10**30,
        1.5,
        rng.choice(words),
        rng.choice(words),
        "\ud800",
        "\0",
    ]
    if depth == 0 or rng.random() < 0.5:
        return rng.choice(plain)
    inner = [anything(rng, asked, depth - 1) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.5:
        return inner
    names = [
        *agents,
        "steps",
        "state",
        "actions",
        "run",
        "data",
        "title",
        "loop",
        "lines",
        "Robot",
        "fold",
    ]
    return {rng.choice(names): value for value in inner}


def nearly(rng: Random, asked: Asked, name: str) -> Any:
    """Return a value that makes sense in its place, or any other."""
    if rng.random() < 0.4:
        return anything(rng, asked)
    step = {"state": anything(rng, asked), "actions": anything(rng, asked)}
    run = {
        "steps": [step] * rng.randint(0, 2),
        "loop": rng.choice([None, 0, 5]),
        "back": rng.choice([None, step]),
    }
    graph = {"model": asked.model, "fold": rng.choice(FOLDS), "limit": 5, "agent": "Sender"}
    return {
        "fold": rng.choice(FOLDS),
        "what": rng.choice(["graph", "reads"]),
        "format": rng.choice(["svg", "tikz", "dot", "mermaid"]),
        "params": graph,
        "graph": graph,
        "limit": 5,
        "radius": rng.randint(0, 3),
        "walks": [{"title": anything(rng, asked), "run": run}],
        "verdicts": [{"data": anything(rng, asked), "story": anything(rng, asked)}],
        "constants": {"n": 1},
    }.get(name, anything(rng, asked))


@pytest.mark.parametrize("method", METHODS)
@examples(100)
@given(seeds)
def test_whatever_is_sent_is_answered(method: str, seed: int) -> None:
    rng = Random(seed)
    asked = rng.choice(models())
    params = {name: nearly(rng, asked, name) for name in METHODS[method] if rng.random() < 0.9}
    found = asked.send(method, seconds=5, **params)

    assert "result" in found or "bug" != found["error"]["data"]["kind"], (params, found)
