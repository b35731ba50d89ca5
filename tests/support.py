"""Places that tests need to know, usable while tests are collected and while they run."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
#: What random models may be, and others may not: without an initial state, or without a fair one.
VACUOUS = ("G0803", "G0804")


def shared_models() -> Path:
    """Return the folder of models beside the checkout; skip the test where there is none."""
    folder = _shared_models()
    if not folder.is_dir():
        pytest.skip("no shared models beside this checkout")
    return folder


def shared_models_or_none() -> Path | None:
    """Return the folder of models, for use while tests are collected."""
    folder = _shared_models()
    return folder if folder.is_dir() else None


def shared_model_files(pattern: str = "**/*.ispl") -> list[Path]:
    """Return the shared models for `parametrize`; none where the folder is absent."""
    return sorted(_shared_models().glob(pattern))


def _shared_models() -> Path:
    beside = ROOT.parent / "shared" / "models"
    return Path(os.environ.get("GNOMON_SHARED_MODELS", beside))
