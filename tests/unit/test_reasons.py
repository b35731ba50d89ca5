"""The page on engines explains reasons that Gnomon gives."""

import re

import pytest

from tests.support import ROOT

PAGE = (ROOT / "docs" / "how-to" / "engines.md").read_text(encoding="utf-8")
SOURCES = " ".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "src" / "gnomon").rglob("*.py"))
)
TABLE = PAGE.partition("## By symptom")[2].partition("\n## ")[0]
ROWS = [row.split("|")[1] for row in TABLE.splitlines() if row.startswith("| `")]
REASONS = [reason for row in ROWS for reason in re.findall(r"`([^`]{12,})`", row)]


def test_there_are_many() -> None:
    assert len(REASONS) > 10


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_that_is_explained_can_be_given(reason: str) -> None:
    fixed = re.split(r"…|\d[\d,. …%]*", reason.removeprefix("undefined: "))

    assert [] == [words for words in fixed if words.strip() not in SOURCES]
