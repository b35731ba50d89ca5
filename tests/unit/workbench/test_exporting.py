"""Files: pictures in every format, and a session as a page that needs nothing else."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gnomon.version import __version__
from gnomon.workbench.session_page import SessionTold, ToldStep, ToldVerdict, ToldWalk, session_page
from tests.benches import Asked, example, opened, populated

EVIL = '</script><script>alert("1")</script><img src=x onerror=alert(1)><style>*{}</style>'
FORMATS = {"svg": "svg", "tikz": "tex", "dot": "dot", "mermaid": "mmd"}


def walk_of(asked: Asked, steps: int = 5) -> dict[str, Any]:
    start = asked.first()
    after = asked.ask("run/random", state=start, steps=steps, seed=1)["steps"]
    first = {"state": start, "actions": None, "lines": {}}
    return {"steps": [first, *after], "loop": None, "back": None}


def verdict(**changed: Any) -> dict[str, Any]:
    return {
        "index": 1,
        "name": "safe",
        "text": "AG p",
        "verdict": "false",
        "expected": "true",
        "line": 70,
        "reason": None,
        "vacuous": None,
        **changed,
    }


def page(asked: Asked, **params: Any) -> str:
    text: str = asked.ask("export/page", strategies="uniform", **params)["text"]
    return text


class Elements(HTMLParser):
    """Notes the elements of a page, and what they are made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def check_harmless(text: str) -> None:
    """Look whether a page has nothing that runs, and takes nothing from elsewhere."""
    found = Elements(text)
    for tag, attributes in found.tags:
        assert tag not in {"script", "img", "iframe", "object", "embed", "link", "form", "base"}
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "style", "action"}
            if name in {"href", "xlink:href"}:
                assert str(value).startswith("#line-")


# Pictures


@pytest.mark.parametrize("what", ["graph", "reads"])
@pytest.mark.parametrize("format_", list(FORMATS))
def test_pictures_are_files(what: str, format_: str) -> None:
    asked = example("bit_transmission.ispl")
    params = {"model": asked.model, "fold": "propositions"}
    found = asked.ask("export/drawing", what=what, params=params, format=format_)

    assert f"bit_transmission-{what}.{FORMATS[format_]}" == found["name"]
    assert "Sender" in found["text"] or what == "graph"
    if format_ == "svg":
        assert ET.fromstring(found["text"]).tag.endswith("svg")


def test_templates_have_a_picture_of_who_reads_whom() -> None:
    asked = example("parameterised/rooms.ispl")
    found = asked.ask("export/drawing", what="reads", params={"model": asked.model}, format="dot")

    assert "Robot" in found["text"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../../etc/<pass wd>.ispl", "pass-wd-reads.svg"),
        ("C:\\models\\a b.ispl", "a-b-reads.svg"),
        ("☃.ispl", "model-reads.svg"),
        ("x" * 500, "x" * 60 + "-reads.svg"),
    ],
)
def test_names_of_files_are_harmless(name: str, file: str) -> None:
    asked = opened("Agent Ant end Agent InitStates true; end InitStates", name)
    params = {"model": asked.model}

    assert file == asked.ask("export/drawing", what="reads", params=params, format="svg")["name"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"what": "graph"},
        {"what": "graph", "params": None, "format": "svg"},
        {"what": "graph", "params": [], "format": "svg"},
        {"what": "weather", "params": {}, "format": "svg"},
        {"what": "graph", "params": {}, "format": "png"},
        {"what": "graph", "params": {}, "format": "svg"},
        {"what": ["graph"], "params": {}, "format": "svg"},
    ],
)
def test_bad_pictures_are_refused(params: dict[str, Any]) -> None:
    assert "bad-request" == example("nim.ispl").failure("export/drawing", **params)[0]


# Pages


def test_a_page_has_the_whole_session() -> None:
    asked = example("bit_transmission.ispl")
    found = asked.ask(
        "export/page",
        strategies="uniform",
        verdicts=[{"data": verdict(), "story": "It is so.\nReally."}],
        walks=[{"title": "My walk", "run": walk_of(asked)}],
        graph={"model": asked.model, "fold": "view", "agent": "Receiver"},
        notes="Remember this.",
    )
    text = found["text"]

    assert "bit_transmission.html" == found["name"]
    for words in (
        f"Gnomon {__version__}",
        "strategies: uniform",
        "safe",
        "AG p",
        "It is so.",
        "My walk",
        "<mark>",
        "Remember this.",
        "gnomon-picture",
        'id="line-70"',
        "Agent Environment",
    ):
        assert words in text
    assert "no walk through" not in text
    check_harmless(text)


def test_a_page_is_always_the_same() -> None:
    asked = example("bit_transmission.ispl")
    params = {"graph": {"model": asked.model, "fold": "none"}, "walks": [], "verdicts": []}

    assert page(asked, **params) == page(asked, **params)


def test_a_page_may_have_nothing_but_the_program() -> None:
    asked = example("parameterised/rooms.ispl")
    text = page(asked, verdicts=[], walks=[], graph=None, notes="")

    assert "<h2>Program</h2>" in text
    assert "<h2>Verdicts</h2>" not in text
    check_harmless(text)


def test_the_policy_allows_its_own_style_sheets_alone() -> None:
    asked = example("bit_transmission.ispl")
    text = page(asked, graph={"model": asked.model, "fold": "none"})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    sheets = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)

    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert 2 == len(sheets)
    for sheet in sheets:
        digest = b64encode(sha256(sheet.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
    assert text.index("Content-Security-Policy") < text.index("<style>")


def test_whatever_a_session_holds_is_text() -> None:
    asked = opened(
        f"Agent Ant end Agent -- {EVIL}\nInitStates true; end InitStates", f"{EVIL}.ispl"
    )
    evil = verdict(name=EVIL, text=EVIL, verdict=EVIL, expected=EVIL, reason=EVIL, vacuous=EVIL)
    step = {
        "state": {EVIL: {EVIL: EVIL}},
        "actions": {EVIL: EVIL, "Ant": EVIL},
        "lines": {EVIL: [1]},
    }
    run = {"steps": [step, step], "loop": 0, "back": step}
    text = page(
        asked,
        verdicts=[{"data": evil, "story": EVIL}],
        walks=[{"title": EVIL, "run": run}],
        graph={"model": asked.model, "fold": "none"},
        notes=EVIL,
    )

    assert EVIL in "".join(Elements(text).words)
    check_harmless(text)


def test_a_walk_that_is_none_is_called_so() -> None:
    asked = example("bit_transmission.ispl")
    run = walk_of(asked)
    run["steps"][3]["state"]["Receiver"]["got"] = "one"
    run["steps"][2]["state"]["Receiver"]["got"] = "zero"
    text = page(asked, walks=[{"title": "", "run": run}])

    assert "This is no walk through this model from state" in text


def test_a_walk_of_a_population_is_looked_at_again() -> None:
    asked = populated(example("parameterised/mutex.ispl"), Process=2)
    text = page(asked, walks=[{"title": "two", "run": walk_of(asked)}])

    assert "2 of Process" in text
    assert "no walk" not in text


def test_a_walk_through_templates_cannot_be_looked_at_again() -> None:
    asked = example("parameterised/mutex.ispl")
    two = populated(asked, Process=2)
    text = page(asked, walks=[{"title": "two", "run": walk_of(two)}])

    assert "was not looked at again" in text


def test_a_page_without_time_for_a_picture_says_so() -> None:
    asked = example("bit_transmission.ispl")
    asked.bench.budget.seconds = None
    found = asked.send(
        "export/page", seconds=1e-9, strategies="", graph={"model": asked.model, "fold": "none"}
    )

    assert "limit" == found["error"]["data"]["kind"]


def test_texts_with_mistakes_have_pages() -> None:
    text = page(opened("Agent <b>"), notes="why?")

    assert "error[" in text
    check_harmless(text)


@pytest.mark.parametrize(
    "params",
    [
        {"verdicts": "true"},
        {"verdicts": ["true"]},
        {"verdicts": [{"story": "x"}]},
        {"verdicts": [{"data": verdict(), "story": "x"}] * 3_000},
        {"walks": {}},
        {"walks": [[]]},
        {"walks": [{"title": "x"}]},
        {"walks": [{"title": "x", "run": {"steps": [1]}}]},
        {"walks": [{"title": "x", "run": {"steps": [{"state": 1}]}}]},
        {"walks": [{"title": "x", "run": {"steps": [{"state": {"A": 1}}]}}]},
        {"walks": [{"title": "x", "run": {"steps": [{"state": {}, "actions": 1}]}}]},
        {"walks": [{"title": "x", "run": {"steps": [{"state": {}}] * 20_001}}]},
        {"graph": "all"},
        {"graph": {"fold": "sideways"}},
        {"notes": 1},
        {"strategies": []},
    ],
)
def test_bad_sessions_are_refused(params: dict[str, Any]) -> None:
    assert "bad-request" == example("nim.ispl").failure("export/page", **params)[0]


@pytest.mark.parametrize(
    "changed",
    [{"index": "x"}, {"line": -1}, {"line": "1"}, {"name": 7}, {"text": None}, {"verdict": 0}],
)
def test_odd_verdicts_are_told_as_far_as_they_go(changed: dict[str, Any]) -> None:
    check_harmless(page(example("nim.ispl"), verdicts=[{"data": verdict(**changed), "story": 1}]))


def test_new_values_are_marked_and_large_states_are_told_once() -> None:
    many = {f"x{number}": "0" for number in range(50)}
    steps = [ToldStep(None, {"A": many}), ToldStep({"A": "go"}, {"A": {**many, "x7": "1"}})]
    walk = ToldWalk("w", steps, loop=0, back=ToldStep({"B": "back"}, {}))
    told = SessionTold(
        "m", [], "", verdicts=[ToldVerdict("1", "p", "true", "", "", 0, "")], walks=[walk]
    )
    text = session_page(told)

    assert 1 == text.count("x8 = 0")
    assert "<mark>x7 = 1</mark>" in text
    assert "back to 0, for ever" in text
    assert "B: back" in text


def test_a_game_is_a_picture_too() -> None:
    asked = example("nim.ispl")
    game = {"formula": "<Ann>F ann_wins", "strategies": "perfect", "which": 0, "side": "strategy"}
    params = {"model": asked.model, **game}
    found = asked.ask("export/drawing", what="play", params=params, format="svg")

    assert "nim-play.svg" == found["name"]
    assert ET.fromstring(found["text"]).tag.endswith("svg")


@pytest.mark.parametrize("format_", ["svg", "tikz", "dot", "mermaid"])
def test_rounds_are_a_picture_in_every_format(format_: str) -> None:
    asked = example("unbounded/numbers.ispl")
    rounds = [
        {"title": "At first", "words": "what the text tells apart", "cuts": ["Counter.n <= 3"]},
        {"title": "round 1", "words": "<b>more</b>", "cuts": []},
    ]
    params = {"model": asked.model, "title": "cells", "rounds": rounds}
    text = asked.ask("export/drawing", what="rounds", params=params, format=format_)["text"]

    assert "round 1" in text
    assert "<b>" not in text or format_ in ("tikz", "dot")  # there it is text
