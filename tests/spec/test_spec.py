"""Runs every Markdown file in this folder; README.md says how they are read."""

import os
from pathlib import Path

import pytest

from tests.spec.reader import Case, read_cases
from tests.spec.runner import run_case

CASES = [case for path in sorted(Path(__file__).parent.glob("*.md")) for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_gnomon_does_what_the_specification_says(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    wrong = run_case(case, update=os.environ.get("GNOMON_UPDATE_SPECS") == "1")

    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
