"""What a page is answered: verdicts with progress and stories, the second time by the store; who; sweeps."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.store import Store
from gnomon.checking.check import check
from gnomon.checking.load import load_text
from gnomon.checking.options import Options
from gnomon.interfaces.studio.gallery import gallery, read_example
from gnomon.interfaces.studio.models import KnownModels
from tests.studio.running import Failed, Page, studio
from tests.support import EXAMPLES

BITS = "bit_transmission.ispl"


def schema(name: str) -> Any:
    return json.loads((files("gnomon.results") / "schema" / name).read_text(encoding="utf-8"))


def valid(data: Any, name: str) -> bool:
    return bool(jsonschema.Draft202012Validator(schema(name)).is_valid(data))


def opened(page: Page, name: str = BITS, **constants: int) -> Any:
    return page.open(read_example(name), name, **constants)


def failure(page: Page, method: str, **params: Any) -> Failed:
    with pytest.raises(Failed) as failed:
        page.ask(method, **params)
    return failed.value


# The place


def test_hello_says_what_there_is(page: Page) -> None:
    said = page.ask("hello")

    assert {"gnomon", "folder", "opened", "gallery", "limits", "store"} == set(said)
    assert {"seconds": 30.0, "megabytes": 2000.0, "text_bytes": 8 * 2**20} == said["limits"]
    assert not said["store"]


def test_every_model_of_the_gallery_is_what_it_is_said_to_be() -> None:
    for model in gallery():
        loaded = load_text(read_example(model.name), model.name)

        assert (model.kind, False) == (loaded.kind, loaded.has_errors), model.name
        assert model.title
        assert {"name", "title", "teaches", "group", "kind"} == set(model.to_data())


def test_the_gallery_has_every_example() -> None:
    root = Path(__file__).parents[2] / "examples"
    wanted = {path.relative_to(root).as_posix() for path in root.rglob("*.ispl")}

    assert wanted == {model.name for model in gallery()}


# Checks


def test_a_check_has_the_verdicts_that_the_command_has(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"])
    loaded = load_text(read_example(BITS), BITS)
    assert loaded.model is not None
    wanted = check(loaded.model, loaded.model.specifications, Options())

    assert [str(each.value) for each in wanted] == [
        each["verdict"] for each in found["result"]["formulae"]
    ]
    assert not found["from_store"]
    assert {str(n) for n in range(1, 9)} == set(found["stories"])
    assert all(story["title"] and story["text"] for story in found["stories"].values())


@pytest.mark.parametrize(
    "name", [BITS, "tickets.ispl", "parameterised/mutex.ispl", "unbounded/token_bucket.ispl"]
)
def test_a_check_is_answered_as_published(page: Page, name: str) -> None:
    found = page.ask("model/check", model=opened(page, name)["model"])

    assert valid(found["result"], "check.json")


def test_verdicts_are_told_as_they_come(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"])
    told = [note["params"] for note in page.notes if note["method"] == "progress"]
    values: dict[str, str] = {}
    for each in told:
        values |= {number: found["verdict"] for number, found in each["found"].items()}

    assert {8} == {each["of"] for each in told}
    assert 8 == told[-1]["decided"]
    assert {str(x["index"]): x["verdict"] for x in found["result"]["formulae"]} == values


def test_some_formulae_are_chosen_by_their_numbers(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"], numbers=[2, 5])

    assert [2, 5] == [each["index"] for each in found["result"]["formulae"]]


def test_other_formulae_are_asked_instead(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"], formulae=["AG !false", "EF false"])

    assert ["true", "false"] == [each["verdict"] for each in found["result"]["formulae"]]


def test_constants_count(page: Page) -> None:
    sizes = [
        page.ask(
            "model/check", model=opened(page, "muddy_children.ispl", n=n)["model"], numbers=[1]
        )
        for n in (2, 3)
    ]

    assert [12, 32] == [each["result"]["states"] for each in sizes]


def test_evidence_can_be_left_out(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"], evidence=False)

    assert {None} == {each["evidence"] for each in found["result"]["formulae"]}


def test_a_model_with_mistakes_is_answered_with_them(page: Page) -> None:
    found = page.ask("model/check", model=page.open("Agent")["model"])

    assert [] == found["result"]["formulae"]
    assert "error" in {each["severity"] for each in found["result"]["diagnostics"]}


def test_a_formula_that_cannot_be_read_is_said_to_be(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"], formulae=["AG ("])

    assert [] == found["result"]["formulae"]
    assert "error" in {each["severity"] for each in found["result"]["diagnostics"]}


def test_the_model_itself_can_be_looked_at(page: Page) -> None:
    found = page.ask("model/check", model=opened(page)["model"], check_deadlock=True, numbers=[1])

    assert not found["result"]["checks"]["deadlock"]["found"]


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ({"strategies": "nonsense"}, "bad-input"),
        ({"engine": "nonsense"}, "bad-input"),
        ({"timeout": 0}, "bad-request"),
        ({"timeout": "x"}, "bad-request"),
        ({"memory": -1}, "bad-request"),
        ({"numbers": [1], "formulae": ["true"]}, "bad-input"),
        ({"numbers": ["1"]}, "bad-request"),
        ({"numbers": [0]}, "bad-input"),
    ],
)
def test_what_cannot_be_asked_is_refused(page: Page, params: Any, kind: str) -> None:
    assert kind == failure(page, "model/check", model=opened(page)["model"], **params).kind


def test_a_model_that_nobody_has_opened_is_unknown(page: Page) -> None:
    for method in ("model/check", "model/who", "run/initial", "model/reads"):
        params = {"goal": "F x"} if method == "model/who" else {}

        assert "unknown-model" == failure(page, method, model="0" * 32, **params).kind


def test_numbers_that_a_browser_cannot_hold_are_texts(page: Page) -> None:
    model = opened(page, "tickets.ispl")["model"]
    big = 2**60
    found = page.ask(
        "model/check", model=model, formulae=[f"EF (Environment.waiting = {big} and false)"]
    )

    assert str(big) in found["result"]["formulae"][0]["text"]
    for number in integers(found):
        assert abs(number) < 2**53


def integers(data: Any) -> list[int]:
    if isinstance(data, dict):
        return [each for value in data.values() for each in integers(value)]
    if isinstance(data, list):
        return [each for value in data for each in integers(value)]
    return [data] if type(data) is int else []


# Any number of agents


def test_a_population_is_walked_and_its_formulae_are_checked_for_any_number(page: Page) -> None:
    base = opened(page, "parameterised/mutex.ispl")
    template = base["templates"][0]["name"]
    some = page.ask("model/populate", model=base["model"], population={template: 2})
    whole = page.ask("model/check", model=base["model"])
    again = page.ask("model/check", model=some["model"])

    assert (False, True) == (base["can_walk"], some["can_walk"])
    assert {template: 2} == some["population"]
    assert verdicts(whole) == verdicts(again)
    assert "parameterised" == again["result"]["kind"]
    assert page.ask("run/initial", model=some["model"])["states"]


def verdicts(found: Any) -> list[tuple[int, str]]:
    return [(each["index"], each["verdict"]) for each in found["result"]["formulae"]]


def test_a_mark_of_the_byte_order_changes_nothing(page: Page) -> None:
    text = (EXAMPLES / "bit_transmission.ispl").read_text(encoding="utf-8")
    asked = {"name": "x.ispl", "constants": {}}
    plain = page.ask("model/open", text=text, **asked)["model"]
    marked = page.ask("model/open", text=f"\ufeff{text}", **asked)["model"]

    assert verdicts(page.ask("model/check", model=plain)) == verdicts(
        page.ask("model/check", model=marked)
    )


def test_a_population_is_remembered_with_the_text_that_it_is_of() -> None:
    models = KnownModels()
    params = {"text": "x", "name": "y", "constants": {"n": "12345678901234567890"}}
    models.note("model/open", params, {"model": "a", "formulae": [1, 2]})
    populated = {"model": "b", "formulae": [1], "population": {"T": 2}}
    models.note("model/populate", {"model": "a", "population": {"T": 2}}, populated)
    joined = {"opened": {"model": "c", "formulae": [], "population": {"T": 3}}}
    models.note("run/join", {"model": "b", "template": "T"}, joined)
    known = models.get("c")

    assert known is not None
    assert (("n", 12345678901234567890),) == known.constants
    assert [
        ("a", "model/open", params),
        ("c", "model/populate", {"model": "a", "population": {"T": 3}}),
    ] == models.openings("c")
    assert [] == models.openings("d")


def test_models_that_nobody_used_for_long_are_forgotten() -> None:
    models = KnownModels()
    for number in range(100):
        text = "x" * (2**20)
        models.note(
            "model/open", {"text": text, "name": "y"}, {"model": str(number), "formulae": []}
        )
        models.get("0")

    assert models.get("0") is not None
    assert models.get("1") is None
    assert models.get("99") is not None


# The store


def test_what_was_answered_is_there_at_once(static: Path, tmp_path: Path) -> None:
    store = tmp_path / "cache" / "answers.store"
    with studio(static, store=store) as running, running.page() as page:
        first = page.ask("model/check", model=opened(page)["model"])
        assert page.ask("hello")["store"]
    with studio(static, store=store) as running, running.page() as page:
        second = page.ask("model/check", model=opened(page)["model"])
        noted = [note for note in page.notes if note["method"] == "progress"]

    assert (False, True) == (first["from_store"], second["from_store"])
    assert first["result"] == second["result"]
    assert first["stories"] == second["stories"]
    assert [] == noted


def test_the_store_is_one_that_the_command_reads(static: Path, tmp_path: Path) -> None:
    store = tmp_path / "answers.store"
    with studio(static, store=store) as running, running.page() as page:
        page.ask("model/check", model=opened(page)["model"])
    with Store(store, must_exist=True) as kept:
        [answer] = list(kept.answers())
        complete = kept.get(CampaignJob(answer.question).key)

        assert [] == list(kept.problems())
    assert complete is not None
    assert 8 == len(complete.formulae)


def test_what_was_not_decided_is_asked_again(static: Path, tmp_path: Path) -> None:
    from tests.studio.test_ending import slow_model

    with studio(static, store=tmp_path / "answers.store") as running, running.page() as page:
        model = page.open(slow_model())["model"]
        asked = {"model": model, "engine": "explicit", "timeout": 0.3, "numbers": [1]}
        found = [page.ask("model/check", **asked) for _ in range(2)]

    assert [False, False] == [each["from_store"] for each in found]


@pytest.mark.parametrize("damage", ["folder", "nonsense"])
def test_a_store_that_cannot_be_used_is_done_without(
    static: Path, tmp_path: Path, damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "answers.store"
    if damage == "folder":
        store.mkdir()
    else:
        store.write_text("this is no database" * 100, encoding="utf-8")
    with studio(static, store=store) as running, running.page() as page:
        assert not page.ask("hello")["store"]
        assert page.ask("model/check", model=opened(page)["model"], numbers=[1])

    assert "answers are not kept" in capfd.readouterr().err


# Groups


def test_who_can_is_a_lattice_to_click_on(page: Page) -> None:
    found = page.ask("model/who", model=opened(page, "strongroom.ispl")["model"], goal="F open")
    [survey] = found["surveys"]
    boxes = {str(box["number"]): box for box in survey["drawing"]["boxes"]}

    assert valid(found["report"], "who.json")
    assert set(boxes) == set(survey["groups"])
    holding = {tuple(each["members"]) for each in found["report"]["surveys"][0]["holding"]}
    for number, group in survey["groups"].items():
        assert {True: "goal", False: "lost", None: "stuck"}[group["standing"]] == boxes[number][
            "kind"
        ]
        if tuple(group["members"]) in holding:
            assert group["standing"] is True
        for member in group["members"]:
            assert member in group["formula"]


def test_every_formula_of_a_group_is_as_its_box_says(page: Page) -> None:
    model = opened(page, "strongroom.ispl")["model"]
    groups = page.ask("model/who", model=model, goal="F open")["surveys"][0]["groups"]
    formulae = [each["formula"] for each in groups.values()]
    found = page.ask("model/check", model=model, formulae=formulae, evidence=False)

    assert [each["standing"] for each in groups.values()] == [
        each["verdict"] == "true" for each in found["result"]["formulae"]
    ]


def test_the_picture_of_groups_is_a_file(page: Page) -> None:
    model = opened(page, "strongroom.ispl")["model"]
    asked = {"model": model, "goal": "F open"}
    page.ask("model/who", **asked)
    params = {**asked, "survey": "enforces"}
    found = page.ask("export/drawing", what="who", params=params, format="svg")
    again = page.ask(
        "export/drawing", what="graph", params={"model": model, "fold": "none"}, format="dot"
    )

    assert "<svg" in found["text"]
    assert "who-enforces.svg" == found["name"]
    assert "digraph" in again["text"]


def test_who_knows_has_three_pictures(page: Page) -> None:
    found = page.ask(
        "model/who", model=opened(page, "strongroom.ispl")["model"], goal="open", knows=True
    )

    assert valid(found["report"], "who.json")
    assert ["distributed", "everybody", "common"] == [each["kind"] for each in found["surveys"]]


def test_who_can_of_a_population(page: Page) -> None:
    base = opened(page, "parameterised/mutex.ispl")
    template = base["templates"][0]["name"]
    some = page.ask("model/populate", model=base["model"], population={template: 2})
    name = some["propositions"][0]["name"]
    found = page.ask("model/who", model=some["model"], goal=f"F {name}")

    assert 2 <= len(found["report"]["surveys"][0]["agents"])
    assert "bad-input" == failure(page, "model/who", model=base["model"], goal=f"F {name}").kind


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ({"goal": "F nonsense"}, "bad-input"),
        ({"goal": "F open", "among": ["nobody"]}, "bad-input"),
        ({"goal": "F open", "when": "tomorrow"}, "bad-request"),
        ({"goal": 3}, "bad-request"),
    ],
)
def test_what_groups_cannot_be_asked(page: Page, params: Any, kind: str) -> None:
    model = opened(page, "strongroom.ispl")["model"]
    failed = failure(page, "model/who", model=model, **params)

    assert kind == failed.kind
    if kind == "bad-input":
        assert failed.data["diagnostics"]


# Sweeps


def sweep(page: Page, **constants: str) -> Any:
    text = read_example("muddy_children.ispl")
    return page.ask("model/sweep", text=text, name="muddy.ispl", constants=constants)


def test_a_sweep_has_a_row_for_each_size_and_plots(page: Page) -> None:
    found = sweep(page, n="2..4")
    told = [row for note in page.notes for row in note["params"].get("rows", [])]

    assert [{"n": 2}, {"n": 3}, {"n": 4}] == [row["constants"] for row in found["rows"]]
    assert [12, 32, 80] == [row["states"] for row in found["rows"]]
    assert all(set(row["verdicts"]) == set(found["columns"]) for row in found["rows"])
    assert {2, 3, 4} >= {row["constants"]["n"] for row in told}
    assert ["seconds by n", "reachable states by n"] == [each["title"] for each in found["plots"]]
    assert all(each["svg"].startswith("<svg") for each in found["plots"])


def test_a_sweep_of_several_constants_tells_them_apart(page: Page) -> None:
    text = """
Constants n = 1; m = 1; end Constants
Agent Player
  Vars: x : 0..n; y : 0..m; end Vars
  Actions = { go };
  Protocol: Other: { go }; end Protocol
  Evolution: x = x + 1 if x < n; y = y + 1 if y < m and x = n; end Evolution
end Agent
Evaluation p if Player.x = n; end Evaluation
InitStates Player.x = 0 and Player.y = 0; end InitStates
Formulae EF p; end Formulae
"""
    values = {"n": "1..2", "m": "1..3"}
    found = page.ask("model/sweep", text=text, name="x", constants=values, numbers=[1])

    assert 6 == len(found["rows"])
    assert "seconds by m" == found["plots"][0]["title"]
    assert "n = 2" in found["plots"][0]["svg"]


def test_a_size_that_cannot_be_read_says_why(page: Page) -> None:
    [row] = sweep(page, n="-3")["rows"]

    assert row["reason"]
    assert {} == row["verdicts"]


@pytest.mark.parametrize("values", ["", "x", "3..1", "1..1000000", "1..10000"])
def test_what_is_no_range_is_refused(page: Page, values: str) -> None:
    text = read_example("muddy_children.ispl")
    failed = failure(page, "model/sweep", text=text, name="x", constants={"n": values})

    assert failed.kind in {"bad-input", "unable"}
