"""Rows of tables: every verdict has one, and so has every question without verdicts."""

from pathlib import Path

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.rows import COLUMNS, VerdictRow, rows
from gnomon.campaign.store import Store
from gnomon.campaign.worker import answer, lost
from gnomon.checking.question import Question
from tests.unit.campaign.jobs import small


def rows_of(folder: Path, *jobs: CampaignJob) -> list[VerdictRow]:
    """Return the rows of the answers to jobs."""
    with Store(folder / "a.store") as store:
        store.add_all((job, answer(job)) for job in jobs)
        return list(rows(store.answers()))


def test_every_formula_and_every_check_has_a_row(tmp_path: Path) -> None:
    found = rows_of(tmp_path, small(2, check_deadlock=True, timeout=9))

    assert ["AF lit", "EF (lit or lit)"] == [row.formula for row in found][:2]
    assert [1, 2, None] == [row.index for row in found]
    assert [None, None, "deadlock"] == [row.name for row in found]
    assert {"true"} == {row.verdict for row in found}
    assert {9} == {row.timeout for row in found}
    assert {2} == {row.states for row in found}


def test_a_question_that_cannot_be_asked_has_a_row_that_says_why(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, CampaignJob(Question("Agent", "half")))

    assert ("half", "error", False) == (row.model, row.verdict, row.as_expected)
    assert "G0102" in str(row.reason)


def test_a_job_that_is_lost_has_a_row_that_says_why(tmp_path: Path) -> None:
    job = small()
    with Store(tmp_path / "a.store") as store:
        store.add(job, lost(job, "the machine is gone"))
        (row,) = rows(store.answers())

    assert ("lost", "the machine is gone") == (row.verdict, row.reason)


def test_rows_have_the_columns_in_their_order(tmp_path: Path) -> None:
    (row, _) = rows_of(tmp_path, small())

    assert COLUMNS == tuple(row.to_data())
