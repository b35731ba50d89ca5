"""What somebody could try who has written a model, is another user of the machine, or floods a studio."""

import pytest

from gnomon.campaign.local import LocalPool
from gnomon.checking.options import Options
from gnomon.interfaces.studio.finding_groups import StoppableJobs, _read
from gnomon.interfaces.studio.models import KnownModel
from gnomon.model.budget import LimitReached
from gnomon.text.ending import Terminated
from gnomon.workbench.parameters import Parameters
from tests.studio.test_ending import slow_model
from tests.support import ROOT

MUTEX = (ROOT / "examples/parameterised/mutex.ispl").read_text(encoding="utf-8")

# Models that take long to read


def read_groups(jobs: StoppableJobs, timeout: float, **more: object) -> None:
    """Read a model as `model/who` does."""
    many = "\n".join(slow_model().replace("Player", f"Player{each}") for each in range(3))
    model = KnownModel(many, "x.ispl", {}, 0)._replace(**more)
    _read(model, Parameters({"goal": "F full"}), Options(timeout=timeout), jobs)


@pytest.mark.parametrize("population", [None, {"Process": 3}])
def test_nobody_reads_on_when_nobody_wants_to_know(population: dict[str, int] | None) -> None:
    jobs = StoppableJobs(LocalPool(1))
    jobs.close()

    with pytest.raises(Terminated):
        read_groups(jobs, 60.0, population=population)


@pytest.mark.parametrize("population", [None, {"Process": 3}])
def test_groups_are_read_within_the_limits(population: dict[str, int] | None) -> None:
    with pytest.raises(LimitReached):
        read_groups(StoppableJobs(LocalPool(1)), 1e-9, population=population)
