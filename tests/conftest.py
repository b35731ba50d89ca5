"""What all tests share: the Hypothesis profiles and the models beside the checkout."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import support

# `ci`: the same examples on every run, however slow the machine.
# `fuzz`: new examples on every run, and many of them (`make fuzz`).
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=2000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("GNOMON_HYPOTHESIS", "ci"))


@pytest.fixture(scope="session")
def shared_models() -> Path:
    """Return the folder of models beside the checkout; skip the test where there is none."""
    return support.shared_models()
