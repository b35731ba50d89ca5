"""A studio for all tests that do not end it, and a page that is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.running import Page, Running, stand_in, studio


@pytest.fixture(scope="session")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_in(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that is open, beside one that is not."""
    place = tmp_path_factory.mktemp("place")
    (place / "secret.ispl").write_text("nobody reads this", encoding="utf-8")
    opened = place / "models"
    opened.mkdir()
    return opened


@pytest.fixture(scope="session")
def running(static: Path, folder: Path) -> Iterator[Running]:
    with studio(static, folder) as found:
        yield found


@pytest.fixture
def page(running: Running) -> Iterator[Page]:
    with running.page() as found:
        yield found
