"""What the page of the studio needs to be tried: a browser, the page, and a studio."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browsing import browser, chromium, missing  # noqa: F401  (fixtures)
from tests.studio.browser.driver import STATIC, RunningStudio, StudioPage, running_studio
from tests.support import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_missing() -> None:
    """Fail where CI says that all is there, and something is not."""
    if os.environ.get("GNOMON_NEED_STUDIO"):
        assert shutil.which("chromium") or shutil.which("google-chrome")
        assert (STATIC / "app.js").is_file()


@pytest.fixture(scope="session")
def built_page() -> None:
    """See to it that there is a page."""
    if not (STATIC / "app.js").is_file():
        missing("page of the studio: run `make web`")


@pytest.fixture(scope="module")
def studio(built_page: None) -> Iterator[RunningStudio]:
    """Run a studio with the examples."""
    with running_studio(ROOT / "examples") as running:
        yield running


@pytest.fixture
def own_studio(built_page: None, tmp_path: Path) -> Iterator[Callable[[str], RunningStudio]]:
    """Run studios on texts of one's own, each in a folder with one model."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(text: str) -> RunningStudio:
            model = tmp_path / "mine.ispl"
            model.write_text(text, encoding="utf-8")
            return stack.enter_context(running_studio(model))

        yield start


@pytest.fixture
def window(browser: Browser) -> Iterator[Callable[..., StudioPage]]:  # noqa: F811
    """Open windows; when the test is over, none of them may have complained."""
    opened: list[StudioPage] = []

    def start(studio: RunningStudio, **more: object) -> StudioPage:
        page = StudioPage(browser, studio, **more)  # type: ignore[arg-type]
        opened.append(page)
        return page

    yield start
    for page in opened:
        page.close()
