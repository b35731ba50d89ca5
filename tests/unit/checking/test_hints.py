"""What races have taught is a hint: it is kept whole or not at all, and nothing depends on it."""

import json
import sys
from pathlib import Path

import pytest

from gnomon.checking import hints
from gnomon.checking.load import load_text
from gnomon.checking.options import Options
from tests.unit.checking.test_process import COUNTER
from tests.unit.results.samples import MODEL


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "deep" / "races.json"
    monkeypatch.setenv(hints.VARIABLE, str(path))
    return path


def sort(text: str, **options: object) -> str:
    loaded = load_text(text)
    assert loaded.model is not None
    return hints.sort_of(
        loaded.model,
        loaded.model.specifications,
        Options(**options),  # type: ignore[arg-type]
    )


def test_what_was_learned_is_known(file: Path) -> None:
    hints.learn("small", "explicit", ["auto", "explicit"])
    hints.learn("small", "auto", ["auto", "bdd near"])
    learned = hints.promise("small")

    assert {"auto": 2 / 4, "explicit": 2 / 3, "bdd near": 1 / 3} == learned
    assert learned["bdd near"] < hints.UNTRIED < learned["explicit"]
    assert {} == hints.promise("large")
    assert [file] == list(file.parent.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"format": "other", "races": {}}',
        '{"format": "gnomon hints 1", "races": 3}',
        "[" * 100_000,
        '{"format": "gnomon hints 1", "races": {"small": {"explicit": "many"}}}',
        '{"format": "gnomon hints 1", "races": {"small": {"explicit": [2, 1]}}}',
    ],
    ids=["empty", "cut", "list", "foreign", "number", "deep", "no-count", "too-many"],
)
def test_a_damaged_file_is_as_good_as_none_and_is_replaced(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")

    assert {} == hints.promise("small")

    hints.learn("small", "explicit", ["explicit"])

    assert {"explicit": 2 / 3} == hints.promise("small")


def test_only_so_many_sorts_are_kept_those_that_raced_last(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "_MOST", 3)
    for name in ("a", "b", "c", "a", "d"):
        hints.learn(name, "explicit", ["explicit"])

    assert ["c", "a", "d"] == list(json.loads(file.read_text(encoding="utf-8"))["races"])


def test_what_was_learned_can_be_unlearned(file: Path) -> None:
    for _ in range(100):
        hints.learn("small", "explicit", ["explicit"])
    before = hints.promise("small")["explicit"]
    for _ in range(40):
        hints.learn("small", "auto", ["auto", "explicit"])

    assert hints.promise("small")["explicit"] < hints.UNTRIED < before


@pytest.mark.parametrize("word", ["off", "0", ""])
def test_hints_can_be_switched_off(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(hints.VARIABLE, word)
    hints.learn("small", "explicit", ["explicit"])

    assert {} == hints.promise("small")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, ".cache/gnomon/races.json"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, ".cache/gnomon/races.json"),
        ("darwin", {}, "Library/Caches/gnomon/races.json"),
        ("win32", {}, "AppData/Local/gnomon/races.json"),
    ],
)
def test_hints_are_where_the_platform_keeps_such_things(
    platform: str,
    variables: dict[str, str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in (hints.VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    hints.learn("small", "explicit", ["explicit"])

    assert (tmp_path / expected).exists()


def test_a_place_that_cannot_be_written_to_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "file"
    taken.write_text("", encoding="utf-8")
    monkeypatch.setenv(hints.VARIABLE, str(taken / "below" / "races.json"))
    hints.learn("small", "explicit", ["explicit"])

    assert {} == hints.promise("small")


def test_models_of_other_kinds_and_questions_are_of_other_sorts() -> None:
    sorts = {sort(MODEL), sort(COUNTER), sort(MODEL, strategies="uniform")}

    assert 3 == len(sorts)
