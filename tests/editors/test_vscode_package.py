"""What the extension for VS Code consists of, beside what Gnomon itself says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from gnomon.checking.attempts import Engine
from gnomon.checking.options import Strategies
from gnomon.language.parse import parse
from gnomon.text.source import Source
from tests.browsing import missing
from tests.editors.workbench import DIST, EXTENSION

MANIFEST = json.loads((EXTENSION / "package.json").read_text())
PROPERTIES = MANIFEST["contributes"]["configuration"]["properties"]
OUTPUT = EXTENSION / "test" / "output"
SNIPPETS = {
    name: "\n".join(snippet["body"])
    for file in ("patterns", "sections")
    for name, snippet in json.loads((EXTENSION / "snippets" / f"{file}.json").read_text()).items()
}
_PROGRAM = (
    "Model|Agent|Family of agents|Environment|Template|Constants|Definitions|Evaluation|InitStates"
)
#: Around which snippets stand that are no sections of a program.
_AROUND = {
    f"{_PROGRAM}|Groups|Fairness|Formulae": "{}",
    "Vars|Obsvars|Lobsvars|Actions|Protocol|Evolution": "Agent Environment {} end Agent",
    "Formula:.*": "Formulae\n{}\nend Formulae",
    "Name and expectation": "Formulae\n{}\nAG p;\nend Formulae",
    "For each": "Formulae\n{}\nend Formulae",
}


def _written_out(body: str) -> str:
    """Return a snippet as it is when nobody fills anything in: `${1:this}`, `${1|this,that|}` and `$1`."""
    place = re.compile(r"\$\{(\d+)(?::([^}]*)|\|(.*?)\|)\}")
    first = {number: text or _first(choice) for number, text, choice in place.findall(body)}
    return re.sub(r"\$(\d+)", lambda found: first.get(found[1], ""), place.sub(r"$\1", body))


def _first(choices: str) -> str:
    return re.sub(r"\\(.)", r"\1", re.split(r"(?<!\\),", choices)[0])


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_is_read_where_it_may_stand(name: str) -> None:
    [around] = [text for pattern, text in _AROUND.items() if re.fullmatch(pattern, name)]
    text = around.format(_written_out(SNIPPETS[name]))

    assert "$" not in text
    assert [] == [item.message for item in parse(Source("snippet", text)).diagnostics.items], text


def test_the_settings_offer_what_the_command_takes() -> None:
    assert set(get_args(Engine)) == set(PROPERTIES["gnomon.check.engine"]["enum"])
    assert list(get_args(Strategies)) == PROPERTIES["gnomon.check.strategies"]["enum"]


def test_commands_of_menus_are_commands() -> None:
    contributes = MANIFEST["contributes"]
    commands = {command["command"] for command in contributes["commands"]}
    named = [entry["command"] for menu in contributes["menus"].values() for entry in menu]
    named += [entry["command"] for entry in contributes["keybindings"]]

    assert set() == set(named) - commands


def test_the_lock_file_names_no_address() -> None:
    assert "://" not in (EXTENSION / "package-lock.json").read_text()


@pytest.mark.parametrize(
    ("file", "command"),
    [("check.txt", "check mistakes.ispl"), ("test.txt", "test verdicts.ispl")],
)
def test_the_output_that_matchers_are_tried_on_is_what_gnomon_prints(
    file: str, command: str
) -> None:
    run = [sys.executable, "-m", "gnomon", *command.split()]
    done = subprocess.run(run, cwd=OUTPUT, capture_output=True, text=True, check=False, timeout=60)

    seconds = re.compile(r"=+ (.*) in [0-9.]+ s =+")
    printed = seconds.sub(r"\1", done.stdout + done.stderr)
    assert seconds.sub(r"\1", (OUTPUT / file).read_text()) == printed


@pytest.mark.slow
def test_the_tests_of_the_extension_itself_pass() -> None:
    npm = shutil.which("npm")
    if npm is None or not DIST.is_dir():
        missing("npm, or not the packages: run `npm ci` in editors/vscode")
    environment = {**os.environ, "GNOMON": str(Path(sys.executable).with_name("gnomon"))}
    for script in ("check", "test"):
        command = [npm, "run", "--silent", script]
        done = subprocess.run(
            command,
            cwd=EXTENSION,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        assert 0 == done.returncode, done.stdout[-8000:] + done.stderr[-2000:]
