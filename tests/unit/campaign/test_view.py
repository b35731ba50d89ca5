"""How far a campaign is, by its store: who goes on is told from who is gone."""

import os
import platform
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.campaign.job import CampaignJob
from gnomon.campaign.runner import new_run
from gnomon.campaign.store import Store
from gnomon.campaign.stored import CampaignRun
from gnomon.campaign.view import CampaignView, view_of_plan, views_of_store
from gnomon.campaign.worker import answer
from gnomon.interfaces.cli.campaign_screen import status_page
from tests.unit.campaign.jobs import LIGHT, small
from tests.unit.campaign.test_store import answered

#: More than processes can have.
NOBODY = 2**22 + 1


def seen(ago: float, **changes: object) -> CampaignRun:
    """Return a run that was heard of so many seconds ago."""
    return replace(new_run("gnomon …", "test", 3), seen=time.time() - ago, **changes)  # type: ignore[arg-type]


def viewed(path: Path, *runs: CampaignRun) -> CampaignView:
    with Store(path / "a.store") as store:
        for run in runs:
            store.begin(run)
        return view_of_plan("test", [small()], store)


ELSEWHERE = f"not {platform.node()}"


@pytest.mark.parametrize(
    ("ago", "changes", "goes_on"),
    [
        (0, {}, True),
        (0, {"process": NOBODY}, True),
        (6, {"process": os.getpid()}, True),
        (100, {"process": os.getpid()}, True),
        (6, {"process": NOBODY}, False),
        (6, {"process": NOBODY, "machine": ELSEWHERE}, True),
        (20, {"machine": ELSEWHERE}, False),
        (0, {"ended": 1.0}, False),
    ],
)
def test_a_run_goes_on_while_it_is_heard_of_or_its_process_is_there(
    tmp_path: Path, ago: float, changes: dict[str, object], goes_on: bool
) -> None:
    assert goes_on == bool(viewed(tmp_path, seen(ago, **changes)).running)


def test_runs_of_parts_belong_to_the_plan_and_those_of_others_do_not(tmp_path: Path) -> None:
    view = viewed(tmp_path, seen(0), seen(0, name="test 2/3"), seen(0, name="testing"))

    assert {"test", "test 2/3"} == {run.name for run in view.running}


def test_the_time_left_goes_by_what_the_runs_did(tmp_path: Path) -> None:
    job, given = answered()
    run = replace(new_run("gnomon …", "test", 5), started=time.time() - 10)
    with Store(tmp_path / "a.store") as store:
        store.begin(run)
        store.add(job, given, run.id)
        store.beat(run.id, [])
        (view,) = views_of_store(store)

    assert (5, 1, 4) == (view.jobs, view.done, view.left)
    assert view.seconds_left is not None
    assert 40 == pytest.approx(view.seconds_left, abs=2)


def test_answers_to_what_is_not_asked_any_more_are_not_counted(tmp_path: Path) -> None:
    runs = [replace(new_run("gnomon …", "test", 1), started=float(ago)) for ago in (1, 2)]
    with Store(tmp_path / "a.store") as store:
        for run, text in zip(runs, (LIGHT, LIGHT + "-- edited"), strict=True):
            question = replace(small().question, text=text)
            store.begin(run)
            store.add(CampaignJob(question), answer(CampaignJob(question)), run.id)
        (view,) = views_of_store(store)

    assert (1, 1, 0) == (view.jobs, view.done, view.left)


def test_of_more_answers_than_jobs_the_newest_count(tmp_path: Path) -> None:
    runs = [replace(new_run("gnomon …", "test", jobs), started=float(-jobs)) for jobs in (5, 2)]
    with Store(tmp_path / "a.store") as store:
        for run in runs:
            store.begin(run)
        for number in range(1, 6):
            job, given = answered(number)
            store.add(job, given, runs[0].id)
        (view,) = views_of_store(store)

    assert (2, 2, 0) == (view.jobs, view.done, view.left)


def test_answers_of_another_version_are_not_counted(tmp_path: Path) -> None:
    job, given = answered()
    old = replace(new_run("gnomon …", "test", 1), version="0.0.1", started=1.0)
    with Store(tmp_path / "a.store") as store:
        store.begin(old)
        store.add(job, given, old.id)
        store.begin(new_run("gnomon …", "test", 1))
        (view,) = views_of_store(store)

    assert (1, 0, 1) == (view.jobs, view.done, view.left)


def test_a_run_is_said_to_be_running_with_the_time_when_it_was_heard_of(tmp_path: Path) -> None:
    run = seen(9, machine=ELSEWHERE)
    page = status_page(viewed(tmp_path, run), time.time(), 80)

    assert f"(process {run.process}), last heard of 9 s ago\n" in page.plain()
