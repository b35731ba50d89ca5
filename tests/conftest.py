"""What all tests share: the Hypothesis profiles and the models beside the checkout."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from gnomon.checking.supervise import work_here
from tests import support
from tests.slow import is_slow

# `ci`: the same examples on every run, however slow the machine.
# `fast`: few of them (`make test-fast`).
# `fuzz`: new examples on every run, and many of them (`make fuzz`).
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=2000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("fast", settings.get_profile("ci"), max_examples=10)
settings.load_profile(os.environ.get("GNOMON_HYPOTHESIS", "ci"))

# What a race of some test has taught must not change what another one does, nor what users do.
os.environ["GNOMON_HINTS"] = "off"

# Jobs in the background and under `nohup` ignore these, and so would the commands that tests interrupt.
for _name in ("SIGINT", "SIGHUP"):
    _number = getattr(signal, _name, None)  # Windows has no SIGHUP
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long."""
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)


#: Here checks run as they do for users, in processes of their own. Elsewhere they run in the process of the
#: test: it may change what an engine does, and thousands of small checks need no protection from each other.
_AS_FOR_USERS = ("tests/e2e/", "tests/unit/campaign/", "tests/unit/checking/", "tests/unit/test_")


@pytest.fixture(autouse=True)
def _where_checks_run(request: pytest.FixtureRequest) -> Iterator[None]:
    place = request.path.relative_to(request.config.rootpath).as_posix()
    if place.startswith(_AS_FOR_USERS):
        yield
    else:
        with work_here():
            yield


@pytest.fixture(scope="session")
def shared_models() -> Path:
    """Return the folder of models beside the checkout; skip the test where there is none."""
    return support.shared_models()
