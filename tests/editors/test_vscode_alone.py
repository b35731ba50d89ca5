"""The extension in the real workbench and without a language server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.editors.driver import Workbench
from tests.editors.workbench import Served, serve

if TYPE_CHECKING:  # it need not be installed
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_without_a_server_there_are_colours_and_sections(
    browser: Browser, extension: Path, tmp_path: Path
) -> None:
    with serve(Served({"new.ispl": "-- new\nAgent\n"}, {})) as address:
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        workbench = Workbench(page, address, tmp_path)
        workbench.open("new.ispl")
        workbench.go("-- new")

        workbench.type("\ntemplate")
        workbench.suggests("template", "Template")
        workbench.press("Enter")

        workbench.shows("Template Process")
        workbench.picture("alone")
        assert workbench.colour("-- new") != workbench.colour("Agent")
        assert [] == workbench.complaints()
        page.close()
