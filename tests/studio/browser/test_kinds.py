"""Models with numbers that have no bounds, and with any number of agents."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.studio.browser.driver import RunningStudio, StudioPage

pytestmark = pytest.mark.slow

Window = Callable[..., StudioPage]


def test_a_population_is_chosen_walked_through_and_joined(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=parameterised/mutex")
    page.wait_for_verdicts()
    run = page.pane("run")
    run.get_by_role("button", name="Walk", exact=True).click()
    run.locator("button.move-take").first.wait_for()
    before = run.locator("[role=row]").count()
    run.locator("button.move-take").first.click()
    run.get_by_text("step 1", exact=True).wait_for()
    run.get_by_role("button", name=re.compile("one more|another|add", re.IGNORECASE)).first.click()
    page.page.wait_for_function(
        f"() => document.querySelectorAll('#pane-run [role=row]').length > {before}"
    )

    run.get_by_text("step 1", exact=True).wait_for()


def test_smallest_populations_are_shown_and_can_be_walked(
    studio: RunningStudio, window: Window
) -> None:
    page = window(studio, to="/?open=parameterised/mutex_some")
    page.wait_for_verdicts()
    false = page.pane("verdicts").locator("li.verdict", has_text="false").first
    false.locator("button.verdict-main").click()
    page.page.keyboard.press("Enter")
    run = page.pane("run")
    run.get_by_role("tab", name="Any number").click()
    run.get_by_role("button", name="Walk with them").first.click()
    run.locator("button.move-take").first.wait_for()


def test_numbers_without_bounds_have_cells(studio: RunningStudio, window: Window) -> None:
    page = window(studio, to="/?open=unbounded/token_bucket")
    page.wait_for_verdicts()
    run = page.pane("run")
    run.locator("button.move-take").first.wait_for()
    run.get_by_text(re.compile("cell", re.IGNORECASE)).first.wait_for()
    false = page.pane("verdicts").locator("li.verdict", has_text="false").first
    false.locator("button.verdict-main").click()
    page.page.keyboard.press("Enter")
    run.get_by_role("tab", name="Cells").click()
    run.get_by_label("Round", exact=True).wait_for()
