"""Answers with pages: whatever the pages take, what was decided is there."""

from pathlib import Path

import pytest

from gnomon.campaign import explained
from gnomon.campaign.explained import (
    ExplainedAnswer,
    Underway,
    explain_here,
    explained_in_a_process,
)
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.wire import packed
from gnomon.checking.options import Options
from gnomon.checking.question import Question

TEXT = Path("examples/bit_transmission.ispl").read_text(encoding="utf-8")
JOB = CampaignJob(Question(TEXT, "a.ispl", options=Options(evidence=True, timeout=60)))


def _explained(heard: list[object]) -> ExplainedAnswer:
    return ExplainedAnswer.read(explain_here(packed(JOB.to_data()), heard.append))


def test_every_verdict_has_a_page_and_is_told_when_it_is_found() -> None:
    heard: list[object] = []
    found = _explained(heard)
    decided = [said.decided for said in heard if isinstance(said, Underway)]

    assert set(range(1, 9)) == set(found.pages)
    assert all(page.html.startswith("<!DOCTYPE html>") for page in found.pages.values())
    assert 8 == max(decided)


def test_where_there_is_no_time_for_pages_the_verdicts_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explained, "_PAGES_SECONDS", -1.0)
    found = _explained([])

    assert {} == found.pages
    assert ("expected", 8) == (found.answer.standing, len(found.answer.formulae))


def test_pages_have_time_beyond_that_for_deciding() -> None:
    _, seconds = explained_in_a_process(JOB, None)
    endless = CampaignJob(Question(TEXT, "a.ispl"))

    assert seconds is not None and seconds > 60 + explained._PAGES_SECONDS
    assert explained_in_a_process(endless, None)[1] is None
