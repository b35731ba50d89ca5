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


def test_every_code_has_a_case() -> None:
    """Codes of files, of the command line, of campaigns and of `fmt --mcmas` are tested end to end."""
    from gnomon.text.codes import CODES

    text = "".join(file.read_text() for file in Path(__file__).parent.glob("*.md"))
    elsewhere = {
        "G0001",
        "G0002",
        "G0003",
        "G0004",
        "G0114",
        "G0309",
        "G0412",
        "G0415",
        "G0501",
        "G0822",
        "G0901",
        "G0902",
        "G0903",
        "G0904",
        "G0905",
    } | {
        "G0606",
        "G0812",
        "G0814",
        "G0815",
        "G0816",
        "G0817",
        "G0818",
        "G0821",
    }

    assert set() == {code for code in CODES if f": {code}" not in text} - elsewhere
