"""The store: an answer is there wholly or not at all, once, and comes back as it was."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob, JobKey
from gnomon.campaign.store import Store
from gnomon.campaign.stored import CampaignRun, StoredJob
from gnomon.campaign.worker import answer, lost
from gnomon.text.diagnostic import InputError
from tests.unit.campaign.jobs import small


def answered(number: int = 1, **options: object) -> tuple[CampaignJob, JobAnswer]:
    """Return a job with its answer."""
    job = small(number, **options)
    return job, answer(job)


def test_an_answer_comes_back_as_it_was(tmp_path: Path) -> None:
    job, given = answered(evidence=True, certificate=True)
    with Store(tmp_path / "a.store") as store:
        store.add(job, given)
    with Store(tmp_path / "a.store") as store:
        found = store.get(job.key)

    assert given == found
    assert given.certificate


def test_of_two_answers_to_one_job_the_first_stays(tmp_path: Path) -> None:
    job, given = answered()
    _, later = answered()
    with Store(tmp_path / "a.store") as store:
        assert store.add(job, given)
        assert not store.add(job, later)
        assert given == store.get(job.key)


def test_what_is_decided_stands_instead_of_what_is_open_and_that_of_what_is_lost(
    tmp_path: Path,
) -> None:
    job, decided = answered(evidence=True)
    open_ = replace(decided, standing="open", reason="no time").without_evidence()
    rising = [lost(job, "gone"), open_, decided]
    with Store(tmp_path / "a.store") as store:
        for place, better in enumerate(rising):
            assert store.add(job, better)
            for weaker in rising[: place + 1]:
                assert not store.add(job, weaker)
            assert better == store.get(job.key)


def test_of_two_stores_the_better_answer_is_merged(tmp_path: Path) -> None:
    job, decided = answered()
    with Store(tmp_path / "a") as one, Store(tmp_path / "b") as two:
        one.add(job, lost(job, "gone"))
        two.add(job, decided)

        assert (1, 0) == one.merge(two)
        assert decided == one.get(job.key)


def test_names_that_are_no_text_can_be_kept(tmp_path: Path) -> None:
    job, given = answered()
    odd = "n\udcff.ispl"
    run = CampaignRun("1", f"gnomon {odd}", "1", "vm", 1, odd, 1, 0.0, 0.0)
    with Store(tmp_path / "s\udcff.store") as store:
        store.begin(run)
        store.beat("1", [StoredJob("1", job.key, odd, "here", 0.0)])
        store.add(CampaignJob(replace(job.question, name=odd)), given, "1")

        assert [odd] == [each.question.name for each in store.answers()]
        assert "n\\udcff.ispl" == store.runs()[0].name


def test_no_store_has_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file can have such a name"):
        Store(f"{tmp_path}/a\0b")
    assert [] == list(tmp_path.iterdir())


def test_another_version_has_not_answered_yet(tmp_path: Path) -> None:
    job, given = answered()
    with Store(tmp_path / "a.store") as store:
        store.add(job, given)

        assert store.get(job.key, "0.0.0") is None
        assert {job.key: "expected"} == store.standings()
        assert {} == store.standings("0.0.0")


def test_repetitions_are_kept_apart(tmp_path: Path) -> None:
    job, _ = answered()
    again = CampaignJob(job.question, 2)
    with Store(tmp_path / "a.store") as store:
        store.add(again, answer(again))

        assert store.get(job.key) is None
        assert store.get(JobKey(job.key.digest, 2)) is not None


def test_stores_of_shards_become_one(tmp_path: Path) -> None:
    pairs = [answered(number, evidence=True) for number in range(1, 5)]
    with Store(tmp_path / "a") as one, Store(tmp_path / "b") as two:
        one.add_all(pairs[:3])
        two.add_all(pairs[2:])

        assert (1, 0) == one.merge(two)
        assert (0, 0) == one.merge(two)
        assert [given for _, given in pairs] == [one.get(job.key) for job, _ in pairs]


def test_what_is_forgotten_leaves_nothing_behind(tmp_path: Path) -> None:
    pairs = [answered(number, evidence=True) for number in (1, 2)]
    with Store(tmp_path / "a") as store:
        store.add_all(pairs)
        store.forget([job.key for job, _ in pairs], pairs[0][1].provenance.version)

    with closing(sqlite3.connect(tmp_path / "a")) as tables:
        for table in ("answers", "attachments", "questions", "texts"):
            assert (0,) == tables.execute(f"SELECT count(*) FROM {table}").fetchone()


def test_a_file_that_is_no_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all\n" * 200)

    with pytest.raises(InputError) as caught:
        Store(path)
    assert "G0901" == caught.value.diagnostics[0].code
    assert "Dear all\n" * 200 == path.read_text()


def test_a_database_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "birds.db"
    with closing(sqlite3.connect(path)) as tables:
        tables.execute("CREATE TABLE birds (name TEXT)")

    with pytest.raises(InputError, match="no store"):
        Store(path)


def test_a_store_that_is_to_be_read_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        Store(tmp_path / "none", must_exist=True)
    assert not (tmp_path / "none").exists()
