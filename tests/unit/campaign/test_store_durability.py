"""What can happen to a store: writers that are killed, many writers, a full disk, damage."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from gnomon.campaign.answer import JobAnswer
from gnomon.campaign.job import CampaignJob
from gnomon.campaign.store import Store
from gnomon.campaign.worker import answer
from gnomon.text.diagnostic import InputError
from tests.support import ROOT
from tests.unit.campaign.jobs import small

#: Writes so many answers, from a number on, one after the other, and says when each is finished.
_WRITER = """
import sys
from dataclasses import replace
from gnomon.campaign.job import JobKey, CampaignJob
from gnomon.campaign.store import Store
from gnomon.campaign.worker import answer
from tests.unit.campaign.jobs import small
path, first, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
job = small(evidence=True, certificate=True)
given = answer(job)
with Store(path) as store:
    for repetition in range(first, first + number):
        again = CampaignJob(job.question, repetition)
        store.add(again, replace(given, key=again.key))
        print(repetition, flush=True)
"""


def writer(path: Path, first: int, number: int) -> "subprocess.Popen[str]":
    """Return a process that writes into a store."""
    return subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path), str(first), str(number)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


@pytest.mark.slow
def test_a_writer_that_is_killed_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    chance = random.Random(17)
    finished: set[int] = set()
    for attempt in range(6):
        first = 1 + attempt * 10_000
        with writer(path, first, 10_000) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.random() * 0.3)
            process.kill()
            finished |= {first, *map(int, process.stdout.read().split())}

    with Store(path, must_exist=True) as store:
        kept = {each.key.repetition for each in store.stored_keys()}
        assert [] == list(store.problems())
    assert finished <= kept


@pytest.mark.slow
def test_several_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    processes = [writer(path, 1, 40), writer(path, 21, 40), writer(path, 101, 40)]
    for process in processes:
        process.communicate()

    assert [0, 0, 0] == [process.returncode for process in processes]
    with Store(path, must_exist=True) as store:
        kept = [each.key.repetition for each in store.stored_keys()]
        assert [] == list(store.problems())
    assert [*range(1, 61), *range(101, 141)] == sorted(kept)


def pair(repetition: int = 1) -> tuple[CampaignJob, JobAnswer]:
    """Return a job with its answer."""
    job = CampaignJob(small(evidence=True).question, repetition)
    return job, answer(job)


def test_a_full_disk_is_said_and_what_was_there_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "a.store") as store:
        store.add(*pair())
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")

        with pytest.raises(InputError, match="the disk is full"):
            store.add_all([pair(number) for number in range(2, 40)])
    with Store(tmp_path / "a.store", must_exist=True) as store:
        assert [1] == [each.key.repetition for each in store.stored_keys()]
        assert [] == list(store.problems())


def test_a_store_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    job, given = pair()
    with Store(tmp_path / "a.store") as store:
        store.add(job, given)

    with Store(tmp_path / "a.store", must_exist=True, read_only=True) as store:
        assert given == store.get(job.key)
        with pytest.raises(InputError, match="may only be read"):
            store.add(*pair(2))


def test_a_damaged_answer_is_found_and_the_others_are_saved(tmp_path: Path) -> None:
    with Store(tmp_path / "a.store") as store:
        store.add_all([pair(number) for number in (1, 2, 3)])
        store.connection.execute("UPDATE attachments SET body = x'00' WHERE repetition = 2")
    with Store(tmp_path / "a.store", must_exist=True) as store, Store(tmp_path / "b") as other:
        assert 1 == len(list(store.problems()))
        assert (2, 1) == other.merge(store)
        assert [] == list(other.problems())


def read_all(path: Path) -> None:
    """Read whatever a store has, and raise where that is not possible."""
    with Store(path, must_exist=True) as store:
        for each in store.answers():
            store.complete(each)
        for problem in store.problems():
            raise store.unusable(f"damaged: {problem}")


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_file_that_was_cut_off_is_said_to_be_damaged(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "a.store"
    with Store(path) as store:
        store.add_all([pair(number) for number in range(1, 30)])
    os.truncate(path, int(path.stat().st_size * kept))

    with pytest.raises(InputError, match="damaged"):
        read_all(path)


def test_random_bytes_in_the_middle_never_surprise(tmp_path: Path) -> None:
    whole = tmp_path / "a.store"
    with Store(whole) as store:
        store.add_all([pair(number) for number in range(1, 12)])
    data = whole.read_bytes()
    chance = random.Random(5)
    for _ in range(25):
        path = tmp_path / "b.store"
        place = chance.randrange(100, len(data) - 64)
        path.write_bytes(data[:place] + chance.randbytes(64) + data[place + 64 :])
        with suppress(InputError):
            read_all(path)
        for more in ("", "-wal", "-shm"):
            Path(f"{path}{more}").unlink(missing_ok=True)


def test_a_writer_that_dies_in_the_middle_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    with Store(path) as store:
        store.add(*pair())
    pid = os.fork()
    if pid == 0:
        with Store(path) as store, store.writing() as connection:
            connection.execute("DELETE FROM answers")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)

    with Store(path, must_exist=True) as store:
        assert 1 == len(store.stored_keys())


#: Opens a store that is not there yet, at the moment when all the others do.
_OPENER = """
import sys, time
from gnomon.campaign.store import Store
print("ready", flush=True)
sys.stdin.readline()
for number in range(12):
    time.sleep(max(0.0, float(sys.argv[2]) + 0.05 * number - time.time()))
    Store(f"{sys.argv[1]}-{number}.store").close()
"""


@pytest.mark.slow
def test_several_may_make_a_store_at_once(tmp_path: Path) -> None:
    start = str(time.time() + 4.0)
    command = [sys.executable, "-c", _OPENER, str(tmp_path / "a"), start]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        process.communicate("go\n")

    assert [0, 0, 0, 0] == [process.returncode for process in processes]
