"""What CONTRIBUTING asks of a change besides its code: fragments, messages of commits, hooks."""

import re
import subprocess
import sys
import tomllib
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from tests.slow import SLOW
from tests.support import ROOT

FRAGMENTS = ROOT / "changelog.d"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
KINDS = {each["directory"] for each in SETTINGS["type"]}
#: An issue's number, or `+` and a few words.
WELL_NAMED = re.compile(rf"(\d+|\+[a-z0-9-]+)\.({'|'.join(sorted(KINDS))})(\.\d+)?\.md")


def fragments() -> list[Path]:
    return sorted(path for path in FRAGMENTS.iterdir() if path.name != "README.md")


def test_fragments_are_well_named() -> None:
    assert [] == [path.name for path in fragments() if not WELL_NAMED.fullmatch(path.name)]


def test_fragments_say_something_in_a_sentence() -> None:
    for path in fragments():
        text = path.read_text(encoding="utf-8").strip()

        assert text.endswith("."), path.name
        assert len(text) <= 600, path.name


def test_every_kind_is_explained() -> None:
    page = (FRAGMENTS / "README.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == KINDS


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("14.added.md", True),
        ("+shorter-stories.fixed.md", True),
        ("14.added.2.md", True),
        ("14.feature.md", False),
        ("stories.added.md", False),
        ("14.added.txt", False),
    ],
)
def test_names_of_fragments(name: str, good: bool) -> None:
    assert good == bool(WELL_NAMED.fullmatch(name))


def test_the_changelog_can_be_written() -> None:
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, "## [9.9]" in done.stdout) == (0, True), done.stderr
    assert SETTINGS["start_string"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# The fast suite


def test_what_is_slow_exists() -> None:
    for file, tests in SLOW.items():
        text = (ROOT / file).read_text(encoding="utf-8")

        assert [] == [test for test in tests if f"def {test.partition('[')[0]}(" not in text]


# Messages of commits


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = util.spec_from_file_location("commit_message", ROOT / ".ci" / "commit_message.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "message",
    [
        "Refuse arithmetic on Booleans",
        "Refuse arithmetic on Booleans\n\nMCMAS takes them for numbers.\n",
        "# a comment of git's\nRefuse arithmetic\n# and another one",
        "x" * 72,
        "Merge branch 'of a name that is longer than anybody wants to read it in a line of a log'",
    ],
)
def test_good_messages(hook: ModuleType, message: str) -> None:
    assert [] == list(hook.mistakes(message))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("x" * 73, "73 characters"),
        ("Refuse arithmetic on Booleans.", "full stop"),
        ("Refuse arithmetic\non Booleans", "second line"),
    ],
)
def test_bad_messages(hook: ModuleType, message: str, said: str) -> None:
    [mistake] = hook.mistakes(message)

    assert said in mistake


def test_the_hook_refuses_a_file(tmp_path: Path) -> None:
    path = tmp_path / "message"
    statuses = []
    for text in ("Say it shortly\n", "x" * 100):
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, str(ROOT / ".ci" / "commit_message.py"), str(path)]
        statuses.append(subprocess.run(command, capture_output=True, check=False).returncode)

    assert [0, 1] == statuses


# Hooks


def test_hooks_fetch_nothing_and_run_what_make_runs() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")

    assert ["local"] == re.findall(r"repo: (.*)", text)
    for tool in ("ruff format", "ruff check", "mypy", "lint-imports"):
        assert f"entry: .venv/bin/{tool}" in text
    assert "://" not in text
