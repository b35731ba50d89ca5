"""Jobs on other machines: whoever is killed when, each has one answer, and what is unwanted is gone."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from pathlib import Path

import pytest

from benchmarks.killed_campaign import run_killed, run_to_the_end, write_plan
from gnomon.campaign import cluster
from gnomon.campaign.cluster import connect
from gnomon.campaign.cluster_pool import ClusterPool
from gnomon.campaign.plan import ClusterSecurity
from gnomon.campaign.retries import Retrying
from gnomon.text.diagnostic import InputError
from tests.unit.campaign.jobs import endless, small
from tests.unit.campaign.machines import ROOT, Machines, free_port, machines


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """Two workers and their scheduler, for all tests here."""
    pytest.importorskip("distributed")
    with machines(tmp_path_factory.mktemp("machines"), 2) as started:
        yield started


@pytest.fixture
def pool(place: Machines) -> Iterator[ClusterPool]:
    """The same, with both workers there and nothing to do."""
    with connect(place.address) as found:
        while len(place.workers) < 2:
            place.add_worker()
        for _ in range(600):
            if found.at_once == 2:
                break
            time.sleep(0.1)
        yield found
    assert place.wait_until_idle(10)


@pytest.mark.slow
def test_each_job_has_one_answer_although_a_worker_is_killed(
    pool: ClusterPool, place: Machines
) -> None:
    jobs = [small(number) for number in range(1, 13)]
    futures = {Retrying(pool).submit(job): job for job in jobs}
    wait(futures, return_when=FIRST_COMPLETED)
    place.kill_worker()
    answers = {futures[future].key: future.result(60) for future in futures}

    assert {job.key for job in jobs} == set(answers)
    assert all(key == answer.key for key, answer in answers.items())
    assert {"expected"} == {answer.standing for answer in answers.values()}


@pytest.mark.slow
def test_losers_are_gone_although_they_are_inside_a_native_call(
    pool: ClusterPool, place: Machines
) -> None:
    limited = pool.submit(endless(timeout=0.5))
    loser = pool.submit(endless())

    assert "time limit of 0.5 s" in str(limited.result(60).formulae[0]["reason"])
    while not pool.under_way() or not place.jobs():
        time.sleep(0.02)
    assert loser.cancel()
    assert place.wait_until_idle(10)


@pytest.mark.slow
def test_when_the_client_is_killed_its_jobs_end(pool: ClusterPool, place: Machines) -> None:
    code = (
        "import sys, time\n"
        "from gnomon.campaign.cluster import connect\n"
        "from tests.unit.campaign.jobs import endless\n"
        f"pool = connect({place.address!r})\n"
        "futures = [pool.submit(endless()) for _ in range(2)]\n"
        "time.sleep(600)\n"
    )
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    client = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths})
    try:
        while len(place.jobs()) < 2:
            time.sleep(0.05)
    finally:
        client.kill()
        client.wait()

    assert place.wait_until_idle(10)
    assert "expected" == pool.submit(small()).result(60).standing


@pytest.mark.slow
def test_a_campaign_whose_client_is_killed_and_started_again_is_complete(
    pool: ClusterPool, place: Machines, tmp_path: Path
) -> None:
    write_plan(tmp_path, jobs=12)
    whole = run_to_the_end(tmp_path, "whole.store")
    there = ("--cluster", place.address)
    killed = run_killed(tmp_path, "killed.store", *there, jobs=12, kills=1, seed=3)

    assert 12 == len(killed.verdicts)
    assert whole == killed.verdicts
    assert place.wait_until_idle(10)
    assert not pool.under_way()


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused(
    pool: ClusterPool, place: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "__version__", "99")
    with pytest.raises(InputError, match=r"has gnomon .*, and this is 99"):
        connect(place.address)

    monkeypatch.setattr("gnomon.campaign.cluster_pool.__version__", "99")
    answer = Retrying(pool).submit(small()).result(60)

    assert "lost" == answer.standing
    assert "and not 99" in answer.reason


@pytest.mark.slow
def test_a_client_that_is_given_stays_open(pool: ClusterPool, place: Machines) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.Client(place.address, set_as_default=False) as client:
        with connect(client) as given:
            assert "expected" == given.submit(small()).result(60).standing

        assert "running" == client.status
    assert "expected" == pool.submit(small(2)).result(60).standing


@pytest.mark.slow
def test_when_the_scheduler_comes_back_jobs_are_handed_over_again(
    pool: ClusterPool, place: Machines
) -> None:
    hard = pool.submit(endless(timeout=2))
    easy = [pool.submit(small(number)) for number in range(1, 5)]
    while not pool.under_way():
        time.sleep(0.02)
    place.kill_all()
    place.start(2)

    assert {"expected"} == {future.result(60).standing for future in easy}
    assert "open" == hard.result(60).standing


@pytest.mark.slow
def test_when_the_scheduler_stays_away_whoever_waits_is_told(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with machines(tmp_path, 0) as alone, connect(alone.address, patience=1.5) as found:
        future = found.submit(small())
        alone.kill_all()

        with pytest.raises(InputError, match="is lost"):
            future.result(60)
        with pytest.raises(InputError, match="is lost"):
            found.submit(small())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("10.0.0.1", "this is no address of a scheduler"),
        ("http://127.0.0.1:8786", "this is no address of a scheduler"),
        ("tcp://127.0.0.1", "this is no address of a scheduler"),
        ("tcp://127.0.0.1:many", "this is no address of a scheduler"),
        ("tcp://127.0.0.1:{free}", "nobody answers there"),
        ("nowhere.json", "there is no such file"),
    ],
)
def test_an_address_where_nobody_is_is_refused(address: str, said: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=said) as raised:
        connect(address.format(free=free_port()))

    assert ["G0903"] == [item.code for item in raised.value.diagnostics]


def test_what_is_no_cluster_is_refused() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="is no address, no client of Dask's"):
        connect(42)


def test_tls_needs_its_files(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as somebody:
        address = f"tls://127.0.0.1:{somebody.getsockname()[1]}"
        with pytest.raises(InputError, match="no scheduler answers as one should") as raised:
            connect(address, patience=1)
        with pytest.raises(InputError, match="there is no file"):
            connect(address, ClusterSecurity(ca_file=tmp_path / "ca.pem"))

    assert "name ca-file, cert and key" in raised.value.diagnostics[0].help


def test_a_machine_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="Dask is not installed") as raised:
        connect("local")

    assert "gnomon[cluster]" in raised.value.diagnostics[0].help
