"""A campaign that is killed at random moments and resumed has every verdict, each once, and the same."""

import os
from pathlib import Path

import pytest

from benchmarks.killed_campaign import run_killed, run_to_the_end, write_plan

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes there"),
]
JOBS = 100


def test_a_campaign_that_is_killed_and_resumed_is_as_if_nothing_had_happened(
    tmp_path: Path,
) -> None:
    write_plan(tmp_path, JOBS)
    whole = run_to_the_end(tmp_path, "whole.store")
    killed = run_killed(tmp_path, "killed.store", jobs=JOBS, kills=4, seed=17)

    assert JOBS == len(whole)
    assert whole == killed.verdicts
    assert killed.kills > 0
    assert 0 == killed.orphans
