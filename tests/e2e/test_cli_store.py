"""`gnomon store` as a user calls it."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.store import Store
from gnomon.campaign.worker import answer
from gnomon.checking.options import Options
from gnomon.checking.question import Question
from gnomon.checking.supervise import work_here
from tests.e2e.cli import gnomon
from tests.unit.campaign.jobs import LIGHT, small


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Return a store with the answers to three questions; one cannot be asked, one is not as expected."""
    path = tmp_path / "a.store"
    wrong = CampaignJob(Question(LIGHT, "dark.ispl", only=(2,), options=Options(evidence=True)))
    jobs = [small(2), CampaignJob(Question("Agent", "half.ispl")), wrong]
    with work_here(), Store(path) as made:
        made.add_all((job, answer(job)) for job in jobs)
    return str(path)


def test_answers_are_listed_below_their_models(store: str) -> None:
    done = gnomon("store", "list", store)

    assert 0 == done.exit_code
    assert "dark.ispl" in done.stdout
    assert "AG !lit" in done.stdout
    assert "4 verdicts in 3 answers" in done.stdout


def test_some_can_be_chosen(store: str) -> None:
    assert "1 verdict in 1 answer" in gnomon("store", "list", store, "--model", "d*").stdout
    assert (
        "2 verdicts in 1 answer" in gnomon("store", "list", store, "--standing", "expected").stdout
    )
    assert "0 verdicts" in gnomon("store", "list", store, "--older-than", "1").stdout


def test_whole_answers_are_exported_as_json_lines(store: str) -> None:
    lines = [json.loads(line) for line in gnomon("store", "export", store).stdout.splitlines()]

    assert ["light 2", "half.ispl", "dark.ispl"] == [line["question"]["name"] for line in lines]
    assert lines[2]["answer"]["result"]["formulae"][0]["evidence"]


def test_a_table_has_a_row_a_verdict(store: str, tmp_path: Path) -> None:
    gnomon("store", "export", store, "--format", "csv", "-o", str(tmp_path / "a.csv"))
    table = list(csv.DictReader(StringIO((tmp_path / "a.csv").read_text())))

    assert ["true", "true", "error", "false"] == [row["verdict"] for row in table]
    assert all(row["machine"] and row["cpu"] and row["digest"] for row in table)


def test_parquet_needs_a_library_and_says_so(store: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    done = gnomon("store", "export", store, "--format", "parquet", "-o", str(path))

    try:
        from pyarrow import parquet
    except ImportError:
        assert 2 == done.exit_code
        assert "G0904" in done.stderr
        assert not path.exists()
    else:
        assert 4 == parquet.read_table(path).num_rows


def test_stores_are_merged_and_the_others_stay(store: str, tmp_path: Path) -> None:
    into = str(tmp_path / "all.store")
    first, again = gnomon("store", "merge", into, store), gnomon("store", "merge", into, store)

    assert "3 answers taken over" in first.stdout
    assert "0 answers taken over" in again.stdout
    assert gnomon("store", "list", into).stdout == gnomon("store", "list", store).stdout


def test_nothing_is_merged_where_one_is_no_store(store: str, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear all")
    done = gnomon("store", "merge", str(tmp_path / "all.store"), store, str(letter))

    assert 2 == done.exit_code
    assert "G0901" in done.stderr
    assert not (tmp_path / "all.store").exists()


def test_a_store_is_not_merged_into_itself(store: str) -> None:
    assert 2 == gnomon("store", "merge", store, store).exit_code


def test_only_what_is_named_is_forgotten(store: str) -> None:
    assert 2 == gnomon("store", "forget", store).exit_code
    assert (
        "1 answer would be"
        in gnomon("store", "forget", store, "--standing", "refused", "--dry-run").stdout
    )
    assert "1 answer forgotten" in gnomon("store", "forget", store, "--standing", "refused").stdout
    assert "3 verdicts in 2 answers" in gnomon("store", "list", store).stdout
    assert "2 answers forgotten" in gnomon("store", "forget", store, "--all").stdout


def test_a_whole_store_is_said_to_be_whole(store: str) -> None:
    done = gnomon("store", "verify", store)

    assert (0, "3 answers, all of them whole\n") == (done.exit_code, done.stdout)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    done = gnomon("store", "list", str(tmp_path / "none"))

    assert 2 == done.exit_code
    assert "it is not there" in done.stderr
    assert [] == list(tmp_path.iterdir())
