"""How far a check is: told in notebooks, gone at the end, and nowhere else unless it is asked for."""

import sys
from io import StringIO
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import gnomon
from gnomon.api import progress
from gnomon.api.progress import CheckWatch
from tests.notebook_pages import read_page
from tests.unit.campaign.jobs import LIGHT


class Shell:
    """What IPython's shell is to whoever shows something, inside a kernel."""

    kernel = object()

    def __init__(self) -> None:
        self.published: list[dict[str, Any]] = []
        self.display_pub = SimpleNamespace(publish=lambda **given: self.published.append(given))


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Pretend that a kernel runs, in which nothing is too short to be told."""
    found = Shell()
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: found  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    return found


def test_a_check_in_a_notebook_is_told_and_then_taken_away(shell: Shell) -> None:
    gnomon.load_text(LIGHT, "light.ispl").check("AF lit", "AG !lit")
    first, *_, last = shell.published
    named = {each["transient"]["display_id"] for each in shell.published}

    assert 1 == len(named)
    assert "light.ispl: " in first["data"]["text/plain"]
    assert "interrupting the cell keeps what was decided" in read_page(first["data"]["text/html"])
    assert not first["update"]
    assert all(each["update"] for each in shell.published[1:])
    assert {"text/plain": "", "text/html": ""} == last["data"]


def test_a_sweep_tells_how_many_sizes_are_done(shell: Shell) -> None:
    family = f"Constants n = 1; end Constants\n{LIGHT}"
    gnomon.sweep(gnomon.load_text(family, "light.ispl"), {"n": [1, 2]}, "AF lit")
    words = [each["data"]["text/plain"] for each in shell.published]

    assert any("1 of 2 sizes" in each for each in words)
    assert 1 == len({each["transient"]["display_id"] for each in shell.published})


def test_whoever_listens_hears_the_same(shell: Shell) -> None:
    heard: list[str] = []
    watch = CheckWatch("x", 1)
    report = watch.hears(lambda task, *_: heard.append(task))
    assert report is not None
    report("formula 1", "states", 12_345, lambda: "more")

    assert ["formula 1"] == heard
    assert "formula 1 · states 12,345 · more" in shell.published[-1]["data"]["text/plain"]


def test_a_shell_that_cannot_show_it_changes_nothing(shell: Shell) -> None:
    shell.display_pub = SimpleNamespace()

    assert gnomon.load_text(LIGHT).check("AF lit")[0].holds


def test_nothing_is_told_where_nobody_wants_it(shell: Shell) -> None:
    gnomon.load_text(LIGHT).check("AF lit", progress=False)

    assert [] == shell.published


def test_outside_of_notebooks_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    model = gnomon.load_text(LIGHT, "light.ispl")
    model.check("AF lit")
    silent = capsys.readouterr()
    model.check("AF lit", progress=True)
    told = capsys.readouterr()

    assert ("", "") == (silent.out, silent.err)
    assert "light.ispl: " in told.err
    assert told.err.endswith("\r")
    assert "IPython" not in sys.modules


@pytest.mark.parametrize("wrong", [{"progress": "yes"}, {"progress": 1}, {"report": 5}])
def test_what_is_no_progress_is_refused_before_anything_begins(
    shell: Shell, wrong: dict[str, Any]
) -> None:
    with pytest.raises((ValueError, gnomon.InputError), match=next(iter(wrong))):
        gnomon.load_text(LIGHT).check(**wrong)


def _closed() -> StringIO:
    file = StringIO()
    file.close()
    return file


@pytest.mark.parametrize("nowhere", [None, _closed()])
def test_without_standard_error_a_check_goes_on(
    nowhere: StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", nowhere)

    assert gnomon.load_text(LIGHT).check(progress=True)[0].holds is not None
