"""Neovim, with the very lines of the guide, and the real language server: what a person meets there."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gnomon.interfaces.lsp.settings import EditorSettings, read_settings
from tests.pigeons import HARD, pigeons
from tests.support import ROOT

pytestmark = pytest.mark.slow

GUIDE = ROOT / "docs" / "how-to" / "editors.md"
LUA = Path(__file__).parent / "neovim"
#: The editor has a limit for every wait, and all of it together has this one.
SECONDS = 240.0
#: Two mistakes, and blanks that the formatter would not write.
MODEL = """\
Agent Environment
  Vars: lamp : { off, on }; end Vars
  Actions = { none };
  Protocol: Other : { none }; end Protocol
  Evolution: lamp   =   on if Ann.Action = press; end Evolution
end Agent

Agent Ann
  Lobsvars = { lamp };
  Vars: tired : boolean; end Vars
  Actions = { press, rest };
  Protocol:
    tired = false : { pres, rest };
    Other : { rest };
  end Protocol
  Evolution: tired = true if Action = press; end Evolution
end Agent

Evaluation
  bright if Environment.lamp = on;
end Evaluation

InitStates
  Environment.lamp = off and Ann.tired = false;
end InitStates

Formulae
  can : <Ann>F bright;
  always : AG briht;
end Formulae
"""
MENDED = MODEL.replace("pres,", "press,").replace("briht", "bright")
RENAMED = MENDED.replace("lamp", "light")


def missing(what: str) -> NoReturn:
    """Skip a test for want of something, or fail where it has to be there."""
    if os.environ.get("GNOMON_NEED_EDITORS"):
        pytest.fail(f"there is no {what}")
    pytest.skip(f"there is no {what}")


def lines_of_the_guide(heading: str) -> str:
    """Return the lines of Lua below a heading of the guide."""
    text = GUIDE.read_text(encoding="utf-8")
    start = text.index(f"\n### {heading}\n")
    found = re.search(r"^```lua\n(.*?)^```$", text[start:], re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1)


class Told:
    """What an editor has told, what it printed beside that, and the folder in which it was."""

    def __init__(self, folder: Path, lines: str, errors: str, mark: str) -> None:
        self.folder = folder
        self.errors = errors
        self.mark = mark
        self.facts: dict[str, Any] = {}
        self.failures: dict[str, str] = {}
        for line in lines.splitlines():
            said = json.loads(line)
            if "failure" in said:
                self.failures[said["name"]] = said["failure"]
            else:
                self.facts[said["name"]] = said.get("fact")

    def __getitem__(self, name: str) -> Any:
        if name not in self.facts:
            pytest.fail(f"{name}: {self.failures.get(name, 'not reached')}\n{self.errors}")
        return self.facts[name]

    def left(self) -> list[int]:
        """Return the processes that were started here and are still there, after a while."""
        end = time.monotonic() + 15
        while (found := _marked(self.mark)) and time.monotonic() < end:
            time.sleep(0.1)
        return found


def _marked(mark: str) -> list[int]:
    """Return the processes with a mark in their environment; those that have ended have none."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in place.read_bytes():
                found.append(int(place.parent.name))
        except OSError:
            continue  # it has ended, or is another's
    return found


def run(folder: Path, script: str) -> Told:
    """Run Neovim in a folder, with the lines of the guide and then a script."""
    nvim = shutil.which("nvim")
    if nvim is None:
        missing("nvim")
    programs = folder / "bin"
    programs.mkdir()
    (folder / "temporary").mkdir()
    program = programs / "gnomon"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gnomon "$@"\n')
    program.chmod(0o755)
    for name, heading in (
        ("guide.lua", "Neovim 0.7 to 0.10"),
        ("commands.lua", "Commands, for every version"),
    ):
        (folder / name).write_text(lines_of_the_guide(heading), encoding="utf-8")
    mark = f"GNOMON_TRIED_IN={folder}"
    places = {
        name: str(folder / "nvim")
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    }
    environment = {
        **os.environ,
        **places,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(folder / "temporary"),
        "GNOMON_TELLING": str(LUA / "telling.lua"),
        "GNOMON_TRIED_IN": str(folder),
    }
    scripts = [f"+luafile {name}" for name in ("guide.lua", "commands.lua", str(LUA / script))]
    ran = subprocess.run(
        [nvim, "--headless", "--clean", "-n", *scripts],
        cwd=folder,
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )
    errors = ran.stderr.decode(errors="replace")
    assert ran.returncode == 0, errors

    return Told(folder, ran.stdout.decode(), errors, mark)


@pytest.fixture(scope="module")
def neovim(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Have a person work in Neovim, from opening a model with mistakes to leaving."""
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "model.ispl").write_text(MODEL)
    templates = ROOT / "examples" / "parameterised" / "mutex_some.ispl"
    shutil.copy(templates, folder / "population.pmas")
    return run(folder, "session.lua")


@pytest.fixture(scope="module")
def left_early(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Have a person leave Neovim while a check goes on."""
    folder = tmp_path_factory.mktemp("leaving")
    (folder / "model.ispl").write_text(pigeons(formulae=(HARD,)))
    return run(folder, "leaving.lua")


def place(words: str, inside: int = 0, text: str = MODEL) -> tuple[int, int]:
    """Return line and column, from one on, of the first occurrence of some words."""
    offset = text.index(words) + inside
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def all_places(word: str, text: str) -> list[list[int]]:
    """Return line and column of every occurrence of a word."""
    return [list(place("", found.start(), text)) for found in re.finditer(rf"\b{word}\b", text)]


# Mistakes, and what mends them


def test_both_endings_of_files_are_models(neovim: Told) -> None:
    assert "ispl" == neovim["filetype"]
    assert "ispl" == neovim["a template"]["filetype"]


def test_one_server_serves_all_models(neovim: Told) -> None:
    assert 1 == neovim["a template"]["servers"]


def test_mistakes_are_shown_with_line_column_and_code(neovim: Told) -> None:
    first, second = neovim["mistakes"]

    assert (*place("pres,"), "G0204") == (first["line"], first["column"], first["code"])
    assert place("pres,", 4)[1] == first["end_column"]
    assert (*place("briht"), "G0601") == (second["line"], second["column"], second["code"])
    assert {"gnomon"} == {first["source"], second["source"]}


def test_a_hint_stands_below_the_mistake(neovim: Told) -> None:
    first, _ = neovim["mistakes"]

    assert "help: did you mean `press`?" == first["message"].splitlines()[-1]


def test_nothing_is_checked_before_the_mistakes_are_mended(neovim: Told) -> None:
    states = {formula["state"] for formula in neovim["a check of mistakes"]["formulae"]}

    assert {"none"} == states
    assert "nothing can be checked: line 13" in neovim.errors


def test_a_quick_fix_mends_the_line(neovim: Told) -> None:
    assert "    tired = false : { press, rest };" == neovim["quick fixes"]["line"]


def test_what_is_mended_is_no_longer_shown(neovim: Told) -> None:
    assert not neovim["mended"]


# Names


def test_a_jump_goes_to_the_definition(neovim: Told) -> None:
    line, column = place("bright if")

    assert [line, column - 1] == neovim["definition"]


def test_references_are_listed_with_their_places(neovim: Told) -> None:
    assert sorted(all_places("lamp", MENDED)) == sorted(neovim["references"])


def test_a_hover_says_who_sees_a_variable(neovim: Told) -> None:
    assert "lamp" in neovim["hover"]
    assert "seen by everybody" in neovim["hover"]


def test_completion_offers_the_values_of_the_variable(neovim: Told) -> None:
    assert {"off", "on"} <= set(neovim["completion"])
    assert "press" not in neovim["completion"]


def test_a_name_is_changed_everywhere(neovim: Told) -> None:
    assert neovim["rename"] == RENAMED


def test_a_reserved_word_is_refused_as_a_name(neovim: Told) -> None:
    assert neovim["rename refused"]["same"]
    assert any("`end` is a reserved word" in words for words in neovim["rename refused"]["said"])


def test_a_text_is_formatted_as_on_the_command_line(neovim: Told) -> None:
    command = [sys.executable, "-m", "gnomon", "fmt", "-"]
    wanted = subprocess.run(
        command, input=RENAMED, capture_output=True, text=True, timeout=60, check=True
    ).stdout

    assert wanted == neovim["format"]
    assert wanted != RENAMED


# Checks


def test_a_command_checks_the_formula_with_the_number(neovim: Told) -> None:
    first, second = neovim["check"]["formulae"]

    assert ("fresh", "true", True) == (
        first["state"],
        first["verdict"]["value"],
        first["verdict"]["asExpected"],
    )
    assert "none" == second["state"]
    assert "verdict" not in second


def test_lenses_are_offered_in_the_line_of_the_formula(neovim: Told) -> None:
    assert ["▶ check", "explain", "simulate from here"] == neovim["lens"]["offered"]


def test_a_lens_checks_its_formula_and_a_surprise_is_shown_there(neovim: Told) -> None:
    [said] = neovim["lens"]["told"]
    line, column = place("always :", text=neovim["format"])

    assert (line, column, "verdict") == (said["line"], said["column"], said["code"])
    assert "always is false" == said["message"].splitlines()[0]


def test_verdicts_are_drawn_behind_their_formulae(neovim: Told) -> None:
    lines = [place(name, text=neovim["format"])[0] for name in ("can :", "always :")]

    assert lines == [each["line"] for each in neovim["drawn"]]
    assert ["✓ true", "✗ false"] == [each["words"] for each in neovim["drawn"]]


def test_verdicts_can_be_asked_for(neovim: Told) -> None:
    found = {each["label"]: each["verdict"]["value"] for each in neovim["formulae"]}

    assert {"can": "true", "always": "false"} == found


def test_the_story_of_a_verdict_opens_in_a_window(neovim: Told) -> None:
    assert "AG bright" in neovim["explained"]
    assert "false" in neovim["explained"]


def test_the_simulator_opens_in_a_terminal(neovim: Told) -> None:
    assert "terminal" == neovim["simulated"]


def test_a_change_of_the_model_makes_verdicts_stale_and_takes_messages_back(neovim: Told) -> None:
    drawn = [each["words"] for each in neovim["stale"]["drawn"]]

    assert ["◌ was true (stale)", "◌ was false (stale)"] == drawn
    assert "verdict" not in [each["code"] for each in neovim["stale"]["told"]]


def test_an_undone_change_makes_verdicts_fresh_again(neovim: Told) -> None:
    assert ["✓ true", "✗ false"] == [each["words"] for each in neovim["fresh again"]]


def test_a_quick_fix_expects_what_was_found(neovim: Told) -> None:
    assert "  always : AG bright expect false;" == neovim["expected"]


def test_the_command_of_the_guide_tells_all_verdicts(neovim: Told) -> None:
    assert ["can: true", "always: false"] == neovim["GnomonCheck"]


# Settings, restarts, and the end


def test_settings_count_as_soon_as_they_are_sent(neovim: Told) -> None:
    assert neovim["settings"]["before"] > 0
    assert 0 == neovim["settings"]["after"]


def test_after_a_restart_there_is_another_server_without_verdicts(neovim: Told) -> None:
    again = neovim["restarted"]

    assert again["another"]
    assert again["pid"] != neovim["pid"]
    assert ["none", "none"] == again["states"]


def test_the_log_has_no_errors(neovim: Told) -> None:
    log = Path(neovim["log"])
    written = log.read_text() if log.exists() else ""

    assert [] == [line for line in written.splitlines() if line.startswith("[ERROR]")]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes cannot be listed")
def test_nothing_is_left_when_the_editor_ends(neovim: Told) -> None:
    assert neovim["pid"] > 0
    assert [] == neovim.left()
    assert [] == list((neovim.folder / "temporary").glob("gnomon-*"))


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes cannot be listed")
def test_a_check_that_goes_on_ends_with_the_editor(left_early: Told) -> None:
    assert "… being checked" == left_early["underway"][0]["words"]
    assert [] == left_early.left()
    assert [] == list((left_early.folder / "temporary").glob("gnomon-*"))


# The guide


def test_the_lines_for_newer_versions_can_be_read(tmp_path: Path) -> None:
    nvim = shutil.which("nvim")
    if nvim is None:
        missing("nvim")
    (tmp_path / "newer.lua").write_text(lines_of_the_guide("Neovim 0.11 and newer"))
    script = "assert(loadfile('newer.lua')) io.stdout:write('read')"
    ran = subprocess.run(
        [nvim, "--headless", "--clean", "-n", f"+lua {script}", "+qa!"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "read" == ran.stdout


def test_the_settings_files_of_the_guide_can_be_read() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    found = re.findall(r"^```(json|toml)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    read = {"json": json.loads, "toml": tomllib.loads}

    assert ["toml", "toml", "json"] == [kind for kind, _ in found]
    assert all(read[kind](lines) for kind, lines in found)


def test_the_settings_of_the_guide_are_those_of_the_server() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `([^`]+)` \|", GUIDE.read_text(), re.MULTILINE)
    sent: dict[str, Any] = {"check": {}}
    for name, value in rows:
        part = sent["check"] if name.startswith("check.") else sent
        part[name.removeprefix("check.")] = json.loads(value)
    contributed = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    known = contributed["contributes"]["configuration"]["properties"]

    assert (EditorSettings(), []) == read_settings(sent)
    assert len(rows) == len(vars(EditorSettings()))
    assert {f"gnomon.{name}": json.loads(value) for name, value in rows} == {
        name: about["default"]
        for name, about in known.items()
        if name.startswith(("gnomon.check.", "gnomon.lenses", "gnomon.hints"))
    }
