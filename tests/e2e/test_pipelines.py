"""The recipes for pipelines are what their services accept, and so are the reports that they hand on.

The schemas and readers come out of packages; what is not installed is not tried.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.e2e.cli import gnomon
from tests.e2e.process import PATIENCE
from tests.pytest_runs import DOOR, LEAKY
from tests.support import ROOT
from tests.unit.checking.test_process import ENDLESS
from tests.unit.results.sarif_shape import check_sarif

PAGE = ROOT / "docs" / "how-to" / "pipelines.md"
RECIPES: list[str] = re.findall(
    r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def recipe(word: str) -> str:
    """Return the only recipe with this word in it."""
    [found] = [text for text in RECIPES if word in text]
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with models of every fate."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "door.ispl").write_text(DOOR)
    return tmp_path


def with_every_fate(folder: Path) -> None:
    (folder / "models" / "leaky ∀.ispl").write_text(LEAKY.replace("rest };", "rest, jump };", 1))
    (folder / "models" / "late.ispl").write_text(ENDLESS)
    (folder / "models" / "broken.ispl").write_text("Agent")


# The recipes


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("vendor.github-workflows", "upload-sarif"),
        ("vendor.github-workflows", "campaign"),
        ("vendor.gitlab-ci", "image: python"),
    ],
)
def test_a_recipe_is_as_its_service_asks(folder: Path, schema: str, words: str) -> None:
    pytest.importorskip("check_jsonschema")
    path = folder / "recipe.yml"
    path.write_text(recipe(words))
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize("text", RECIPES, ids=map(str, range(len(RECIPES))))
def test_the_commands_of_the_recipes_exist(text: str) -> None:
    for command, rest in re.findall(r"gnomon ([a-z]+)(?: run)?( .*)?", text):
        options = re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)
        words = ["campaign", "run"] if command == "campaign" else [command]
        shown = gnomon(*words, "--help").stdout

        assert [] == [option for option in options if option not in shown]


def test_the_line_of_the_recipe_tests_models_and_writes_both_reports() -> None:
    [line] = re.findall(r"- run: gnomon (test .*)", recipe("upload-sarif"))
    done = gnomon(*line.split())

    assert 0 == done.exit_code
    assert [] == check_sarif(json.loads(Path("models.sarif").read_text()), findings=True)["results"]
    assert "3" == ET.parse("models.xml").getroot().get("tests")


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_pre_commit_formats_and_tests_models(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed")
    (folder / "bin").mkdir()
    command = folder / "bin" / "gnomon"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gnomon "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(folder / "home"))
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    (folder / ".pre-commit-config.yaml").write_text(recipe("gnomon-fmt"))
    model = folder / "models" / "door.ispl"

    def run(text: str) -> str:
        model.write_text(text)
        subprocess.run(["git", "add", "models"], check=True)
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return f"{done.returncode} {done.stdout}"

    subprocess.run(["git", "init", "-q", "."], check=True)
    run(LEAKY)
    formatted = model.read_text()

    assert "FAILED models/door.ispl::safe - false, expected true" in run(formatted)
    fixed = formatted.replace("Action = push;", "Action = push and locked = false;")
    assert run(fixed).startswith("0 ")


# The reports


def test_every_reader_finds_the_same_in_a_report(folder: Path) -> None:
    reader = pytest.importorskip("junitparser")
    with_every_fate(folder)
    gnomon("test", "models", "--timeout", "2", "--junit", "report.xml")
    suites: Any = reader.JUnitXml.fromfile("report.xml")
    kinds = {
        f"{suite.name}::{case.name}": [type(each).__name__ for each in case.result]
        for suite in suites
        for case in suite
    }

    assert (8, 1, 2, 0) == (suites.tests, suites.failures, suites.errors, suites.skipped)
    assert {
        "models/broken.ispl::the model has no errors": ["Error"],
        "models/leaky ∀.ispl::safe": ["Failure"],
        "models/late.ispl::1: AG !bad": ["Error"],
    } == {name: found for name, found in kinds.items() if found}


def test_times_have_no_more_digits_than_readers_take(folder: Path) -> None:
    gnomon("test", "models", "--junit", "report.xml")
    times = [each.get("time", "") for each in ET.parse("report.xml").getroot().iter()]

    assert [] == [time for time in times if time and not re.fullmatch(r"\d+\.\d{3}", time)]


def test_the_validator_of_sarif_finds_no_error(folder: Path) -> None:
    validator = shutil.which("sarif-multitool") or shutil.which("Sarif.Multitool")
    if validator is None:
        pytest.skip(
            "the validator of SARIF is not installed: npm install -g @microsoft/sarif-multitool"
        )
    with_every_fate(folder)
    gnomon("test", "models", "--timeout", "2", "--sarif", "findings.sarif")
    gnomon("check", "models/door.ispl", "--evidence", "--format", "sarif", "-o", "all.sarif")
    done = subprocess.run(
        [validator, "validate", "findings.sarif", "all.sarif", "--rule-kind", "Sarif;Ghas",
         "--level", "Error", "--output", "found.json"],
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    [run] = json.loads(Path("found.json").read_text(encoding="utf-8-sig"))["runs"]

    assert 0 == done.returncode, done.stdout
    assert [] == [each["ruleId"] for each in run["results"]]
