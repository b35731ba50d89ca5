"""A browser for tests: Chromium where there is one, driven by Playwright, which brings none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:  # it need not be installed
    from playwright.sync_api import Browser


def missing(what: str) -> NoReturn:
    """Skip a test for want of something, or fail where it has to be there."""
    if os.environ.get("GNOMON_NEED_BROWSER"):
        pytest.fail(f"there is no {what}")
    pytest.skip(f"there is no {what}")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the program of a browser."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        missing("chromium")
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Start a browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()
